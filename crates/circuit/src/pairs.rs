//! Pair extraction: two operands that many gates have in common become a gate of their own.

use crate::circuit::Circuit;
use crate::exclusive::Operands;
use crate::sweep::rebuild;
use crate::wire::Wire;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// In wide gates only operands so close to each other are counted as pairs.
const WIDEST_WINDOW: usize = 48;
/// How many pairs may be counted in all: more take too long for what they save.
const MOST_PAIRS: usize = 6_000_000;
/// How many gates may be looked at for one of two operands in all. The most common pairs come first.
const MOST_LOOKS: usize = 10_000_000;

type Pair = (Wire, Wire);

/// Shares the pairs of operands that occur in more than one gate, the most common first.
pub(crate) fn extract_pairs(circuit: &mut Circuit) {
    let net = &circuit.net;
    let n_pairs = |window: usize| -> usize {
        net.gates().map(|gate| net.operands(gate).len()).map(|len| len * window.min(len) / 2).sum()
    };
    let windows = [WIDEST_WINDOW, 24, 12, 6, 3];
    let Some(window) = windows.into_iter().find(|&window| n_pairs(window) <= MOST_PAIRS) else { return };
    let gates = (0..net.len()).map(|node| net.operands(node).into()).collect();
    let mut pairs =
        Pairs { gates, counts: FxHashMap::default(), users: FxHashMap::default(), window, n_looks: 0 };
    let mut most_common = pairs.count_all();
    while pairs.n_looks < MOST_LOOKS
        && let Some((count, Reverse(pair))) = most_common.pop()
    {
        match pairs.counts.get(&pair) {
            Some(&now) if now == count => pairs.extract(pair, &mut most_common),
            Some(&now) if now > 1 => most_common.push((now, Reverse(pair))),
            _ => {}
        }
    }
    let gates = pairs.gates;
    rebuild(circuit, gates);
}

struct Pairs {
    /// By node: its operands, in order. New gates are added at the end.
    gates: Vec<Operands>,
    counts: FxHashMap<Pair, u32>,
    /// Which gates have had a wire among their operands.
    users: FxHashMap<Wire, Vec<u32>>,
    window: usize,
    n_looks: usize,
}

impl Pairs {
    fn count_all(&mut self) -> BinaryHeap<(u32, Reverse<Pair>)> {
        for (gate, operands) in self.gates.iter().enumerate() {
            for (at, &left) in operands.iter().enumerate() {
                self.users.entry(left).or_default().push(gate as u32);
                for &right in operands[at + 1..].iter().take(self.window) {
                    *self.counts.entry((left, right)).or_default() += 1;
                }
            }
        }
        self.counts.retain(|_, count| *count > 1);
        self.counts.iter().map(|(&pair, &count)| (count, Reverse(pair))).collect()
    }

