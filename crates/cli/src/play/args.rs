//! What `senet play` can be asked.

use crate::args::{EngineArg, GameArg, read_seconds};
use crate::contestant::read_strategy;
use clap::Args;
use senet_search::Spec;
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` says last: how to begin, and how to read the pictures.
const MORE: &str = "\
Examples:
  senet play tic-tac-toe                            against random moves
  senet play connect-four --against mcts --seconds 2
  senet play reversi-8x8 --role white --against uct:c=40
  senet play breakthrough-6x6 --auto --delay 1000   a match to watch
  senet play chess --svg board.svg                  the same board in a browser: reload the file

Boards: a relation whose facts name a column and a row, as in (cell 1 3 x), is drawn as a grid, and
everything else is listed below it. The first of the two is the column, counted from the left, the
second the row; but names are columns beside numbers. Row 1 is at the bottom, as on a chessboard: type
`flip` to turn the picture upside down. `senet info` tells what is drawn.

At the prompt, choose a move by its number, its text in any spacing, or any part of it that no other
move has; a part that several moves have lists these. `help` tells the rest.";

#[derive(Args, Debug)]
#[command(after_long_help = MORE)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    /// The role you play [default: the first that is not `random`]
    #[arg(long, value_name = "NAME", conflicts_with = "auto")]
    pub(crate) role: Option<String>,
    /// Who plays the other roles: a strategy as in `senet match`, such as `mcts` or `uct:c=40` [default: random]
    #[arg(long, value_name = "SPEC", value_parser = read_strategy)]
    pub(crate) against: Option<Spec>,
    /// How long an opponent thinks about a move
    #[arg(long, value_name = "S", default_value = "2", requires = "against", value_parser = read_seconds)]
    pub(crate) seconds: Duration,
    /// Repeat the random moves of an earlier match [default: from the clock]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) engine: EngineArg,
    /// Also draw each position shown into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Watch a match without a person in it
    #[arg(long)]
    pub(crate) auto: bool,
    /// How long each position of `--auto` stays on a terminal, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300, requires = "auto")]
    pub(crate) delay: u64,
}
