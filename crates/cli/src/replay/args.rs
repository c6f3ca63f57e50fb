//! What can be asked of `senet replay`.

use crate::args::read_seconds;
use clap::Args;
use senet_search::Spec;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet replay match.json                      each move, state and score held against the rules
  senet replay match.json --game tic-tac-toe   a record of another referee, without rules in it
  senet replay match.json --ask legal          what another player would have done
  senet replay match.json --svg end.svg        the last position as a picture
Exit status: 0 if the record is true, 1 if not.")]
pub(crate) struct ReplayArgs {
    /// A record of `senet match`, or a match.json of another referee
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The rules, where the record has none: a file or the name of a built-in game
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,
    /// Ask this player for a move in every position where a role had a choice
    #[arg(long, value_name = "SPEC")]
    pub(crate) ask: Option<Spec>,
    /// How many seconds it may think
    #[arg(long, value_name = "S", default_value = "1", requires = "ask", value_parser = read_seconds)]
    pub(crate) seconds: Duration,
    /// Ask for this role only
    #[arg(long, value_name = "NAME", requires = "ask")]
    pub(crate) role: Option<String>,
    /// Decides what it draws at random [default: the seed of the match, with which its players drew]
    #[arg(long, value_name = "N", requires = "ask")]
    pub(crate) seed: Option<u64>,
    /// Draw the last position into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print one JSON object a move, and one with the verdict
    #[arg(long)]
    pub(crate) json: bool,
}
