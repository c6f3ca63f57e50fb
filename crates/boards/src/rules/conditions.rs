//! How often the conditions of rules name a word.

use super::links::{RelationKey, fluent_of};
use senet_gdl::{Description, Keyword, TermKind};
use std::collections::HashMap;

/// How many conditions name a constant as an argument of a fluent. Rules about the next position do not count: they have a
/// condition for every word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions(HashMap<(RelationKey, usize, String), usize>);

impl Conditions {
    pub(super) fn of(description: &Description) -> Self {
        let mut conditions = Self::default();
        let is_next = |head| description.keyword(head) == Some(Keyword::Next);
        for clause in description.clauses.iter().filter(|clause| !is_next(clause.head.relation)) {
            for formula in &clause.body {
                formula.for_each_atom(&mut |atom, _| {
                    let Some((relation, arguments)) = fluent_of(description, atom) else { return };
                    for (at, argument) in arguments.iter().enumerate() {
                        if let TermKind::Constant(word) = argument.kind {
                            let key = (description.name(relation).to_owned(), arguments.len());
                            let word = description.name(word).to_owned();
                            *conditions.0.entry((key, at, word)).or_default() += 1;
                        }
                    }
                });
            }
        }
        conditions
    }

    /// How many conditions name the word as this argument of the relation.
    pub(crate) fn count(&self, relation: &RelationKey, argument: usize, word: &str) -> usize {
        self.0.get(&(relation.clone(), argument, word.to_owned())).copied().unwrap_or(0)
    }
}
