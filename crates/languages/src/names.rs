//! Names that tell relations apart.

use senet_rules::{Lifetime, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// A name for each relation, such that no two have the same name and arity.
///
/// Relations in several contexts are told apart by how long their facts stay. The names are words of GDL.
pub fn unique_names(relations: &[Relation]) -> Vec<String> {
    let mut n_contexts = BTreeMap::new();
    for relation in relations {
        *n_contexts.entry((&relation.name, relation.arity)).or_insert(0) += 1;
    }
    let mut taken = BTreeSet::new();
    let mut name = |relation: &Relation| {
        // The analysis names relations that stand for an `or` with spaces.
        let mut name = relation.name.replace(' ', "-");
        if n_contexts[&(&relation.name, relation.arity)] > 1 {
            name.push_str(match relation.lifetime {
                Lifetime::Match => ".match",
                Lifetime::Position => ".position",
                Lifetime::Move => ".move",
            });
        }
        while !taken.insert((name.clone(), relation.arity)) {
            name.push_str(".other");
        }
        name
    };
    relations.iter().map(&mut name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_and_clashes_are_told_apart() {
        let relation = |name: &str, arity, lifetime| Relation { name: name.to_owned(), arity, lifetime };
        let names = unique_names(&[
            relation("p", 1, Lifetime::Position),
            relation("p", 1, Lifetime::Move),
            relation("p", 2, Lifetime::Move),
            relation("p.move", 1, Lifetime::Match),
            relation("or 1 p", 0, Lifetime::Match),
        ]);
        assert_eq!(names, ["p.position", "p.move", "p", "p.move.other", "or-1-p"]);
    }
}
