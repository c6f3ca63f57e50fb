//! Facts of one relation: rows of term numbers, each stored once.

use senet_terms::hash::{hash_row, hash_values};
use senet_terms::numbers::{Numbers, Place, are_equal};
use smallvec::SmallVec;
use std::cell::RefCell;

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
    numbers: Numbers,
    /// Columns that were asked about, with the number of rows then, and whether the others
    /// determine them.
    functions: RefCell<Vec<(usize, u32, bool)>>,
}

impl Table {
    pub(crate) fn new(arity: usize) -> Table {
        Table { arity, len: 0, rows: Vec::new(), numbers: Numbers::default(), functions: RefCell::default() }
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
        self.numbers.find(hash_row(0, row), |at| are_equal(self.row(at), row))
    }

    /// The row with these values.
    #[inline]
    pub(crate) fn find_values(&self, values: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        let hash = hash_values(0, values.clone());
        self.numbers.find(hash, |at| self.row(at).iter().copied().eq(values.clone()))
    }

    /// The number of a row, and whether it is new.
    #[inline(always)]
    pub(crate) fn insert(&mut self, row: &[u32]) -> (u32, bool) {
        self.insert_hashed(row, hash_row(0, row))
    }

    #[inline(always)]
    fn insert_hashed(&mut self, row: &[u32], hash: u64) -> (u32, bool) {
        let Table { arity, len, rows, numbers, .. } = self;
        match numbers.place(hash, |at| are_equal(&rows[at as usize * *arity..][..*arity], row)) {
            Place::Known(place) => (numbers.at(place), false),
            Place::Free(place) => {
                let at = *len;
                numbers.set(place, hash, at);
                rows.extend(row);
                *len += 1;
                (at, true)
            }
        }
    }

    /// Adds rows, one behind the other. They are looked for together: memory answers many questions
    /// in the time of one.
    pub(crate) fn insert_all(&mut self, rows: &[u32]) {
        if self.arity == 0 {
            self.insert(&[]);
            return;
        }
        /// A smaller table is near anyway.
        const SMALL: u32 = 1 << 12;
        if self.len < SMALL {
            rows.chunks_exact(self.arity).for_each(|row| {
                self.insert(row);
            });
            return;
        }
        let mut hashes: SmallVec<[u64; 64]> = SmallVec::new();
        let mut seen = 0;
        for row in rows.chunks_exact(self.arity) {
            let hash = hash_row(0, row);
            hashes.push(hash);
            if let Some(at) = self.numbers.approach(hash) {
                seen ^= self.rows[at as usize * self.arity];
            }
        }
        std::hint::black_box(seen);
        for (row, hash) in rows.chunks_exact(self.arity).zip(hashes) {
            self.insert_hashed(row, hash);
        }
    }

    /// Whether there are rows, and no two of them differ only in one column. Of many rows that is
    /// not asked.
    pub(crate) fn is_function(&self, column: usize) -> bool {
        const MOST_ROWS: u32 = 10_000;
        if !(1..=MOST_ROWS).contains(&self.len) {
            return false;
        }
        let known = self.functions.borrow().iter().find(|it| (it.0, it.1) == (column, self.len)).copied();
        if let Some((.., is_function)) = known {
            return is_function;
        }
        let rest = |at: u32| {
            let row = self.row(at).iter().enumerate();
            row.filter_map(|(at, &value)| (at != column).then_some(value))
        };
        let mut seen = Numbers::default();
        let is_function = (0..self.len).all(|at| {
            let hash = hash_values(0, rest(at));
            match seen.place(hash, |other| rest(other).eq(rest(at))) {
                Place::Known(_) => false,
                Place::Free(place) => {
                    seen.set(place, hash, at);
                    true
                }
            }
        });
        self.functions.borrow_mut().push((column, self.len, is_function));
        is_function
    }

    /// Gives the rows away. Nothing else can be asked then but how many there are.
    pub(crate) fn take_rows(&mut self) -> Vec<u32> {
        self.numbers.clear();
        let mut rows = std::mem::take(&mut self.rows);
        rows.shrink_to_fit();
        rows
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * 4 + self.numbers.bytes()
    }

    pub(crate) fn clear(&mut self) {
        *self = Table::new(self.arity);
    }
}
