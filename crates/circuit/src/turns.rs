//! Whose turn it is: cases of a state in each of which one role at most has a choice.

use crate::circuit::Circuit;
use crate::exclusive::{Group, Operands};
use crate::factor::factor;
use crate::wire::Wire;
use rustc_hash::FxHashMap;

/// A larger group hardly tells whose turn it is.
const MOST_MEMBERS: usize = 24;
/// How many nodes and operands are looked at in all attempts together.
const MOST_WORK: usize = 20_000_000;
/// How many conditions of many moves are looked at, how deep, and how many gates there are tried.
const MOST_CONDITIONS: usize = 8;
const DEPTH: usize = 4;
const MOST_GATES: usize = 64;

/// Sets of cases, as bits.
pub(crate) type CaseSet = u64;

/// The cases of a state: which member of a group holds, or none, and whether a gate is on, if one is given.
#[derive(Clone, Debug)]
pub(crate) struct Cases {
    group: Group,
    gate: Option<usize>,
}

impl Cases {
    /// What may tell whose turn it is, the simplest first: "who has control" may be a fluent, or who moved last and
    /// whether that role goes on.
    fn likely(circuit: &Circuit) -> Vec<Cases> {
        let mut groups: Vec<&Group> =
            circuit.groups.iter().filter(|group| group.members.len() <= MOST_MEMBERS).collect();
        groups.sort_by_key(|group| group.members.len());
        let gates = common_conditions(circuit);
        let alone = groups.iter().map(|&group| Cases { group: group.clone(), gate: None });
        let with_gate = groups
            .iter()
            .flat_map(|&group| gates.iter().map(|&gate| Cases { group: group.clone(), gate: Some(gate) }));
        let most = MOST_WORK / (circuit.net.n_operands() + circuit.net.len());
        alone.chain(with_gate).take(most).collect()
    }

    fn n_values(&self) -> usize {
        if self.gate.is_some() { 2 } else { 1 }
    }

    fn len(&self) -> usize {
        (self.group.members.len() + usize::from(!self.group.is_exactly_one)) * self.n_values()
    }

    fn all(&self) -> CaseSet {
        (1 << self.len()) - 1
    }

    /// The cases in which a member holds.
    fn of_member(&self, at: usize) -> CaseSet {
        ((1 << self.n_values()) - 1) << (at * self.n_values())
    }

    /// The cases in which the gate is on.
    fn of_gate(&self) -> CaseSet {
        (0..self.len()).filter(|case| case % 2 == 1).fold(0, |set, case| set | 1 << case)
    }

    /// In which cases each node may be off, and on.
    fn possible(&self, circuit: &Circuit) -> Vec<[CaseSet; 2]> {
        let (net, all) = (&circuit.net, self.all());
        let mut may = vec![[all; 2]; net.len()];
        may[0] = [all, 0];
        for (at, &member) in self.group.members.iter().enumerate() {
            may[member as usize] = [all & !self.of_member(at), self.of_member(at)];
        }
        for gate in net.gates() {
            let [mut off, mut on] = [0, all];
            for &wire in net.operands(gate) {
                off |= of(&may, !wire);
                on &= of(&may, wire);
            }
            if self.gate == Some(gate) {
                off &= !self.of_gate();
                on &= self.of_gate();
            }
            may[gate] = [off, on];
        }
        may
    }

    /// Whether one of some cases is there.
    pub(crate) fn wire(&self, circuit: &mut Circuit, set: CaseSet) -> Wire {
        let n_members = self.group.members.len();
        let none = self.all() & self.of_member(n_members);
        if set == self.all() {
            return Wire::TRUE;
        }
        if none != 0 && set & none == none {
            // That none of the members holds is what the other cases leave.
            return !self.wire(circuit, self.all() & !set);
        }
        let member = |at: usize| Wire::of(self.group.members[at] as usize);
        let mut terms: Vec<Operands> = Vec::new();
        for at in 0..=n_members {
            let own = set & self.of_member(at);
            if own == 0 {
                continue;
            }
            let mut term: Operands = if at < n_members {
                [member(at)].into_iter().collect()
            } else {
                (0..n_members).map(|at| !member(at)).collect()
            };
            if let Some(gate) = self.gate
                && own != self.of_member(at)
            {
                term.push(Wire::of(gate).negated_if(own & self.of_gate() == 0));
            }
            terms.push(term);
        }
        factor(&mut circuit.net, terms)
    }
}

fn of(may: &[[CaseSet; 2]], wire: Wire) -> CaseSet {
    may[wire.node()][usize::from(!wire.is_negated())]
}

/// Gates in the conditions that most legal moves have in common.
fn common_conditions(circuit: &Circuit) -> Vec<usize> {
    let net = &circuit.net;
    let mut n_uses: FxHashMap<usize, usize> = FxHashMap::default();
    for legal in &circuit.legal {
        net.operands(legal.node()).iter().for_each(|wire| *n_uses.entry(wire.node()).or_default() += 1);
    }
    let mut by_use: Vec<(usize, usize)> = n_uses.into_iter().filter(|&(_, n)| n > 1).collect();
    by_use.sort_unstable_by_key(|&(node, n)| (std::cmp::Reverse(n), node));
    let mut layer: Vec<usize> = by_use.into_iter().take(MOST_CONDITIONS).map(|(node, _)| node).collect();
    let mut found: Vec<usize> = Vec::new();
    for _ in 0..DEPTH {
        let mut below = Vec::new();
        for node in layer {
            if !net.operands(node).is_empty() && !found.contains(&node) && found.len() < MOST_GATES {
                found.push(node);
                below.extend(net.operands(node).iter().map(|wire| wire.node()));
            }
        }
        layer = below;
    }
    found
}

/// Which role may have a choice, by case.
pub(crate) struct Turns {
    pub(crate) cases: Cases,
    /// By move: in which cases it may be legal.
    pub(crate) may_be_legal: Vec<CaseSet>,
    /// By role: in which cases it is the one that may have a choice.
    pub(crate) chooses: Vec<CaseSet>,
}

impl Turns {
    /// Finds cases in each of which at most one role can have a choice.
    pub(crate) fn find(circuit: &Circuit) -> Option<Turns> {
        Cases::likely(circuit).into_iter().find_map(|cases| Turns::prove(circuit, cases))
    }

    fn prove(circuit: &Circuit, cases: Cases) -> Option<Turns> {
        let may = cases.possible(circuit);
        let may_be_legal: Vec<CaseSet> = circuit.legal.iter().map(|&legal| of(&may, legal)).collect();
        let mut chooses = vec![0; circuit.signature.role_names.len()];
        for case in 0..cases.len() {
            let n_possible = |moves: &std::ops::Range<usize>| {
                may_be_legal[moves.clone()].iter().filter(|&&set| set >> case & 1 == 1).count()
            };
            let roles = circuit.signature.moves_of.iter().enumerate();
            let mut choosers = roles.clone().filter(|(_, moves)| n_possible(moves) > 1);
            // Where nobody has a choice, somebody who can move has his only one.
            let chooser = choosers.next().or_else(|| roles.clone().find(|(_, moves)| n_possible(moves) > 0));
            if choosers.next().is_some() {
                return None;
            }
            let chooser = chooser.map_or(0, |(role, _)| role);
            chooses[chooser] |= 1 << case;
        }
        Some(Turns { cases, may_be_legal, chooses })
    }
}