    /// Makes a gate of a pair and uses it wherever both are operands.
    fn extract(&mut self, pair: Pair, most_common: &mut BinaryHeap<(u32, Reverse<Pair>)>) {
        self.counts.remove(&pair);
        let (left, right) = pair;
        let fewer = |wire: &Wire| self.users.get(wire).map_or(0, Vec::len);
        let rarer = if fewer(&left) <= fewer(&right) { left } else { right };
        let other = if rarer == left { right } else { left };
        let Pairs { gates, users, n_looks, .. } = self;
        let has = |gate: u32, wire: &Wire| gates[gate as usize].binary_search(wire).is_ok();
        let known = users.get_mut(&rarer).expect("a pair was counted in its users");
        *n_looks += known.len();
        // Those that use it no longer are forgotten.
        known.retain(|&gate| has(gate, &rarer));
        let users: Vec<u32> = known.iter().copied().filter(|&gate| has(gate, &other)).collect();
        if users.len() < 2 {
            return;
        }
        // One of the gates may be the pair itself.
        let is_pair = |&&gate: &&u32| self.gates[gate as usize].len() == 2;
        let known = users.iter().find(is_pair).copied();
        let new = known.map_or(self.gates.len(), |gate| gate as usize);
        if known.is_none() {
            self.gates.push([left, right].into_iter().collect());
            self.users.entry(left).or_default().push(new as u32);
            self.users.entry(right).or_default().push(new as u32);
        }
        let shared = Wire::of(new);
        let mut grown: Vec<Pair> = Vec::new();
        let mut new_users = Vec::with_capacity(users.len());
        for gate in users.into_iter().filter(|&gate| gate as usize != new) {
            let mut operands = std::mem::take(&mut self.gates[gate as usize]);
            operands.retain(|wire| *wire != left && *wire != right);
            for &other in &operands {
                for taken in [left, right] {
                    if let Some(count) = self.counts.get_mut(&ordered(taken, other)) {
                        *count = count.saturating_sub(1);
                    }
                }
            }
            // A gate may have had the pair beside its two operands.
            if let Err(at) = operands.binary_search(&shared) {
                let is_narrow = operands.len() <= self.window;
                let near = at.saturating_sub(self.window)..(at + self.window).min(operands.len());
                for (place, &other) in operands.iter().enumerate() {
                    if is_narrow || near.contains(&place) {
                        let pair = ordered(shared, other);
                        *self.counts.entry(pair).or_default() += 1;
                        grown.push(pair);
                    }
                }
                operands.insert(at, shared);
                new_users.push(gate);
            }
            self.gates[gate as usize] = operands;
        }
        self.users.entry(shared).or_default().extend(new_users);
        grown.sort_unstable();
        grown.dedup();
        for pair in grown {
            if let Some(&count) = self.counts.get(&pair)
                && count > 1
            {
                most_common.push((count, Reverse(pair)));
            }
        }
    }
}

fn ordered(left: Wire, right: Wire) -> Pair {
    if left < right { (left, right) } else { (right, left) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_computed_stays_the_same() {
        crate::evaluate::check_unchanged(extract_pairs);
    }

    #[test]
    fn there_are_fewer_gates_of_two_inputs() {
        let mut circuit = crate::evaluate::translated(&crate::evaluate::built_in(crate::evaluate::GAMES[1]));
        let before = circuit.net.n_binary_gates();
        extract_pairs(&mut circuit);
        assert!(circuit.net.n_binary_gates() * 10 < before * 9);
    }

    #[test]
    fn a_gate_may_have_a_pair_beside_its_operands() {
        let mut circuit = crate::evaluate::translated(&crate::evaluate::built_in(crate::evaluate::GAMES[0]));
        let inputs = circuit.net.inputs();
        // Crosses on different cells: nothing is known of them.
        let crosses = (0..inputs.n_fluents).filter(|&at| circuit.signature.fluents[at].ends_with(" x)"));
        let crosses: Vec<usize> =
            crosses.filter(|&at| circuit.signature.fluents[at].starts_with("(cell")).collect();
        let [a, b, c, d, e] = std::array::from_fn(|at| Wire::of(inputs.fluent(crosses[at])));
        let pair = circuit.net.and([a, b].into_iter().collect());
        let gates = [vec![pair, e], vec![pair, a, b, c], vec![pair, a, b, d]];
        for (at, gate) in gates.iter().enumerate() {
            circuit.legal[at] = circuit.net.and(gate.iter().copied().collect());
        }
        let before = circuit.clone();
        extract_pairs(&mut circuit);
        for on in 0..32 {
            let mut fluents = vec![false; inputs.n_fluents];
            (0..5).for_each(|at| fluents[crosses[at]] = on >> at & 1 == 1);
            let moves = vec![false; inputs.n_moves];
            let [old, new] =
                [&before, &circuit].map(|it| crate::evaluate::values(it, &it.legal, &fluents, &moves));
            assert_eq!(old, new, "{on:05b}");
        }
    }
}
