//! GaDeLaC's back end: a game that is ready to be played forward becomes a stand-alone Rust package.
//!
//! The domain of every argument is found by propagation (`infer.rs`). Functions whose shapes are known are taken apart
//! (`flatten.rs`): `(true (cell ?x ?y ?c))` becomes a relation of three columns. Constants are numbered so that those of a
//! column are neighbours (`number.rs`), which gives each possible fact a place by arithmetic (`layout.rs`); what has too many
//! places, or terms that may grow without end, is hashed. Each rule becomes nested loops in the order that the engine has
//! chosen (`plan.rs`), written as Rust (`write/`).

mod domain;
mod infer;
mod flat;
mod tree;
mod prune;
mod flatten;
mod number;
mod layout;
mod plan;
mod names;
mod gdl;
mod model;
mod code;
mod write;
mod expected;
mod package;

pub use package::{Package, compile};
