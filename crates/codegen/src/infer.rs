//! The domain of every argument of every relation, by propagation over the rules from what is given.

use crate::domain::Domain;
use rustc_hash::FxHashSet;
use senet_engine_forward::Outline;
use senet_rules::{Atom, Lifetime, Literal, Pattern, RelId, Rule, RuleSet};
use senet_terms::Terms;

/// An argument of a relation.
pub(crate) type Place = (RelId, usize);

/// The domains of the arguments of each relation.
#[derive(Debug)]
pub(crate) struct Domains(Vec<Vec<Domain>>);

impl Domains {
    /// Propagates until nothing changes. What is `kept_whole` is not taken apart.
    pub(crate) fn infer(outline: &Outline, kept_whole: &FxHashSet<Place>) -> Domains {
        let rule_set = outline.rule_set();
        let none = rule_set.relations.iter().map(|relation| vec![Domain::default(); relation.arity]);
        let mut domains = Domains(none.collect());
        for &(relation, arg) in kept_whole {
            domains.0[relation.index()][arg] = Domain::open();
        }
        domains.give(outline);
        let mut users = vec![Vec::new(); rule_set.relations.len()];
        for (at, rule) in rule_set.rules.iter().enumerate() {
            for literal in &rule.body {
                if let Literal::Positive(atom) = literal {
                    users[atom.relation.index()].push(at);
                }
            }
        }
        let is_derived = |rule: &Rule| !rule_set.is_permanent(rule.head.relation);
        let mut pending: Vec<usize> =
            (0..rule_set.rules.len()).filter(|&at| is_derived(&rule_set.rules[at])).collect();
        let mut is_pending: Vec<bool> = rule_set.rules.iter().map(is_derived).collect();
        while let Some(at) = pending.pop() {
            is_pending[at] = false;
            let mut has_grown = domains.apply(rule_set, &rule_set.rules[at]);
            while let Some(relation) = has_grown.pop() {
                for &user in &users[relation.index()] {
                    if is_derived(&rule_set.rules[user]) && !std::mem::replace(&mut is_pending[user], true) {
                        pending.push(user);
                    }
                }
            }
        }
        domains
    }

    pub(crate) fn of(&self, relation: RelId) -> &[Domain] {
        &self.0[relation.index()]
    }

    fn give(&mut self, outline: &Outline) {
        let rule_set = outline.rule_set();
        for (relation, own) in rule_set.relations.iter().zip(0..).map(|(it, at)| (it, RelId::new(at))) {
            if relation.lifetime == Lifetime::Match {
                for row in outline.permanent(own) {
                    self.add_row(own, outline.terms, row);
                }
            }
        }
        for &fluent in outline.initial {
            self.add_row(rule_set.keywords.fluents, outline.terms, &[fluent]);
            self.add_row(rule_set.keywords.next, outline.terms, &[fluent]);
        }
    }

    fn add_row(&mut self, relation: RelId, terms: &Terms, row: &[u32]) {
        for (domain, &term) in self.0[relation.index()].iter_mut().zip(row) {
            if domain.is_open || terms.compound(term).is_none() && domain.constants.contains(term) {
                continue;
            }
            domain.union(&Domain::of_term(terms, term));
        }
    }

    /// Adds what a rule can conclude; gives the relations that have grown.
    fn apply(&mut self, rule_set: &RuleSet, rule: &Rule) -> Vec<RelId> {
        let Some(vars) = self.of_vars(&rule_set.terms, rule) else { return Vec::new() };
        let head: Vec<Domain> =
            rule.head.args.iter().map(|arg| of_pattern(&rule_set.terms, arg, &vars)).collect();
        // A fluent of the next position is one of a position, a legal move one that may be played.
        let keywords = rule_set.keywords;
        let twins = [
            (keywords.next, keywords.fluents),
            (keywords.legal, keywords.moves),
            (keywords.fluents, keywords.next),
            (keywords.moves, keywords.legal),
        ];
        let twin = twins.iter().find(|(own, _)| *own == rule.head.relation).map(|&(_, twin)| twin);
        let mut grown = Vec::new();
        for relation in std::iter::once(rule.head.relation).chain(twin) {
            let mut has_grown = false;
            for (domain, added) in self.0[relation.index()].iter_mut().zip(&head) {
                has_grown |= domain.union(added);
            }
            if has_grown {
                grown.push(relation);
            }
        }
        grown
    }

    /// What the variables of a rule can be; `None` if it cannot conclude anything.
    pub(crate) fn of_vars(&self, terms: &Terms, rule: &Rule) -> Option<Vec<Domain>> {
        let mut vars = vec![Domain::open(); rule.n_vars];
        for literal in &rule.body {
            if let Literal::Positive(atom) = literal {
                let args = atom.args.iter().zip(self.of(atom.relation));
                for (pattern, domain) in args {
                    if domain.is_empty() || !meet(terms, pattern, domain, &mut vars) {
                        return None;
                    }
                }
                if self.is_empty(atom) {
                    return None;
                }
            }
        }
        vars.iter().all(|domain| !domain.is_empty()).then_some(vars)
    }

    fn is_empty(&self, atom: &Atom) -> bool {
        self.of(atom.relation).iter().any(Domain::is_empty)
    }
}

/// Restricts variables to what makes a pattern agree with a domain; says whether it can.
fn meet(terms: &Terms, pattern: &Pattern, domain: &Domain, vars: &mut [Domain]) -> bool {
    match pattern {
        _ if domain.is_open => true,
        Pattern::Var(var) => {
            vars[*var as usize].intersect(domain);
            true
        }
        Pattern::Ground(term) => has_term(terms, *term, domain),
        Pattern::App(functor, args) => match domain.functions.get(functor) {
            Some(domains) => args.iter().zip(domains).all(|(arg, domain)| meet(terms, arg, domain, vars)),
            None => false,
        },
    }
}

fn has_term(terms: &Terms, term: u32, domain: &Domain) -> bool {
    if domain.is_open {
        return true;
    }
    match terms.compound(term) {
        None => domain.constants.contains(term),
        Some((functor, args)) => match domain.functions.get(&functor) {
            Some(domains) => args.iter().zip(domains).all(|(&arg, domain)| has_term(terms, arg, domain)),
            None => false,
        },
    }
}

fn of_pattern(terms: &Terms, pattern: &Pattern, vars: &[Domain]) -> Domain {
    match pattern {
        Pattern::Var(var) => vars[*var as usize].clone(),
        Pattern::Ground(term) => Domain::of_term(terms, *term),
        Pattern::App(functor, args) => {
            let args = args.iter().map(|arg| of_pattern(terms, arg, vars)).collect();
            Domain { functions: [(*functor, args)].into(), ..Domain::default() }
        }
    }
}
