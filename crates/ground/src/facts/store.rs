//! Everything that joins work on: terms, tables, views of them, and relations.

use super::table::{Table, TableId};
use super::views::Views;
use crate::program::Kind;
use senet_analysis::RuleId;
use senet_ids::Symbol;
use senet_rules::Atom;
use senet_terms::Terms;

/// A relation as the grounder sees it.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) name: Symbol,
    pub(crate) arity: usize,
    pub(crate) table: TableId,
    /// The purpose of its atoms in the ground program; `None` for a static relation, which is not in
    /// it.
    pub(crate) kind: Option<Kind>,
    /// The rule it is a part of, if it is not a relation of the program.
    pub(crate) part_of: Option<RuleId>,
}

impl Relation {
    pub(crate) fn is_static(&self) -> bool {
        self.kind.is_none()
    }
}

/// Terms, tables and relations: what all joins work on.
#[derive(Debug)]
pub(crate) struct FactStore {
    pub(crate) terms: Terms,
    pub(crate) tables: Vec<Table>,
    pub(crate) views: Views,
    pub(crate) relations: Vec<Relation>,
}

impl FactStore {
    pub(crate) fn table_of(&self, atom: &Atom) -> TableId {
        self.relations[atom.relation.index()].table
    }

    pub(crate) fn bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(Table::bytes).sum();
        self.terms.bytes() + tables + self.views.bytes()
    }

    pub(crate) fn n_facts(&self) -> usize {
        self.tables.iter().map(|table| table.len() as usize).sum()
    }
}
