//! What can be asked of `senet match`.

use crate::args::{GameArg, read_seconds};
use crate::contestant::Contestant;
use anyhow::{Context, Result};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet match tic-tac-toe --role x=random --role o=legal
  senet match connect-four --role red=human --role yellow=http://localhost:9147 --play-clock 5
  senet match reversi-8x8 --role black=mcts:threads=2 --role white=uct --play-clock 1
  senet match chess --role white=http://a --role black=http://b --scramble --record match.json
Strategies are auto (nested for puzzles, mcts otherwise), mcts, nested, uct, monte-carlo, random, legal \
and fixed; options follow a colon: mcts:threads=2,memory=512. \
A move that is late, illegal or missing is replaced by a random one and marked TO, IL or CE. The role \
`random` is played by the referee. People have all the time they want. \
A player that is busy is waited for, a minute at least. Players of others know whole seconds \
only. `senet replay` checks a record. Exit status: 0 if the match came to its end, 1 if not.")]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    /// Who plays: http://HOST:PORT, a strategy, or `human`
    #[arg(long = "role", value_name = "NAME=SPEC", value_parser = read_role)]
    pub(crate) roles: Vec<(String, Contestant)>,
    /// How many seconds players think before the first move
    #[arg(long, value_name = "S", default_value = "10", value_parser = read_seconds)]
    pub(crate) start_clock: Duration,
    /// How many seconds players think about each move
    #[arg(long, value_name = "S", default_value = "5", value_parser = read_seconds)]
    pub(crate) play_clock: Duration,
    /// How many seconds later an answer may still arrive
    #[arg(long, value_name = "S", default_value = "1", value_parser = read_seconds)]
    pub(crate) grace: Duration,
    /// Tell players other names than those of the rulesheet
    #[arg(long)]
    pub(crate) scramble: bool,
    /// Decides random moves and new names [default: from the clock]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Give up after so many moves
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) most_moves: usize,
    /// Write the record here, during the match as well
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print the record and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

fn read_role(text: &str) -> Result<(String, Contestant)> {
    let (name, spec) = text.split_once('=').context("write NAME=SPEC, as in x=random")?;
    Ok((name.to_owned(), spec.parse::<Contestant>()?))
}
