//! The way back from conclusions.

use super::propagate::{FREE, Propagation};

impl Propagation<'_> {
    /// Takes back all but the first conclusions.
    pub(super) fn undo(&mut self, n_kept: usize) {
        let network = self.network;
        while self.trail.len() > n_kept {
            let at = self.trail.len() - 1;
            let Some(code) = self.trail.pop() else { break };
            self.holds[code as usize] = false;
            if at < self.n_compared && code & 1 == 1 {
                let groups = network.groups.of((code >> 1) as usize);
                groups.iter().for_each(|&group| self.n_left[group as usize] += 1);
            }
            if at < self.n_applied {
                self.undo_rules(code);
            }
        }
        self.n_applied = self.n_applied.min(n_kept);
        self.n_compared = self.n_compared.min(n_kept);
    }

    fn undo_rules(&mut self, code: u32) {
        let network = self.network;
        network.users.of(code as usize).iter().for_each(|&rule| self.rules[rule as usize].n_open += 1);
        network.users.of((code ^ 1) as usize).iter().for_each(|&rule| self.allow(rule));
        let mut at = self.step.first(code);
        while let Some((rule, next)) = self.step.user(at) {
            self.rules[rule as usize].n_open += 1;
            at = next;
        }
        let mut at = self.step.first(code ^ 1);
        while let Some((rule, next)) = self.step.user(at) {
            self.allow(rule);
            at = next;
        }
    }

    #[inline]
    fn allow(&mut self, rule: u32) {
        let state = &mut self.rules[rule as usize];
        state.n_false -= 1;
        if state.n_false == 0 {
            let n_possible = &mut self.n_possible[state.head as usize];
            if *n_possible != FREE {
                *n_possible += 1;
            }
        }
    }
}
