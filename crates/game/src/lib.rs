//! What every Senet engine answers, and what can be built on the answers alone.
//!
//! An [`Engine`] is the shared, immutable form of one game; each thread asks it
//! through a worker of its own. [`Match`], [`playouts`], [`perft`] and
//! [`check_laws`] work with any of them; [`AnyEngine`] hides which one it is.
//!
//! ```
//! use senet_engine_reference::ReferenceEngine;
//! use senet_game::{Engine, Match, MoveGenerator, RoleId};
//! use std::sync::Arc;
//!
//! let description = senet_gdl::parse(
//!     "(role left) (role right) (legal left (say yes)) (legal left (say no)) (legal right noop)
//!      (<= (next (said ?what)) (does left (say ?what)))
//!      (<= terminal (true (said ?what)))
//!      (<= (goal left 100) (true (said yes))) (<= (goal left 0) (true (said no)))",
//! );
//! let engine = Arc::new(ReferenceEngine::new(&description)?);
//!
//! // Outsiders play through a match, which checks every move.
//! let mut game = Match::new(engine.clone())?;
//! let moves = [("left", "(say yes)"), ("right", "noop")].map(|(role, text)| (role.to_owned(), text.to_owned()));
//! game.play(&moves.into())?;
//! let position = game.position();
//! assert_eq!((position.terminal, position.goals), (true, vec![Some(100), None]));
//!
//! // Searches ask the engine itself, each thread with its own worker.
//! let mut worker = engine.worker();
//! let state = engine.initial(&mut worker)?;
//! let mut legal = Vec::new();
//! engine.legals(&mut worker, &state, RoleId::new(0), &mut legal)?;
//! let choice = MoveGenerator::new(7).choose(&legal).unwrap();
//! assert!(engine.move_text(&mut worker, choice).starts_with("(say "));
//! # Ok::<(), senet_game::PlayError>(())
//! ```

mod engine;
mod error;
mod random;
mod matches;
mod statistics;
mod playout;
mod chunks;
mod observe;
mod perft;
mod laws;
mod agreement;
mod any;
mod registry;

pub use agreement::check_agreement;
pub use any::{AnyEngine, AnyMatch};
pub use chunks::playouts_in_chunks;
pub use engine::{Engine, MoveId, RoleId, roles};
pub use error::GameError;
pub use laws::check_laws;
pub use matches::{Match, PlayError, Position};
pub use observe::{Observations, observe};
pub use perft::{PerftOptions, PerftRow, perft};
pub use playout::{PlayedOut, PlayoutOptions, playout, playouts};
pub use random::{MoveGenerator, derived_seed};
pub use registry::{Known, Portable, Registry, portable};
pub use statistics::PlayoutStatistics;
