//! Players by name: `random`, `uct:c=50,playouts=10000`.

use crate::Player;
use crate::auto::Auto;
use crate::fixed::Fixed;
use crate::mcts::{Mcts, Parameters};
use crate::monte_carlo::MonteCarlo;
use crate::nested::Nested;
use crate::random::{Taste, Thoughtless};
use crate::thinker::Thinker;
use crate::uct::Uct;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A strategy that people can name.
struct Known {
    name: &'static str,
    options: &'static [(&'static str, Form)],
    make: fn(&Spec, u64) -> Box<dyn Player>,
}

/// What an option looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// A whole number from 1.
    Count,
    /// A number from 0.
    Number,
    /// A number from 0 for a move: `(mark 1 1)=0.5`.
    Weight,
    /// One of [`Parameters`].
    Parameter,
}

/// The name of options that have none of their own.
const ANY: &str = "";

/// The most playouts for a move.
const PLAYOUTS: (&str, Form) = ("playouts", Form::Count);
/// The megabytes that a tree may take.
const MEMORY: (&str, Form) = ("memory", Form::Count);

/// The memory of a tree, unless the option says otherwise.
const MEGABYTES: u64 = 1024;
/// Ary's constant.
const C: f64 = 50.0;

/// Every strategy, one entry each.
const STRATEGIES: [Known; 8] = [
    Known { name: "random", options: &[], make: |_, seed| Box::new(Thoughtless::new(Taste::Random, seed)) },
    Known { name: "legal", options: &[], make: |_, seed| Box::new(Thoughtless::new(Taste::First, seed)) },
    Known {
        name: "fixed",
        options: &[(ANY, Form::Weight)],
        make: |spec, seed| Box::new(Fixed::new(spec.weights(), seed)),
    },
    Known {
        name: "monte-carlo",
        options: &[PLAYOUTS],
        make: |spec, seed| Box::new(Thinker::new(MonteCarlo { playouts: spec.count(PLAYOUTS), seed })),
    },
    Known {
        name: "uct",
        options: &[("c", Form::Number), PLAYOUTS, MEMORY],
        make: |spec, seed| Box::new(Thinker::new(spec.uct(seed))),
    },
    Known {
        name: "mcts",
        options: &[(ANY, Form::Parameter)],
        make: |spec, seed| Box::new(Mcts::new(spec.parameters(), seed)),
    },
    Known {
        name: "nested",
        options: &[PLAYOUTS, MEMORY],
        make: |spec, seed| Box::new(Thinker::new(spec.nested(seed))),
    },
    Known {
        name: "auto",
        options: &[(ANY, Form::Parameter)],
        make: |spec, seed| Box::new(Auto::new(spec.clone(), seed)),
    },
];

/// The names of the strategies.
pub const STRATEGY_NAMES: [&str; STRATEGIES.len()] = {
    let mut names = [""; STRATEGIES.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = STRATEGIES[at].name;
        at += 1;
    }
    names
};

/// A strategy and its options, as people write them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    name: &'static str,
    /// As they were written. Their forms are right.
    options: Vec<(String, String)>,
}

/// Why a text names no player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// No such strategy.
    #[error("there is no strategy `{0}`: choose one of {names}", names = STRATEGY_NAMES.join(", "))]
    UnknownStrategy(String),
    /// No such option.
    #[error("the strategy `{strategy}` has no option `{option}`")]
    UnknownOption {
        /// The strategy.
        strategy: &'static str,
        /// What was written.
        option: String,
    },
    /// An option that is not what it should be.
    #[error("`{option}` needs {needed}: `{option}={value}` has none")]
    BadValue {
        /// The option.
        option: String,
        /// What was written.
        value: String,
        /// What should have been.
        needed: &'static str,
    },
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let known = STRATEGIES.iter().find(|known| known.name == name);
        let known = known.ok_or_else(|| SpecError::UnknownStrategy(name.to_owned()))?;
        let options = options.split(',').map(str::trim).filter(|option| !option.is_empty());
        let options = options.map(|option| known.option(option)).collect::<Result<_, _>>()?;
        Ok(Spec { name: known.name, options })
    }
}

