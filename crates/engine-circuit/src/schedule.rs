//! When gates are looked at: those that legal moves or the end need after a change of the state, the others after the
//! moves; those that only one guard needs only while it holds.

use crate::plan::{NeededBy, Part, Plan};
use senet_circuit::Wire;

/// When a gate is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct When {
    /// Whether only the next state needs it.
    pub(crate) is_for_next: bool,
    /// The only guard that needs it, if there is one.
    pub(crate) guard: Option<usize>,
}

/// Parts of the net with when they are looked at. For each guard, those with no guard and then those with this guard
/// are an order in which each gate comes after its operands.
pub(crate) fn schedule(plan: &Plan) -> Vec<(When, Part)> {
    let users = users(plan);
    let when = |gate: usize| {
        let Users { state, next } = users[gate];
        let guard = (state | next).is_power_of_two().then(|| (state | next).trailing_zeros() as usize);
        When { is_for_next: state == 0, guard: guard.filter(|&guard| guard < plan.guards.len()) }
    };
    let mut scheduled: Vec<(When, Part)> = Vec::new();
    for part in &plan.parts {
        match part {
            Part::Block { block, gates } => {
                let mut loops = plan.block_of.iter().filter(|(_, of)| **of == *block);
                let is_for_next = loops.all(|(&node, _)| users[node].state == 0);
                let when = When { is_for_next, guard: None };
                scheduled.push((when, Part::Block { block: *block, gates: gates.clone() }));
            }
            Part::Gates(gates) => {
                // What has a guard comes last: nothing without one needs it.
                let mut sorted: Vec<(When, usize)> = gates.iter().map(|&gate| (when(gate), gate)).collect();
                sorted.sort_by_key(|(when, _)| *when);
                for same in sorted.chunk_by(|left, right| left.0 == right.0) {
                    let gates = same.iter().map(|(_, gate)| *gate).collect();
                    scheduled.push((same[0].0, Part::Gates(gates)));
                }
            }
        }
    }
    // Stable: parts that are looked at together stay in order.
    scheduled.sort_by_key(|(when, _)| *when);
    scheduled
}

/// The guards that need a gate, as bits. The bit behind those of the guards stands for all.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Users {
    state: u32,
    next: u32,
}

struct Marker<'p> {
    plan: &'p Plan,
    users: Vec<Users>,
    all: u32,
}

impl Marker<'_> {
    /// Notes who needs some wires, and what these need.
    fn mark(&mut self, wires: &[Wire], by: Users) {
        let mut waiting: Vec<(usize, Users)> = wires.iter().map(|wire| (wire.node(), by)).collect();
        while let Some((node, by)) = waiting.pop() {
            let of = &mut self.users[node];
            let now = Users { state: of.state | by.state, next: of.next | by.next };
            if now == *of {
                continue;
            }
            *of = now;
            waiting.extend(self.plan.gates[node].iter().map(|wire| (wire.node(), now)));
            if let Some(&block) = self.plan.block_of.get(&node) {
                // Loops are computed together, whatever guard holds.
                let whole = |bits: u32| if bits == 0 { 0 } else { self.all };
                let by = Users { state: whole(now.state), next: whole(now.next) };
                let sinks = self.plan.sinks.iter().filter(|it| it.needed_by == NeededBy::Block(block));
                waiting.extend(sinks.flat_map(|sink| &sink.operands).map(|wire| (wire.node(), by)));
                let loops = self.plan.block_of.iter().filter(|(_, of)| **of == block);
                waiting.extend(loops.map(|(&node, _)| (node, by)));
            }
        }
    }
}

fn users(plan: &Plan) -> Vec<Users> {
    let all = (2 << plan.guards.len()) - 1;
    let bits = |guard: Option<usize>| guard.map_or(all, |guard| 1 << guard);
    let mut marker = Marker { plan, users: vec![Users::default(); plan.gates.len()], all };
    for sink in &plan.sinks {
        match sink.needed_by {
            NeededBy::State(guard) => marker.mark(&sink.operands, Users { state: bits(guard), next: 0 }),
            NeededBy::Next(guard) => marker.mark(&sink.operands, Users { state: 0, next: bits(guard) }),
            NeededBy::Block(_) => {}
        }
    }
    for &node in plan.block_of.keys() {
        marker.mark(&[Wire::of(node)], Users { state: 0, next: all });
    }
    marker.users
}
