//! Nested conjunctions become one: what is used by one gate only, not negated, becomes part of it.

use crate::circuit::Circuit;
use crate::exclusive::Operands;
use crate::sweep::{n_uses, rebuild};

/// Joins gates with the only gate that uses them.
pub(crate) fn flatten(circuit: &mut Circuit) {
    let n_uses = n_uses(circuit);
    let net = &circuit.net;
    let mut gates: Vec<Operands> = vec![Operands::new(); net.len()];
    for gate in net.gates() {
        let mut joined = Operands::new();
        for &wire in net.operands(gate) {
            let is_part = !wire.is_negated() && n_uses[wire.node()] == 1 && !gates[wire.node()].is_empty();
            if is_part {
                joined.extend_from_slice(&std::mem::take(&mut gates[wire.node()]));
            } else {
                joined.push(wire);
            }
        }
        gates[gate] = joined;
    }
    rebuild(circuit, gates);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_computed_stays_the_same() {
        crate::evaluate::check_unchanged(flatten);
    }

    #[test]
    fn there_are_fewer_gates_with_as_many_inputs_in_all() {
        let mut circuit = crate::evaluate::translated(&crate::evaluate::built_in(crate::evaluate::GAMES[1]));
        let before = (circuit.net.n_gates(), circuit.net.n_binary_gates());
        flatten(&mut circuit);
        assert!(circuit.net.n_gates() < before.0 && circuit.net.n_binary_gates() <= before.1);
    }
}
