//! What changed is propagated, the rest stays: what both ways to do that have in common.

use senet_circuit::Circuit;

/// A role that has not moved.
pub(crate) const NO_MOVE: u32 = u32::MAX;

/// The playing net in one form; all threads share it.
pub(crate) trait Net {
    fn new(circuit: &Circuit) -> Self;
}

/// The values of all gates for one state and the moves last played.
pub(crate) trait Propagation: Clone {
    type Net: Net;

    /// The state in which nothing holds, and no moves.
    fn new(net: &Self::Net) -> Self;
    /// Becomes the same as another of the same net.
    fn copy_from(&mut self, other: &Self);
    /// The state whose values these are.
    fn state(&self) -> &[u64];
    /// Goes to a state.
    fn enter(&mut self, net: &Self::Net, state: &[u64]);
    /// Goes to the state that was computed.
    fn advance(&mut self, net: &Self::Net);
    /// Plays the move of a role. Moves are numbered over all roles.
    fn play(&mut self, net: &Self::Net, role: usize, choice: usize);
    /// After the moves of all roles: computes the next state.
    fn compute_next(&mut self, net: &Self::Net) -> &[u64];
    /// Whether the state ends the match.
    fn is_terminal(&self, net: &Self::Net) -> bool;
    /// The legal moves of a role as bits in words: a move is legal that is on in the one or the other.
    fn legal(&self, net: &Self::Net, role: usize) -> (&[u64], &[u64]);
}
