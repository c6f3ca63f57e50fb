//! Demand for engines that number the instances of a relation: each relation stays one.
//!
//! In amazons a path is wanted from where a piece stands, and there are a hundred times as many
//! paths. The columns of a relation that are known in every rule that uses it are asked, from what
//! stands before it in the rule. Negated relations are left alone: what is asked might then depend
//! on what is not known yet.

use super::{Asked, asking_rule, known_columns};
use crate::rule::{Atom, Literal, RelId, Rule};
use crate::rule_set::{Relation, RuleSet};
use crate::var_set::VarSet;

/// The rules with large relations derived on demand.
///
/// `None` if no relation is asked with known columns.
pub fn in_place(rule_set: &RuleSet, is_large: impl Fn(RelId) -> bool) -> Option<RuleSet> {
    let rules: Vec<&Rule> = rule_set.rules.iter().collect();
    let arity = |relation: RelId| rule_set.relations[relation.index()].arity;
    let wanted = wanted(rule_set, is_large);
    // A permanent atom alone tells nothing of the position.
    let learn = |atom: &Atom, known: &mut VarSet| {
        let vars = atom.vars();
        if !rule_set.is_permanent(atom.relation) || vars.intersects(known) {
            known.extend(&vars);
        }
    };
    let columns = known_columns(&rules, wanted, arity, |_, _| VarSet::default(), learn);
    if columns.is_empty() {
        return None;
    }
    let mut demanded = rewritten(rule_set, columns);
    unite_strata(&mut demanded, rule_set.relations.len()).then_some(demanded)
}

/// The large relations that may be asked: not keywords, never negated, and with the lifetime of
/// every rule that uses them.
fn wanted(rule_set: &RuleSet, is_large: impl Fn(RelId) -> bool) -> Vec<RelId> {
    let keywords = rule_set.keywords.all();
    let mut may_ask: Vec<bool> = (0..rule_set.relations.len())
        .map(RelId::new)
        .map(|it| !rule_set.is_permanent(it) && !keywords.contains(&it) && is_large(it))
        .collect();
    for rule in &rule_set.rules {
        for literal in &rule.body {
            let Some(atom) = literal.atom() else { continue };
            // Conditions that moves ask for would not be known before the moves.
            let lives_longer = rule_set.lifetime(rule.head.relation) != rule_set.lifetime(atom.relation);
            may_ask[atom.relation.index()] &= literal.is_positive() && !lives_longer;
        }
    }
    (0..may_ask.len()).filter(|&at| may_ask[at]).map(RelId::new).collect()
}

/// The rules that ask, and those that apply where something is asked.
fn rewritten(rule_set: &RuleSet, columns: Vec<(RelId, Vec<usize>)>) -> RuleSet {
    let mut demanded = RuleSet { rules: Vec::new(), ..rule_set.clone() };
    let mut asked: Vec<Option<Asked>> = vec![None; rule_set.relations.len()];
    for (relation, known) in columns {
        let Relation { name, lifetime, .. } = &rule_set.relations[relation.index()];
        let questions = RelId::new(demanded.relations.len());
        let name = format!("{name} (demand)");
        demanded.relations.push(Relation { name, arity: known.len(), lifetime: *lifetime });
        asked[relation.index()] = Some(Asked { relation, known, questions });
    }
    let question = |atom: &Atom| asked[atom.relation.index()].as_ref().map(|asked| asked.question(atom));
    for rule in &rule_set.rules {
        let own = question(&rule.head).map(Literal::Positive);
        let mut before: Vec<Literal> = own.iter().cloned().collect();
        for literal in &rule.body {
            if let Literal::Positive(atom) = literal {
                let question = question(atom);
                demanded.rules.extend(question.and_then(|it| asking_rule(rule, it, before.clone())));
                before.push(literal.clone());
            }
        }
        let body = own.into_iter().chain(rule.body.iter().cloned()).collect();
        demanded.rules.push(rule.with(rule.head.clone(), body));
    }
    demanded
}

/// Puts relations that now use each other into one stratum.
///
/// False if one of them would be negated before it is complete.
fn unite_strata(demanded: &mut RuleSet, n_before: usize) -> bool {
    let components = demanded.components();
    let has_demand: Vec<bool> =
        components.members().map(|members| members.iter().any(|&member| member >= n_before)).collect();
    for rule in &mut demanded.rules {
        let own = components.of(rule.head.relation.index());
        if has_demand[own] {
            let is_own = |atom: &Atom| components.of(atom.relation.index()) == own;
            let is_negated = |literal: &Literal| matches!(literal, Literal::Negative(atom) if is_own(atom));
            if rule.body.iter().any(is_negated) {
                return false;
            }
            rule.stratum = 0;
        }
    }
    true
}
