//! The engine `circuit`: the circuit of a game for one state at a time.
//!
//! Going from one state to another, only what changes is propagated, in the faster of two forms of the net: see
//! [`Evaluation`]. A state is a bit for each fluent.

mod guard;
mod specialise;
mod outputs;
mod plan;
mod inline;
mod schedule;
mod layout;
mod propagation;
mod monotone;
mod list_net;
mod lists;
mod column_net;
mod columns;
mod straight;
mod goals;
mod evaluator;
mod select;
mod playouts;
mod trial;
mod engine;

pub use engine::{CircuitEngine, Evaluation, Worker};
