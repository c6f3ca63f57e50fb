//! The least set of atoms that rules close, one pass over the rules and little else.
//!
//! A rule waits for one atom of its body at a time: for the first that is not in the set yet. When that comes it looks
//! on from there, as clauses watch literals in satisfiability solvers.

use crate::program::Lit;
use crate::rule_store::RuleStore;

const NOBODY: u32 = u32::MAX;

/// What a condition takes to be met.
pub(crate) enum Need {
    Nothing,
    Atom(usize),
    Never,
}

/// The atoms in the set, and the rules whose conditions they meet.
pub(crate) struct Closed {
    pub(crate) holds: Vec<bool>,
    pub(crate) has_fired: Vec<bool>,
}

/// Closes a set under the rules that take part. `follows` gives an atom that comes with another.
pub(crate) fn close(
    rules: &RuleStore,
    n_atoms: usize,
    seeds: impl Iterator<Item = usize>,
    takes_part: impl Fn(usize) -> bool,
    need: impl Fn(Lit) -> Need,
    follows: impl Fn(usize) -> Option<usize>,
) -> Closed {
    let n_rules = rules.heads.len();
    let mut closing = Closing {
        rules,
        closed: Closed { holds: vec![false; n_atoms], has_fired: vec![false; n_rules] },
        first_waiter: vec![NOBODY; n_atoms],
        next_waiter: vec![NOBODY; n_rules],
        queue: Vec::new(),
    };
    seeds.for_each(|seed| closing.add(seed));
    for rule in (0..n_rules).filter(|&rule| takes_part(rule)) {
        closing.look(rule, &need);
        closing.wake(&need, &follows);
    }
    closing.wake(&need, &follows);
    closing.closed
}

struct Closing<'r> {
    rules: &'r RuleStore,
    closed: Closed,
    /// The rules that wait for each atom, as linked lists.
    first_waiter: Vec<u32>,
    next_waiter: Vec<u32>,
    /// Atoms whose waiters are not woken yet.
    queue: Vec<u32>,
}

impl Closing<'_> {
    fn add(&mut self, atom: usize) {
        if !std::mem::replace(&mut self.closed.holds[atom], true) {
            self.queue.push(atom as u32);
        }
    }

    /// Lets a rule fire, or wait for what it needs next.
    #[inline]
    fn look(&mut self, rule: usize, need: &impl Fn(Lit) -> Need) {
        for &lit in self.rules.body(rule) {
            match need(lit) {
                Need::Never => return,
                Need::Atom(atom) if !self.closed.holds[atom] => {
                    self.next_waiter[rule] = std::mem::replace(&mut self.first_waiter[atom], rule as u32);
                    return;
                }
                Need::Nothing | Need::Atom(_) => {}
            }
        }
        self.closed.has_fired[rule] = true;
        self.add(self.rules.heads[rule] as usize);
    }

    /// Lets everybody look who waits for what has come.
    fn wake(&mut self, need: &impl Fn(Lit) -> Need, follows: &impl Fn(usize) -> Option<usize>) {
        while let Some(atom) = self.queue.pop() {
            let atom = atom as usize;
            if let Some(other) = follows(atom) {
                self.add(other);
            }
            let mut waiter = std::mem::replace(&mut self.first_waiter[atom], NOBODY);
            while waiter != NOBODY {
                let rule = waiter as usize;
                waiter = self.next_waiter[rule];
                self.look(rule, need);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_store::tests::store;

    #[test]
    fn what_follows_in_any_order_of_the_rules() {
        let rules = store(&[(0, 0, 3, &[1, 2]), (1, 0, 4, &[3, 6]), (2, 0, 2, &[1]), (3, 0, 5, &[4, 0])]);
        let need = |lit: Lit| match lit.atom().index() {
            0 => Need::Never,
            6 => Need::Nothing,
            atom => Need::Atom(atom),
        };
        let closed = close(&rules, 9, [1].into_iter(), |_| true, need, |atom| (atom == 4).then_some(8));
        assert_eq!(closed.holds, [false, true, true, true, true, false, false, false, true]);
        assert_eq!(closed.has_fired, [true, true, true, false]);
        let closed = close(&rules, 9, [1].into_iter(), |rule| rule != 2, need, |_| None);
        assert_eq!(closed.has_fired, [false; 4]);
    }
}
