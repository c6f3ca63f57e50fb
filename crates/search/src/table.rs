//! A hash table that grows in small steps: linear hashing (Litwin 1980).
//!
//! Entries are spread over shards, each a small hash table. Shards are split one after the other, in a fixed order, as
//! entries are added: with n shards, an entry is in the shard of the last bits of its hash, as many as number all shards, or
//! one bit less where the split of that shard is still to come. A split moves half of one shard.

use hashbrown::HashTable;

/// Entries of a shard, on average over all shards. Those that are still to be split have twice as many as those that were: up
/// to 1,664, so that 2,048 buckets are enough for each of them.
const ENTRIES: usize = 832;
/// Room of a shard from the beginning: what fits into 2,048 buckets.
const ROOM: usize = 1_792;

/// A hash table of many small ones. The hash of an entry is given by the caller; all of its bits must be random.
pub(crate) struct Table<T> {
    /// Empty until there is an entry.
    shards: Vec<HashTable<T>>,
    len: usize,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { shards: Vec::new(), len: 0 }
    }
}

impl<T> Table<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn n_shards(&self) -> usize {
        self.shards.len()
    }

    /// Makes room for the list of shards of so many entries: that list is not moved until then.
    pub(crate) fn reserve(&mut self, n: usize) {
        // Without the room it grows as a vector does.
        let _ = self.shards.try_reserve(n.div_ceil(ENTRIES));
    }

    /// The shard of a hash. The table of the shard uses other bits.
    fn shard(&self, hash: u64) -> usize {
        let (bits, n) = ((hash >> 32) as usize, self.shards.len());
        let mask = n.next_power_of_two() - 1;
        let shard = bits & mask;
        if shard < n { shard } else { bits & (mask >> 1) }
    }

    pub(crate) fn find(&self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&T> {
        self.shards.get(self.shard(hash))?.find(hash, is_it)
    }

    pub(crate) fn find_mut(&mut self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&mut T> {
        let shard = self.shard(hash);
        self.shards.get_mut(shard)?.find_mut(hash, is_it)
    }

    /// Whether a shard is to be split before the next entry is added.
    pub(crate) fn is_full(&self) -> bool {
        self.len >= self.shards.len() * ENTRIES
    }

    /// Adds an entry that is not in the table. Splits a shard if the table is full.
    pub(crate) fn insert(&mut self, hash: u64, entry: T, hash_of: impl Fn(&T) -> u64) {
        if self.is_full() {
            self.grow(&hash_of);
        }
        let shard = self.shard(hash);
        self.shards[shard].insert_unique(hash, entry, hash_of);
        self.len += 1;
    }

    /// Splits the next shard.
    pub(crate) fn grow(&mut self, hash_of: impl Fn(&T) -> u64) {
        let new = self.shards.len();
        if new == 0 {
            return self.shards.push(HashTable::new());
        }
        self.shards.push(HashTable::with_capacity(ROOM));
        let old = new - (1 << new.ilog2());
        let mut entries = std::mem::take(&mut self.shards[old]);
        let moved = entries.extract_if(|entry| self.shard(hash_of(entry)) == new);
        let moved: Vec<T> = moved.collect();
        for entry in moved {
            self.shards[new].insert_unique(hash_of(&entry), entry, &hash_of);
        }
        self.shards[old] = entries;
    }

    /// Removes the entry that is meant, if it is there.
    pub(crate) fn remove(&mut self, hash: u64, is_it: impl FnMut(&T) -> bool) {
        let shard = self.shard(hash);
        let Some(shard) = self.shards.get_mut(shard) else { return };
        if let Ok(entry) = shard.find_entry(hash, is_it) {
            entry.remove();
            self.len -= 1;
        }
    }

    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.shards.iter().flat_map(HashTable::iter)
    }

    /// Removes the entries of a shard that are not to be kept.
    pub(crate) fn retain(&mut self, shard: usize, is_kept: impl FnMut(&mut T) -> bool) {
        let shard = &mut self.shards[shard];
        let before = shard.len();
        shard.retain(is_kept);
        self.len -= before - shard.len();
    }

    /// Takes the table apart: the entries of one shard. No entry may be looked for after that.
    pub(crate) fn take_shard(&mut self) -> Option<HashTable<T>> {
        let shard = self.shards.pop()?;
        self.len -= shard.len();
        Some(shard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_game::MoveGenerator;
    use std::collections::HashMap;

    fn hash(key: u64) -> u64 {
        key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    #[test]
    fn it_holds_what_a_map_holds() {
        let (mut table, mut model) = (Table::default(), HashMap::new());
        let mut generator = MoveGenerator::new(1);
        let hash_of = |&(key, _): &(u64, usize)| hash(key);
        for at in 0..100_000 {
            let key = generator.below(30_000) as u64;
            let is_it = |&(other, _): &(u64, usize)| other == key;
            assert_eq!(table.find(hash(key), is_it).map(|entry| entry.1), model.get(&key).copied());
            if generator.below(3) == 0 {
                table.remove(hash(key), is_it);
                model.remove(&key);
            } else if let Some(entry) = table.find_mut(hash(key), is_it) {
                entry.1 = at;
                model.insert(key, at);
            } else {
                table.insert(hash(key), (key, at), hash_of);
                model.insert(key, at);
            }
            assert_eq!(table.len(), model.len());
        }
        assert!(table.n_shards() > 16);
        for shard in 0..table.n_shards() {
            table.retain(shard, |&mut (key, _)| key % 2 == 0);
        }
        model.retain(|key, _| key % 2 == 0);
        assert_eq!(table.len(), model.len());
        let mut n = 0;
        while let Some(shard) = table.take_shard() {
            n += shard.len();
            assert!(shard.iter().all(|(key, value)| model.get(key) == Some(value)));
        }
        assert_eq!((n, table.len()), (model.len(), 0));
    }

    #[test]
    fn a_step_of_growth_is_small() {
        let mut table = Table::default();
        table.reserve(200_000);
        let list = table.shards.as_ptr();
        let mut n_shards = 0;
        for key in 0..200_000 {
            table.insert(hash(key), key, |&key| hash(key));
            // One shard is split at most, and none is large.
            assert!(table.n_shards() <= n_shards + 1);
            n_shards = table.n_shards();
            if key % 1_000 == 0 {
                assert!(table.shards.iter().all(|shard| shard.len() <= ROOM), "{key}");
                assert!(table.shards.iter().all(|shard| shard.capacity() <= ROOM), "{key}");
            }
        }
        assert!((180..300).contains(&n_shards), "{n_shards}");
        assert!(std::ptr::eq(list, table.shards.as_ptr()));
    }
}
