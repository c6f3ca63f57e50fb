//! What holds by whichever rule an atom does: a condition that all its rules share.
//!
//! All rules for the moves of a player ask whether it is the player's turn. Knowing that much about two
//! moves is often enough, and the cases need not be told apart.

use super::chase::{Chase, Class, Fact};
use super::template::{LiteralTemplate, Sign};
use smallvec::SmallVec;

impl Chase<'_, '_> {
    /// Adds the conditions that all rules for a fact share. Says whether there are such.
    pub(super) fn add_common(&mut self) -> bool {
        let mut added = false;
        for at in 0..self.facts.len() {
            let fact = self.facts[at];
            if fact.is_spent || fact.sign != Sign::Positive || fact.class != Class::Rules {
                continue;
            }
            let rules: SmallVec<[usize; 16]> = self.rules_for(&fact).collect();
            let n_rules = rules.len().min(u8::MAX as usize) as u8;
            if fact.common_to == n_rules {
                continue;
            }
            self.facts[at].common_to = n_rules;
            added |= fact.common_to == 0 && self.add_lemma(&fact);
            added |= self.add_common_of(&fact, &rules);
        }
        added
    }

    fn add_common_of(&mut self, fact: &Fact, rules: &[usize]) -> bool {
        let templates = self.world.templates;
        let mark = self.arena.mark();
        let Some((model, mut common)) =
            rules.iter().find_map(|&rule| Some((rule, self.conditions(fact, rule)?)))
        else {
            return false;
        };
        for &rule in rules.iter().filter(|&&rule| rule != model) {
            if common.is_empty() {
                break;
            }
            let mark = self.arena.mark();
            let first_arg = self.arena.instantiate(templates, templates.rule(rule));
            if self.arena.unify_all(first_arg, fact.args).is_ok() {
                common.retain(|condition| self.has(templates.literals_of(rule), first_arg, condition));
            }
            self.arena.undo(mark);
        }
        common.retain(|condition| !self.is_known_fact(condition));
        if common.is_empty() {
            self.arena.undo(mark);
        }
        self.facts.extend_from_slice(&common);
        !common.is_empty()
    }

    /// The positive conditions of a rule for a fact that speak of nothing but the arguments of the fact.
    /// `None` if the rule holds only for some values of these.
    fn conditions(&mut self, fact: &Fact, rule: usize) -> Option<SmallVec<[Fact; 4]>> {
        let templates = self.world.templates;
        let mark = self.arena.mark();
        let fresh = self.arena.next_node();
        let first_arg = self.arena.instantiate(templates, templates.rule(rule));
        if !self.arena.all_match(first_arg, fact.args, fresh) {
            self.arena.undo(mark);
            return None;
        }
        let mut conditions = SmallVec::new();
        for literal in templates.literals_of(rule).iter().filter(|literal| literal.sign == Sign::Positive) {
            let condition = Fact::new(literal, first_arg, fact.depth + 1);
            if self.arena.are_settled(condition.args, fresh) {
                conditions.push(condition);
            }
        }
        Some(conditions)
    }

    /// Whether one of the literals, whose arguments begin there, is the condition.
    pub(super) fn has(&mut self, literals: &[LiteralTemplate], first_arg: u32, condition: &Fact) -> bool {
        literals.iter().any(|literal| self.is_same(&Fact::new(literal, first_arg, 0), condition))
    }

    fn is_known_fact(&mut self, condition: &Fact) -> bool {
        (0..self.facts.len()).any(|at| {
            let fact = self.facts[at];
            self.is_same(&fact, condition)
        })
    }

    pub(super) fn is_same(&mut self, left: &Fact, right: &Fact) -> bool {
        left.sign == right.sign
            && left.relation == right.relation
            && self.arena.all_equal(left.args.first, right.args)
    }
}
