//! Monte-Carlo tree search: the strategy `mcts`.
//!
//! Positions that are the same are one node of the tree, with packed states, so that nothing is ever replayed
//! (`tree`). Going down, each role takes the move of the highest upper confidence bound, or one drawn by regret where
//! roles move at once (`select`). A leaf is expanded as a whole: what follows all its moves is computed at once, which
//! shows moves that win or lose on the spot (`expansion`, `many_lanes`). If that does not settle it, random playouts
//! in 8 to 64 lanes tell what it is worth, and the way up learns from them (`back_up`) and proves what can be proved
//! (`bounds`). Statistics of moves are shared across the tree (`priors`), memory is bounded (`eviction`), threads
//! share the tree (`search`). Games without gates have the same tree on an engine of one state (`one_state`).

mod parameters;
mod moves;
mod tree;
mod roles;
mod constant_sum;
mod priors;
mod bounds;
mod select;
mod back_up;
mod eviction;
mod expansion;
mod evaluator;
mod one_state;
mod many_lanes;
mod search;
mod brain;
mod player;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod random_games;

pub use parameters::{Model, Parameters, Shared};
pub use player::Mcts;
