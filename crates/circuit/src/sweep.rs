//! Dead-logic removal: gates that nothing asks for are left out.

use crate::circuit::Circuit;
use crate::exclusive::Operands;
use crate::wire::Wire;

/// Keeps the gates that outputs and loops need.
pub(crate) fn sweep(circuit: &mut Circuit) {
    let gates = (0..circuit.net.len()).map(|node| circuit.net.operands(node).into()).collect();
    rebuild(circuit, gates);
}

/// Makes the net again of what is needed of these gates, which may come in any order. Inputs have no operands.
pub(crate) fn rebuild(circuit: &mut Circuit, gates: Vec<Operands>) {
    let n_inputs = circuit.net.inputs().len();
    let mut net = circuit.net.emptied();
    let mut new: Vec<Option<Wire>> = vec![None; gates.len()];
    (0..n_inputs).for_each(|input| new[input] = Some(Wire::of(input)));
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in circuit.roots() {
        path.push((root.node() as u32, 0));
        while let Some((node, next)) = path.last_mut() {
            let node = *node as usize;
            if new[node].is_some() {
                path.pop();
            } else if let Some(operand) = gates[node].get(*next as usize) {
                *next += 1;
                path.push((operand.node() as u32, 0));
            } else {
                let moved = |wire: &Wire| {
                    let now = new[wire.node()].expect("operands are made first");
                    now.negated_if(wire.is_negated())
                };
                new[node] = Some(net.and(gates[node].iter().map(moved).collect()));
                path.pop();
            }
        }
    }
    circuit.replace_net(net, |wire| {
        let now = new[wire.node()].expect("roots were made");
        now.negated_if(wire.is_negated())
    });
}

/// By node: how many operands and outputs it is.
pub(crate) fn n_uses(circuit: &Circuit) -> Vec<u32> {
    let net = &circuit.net;
    let mut n_uses = vec![0; net.len()];
    let operands = net.gates().flat_map(|gate| net.operands(gate)).copied();
    operands.chain(circuit.roots()).for_each(|wire| n_uses[wire.node()] += 1);
    n_uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_computed_stays_the_same() {
        crate::evaluate::check_unchanged(sweep);
    }

    #[test]
    fn gates_that_nothing_asks_for_are_gone() {
        let mut circuit = crate::evaluate::translated(&crate::evaluate::built_in(crate::evaluate::GAMES[0]));
        let n_gates = circuit.net.n_gates();
        circuit.net.and([Wire::of(1), Wire::of(2), !Wire::of(3), Wire::of(5)].into_iter().collect());
        assert_eq!(circuit.net.n_gates(), n_gates + 1);
        sweep(&mut circuit);
        assert!(circuit.net.n_gates() <= n_gates);
    }
}
