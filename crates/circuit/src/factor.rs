//! Disjunctions of rule bodies: what most bodies have in common is asked once.

use crate::exclusive::Operands;
use crate::net::Net;
use crate::wire::Wire;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A rule body: all of its wires.
pub(crate) type Term = Operands;

/// Among more terms nobody looks for one that follows from another.
const MOST_TO_COMPARE: usize = 100;

/// Whether one of the terms holds.
pub(crate) fn factor(net: &mut Net, mut terms: Vec<Term>) -> Wire {
    if let [only] = &mut terms[..] {
        return net.and(std::mem::take(only));
    }
    terms.retain_mut(|term| {
        term.sort_unstable();
        term.dedup();
        term.retain(|wire| *wire != Wire::TRUE);
        term.first() != Some(&Wire::FALSE) && !term.windows(2).any(|pair| pair[0] == !pair[1])
    });
    terms.sort_unstable();
    terms.dedup();
    if propagate_units(&mut terms) == Units::Always {
        return Wire::TRUE;
    }
    absorb(&mut terms);
    let mut shared = Shared::new(net, terms);
    let mut parts = Vec::new();
    while let Some((common, rest)) = shared.take() {
        let rest = factor(net, rest);
        parts.push(net.and([common, rest].into_iter().collect()));
    }
    let others = shared.terms.into_iter().filter(|term| !term.is_empty());
    parts.extend(others.map(|term| net.and(term)));
    net.or(parts)
}

#[derive(PartialEq, Eq)]
enum Units {
    Always,
    Done,
}

/// Beside a term that is a single wire, terms with the wire say nothing new, and its negation holds in the others.
fn propagate_units(terms: &mut Vec<Term>) -> Units {
    let mut done = 0;
    let mut units: Vec<Wire> = Vec::new();
    loop {
        for term in terms.iter() {
            match term[..] {
                [] => return Units::Always,
                [unit] if !units.contains(&unit) => units.push(unit),
                _ => {}
            }
        }
        if units.len() == done {
            return Units::Done;
        }
        let mut new: Vec<Wire> = units[done..].to_vec();
        new.sort_unstable();
        done = units.len();
        let is_new = |wire: Wire| new.binary_search(&wire).is_ok();
        terms.retain_mut(|term| {
            if term.len() == 1 {
                if is_new(!term[0]) {
                    term.clear();
                }
                return true;
            }
            if term.iter().any(|&wire| is_new(wire)) {
                return false;
            }
            term.retain(|wire| !is_new(!*wire));
            true
        });
        terms.sort_unstable();
        terms.dedup();
    }
}

/// Leaves out terms that have all wires of another.
fn absorb(terms: &mut Vec<Term>) {
    if terms.len() > MOST_TO_COMPARE {
        return;
    }
    let signature = |term: &Term| term.iter().fold(0_u64, |bits, wire| bits | 1 << (wire.index() & 63));
    let mut by_size: Vec<(Term, u64)> =
        terms.drain(..).map(|term| (term.clone(), signature(&term))).collect();
    by_size.sort_by_key(|(term, _)| term.len());
    let mut kept: Vec<(Term, u64)> = Vec::with_capacity(by_size.len());
    for (term, bits) in by_size {
        let follows = |(smaller, smaller_bits): &(Term, u64)| {
            smaller_bits & !bits == 0 && smaller.iter().all(|wire| term.binary_search(wire).is_ok())
        };
        if !kept.iter().any(follows) {
            kept.push((term, bits));
        }
    }
    terms.extend(kept.into_iter().map(|(term, _)| term));
    terms.sort_unstable();
}

/// Terms from which those with the most common wire are taken again and again.
struct Shared {
    terms: Vec<Term>,
    /// Which terms a wire is in: wires in order, each with its terms.
    uses: Vec<(Wire, u32)>,
    /// Wires that several terms have: where their uses begin, and how many there are still.
    wires: Vec<(Wire, u32)>,
    n_uses: Vec<u32>,
    /// By number of uses, which may have become smaller since.
    most_common: BinaryHeap<(u32, Reverse<bool>, Reverse<u32>)>,
}

