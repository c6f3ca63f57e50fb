//! The net when some inputs are known.

use rustc_hash::FxHashMap;
use senet_circuit::{Circuit, Wire};

/// Gates to which others are added; none is made twice.
pub(crate) struct Specialiser {
    /// By node: the operands. The nodes of the circuit come first.
    pub(crate) gates: Vec<Vec<Wire>>,
    made: FxHashMap<Vec<Wire>, usize>,
}

impl Specialiser {
    pub(crate) fn new(circuit: &Circuit) -> Specialiser {
        let net = circuit.net();
        Specialiser {
            gates: (0..net.len()).map(|node| net.operands(node).to_vec()).collect(),
            made: net.gates().map(|gate| (net.operands(gate).to_vec(), gate)).collect(),
        }
    }

    /// By node of the circuit: what it is when inputs are known. `order` has the gates that may become others.
    pub(crate) fn specialise(
        &mut self,
        order: &[usize],
        known: &[Option<Wire>],
        n_nodes: usize,
    ) -> Vec<Wire> {
        let mut now: Vec<Wire> = (0..n_nodes).map(Wire::of).collect();
        for (node, known) in known.iter().enumerate() {
            now[node] = known.unwrap_or(now[node]);
        }
        for &gate in order {
            let is_same = |wire: &Wire| now[wire.node()] == wire.positive();
            if !self.gates[gate].iter().all(is_same) {
                let operands = self.gates[gate].iter();
                let operands = operands.map(|wire| now[wire.node()].negated_if(wire.is_negated())).collect();
                now[gate] = self.and(operands);
            }
        }
        now
    }

    fn and(&mut self, mut operands: Vec<Wire>) -> Wire {
        operands.sort_unstable();
        operands.dedup();
        operands.retain(|&wire| wire != Wire::TRUE);
        let contradicts = |pair: &[Wire]| pair[0] == !pair[1];
        match operands[..] {
            [] => Wire::TRUE,
            [Wire::FALSE, ..] => Wire::FALSE,
            _ if operands.windows(2).any(contradicts) => Wire::FALSE,
            [only] => only,
            _ => {
                let Specialiser { gates, made } = self;
                let gate = *made.entry(operands).or_insert_with_key(|operands| {
                    gates.push(operands.clone());
                    gates.len() - 1
                });
                Wire::of(gate)
            }
        }
    }
}
