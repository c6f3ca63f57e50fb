//! Every engine by name, and the built-in games: the one place that names them all.
//!
//! ```
//! let game = senet_engines::library::find("tic-tac-toe").unwrap();
//! let description = senet_gdl::parse(&game.text);
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
mod error;
mod purpose;
mod kinds;
mod smallest;
mod setup;
mod growing;
mod auto;

pub use error::{LoadError, Refusal};
pub use purpose::Purpose;
pub use senet_engine_lanes::Level;
pub use senet_engine_tables::Order;
pub use setup::{Loaded, Setup};

use kinds::KINDS;
use senet_game::AnyEngine;
use senet_gdl::Description;
use std::sync::Arc;

/// The names that [`load`] takes. `auto`, the first, chooses.
pub const NAMES: [&str; KINDS.len() + 1] = {
    let mut names = ["auto"; KINDS.len() + 1];
    let mut at = 0;
    while at < KINDS.len() {
        names[at + 1] = KINDS[at].name;
        at += 1;
    }
    names
};

/// The instruction sets that the engine `lanes` is compiled for, the best first.
pub const LEVELS: [Level; 3] = [Level::Avx512, Level::Avx2, Level::Baseline];

/// The engine of that name for a game, to be asked about one state at a time. An engine that is named is used or
/// refused, never replaced. A rulesheet with errors is refused, by every engine; [`Setup::findings`] has the warnings of
/// others. [`Setup`] makes several engines of one game, and tells why `auto` chose as it did.
pub fn load(engine: &str, description: &Description) -> Result<Arc<dyn AnyEngine>, LoadError> {
    Ok(Setup::new(description).load(engine, Purpose::OneState)?.engine)
}
