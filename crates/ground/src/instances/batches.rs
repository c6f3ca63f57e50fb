//! In which order the instances of relations are found.

use crate::facts::FactStore;
use crate::program::Kind;
use senet_rules::{RelId, Rule};

/// The rules of one relation.
pub(crate) struct Batch {
    pub(crate) rules: Vec<Rule>,
    /// Whether every rule that uses the relation has its instances already: then only atoms that
    /// occur there are wanted.
    pub(crate) is_asked: bool,
}

/// The rules of each relation together, users before what they use where that is possible. The
/// rules come in the opposite order.
pub(crate) fn users_first(store: &FactStore, rules: Vec<Rule>) -> Vec<Batch> {
    let n = store.relations.len();
    let mut batches: Vec<Vec<Rule>> = Vec::new();
    for rule in rules.into_iter().rev() {
        match batches.last_mut() {
            Some(batch) if batch[0].head.relation == rule.head.relation => batch.push(rule),
            _ => batches.push(vec![rule]),
        }
    }
    let mut turn = vec![usize::MAX; n];
    for (at, batch) in batches.iter().enumerate() {
        turn[batch[0].head.relation.index()] = at;
    }
    let mut last_user: Vec<Option<usize>> = vec![None; n];
    for (at, batch) in batches.iter().enumerate() {
        for atom in batch.iter().flat_map(Rule::atoms) {
            last_user[atom.relation.index()] = Some(at);
        }
    }
    let is_asked = |relation: RelId| {
        let is_inner =
            matches!(store.relations[relation.index()].kind, Some(Kind::Derived | Kind::Auxiliary));
        is_inner && last_user[relation.index()].is_none_or(|user| user < turn[relation.index()])
    };
    batches.into_iter().map(|rules| Batch { is_asked: is_asked(rules[0].head.relation), rules }).collect()
}

/// All rules, by stratum.
pub(crate) fn by_stratum(mut rules: Vec<Rule>) -> Vec<Batch> {
    rules.sort_by_key(|rule| rule.stratum);
    let mut batches: Vec<Batch> = Vec::new();
    for rule in rules {
        match batches.last_mut() {
            Some(batch) if batch.rules[0].stratum == rule.stratum => batch.rules.push(rule),
            _ => batches.push(Batch { rules: vec![rule], is_asked: false }),
        }
    }
    batches
}
