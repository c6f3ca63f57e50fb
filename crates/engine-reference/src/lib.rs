//! The judge: goal-directed evaluation of GDL rules as written, with tabling.
//!
//! Small and obviously right before fast. It uses the syntax of a rulesheet and
//! nothing of what other parts of Senet conclude about it, so that it can judge
//! every other engine.
//!
//! ```
//! use senet_engine_reference::ReferenceEngine;
//! use senet_game::{Engine, PlayoutOptions, playouts};
//!
//! let description = senet_gdl::parse(
//!     "(role you) (init (left 3)) (minus 3 2) (minus 2 1) (minus 1 0)
//!      (<= (legal you take) (true (left ?n)) (distinct ?n 0))
//!      (<= (next (left ?m)) (true (left ?n)) (minus ?n ?m) (does you take))
//!      (<= terminal (true (left 0)))
//!      (<= (goal you 100) (true (left 0)))",
//! );
//! let engine = ReferenceEngine::new(&description)?;
//! let result = playouts(&engine, &mut engine.worker(), PlayoutOptions::new(10, 1))?;
//! assert_eq!((result.playouts, result.mean_length()), (10, Some(3.0)));
//! # Ok::<(), senet_game::GameError>(())
//! ```

mod terms;
mod facts;
mod program;
mod scopes;
mod order;
mod compile;
mod unify;
mod table;
mod machine;
mod negation;
mod stop;
mod cycle;
mod registry;
mod engine;

pub use engine::{ReferenceEngine, State, Worker};
