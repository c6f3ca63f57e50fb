//! Persistent facts: once true, true until the match is over.
//!
//! The labels of [`senet_analysis::Temporization`] are those of the relations of a game. What an
//! engine keeps are whole relations of MINI-GDL, so a shape of fluents is persistent only if a
//! frame rule keeps all of it.

use crate::lower::Lifetime;
use crate::rule::{Atom, Literal, RelId, Rule};
use crate::rule_set::RuleSet;
use crate::shapes::{FluentShape, Shapes};

/// The relations whose facts stay true while a match goes on.
#[derive(Clone, Debug)]
pub struct Persistent {
    is_persistent: Vec<bool>,
}

impl Persistent {
    /// Nothing is persistent.
    pub fn none(rule_set: &RuleSet) -> Persistent {
        Persistent { is_persistent: vec![false; rule_set.relations.len()] }
    }

    /// Finds the persistent relations and takes out frame rules.
    ///
    /// Of the fluents that are kept, only new ones have to be derived.
    pub fn take_frames(rule_set: &mut RuleSet, shapes: &Shapes) -> Persistent {
        let is_used = |relation| {
            rule_set.rules.iter().flat_map(Rule::atoms).any(|atom: &Atom| atom.relation == relation)
        };
        let is_kept = |shape: &&FluentShape| {
            // Rules for `true` and rules that use `next` would have to see every fluent.
            let has_rules = rule_set.rules_of(shape.now).next().is_some();
            !has_rules && !is_used(shape.next) && rule_set.rules.iter().any(|rule| is_frame(rule, shape))
        };
        let kept: Vec<FluentShape> = shapes.fluents.iter().filter(is_kept).copied().collect();
        rule_set.rules.retain(|rule| !kept.iter().any(|shape| is_frame(rule, shape)));
        let mut is_persistent: Vec<bool> =
            rule_set.relations.iter().map(|relation| relation.lifetime == Lifetime::Position).collect();
        for shape in &shapes.fluents {
            is_persistent[shape.now.index()] = kept.iter().any(|kept| kept.now == shape.now);
        }
        let mut labels = Persistent { is_persistent };
        while let Some(rule) = rule_set.rules.iter().find(|rule| labels.is_broken(rule_set, rule)) {
            labels.is_persistent[rule.head.relation.index()] = false;
        }
        labels
    }

    /// Whether the facts of a relation stay.
    pub fn contains(&self, relation: RelId) -> bool {
        self.is_persistent[relation.index()]
    }

    /// Whether the conclusions of a rule may end before its relation does.
    fn is_broken(&self, rule_set: &RuleSet, rule: &Rule) -> bool {
        let stays = |literal: &Literal| match literal {
            Literal::Distinct(..) => true,
            Literal::Positive(atom) => rule_set.is_permanent(atom.relation) || self.contains(atom.relation),
            Literal::Negative(atom) => rule_set.is_permanent(atom.relation),
        };
        self.contains(rule.head.relation) && !rule.body.iter().all(stays)
    }
}

/// Whether a rule says that every fluent of a shape stays.
fn is_frame(rule: &Rule, shape: &FluentShape) -> bool {
    let [Literal::Positive(now)] = &rule.body[..] else { return false };
    let is_of_shape = rule.head.relation == shape.next && now.relation == shape.now;
    is_of_shape && rule.head.has_different_variables() && now.args == rule.head.args
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::split;
    use crate::testing::{relation, rule_set};

    #[test]
    fn what_follows_from_kept_fluents_stays() {
        let mut rule_set = rule_set(
            "(init (mark a)) (init (step a)) (<= (next (mark ?x)) (true (mark ?x))) (<= (next (mark b)) (true (step a)))
             (<= (next (step b)) (true (step a))) (near a b)
             (<= (pair ?x ?y) (true (mark ?x)) (true (mark ?y)) (near ?x ?y) (not (near ?y ?x)))
             (<= (gone ?x) (near ?x ?y) (not (true (mark ?x)))) (<= (soon ?x) (pair ?x ?y) (true (step ?y)))
             (<= terminal (pair ?x ?y)) (<= (goal robot 100) (gone ?x) (soon ?x))",
        );
        let shapes = split(&mut rule_set);
        let n_rules = rule_set.rules.len();
        let persistent = Persistent::take_frames(&mut rule_set, &shapes);
        assert_eq!(rule_set.rules.len(), n_rules - 1);
        let is_kept: Vec<bool> = shapes.fluents.iter().map(|shape| persistent.contains(shape.now)).collect();
        assert_eq!(is_kept.iter().filter(|&&is_kept| is_kept).count(), 1);
        let stays = |name| persistent.contains(relation(&rule_set, name));
        assert_eq!(["pair", "terminal", "gone", "soon"].map(stays), [true, true, false, false]);
    }

    /// Marks of one kind are kept, and so no mark is.
    #[test]
    fn a_frame_keeps_all_or_nothing() {
        let mut rule_set = rule_set(
            "(<= (next (mark ?x a)) (true (mark ?x a))) (<= (next (mark ?x b)) (does robot (draw ?x)))",
        );
        let shapes = split(&mut rule_set);
        let n_rules = rule_set.rules.len();
        let persistent = Persistent::take_frames(&mut rule_set, &shapes);
        assert_eq!(rule_set.rules.len(), n_rules);
        assert!(!shapes.fluents.iter().any(|shape| persistent.contains(shape.now)));
    }
}