impl Known {
    fn option(&self, text: &str) -> Result<(String, String), SpecError> {
        let is_parameter = self.options.iter().any(|&(_, form)| form == Form::Parameter);
        let parts = if is_parameter { text.split_once('=') } else { text.rsplit_once('=') };
        let (option, value) = parts.unwrap_or((text, ""));
        let known = self.options.iter().find(|(name, _)| *name == option || *name == ANY);
        let &(_, form) =
            known.ok_or_else(|| SpecError::UnknownOption { strategy: self.name, option: text.to_owned() })?;
        let is_good = match form {
            Form::Count => value.parse::<u64>().is_ok_and(|count| count > 0),
            Form::Number | Form::Weight => {
                value.parse::<f64>().is_ok_and(|number| number.is_finite() && number >= 0.0)
            }
            Form::Parameter if !Parameters::NAMES.contains(&option) => {
                return Err(SpecError::UnknownOption { strategy: self.name, option: text.to_owned() });
            }
            Form::Parameter => Parameters::default().set(option, value).is_some(),
        };
        match is_good {
            true => Ok((option.to_owned(), value.to_owned())),
            false => Err(SpecError::BadValue {
                option: option.to_owned(),
                value: value.to_owned(),
                needed: match form {
                    Form::Count => "a whole number from 1",
                    Form::Number | Form::Weight => "a number from 0",
                    Form::Parameter => Parameters::needs(option),
                },
            }),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        for (at, (option, value)) in self.options.iter().enumerate() {
            write!(f, "{}{option}={value}", if at == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl Spec {
    /// The player; what it draws at random is a function of the seed.
    pub fn player(&self, seed: u64) -> Box<dyn Player> {
        (self.known().make)(self, seed)
    }

    fn known(&self) -> &'static Known {
        let known = STRATEGIES.iter().find(|known| known.name == self.name);
        known.expect("a spec has a name that is known")
    }

    /// The same with one more option; what is given last counts. An option is never a move.
    pub fn with(&self, option: &str, value: impl fmt::Display) -> Result<Spec, SpecError> {
        if self.known().options.iter().any(|&(_, form)| form == Form::Weight) {
            return Err(SpecError::UnknownOption { strategy: self.name, option: option.to_owned() });
        }
        let separator = if self.options.is_empty() { ':' } else { ',' };
        format!("{self}{separator}{option}={value}").parse()
    }

    /// The value of an option; what is written last counts.
    fn value<T: FromStr>(&self, option: &str) -> Option<T> {
        let found = self.options.iter().rev().find(|(name, _)| name == option);
        found.and_then(|(_, value)| value.parse().ok())
    }

    fn count(&self, (option, _): (&str, Form)) -> Option<u64> {
        self.value(option)
    }

    /// How many bytes a tree may take.
    fn memory(&self) -> usize {
        let megabytes = self.count(MEMORY).unwrap_or(MEGABYTES);
        usize::try_from(megabytes.saturating_mul(1 << 20)).unwrap_or(usize::MAX)
    }

    fn uct(&self, seed: u64) -> Uct {
        Uct { c: self.value("c").unwrap_or(C), playouts: self.count(PLAYOUTS), memory: self.memory(), seed }
    }

    /// The options of `mcts`.
    pub(crate) fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        for (option, value) in &self.options {
            parameters.set(option, value).expect("options are read when a spec is");
        }
        parameters
    }

    pub(crate) fn nested(&self, seed: u64) -> Nested {
        let (playouts, memory) = (self.count(PLAYOUTS), self.memory());
        Nested { playouts, memory, seed, uct: self.uct(seed) }
    }

    /// Moves as they are written, each with its weight.
    fn weights(&self) -> Vec<(String, f64)> {
        let weight = |(text, weight): &(String, String)| (canonical(text), weight.parse().unwrap_or(0.0));
        self.options.iter().map(weight).collect()
    }
}

/// A move as the rules write it, of what people type.
pub(crate) fn canonical(text: &str) -> String {
    let spaced = text.to_lowercase().replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.join(" ").replace("( ", "(").replace(" )", ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in STRATEGY_NAMES {
            assert_eq!(name.parse::<Spec>().expect("a strategy").to_string(), name);
        }
        for text in [
            "uct:c=12.5,playouts=2000,memory=64",
            "fixed:(mark 1 1)=0.5,noop=1",
            "mcts:batch=off,model=o/a=0.5/b=0.5",
        ] {
            assert_eq!(text.parse::<Spec>().expect("a strategy").to_string(), text);
        }
        let more = "mcts".parse::<Spec>().and_then(|spec| spec.with("threads", 2)?.with("c", 9));
        assert_eq!(more.expect("both are options").to_string(), "mcts:threads=2,c=9");
        let uct = "uct:c=12.5,playouts=2000,memory=64".parse::<Spec>().expect("a strategy").uct(3);
        assert_eq!((uct.c, uct.playouts, uct.memory, uct.seed), (12.5, Some(2000), 64 << 20, 3));
    }

    #[test]
    fn mistakes_are_explained() {
        let error = |text: &str| text.parse::<Spec>().expect_err("it is wrong").to_string();
        let names = STRATEGY_NAMES.join(", ");
        assert_eq!(error("perfect"), format!("there is no strategy `perfect`: choose one of {names}"));
        assert_eq!(error("legal:fast=1"), "the strategy `legal` has no option `fast=1`");
        assert_eq!(error("uct:c=-1"), "`c` needs a number from 0: `c=-1` has none");
        assert_eq!(error("uct:c=inf"), "`c` needs a number from 0: `c=inf` has none");
        assert_eq!(error("uct:playouts"), "`playouts` needs a whole number from 1: `playouts=` has none");
        assert_eq!(error("uct:playouts=0"), "`playouts` needs a whole number from 1: `playouts=0` has none");
        assert_eq!(error("mcts:speed=1"), "the strategy `mcts` has no option `speed=1`");
        assert_eq!(error("mcts:lanes=9"), "`lanes` needs 8, 16, 32 or 64: `lanes=9` has none");
        let fixed = "fixed:rock=1".parse::<Spec>().expect("a strategy");
        let error_of_with = fixed.with("threads", 2).expect_err("it is no move").to_string();
        assert_eq!(error_of_with, "the strategy `fixed` has no option `threads`");
        assert_eq!(error("fixed:rock"), "`rock` needs a number from 0: `rock=` has none");
    }
}
