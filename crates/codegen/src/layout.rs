//! How the facts of a relation lie in memory.

use crate::flat::{Column, Flat, FlatId, Relation};
use crate::number::Numbering;

/// A relation with more possible facts is hashed.
const MOST_PLACES: u64 = 1 << 22;
/// An index with more possible keys is hashed.
const MOST_KEYS: u64 = 1 << 20;
/// So many places may there be in all.
const MOST_PLACES_IN_ALL: u64 = 1 << 26;

/// Numbers from `low` to before `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) low: u32,
    pub(crate) end: u32,
}

impl Range {
    pub(crate) fn len(self) -> u64 {
        u64::from(self.end - self.low)
    }

    pub(crate) fn contains(self, other: Range) -> bool {
        self.low <= other.low && other.end <= self.end
    }

    pub(crate) fn intersection(self, other: Range) -> Range {
        Range { low: self.low.max(other.low), end: self.end.min(other.end) }
    }
}

/// An index on some columns.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) columns: Vec<usize>,
    pub(crate) is_dense: bool,
}

/// How the facts of a relation lie in memory.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Of constants: where their numbers are. `None` for any term.
    pub(crate) ranges: Vec<Option<Range>>,
    /// Whether each possible fact has a place of its own.
    pub(crate) is_dense: bool,
    pub(crate) indexes: Vec<Index>,
}

impl Layout {
    fn new(relation: &Relation, numbering: &Numbering) -> Layout {
        let range = |column: &Column| match column {
            Column::Open => None,
            Column::Constants(constants) => {
                let numbers = || constants.iter().map(|constant| numbering.of(constant));
                let low = numbers().min().unwrap_or(0);
                Some(Range { low, end: numbers().max().map_or(low, |last| last + 1) })
            }
        };
        let ranges: Vec<Option<Range>> = relation.columns.iter().map(range).collect();
        Layout { is_dense: n_places(&ranges, 0..ranges.len()) <= MOST_PLACES, ranges, indexes: Vec::new() }
    }

    pub(crate) fn n_places(&self) -> u64 {
        n_places(&self.ranges, 0..self.ranges.len())
    }

    pub(crate) fn n_keys(&self, columns: &[usize]) -> u64 {
        n_places(&self.ranges, columns.iter().copied())
    }

    /// The index on some columns.
    pub(crate) fn index(&mut self, columns: &[usize]) -> usize {
        let known = self.indexes.iter().position(|index| index.columns == columns);
        known.unwrap_or_else(|| {
            let is_dense = self.n_keys(columns) <= MOST_KEYS;
            self.indexes.push(Index { columns: columns.to_vec(), is_dense });
            self.indexes.len() - 1
        })
    }
}

fn n_places(ranges: &[Option<Range>], columns: impl Iterator<Item = usize>) -> u64 {
    columns.fold(1, |places: u64, column| places.saturating_mul(ranges[column].map_or(u64::MAX, Range::len)))
}

/// The layouts of all relations.
pub(crate) fn layouts(flat: &Flat, numbering: &Numbering) -> Vec<Layout> {
    let mut layouts: Vec<Layout> =
        flat.relations.iter().map(|relation| Layout::new(relation, numbering)).collect();
    let mut by_size: Vec<FlatId> = (0..layouts.len()).map(FlatId::new).collect();
    by_size.sort_by_key(|id| layouts[id.index()].n_places());
    let mut n_places: u64 = 0;
    for id in by_size {
        let layout = &mut layouts[id.index()];
        n_places = n_places.saturating_add(layout.n_places());
        layout.is_dense &= n_places <= MOST_PLACES_IN_ALL;
    }
    layouts
}
