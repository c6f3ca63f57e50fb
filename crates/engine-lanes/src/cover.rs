//! Covering gates by operations of three operands: each operation is a table of eight bits.

use crate::logic::{Gate, Logic};
use crate::shape::{VARIABLES, depends};
use senet_circuit::Wire;

/// How many ways to compute a node are remembered.
const MOST_CUTS: usize = 8;

/// A node computed from at most three others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Cut {
    /// In order; the first `len` count.
    pub(crate) leaves: [u32; 3],
    pub(crate) len: u8,
    /// Bit `i` is the value where leaf `j` is bit `j` of `i`.
    pub(crate) table: u8,
    /// How many operations it needs, shared ones in part.
    flow: f32,
}

impl Cut {
    pub(crate) fn leaves(&self) -> &[u32] {
        &self.leaves[..self.len as usize]
    }

    fn trivial(node: usize) -> Cut {
        Cut { leaves: [node as u32, 0, 0], len: 1, table: VARIABLES[0], flow: 0.0 }
    }
}

/// Which nodes are computed, and how.
pub(crate) struct Cover {
    cuts: Vec<Vec<Cut>>,
    /// By node: the cut that computes it; none for inputs.
    best: Vec<u8>,
    /// By node: how many chosen cuts and outputs need it.
    n_uses: Vec<u32>,
}

impl Cover {
    /// Covers what the outputs need with few operations.
    pub(crate) fn new(logic: &Logic, outputs: &[Wire]) -> Cover {
        let mut cover = Cover {
            cuts: vec![Vec::new(); logic.len()],
            best: vec![0; logic.len()],
            n_uses: vec![0; logic.len()],
        };
        let mut fanout = vec![0_u32; logic.len()];
        for node in 0..logic.len() {
            operands(logic.gate(node)).iter().for_each(|wire| fanout[wire.node()] += 1);
        }
        outputs.iter().for_each(|wire| fanout[wire.node()] += 1);
        let mut flow = vec![0_f32; logic.len()];
        for node in 0..logic.len() {
            cover.find_cuts(logic, node, &flow);
            if let Some(best) = cover.cuts[node].first() {
                flow[node] = best.flow / fanout[node].max(1) as f32;
            }
        }
        let mut waiting: Vec<u32> = outputs.iter().map(|wire| wire.node() as u32).collect();
        cover.take(&mut waiting);
        for _ in 0..2 {
            cover.recover(logic);
        }
        cover
    }

    /// The operation that computes a node; `None` for inputs and for what nobody needs.
    pub(crate) fn operation(&self, node: usize) -> Option<Cut> {
        (self.n_uses[node] > 0).then(|| self.chosen(node)).flatten()
    }

    /// How many operations and outputs need a node.
    pub(crate) fn n_uses(&self, node: usize) -> u32 {
        self.n_uses[node]
    }

    fn chosen(&self, node: usize) -> Option<Cut> {
        self.cuts[node].get(self.best[node] as usize).copied()
    }

    fn find_cuts(&mut self, logic: &Logic, node: usize, flow: &[f32]) {
        let mut found: Vec<Cut> = Vec::new();
        let mut consider = |cut: Option<Cut>| {
            let Some(mut cut) = cut else { return };
            cut.flow = 1.0 + cut.leaves().iter().map(|&leaf| flow[leaf as usize]).sum::<f32>();
            if !found.iter().any(|other| other.leaves() == cut.leaves()) {
                found.push(cut);
            }
        };
        match logic.gate(node) {
            Gate::Input | Gate::Part { .. } => return,
            Gate::And(wires) => {
                let [left, right] = wires.map(|wire| self.ways(wire));
                for &left in &left {
                    for &right in &right {
                        consider(join(&[left, right], |values| values[0] & values[1]));
                    }
                }
            }
            Gate::Xor(wires) => {
                let [a, b, c] = wires.map(|wire| self.ways(wire));
                for (&a, &b, &c) in triples(&a, &b, &c) {
                    consider(join(&[a, b, c], |values| values[0] ^ values[1] ^ values[2]));
                }
            }
            Gate::Majority(wires) => {
                let [a, b, c] = wires.map(|wire| self.ways(wire));
                for (&a, &b, &c) in triples(&a, &b, &c) {
                    consider(join(&[a, b, c], |it| it[0] & it[1] | it[0] & it[2] | it[1] & it[2]));
                }
            }
        }
        found.sort_by(|left, right| left.flow.total_cmp(&right.flow).then(left.len.cmp(&right.len)));
        found.truncate(MOST_CUTS);
        self.cuts[node] = found;
    }

    /// How an operand can be had: as itself, first, or as one of its cuts. Constants need no leaf.
    fn ways(&self, wire: Wire) -> Vec<Cut> {
        if wire.node() == 0 {
            return vec![Cut {
                leaves: [0; 3],
                len: 0,
                table: if wire.is_negated() { 255 } else { 0 },
                flow: 0.0,
            }];
        }
        let mut ways = vec![Cut::trivial(wire.node())];
        ways.extend_from_slice(&self.cuts[wire.node()]);
        if wire.is_negated() {
            ways.iter_mut().for_each(|way| way.table = !way.table);
        }
        ways
    }

