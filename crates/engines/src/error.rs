//! Why there is no engine.

use crate::{LEVELS, NAMES};
use senet_analysis::RulesheetError;
use senet_circuit::BuildError;
use senet_engine_lanes::Level;
use senet_game::GameError;
use senet_ground::Stopped;
use thiserror::Error;

/// Why there is no engine.
#[derive(Debug, Error)]
pub enum LoadError {
    /// No engine has this name.
    #[error("there is no engine `{0}`: choose one of {known}", known = NAMES.join(", "))]
    UnknownEngine(String),
    /// This processor lacks the instructions.
    #[error("this processor has no {}: choose one of {}", .0.name(), others(*.0).join(", "))]
    NoSuchLevel(Level),
    /// The rulesheet has errors: no engine plays it.
    #[error("the rulesheet has {0}")]
    Rules(#[from] RulesheetError),
    /// No engine can play these rules.
    #[error(transparent)]
    Game(#[from] GameError),
    /// This engine cannot play these rules; another one may.
    #[error("the engine `{engine}` does not play this game: {refusal}; `--engine reference` plays it")]
    Refused {
        /// The engine.
        engine: &'static str,
        /// Why.
        refusal: Refusal,
    },
}

/// What can be had instead of a level.
fn others(missing: Level) -> Vec<&'static str> {
    let there = LEVELS.into_iter().filter(|&level| level != missing && level.is_there());
    there.map(Level::name).collect()
}

/// Why an engine refuses a game that others may play.
#[derive(Clone, Debug, Error)]
pub enum Refusal {
    /// The game was not grounded within the budget, or cannot be.
    #[error("the game was not grounded: {0}")]
    NotGrounded(Box<Stopped>),
    /// The ground game has no circuit.
    #[error("the game has no circuit: {0}")]
    NoCircuit(#[from] BuildError),
    /// The rulesheet has errors.
    #[error("the rulesheet has {0}")]
    Rules(#[from] RulesheetError),
    /// Something that only this engine minds.
    #[error("{0}")]
    Other(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_level_comes_with_those_to_choose_from() {
        let error = LoadError::NoSuchLevel(Level::Avx512).to_string();
        assert!(error.starts_with("this processor has no avx512: choose one of "), "{error}");
        assert!(error.ends_with("baseline"), "{error}");
    }
}
