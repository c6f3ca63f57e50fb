//! Facts of one relation: rows of term numbers, each stored once.

use crate::hash::{hash_row, hash_values, spread};
use hashbrown::hash_table::Entry;
use hashbrown::{HashSet, HashTable};

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
    /// Part of the hash of each row and its number.
    numbered: HashTable<(u32, u32)>,
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
        let hash = hash_row(0, row);
        self.find_hashed(hash, row)
    }

    /// The row with these values.
    #[inline]
    pub(crate) fn find_values(&self, values: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        let own = (hash_values(0, values.clone()) >> 32) as u32;
        let is_same =
            |&(known, at): &(u32, u32)| known == own && self.row(at).iter().copied().eq(values.clone());
        self.numbered.find(spread(own), is_same).map(|&(_, at)| at)
    }

    #[inline]
    fn find_hashed(&self, hash: u64, row: &[u32]) -> Option<u32> {
        let own = (hash >> 32) as u32;
        let is_same = |&(known, at): &(u32, u32)| known == own && are_equal(self.row(at), row);
        self.numbered.find(spread(own), is_same).map(|&(_, at)| at)
    }

    /// The number of a row, and whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, row: &[u32]) -> (u32, bool) {
        let own = (hash_row(0, row) >> 32) as u32;
        let Table { arity, len, rows, numbered } = self;
        let is_same = |&(known, at): &(u32, u32)| {
            known == own && are_equal(&rows[at as usize * *arity..][..*arity], row)
        };
        match numbered.entry(spread(own), is_same, |&(known, _)| spread(known)) {
            Entry::Occupied(known) => (known.get().1, false),
            Entry::Vacant(place) => {
                let at = *len;
                place.insert((own, at));
                rows.extend_from_slice(row);
                *len += 1;
                (at, true)
            }
        }
    }

    /// Whether no two rows differ only in one column.
    pub(crate) fn is_function(&self, column: usize) -> bool {
        let mut seen: HashSet<Vec<u32>> = HashSet::with_capacity(self.len as usize);
        (0..self.len).all(|at| {
            let mut rest = self.row(at).to_vec();
            rest.remove(column);
            seen.insert(rest)
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * 4 + self.numbered.allocation_size()
    }

    pub(crate) fn clear(&mut self) {
        *self = Table::new(self.arity);
    }
}

/// Rows are short: comparing them in place takes less time than a call.
#[inline]
fn are_equal(left: &[u32], right: &[u32]) -> bool {
    left.iter().zip(right).all(|(left, right)| left == right)
}
