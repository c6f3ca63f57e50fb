//! Every built-in game on every engine. One program, so that each engine is made once.

mod laws;
mod perft;
mod agreement;
mod goal_values;

use libtest_mimic::Arguments;

fn main() {
    let games = senet_conformance::games();
    let all = [laws::trials, perft::trials, agreement::trials, goal_values::trials]
        .into_iter()
        .flat_map(|trials| trials(&games))
        .collect();
    libtest_mimic::run(&Arguments::from_args(), all).exit();
}
