//! The `senet` program as a library, so that its parts can be tested and fuzzed.

mod args;
mod run;
mod game_source;
mod engine_names;
mod load;
mod excerpt;
mod report;
mod progress;
mod output_file;
mod check;
mod fmt;
mod ground_summary;
mod circuit_summary;
mod drawing_summary;
mod info;
mod games;
mod scramble;
mod perft;
mod ground;
mod compile;
mod bench;
mod verify;
mod play;
mod contestant;
mod player;
mod matches;
mod replay;
mod duel;
pub mod engine_pipe;

pub use run::run;
