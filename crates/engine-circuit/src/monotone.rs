//! What a change outside does to a block of loops.
//!
//! Loops are a least fixpoint. If all changes outside can only make loops come on, the old loops are a beginning for the
//! new ones; otherwise they are computed from nothing, because loops may hold each other on.

use crate::layout::Laid;
use crate::plan::Part;
use senet_circuit::{Circuit, Wire};

/// A source that a block depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// The place of the block among those of the net.
    pub(crate) block: u32,
    /// Whether loops can only come on when the source comes on.
    pub(crate) rises_when_on: bool,
    /// Whether loops can only come on when the source goes off.
    pub(crate) rises_when_off: bool,
}

/// By source: where its touches begin, and one end more; and the touches. Both empty without blocks.
pub(crate) fn touches(circuit: &Circuit, laid: &Laid) -> (Vec<u32>, Vec<Touch>) {
    let Laid { plan, scheduled, source_of, .. } = laid;
    let blocks = scheduled.iter().filter_map(|(_, part)| match part {
        Part::Block { block, gates } => Some((*block, gates)),
        Part::Gates(_) => None,
    });
    let mut found: Vec<(u32, Touch)> = Vec::new();
    for (at, (block, gates)) in blocks.enumerate() {
        // By node: whether loops grow with it, and whether they grow with its negation.
        let mut grows = vec![(false, false); plan.gates.len()];
        let mut note = |wire: Wire, (with, against): (bool, bool)| {
            let of = &mut grows[wire.node()];
            let (with, against) = if wire.is_negated() { (against, with) } else { (with, against) };
            *of = (of.0 | with, of.1 | against);
            *of
        };
        let words = &plan.outputs.blocks[block];
        let bits = 64 * words.start..64 * words.end;
        let mut outside: Vec<usize> = Vec::new();
        for sink in plan.sinks.iter().filter(|sink| bits.contains(&sink.bit)) {
            for &wire in &sink.operands {
                note(wire, (!sink.is_negated, sink.is_negated));
                outside.push(wire.node());
            }
        }
        for &gate in gates.iter().rev() {
            let of_gate = note(Wire::of(gate), (false, false));
            for &wire in &plan.gates[gate] {
                note(wire, of_gate);
                outside.push(wire.node());
            }
        }
        outside.sort_unstable();
        outside.dedup();
        let mut inside = gates.clone();
        inside.sort_unstable();
        let loops = circuit.blocks()[block].clone();
        let inputs = circuit.net().inputs();
        let is_inside = |node: usize| {
            inside.binary_search(&node).is_ok() || inputs.loop_at(node).is_some_and(|it| loops.contains(&it))
        };
        for node in outside.into_iter().filter(|&node| !is_inside(node)) {
            let (with, against) = grows[node];
            let touch = Touch { block: at as u32, rises_when_on: !against, rises_when_off: !with };
            found.push((source_of[node].expect("operands have places"), touch));
        }
    }
    if laid.layout.blocks.is_empty() {
        return (Vec::new(), Vec::new());
    }
    found.sort_by_key(|(source, _)| *source);
    let first =
        (0..=laid.layout.n_sources as u32).map(|source| found.partition_point(|(of, _)| *of < source) as u32);
    (first.collect(), found.into_iter().map(|(_, touch)| touch).collect())
}
