//! Rows of facts, chained by what they have in some columns.

use crate::terms::Term;

/// Rows are counted from one; zero is none.
#[derive(Clone, Debug)]
pub struct Index {
    /// By key.
    newest: Vec<u32>,
    /// By row: the next older one of the same key.
    older: Vec<u32>,
}

impl Index {
    /// An index of so many keys.
    pub fn new(n_keys: usize) -> Index {
        Index { newest: vec![0; n_keys], older: Vec::new() }
    }

    /// Adds the next row.
    #[inline]
    pub fn add(&mut self, key: usize) {
        self.older.push(self.newest[key]);
        self.newest[key] = self.older.len() as u32;
    }

    /// Forgets the rows of a key.
    #[inline]
    pub fn forget(&mut self, key: usize) {
        self.newest[key] = 0;
    }

    /// To be called when every key is forgotten.
    #[inline]
    pub fn clear(&mut self) {
        self.older.clear();
    }

    /// The newest row of a key.
    #[inline]
    pub fn newest(&self, key: usize) -> u32 {
        self.newest[key]
    }

    /// By row: the next older one of the same key.
    #[inline]
    pub fn older(&self) -> &[u32] {
        &self.older
    }
}

/// Rows of one key, from the newest to the oldest.
pub struct Chain<'a, const WIDTH: usize> {
    /// The next row.
    pub next: u32,
    /// By row: the next older one.
    pub older: &'a [u32],
    /// All rows.
    pub rows: &'a [[Term; WIDTH]],
}

impl<const WIDTH: usize> Iterator for Chain<'_, WIDTH> {
    type Item = [Term; WIDTH];

    #[inline]
    fn next(&mut self) -> Option<[Term; WIDTH]> {
        let at = self.next.checked_sub(1)? as usize;
        self.next = self.older[at];
        Some(self.rows[at])
    }
}
