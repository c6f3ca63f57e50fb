//! The proof that groups never lose their last member.

use super::choice::{Refutation, groups_to_ask};
use super::handed_on::are_handed_on;
use super::network::Network;
use super::propagate::Propagation;
use crate::program::{GroundProgram, MutexGroup};

/// How many uses of atoms are looked at: so many for each literal and atom, and some more.
const WORK_PER_LITERAL: usize = 1;
const WORK_BESIDE: usize = 10_000;
/// How much of what would be its even share one group may take, and how much in any case.
const SHARES_OF_GROUP: u64 = 8;
const WORK_OF_GROUP: u64 = 1_000;

/// Marks the groups of which exactly one member holds in every state that can be reached, as far as can be
/// proved. At most one must hold in each group, as [`exclusive_groups`](super::exclusive_groups) finds them, and
/// the rules must be those of the game with negation.
pub(crate) fn label_exactly_one(program: &GroundProgram, groups: &mut [MutexGroup]) {
    let mut is_initial = vec![false; program.n_atoms()];
    program.init().iter().for_each(|fluent| is_initial[fluent.index()] = true);
    let begins_with_one =
        |group: &MutexGroup| group.fluents.iter().filter(|fluent| is_initial[fluent.index()]).count() == 1;
    let candidates: Vec<usize> = (0..groups.len()).filter(|&group| begins_with_one(&groups[group])).collect();
    if candidates.is_empty() {
        return;
    }
    if are_handed_on(program, groups, &candidates) {
        candidates.into_iter().for_each(|group| groups[group].is_exactly_one = true);
        return;
    }
    let Some(network) = Network::new(program, groups) else { return };
    let work = WORK_PER_LITERAL * (program.n_body_literals() + program.n_atoms()) + WORK_BESIDE;
    let mut facts = Propagation::new(&network, groups.len(), work as u64);
    if facts.begin().is_err() {
        return;
    }
    // Not before: what holds in every state must not rest on what is yet to be proved.
    candidates.iter().for_each(|&group| facts.has_one[group] = true);
    let to_ask = groups_to_ask(&network, groups.len());
    let kept = Induction { facts, to_ask, dependents: vec![Vec::new(); groups.len()] }.run(candidates);
    kept.into_iter().for_each(|group| groups[group].is_exactly_one = true);
}

struct Induction<'n> {
    facts: Propagation<'n>,
    to_ask: Vec<usize>,
    /// By group: those that were proved with it.
    dependents: Vec<Vec<usize>>,
}

impl Induction<'_> {
    /// The groups that keep a member if all of these have one.
    fn run(mut self, candidates: Vec<usize>) -> Vec<usize> {
        let mut is_proved = vec![false; self.dependents.len()];
        let mut pending = candidates;
        let network = self.facts.network;
        pending.sort_by_cached_key(|&group| std::cmp::Reverse((network.n_next_rules(group), group)));
        while let Some(group) = pending.pop() {
            is_proved[group] = self.is_kept(group, pending.len());
            if is_proved[group] {
                continue;
            }
            self.facts.has_one[group] = false;
            for dependent in std::mem::take(&mut self.dependents[group]) {
                if std::mem::take(&mut is_proved[dependent]) {
                    pending.push(dependent);
                }
            }
        }
        (0..is_proved.len()).filter(|&group| is_proved[group]).collect()
    }

    /// Whether the group has a member in the next state if all groups that are assumed to have one do now.
    fn is_kept(&mut self, group: usize, n_others: usize) -> bool {
        let all = self.facts.fuel;
        let share = all / (n_others as u64 + 1) * SHARES_OF_GROUP;
        let own = all.min(share.max(WORK_OF_GROUP));
        self.facts.fuel = own;
        self.facts.forget_used();
        let Induction { facts, to_ask, dependents } = self;
        let is_kept = own > 0 && Refutation { facts, to_ask, group, conditions: Vec::new() }.succeeds();
        facts.fuel = all - (own - facts.fuel);
        if is_kept {
            for &used in &facts.used {
                // Roles come after the groups, and have a move in any case.
                if let Some(dependents) = dependents.get_mut(used as usize) {
                    dependents.push(group);
                }
            }
        }
        is_kept
    }
}
