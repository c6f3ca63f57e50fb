//! What can be asked of `senet player`.

use crate::contestant::USUAL_PORT;
use clap::Args;
use senet_search::Spec;
use std::net::IpAddr;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet player                                a player at http://localhost:9147
  senet player --strategy uct --port 9148     another one beside it, which plays as Ary did
  senet player --listen 0.0.0.0               for referees of other machines, too
  senet player --log matches                  writes a log of each match
Strategies are auto (nested for puzzles, mcts otherwise), mcts, nested, uct, monte-carlo, random, legal and \
fixed; options follow a colon: mcts:threads=2,memory=512. \
It plays one match after the other, for any referee, until it is ended, and says in a line when each \
begins and ends. Clauses with errors are left out of the rules; standard error and the log name each error and \
warning with its line and column. Only this machine can call it \
unless `--listen` says otherwise.")]
pub(crate) struct PlayerArgs {
    /// Where to listen; 0 takes a port that is free
    #[arg(long, value_name = "N", default_value_t = USUAL_PORT)]
    pub(crate) port: u16,
    /// The address to listen at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,
    /// How it plays
    #[arg(long, value_name = "SPEC", default_value = "auto")]
    pub(crate) strategy: Spec,
    /// How many threads it thinks with, if the strategy can: short for the option `threads`
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<u32>,
    /// How many megabytes its tree may take, if the strategy has one: short for the option `memory`
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
    /// Decides what it draws at random [default: from the clock]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// What it calls itself
    #[arg(long, default_value = "Senet")]
    pub(crate) name: String,
    /// Write a log of each match into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) log: Option<PathBuf>,
    /// How many milliseconds before the end of a clock it answers [default: 50 to 200, as measured; more for a referee that is always slow]
    #[arg(long, value_name = "MS")]
    pub(crate) margin: Option<u64>,
    /// Do not think in the time of the others
    #[arg(long)]
    pub(crate) no_ponder: bool,
}