impl Shared {
    fn new(net: &Net, terms: Vec<Term>) -> Shared {
        let with_place = terms.iter().zip(0..).filter(|(term, _)| term.len() > 1);
        let mut uses: Vec<(Wire, u32)> =
            with_place.flat_map(|(term, at)| term.iter().map(move |&wire| (wire, at))).collect();
        uses.sort_unstable();
        let (mut wires, mut n_uses, mut first) = (Vec::new(), Vec::new(), 0);
        for same in uses.chunk_by(|left, right| left.0 == right.0) {
            if same.len() > 1 {
                wires.push((same[0].0, first));
                n_uses.push(same.len() as u32);
            }
            first += same.len() as u32;
        }
        // Moves last: what does not depend on them can be shared with more.
        let is_move = |at: usize| net.inputs().move_at(wires[at].0.node()).is_some();
        let most_common =
            (0..wires.len()).map(|at| (n_uses[at], Reverse(is_move(at)), Reverse(at as u32))).collect();
        Shared { terms, uses, wires, n_uses, most_common }
    }

    /// Takes the terms with the wire that most of them have, without it.
    fn take(&mut self) -> Option<(Wire, Vec<Term>)> {
        let at = loop {
            let (count, rank, Reverse(at)) = self.most_common.pop()?;
            let now = self.n_uses[at as usize];
            if now == count {
                break at as usize;
            }
            if now > 1 {
                self.most_common.push((now, rank, Reverse(at)));
            }
        };
        let (wire, first) = self.wires[at];
        let mut taken = Vec::with_capacity(self.n_uses[at] as usize);
        for &(_, term) in self.uses[first as usize..].iter().take_while(|(user, _)| *user == wire) {
            let mut term = std::mem::take(&mut self.terms[term as usize]);
            if term.is_empty() {
                continue;
            }
            for used in &term {
                if let Ok(at) = self.wires.binary_search_by_key(used, |(wire, _)| *wire) {
                    self.n_uses[at] -= 1;
                }
            }
            term.retain(|used| *used != wire);
            taken.push(term);
        }
        Some((wire, taken))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exclusive::Exclusive;
    use crate::net::Inputs;

    fn value(net: &Net, wire: Wire, inputs: u32) -> bool {
        let node = wire.node();
        let plain = match net.operands(node) {
            [] => node > 0 && inputs >> (node - 1) & 1 == 1,
            operands => operands.iter().all(|&operand| value(net, operand, inputs)),
        };
        plain != wire.is_negated()
    }

    /// All disjunctions of three terms over four inputs from a list that has each kind of term.
    #[test]
    fn a_factored_disjunction_is_the_same_disjunction() {
        let wire = |at: usize| Wire::of(at);
        let terms: Vec<Vec<Wire>> = vec![
            vec![],
            vec![wire(1)],
            vec![!wire(1)],
            vec![wire(1), wire(2)],
            vec![wire(1), !wire(2), wire(3)],
            vec![!wire(1), wire(2), wire(4)],
            vec![wire(2), wire(3), wire(4)],
            vec![wire(2), !wire(3)],
            vec![wire(3), !wire(3)],
            vec![Wire::FALSE, wire(1)],
            vec![Wire::TRUE, wire(4)],
        ];
        for first in &terms {
            for second in &terms {
                for third in &terms {
                    let given = [first, second, third];
                    let mut net =
                        Net::new(Inputs { n_fluents: 4, n_moves: 0, n_loops: 0 }, Exclusive::default());
                    let wire = factor(&mut net, given.map(|term| term.iter().copied().collect()).to_vec());
                    for inputs in 0..16 {
                        let expected =
                            given.iter().any(|term| term.iter().all(|&wire| value(&net, wire, inputs)));
                        assert_eq!(value(&net, wire, inputs), expected, "{given:?} with {inputs:04b}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_terms_have_in_common_is_asked_once() {
        let mut net = Net::new(Inputs { n_fluents: 5, n_moves: 0, n_loops: 0 }, Exclusive::default());
        let terms = (2..=5).map(|at| [Wire::of(1), Wire::of(at)].into_iter().collect()).collect();
        let wire = factor(&mut net, terms);
        assert_eq!(net.operands(wire.node()).len(), 2);
        assert_eq!(net.n_gates(), 2);
    }
}
