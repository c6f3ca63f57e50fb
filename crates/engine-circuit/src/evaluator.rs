//! What both ways to evaluate a circuit do.

use crate::straight::{Asked, Straight};
use senet_circuit::Circuit;

/// The values of a circuit for one state, and the moves last played.
pub(crate) trait Evaluator {
    /// Goes to the initial state.
    fn restart(&mut self);
    /// Goes to a state.
    fn enter(&mut self, state: &[u64]);
    /// The state it is in.
    fn state(&self) -> &[u64];
    /// Whether the state ends the match.
    fn is_terminal(&self) -> bool;
    /// The legal moves of a role as bits in words: a move is legal that is on in the one or the other.
    fn legal(&self, role: usize) -> (&[u64], &[u64]);
    /// Plays a move of a role; moves are numbered over all roles.
    fn play(&mut self, role: usize, choice: usize);
    /// Computes the state after the moves that were played by all roles.
    fn compute_next(&mut self) -> &[u64];
    /// Goes to the state that was computed.
    fn advance(&mut self);
    /// What the state is worth to a role: the only value that holds.
    fn goal(&mut self, role: usize) -> Option<u8>;
}

/// A section for the goals of each role; they are computed in order.
pub(crate) fn goal_sections(circuit: &Circuit) -> Vec<Asked> {
    let section = |wires| Asked { wires, is_for_every_state: true };
    circuit.goals().iter().map(|goals| section(goals.iter().map(|goal| goal.wire).collect())).collect()
}

/// The values of the goals of each role.
pub(crate) fn goal_values(circuit: &Circuit) -> Vec<Vec<Option<u8>>> {
    circuit.goals().iter().map(|goals| goals.iter().map(|goal| goal.value).collect()).collect()
}

/// The only goal that holds, of those a section of the program computed.
pub(crate) fn only_goal(
    program: &Straight,
    section: usize,
    values: &[u8],
    goals: &[Option<u8>],
) -> Option<u8> {
    let mut holding = program.outputs(section, values).zip(goals).filter(|(holds, _)| *holds);
    match (holding.next(), holding.next()) {
        (Some((_, value)), None) => *value,
        _ => None,
    }
}
