//! Players by name: `random`, `mcts:threads=2,playouts=10000`.

use crate::Player;
use crate::mcts::{Mcts, Parameters};
use crate::random::{Taste, Thoughtless};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The names of the strategies.
const NAMES: [&str; 3] = ["random", "legal", "mcts"];

/// A strategy and its options, as people write them.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    name: &'static str,
    /// Of `mcts`.
    mcts: Parameters,
}

/// Why a text names no player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// No such strategy.
    #[error("there is no strategy `{0}`: choose one of {names}", names = NAMES.join(", "))]
    UnknownStrategy(String),
    /// No such option.
    #[error("the strategy `{strategy}` has no option `{option}`")]
    UnknownOption {
        /// The strategy.
        strategy: &'static str,
        /// What was written.
        option: String,
    },
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let known = NAMES.iter().find(|&&known| known == name);
        let name = known.ok_or_else(|| SpecError::UnknownStrategy(name.to_owned()))?;
        let mut spec = Spec { name, mcts: Parameters::default() };
        for option in options.split(',').filter(|option| !option.is_empty()) {
            let unknown = || SpecError::UnknownOption { strategy: name, option: option.to_owned() };
            let (key, value) = option.split_once('=').ok_or_else(unknown)?;
            match spec.name {
                "mcts" => spec.mcts.set(key, value).ok_or_else(unknown)?,
                _ => return Err(unknown()),
            }
        }
        Ok(spec)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        match self.mcts.to_string().as_str() {
            "" => Ok(()),
            options => write!(f, ":{options}"),
        }
    }
}

impl Spec {
    /// The player; what it draws at random is a function of the seed.
    pub fn player(&self, seed: u64) -> Box<dyn Player> {
        match self.name {
            "mcts" => Box::new(Mcts::new(self.mcts.clone(), seed)),
            "legal" => Box::new(Thoughtless::new(Taste::First, seed)),
            _ => Box::new(Thoughtless::new(Taste::Random, seed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in NAMES {
            assert_eq!(name.parse::<Spec>().expect("a strategy").to_string(), name);
        }
        let error = "perfect".parse::<Spec>().expect_err("no such strategy").to_string();
        assert_eq!(error, "there is no strategy `perfect`: choose one of random, legal, mcts");
        let error = "legal:fast=1".parse::<Spec>().expect_err("no such option").to_string();
        assert_eq!(error, "the strategy `legal` has no option `fast=1`");
    }
}
