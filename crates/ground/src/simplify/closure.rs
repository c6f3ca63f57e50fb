//! The least set of atoms that rules close, one pass over the rules and little else.
//!
//! A rule waits for one literal of its body at a time: for the first that does not hold yet. When that comes it looks
//! on from there, as clauses watch literals in satisfiability solvers.

use crate::program::RuleStore;

const NOBODY: u32 = u32::MAX;

/// The literals that hold, by their codes, and the rules whose conditions they meet.
pub(crate) struct Closed {
    pub(crate) holds: Vec<bool>,
    pub(crate) has_fired: Vec<bool>,
}

/// Closes a set of atoms under the rules that take part. `holds` says which negative literals hold, by their codes.
/// `follows` gives an atom that comes with another.
pub(crate) fn close(
    rules: &RuleStore,
    holds: Vec<bool>,
    seeds: impl Iterator<Item = usize>,
    mut takes_part: impl FnMut(usize) -> bool,
    follows: impl Fn(usize) -> Option<usize>,
) -> Closed {
    let n_rules = rules.heads.len();
    let mut closing = Closing {
        rules,
        first_waiter: vec![NOBODY; holds.len()],
        closed: Closed { holds, has_fired: vec![false; n_rules] },
        next_waiter: vec![NOBODY; n_rules],
        queue: Vec::new(),
    };
    seeds.for_each(|seed| closing.add(seed));
    for rule in 0..n_rules {
        if takes_part(rule) {
            closing.look(rule);
        }
        if !closing.queue.is_empty() {
            closing.wake(&follows);
        }
    }
    closing.wake(&follows);
    closing.closed
}

struct Closing<'r> {
    rules: &'r RuleStore,
    closed: Closed,
    /// The rules that wait for each literal, as linked lists.
    first_waiter: Vec<u32>,
    next_waiter: Vec<u32>,
    /// Atoms whose waiters are not woken yet.
    queue: Vec<u32>,
}

impl Closing<'_> {
    #[inline]
    fn add(&mut self, atom: usize) {
        if !std::mem::replace(&mut self.closed.holds[2 * atom], true) {
            self.queue.push(atom as u32);
        }
    }

    /// Lets a rule fire, or wait for what it needs next.
    #[inline(always)]
    fn look(&mut self, rule: usize) {
        let missing = self.rules.body(rule).iter().find(|lit| !self.closed.holds[lit.code() as usize]);
        match missing {
            Some(lit) => {
                let first = &mut self.first_waiter[lit.code() as usize];
                self.next_waiter[rule] = std::mem::replace(first, rule as u32);
            }
            None => {
                self.closed.has_fired[rule] = true;
                self.add(self.rules.heads[rule] as usize);
            }
        }
    }

    /// Lets everybody look who waits for what has come.
    fn wake(&mut self, follows: &impl Fn(usize) -> Option<usize>) {
        while let Some(atom) = self.queue.pop() {
            let atom = atom as usize;
            if let Some(other) = follows(atom) {
                self.add(other);
            }
            let mut waiter = std::mem::replace(&mut self.first_waiter[2 * atom], NOBODY);
            while waiter != NOBODY {
                let rule = waiter as usize;
                waiter = self.next_waiter[rule];
                self.look(rule);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::tests::store;
    use crate::program::{AtomId, Lit};

    #[test]
    fn what_follows_in_any_order_of_the_rules() {
        let rules = store(&[(0, 0, 3, &[1, 2]), (1, 0, 4, &[3]), (2, 0, 2, &[1]), (3, 0, 5, &[4, 0])]);
        let atoms = |closed: &Closed| closed.holds.iter().step_by(2).copied().collect::<Vec<_>>();
        let none = || vec![false; 18];
        let closed = close(&rules, none(), [1].into_iter(), |_| true, |atom| (atom == 4).then_some(8));
        assert_eq!(atoms(&closed), [false, true, true, true, true, false, false, false, true]);
        assert_eq!(closed.has_fired, [true, true, true, false]);
        let closed = close(&rules, none(), [1].into_iter(), |rule| rule != 2, |_| None);
        assert_eq!(closed.has_fired, [false; 4]);
    }

    #[test]
    fn negative_literals_hold_or_never_do() {
        let mut rules = store(&[(0, 0, 1, &[0]), (1, 0, 2, &[1])]);
        rules.literals = [0, 1].map(|atom| Lit::negative(AtomId::new(atom))).to_vec();
        let mut holds = vec![false; 6];
        holds[1] = true;
        let closed = close(&rules, holds, std::iter::empty(), |_| true, |_| None);
        assert_eq!(closed.holds, [false, true, true, false, false, false]);
        assert_eq!(closed.has_fired, [true, false]);
    }
}
