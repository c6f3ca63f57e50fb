//! Facts of one relation: rows of term numbers, each stored once.

use crate::hash::hash_row;
use hashbrown::HashTable;

senet_ids::define_id! {
    /// A table of facts. Relations that always have the same facts share one.
    pub(crate) struct TableId;
}

/// Rows in the order in which they were added.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    arity: usize,
    len: u32,
    rows: Vec<u32>,
    numbered: HashTable<u32>,
}

impl Table {
    pub(crate) fn new(arity: usize) -> Table {
        Table { arity, len: 0, rows: Vec::new(), numbered: HashTable::new() }
    }

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    pub(crate) fn row(&self, at: u32) -> &[u32] {
        &self.rows[at as usize * self.arity..][..self.arity]
    }

    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    #[inline]
    pub(crate) fn find(&self, row: &[u32]) -> Option<u32> {
        self.numbered.find(hash_row(0, row), |&at| self.row(at) == row).copied()
    }

    /// The number of a row, and whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, row: &[u32]) -> (u32, bool) {
        let hash = hash_row(0, row);
        if let Some(&at) = self.numbered.find(hash, |&at| self.row(at) == row) {
            return (at, false);
        }
        let at = self.len;
        self.rows.extend_from_slice(row);
        self.len += 1;
        let Table { arity, rows, numbered, .. } = self;
        numbered.insert_unique(hash, at, |&at| hash_row(0, &rows[at as usize * *arity..][..*arity]));
        (at, true)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * 4 + self.numbered.allocation_size()
    }

    pub(crate) fn clear(&mut self) {
        *self = Table::new(self.arity);
    }
}
