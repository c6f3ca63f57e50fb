//! Facts of which there is one at most are taken apart: each of their values has a condition of its own.
//!
//! If a robot has one position and one speed, `(true (pos ?x ?y))` says the same as a condition on `?x` and another
//! on `?y`. In `(<= (npos ?nx ?ny) (true (pos ?x ?y)) (nvel ?vx ?vy) (add ?x ?vx ?nx) (add ?y ?vy ?ny))` the first
//! coordinate then has nothing to do with the second, and the instances are so many for each of the two, not so many
//! for each pair of positions and speeds.

use super::Splitter;
use super::cheapest_part::{Sizes, least_instances};
use super::estimate::{Size, join_size, sizes_of};
use crate::facts::FactStore;
use crate::invariants::Dependency;
use crate::join::add_determined;
use crate::program::Kind;
use senet_rules::{Atom, Literal, Pattern, Rule, VarSet};
use senet_terms::Functor;
use smallvec::smallvec;

/// Rules with fewer instances stay as they are.
const MANY: f64 = 10_000.0;

/// What holds of one fact at most, in every state.
pub(crate) struct SingleFacts {
    functors: Vec<(Functor, Vec<usize>)>,
    /// Whether a role does one move at most.
    has_one_move: bool,
    /// By relation.
    is_unique: Vec<bool>,
}

impl SingleFacts {
    /// What follows from the dependencies of fluents for the relations of some rules.
    pub(crate) fn new(
        store: &mut FactStore,
        dependencies: &[Dependency],
        has_one_move: bool,
        rules: &[Rule],
    ) -> SingleFacts {
        let functor = |it: &Dependency| (store.terms.functor(it.functor, it.arity), it.key.clone());
        let functors = dependencies.iter().map(functor).collect();
        let n = store.relations.len();
        let mut unique = SingleFacts { functors, has_one_move, is_unique: vec![false; n] };
        let mut n_rules = vec![0; n];
        rules.iter().for_each(|rule| n_rules[rule.head.relation.index()] += 1);
        // Relations come after those they use.
        for rule in rules {
            let relation = rule.head.relation.index();
            if n_rules[relation] == 1 && store.relations[relation].kind == Some(Kind::Derived) {
                unique.is_unique[relation] = unique.determines_head(store, rule);
            }
        }
        unique
    }

    /// Whether a rule has one head at most in every state.
    fn determines_head(&self, store: &FactStore, rule: &Rule) -> bool {
        let mut known = VarSet::default();
        loop {
            let n_known = known.len();
            for literal in &rule.body {
                if let Literal::Positive(atom) = literal
                    && self.contains(store, atom, &known)
                {
                    known.extend(&literal.vars());
                }
            }
            add_determined(store, rule, &mut known);
            if known.len() == n_known {
                return rule.head_vars().is_subset(&known);
            }
        }
    }

    /// Whether one fact at most agrees with an atom when some variables are known.
    fn contains(&self, store: &FactStore, atom: &Atom, known: &VarSet) -> bool {
        let is_known = |arg: &Pattern| arg.all_vars(&|var| known.contains(var));
        match store.relations[atom.relation.index()].kind {
            Some(Kind::True) => atom.args[0].parts(&store.terms).is_some_and(|(functor, args)| {
                let has_key = |key: &[usize]| key.iter().all(|&at| is_known(&args[at]));
                self.functors.iter().any(|(own, key)| *own == functor && has_key(key))
            }),
            Some(Kind::Does) => self.has_one_move && is_known(&atom.args[0]),
            _ => self.is_unique.get(atom.relation.index()) == Some(&true),
        }
    }

    /// Takes atoms of a rule apart if that leaves less than half of its instances. Gives the rules for what is new.
    pub(crate) fn take_apart(
        &self,
        store: &mut FactStore,
        splitter: &mut Splitter,
        rule: &mut Rule,
    ) -> Vec<Rule> {
        let none = VarSet::default();
        let is_apart = |store: &FactStore, literal: &Literal| match literal {
            Literal::Positive(atom) => literal.vars().len() > 1 && self.contains(store, atom, &none),
            _ => false,
        };
        let parts: Vec<bool> = rule.body.iter().map(|literal| is_apart(store, literal)).collect();
        let mut new = Vec::new();
        if !parts.contains(&true) {
            return new;
        }
        let sizes = sizes_of(store, rule);
        if join_size(store, sizes.iter().flatten()).rows <= MANY {
            return new;
        }
        let (apart, sizes_apart, n_parts) = split_by_values(rule, &parts, &sizes);
        let most = least_instances(store, rule, &sizes) / 2.0;
        if n_parts + least_instances(store, &apart, &sizes_apart) < most {
            splitter.project(store, rule, &parts, &mut new);
        }
        new
    }
}

/// A rule like this one taken apart, with the sizes of its conditions and the number of instances that the parts have.
fn split_by_values(rule: &Rule, parts: &[bool], sizes: &Sizes) -> (Rule, Sizes, f64) {
    let mut apart = rule.with(rule.head.clone(), Vec::new());
    let (mut new_sizes, mut n_parts) = (Vec::new(), 0.0);
    for ((literal, is_part), size) in rule.body.iter().zip(parts).zip(sizes) {
        match (literal, size) {
            (Literal::Positive(atom), Some(size)) if *is_part => {
                for &(var, values) in &size.values {
                    let args = vec![Pattern::Var(var)];
                    apart.body.push(Literal::Positive(Atom { relation: atom.relation, args }));
                    new_sizes.push(Some(Size::new(values, smallvec![(var, values)])));
                    n_parts += size.rows;
                }
            }
            _ => {
                apart.body.push(literal.clone());
                new_sizes.push(size.clone());
            }
        }
    }
    (apart, new_sizes, n_parts)
}
