//! The same loops compiled for different processors, and the choice between them.

use super::record::{Tally, begin_again, count_goals};
use super::sample::{Draw, by_bits, sample_bits};
use super::tables::{by_any_table, portable};
use crate::playouts::{Order, Outcome, Unit, play_on};
use crate::program::{Operation, Run};

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
    ($level:ident, $($feature:literal)?, |$table:ident, $some:ident, $memory:ident| $compute:expr) => {
        mod $level {
            use super::*;

            /// # Safety
            /// See [`super::execute`]; the processor has what this is compiled for.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn execute<const W: usize>($memory: *mut u8, runs: &[Run], operations: &[Operation]) {
                // SAFETY: as promised.
                by_any_table!(runs, operations, |$table, $some| unsafe { $compute });
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
            pub(super) unsafe fn restart<const W: usize>(memory: *mut u8, start: &[u64], n_fluents: usize, lanes: &[u64; W]) {
                // SAFETY: as promised.
                unsafe { begin_again(memory, start, n_fluents, lanes) };
            }
        }
    };
}

compile_for!(baseline, , |TABLE, some, memory| portable::<TABLE, W>(memory, some));
#[cfg(target_arch = "x86_64")]
compile_for!(avx2, "avx2,popcnt,bmi1,bmi2", |TABLE, some, memory| portable::<TABLE, W>(memory, some));
#[cfg(target_arch = "x86_64")]
compile_for!(
    avx512,
    "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2",
    |TABLE, some, memory| {
        if W < 8 {
            portable::<TABLE, W>(memory, some);
        } else {
            crate::kernel::tables::wide::<TABLE, { TABLE as i32 }, W>(memory, some);
        }
    }
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
/// The level is there; every offset of the operations is that of a slot of `W` words in memory.
pub(crate) unsafe fn execute<const W: usize>(
    level: Level,
    memory: *mut u8,
    runs: &[Run],
    operations: &[Operation],
) {
    at_level!(level, execute(memory, runs, operations));
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
/// The level is there; memory begins with a slot of `W` words for each fluent.
pub(crate) unsafe fn restart<const W: usize>(
    level: Level,
    memory: *mut u8,
    start: &[u64],
    n_fluents: usize,
    lanes: &[u64; W],
) {
    at_level!(level, restart(memory, start, n_fluents, lanes));
}
