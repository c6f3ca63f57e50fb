//! `senet compile`

mod rust;

use crate::args::GameArg;
use crate::load::load;
use crate::run::Answer;
use anyhow::Result;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What a game is compiled to.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum Target {
    /// A stand-alone cargo package that plays the game
    Rust,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet compile tic-tac-toe --target rust -o tic-tac-toe      write a cargo package
  cd tic-tac-toe && cargo run --release -- --seconds 5         play random matches and print statistics
  cargo test                                                   compare with what Senet said about the game")]
pub(crate) struct CompileArgs {
    #[command(flatten)]
    game: GameArg,
    /// What to compile to
    #[arg(long, value_enum)]
    target: Target,
    /// The folder to write
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Write into a folder that is not empty
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &CompileArgs) -> Result<Answer> {
    let Ok(loaded) = load(&args.game.game)? else { return Ok(Answer::No) };
    match args.target {
        Target::Rust => rust::compile(&loaded, &args.output, args.force),
    }
}
