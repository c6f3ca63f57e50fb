//! Random playouts in place: nothing is allocated, no state is copied.

use crate::evaluator::Evaluator;
use crate::select::{count, select};
use senet_game::{MoveGenerator, PlayoutOptions, PlayoutStatistics};
use std::ops::Range;

/// A role that cannot move; the evaluator is in the state where that is so.
pub(crate) struct NoMove {
    pub(crate) role: usize,
}

/// Plays random matches: the same as [`senet_game::playouts`] for the same seed.
pub(crate) fn playouts(
    evaluator: &mut impl Evaluator,
    moves_of: &[Range<usize>],
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, NoMove> {
    let n_roles = moves_of.len();
    let mut statistics = PlayoutStatistics::new(n_roles);
    let mut generator = MoveGenerator::new(options.seed);
    for _ in 0..options.count {
        evaluator.restart();
        let mut length = 0;
        while !evaluator.is_terminal() && length < options.max_length {
            step(evaluator, moves_of, &mut generator)?;
            length += 1;
        }
        if !evaluator.is_terminal() {
            statistics.add_cut(length);
            continue;
        }
        statistics.add_finished(length);
        for role in 0..n_roles {
            if let Some(goal) = evaluator.goal(role) {
                statistics.add_goal(role, goal);
            }
        }
    }
    Ok(statistics)
}

/// One random move of each role.
#[inline]
fn step(
    evaluator: &mut impl Evaluator,
    moves_of: &[Range<usize>],
    generator: &mut MoveGenerator,
) -> Result<(), NoMove> {
    for (role, moves) in moves_of.iter().enumerate() {
        let legal = evaluator.legal(role);
        let n_legal = count(legal);
        if n_legal == 0 {
            return Err(NoMove { role });
        }
        let choice = select(legal, generator.below(n_legal));
        evaluator.play(role, moves.start + choice);
    }
    evaluator.compute_next();
    evaluator.advance();
    Ok(())
}
