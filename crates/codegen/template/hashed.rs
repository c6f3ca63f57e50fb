//! Facts for which there are too many places: found by their hashes.

use crate::terms::Term;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Rows of facts.
pub type Rows<const WIDTH: usize> = HashSet<[Term; WIDTH], BuildHasherDefault<RowHasher>>;

/// A hash function for short rows of numbers.
#[derive(Clone, Copy, Default, Debug)]
pub struct RowHasher(u64);

impl Hasher for RowHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(4) {
            let number = part.iter().fold(0, |number, &byte| number << 8 | u32::from(byte));
            self.write_u32(number);
        }
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(26) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn write_usize(&mut self, _length: usize) {}

    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// An index whose keys are rows. Rows are counted from one; zero is none.
#[derive(Clone, Default, Debug)]
pub struct HashedIndex<const WIDTH: usize> {
    newest: HashMap<[Term; WIDTH], u32, BuildHasherDefault<RowHasher>>,
    older: Vec<u32>,
}

impl<const WIDTH: usize> HashedIndex<WIDTH> {
    /// Adds the next row.
    #[inline]
    pub fn add(&mut self, key: [Term; WIDTH]) {
        let newest = self.newest.entry(key).or_default();
        self.older.push(*newest);
        *newest = self.older.len() as u32;
    }

    /// Forgets every row.
    #[inline]
    pub fn clear(&mut self) {
        self.newest.clear();
        self.older.clear();
    }

    /// The newest row of a key.
    #[inline]
    pub fn newest(&self, key: [Term; WIDTH]) -> u32 {
        self.newest.get(&key).copied().unwrap_or(0)
    }

    /// By row: the next older one of the same key.
    #[inline]
    pub fn older(&self) -> &[u32] {
        &self.older
    }
}
