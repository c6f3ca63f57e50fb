//! Facts that cannot hold together: what is denied follows from the rest.

use super::arena::Node;
use super::chase::{Chase, Class, Fact};
use super::template::{LiteralTemplate, Sign};

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
        self.world.templates.rules_of(self.world.terminal).any(|rule| self.fires(rule, &[], MAX_DEPTH))
    }

    /// Whether the atom of a negative fact follows from the other facts.
    fn follows(&mut self, denied: &Fact, depth: usize) -> bool {
        let args = self.fact_args(denied);
        if self.is_given(denied.relation.index(), Sign::Positive, &args) {
            return true;
        }
        match self.class(denied) {
            Some(Class::Table) => {
                args.iter().all(|&arg| self.arena.is_settled(arg, 0))
                    && self.tables.holds(&mut self.arena, denied.relation, &args)
            }
            Some(Class::Rules) => {
                self.world.templates.rules_of(denied.relation).any(|rule| self.fires(rule, &args, depth))
            }
            _ => false,
        }
    }

    /// Whether a fact with this sign and equal arguments is there.
    fn is_given(&mut self, relation: usize, sign: Sign, args: &[Node]) -> bool {
        (0..self.facts.len()).any(|at| {
            let fact = self.facts[at];
            fact.sign == sign
                && fact.relation.index() == relation
                && (0..args.len()).all(|place| self.arena.equal(self.fact_arg(&fact, place), args[place]))
        })
    }

    /// Whether a rule concludes the atom with these arguments from the facts.
    fn fires(&mut self, rule: usize, args: &[Node], depth: usize) -> bool {
        let world = self.world;
        let first = self.arena.args.len() as u32;
        let mark = self.arena.mark();
        let fresh = self.arena.next_node();
        self.arena.instantiate(world.templates, world.templates.rule(rule));
        let matches = (0..args.len())
            .all(|at| self.arena.matches(self.arena.args[first as usize + at], args[at], fresh));
        let fires =
            matches && self.all_follow(world.templates.literals_of(rule), Instance { first, fresh, depth });
        self.arena.undo(mark);
        fires
    }

    /// Whether values of the free variables of the rule make the literals follow from the facts.
    fn all_follow(&mut self, literals: &[LiteralTemplate], instance: Instance) -> bool {
        let Some((literal, rest)) = literals.split_first() else { return true };
        let Instance { first, fresh, depth } = instance;
        let args =
            self.arena.args[(first + literal.first_arg) as usize..][..literal.n_args as usize].to_vec();
        match literal.sign {
            Sign::Distinct => self.are_distinct(args[0], args[1]) && self.all_follow(rest, instance),
            Sign::Negative => {
                let fails = self.is_given(literal.relation.index(), Sign::Negative, &args)
                    || args.iter().all(|&arg| self.arena.is_settled(arg, fresh))
                        && self.tables.holds_nowhere(&mut self.arena, literal.relation, &args);
                fails && self.all_follow(rest, instance)
            }
            Sign::Positive => {
                if self.given_with(literal, &args, rest, instance) {
                    return true;
                }
                if !args.iter().all(|&arg| self.arena.is_settled(arg, fresh)) {
                    return false;
                }
                let holds = match self.world.classes[literal.relation.index()] {
                    Class::Table => {
                        args.iter().all(|&arg| self.arena.is_settled(arg, 0))
                            && self.tables.holds(&mut self.arena, literal.relation, &args)
                    }
                    Class::Rules if depth > 0 => self
                        .world
                        .templates
                        .rules_of(literal.relation)
                        .any(|rule| self.fires(rule, &args, depth - 1)),
                    _ => false,
                };
                holds && self.all_follow(rest, instance)
            }
        }
    }

    /// Whether the literal is one of the facts such that the rest follows too.
    fn given_with(
        &mut self,
        literal: &LiteralTemplate,
        args: &[Node],
        rest: &[LiteralTemplate],
        instance: Instance,
    ) -> bool {
        for at in 0..self.facts.len() {
            let fact = self.facts[at];
            if fact.sign != Sign::Positive || fact.relation != literal.relation || self.arena.fuel == 0 {
                continue;
            }
            let mark = self.arena.mark();
            let matches = (0..args.len())
                .all(|place| self.arena.matches(args[place], self.fact_arg(&fact, place), instance.fresh));
            if matches && self.all_follow(rest, instance) {
                self.arena.undo(mark);
                return true;
            }
            self.arena.undo(mark);
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
