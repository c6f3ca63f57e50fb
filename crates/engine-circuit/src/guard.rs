//! Guards: fluents that exclude each other, such as whose turn it is, and on which legal moves depend.
//!
//! When the turn changes, every legal move of two roles changes, and half of the rules for the next state. So there is
//! a net for each guard in which it is a constant: a change of guard changes which answers are read and nothing else.

use senet_circuit::{Circuit, Wire};
use std::ops::Range;

/// Groups with more members are no guards: each member has answers of its own.
const MOST_MEMBERS: usize = 8;

/// The guards of a game.
pub(crate) struct Guards {
    /// The fluents that are guards. Empty in a game without.
    pub(crate) members: Vec<usize>,
    /// Whether always one of them holds.
    pub(crate) is_exactly_one: bool,
    /// By node: which guard it implies, as a conjunction.
    implied: Vec<Option<u8>>,
}

impl Guards {
    /// The group under which most moves are.
    pub(crate) fn new(circuit: &Circuit) -> Guards {
        let groups = circuit.exclusive_fluents().map(|(members, one)| (members.collect::<Vec<_>>(), one));
        let guards = groups.filter(|(members, _)| members.len() <= MOST_MEMBERS).map(|(members, one)| {
            let guards = Guards { implied: implied(circuit, &members), members, is_exactly_one: one };
            let n_guarded = circuit.legal().iter().filter(|&&wire| guards.of(wire).is_some()).count();
            (n_guarded, guards)
        });
        let best = guards.filter(|(n_guarded, _)| *n_guarded > 0).max_by_key(|(n_guarded, _)| *n_guarded);
        best.map_or_else(
            || Guards {
                members: Vec::new(),
                is_exactly_one: false,
                implied: vec![None; circuit.net().len()],
            },
            |(_, guards)| guards,
        )
    }

    /// The place of the guard without which the wire is never on.
    pub(crate) fn of(&self, wire: Wire) -> Option<usize> {
        self.implied[wire.node()].filter(|_| !wire.is_negated()).map(usize::from)
    }

    /// What inputs are known to be, by node, when a guard holds and moves are legal.
    pub(crate) fn known(&self, circuit: &Circuit, guard: usize) -> Vec<Option<Wire>> {
        let inputs = circuit.net().inputs();
        let mut known = vec![None; inputs.len()];
        for (at, &fluent) in self.members.iter().enumerate() {
            known[inputs.fluent(fluent)] = Some(constant(at == guard));
        }
        let may_be_legal = |choice: usize| {
            let wire = circuit.legal()[choice];
            wire != Wire::FALSE && self.of(wire).is_none_or(|of| of == guard)
        };
        for moves in &circuit.signature().moves_of {
            let n_legal = Range::clone(moves).filter(|&choice| may_be_legal(choice)).count();
            for choice in moves.clone() {
                known[inputs.a_move(choice)] = match (may_be_legal(choice), n_legal) {
                    (false, _) => Some(Wire::FALSE),
                    (true, 1) => Some(Wire::TRUE),
                    (true, _) => None,
                };
            }
        }
        known
    }
}

fn constant(is_on: bool) -> Wire {
    if is_on { Wire::TRUE } else { Wire::FALSE }
}

fn implied(circuit: &Circuit, members: &[usize]) -> Vec<Option<u8>> {
    let net = circuit.net();
    let mut implied = vec![None; net.len()];
    for (at, &fluent) in members.iter().enumerate() {
        implied[net.inputs().fluent(fluent)] = Some(at as u8);
    }
    for gate in net.gates() {
        let positive = net.operands(gate).iter().filter(|wire| !wire.is_negated());
        implied[gate] = positive.map(|wire| implied[wire.node()]).find(Option::is_some).flatten();
    }
    implied
}
