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
    keys: Vec<(Symbol, usize)>,
    /// The first relation of each name: few names have a second one.
    first_of_name: Vec<Option<RelationId>>,
    others: HashMap<(Symbol, usize), RelationId>,
}

impl RelationTable {
    pub(crate) fn new(description: &Description) -> Self {
        let first_of_name = vec![None; description.symbols.len()];
        let mut table =
            Self { keys: Vec::with_capacity(4 * N_RESERVED), first_of_name, others: HashMap::default() };
        for keyword in &Keyword::ALL[..N_RESERVED] {
            let arity = keyword.arity().expect("reserved relations come before connectives");
            table.intern(description.symbol_of(*keyword), arity);
        }
        table
    }

    pub(crate) fn intern(&mut self, name: Symbol, arity: usize) -> RelationId {
        if let Some(known) = self.get(name, arity) {
            return known;
        }
        let id = RelationId::new(self.keys.len());
        self.keys.push((name, arity));
        if self.first_of_name.len() <= name.index() {
            self.first_of_name.resize(name.index() + 1, None);
        }
        match &mut self.first_of_name[name.index()] {
            Some(_) => {
                self.others.insert((name, arity), id);
            }
            first => *first = Some(id),
        }
        id
    }

    fn get(&self, name: Symbol, arity: usize) -> Option<RelationId> {
        let first = (*self.first_of_name.get(name.index())?)?;
        if self.arity(first) == arity { Some(first) } else { self.others.get(&(name, arity)).copied() }
    }

    pub(crate) fn of(&self, atom: &Atom) -> RelationId {
        self.get(atom.relation, atom.args.len()).expect("the relations of all atoms were numbered")
    }

    /// Whether some name stands for relations with different numbers of arguments.
    pub(crate) fn has_ambiguous_name(&self) -> bool {
        !self.others.is_empty()
    }

    /// The relations that are not reserved.
    pub(crate) fn own(&self) -> impl Iterator<Item = RelationId> + use<> {
        (N_RESERVED..self.len()).map(RelationId::new)
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
        let description = senet_gdl::parse("(p a) (legal x y)");
        let mut table = RelationTable::new(&description);
        let legal = description.symbol_of(Keyword::Legal);
        assert_eq!(table.intern(legal, 2), reserved(Keyword::Legal));
        assert_eq!(keyword_of(reserved(Keyword::Sees)), Some(Keyword::Sees));
        assert_eq!(keyword_of(table.intern(legal, 3)), None, "another arity is another relation");
        assert!(Keyword::ALL[..N_RESERVED].iter().all(|keyword| !keyword.is_connective()));
        assert!(Keyword::ALL[N_RESERVED..].iter().all(|keyword| keyword.is_connective()));
    }
}
