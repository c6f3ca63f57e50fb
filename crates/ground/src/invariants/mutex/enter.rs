//! Where propagation begins: what is known of every state, and the rules for one group in the next.

use super::propagate::{Contradiction, FREE, Propagation, RuleState, negative, positive};
use crate::program::{Kind, Lit};

impl Propagation<'_> {
    /// What is known of every state that has not ended.
    pub(super) fn begin(&mut self) -> Result<(), Contradiction> {
        let program = self.network.program;
        for fact in program.facts() {
            self.n_possible[fact.index()] = FREE;
            self.assert(Lit::positive(*fact))?;
        }
        for block in program.blocks() {
            let is_input = matches!(block.kind, Kind::True | Kind::Does);
            let n_passed = if is_input { block.n_possible as usize } else { 0 };
            for atom in block.atoms().skip(n_passed) {
                if is_input || block.kind == Kind::Terminal || self.n_possible[atom.index()] == 0 {
                    self.assert(Lit::negative(atom))?;
                }
            }
        }
        for rule in 0..self.rules.len() {
            let RuleState { head, n_open, .. } = self.rules[rule];
            if n_open == 0 {
                self.assume(positive(head as usize))?;
            }
        }
        self.propagate()
    }

    /// Lets the rules take part that have a say in whether members of a group hold in the next state. Those of
    /// other groups would only cost time.
    pub(super) fn enter_step(&mut self, group: usize) -> Result<(), Contradiction> {
        let network = self.network;
        for &fluent in network.members.of(group) {
            self.step.add_atom(network.next_of(fluent));
        }
        let mut n_entered = 0;
        while let Some(atom) = self.step.atoms.get(n_entered).copied() {
            n_entered += 1;
            self.enter_rules(atom as usize);
        }
        for at in 0..n_entered {
            let atom = self.step.atoms[at] as usize;
            let mut rules = network.rules.of(atom).iter();
            if self.n_possible[atom] == 0 {
                self.assume(negative(atom))?;
            } else if rules.any(|&rule| self.n_open(rule) == 0 && self.is_possible(rule)) {
                self.assume(positive(atom))?;
            }
        }
        Ok(())
    }

    fn enter_rules(&mut self, head: usize) {
        let network = self.network;
        let mut n_possible = 0;
        for &rule in network.rules.of(head) {
            let body = network.body(rule);
            self.spend(1 + body.len());
            let (mut n_open, mut n_false) = (0, 0);
            for lit in body {
                n_open += u32::from(!self.holds[lit.code() as usize]);
                n_false += u32::from(self.is_false(lit.code()));
                self.step.add_user(lit.code(), rule);
                let atom = lit.atom().index();
                if !network.is_of_state[atom] && self.n_possible[atom] != FREE {
                    self.step.add_atom(atom);
                }
            }
            self.rules[rule as usize] = RuleState { head: head as u32, n_open, n_false };
            n_possible += u32::from(n_false == 0);
        }
        if self.n_possible[head] != FREE {
            self.n_possible[head] = n_possible;
        }
    }

    pub(super) fn leave_step(&mut self) {
        self.step.clear();
    }
}
