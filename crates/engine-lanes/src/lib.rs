//! The lanes engine: a thousand games at once in bit slices.

// Words at the same place of several arrays belong together.
#![allow(clippy::needless_range_loop)]

mod logic;
mod choice;
mod network;
mod cover;
mod flow;
mod shape;
mod fuse;
mod program;
mod order;
mod arrange;
mod kernel;
mod machine;
mod playouts;
mod compile;
mod batch;
mod transpose;
mod leaves;
mod expander;
mod engine;

pub use batch::Batch;
pub use engine::LanesEngine;
pub use expander::{Expander, Successor};
pub use kernel::Level;
pub use leaves::{LeafOutcome, Leaves};
