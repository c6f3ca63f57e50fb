//! What holds of a recursive relation by induction over its rules.
//!
//! A path through blank cells ends on a blank cell: a rule for the first step says so, and a rule that
//! lengthens the path leaves its end where it was.

use super::arena::Span;
use super::chase::{Chase, Fact};
use super::template::{LiteralTemplate, Sign};
use senet_analysis::RelationId;
use senet_ids::Symbol;
use std::rc::Rc;

/// Conditions of a rule that hold also where other rules conclude the relation.
#[derive(Debug)]
pub(super) struct Lemma {
    rule: usize,
    literals: Vec<LiteralTemplate>,
}

impl Chase<'_, '_> {
    /// Adds what is known by induction of a fact. Says whether something is.
    pub(super) fn add_lemma(&mut self, fact: &Fact) -> bool {
        let lemma = match self.lemmas.get(&fact.relation) {
            Some(known) => known.clone(),
            None => {
                let found = self.find_lemma(fact.relation, fact.args.len as usize).map(Rc::new);
                self.lemmas.insert(fact.relation, found.clone());
                found
            }
        };
        let Some(lemma) = lemma else { return false };
        let Some(first_arg) = self.conclude(lemma.rule, fact.args) else { return false };
        self.facts.extend(lemma.literals.iter().map(|literal| Fact::new(literal, first_arg, fact.depth + 1)));
        true
    }

    fn find_lemma(&mut self, relation: RelationId, arity: usize) -> Option<Lemma> {
        let templates = self.world.templates;
        let is_recursive =
            |rule: usize| templates.literals_of(rule).iter().any(|literal| literal.relation == relation);
        let rules = templates.rules_of(relation);
        if !rules.clone().any(is_recursive) {
            return None;
        }
        let mark = self.arena.mark();
        let args = self.arena.pattern(Symbol::new(0), arity);
        let mut lemma = None;
        for rule in rules.clone().filter(|&rule| !is_recursive(rule)) {
            let fresh = self.arena.next_node();
            let Some(first_arg) = self.conclude(rule, args) else { continue };
            let mut literals = templates.literals_of(rule).to_vec();
            literals.retain(|literal| self.arena.are_settled(Fact::new(literal, first_arg, 0).args, fresh));
            for other in rules.clone().filter(|&other| other != rule) {
                literals.retain(|literal| self.is_inherited(rule, literal, first_arg, other, args));
            }
            lemma = (!literals.is_empty()).then_some(Lemma { rule, literals });
            break;
        }
        self.arena.undo(mark);
        lemma
    }

    /// Copies a rule that concludes the relation for the arguments, whatever they are.
    fn conclude(&mut self, rule: usize, args: Span) -> Option<u32> {
        let templates = self.world.templates;
        let fresh = self.arena.next_node();
        let first_arg = self.arena.instantiate(templates, templates.rule(rule));
        self.arena.all_match(first_arg, args, fresh).then_some(first_arg)
    }

    /// Whether the literal of the first rule holds where the second concludes the same, given that it holds
    /// where the second uses the relation.
    fn is_inherited(
        &mut self,
        rule: usize,
        literal: &LiteralTemplate,
        first_arg: u32,
        other: usize,
        args: Span,
    ) -> bool {
        let templates = self.world.templates;
        let condition = Fact::new(literal, first_arg, 0);
        let mark = self.arena.mark();
        let first_arg = self.arena.instantiate(templates, templates.rule(other));
        let inherited = self.arena.unify_all(first_arg, args).is_err()
            || self.has(templates.literals_of(other), first_arg, &condition)
            || templates.literals_of(other).iter().any(|used| {
                let used_fact = Fact::new(used, first_arg, 0);
                used.sign == Sign::Positive && used.relation == templates.relation_of(rule) && {
                    self.conclude(rule, used_fact.args)
                        .is_some_and(|first_arg| self.is_same(&Fact::new(literal, first_arg, 0), &condition))
                }
            });
        self.arena.undo(mark);
        inherited
    }
}
