//! The same loops compiled for different processors, and the choice between them.

use super::ages::Ages;
use super::record::{Tally, begin_again, count_goals};
use super::sample::{Draw, by_bits, sample_bits};
use super::shapes::{compute, count7, fold, pick3, pick7, sum, table};
use super::vector::Vector;
use crate::playouts::{Order, Outcome, Unit, play_on};
use crate::program::Run;
use crate::shape::{Shape, with_tables};

/// What a processor can do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// What every processor of this kind can do: on ARM with NEON.
    Baseline,
    /// x86-64 with registers of 256 bits.
    Avx2,
    /// x86-64 with registers of 512 bits and operations of three operands.
    Avx512,
}

impl Level {
    /// The best of this processor.
    pub fn best() -> Level {
        [Level::Avx512, Level::Avx2].into_iter().find(|level| level.is_there()).unwrap_or(Level::Baseline)
    }

    /// Whether this processor has it.
    pub fn is_there(self) -> bool {
        match self {
            Level::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                Level::Avx2.is_there()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Level::Baseline => "baseline",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }
}

/// Compiles the loops for a kind of processor.
macro_rules! compile_for {
    ($level:ident, $($feature:literal)?, $wide:ty) => {
        mod $level {
            use super::*;

            /// # Safety
            /// See [`super::execute`]; the processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn execute<const W: usize>(memory: *mut u8, runs: &[Run], slots: &[u32]) {
                // SAFETY: as promised.
                unsafe {
                    if W < <$wide>::WORDS {
                        with_tables!(compute(runs, slots, memory, [u64; 4]));
                    } else {
                        with_tables!(compute(runs, slots, memory, $wide));
                    }
                }
            }

            /// # Safety
            /// The processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn play<const W: usize>(order: &Order<'_>, unit: &Unit) -> Outcome {
                play_on::<W>(order, unit)
            }

            /// # Safety
            /// See [`super::sample`]; the processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn sample<const W: usize>(memory: *mut u8, last: &[u32], rank: &[u32], keys: &[u64], draw: Draw) {
                // SAFETY: as promised.
                by_bits!(last.len(), |BITS| unsafe { sample_bits::<BITS, W>(memory, last, rank, keys, draw) };
                    1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20);
            }

            /// # Safety
            /// See [`super::record`]; the processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn record<const W: usize>(memory: *const u8, goals: &[Vec<u32>], over: &[u64; W], tally: &mut Tally) {
                // SAFETY: as promised.
                unsafe { count_goals(memory, goals, over, tally) };
            }

            /// # Safety
            /// See [`super::restart`]; the processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn restart<const W: usize>(memory: *mut u8, fluents: &[u32], start: &[u64], lanes: &[u64; W]) {
                // SAFETY: as promised.
                unsafe { begin_again(memory, fluents, start, lanes) };
            }

            /// # Safety
            /// The processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn grow<const W: usize>(ages: &mut Ages<W>) {
                ages.grow();
            }

            /// # Safety
            /// The processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn begin<const W: usize>(ages: &mut Ages<W>, lanes: &[u64; W]) {
                ages.begin(lanes);
            }

            /// # Safety
            /// The processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn note<const W: usize>(ages: &mut Ages<W>, lanes: &[u64; W]) {
                ages.note(lanes);
            }
        }
    };
}

compile_for!(baseline, , [u64; 4]);
#[cfg(target_arch = "x86_64")]
compile_for!(avx2, "avx2,popcnt,bmi1,bmi2", [u64; 4]);
#[cfg(target_arch = "x86_64")]
compile_for!(
    avx512,
    "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2",
    std::arch::x86_64::__m512i
);

/// Calls the version for a level.
macro_rules! at_level {
    ($level:expr, $function:ident($($argument:expr),*)) => {
        match $level {
            // SAFETY: as promised.
            Level::Baseline => unsafe { baseline::$function::<W>($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as promised; machines are made only for levels that are there.
            Level::Avx2 => unsafe { avx2::$function::<W>($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as promised; machines are made only for levels that are there.
            Level::Avx512 => unsafe { avx512::$function::<W>($($argument),*) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("machines are made only for levels that are there"),
        }
    };
}

/// Plays a unit of playouts.
pub(crate) fn play<const W: usize>(order: &Order<'_>, unit: &Unit) -> Outcome {
    assert!(order.level.is_there());
    at_level!(order.level, play(order, unit))
}

/// Computes operations in order.
///
/// # Safety
/// The level is there; the runs are those of the slots, which are offsets of slots of `W` words in memory.
pub(crate) unsafe fn execute<const W: usize>(level: Level, memory: *mut u8, runs: &[Run], slots: &[u32]) {
    at_level!(level, execute(memory, runs, slots));
}

/// Draws a rank for each lane: uniformly from 0 to the last.
///
/// # Safety
/// The level is there; `last` and `rank` are offsets of slots of `W` words in memory, as many of the one as of the
/// other.
pub(crate) unsafe fn sample<const W: usize>(
    level: Level,
    memory: *mut u8,
    last: &[u32],
    rank: &[u32],
    keys: &[u64],
    draw: Draw,
) {
    at_level!(level, sample(memory, last, rank, keys, draw));
}

/// Counts the goals of lanes.
///
/// # Safety
/// The level is there; the goals are offsets of slots of `W` words in memory.
pub(crate) unsafe fn record<const W: usize>(
    level: Level,
    memory: *const u8,
    goals: &[Vec<u32>],
    over: &[u64; W],
    tally: &mut Tally,
) {
    at_level!(level, record(memory, goals, over, tally));
}

/// Puts lanes back to the start.
///
/// # Safety
/// The level is there; the fluents are offsets of slots of `W` words in memory.
pub(crate) unsafe fn restart<const W: usize>(
    level: Level,
    memory: *mut u8,
    fluents: &[u32],
    start: &[u64],
    lanes: &[u64; W],
) {
    at_level!(level, restart(memory, fluents, start, lanes));
}

/// Lets a step pass.
///
/// # Safety
/// The level is there.
pub(crate) unsafe fn grow<const W: usize>(level: Level, ages: &mut Ages<W>) {
    at_level!(level, grow(ages));
}

/// Lets playouts begin in some lanes.
///
/// # Safety
/// The level is there.
pub(crate) unsafe fn begin<const W: usize>(level: Level, ages: &mut Ages<W>, lanes: &[u64; W]) {
    at_level!(level, begin(ages, lanes));
}

/// Counts the lengths of playouts that are over.
///
/// # Safety
/// The level is there.
pub(crate) unsafe fn note<const W: usize>(level: Level, ages: &mut Ages<W>, lanes: &[u64; W]) {
    at_level!(level, note(ages, lanes));
}
