//! The ways to find out what a position is worth.

use super::expansion::Expansions;
use super::tree::Successor;
use crate::Limit;
use senet_game::{GameError, MoveId};

/// What came of the playouts of a leaf.
pub(crate) struct Outcome<'a> {
    /// As given with the leaf.
    pub(crate) ticket: u32,
    pub(crate) finished: u32,
    pub(crate) cut: u32,
    /// By role.
    pub(crate) goal_sums: &'a [u32],
}

/// Expands positions and plays from them. Each thread has one.
pub(crate) trait Evaluator<S>: Send {
    /// How many playouts run at once.
    fn n_lanes(&self) -> usize;

    /// The moves of positions and what follows them.
    fn expand(&mut self, states: &[&S], expansions: &mut Expansions) -> Result<(), GameError>;

    /// The position that was packed when another was expanded. None is unless this is said otherwise.
    fn unpack(&self, _packed: &[u64]) -> Option<S> {
        None
    }

    /// What follows one joint move.
    fn step(&mut self, state: &S, ids: &[MoveId]) -> Result<Successor<S>, GameError>;

    /// Lets a leaf begin with so many playouts. Says no if there is no room.
    fn put(&mut self, ticket: u32, state: &S, n_playouts: usize) -> bool;

    /// Plays until so many leaves are done, or all, or time is up.
    fn play(&mut self, n_wanted: usize, limit: &Limit) -> Result<(), GameError>;

    /// Hands out what came of the leaves that are done.
    fn take(&mut self, each: &mut dyn FnMut(Outcome<'_>));

    /// Gives up all leaves.
    fn clear(&mut self);
}