    /// Counts a use of each waiting node, and of what it is computed from; says how many operations that adds.
    fn take(&mut self, waiting: &mut Vec<u32>) -> u32 {
        let mut added = 0;
        while let Some(node) = waiting.pop() {
            self.n_uses[node as usize] += 1;
            if self.n_uses[node as usize] == 1
                && let Some(cut) = self.chosen(node as usize)
            {
                added += 1;
                waiting.extend_from_slice(cut.leaves());
            }
        }
        added
    }

    /// The opposite of `take`.
    fn give_back(&mut self, waiting: &mut Vec<u32>) -> u32 {
        let mut removed = 0;
        while let Some(node) = waiting.pop() {
            self.n_uses[node as usize] -= 1;
            if self.n_uses[node as usize] == 0
                && let Some(cut) = self.chosen(node as usize)
            {
                removed += 1;
                waiting.extend_from_slice(cut.leaves());
            }
        }
        removed
    }

    /// Gives each node the cut that needs the fewest operations beside all others.
    fn recover(&mut self, logic: &Logic) {
        let mut waiting = Vec::new();
        for node in 0..logic.len() {
            if self.n_uses[node] == 0 || self.cuts[node].len() < 2 {
                continue;
            }
            let before = self.best[node] as usize;
            waiting.extend_from_slice(self.cuts[node][before].leaves());
            self.give_back(&mut waiting);
            let mut cheapest = (u32::MAX, before);
            for at in 0..self.cuts[node].len() {
                let cut = self.cuts[node][at];
                waiting.extend_from_slice(cut.leaves());
                let added = self.take(&mut waiting);
                waiting.extend_from_slice(cut.leaves());
                self.give_back(&mut waiting);
                if added < cheapest.0 || added == cheapest.0 && at == before {
                    cheapest = (added, at);
                }
            }
            self.best[node] = cheapest.1 as u8;
            waiting.extend_from_slice(self.cuts[node][cheapest.1].leaves());
            self.take(&mut waiting);
        }
    }
}

pub(crate) fn operands(gate: Gate) -> [Wire; 3] {
    match gate {
        Gate::Input | Gate::Part { .. } => [Wire::FALSE; 3],
        Gate::And([a, b]) => [a, b, Wire::FALSE],
        Gate::Xor(wires) | Gate::Majority(wires) => wires,
    }
}

/// The combinations of ways worth a look: of gates with three operands few have three leaves together.
fn triples<'c>(
    a: &'c [Cut],
    b: &'c [Cut],
    c: &'c [Cut],
) -> impl Iterator<Item = (&'c Cut, &'c Cut, &'c Cut)> {
    const MOST: usize = 4;
    let with_b = a.iter().take(MOST).flat_map(|a| b.iter().take(MOST).map(move |b| (a, b)));
    with_b.flat_map(|(a, b)| c.iter().take(MOST).map(move |c| (a, b, c)))
}

/// The cut of a gate whose operands are computed as given, if it has at most three leaves.
fn join(ways: &[Cut], value: impl Fn([u8; 3]) -> u8) -> Option<Cut> {
    let (mut leaves, mut len) = ([0_u32; 3], 0);
    for way in ways {
        for &leaf in way.leaves() {
            if !leaves[..len].contains(&leaf) {
                if len == 3 {
                    return None;
                }
                leaves[len] = leaf;
                len += 1;
            }
        }
    }
    leaves[..len].sort_unstable();
    let mut tables = [0; 3];
    for (table, way) in tables.iter_mut().zip(ways) {
        *table = spread(way, &leaves[..len]);
    }
    let table = value(tables);
    // Leaves that do not matter are left out.
    let mut kept = Cut { leaves: [0; 3], len: 0, table, flow: 0.0 };
    for (at, &leaf) in leaves[..len].iter().enumerate() {
        if depends(table, at) {
            kept.leaves[kept.len as usize] = leaf;
            kept.len += 1;
        }
    }
    if (kept.len as usize) < len {
        let all = Cut { leaves, len: len as u8, table, flow: 0.0 };
        kept.table = narrow(&all, &kept);
    }
    Some(kept)
}

/// The table of a way over more leaves.
fn spread(way: &Cut, leaves: &[u32]) -> u8 {
    let mut place = [0; 3];
    for (place, leaf) in place.iter_mut().zip(way.leaves()) {
        *place = leaves.iter().position(|other| other == leaf).expect("all leaves are there");
    }
    (0..8).fold(0, |table, row: usize| {
        let own = (0..way.len as usize).fold(0, |own, at| own | (row >> place[at] & 1) << at);
        table | (way.table >> own & 1) << row
    })
}

/// The table over fewer leaves, where the others do not matter.
fn narrow(all: &Cut, kept: &Cut) -> u8 {
    let mut place = [0; 3];
    for (place, leaf) in place.iter_mut().zip(kept.leaves()) {
        *place = all.leaves().iter().position(|other| other == leaf).expect("kept leaves are among all");
    }
    (0..8).fold(0, |table, row: usize| {
        let wide = (0..kept.len as usize).fold(0, |wide, at| wide | (row >> at & 1) << place[at]);
        table | (all.table >> wide & 1) << row
    })
}
