//! Fewer events: a gate that few conjunctions use becomes part of them.
//!
//! Updating a counter costs a tenth of what it costs to see that a gate changed and to go through those that use it. So
//! what is shared by few is not worth a gate of its own.

use crate::plan::{Part, Plan};
use senet_circuit::Wire;

/// How many operands may be written in all for a gate that is joined with those that use it.
const MOST_OPERANDS: usize = 24;

/// Joins gates with the conjunctions that use them, and leaves out those that nothing needs any more.
pub(crate) fn inline(plan: &mut Plan) {
    let n_uses = n_uses(plan);
    let order: Vec<usize> = plan.parts.iter().flat_map(gates_of).collect();
    let mut is_joined = vec![false; plan.gates.len()];
    for &gate in &order {
        let operands = std::mem::take(&mut plan.gates[gate]);
        plan.gates[gate] = joined(&plan.gates, &is_joined, operands);
        let (plain, negated) = n_uses[gate];
        is_joined[gate] =
            negated == 0 && (plain <= 1 || plain as usize * plan.gates[gate].len() <= MOST_OPERANDS);
    }
    for at in 0..plan.sinks.len() {
        let operands = std::mem::take(&mut plan.sinks[at].operands);
        plan.sinks[at].operands = joined(&plan.gates, &is_joined, operands);
    }
    let is_needed = needed(plan);
    for part in &mut plan.parts {
        let (Part::Gates(gates) | Part::Block { gates, .. }) = part;
        gates.retain(|&gate| is_needed[gate]);
    }
}

fn gates_of(part: &Part) -> impl Iterator<Item = usize> + '_ {
    let (Part::Gates(gates) | Part::Block { gates, .. }) = part;
    gates.iter().copied()
}

fn joined(gates: &[Vec<Wire>], is_joined: &[bool], operands: Vec<Wire>) -> Vec<Wire> {
    if !operands.iter().any(|wire| is_joined[wire.node()]) {
        return operands;
    }
    let mut all = Vec::new();
    for wire in operands {
        if is_joined[wire.node()] {
            all.extend_from_slice(&gates[wire.node()]);
        } else {
            all.push(wire);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// By node: how often a needed gate or an answer uses it, plainly and negated.
fn n_uses(plan: &Plan) -> Vec<(u32, u32)> {
    let is_needed = needed(plan);
    let mut n_uses = vec![(0, 0); plan.gates.len()];
    let gates = (0..plan.gates.len()).filter(|&gate| is_needed[gate]).map(|gate| &plan.gates[gate]);
    let operands = gates.chain(plan.sinks.iter().map(|sink| &sink.operands)).flatten();
    for wire in operands {
        let (plain, negated) = &mut n_uses[wire.node()];
        *if wire.is_negated() { negated } else { plain } += 1;
    }
    n_uses
}

/// By node: whether an answer depends on it.
pub(crate) fn needed(plan: &Plan) -> Vec<bool> {
    let mut is_needed = vec![false; plan.gates.len()];
    let mut waiting: Vec<usize> =
        plan.sinks.iter().flat_map(|sink| &sink.operands).map(|wire| wire.node()).collect();
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut is_needed[node], true) {
            waiting.extend(plan.gates[node].iter().map(|wire| wire.node()));
        }
    }
    is_needed
}
