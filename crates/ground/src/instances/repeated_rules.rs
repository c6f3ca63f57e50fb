//! Finding rules that are stored more than once.
//!
//! Each rule that may be is noted with a hash. Rules that come again soon are recognised at once;
//! the others when the hashes are sorted, which touches memory in order where a table of millions
//! would be hit at random.

use crate::program::{Lit, RuleStore};
use senet_terms::hash::hash_values;

/// Before there are so many rules nothing is done about those that come again soon.
const FEW: usize = 1 << 12;
/// The places for rules that may come again soon.
const PLACES: usize = 1 << 16;
const NOBODY: u64 = u64::MAX;

/// The rules that may be stored more than once: a hash above the number of the rule.
#[derive(Default)]
pub(crate) struct RepeatedRules {
    keys: Vec<u64>,
    /// The last key by the end of its hash.
    recent: Vec<u64>,
}

impl RepeatedRules {
    /// Notes the rule that is to be stored next; false if it is stored already.
    #[inline]
    pub(crate) fn add(&mut self, rules: &RuleStore, head: u32, body: &[Lit]) -> bool {
        let hash = hash_values(head, body.iter().map(|lit| lit.code())) >> 32;
        let key = hash << 32 | rules.heads.len() as u64;
        if self.keys.len() >= FEW {
            if self.recent.is_empty() {
                self.recent.resize(PLACES, NOBODY);
            }
            let place = &mut self.recent[hash as usize % PLACES];
            let known = *place as u32 as usize;
            if *place >> 32 == hash && rules.heads.get(known) == Some(&head) && rules.body(known) == body {
                return false;
            }
            *place = key;
        }
        self.keys.push(key);
        true
    }

    /// Notes a rule that is stored already.
    pub(crate) fn add_stored(&mut self, rules: &RuleStore, rule: usize) {
        let hash = hash_values(rules.heads[rule], rules.body(rule).iter().map(|lit| lit.code())) >> 32;
        self.keys.push(hash << 32 | rule as u64);
    }

    /// Drops the noted rules that are the same as an earlier one, and forgets the notes.
    pub(crate) fn drop_repetitions(&mut self, rules: &mut RuleStore) {
        if self.keys.len() < 2 {
            self.keys.clear();
            return;
        }
        let mut repetitions = self.repetitions(rules);
        self.keys.clear();
        self.recent.clear();
        if !repetitions.is_empty() {
            repetitions.sort_unstable();
            rules.remove(repetitions[0] as usize, &repetitions);
        }
    }

    fn repetitions(&mut self, rules: &RuleStore) -> Vec<u32> {
        let mut repetitions = Vec::new();
        sort(&mut self.keys);
        for same_hash in self.keys.chunk_by(|left, right| left >> 32 == right >> 32) {
            let numbers = same_hash.iter().map(|&key| key as u32);
            for (at, rule) in numbers.clone().enumerate().skip(1) {
                let is_same = |other: u32| {
                    rules.heads[other as usize] == rules.heads[rule as usize]
                        && rules.body(other as usize) == rules.body(rule as usize)
                };
                if numbers.clone().take(at).any(is_same) {
                    repetitions.push(rule);
                }
            }
        }
        repetitions
    }
}

/// Sorts keys: many of them first by the top of their hash, so that the parts fit into a cache.
fn sort(keys: &mut [u64]) {
    const FEW: usize = 1 << 14;
    const BITS: u32 = 8;
    if keys.len() <= FEW {
        keys.sort_unstable();
        return;
    }
    let part = |key: u64| (key >> (64 - BITS)) as usize;
    let mut first = [0usize; (1 << BITS) + 1];
    keys.iter().for_each(|&key| first[part(key) + 1] += 1);
    for at in 0..1 << BITS {
        first[at + 1] += first[at];
    }
    let mut place = first;
    let unsorted = keys.to_vec();
    for key in unsorted {
        keys[place[part(key)]] = key;
        place[part(key)] += 1;
    }
    for at in 0..1 << BITS {
        keys[first[at]..first[at + 1]].sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::AtomId;
    use crate::program::tests::store;

    #[test]
    fn repetitions_are_dropped_and_runs_stay_true() {
        let all: [(usize, u32, u32, &[usize]); 8] = [
            (0, 0, 9, &[1]),
            (1, 0, 5, &[1, 2]),
            (1, 0, 6, &[1, 2]),
            (1, 0, 5, &[1, 2]),
            (2, 0, 5, &[1, 2]),
            (3, 0, 5, &[1]),
            (3, 0, 5, &[1, 2]),
            (3, 0, 7, &[3]),
        ];
        let mut keys = RepeatedRules::default();
        for at in 1..all.len() {
            let before = store(&all[..at]);
            let body: Vec<Lit> = all[at].3.iter().map(|&atom| Lit::positive(AtomId::new(atom))).collect();
            assert!(keys.add(&before, all[at].2, &body));
        }
        let mut rules = store(&all);
        keys.drop_repetitions(&mut rules);
        rules.drop_empty_runs();
        assert_eq!(rules.heads, [9, 5, 6, 5, 7]);
        assert_eq!(rules.first_literal, [0, 1, 3, 5, 6, 7]);
        let origins: Vec<_> = rules.runs.iter().map(|run| (run.origin.index(), run.first)).collect();
        assert_eq!(origins, [(0, 0), (1, 1), (3, 3)]);
    }

    #[test]
    fn of_many_rules_each_stays_once() {
        let mut rules = RuleStore { first_literal: vec![0], ..RuleStore::default() };
        let mut keys = RepeatedRules::default();
        for round in 0..3 {
            for head in 0..20_000 {
                let body = [Lit::positive(AtomId::new(head as usize / (1 + round) % 100))];
                if keys.add(&rules, head, &body) {
                    rules.heads.push(head);
                    rules.literals.extend_from_slice(&body);
                    rules.first_literal.push(rules.literals.len() as u32);
                }
            }
        }
        keys.drop_repetitions(&mut rules);
        let mut seen: Vec<(u32, &[Lit])> =
            (0..rules.heads.len()).map(|rule| (rules.heads[rule], rules.body(rule))).collect();
        let n_rules = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), n_rules);
        assert!((20_000..60_000).contains(&n_rules), "{n_rules}");
    }
}
