//! Atoms that rules only deny: no rule concludes them.

use crate::facts::Table;
use senet_rules::RelId;

/// From here on these atoms are numbered.
pub(crate) const FIRST_IMPOSSIBLE: u32 = 1 << 30;

#[derive(Default)]
pub(crate) struct ImpossibleAtoms {
    /// By relation: its rows, and the number of each.
    relations: Vec<Option<(Table, Vec<u32>)>>,
    /// Relation and row by number.
    all: Vec<(RelId, u32)>,
}

impl ImpossibleAtoms {
    /// The number of an atom, new if need be.
    pub(crate) fn number(&mut self, relation: RelId, args: &[u32]) -> u32 {
        if self.relations.len() <= relation.index() {
            self.relations.resize_with(relation.index() + 1, || None);
        }
        let (table, numbers) =
            self.relations[relation.index()].get_or_insert_with(|| (Table::new(args.len()), Vec::new()));
        let (row, is_new) = table.insert(args);
        if is_new {
            numbers.push(FIRST_IMPOSSIBLE + self.all.len() as u32);
            self.all.push((relation, row));
        }
        numbers[row as usize]
    }

    /// The atoms in the order of their numbers.
    pub(crate) fn atoms(&self) -> impl ExactSizeIterator<Item = (RelId, &[u32])> {
        self.all.iter().map(|&(relation, row)| {
            let (table, _) = self.relations[relation.index()].as_ref().expect("it has atoms");
            (relation, table.row(row))
        })
    }
}
