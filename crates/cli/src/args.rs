//! What can be asked on the command line.

use clap::{Args, Parser, Subcommand};

/// General game playing: reads the rules of any game in GDL, checks them and plays.
#[derive(Parser, Debug)]
#[command(name = "senet", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// Drive a game over a pipe, one JSON object a line
    Engine(EngineArgs),
    /// Count the joint-move sequences of each length
    Perft(PerftArgs),
}

#[derive(Args, Debug)]
pub(crate) struct GameArg {
    /// A file, `-` for standard input, or the name of a built-in game (see `senet games`)
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
}

#[derive(Args, Debug)]
pub(crate) struct EngineArg {
    /// The engine to use: `auto` chooses
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub(crate) engine: String,
}

#[derive(Args, Debug)]
pub(crate) struct EngineArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    #[command(flatten)]
    pub(crate) engine: EngineArg,
}

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    #[command(flatten)]
    pub(crate) engine: EngineArg,
    /// The longest sequences to count
    #[arg(long, default_value_t = 4)]
    pub(crate) depth: u32,
    /// Stop before a depth with more nodes than this
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    pub(crate) nodes: u64,
    /// Print one JSON object a depth
    #[arg(long)]
    pub(crate) json: bool,
}
