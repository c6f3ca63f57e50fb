//! Joins: the bodies of rules planned and run over facts.

mod static_functions;
mod literal_order;
mod plan;
mod planner;
mod run;

pub(crate) use plan::{HEAD, Plan, Purpose};
pub(crate) use planner::plan;
pub(crate) use run::{Found, Scratch, Sink, Window, run};
pub(crate) use static_functions::{add_determined, is_function, only_unknown};
