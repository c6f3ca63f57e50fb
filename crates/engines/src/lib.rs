//! Every engine by name, and the built-in games: the one place that names them all.
//!
//! ```
//! let game = senet_engines::library::find("tic-tac-toe").unwrap();
//! let (description, _) = senet_gdl::parse(&game.text);
//! let engine = senet_engines::load("auto", &description).unwrap();
//! assert_eq!(engine.role_names(), ["x", "o"]);
//! ```

pub mod library;

use senet_engine_reference::ReferenceEngine;
use senet_game::{AnyEngine, GameError};
use senet_gdl::Description;
use std::sync::Arc;
use thiserror::Error;

/// The names that [`load`] takes. `auto` chooses.
pub const NAMES: [&str; 2] = ["auto", "reference"];

/// Why there is no engine.
#[derive(Debug, Error)]
pub enum LoadError {
    /// No engine has this name.
    #[error("there is no engine `{0}`: choose one of {known}", known = NAMES.join(", "))]
    UnknownEngine(String),
    /// The engine cannot play these rules.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// The engine of that name for a game. An engine that is named is used or refused, never replaced.
pub fn load(engine: &str, description: &Description) -> Result<Arc<dyn AnyEngine>, LoadError> {
    match engine {
        "auto" | "reference" => Ok(Arc::new(ReferenceEngine::new(description)?)),
        _ => Err(LoadError::UnknownEngine(engine.to_owned())),
    }
}
