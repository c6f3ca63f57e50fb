//! Case distinctions: where propagation ends without a contradiction, it goes on in each of a few cases.

use super::network::Network;
use super::propagate::{Contradiction, Propagation, negative, positive};
use crate::program::Lit;
use std::cmp::Reverse;

/// How many cases are distinguished within each other.
const MAX_DEPTH: usize = 8;
/// How large groups may be that are asked which of their members holds.
const MAX_MEMBERS: usize = 8;
/// How many of them.
const MAX_GROUPS: usize = 4;
/// A literal that does not hold tells less than other cases: it counts as so many of them.
const WEIGHT_OF_BREACH: u32 = 4;
/// How many conditions for staying are told apart.
const MAX_CONDITIONS: usize = 2;

/// One of several things is the case.
#[derive(Clone, Copy, Debug)]
enum Choice {
    /// A true atom: the body of one of its rules holds.
    Rule(usize),
    /// A rule with a false head: one of its literals does not hold.
    Breach(u32),
    /// One member of a group holds.
    Member(usize),
    /// A literal holds or not.
    Literal(u32),
}

/// The groups to ask: who has the turn and what each role does. They decide most about what is legal.
pub(super) fn groups_to_ask(network: &Network, n_fluent_groups: usize) -> Vec<usize> {
    let n_uses = |group: usize| -> usize {
        let members = network.members.of(group);
        members.iter().map(|&member| network.users.of(positive(member as usize) as usize).len()).sum()
    };
    let mut small: Vec<(Reverse<usize>, usize)> = (0..n_fluent_groups)
        .filter(|&group| network.members.of(group).len() <= MAX_MEMBERS)
        .map(|group| (Reverse(n_uses(group) / network.members.of(group).len().max(1)), group))
        .collect();
    small.sort_unstable();
    let turns = small.into_iter().take(MAX_GROUPS).map(|(_, group)| group);
    turns.chain(n_fluent_groups..network.n_groups).collect()
}

/// The search for contradictions in the next step of one group.
pub(super) struct Refutation<'r, 'n> {
    pub(super) facts: &'r mut Propagation<'n>,
    pub(super) to_ask: &'r [usize],
    pub(super) group: usize,
    pub(super) conditions: Vec<u32>,
}

impl Refutation<'_, '_> {
    /// Whether it is impossible that no member holds next. Leaves everything as it was.
    pub(super) fn succeeds(mut self) -> bool {
        let before = self.facts.trail.len();
        let is_impossible = self.begin().is_err() || self.is_refuted(before, MAX_DEPTH);
        self.facts.undo(before);
        self.facts.leave_step();
        is_impossible
    }

    fn begin(&mut self) -> Result<(), Contradiction> {
        self.facts.enter_step(self.group)?;
        let network = self.facts.network;
        let members = network.members.of(self.group);
        members.iter().try_for_each(|&fluent| self.facts.assume(negative(network.next_of(fluent))))
    }

    /// Whether what is assumed beyond the first conclusions leads to contradictions in all cases.
    fn is_refuted(&mut self, start: usize, depth: usize) -> bool {
        if self.facts.propagate().is_err() {
            return true;
        }
        if depth == 0 || self.facts.fuel == 0 {
            return false;
        }
        let network = self.facts.network;
        match self.choose(start) {
            None => false,
            Some(Choice::Rule(head)) => network.rules.of(head).iter().all(|&rule| {
                !self.facts.is_possible(rule)
                    || self.is_case_refuted(start, depth, |facts| facts.assume_body(rule))
            }),
            Some(Choice::Breach(rule)) => network.body(rule).iter().all(|lit| {
                let code = lit.code();
                self.facts.is_known(code)
                    || self.is_case_refuted(start, depth, |facts| facts.assume(code ^ 1))
            }),
            Some(Choice::Literal(code)) => {
                let mut cases = [code ^ 1, code].into_iter();
                cases.all(|code| self.is_case_refuted(start, depth, |facts| facts.assume(code)))
            }
            Some(Choice::Member(group)) => {
                self.facts.note_used(group as u32);
                network.members.of(group).iter().all(|&member| {
                    let code = positive(member as usize);
                    self.facts.is_false(code)
                        || self.is_case_refuted(start, depth, |facts| facts.assume(code))
                })
            }
        }
    }

