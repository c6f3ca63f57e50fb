//! What can be asked of `senet verify`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet verify my-game.kif                     every engine against the reference engine
  senet verify --all                           on every built-in game
  senet verify chess --engine circuit --matches 100
  senet verify hex-7x7 --depth 3 --json        for programs: one object a game and engine

Joint-move sequences are counted by depth, and random matches are played position by position: facts, end, \
goals and legal moves have to be the same. The first difference is shown as the shortest match that was \
found to lead to it. Exit status: 0 if all agree, 1 if not; an engine that does not take a game, because \
it is too large for instance, is told of and counts as neither.")]
pub(crate) struct VerifyArgs {
    /// Files, `-` for standard input, or names of built-in games (see `senet games`)
    #[arg(value_name = "GAME", required_unless_present = "all")]
    pub(crate) games: Vec<String>,
    /// Verify every built-in game
    #[arg(long, conflicts_with = "games")]
    pub(crate) all: bool,
    /// The engines to verify, separated by commas [default: all but the reference]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) engine: Vec<String>,
    /// How many random matches to play
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) matches: u32,
    /// The longest sequences to count
    #[arg(long, value_name = "D", default_value_t = 5)]
    pub(crate) depth: u32,
    /// Stop before a depth with more sequences than this
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub(crate) nodes: u64,
    /// Begin no more matches of a game after so many seconds
    #[arg(long, value_name = "S", default_value_t = 20.0)]
    pub(crate) seconds: f64,
    /// The seed of the random matches
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print one JSON object a game and engine
    #[arg(long)]
    pub(crate) json: bool,
}
