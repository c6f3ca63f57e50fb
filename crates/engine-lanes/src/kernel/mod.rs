//! The inner loops, for each kind of processor.

// Slots are reached without checks: programs are checked before they run.
#![allow(unsafe_code)]

mod tables;
mod levels;
mod sample;
mod record;
pub use levels::Level;
pub(crate) use levels::{execute, play, record, restart, sample};
pub(crate) use record::Tally;
pub(crate) use sample::{Draw, MOST_BITS as MOST_RANK_BITS};
