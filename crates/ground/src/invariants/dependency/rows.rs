//! What static facts say about the equality of terms.

use super::arena::{Contradiction, Span};
use super::chase::Chase;
use super::tables::{Agreeing, MAX_POSITIONS, Positions};

impl Chase<'_, '_> {
    /// What columns of a table determine others.
    pub(super) fn merge_rows(&mut self, at: usize) -> Result<bool, Contradiction> {
        let fact = self.facts[at];
        let arity = fact.args.len as usize;
        if !(2..=MAX_POSITIONS).contains(&arity) {
            return Ok(false);
        }
        let mut changed = false;
        for other in 0..at {
            let other = self.facts[other];
            if !other.is_given(fact.relation) {
                continue;
            }
            let mut agree: Positions = 0;
            for place in 0..arity {
                if self.arena.equal(self.fact_arg(&fact, place), self.fact_arg(&other, place)) {
                    agree |= 1 << place;
                }
            }
            let determined = self.tables.determined(&mut self.arena, fact.relation, agree) & !agree;
            for place in (0..arity).filter(|place| determined >> place & 1 == 1) {
                changed |= self.arena.unify(self.fact_arg(&fact, place), self.fact_arg(&other, place))?;
            }
        }
        Ok(changed)
    }

    /// What the rows that agree with a fact have in common.
    pub(super) fn look_up(&mut self, at: usize) -> Result<bool, Contradiction> {
        let fact = self.facts[at];
        if fact.is_spent {
            return Ok(false);
        }
        let asked = self.signature(fact.args);
        if asked == fact.asked {
            return Ok(false);
        }
        self.facts[at].asked = asked;
        self.facts[at].n_cases = 0;
        let Agreeing::Few(rows) = self.tables.agreeing(&mut self.arena, fact.relation, fact.args) else {
            return Ok(false);
        };
        let Some((&first, others)) = rows.split_first() else { return Err(Contradiction) };
        self.facts[at].n_cases = rows.len() as u8;
        self.facts[at].is_spent = others.is_empty();
        let first = self.tables.row(fact.relation, first);
        let mut changed = false;
        for (place, &value) in first.iter().enumerate() {
            if others.iter().all(|&row| self.tables.row(fact.relation, row)[place] == value) {
                changed |= self.arena.unify(self.fact_arg(&fact, place), value)?;
            }
        }
        Ok(changed)
    }

    /// A number that changes when more becomes known of the arguments; never zero.
    fn signature(&self, args: Span) -> u64 {
        let args = &self.arena.args[args.places()];
        let mut signature: u64 = 1;
        for (at, &arg) in args.iter().enumerate() {
            let arg = self.arena.find(arg);
            let code = if self.arena.is_variable(arg) {
                let like = args[..at].iter().position(|&other| self.arena.find(other) == arg);
                2 + like.map_or(0, |like| like as u64 + 1)
            } else {
                1
            };
            signature = signature.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(code);
        }
        signature.max(1)
    }
}
