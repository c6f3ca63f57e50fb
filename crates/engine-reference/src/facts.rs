//! Sets of ground rows with an index on each pattern of known columns that is asked.

use crate::terms::TermId;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

const NO_ROW: u32 = u32::MAX;

/// Fewer rows than this are scanned.
const WORTH_AN_INDEX: usize = 12;

/// Rows of one width, in the order of their insertion, each once.
#[derive(Clone, Default)]
pub(crate) struct Facts {
    width: usize,
    cells: Vec<TermId>,
    len: usize,
    rows: HashTable<u32>,
    indexes: Vec<Index>,
}

/// Rows chained by the hash of the columns in `mask`.
#[derive(Clone, Default)]
struct Index {
    mask: u64,
    latest: FxHashMap<u64, u32>,
    earlier: Vec<u32>,
}

fn hash_row(row: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    row.iter().for_each(|cell| hasher.write_usize(cell.index()));
    hasher.finish()
}

fn hash_columns(mask: u64, cell: impl Fn(usize) -> TermId) -> u64 {
    let mut hasher = FxHasher::default();
    let mut rest = mask;
    while rest != 0 {
        hasher.write_usize(cell(rest.trailing_zeros() as usize).index());
        rest &= rest - 1;
    }
    hasher.finish()
}

impl Facts {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// Forgets everything, for rows of another width.
    pub(crate) fn reset(&mut self, width: usize) {
        self.clear();
        self.indexes.clear();
        self.width = width;
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn row(&self, row: usize) -> &[TermId] {
        &self.cells[row * self.width..][..self.width]
    }

    /// Adds a row; false if it was there.
    pub(crate) fn insert(&mut self, row: &[TermId]) -> bool {
        let hash = hash_row(row);
        let Self { width, cells, rows, .. } = self;
        let row_at = |at: u32| &cells[at as usize * *width..][..*width];
        if rows.find(hash, |&at| row_at(at) == row).is_some() {
            return false;
        }
        rows.insert_unique(hash, self.len as u32, |&at| hash_row(row_at(at)));
        self.cells.extend_from_slice(row);
        self.len += 1;
        true
    }

    pub(crate) fn contains(&self, row: &[TermId]) -> bool {
        self.rows.find(hash_row(row), |&at| self.row(at as usize) == row).is_some()
    }

    /// Forgets the rows but not the patterns that are asked.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.len = 0;
        self.rows.clear();
        for index in &mut self.indexes {
            index.latest.clear();
            index.earlier.clear();
        }
    }

    /// Calls `visit` with a superset of the rows that agree with `known` in the columns of `mask`.
    pub(crate) fn for_each_candidate(
        &mut self,
        mask: u64,
        known: impl Fn(usize) -> TermId,
        mut visit: impl FnMut(&[TermId]),
    ) {
        if mask == 0 || self.len < WORTH_AN_INDEX {
            for row in 0..self.len {
                visit(self.row(row));
            }
            return;
        }
        let index = self.updated_index(mask);
        let index = &self.indexes[index];
        let mut row = index.latest.get(&hash_columns(mask, known)).copied().unwrap_or(NO_ROW);
        while row != NO_ROW {
            let at = row as usize;
            row = index.earlier[at];
            visit(&self.cells[at * self.width..][..self.width]);
        }
    }

    fn updated_index(&mut self, mask: u64) -> usize {
        let at = self.indexes.iter().position(|index| index.mask == mask).unwrap_or_else(|| {
            self.indexes.push(Index { mask, ..Index::default() });
            self.indexes.len() - 1
        });
        let index = &mut self.indexes[at];
        for row in index.earlier.len()..self.len {
            let cells = &self.cells[row * self.width..][..self.width];
            let key = hash_columns(mask, |column| cells[column]);
            let earlier = index.latest.insert(key, row as u32);
            index.earlier.push(earlier.unwrap_or(NO_ROW));
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(facts: &mut Facts, mask: u64, known: [usize; 2]) -> Vec<Vec<usize>> {
        let mut rows = Vec::new();
        facts.for_each_candidate(
            mask,
            |column| TermId::new(known[column]),
            |row| {
                let row: Vec<_> = row.iter().map(|cell| cell.index()).collect();
                let agrees = (0..2).all(|column| mask & 1 << column == 0 || row[column] == known[column]);
                if agrees {
                    rows.push(row);
                }
            },
        );
        rows.sort();
        rows
    }

    #[test]
    fn rows_are_found_by_any_columns_before_and_after_growth() {
        let mut facts = Facts::new(2);
        for round in 1..=2 {
            for number in 0..20 * round {
                let row = [TermId::new(number % 5), TermId::new(number)];
                assert_eq!(facts.insert(&row), !facts_had(number, round));
            }
            assert_eq!(found(&mut facts, 0b01, [3, 0]).len(), 4 * round);
            assert_eq!(found(&mut facts, 0b10, [0, 7]), [[2, 7]]);
            assert_eq!(found(&mut facts, 0b11, [3, 8]), [[3, 8]]);
            assert_eq!(found(&mut facts, 0b11, [3, 9]), Vec::<Vec<usize>>::new());
            assert_eq!(found(&mut facts, 0, [0, 0]).len(), 20 * round);
        }
        facts.clear();
        assert_eq!(found(&mut facts, 0b01, [3, 0]).len(), 0);
        assert!(!facts.contains(&[TermId::new(3), TermId::new(8)]));
    }

    fn facts_had(number: usize, round: usize) -> bool {
        round == 2 && number < 20
    }
}
