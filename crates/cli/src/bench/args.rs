//! What can be asked of `senet bench`.

use crate::args::read_seconds;
use clap::{Args, ValueEnum};
use senet_engines::{Level, Order};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet bench tic-tac-toe                          the engine that `auto` chooses
  senet bench chess reversi-8x8 --engine all       every engine, one row each
  senet bench hex-7x7 --seconds 5 --repeat 5       the best of five runs of five seconds
  senet bench chess --engine lanes --level avx2    without the AVX-512 of this processor
  senet bench my-game.kif --threads 2 --json       for programs: one object a game and engine

Rates are per second of processor time of the playing thread, with several threads per second of the \
clock. The check plays a judge's playouts with other draws: mean length and mean goals have to lie within \
four standard errors of each other, else the row reads FAIL; under 300 playouts of the judge it reads \
UNCHECKED. Both give exit status 1, because the speed of a wrong engine is worth nothing. The level \
`baseline` is what every processor of this kind has; a level changes the speed and nothing else.")]
pub(crate) struct BenchArgs {
    /// Files, `-` for standard input, or names of built-in games (see `senet games`)
    #[arg(value_name = "GAME", required = true)]
    pub(crate) games: Vec<String>,
    /// The engines to measure, separated by commas: `auto` chooses, `all` is every one
    #[arg(long, value_name = "NAME", default_value = "auto", value_delimiter = ',')]
    pub(crate) engine: Vec<String>,
    /// The instruction set that the engine `lanes` plays with [default: the best this processor has]
    #[arg(long, value_enum)]
    pub(crate) level: Option<LevelName>,
    /// The engine `forward` derives everything anew in each position, to see what temporization gains
    #[arg(long)]
    pub(crate) no_temporization: bool,
    /// The order in which the engine `tables` meets the hypotheses of rules [default: best]
    #[arg(long, value_enum)]
    pub(crate) order: Option<OrderName>,
    /// About how long each engine plays
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = read_some_seconds)]
    pub(crate) seconds: f64,
    /// How often it plays so long; the best run counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// How many threads play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: u16,
    /// The seed of the random play
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// The engine that outcomes are compared with; `none` leaves every row unchecked
    #[arg(long, value_name = "NAME", default_value = "reference")]
    pub(crate) judge: String,
    /// How long the judge may play
    #[arg(long, alias = "check-seconds", value_name = "S", default_value_t = 20.0, value_parser = read_some_seconds)]
    pub(crate) judge_seconds: f64,
    /// Print one JSON object a game and engine
    #[arg(long)]
    pub(crate) json: bool,
}

/// Without words of their own: those would spread the whole `--help` over twice the lines.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum LevelName {
    Avx512,
    Avx2,
    Baseline,
}

impl From<LevelName> for Level {
    fn from(name: LevelName) -> Level {
        match name {
            LevelName::Avx512 => Level::Avx512,
            LevelName::Avx2 => Level::Avx2,
            LevelName::Baseline => Level::Baseline,
        }
    }
}

/// The orders of the paper's second table.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum OrderName {
    Best,
    Original,
    Worst,
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Order {
        match name {
            OrderName::Best => Order::Best,
            OrderName::Original => Order::Original,
            OrderName::Worst => Order::Worst,
        }
    }
}

fn read_some_seconds(text: &str) -> Result<f64, String> {
    let seconds = read_seconds(text)?.as_secs_f64();
    (seconds > 0.0).then_some(seconds).ok_or_else(|| "a time has to be longer than nothing".to_owned())
}
