//! Facts: rows of term numbers in tables, seen through the shapes of patterns, found by indexes.

mod table;
mod direct;
mod index;
mod view;
mod views;
mod store;

pub(crate) use store::{FactStore, Relation};
pub(crate) use table::{Table, TableId};
pub(crate) use view::{View, shape_of};
pub(crate) use views::{ViewId, Views, Way};
