//! Why there is no engine.

use crate::NAMES;
use senet_circuit::BuildError;
use senet_game::GameError;
use senet_ground::Stopped;
use thiserror::Error;

/// Why there is no engine.
#[derive(Debug, Error)]
pub enum LoadError {
    /// No engine has this name.
    #[error("there is no engine `{0}`: choose one of {known}", known = NAMES.join(", "))]
    UnknownEngine(String),
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

/// Why an engine refuses a game that others may play.
#[derive(Clone, Debug, Error)]
pub enum Refusal {
    /// The game was not grounded within the budget, or cannot be.
    #[error("the game was not grounded: {0}")]
    NotGrounded(Box<Stopped>),
    /// The ground game has no circuit.
    #[error("the game has no circuit: {0}")]
    NoCircuit(#[from] BuildError),
    /// The rulesheet has errors: the first of them.
    #[error("the rulesheet has errors: {0}")]
    Rules(String),
    /// Something that only this engine minds.
    #[error("{0}")]
    Other(String),
}
