//! The engine `forward`: GaDeLaC. Rules run forward from the facts of a position; nothing is grounded.
//!
//! Rules by context (`senet_rules`) are run relation by relation, each after those it uses (`stages.rs`). The knowledge base
//! (`view.rs`) has an index on exactly the argument patterns that rules ask. The order of literals is chosen by the sizes
//! that relations have in the first positions of a match (`sizes.rs`, `plan.rs`). Permanent facts are derived once.

mod view;
mod sizes;
mod plan;
mod join;
mod stages;
mod machine;
mod terms;
mod program;
mod planner;
mod choice;
mod playouts;
mod engine;
mod size_order;
mod outline;

pub use engine::{Declined, ForwardEngine, Options, State, Worker};
pub use outline::{Blueprint, Outline};
pub use size_order::SizeOrder;
