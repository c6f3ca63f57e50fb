//! The grounder: from [`Program`](senet_analysis::Program) to [`GroundProgram`].
//!
//! The steps, one after the other, are in `grounder.rs`: rules are lowered to rules over tables
//! (`lower`), what may hold is derived (`reach`) and invariants are proved (`invariants`), bodies
//! are split (`split`), instances are stored (`instances`), and what cannot fire is left out
//! (`simplify`). All of it runs on one kind of join (`join`) over facts (`facts`).

mod limits;
mod options;
mod facts;
mod join;
mod lower;
mod reach;
mod split;
mod instances;
mod lists;
mod program;
mod invariants;
mod simplify;
mod diagnosis;
mod grounder;
mod declared;
mod write;

pub use declared::compare_declared;
pub use grounder::ground;
pub use options::{
    Budget, Declared, Difference, Grounding, Method, Mode, Options, Progress, Seconds, Stop, Stopped,
};
pub use program::{
    AtomId, Block, GroundProgram, GroundRule, Kind, Lit, MutexGroup, base_facts, input_facts, set_sha1,
};
pub use write::{write_asp, write_dot, write_gdl, write_json};
