//! The positions that were reached, by key, each with the fewest moves known.

use crate::table::Table;

/// Depths by key. It grows in small steps.
#[derive(Default)]
pub(super) struct Reached {
    table: Table<(u64, u32)>,
}

impl Reached {
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    pub(super) fn depth(&self, key: u64) -> Option<u32> {
        self.table.find(hash(key), |&(other, _)| other == key).map(|&(_, depth)| depth)
    }

    pub(super) fn insert(&mut self, key: u64, depth: u32) {
        if let Some(entry) = self.table.find_mut(hash(key), |&(other, _)| other == key) {
            entry.1 = depth;
        } else {
            self.table.insert(hash(key), (key, depth), |&(key, _)| hash(key));
        }
    }
}

fn hash(key: u64) -> u64 {
    let product = u128::from(key) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_depth_is_known() {
        let mut reached = Reached::default();
        for depth in [3, 2] {
            (0..10_000).for_each(|key| reached.insert(key << 20, depth));
        }
        assert_eq!((reached.len(), reached.depth(7 << 20), reached.depth(7)), (10_000, Some(2), None));
    }
}
