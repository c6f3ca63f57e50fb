//! The circuit: from [`GroundProgram`](senet_ground::GroundProgram) to a minimised graph of conjunctions and
//! negations over state bits and move bits.

mod wire;
mod exclusive;
mod net;
mod factor;
mod components;
mod equations;
mod signature;
mod circuit;
mod sweep;
mod flatten;
mod pairs;
mod build;
mod steps;
mod states;
mod turns;
mod choices;
mod dot;
#[cfg(test)]
mod evaluate;

pub use build::{BuildError, build};
pub use choices::{Choices, Does, choices};
pub use circuit::{Circuit, GoalWire, Size};
pub use components::Components;
pub use dot::write_dot;
pub use net::{Inputs, Net};
pub use signature::{Move, Signature};
pub use states::States;
pub use steps::{Cyclic, Step, steps};
pub use wire::Wire;
