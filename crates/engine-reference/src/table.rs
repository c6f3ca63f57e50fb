//! Tables: the calls that were made and their answers so far.

use crate::facts::Facts;
use crate::program::{Lifetime, RelationId, StepId};
use crate::terms::{TermId, Terms};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

senet_ids::define_id! {
    /// A table of one worker.
    pub(crate) struct TableId;
}

/// A rule that waits for answers of an incomplete table.
#[derive(Clone, Copy)]
pub(crate) struct Consumer {
    /// The table the rule works for.
    pub(crate) owner: TableId,
    /// The call it waits at.
    pub(crate) step: StepId,
    /// Where its environment begins in the table's `environments`.
    pub(crate) env_start: usize,
}

/// One call variant.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) relation: RelationId,
    pub(crate) call: Vec<TermId>,
    /// Rows of values for the variables of the call.
    pub(crate) answers: Facts,
    /// The call has no variable: one answer says all.
    pub(crate) ground: bool,
    /// No further answer will come.
    pub(crate) complete: bool,
    /// The place among the tables under evaluation.
    pub(crate) place: usize,
    pub(crate) consumers: Vec<Consumer>,
    pub(crate) environments: Vec<TermId>,
}

/// All tables by call, in groups that are forgotten together.
#[derive(Clone, Default)]
pub(crate) struct Tables {
    tables: Vec<Table>,
    unused: Vec<TableId>,
    by_call: [HashTable<TableId>; 3],
}

fn hash_of(relation: RelationId, call: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    (relation, call).hash(&mut hasher);
    hasher.finish()
}

impl Tables {
    pub(crate) fn len(&self) -> usize {
        self.tables.len()
    }

    pub(crate) fn find(&self, lifetime: Lifetime, relation: RelationId, call: &[TermId]) -> Option<TableId> {
        let group = &self.by_call[lifetime as usize];
        let same = |&id: &TableId| {
            let table = &self[id];
            table.relation == relation && table.call == call
        };
        group.find(hash_of(relation, call), same).copied()
    }

    pub(crate) fn create(
        &mut self,
        terms: &Terms,
        lifetime: Lifetime,
        relation: RelationId,
        call: &[TermId],
        n_variables: usize,
    ) -> TableId {
        let ground = call.iter().all(|&term| terms.is_ground(term));
        let id = match self.unused.pop() {
            Some(id) => {
                let table = &mut self.tables[id.index()];
                table.relation = relation;
                table.call.clear();
                table.call.extend_from_slice(call);
                table.answers.reset(n_variables);
                table.ground = ground;
                table.complete = false;
                id
            }
            None => {
                self.tables.push(Table {
                    relation,
                    call: call.to_vec(),
                    answers: Facts::new(n_variables),
                    ground,
                    complete: false,
                    place: 0,
                    consumers: Vec::new(),
                    environments: Vec::new(),
                });
                TableId::new(self.tables.len() - 1)
            }
        };
        let Self { tables, by_call, .. } = self;
        by_call[lifetime as usize].insert_unique(hash_of(relation, call), id, |id| {
            let table = &tables[id.index()];
            hash_of(table.relation, &table.call)
        });
        id
    }

    /// Whether an answer is known. A table made after these tables were copied has none here.
    pub(crate) fn is_answered(&self, id: TableId) -> bool {
        self.tables.get(id.index()).is_some_and(|table| table.answers.len() > 0)
    }

    /// Forgets the tables of a lifetime.
    pub(crate) fn forget(&mut self, lifetime: Lifetime) {
        let Self { tables, unused, by_call } = self;
        for id in by_call[lifetime as usize].drain() {
            let table = &mut tables[id.index()];
            table.answers.clear();
            table.consumers.clear();
            table.environments.clear();
            unused.push(id);
        }
    }
}

impl std::ops::Index<TableId> for Tables {
    type Output = Table;
    fn index(&self, id: TableId) -> &Table {
        &self.tables[id.index()]
    }
}

impl std::ops::IndexMut<TableId> for Tables {
    fn index_mut(&mut self, id: TableId) -> &mut Table {
        &mut self.tables[id.index()]
    }
}
