//! How many playouts and leaves `mcts` makes a second: `speed OPTIONS SECONDS GAME…`, options as in `mcts:…` or `-`.

use senet_game::RoleId;
use senet_ground::thread_cpu_time;
use senet_search::mcts::{Mcts, Parameters};
use senet_search::{Assignment, Limit, Player, Rules};
use std::time::Duration;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[allow(clippy::print_stdout)]
fn main() {
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
        let rules = Rules::new(senet_gdl::parse(&text).0).expect("it plays");
        let mut player = Mcts::new(parameters.clone(), 1);
        player.start(Assignment { rules, role: RoleId::new(0) }, &Limit::default()).expect("it plays");
        let start = thread_cpu_time();
        let choice = player.choose(&Limit::after(time)).expect("a move");
        let seconds = (thread_cpu_time() - start).as_secs_f64();
        let (playouts, leaves) = player.counts();
        println!(
            "{game}: {:.2} M playouts/s, {:.0} k leaves/s, {:.4} s, {} nodes, depth {}, value {:.1}{}, {} {:?}",
            playouts as f64 / seconds / 1e6,
            leaves as f64 / seconds / 1e3,
            seconds,
            choice.report.nodes,
            choice.report.depth,
            choice.report.value.unwrap_or(f64::NAN),
            if choice.report.is_proved { " proved" } else { "" },
            choice.text,
            choice.report.line.iter().take(4).collect::<Vec<_>>(),
        );
    }
}
