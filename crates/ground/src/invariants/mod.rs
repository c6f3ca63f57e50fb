//! What is proved of all reachable states, used on the rules before they are joined.
//!
//! Where the coordinates of a cell determine its content, `(true (cell ?x ?y ?a))` and
//! `(true (cell ?x ?y ?b))` in one body speak of the same fluent. Two moves of one role are the same move. Rules
//! are rewritten accordingly, so that instances which need two exclusive fluents are never enumerated.

mod dependency;
mod mutex;
mod exclusion;

pub(crate) use dependency::{Dependency, Proved};
pub(crate) use exclusion::Exclusion;
pub(crate) use mutex::{exclusive_groups, label_exactly_one};

use crate::facts::FactStore;
use crate::lower::Lowered;
use crate::program::Kind;
use dependency::{Effort, StaticFacts, StaticRows, prove};
use senet_analysis::{Program, RelationId};
use senet_gdl::Keyword;
use senet_rules::{Literal, Pattern, Rule, Substitution};
use senet_terms::{Functor, Terms};
use std::borrow::Cow;

/// Proves dependencies from the static facts there are, and rewrites the dynamic rules by them.
pub(crate) fn use_invariants(program: &Program, lowered: &mut Lowered) {
    let does = program.reserved(Keyword::Does).expect("not a connective");
    let has_one_move = !program.relation(does).is_defined;
    lowered.proved = prove(program, &Evaluated { lowered }, Effort::little(program));
    let Lowered { store, proved, dynamic_rules, .. } = lowered;
    let dependencies: Vec<(Functor, &Dependency)> = proved
        .dependencies
        .iter()
        .map(|dependency| (store.terms.functor(dependency.functor, dependency.arity), dependency))
        .collect();
    let mut kept = Vec::with_capacity(dynamic_rules.len());
    for rule in dynamic_rules.drain(..) {
        let mut rewriting = Rewriting { store, dependencies: &dependencies, has_one_move };
        kept.extend(rewriting.rewrite(rule));
    }
    *dynamic_rules = kept;
}

/// Goes on with a proof that was cut short, if so many ground rules are worth the time.
pub(crate) fn prove_more(program: &Program, lowered: &mut Lowered, n_ground_rules: usize) {
    if lowered.proved.is_cut_short
        && let Some(effort) = Effort::beside(program, n_ground_rules)
    {
        let known = std::mem::take(&mut lowered.proved.dependencies);
        lowered.proved = prove(program, &Evaluated { lowered }, effort);
        // Another way to spend the effort may prove less here and there.
        let found = &mut lowered.proved.dependencies;
        for dependency in known {
            if !found.iter().any(|other| other.implies(&dependency)) {
                found.retain(|other| !dependency.implies(other));
                found.push(dependency);
            }
        }
    }
}

/// The static tables that are complete.
struct Evaluated<'a> {
    lowered: &'a Lowered,
}

impl StaticFacts for Evaluated<'_> {
    fn terms(&self) -> &Terms {
        &self.lowered.store.terms
    }

    fn rows(&self, relation: RelationId) -> Option<StaticRows<'_>> {
        let own = self.lowered.static_relations[relation.index()]?;
        if !self.lowered.is_evaluated[own.index()] {
            return None;
        }
        let table = &self.lowered.store.tables[self.lowered.store.relations[own.index()].table.index()];
        Some(StaticRows { n_rows: table.len() as usize, values: table.rows() })
    }
}

struct Rewriting<'a> {
    store: &'a mut FactStore,
    dependencies: &'a [(Functor, &'a Dependency)],
    has_one_move: bool,
}

impl Rewriting<'_> {
    /// The rule with equal terms made equal; `None` if its body cannot hold.
    fn rewrite(&mut self, mut rule: Rule) -> Option<Rule> {
        while let Some((left, right)) = self.must_be_equal(&rule) {
            let mut values = Substitution::new(rule.n_vars);
            values.unify(&left, &right, &self.store.terms).ok()?;
            values.apply(&mut rule, &mut self.store.terms);
        }
        for literal in &rule.body {
            if let Literal::Distinct(left, right) = literal
                && left == right
            {
                return None;
            }
        }
        Some(rule)
    }

    /// Two different terms that have the same value whenever the body holds.
    fn must_be_equal(&self, rule: &Rule) -> Option<(Pattern, Pattern)> {
        for (at, left) in rule.body.iter().enumerate() {
            let Literal::Positive(left) = left else { continue };
            let is_unique = match self.store.relations[left.relation.index()].kind {
                Some(Kind::Does) => self.has_one_move,
                Some(Kind::True) => !self.dependencies.is_empty(),
                _ => false,
            };
            if !is_unique {
                continue;
            }
            for right in &rule.body[at + 1..] {
                let Literal::Positive(right) = right else { continue };
                if left.relation != right.relation || left == right {
                    continue;
                }
                match self.store.relations[left.relation.index()].kind {
                    Some(Kind::Does) if left.args[0] == right.args[0] => {
                        return Some((left.args[1].clone(), right.args[1].clone()));
                    }
                    Some(Kind::True) if self.is_determined(&left.args[0], &right.args[0]) => {
                        return Some((left.args[0].clone(), right.args[0].clone()));
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// Whether two fluents agree on a key.
    fn is_determined(&self, left: &Pattern, right: &Pattern) -> bool {
        let terms = &self.store.terms;
        let (Some(left_functor), Some(right_functor)) = (left.functor(terms), right.functor(terms)) else {
            return false;
        };
        if left_functor != right_functor {
            return false;
        }
        self.dependencies.iter().any(|(functor, dependency)| {
            *functor == left_functor
                && dependency.key.iter().all(|&at| arg_of(left, at, terms) == arg_of(right, at, terms))
        })
    }
}

/// An argument of a compound term.
fn arg_of<'p>(pattern: &'p Pattern, at: usize, terms: &Terms) -> Option<Cow<'p, Pattern>> {
    match pattern {
        Pattern::App(_, args) => args.get(at).map(Cow::Borrowed),
        Pattern::Ground(term) => {
            let (_, args) = terms.compound(*term)?;
            args.get(at).map(|&arg| Cow::Owned(Pattern::Ground(arg)))
        }
        Pattern::Var(_) => None,
    }
}
