//! The inner loops, for each kind of processor.

// Slots are reached without checks: programs are checked before they run.
#![allow(unsafe_code)]

mod vector;
mod shapes;
mod levels;
mod sample;
mod record;
mod ages;
pub(crate) use ages::Ages;
pub use levels::Level;
pub(crate) use levels::{begin, execute, grow, note, play, record, restart, sample};
pub(crate) use record::Tally;
pub(crate) use sample::{Draw, MOST_BITS as MOST_RANK_BITS};
