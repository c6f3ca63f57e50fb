//! The facts that have been seen so far, by relation.

use super::fact::Fact;
use std::collections::{BTreeMap, BTreeSet};

/// So many positions are enough to know how a relation behaves.
const ENOUGH_POSITIONS: usize = 200;

/// The arguments of one fact.
pub(super) type Row = Vec<String>;

/// A relation by name and number of arguments.
pub(super) type RelationKey = (String, usize);

/// What is known of one relation.
#[derive(Clone, Debug, Default)]
pub(super) struct Sightings {
    values: Vec<BTreeSet<String>>,
    /// The facts of each position, the first position first.
    pub(super) positions: Vec<Vec<Row>>,
}

/// What is known of all relations.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) relations: BTreeMap<RelationKey, Sightings>,
}

impl Seen {
    /// Remembers a position; says whether it shows anything that was never seen before.
    pub(super) fn observe(&mut self, facts: &[String]) -> bool {
        let mut by_relation: BTreeMap<RelationKey, Vec<Row>> = BTreeMap::new();
        for fact in facts {
            let fact = Fact::of(fact);
            let row = fact.arguments.iter().map(|&argument| argument.to_owned()).collect();
            by_relation.entry((fact.relation.to_owned(), fact.arguments.len())).or_default().push(row);
        }
        let mut is_new = false;
        for (key, rows) in by_relation {
            let arity = key.1;
            let relation = self.relations.entry(key).or_default();
            relation.values.resize_with(arity, BTreeSet::new);
            let has_new = rows.iter().filter(|row| relation.add_values(row)).count() > 0;
            if has_new || relation.positions.len() < ENOUGH_POSITIONS {
                relation.positions.push(rows);
            }
            is_new |= has_new;
        }
        is_new
    }
}

impl Sightings {
    fn add_values(&mut self, row: &Row) -> bool {
        let mut is_new = false;
        for (values, value) in self.values.iter_mut().zip(row) {
            is_new |= !values.contains(value) && values.insert(value.clone());
        }
        is_new
    }

    /// The values that an argument has had.
    pub(super) fn values(&self, argument: usize) -> BTreeSet<&str> {
        self.values[argument].iter().map(String::as_str).collect()
    }

    /// How many facts the fullest position has.
    pub(super) fn most_facts(&self) -> usize {
        self.positions.iter().map(Vec::len).max().unwrap_or(0)
    }
}
