//! What `senet ground` can be asked.

use crate::args::read_seconds;
use clap::{Args, ValueEnum};
use senet_ground::{Budget, Method, Mode, Options};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  senet ground tic-tac-toe                     the same game without variables
  senet ground chess --stats                   how many rules there are and how long it takes
  senet ground my-game.kif --stats --json      the same for programs, one object
  senet ground *.kif --stats --json            one object a line for each of many games
  senet ground hex-7x7 --format asp -o hex.lp  a logic program for clingo
  senet ground tic-tac-toe --format dot | dot -Tsvg > rules.svg
  senet ground chess --stats --paper --budget-seconds 10 --budget-memory 2G")]
pub(crate) struct GroundArgs {
    /// Files, `-` for standard input, or names of built-in games (see `senet games`); several only with --stats
    #[arg(value_name = "GAME", required = true)]
    pub(crate) games: Vec<String>,
    /// Give all rule instances that dropping negation leaves possible, nothing simplified
    #[arg(long)]
    pub(crate) paper: bool,
    /// How fluents and moves that can occur are found: all at once or round by round
    #[arg(long, value_enum, default_value_t = MethodName::OneStep)]
    pub(crate) method: MethodName,
    /// How the ground rules are written [default: gdl, or none with --stats and no -o]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write the ground rules here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print sizes and times
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print sizes and times as one JSON object
    #[arg(long, requires = "stats")]
    pub(crate) json: bool,
    /// Give up after so many seconds of processor time
    #[arg(long, value_name = "S", value_parser = read_seconds)]
    pub(crate) budget_seconds: Option<Duration>,
    /// Give up when facts and rules take more megabytes than this; or with a unit: 500K, 500M, 2G
    #[arg(long, value_name = "MB", value_parser = read_bytes)]
    pub(crate) budget_memory: Option<usize>,
    /// For measuring: do everything N times from the text in memory, report the fastest time
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum MethodName {
    OneStep,
    Iterative,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Format {
    /// A rulesheet
    Gdl,
    /// Atoms and rules as numbers in one object
    Json,
    /// A logic program for clingo
    Asp,
    /// A graph for GraphViz
    Dot,
    /// Nothing
    None,
}

impl GroundArgs {
    pub(crate) fn options(&self) -> Options {
        Options {
            method: match self.method {
                MethodName::OneStep => Method::OneStep,
                MethodName::Iterative => Method::Iterative,
            },
            mode: if self.paper { Mode::Paper } else { Mode::Full },
            budget: Budget { time: self.budget_seconds, memory: self.budget_memory },
        }
    }

    pub(crate) fn mode_name(&self) -> &'static str {
        if self.paper { "paper" } else { "default" }
    }

    pub(crate) fn method_name(&self) -> &'static str {
        match self.method {
            MethodName::OneStep => "one-step",
            MethodName::Iterative => "iterative",
        }
    }

    /// The file to write; `None` is standard output.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|&path| path != Path::new("-"))
    }

    pub(crate) fn format(&self) -> Format {
        let is_only_measured = self.stats && self.output.is_none();
        self.format.unwrap_or(if is_only_measured { Format::None } else { Format::Gdl })
    }

    /// Whether the ground rules take standard output.
    pub(crate) fn rules_take_stdout(&self) -> bool {
        self.format() != Format::None && self.output().is_none()
    }
}

fn read_bytes(text: &str) -> Result<usize, String> {
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let bytes_a_unit: u32 = match unit.to_ascii_lowercase().as_str() {
        "k" | "kb" => 1 << 10,
        "" | "m" | "mb" => 1 << 20,
        "g" | "gb" => 1 << 30,
        _ => return Err(format!("`{unit}` is not a unit: K, M and G are")),
    };
    let number: f64 = number.trim().parse().map_err(|_| "not a number of megabytes".to_owned())?;
    if number < 0.0 {
        return Err("less than nothing".to_owned());
    }
    Ok((number * f64::from(bytes_a_unit)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_in_megabytes_unless_a_unit_says_otherwise() {
        let cases = [
            ("500", 500 << 20),
            ("500M", 500 << 20),
            ("64k", 64 << 10),
            ("1.5GB", 3 << 29),
            ("2 g", 2 << 30),
        ];
        for (text, bytes) in cases {
            assert_eq!(read_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "-1", "5T", "five"] {
            assert!(read_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seconds_are_not_negative() {
        assert_eq!(read_seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "-1", "inf", "nan", "1s"] {
            assert!(read_seconds(text).is_err(), "{text}");
        }
    }
}
