//! The engine `tables`: the High Speed Forward Chainer. Relations are numbered, rules run by reference tables.
//!
//! Every instance that a relation may have gets an id (`domain.rs`, `superset.rs`). The knowledge base (`knowledge.rs`) keeps
//! the ids that hold as lists and bits. A rule is grounded level by level (`draft.rs`) and laid out as reference tables
//! (`table.rs`); hypotheses are ordered by what was seen in random play (`order.rs`, `build.rs`). Rules whose tables would be
//! too large run without (`loose.rs`).

mod facts;
mod join;
mod saturate;
mod domain;
mod superset;
mod knowledge;
mod arrange;
mod draft;
mod table;
mod order;
mod program;
mod loose;
mod machine;
mod build;
mod playouts;
mod engine;

pub use engine::{Declined, State, TablesEngine, Worker};
pub use order::Order;
pub use program::{Figures, Options};
