//! Persistent facts: once true, true until the match is over.
//!
//! The labels of [`senet_analysis::Temporization`] are those of the relations of a game. What an engine keeps are whole
//! relations of MINI-GDL, so a shape of fluents is persistent only if a frame rule keeps all of it.

use crate::mini::{Lifetime, Literal, Mini, RelId, Rule};
use crate::shapes::{FluentShape, Shapes};

/// The relations whose facts stay true while a match goes on.
#[derive(Clone, Debug)]
pub struct Persistent {
    is_persistent: Vec<bool>,
}

impl Persistent {
    /// Nothing is persistent.
    pub fn none(mini: &Mini) -> Persistent {
        Persistent { is_persistent: vec![false; mini.relations.len()] }
    }

    /// The persistent relations. Of the fluents that are kept, only those that come new have to be derived: their frame
    /// rules are taken out of the rules.
    pub fn take_frames(mini: &mut Mini, shapes: &Shapes) -> Persistent {
        let is_used = |mini: &Mini, relation| atoms_of_bodies(mini).any(|literal| uses(literal, relation));
        let is_kept = |shape: &&FluentShape| {
            // Rules for `true` and rules that use `next` would have to see every fluent.
            let has_rules = mini.rules.iter().any(|rule| rule.head.relation == shape.now);
            !has_rules && !is_used(mini, shape.next) && mini.rules.iter().any(|rule| is_frame(rule, shape))
        };
        let kept: Vec<FluentShape> = shapes.fluents.iter().filter(is_kept).copied().collect();
        mini.rules.retain(|rule| !kept.iter().any(|shape| is_frame(rule, shape)));
        let mut is_persistent: Vec<bool> =
            mini.relations.iter().map(|relation| relation.lifetime == Lifetime::Position).collect();
        for shape in &shapes.fluents {
            is_persistent[shape.now.index()] = kept.iter().any(|kept| kept.now == shape.now);
        }
        let mut labels = Persistent { is_persistent };
        while let Some(rule) = mini.rules.iter().find(|rule| labels.is_broken(mini, rule)) {
            labels.is_persistent[rule.head.relation.index()] = false;
        }
        labels
    }

    /// Whether the facts of a relation stay.
    pub fn contains(&self, relation: RelId) -> bool {
        self.is_persistent[relation.index()]
    }

    /// Whether what follows from a rule may not stay though its relation does.
    fn is_broken(&self, mini: &Mini, rule: &Rule) -> bool {
        let is_permanent = |relation: RelId| mini.relations[relation.index()].lifetime == Lifetime::Match;
        let stays = |literal: &Literal| match literal {
            Literal::Distinct(..) => true,
            Literal::Positive(atom) => is_permanent(atom.relation) || self.contains(atom.relation),
            Literal::Negative(atom) => is_permanent(atom.relation),
        };
        self.contains(rule.head.relation) && !rule.body.iter().all(stays)
    }
}

fn atoms_of_bodies(mini: &Mini) -> impl Iterator<Item = &Literal> {
    mini.rules.iter().flat_map(|rule| &rule.body)
}

fn uses(literal: &Literal, relation: RelId) -> bool {
    literal.atom().is_some_and(|atom| atom.relation == relation)
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
    use crate::testing::{mini, relation};

    #[test]
    fn what_follows_from_kept_fluents_stays() {
        let mut mini = mini(
            "(init (mark a)) (init (step a)) (<= (next (mark ?x)) (true (mark ?x))) (<= (next (mark b)) (true (step a)))
             (<= (next (step b)) (true (step a))) (near a b)
             (<= (pair ?x ?y) (true (mark ?x)) (true (mark ?y)) (near ?x ?y) (not (near ?y ?x)))
             (<= (gone ?x) (near ?x ?y) (not (true (mark ?x)))) (<= (soon ?x) (pair ?x ?y) (true (step ?y)))
             (<= terminal (pair ?x ?y)) (<= (goal robot 100) (gone ?x) (soon ?x))",
        );
        let shapes = split(&mut mini);
        let n_rules = mini.rules.len();
        let persistent = Persistent::take_frames(&mut mini, &shapes);
        assert_eq!(mini.rules.len(), n_rules - 1);
        let is_kept: Vec<bool> = shapes.fluents.iter().map(|shape| persistent.contains(shape.now)).collect();
        assert_eq!(is_kept.iter().filter(|&&is_kept| is_kept).count(), 1);
        let stays = |name| persistent.contains(relation(&mini, name));
        assert_eq!(["pair", "terminal", "gone", "soon"].map(stays), [true, true, false, false]);
    }

    /// Marks of one kind are kept, and so no mark is.
    #[test]
    fn a_frame_keeps_all_or_nothing() {
        let mut mini =
            mini("(<= (next (mark ?x a)) (true (mark ?x a))) (<= (next (mark ?x b)) (does robot (draw ?x)))");
        let shapes = split(&mut mini);
        let n_rules = mini.rules.len();
        let persistent = Persistent::take_frames(&mut mini, &shapes);
        assert_eq!(mini.rules.len(), n_rules);
        assert!(!shapes.fluents.iter().any(|shape| persistent.contains(shape.now)));
    }
}
