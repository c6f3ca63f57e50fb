//! Facts that cannot hold together: what is denied follows from the rest.

use super::arena::{Node, Span};
use super::chase::{Chase, Class, Fact};
use super::template::{LiteralTemplate, Sign};
use senet_analysis::RelationId;

/// How many rules deep a denied atom is derived from the facts.
const MAX_DEPTH: usize = 3;

impl Chase<'_, '_> {
    /// Whether some fact contradicts the others.
    pub(super) fn is_refuted(&mut self) -> bool {
        (0..self.facts.len()).any(|at| {
            let fact = self.facts[at];
            match fact.sign {
                Sign::Positive => false,
                Sign::Distinct => self.arena.equal(self.fact_arg(&fact, 0), self.fact_arg(&fact, 1)),
                Sign::Negative => self.follows(&fact, MAX_DEPTH),
            }
        })
    }

    /// Whether the state is seen to be terminal, although it is not.
    pub(super) fn is_terminal(&mut self) -> bool {
        let no_args = Span { first: 0, len: 0 };
        self.world.templates.rules_of(self.world.terminal).any(|rule| self.fires(rule, no_args, MAX_DEPTH))
    }

    /// Whether the atom of a negative fact follows from the other facts.
    fn follows(&mut self, denied: &Fact, depth: usize) -> bool {
        let args = denied.args;
        if self.is_given(denied.relation, Sign::Positive, args) {
            return true;
        }
        match denied.class {
            Class::Table => {
                self.arena.are_settled(args, 0) && self.tables.holds(&mut self.arena, denied.relation, args)
            }
            Class::Rules => {
                self.world.templates.rules_of(denied.relation).any(|rule| self.fires(rule, args, depth))
            }
            _ => false,
        }
    }

    /// Whether a fact with this sign and equal arguments is there.
    fn is_given(&mut self, relation: RelationId, sign: Sign, args: Span) -> bool {
        let Self { facts, arena, .. } = self;
        facts.iter().any(|fact| {
            fact.relation == relation && fact.sign == sign && arena.all_equal(fact.args.first, args)
        })
    }

    /// Whether a rule concludes the atom with these arguments from the facts.
    fn fires(&mut self, rule: usize, args: Span, depth: usize) -> bool {
        let world = self.world;
        let mark = self.arena.mark();
        let fresh = self.arena.next_node();
        let first = self.arena.instantiate(world.templates, world.templates.rule(rule));
        let fires = self.arena.all_match(first, args, fresh)
            && self.all_follow(world.templates.literals_of(rule), Instance { first, fresh, depth });
        self.arena.undo(mark);
        fires
    }

    /// Whether values of the free variables of the rule make the literals follow from the facts.
    fn all_follow(&mut self, literals: &[LiteralTemplate], instance: Instance) -> bool {
        let Some((literal, rest)) = literals.split_first() else { return true };
        let Instance { first, fresh, depth } = instance;
        let args = Span { first: first + literal.first_arg, len: literal.n_args };
        match literal.sign {
            Sign::Distinct => {
                let [left, right] = [0, 1].map(|at| self.arena.args[args.first as usize + at]);
                self.are_distinct(left, right) && self.all_follow(rest, instance)
            }
            Sign::Negative => {
                let fails = self.is_given(literal.relation, Sign::Negative, args)
                    || self.arena.are_settled(args, fresh)
                        && self.tables.holds_nowhere(&mut self.arena, literal.relation, args);
                fails && self.all_follow(rest, instance)
            }
            Sign::Positive => {
                if self.given_with(literal.relation, args, rest, instance) {
                    return true;
                }
                if !self.arena.are_settled(args, fresh) {
                    return false;
                }
                let holds = match literal.class {
                    Class::Table => {
                        self.arena.are_settled(args, 0)
                            && self.tables.holds(&mut self.arena, literal.relation, args)
                    }
                    Class::Rules if depth > 0 => self
                        .world
                        .templates
                        .rules_of(literal.relation)
                        .any(|rule| self.fires(rule, args, depth - 1)),
                    _ => false,
                };
                holds && self.all_follow(rest, instance)
            }
        }
    }

    /// Whether the relation holds of the arguments by one of the facts such that the rest follows too.
    fn given_with(
        &mut self,
        relation: RelationId,
        args: Span,
        rest: &[LiteralTemplate],
        instance: Instance,
    ) -> bool {
        for at in 0..self.facts.len() {
            let fact = &self.facts[at];
            if !fact.is_given(relation) || self.arena.fuel == 0 {
                continue;
            }
            let mark = self.arena.mark();
            let follows = self.arena.all_match(args.first, fact.args, instance.fresh)
                && self.all_follow(rest, instance);
            self.arena.undo(mark);
            if follows {
                return true;
            }
        }
        false
    }

    /// Whether the terms differ, by their names or by a fact.
    fn are_distinct(&mut self, left: Node, right: Node) -> bool {
        self.arena.apart(left, right)
            || (0..self.facts.len()).any(|at| {
                let fact = self.facts[at];
                fact.sign == Sign::Distinct && {
                    let (one, other) = (self.fact_arg(&fact, 0), self.fact_arg(&fact, 1));
                    self.arena.equal(left, one) && self.arena.equal(right, other)
                        || self.arena.equal(left, other) && self.arena.equal(right, one)
                }
            })
    }
}

/// A rule whose arguments begin at `first` and whose own variables begin at `fresh`.
#[derive(Clone, Copy)]
struct Instance {
    first: u32,
    fresh: Node,
    depth: usize,
}