    fn is_case_refuted(
        &mut self,
        start: usize,
        depth: usize,
        assume: impl FnOnce(&mut Propagation) -> Result<(), Contradiction>,
    ) -> bool {
        let before = self.facts.trail.len();
        let is_refuted = assume(self.facts).is_err() || self.is_refuted(start, depth - 1);
        self.facts.undo(before);
        is_refuted
    }

    /// The choice with the fewest cases, but first which member holds now, or what tells of several of them that
    /// they stay.
    fn choose(&mut self, start: usize) -> Option<Choice> {
        if self.is_undecided(self.group) {
            let shared = self.shared_condition().map(Choice::Literal);
            return shared.or(Some(Choice::Member(self.group)));
        }
        let mut best: Option<(u32, Choice)> = None;
        let mut offer = |n_cases: u32, choice: Choice| {
            if best.is_none_or(|(fewest, _)| n_cases < fewest) {
                best = Some((n_cases, choice));
            }
        };
        let network = self.facts.network;
        for at in start..self.facts.trail.len() {
            let code = self.facts.trail[at];
            let atom = (code >> 1) as usize;
            let Some(n_possible @ 1..) = self.facts.n_possible(atom) else { continue };
            let rules = network.rules.of(atom);
            self.facts.spend(rules.len());
            let mut possible = rules.iter().filter(|&&rule| self.facts.is_possible(rule));
            if code & 1 == 1 {
                possible.for_each(|&rule| {
                    offer(WEIGHT_OF_BREACH * self.facts.n_open(rule), Choice::Breach(rule))
                });
            } else if possible.all(|&rule| self.facts.n_open(rule) > 0) {
                offer(n_possible, Choice::Rule(atom));
            }
        }
        for &group in self.to_ask.iter().filter(|&&group| self.is_undecided(group)) {
            offer(self.facts.n_left(group), Choice::Member(group));
        }
        best.map(|(_, choice)| choice)
    }

    /// The most frequent condition on which alone it depends that a member is followed by one.
    fn shared_condition(&mut self) -> Option<u32> {
        let network = self.facts.network;
        let group = self.group as u32;
        self.conditions.clear();
        for &fluent in network.members.of(self.group) {
            let rules = network.rules.of(network.next_of(fluent));
            self.facts.spend(rules.len());
            for &rule in rules {
                if !self.facts.is_possible(rule) || self.facts.n_open(rule) != 2 {
                    continue;
                }
                let body = network.body(rule);
                self.facts.spend(body.len());
                let is_member = |lit: &Lit| network.groups.of(lit.atom().index()).contains(&group);
                let mut open = body.iter().filter(|lit| !self.facts.is_known(lit.code()));
                match (open.next(), open.next()) {
                    (Some(left), Some(right)) if is_member(left) && !is_member(right) => {
                        self.conditions.push(right.code())
                    }
                    (Some(left), Some(right)) if is_member(right) && !is_member(left) => {
                        self.conditions.push(left.code())
                    }
                    _ => {}
                }
            }
        }
        self.conditions.sort_unstable();
        let runs = self.conditions.chunk_by(|left, right| left == right);
        // One of many conditions decides little.
        if runs.clone().take(MAX_CONDITIONS + 1).count() > MAX_CONDITIONS {
            return None;
        }
        // Of equally frequent ones the first.
        let (n_uses, Reverse(condition)) = runs.map(|run| (run.len(), Reverse(run[0]))).max()?;
        (n_uses > 1).then_some(condition)
    }

    fn is_undecided(&self, group: usize) -> bool {
        self.facts.has_one[group] && self.facts.n_left(group) > 1
    }
}
