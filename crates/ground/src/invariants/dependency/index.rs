//! The rows of a table by the value in a column.

use hashbrown::HashMap;

const NONE: u32 = u32::MAX;

/// For each value the rows that have it, the last first.
#[derive(Debug)]
pub(super) struct Index {
    /// The last row with a value, and how many there are.
    last: HashMap<u32, (u32, u32), foldhash::fast::RandomState>,
    before: Vec<u32>,
}

impl Index {
    pub(super) fn new(values: impl ExactSizeIterator<Item = u32>) -> Self {
        let mut index = Self { last: HashMap::default(), before: Vec::with_capacity(values.len()) };
        for (row, value) in values.enumerate() {
            let (last, n_rows) = index.last.entry(value).or_insert((NONE, 0));
            index.before.push(*last);
            *last = row as u32;
            *n_rows += 1;
        }
        index
    }

    /// How many rows have the value.
    pub(super) fn count(&self, value: u32) -> u32 {
        self.last.get(&value).map_or(0, |&(_, n_rows)| n_rows)
    }

    /// The rows that have the value.
    pub(super) fn rows(&self, value: u32) -> impl Iterator<Item = u32> + '_ {
        let last = self.last.get(&value).map(|&(last, _)| last);
        std::iter::successors(last, |&row| Some(self.before[row as usize]).filter(|&before| before != NONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_value() {
        let index = Index::new([7, 8, 7, 7].into_iter());
        assert_eq!(index.rows(7).collect::<Vec<_>>(), [3, 2, 0]);
        assert_eq!(index.rows(8).collect::<Vec<_>>(), [1]);
        assert_eq!((index.count(7), index.count(9), index.rows(9).count()), (3, 0, 0));
    }
}
