//! What can be asked on the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// General game playing: reads the rules of any game in GDL, checks them and plays
#[derive(Parser, Debug)]
#[command(
    name = "senet",
    version,
    max_term_width = 100,
    after_help = "Start with `senet play tic-tac-toe`. `senet games` lists the built-in games.
Exit status: 0 yes, 1 the answer is no (errors found, a failed check), 2 wrong use or unreadable file."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// Play a game in the terminal, against random players or strong ones
    Play(crate::play::PlayArgs),
    /// Be a player that referees call over HTTP
    Player(crate::player::PlayerArgs),
    /// Play a match between players of any kind, as a referee does
    Match(crate::matches::MatchArgs),
    /// Hold the record of a match against the rules
    Replay(crate::replay::ReplayArgs),
    /// Play many matches between two players
    Duel(crate::duel::DuelArgs),
    /// Look for mistakes in rulesheets
    Check(CheckArgs),
    /// Lay out a rulesheet
    Fmt(FmtArgs),
    /// Roles, sizes, relations, kind and circuit of a game
    Info(InfoArgs),
    /// List the built-in games, or print one
    Games(GamesArgs),
    /// Rename everything in a rulesheet, as referees do
    Scramble(ScrambleArgs),
    /// Count the joint-move sequences of each length
    Perft(PerftArgs),
    /// Replace the variables of the rules by everything they can stand for
    Ground(crate::ground::GroundArgs),
    /// Translate the rules as GaDeLaC does: into its languages, or into a program of its own
    Compile(CompileArgs),
    /// Measure how fast engines play, and check that they play right
    Bench(crate::bench::BenchArgs),
    /// Compare engines with the reference engine, position by position
    Verify(crate::verify::VerifyArgs),
    /// Drive a game over a pipe, one JSON object a line
    Engine(EngineArgs),
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
#[command(after_help = "Examples:
  senet check my-game.kif              all mistakes, with the lines they are on
  senet check --strict games/*.kif     refuse what the GDL specification refuses
  senet check --json my-game.kif       the same for programs, one object a file
  senet check --explain G201           what a code means and what to do")]
pub(crate) struct CheckArgs {
    /// Files, `-` for standard input, or names of built-in games
    #[arg(value_name = "GAME", required_unless_present = "explain")]
    pub(crate) games: Vec<String>,
    /// Count departures from the GDL specification as errors
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print one JSON object a file
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what a code such as G201 means; `all` lists every code
    #[arg(long, value_name = "CODE", conflicts_with = "games")]
    pub(crate) explain: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet fmt my-game.kif                print the rulesheet laid out
  senet fmt --write my-game.kif        change the file
  senet fmt --check my-game.kif        exit with 1 if the layout would change")]
pub(crate) struct FmtArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    /// Change the file instead of printing
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,
    /// Only say whether the layout would change
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet info chess
  senet info --json my-game.kif
  senet info --dot tic-tac-toe | dot -Tsvg > circuit.svg")]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    #[command(flatten)]
    pub(crate) engine: EngineArg,
    /// How many positions of random play to look at
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) positions: u64,
    /// The seed of the random play
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the circuit as a graph for GraphViz and nothing else; small games only
    #[arg(long, conflicts_with = "json")]
    pub(crate) dot: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet games
  senet games --show tic-tac-toe > my-game.kif")]
pub(crate) struct GamesArgs {
    /// Print the rulesheet of a game
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
    /// Print one JSON array
    #[arg(long, conflicts_with = "show")]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet scramble tic-tac-toe
  senet scramble tic-tac-toe --seed 7 --map names.json > scrambled.kif")]
pub(crate) struct ScrambleArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    /// Decides the new names
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Write the way back here: a JSON object from new to original names
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet perft reversi-8x8 --depth 5
  senet perft my-game.kif --depth 10 --nodes 100000 --json")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    #[command(flatten)]
    pub(crate) engine: EngineArg,
    /// The longest sequences to count
    #[arg(long, default_value_t = 4)]
    pub(crate) depth: u32,
    /// Stop before a depth with more nodes than this
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub(crate) nodes: u64,
    /// Print one JSON object a depth
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet compile tic-tac-toe --emit mini                        rules without `or` and equality
  senet compile tic-tac-toe --emit normal                      at most two literals in a body
  senet compile chess --emit normal --order sizes -o chess.kif joins ordered by measured sizes
  senet compile tic-tac-toe --emit inverted                    what each fact triggers
  senet compile tic-tac-toe --target rust -o tic-tac-toe       a cargo package, `cargo run --release` in it plays
MINI-GDL and NORMAL-GDL are rulesheets of the same game, which every verb reads.")]
pub(crate) struct CompileArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    /// The language to write
    #[arg(
        long,
        value_enum,
        value_name = "LANGUAGE",
        required_unless_present = "target",
        conflicts_with = "target"
    )]
    pub(crate) emit: Option<Language>,
    /// The programming language to write a package in
    #[arg(long, value_enum, requires = "output", conflicts_with = "order")]
    pub(crate) target: Option<Target>,
    /// The order in which the literals of a body are joined [default: source]
    #[arg(long, value_enum)]
    pub(crate) order: Option<LiteralOrder>,
    /// Write here instead of standard output; a package becomes a folder
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Write a package into a folder that is not empty
    #[arg(long, requires = "target")]
    pub(crate) force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Target {
    /// A stand-alone cargo package that plays the game and tests itself
    Rust,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Language {
    /// MINI-GDL: no `or`, no equality, a relation for each context it is derived in
    Mini,
    /// NORMAL-GDL: at most two literals in a body, by stratum
    Normal,
    /// INVERTED-GDL: for each relation the rules that its facts trigger
    Inverted,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum LiteralOrder {
    /// As written; only negations and `distinct` are put off until their variables are bound
    Source,
    /// By the sizes that relations have in the first positions of random matches
    Sizes,
}

#[derive(Args, Debug)]
#[command(after_help = "Example:
  echo '{\"op\":\"new\"}' | senet engine tic-tac-toe
The requests and answers are described in docs/engine-pipe.md.")]
pub(crate) struct EngineArgs {
    /// A file or the name of a built-in game (see `senet games`)
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) engine: EngineArg,
}

/// A number of seconds.
pub(crate) fn read_seconds(text: &str) -> Result<Duration, String> {
    let refused = || format!("`{text}` is no number of seconds");
    let seconds: f64 = text.parse().map_err(|_| refused())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| refused())
}
