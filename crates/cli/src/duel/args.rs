//! What can be asked of `senet duel`.

use crate::args::read_seconds;
use crate::contestant::Contestant;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet duel random legal --game tic-tac-toe --game connect-four --matches 200
  senet duel mcts uct --game hex-7x7 --seconds 0.2 --jobs 2 --record duel.jsonl
  senet duel http://localhost:9147 random --game reversi-8x8 --seconds 1 --matches 20 --json
Strategies are auto (nested for puzzles, mcts otherwise), mcts, nested, uct, monte-carlo, random, legal \
and fixed; options follow a colon: mcts:threads=2,memory=512. \
Every other match has the roles swapped, with the same draws of the referee. A match is won by the higher \
goal. A record file has a line a match: the same command with it goes on where it was ended, and plays what \
is missing only. A player that is busy is waited for, a minute at least. Players of others know whole seconds only. \
Nobody thinks in the time of the others: strategies with one legal move answer at once; over HTTP, \
`senet player --no-ponder` does the same. Scores are those of the first player, with intervals of 95 % \
after Wilson. Exit status: 0 if matches of each game were counted, 1 if not.")]
pub(crate) struct DuelArgs {
    /// A player: http://HOST:PORT or a strategy
    #[arg(value_name = "SPEC")]
    pub(crate) first: Contestant,
    /// The player it is compared with
    #[arg(value_name = "SPEC")]
    pub(crate) second: Contestant,
    /// A file or the name of a built-in game; may be given several times
    #[arg(long = "game", value_name = "GAME", required = true)]
    pub(crate) games: Vec<String>,
    /// How many matches of each game
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) matches: u64,
    /// How many seconds players think about each move
    #[arg(long, value_name = "S", default_value = "0.2", value_parser = read_seconds)]
    pub(crate) seconds: Duration,
    /// How many seconds players think before the first move
    #[arg(long, value_name = "S", default_value = "1", value_parser = read_seconds)]
    pub(crate) start_clock: Duration,
    /// How many seconds later an answer may still arrive
    #[arg(long, value_name = "S", default_value = "1", value_parser = read_seconds)]
    pub(crate) grace: Duration,
    /// Decides all draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Give up a match after so many moves
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) most_moves: usize,
    /// How many matches are played at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: u16,
    /// Add a line for each match to this file, and go on where it ends
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print one JSON object a game, and one for all
    #[arg(long)]
    pub(crate) json: bool,
}
