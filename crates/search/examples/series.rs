//! Plays a series of matches between two players of two-player games, roles swapped after each match:
//!
//!     series FIRST SECOND MATCHES SECONDS GAME...
//!
//! Each has SECONDS for a move, and does not think in the time of the other. A match at a time on each of two threads.

use senet_game::RoleId;
use senet_search::{Assignment, Limit, Player, Rules, SearchError, Spec};
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const THREADS: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, matches, seconds, games @ ..] = &args[..] else {
        return Err("series FIRST SECOND MATCHES SECONDS GAME...".into());
    };
    let specs: [Spec; 2] = [first.parse()?, second.parse()?];
    let (matches, seconds): (u64, f64) = (matches.parse()?, seconds.parse()?);
    let time = Duration::from_secs_f64(seconds);
    let mut all = Vec::new();
    for game in games {
        let found = senet_engines::library::find(game).ok_or("no such game")?;
        let rules = Rules::new(senet_gdl::parse(&found.text).0)?;
        rules.gates().wait(&Limit::default());
        let points = series(&rules, &specs, matches, time)?;
        eprintln!("{game}: {}", summary(&points));
        all.extend(points);
    }
    eprintln!("all: {}", summary(&all));
    Ok(())
}

/// What the first player got in each match, from 0 to 1.
fn series(
    rules: &Arc<Rules>,
    specs: &[Spec; 2],
    matches: u64,
    time: Duration,
) -> Result<Vec<f64>, SearchError> {
    let (next, points) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<(), SearchError> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= matches {
                return Ok(());
            }
            let is_swapped = number % 2 == 1;
            let order = if is_swapped { [1, 0] } else { [0, 1] };
            let seed = |at: usize| senet_game::derived_seed(number, at as u64);
            let mut players: Vec<_> = order.iter().map(|&at| specs[at].player(seed(at))).collect();
            let goals = play(rules, &mut players, time)?;
            let own = f64::from(goals[usize::from(is_swapped)]);
            let other = f64::from(goals[usize::from(!is_swapped)]);
            let mut points = points.lock().expect("nobody panics");
            points.push(0.5 + (own - other) / 200.0);
            if points.len() % 10 == 0 {
                eprintln!("{}", summary(&points));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("nobody panics"))
    })?;
    Ok(points.into_inner().expect("nobody panics"))
}

fn play(rules: &Arc<Rules>, players: &mut [Box<dyn Player>], time: Duration) -> Result<Vec<u8>, SearchError> {
    for (role, player) in players.iter_mut().enumerate() {
        let assignment = Assignment { rules: rules.clone(), role: RoleId::new(role) };
        player.start(assignment, &Limit::default())?;
    }
    let mut game = rules.engine().start()?;
    loop {
        let position = game.position();
        if position.terminal {
            return Ok(position.goals.into_iter().map(|goal| goal.unwrap_or(0)).collect());
        }
        let mut joint = Vec::new();
        for (player, legal) in players.iter_mut().zip(&position.legal) {
            // Nobody needs time for a single move.
            let limit = if legal.len() == 1 { Limit::default().with_playouts(1) } else { Limit::after(time) };
            joint.push(player.choose(&limit)?.text);
        }
        let names = rules.role_names().iter().cloned();
        game.play(&names.zip(joint.iter().cloned()).collect())?;
        players.iter_mut().try_for_each(|player| player.observe(&joint))?;
    }
}

/// The mean with the borders of its 95 % interval, by the normal approximation.
fn summary(points: &[f64]) -> String {
    let n = points.len().max(1) as f64;
    let mean = points.iter().sum::<f64>() / n;
    let variance = points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / n;
    let half = 1.96 * (variance / n).sqrt();
    format!("{:.1} % ± {:.1} of {} matches", 100.0 * mean, 100.0 * half, points.len())
}
