//! The files of the package.

mod terms;
mod facts;
mod relation;
mod rules;
mod game;
mod recorded;

pub(crate) use facts::facts;
pub(crate) use game::game;
pub(crate) use recorded::recorded;
pub(crate) use rules::rules;
pub(crate) use terms::{tables, terms};
