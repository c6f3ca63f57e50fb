//! Demand: relations of which little is asked are derived for what is asked only.
//!
//! These are magic sets. A relation that is asked with known columns gets a relation of questions:
//! the values with which it is asked. Its rules apply where there is a question, and every rule
//! that uses it asks. [`by_copies`] makes a copy of a relation for each pattern of known columns,
//! [`in_place`] leaves each relation one; the grounder has its own choice of relations and puts the
//! parts of this module together.

mod copies;
mod in_place;

pub use copies::{Demanded, by_copies};
pub use in_place::in_place;

use crate::rule::{Atom, Literal, RelId, Rule};
use crate::var_set::VarSet;

/// A relation that is asked with known columns.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The relation.
    pub relation: RelId,
    /// The columns that are known whenever it is asked.
    pub known: Vec<usize>,
    /// The relation of the values it is asked with.
    pub questions: RelId,
}

impl Asked {
    /// The atom that says an atom is asked.
    pub fn question(&self, atom: &Atom) -> Atom {
        let args = self.known.iter().map(|&column| atom.args[column].clone()).collect();
        Atom { relation: self.questions, args }
    }
}

/// The rule by which a rule asks a question where `before` holds.
///
/// `None` if `before` has the question.
pub fn asking_rule(rule: &Rule, question: Atom, before: Vec<Literal>) -> Option<Rule> {
    let is_it = |literal: &Literal| matches!(literal, Literal::Positive(atom) if *atom == question);
    let is_asked_before = before.iter().any(is_it);
    (!is_asked_before).then(|| rule.with(question, before))
}

/// The wanted relations with the columns that every use knows.
///
/// Relations without such columns are left out. `begin` gives the variables that are known before
/// the conditions of a rule that asks the wanted relations; `learn` adds those that are known where
/// an atom holds. The known columns of a wanted head are known as well.
pub fn known_columns(
    rules: &[&Rule],
    mut wanted: Vec<RelId>,
    arity: impl Fn(RelId) -> usize,
    begin: impl Fn(&Rule, &[RelId]) -> VarSet,
    learn: impl Fn(&Atom, &mut VarSet),
) -> Vec<(RelId, Vec<usize>)> {
    loop {
        let is_known = are_known(rules, &wanted, &arity, &begin, &learn);
        if is_known.iter().all(|known| known.contains(&true)) {
            let columns = |known: &Vec<bool>| (0..known.len()).filter(|&column| known[column]).collect();
            return wanted.into_iter().zip(is_known.iter().map(columns)).collect();
        }
        // Without known columns a relation is derived as a whole, and its head gives nothing.
        let mut has_known = is_known.iter().map(|known| known.contains(&true));
        wanted.retain(|_| has_known.next() == Some(true));
    }
}

/// By wanted relation and column: whether it is known in every rule that uses the relation.
fn are_known(
    rules: &[&Rule],
    wanted: &[RelId],
    arity: &impl Fn(RelId) -> usize,
    begin: &impl Fn(&Rule, &[RelId]) -> VarSet,
    learn: &impl Fn(&Atom, &mut VarSet),
) -> Vec<Vec<bool>> {
    let mut is_known: Vec<Vec<bool>> = wanted.iter().map(|&relation| vec![true; arity(relation)]).collect();
    let place = |relation: RelId| wanted.iter().position(|&it| it == relation);
    loop {
        let mut has_changed = false;
        for rule in rules {
            if !rule.atoms().any(|atom| place(atom.relation).is_some()) {
                continue;
            }
            let mut bound = begin(rule, wanted);
            if let Some(head) = place(rule.head.relation) {
                let args = rule.head.args.iter().zip(&is_known[head]);
                args.filter(|(_, known)| **known)
                    .for_each(|(arg, _)| arg.for_each_var(&mut |var| bound.insert(var)));
            }
            for literal in &rule.body {
                let Some(atom) = literal.atom() else { continue };
                if let Some(at) = place(atom.relation) {
                    for (arg, known) in atom.args.iter().zip(&mut is_known[at]) {
                        if *known && !arg.all_vars(&|var| bound.contains(var)) {
                            *known = false;
                            has_changed = true;
                        }
                    }
                }
                if literal.is_positive() {
                    learn(atom, &mut bound);
                }
            }
        }
        if !has_changed {
            return is_known;
        }
    }
}
