//! Which evaluation is faster: both are tried.

use crate::evaluator::Evaluator;
use crate::playouts::playouts;
use crate::propagation::Propagation;
use senet_game::PlayoutOptions;
use std::ops::Range;
use std::time::{Duration, Instant};

/// With more gates, columns never were faster in any game measured.
pub(crate) const MOST_GATES_OF_COLUMNS: usize = 20_000;

const ROUNDS: u64 = 3;
const TIME_OF_A_ROUND: Duration = Duration::from_micros(500);

/// Whether the second plays more random states in the same time. A game in which a role cannot move tells nothing.
pub(crate) fn is_faster(
    first: &mut Evaluator<impl Propagation>,
    second: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
) -> bool {
    // What else runs on the machine disturbs single rounds: the best counts.
    let (mut best_of_first, mut best_of_second) = (0.0_f64, 0.0_f64);
    for round in 0..ROUNDS {
        best_of_first = best_of_first.max(states_a_second(first, moves_of, round));
        best_of_second = best_of_second.max(states_a_second(second, moves_of, round));
    }
    best_of_second > best_of_first
}

fn states_a_second(
    evaluator: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
    round: u64,
) -> f64 {
    let start = Instant::now();
    let mut states = 0;
    let mut seed = round << 32;
    loop {
        let options = PlayoutOptions { max_length: 100, ..PlayoutOptions::new(1, seed) };
        let Ok(statistics) = playouts(evaluator, moves_of, options) else { return 0.0 };
        states += statistics.states;
        seed += 1;
        let elapsed = start.elapsed();
        if elapsed > TIME_OF_A_ROUND {
            return states as f64 / elapsed.as_secs_f64();
        }
    }
}
