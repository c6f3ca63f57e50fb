//! The grounder: from [`Program`](senet_analysis::Program) to [`GroundProgram`].

mod table;
mod direct;
mod index;
mod var_set;
mod rule;
mod view;
mod join_order;
mod plan;
mod limits;
mod join;
mod fixpoint;
mod lower;
mod constant;
mod estimate;
mod outline;
mod split;
mod cheapest;
mod apart;
mod demand;
mod unify;
mod unfold;
mod iterative;
mod reach;
mod determined;
mod overlap;
mod symmetry;
mod groups;
mod order;
mod underived;
mod instances;
mod program;
mod rule_store;
mod keys;
mod finish;
mod lists;
mod closure;
mod simplify;
mod compact;
mod options;
mod diagnosis;
mod grounder;
mod declared;
mod sets;
mod write;
mod dependency;
mod invariant;
mod mutex;
mod exclusion;

pub use declared::compare_declared;
pub use grounder::ground;
pub use options::{
    Budget, Declared, Difference, Grounding, Method, Mode, Options, Progress, Seconds, Stop, Stopped,
};
pub use program::{AtomId, Block, GroundProgram, GroundRule, Kind, Lit, MutexGroup};
pub use sets::{base_facts, input_facts, set_sha1};
pub use write::{write_asp, write_dot, write_gdl, write_json};
