//! What every Senet engine answers, and what can be built on the answers alone.
//!
//! An [`Engine`] is the shared, immutable form of one game; each thread asks it
//! through a worker of its own. [`Match`], [`playouts`], [`perft`] and
//! [`check_laws`] work with any of them; [`AnyEngine`] hides which one it is.

mod engine;
mod error;
mod random;
mod matches;
mod playout;
mod observe;
mod perft;
mod laws;
mod any;

pub use any::{AnyEngine, AnyMatch};
pub use engine::{Engine, MoveId, RoleId, roles};
pub use error::GameError;
pub use laws::check_laws;
pub use matches::{Match, PlayError, Position};
pub use observe::{Observations, observe};
pub use perft::{PerftOptions, PerftRow, perft};
pub use playout::{PlayoutOptions, PlayoutStatistics, playouts};
pub use random::MoveGenerator;
