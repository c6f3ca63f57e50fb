//! Fluents of which at most one, or exactly one, holds in every state that can be reached.
//!
//! At most one: where the arguments of fluents depend on a key, those that agree on it exclude each other.
//! At least one: by induction over the moves for all groups at once. It is assumed of a state that has not
//! ended, and that no member of one group follows in the next state is led to a contradiction: what this
//! says about other atoms is propagated through the rules in both directions, with few and small case
//! distinctions where that is not enough.

mod exclusive;
mod network;
mod step;
mod propagate;
mod undo;
mod enter;
mod choice;
mod handed_on;
mod induction;
#[cfg(test)]
mod tests;

pub(crate) use exclusive::exclusive_groups;
pub(crate) use induction::label_exactly_one;
