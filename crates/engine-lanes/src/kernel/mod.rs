//! The inner loops, for each kind of processor. The only place where memory is reached without checks.

mod tables;
pub(crate) mod levels;
mod sample;
mod record;
pub use levels::Level;
pub(crate) use levels::{execute, play, record, restart, sample};
pub(crate) use record::Tally;
pub(crate) use sample::Draw;
