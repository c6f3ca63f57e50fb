//! The `senet` program as a library, so that its parts can be tested and fuzzed.

pub mod engine_pipe;
mod args;
mod game_source;
mod perft;
mod run;

pub use run::run;
