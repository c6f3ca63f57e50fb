//! The ways to find out what a position is worth.

use super::tree::Successor;
use crate::Limit;
use senet_game::{GameError, MoveId};

/// The moves of a position by role, and what follows them by joint move; nothing if there are too many.
pub(crate) struct Expansion<S> {
    pub(crate) moves: Vec<Vec<MoveId>>,
    pub(crate) successors: Vec<Successor<S>>,
}

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
    fn expand(&mut self, states: &[S]) -> Result<Vec<Expansion<S>>, GameError>;

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

/// Calls with every joint move of some moves by role: the first role's change first.
pub(crate) fn for_each_joint(moves: &[Vec<MoveId>], mut each: impl FnMut(&[MoveId])) {
    let mut joint: Vec<MoveId> = moves.iter().map(|ids| ids[0]).collect();
    let mut places = vec![0; moves.len()];
    loop {
        each(&joint);
        let mut role = 0;
        loop {
            let Some(ids) = moves.get(role) else { return };
            places[role] = (places[role] + 1) % ids.len();
            joint[role] = ids[places[role]];
            if places[role] != 0 {
                break;
            }
            role += 1;
        }
    }
}

/// How many joint moves there are: none if a role has no move.
pub(crate) fn n_joint(moves: &[Vec<MoveId>]) -> u64 {
    moves.iter().fold(1, |n, ids| n.saturating_mul(ids.len() as u64))
}
