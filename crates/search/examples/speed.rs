//! How many playouts and leaves `mcts` makes a second: `speed OPTIONS SECONDS GAME…`, options as in `mcts:…` or `-`.

use senet_game::RoleId;
use senet_ids::thread_cpu_time;
use senet_search::mcts::{Mcts, Parameters};
use senet_search::{Assignment, Limit, Player, Rules};
use std::time::Duration;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[allow(clippy::print_stdout)]
fn main() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [options, seconds, games @ ..] = &args[..] else { panic!("speed OPTIONS SECONDS GAME…") };
    let time = Duration::from_secs_f64(seconds.parse().expect("a number"));
    let mut parameters = Parameters::default();
    for option in options.split(',').filter(|option| *option != "-") {
        let (name, value) = option.split_once('=').expect("name=value");
        parameters.set(name, value).expect("an option");
    }
    for game in games {
        let text = match senet_engines::library::find(game) {
            Some(game) => game.text,
            None => std::fs::read_to_string(game).expect("a rulesheet"),
        };
        let rules = Rules::new(senet_gdl::parse(&text)).expect("it plays");
        let (mut playouts, mut leaves, mut searches) = (0, 0, 0);
        let mut spent = Duration::ZERO;
        // A search ends early where the position is proved: then it is made again, with another seed.
        let choice = loop {
            searches += 1;
            let mut player = Mcts::new(parameters.clone(), searches);
            let assignment = Assignment { rules: rules.clone(), role: RoleId::new(0) };
            player.start(assignment, &Limit::default()).expect("it plays");
            let start = thread_cpu_time();
            let choice = player.choose(&Limit::after(time.saturating_sub(spent))).expect("a move");
            spent += thread_cpu_time() - start;
            let counts = player.counts();
            playouts += counts.0;
            leaves += counts.1;
            if spent >= time.mul_f64(0.95) || !choice.report.is_proved {
                break choice;
            }
        };
        let seconds = spent.as_secs_f64();
        println!(
            "{game}: {:.2} M playouts/s, {:.0} k leaves/s, {:.4} s a search of {searches}, {} nodes, depth {}, longest pause {:.2} ms, value {:.1}{}, {} {:?}",
            playouts as f64 / seconds / 1e6,
            leaves as f64 / seconds / 1e3,
            seconds / searches as f64,
            choice.report.nodes,
            choice.report.depth,
            choice.report.longest_pause.unwrap_or_default().as_secs_f64() * 1e3,
            choice.report.value.unwrap_or(f64::NAN),
            if choice.report.is_proved { " proved" } else { "" },
            choice.text,
            choice.report.line.iter().take(4).collect::<Vec<_>>(),
        );
    }
}
