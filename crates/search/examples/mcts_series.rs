//! A series of matches of two players at games of two roles, roles swapped after each:
//! `series SPEC SPEC MATCHES SECONDS GAME…`. A role with one legal move is not asked.

use senet_game::RoleId;
use senet_search::{Assignment, Limit, Player, Rules, Spec};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn play(rules: &Arc<Rules>, specs: [&Spec; 2], seconds: f64, seed: u64) -> [f64; 2] {
    let time = Duration::from_secs_f64(seconds);
    let mut players: Vec<Box<dyn Player>> = Vec::new();
    for (at, spec) in specs.iter().enumerate() {
        let mut player = spec.player(seed * 2 + at as u64);
        let assignment = Assignment { rules: rules.clone(), role: RoleId::new(at) };
        player.start(assignment, &Limit::after(time)).expect("it plays");
        players.push(player);
    }
    let mut game = rules.engine().start().expect("it begins");
    loop {
        let position = game.position();
        if position.terminal {
            let goal = |at: usize| f64::from(position.goals[at].unwrap_or(0));
            return [goal(0), goal(1)];
        }
        let mut joint = Vec::new();
        for (legal, player) in position.legal.iter().zip(&mut players) {
            joint.push(match &legal[..] {
                [only] => only.clone(),
                _ => player.choose(&Limit::after(time)).expect("a move").text,
            });
        }
        let names = rules.role_names().iter().cloned();
        game.play(&names.zip(joint.iter().cloned()).collect::<BTreeMap<_, _>>()).expect("it is legal");
        players.iter_mut().for_each(|player| player.observe(&joint).expect("it is legal"));
    }
}

#[allow(clippy::print_stdout)]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, matches, seconds, games @ ..] = &args[..] else {
        panic!("series SPEC SPEC MATCHES SECONDS GAME…")
    };
    let specs: [Spec; 2] = [first, second].map(|spec| spec.parse().expect("a player"));
    let (n_matches, seconds): (usize, f64) =
        (matches.parse().expect("a number"), seconds.parse().expect("a number"));
    let n_threads = std::env::var("JOBS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for game in games {
        let text = match senet_engines::library::find(game) {
            Some(game) => game.text,
            None => std::fs::read_to_string(game).expect("a rulesheet"),
        };
        let rules = Rules::new(senet_gdl::parse(&text).0).expect("it plays");
        let _ = rules.lanes().wait(&Limit::default());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut scores = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= n_matches {
                    return scores;
                }
                let is_swapped = at % 2 == 1;
                let pair = if is_swapped { [&specs[1], &specs[0]] } else { [&specs[0], &specs[1]] };
                let goals = play(&rules, pair, seconds, at as u64 + 1);
                let [own, other] = if is_swapped { [goals[1], goals[0]] } else { goals };
                scores.push(own / (own + other).max(1.0));
            }
        };
        let scores: Vec<f64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
        });
        let n = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / n;
        let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / n;
        let error = 1.96 * (variance / n).sqrt();
        println!(
            "{game}: {first} against {second}: {:.1} % ± {:.1} in {n} matches",
            mean * 100.0,
            error * 100.0
        );
    }
}
