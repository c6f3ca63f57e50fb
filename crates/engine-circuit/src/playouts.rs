//! Random playouts in place: nothing is allocated, no state is copied.

use crate::evaluator::Evaluator;
use crate::propagation::Propagation;
use crate::select::{count, select};
use senet_game::{MoveGenerator, PlayoutOptions, PlayoutStatistics};
use std::ops::Range;

/// A role that cannot move; the evaluator is in the state where that is so.
pub(crate) struct NoMove {
    pub(crate) role: usize,
}

/// Plays random matches: the same as [`senet_game::playouts`] for the same seed.
pub(crate) fn playouts(
    evaluator: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, NoMove> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has these instructions.
        #[allow(unsafe_code)]
        return unsafe { with_bit_instructions(evaluator, moves_of, options) };
    }
    portable(evaluator, moves_of, options)
}

/// The same, compiled for processors that count and find bits in one instruction.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn with_bit_instructions(
    evaluator: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, NoMove> {
    portable(evaluator, moves_of, options)
}

#[inline(always)]
fn portable(
    evaluator: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, NoMove> {
    let mut statistics = PlayoutStatistics::new(moves_of.len());
    let mut generator = MoveGenerator::new(options.seed);
    evaluator.forget_ends();
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
        evaluator.end(&mut statistics);
    }
    evaluator.count_goals(&mut statistics);
    Ok(statistics)
}

/// One random move of each role.
#[inline(always)]
fn step(
    evaluator: &mut Evaluator<impl Propagation>,
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
