//! Fluents that never change are not part of what is played with.
//!
//! Walls are often written as fluents: `(init (wall 1 2 north))`, and one rule that keeps all of
//! them, `(<= (next (wall ?x ?y ?d)) (true (wall ?x ?y ?d)))`. Then `(true (wall ?x ?y ?d))` says
//! no more than `(init (wall ?x ?y ?d))`, its negation is decided before play, and relations that
//! ask for nothing else are static.

use super::Lowered;
use crate::program::Kind;
use hashbrown::HashMap;
use senet_analysis::{Program, Stratification};
use senet_gdl::Keyword;
use senet_rules::shapes::Top;
use senet_rules::{Atom, Literal, Pattern, Rule, add_users, are_different_variables};
use senet_terms::Terms;

/// Asks for the initial state where conditions are on fluents that never change.
pub(crate) fn make_constants_static(program: &Program, lowered: &mut Lowered) {
    let r#true = program.reserved(Keyword::True).expect("not a connective");
    // Without an order of negations static relations have to stay in the ground program.
    if program.relation(r#true).is_defined || program.stratification() == Stratification::Unproved {
        return;
    }
    let Lowered { store, dynamic_rules, init, .. } = lowered;
    let kind = |atom: &Atom| store.relations[atom.relation.index()].kind;
    let mut is_constant: HashMap<Top, bool> = HashMap::new();
    for rule in dynamic_rules.iter().filter(|rule| kind(&rule.head) == Some(Kind::Next)) {
        let name = Top::of(&store.terms, &rule.head.args[0]);
        if name == Top::Any {
            return;
        }
        let keeps = matches!(&rule.body[..], [Literal::Positive(atom)]
            if kind(atom) == Some(Kind::True) && atom.args == rule.head.args && is_any(&atom.args[0], &store.terms));
        *is_constant.entry(name).or_insert(true) &= keeps;
    }
    is_constant.retain(|_, is_constant| *is_constant);
    if is_constant.is_empty() {
        return;
    }
    for rule in dynamic_rules.iter_mut() {
        let is_kept = |name: Top| {
            store.relations[rule.head.relation.index()].kind == Some(Kind::Next)
                && Top::of(&store.terms, &rule.head.args[0]) == name
        };
        for literal in &mut rule.body {
            let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else { continue };
            if store.relations[atom.relation.index()].kind != Some(Kind::True) {
                continue;
            }
            let name = Top::of(&store.terms, &atom.args[0]);
            if is_constant.contains_key(&name) && !is_kept(name) {
                atom.relation = *init;
            }
        }
    }
    move_static_rules(lowered);
}

/// Whether a pattern stands for all fluents of its name.
fn is_any(fluent: &Pattern, terms: &Terms) -> bool {
    match fluent {
        Pattern::Var(_) => false,
        Pattern::Ground(term) => terms.compound(*term).is_none(),
        Pattern::App(_, args) => are_different_variables(args),
    }
}

/// Relations that no longer depend on the state are derived after those that never did.
fn move_static_rules(lowered: &mut Lowered) {
    let Lowered { store, dynamic_rules, static_rules, .. } = lowered;
    let relations = &mut store.relations;
    let is_inner = |kind| matches!(kind, Some(Kind::Derived | Kind::Auxiliary));
    let mut is_dynamic: Vec<bool> =
        relations.iter().map(|relation| !relation.is_static() && !is_inner(relation.kind)).collect();
    add_users(dynamic_rules.iter(), &mut is_dynamic);
    for (relation, is_dynamic) in relations.iter_mut().zip(&is_dynamic) {
        if !is_dynamic {
            relation.kind = None;
        }
    }
    let first = static_rules.len();
    static_rules.resize_with(2 * first, Vec::new);
    let is_moved = |rule: &mut Rule| !is_dynamic[rule.head.relation.index()];
    for mut rule in dynamic_rules.extract_if(.., is_moved) {
        rule.stratum += first;
        static_rules[rule.stratum].push(rule);
    }
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use super::*;

    /// Whether each relation is static once the walls are.
    fn is_static(text: &str, relation: &str) -> bool {
        let description = senet_gdl::parse(text);
        let program = senet_analysis::analyze(&description, false).program.expect("well-formed");
        let mut lowered = lower(&program, false);
        make_constants_static(&program, &mut lowered);
        let name = program.symbols().get(relation).expect("a relation");
        lowered.store.relations.iter().find(|it| it.name == name).expect("it is used").is_static()
    }

    const GAME: &str = "(role p) (init (wall 1)) (init (at 1)) (cell 1) (cell 2)
        (<= (free ?x) (cell ?x) (not (true (wall ?x))))
        (<= (legal p (go ?x)) (free ?x)) (<= (next (at ?x)) (does p (go ?x)))
        (<= terminal (true (at 2))) (<= (goal p 100) (true (at 2)))";

    #[test]
    fn what_asks_for_fluents_that_never_change_is_static() {
        assert!(is_static(&format!("{GAME} (<= (next (wall ?x)) (true (wall ?x)))"), "free"));
    }

    #[test]
    fn what_may_change_is_not_static() {
        for rules in [
            "",
            "(<= (next (wall ?x)) (true (wall ?x)) (cell ?x))",
            "(<= (next (wall 1)) (true (wall 1)))",
            "(<= (next (wall ?x)) (true (wall ?x))) (<= (next (wall ?x)) (does p (go ?x)))",
            "(<= (next (wall ?x)) (true (wall ?x))) (<= (next ?f) (true ?f) (true (at 1)))",
        ] {
            assert!(!is_static(&format!("{GAME} {rules}"), "free"), "{rules}");
        }
    }
}
