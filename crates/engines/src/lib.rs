//! Every engine by name, and the built-in games: the one place that names them all.
//!
//! ```
//! let game = senet_engines::library::find("tic-tac-toe").unwrap();
//! let (description, _) = senet_gdl::parse(&game.text);
//! let engine = senet_engines::load("auto", &description).unwrap();
//! assert_eq!(engine.role_names(), ["x", "o"]);
//!
//! // A match, move by move.
//! let mut game = engine.clone().start()?;
//! let moves = [("x", "(mark 2 2)"), ("o", "noop")].map(|(role, text)| (role.to_owned(), text.to_owned()));
//! game.play(&moves.into())?;
//! assert_eq!(game.position().legal[1].len(), 8);
//! game.undo()?;
//!
//! // A thousand random matches, the same for the same seed.
//! let result = engine.playouts(senet_game::PlayoutOptions::new(1_000, 42))?;
//! assert!(result.mean_length().unwrap() < 9.0);
//!
//! // The joint-move sequences of each length.
//! let mut nodes = Vec::new();
//! engine.perft(senet_game::PerftOptions { depth: 3, node_limit: u64::MAX }, &mut |row| nodes.push(row.nodes))?;
//! assert_eq!(nodes, [9, 72, 504]);
//! # Ok::<(), senet_game::PlayError>(())
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
