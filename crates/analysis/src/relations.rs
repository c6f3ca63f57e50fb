//! The relations of a rulesheet, numbered.

use crate::HashMap;
use senet_gdl::{Atom, Description, Keyword, Symbol};

senet_ids::define_id! {
    /// A relation: a name with a number of arguments.
    pub struct RelationId;
}

/// How many keywords are relations; they stand first in [`Keyword::ALL`].
const N_RESERVED: usize = 11;

/// Numbers relations. The reserved ones always have the first numbers, so that every later stage
/// can name them without looking them up.
#[derive(Clone, Debug)]
pub(crate) struct RelationTable {
    ids: HashMap<(Symbol, usize), RelationId>,
    keys: Vec<(Symbol, usize)>,
}

impl RelationTable {
    pub(crate) fn new(description: &Description) -> Self {
        let mut table = Self { ids: HashMap::default(), keys: Vec::new() };
        for keyword in &Keyword::ALL[..N_RESERVED] {
            let arity = keyword.arity().expect("reserved relations come before connectives");
            table.intern(description.symbol_of(*keyword), arity);
        }
        table
    }

    pub(crate) fn intern(&mut self, name: Symbol, arity: usize) -> RelationId {
        let next = RelationId::new(self.keys.len());
        let id = *self.ids.entry((name, arity)).or_insert(next);
        if id == next {
            self.keys.push((name, arity));
        }
        id
    }

    pub(crate) fn of(&self, atom: &Atom) -> RelationId {
        self.ids[&(atom.relation, atom.args.len())]
    }

    pub(crate) fn name(&self, relation: RelationId) -> Symbol {
        self.keys[relation.index()].0
    }

    pub(crate) fn arity(&self, relation: RelationId) -> usize {
        self.keys[relation.index()].1
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }
}

/// The relation that a reserved word names.
pub(crate) fn reserved(keyword: Keyword) -> RelationId {
    debug_assert!(!keyword.is_connective());
    RelationId::new(keyword as usize)
}

/// The reserved word that a relation is, if it has the right number of arguments.
pub(crate) fn keyword_of(relation: RelationId) -> Option<Keyword> {
    (relation.index() < N_RESERVED).then(|| Keyword::ALL[relation.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_relations_have_fixed_numbers() {
        let (description, _) = senet_gdl::parse("(p a) (legal x y)");
        let mut table = RelationTable::new(&description);
        let legal = description.symbol_of(Keyword::Legal);
        assert_eq!(table.intern(legal, 2), reserved(Keyword::Legal));
        assert_eq!(keyword_of(reserved(Keyword::Sees)), Some(Keyword::Sees));
        assert_eq!(keyword_of(table.intern(legal, 3)), None, "another arity is another relation");
        assert!(Keyword::ALL[..N_RESERVED].iter().all(|keyword| !keyword.is_connective()));
        assert!(Keyword::ALL[N_RESERVED..].iter().all(|keyword| keyword.is_connective()));
    }
}
