//! Random playouts in place: nothing is allocated, no state is copied.

use crate::evaluator::Evaluator;
use crate::propagation::Propagation;
use crate::select::{count, select};
use senet_game::{MoveGenerator, PlayedOut, PlayoutOptions, PlayoutStatistics};
use std::ops::Range;

/// A role that cannot move; the evaluator is in the state where that is so.
pub(crate) struct NoMove {
    pub(crate) role: usize,
}

/// Calls a function; where the processor counts and finds bits in one instruction, it is compiled for that.
macro_rules! with_bit_instructions {
    ($portable:ident($($name:ident: $type:ty),*) -> $result:ty) => {{
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
            fn with_bit_instructions($($name: $type),*) -> $result {
                $portable($($name),*)
            }
            // SAFETY: the processor has these instructions.
            #[allow(unsafe_code)]
            return unsafe { with_bit_instructions($($name),*) };
        }
        $portable($($name),*)
    }};
}

/// Plays random matches: the same as [`senet_game::playouts`] for the same seed.
pub(crate) fn playouts(
    evaluator: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, NoMove> {
    with_bit_instructions!(all_from_start(
        evaluator: &mut Evaluator<impl Propagation>,
        moves_of: &[Range<usize>],
        options: PlayoutOptions
    ) -> Result<PlayoutStatistics, NoMove>)
}

/// Plays one random match from the state it is in: the same as [`senet_game::playout`] with the same generator.
pub(crate) fn playout(
    evaluator: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
    generator: &mut MoveGenerator,
    may_go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<PlayedOut, NoMove> {
    with_bit_instructions!(from_here(
        evaluator: &mut Evaluator<impl Propagation>,
        moves_of: &[Range<usize>],
        generator: &mut MoveGenerator,
        may_go_on: &mut dyn FnMut(u64) -> bool
    ) -> Result<PlayedOut, NoMove>)
}

#[inline(always)]
fn all_from_start(
    evaluator: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, NoMove> {
    let mut statistics = PlayoutStatistics::new(moves_of.len());
    let mut generator = MoveGenerator::new(options.seed);
    evaluator.forget_ends();
    for _ in 0..options.count {
        evaluator.restart();
        let may_go_on = &mut |length| length < options.max_length;
        let PlayedOut { length, is_over } = from_here(evaluator, moves_of, &mut generator, may_go_on)?;
        if !is_over {
            statistics.add_cut(length);
            continue;
        }
        statistics.add_finished(length);
        evaluator.end(&mut statistics);
    }
    evaluator.count_goals(&mut statistics);
    Ok(statistics)
}

#[inline(always)]
fn from_here(
    evaluator: &mut Evaluator<impl Propagation>,
    moves_of: &[Range<usize>],
    generator: &mut MoveGenerator,
    may_go_on: &mut (impl FnMut(u64) -> bool + ?Sized),
) -> Result<PlayedOut, NoMove> {
    let mut length = 0;
    while !evaluator.is_terminal() && may_go_on(length) {
        step(evaluator, moves_of, generator)?;
        length += 1;
    }
    Ok(PlayedOut { length, is_over: evaluator.is_terminal() })
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
