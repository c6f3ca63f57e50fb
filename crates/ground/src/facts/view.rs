//! Tables seen through the shape of a pattern, with indexes on the columns that joins bind.
//!
//! `(true (cell ?x ?y ?c))` looks at the rows of `true` whose term is a `cell`, as rows of three
//! columns.

use super::direct::Direct;
use super::index::Index;
use super::table::{Table, TableId};
use senet_rules::{Atom, Pattern};
use senet_terms::hash::constant_hash;
use senet_terms::{Functor, Terms};
use smallvec::{SmallVec, smallvec};
use std::cell::{Cell, RefCell};

/// A leaf of a shape takes a whole term, a branch only terms with its functor.
pub(super) const LEAF: Functor = Functor::MAX;
/// About so many rows are looked at to count values.
const SAMPLE: u32 = 20_000;
/// More rows are not counted exactly.
const MOST_COUNTED: u32 = 50_000;

/// Rows of a table that have a shape.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) table: TableId,
    /// The functors of the shape, in the order of the text.
    pub(super) shape: Vec<Functor>,
    pub(crate) width: usize,
    /// Whether the rows are those of the table: then none are kept here.
    pub(super) is_plain: bool,
    pub(super) rows: Vec<u32>,
    /// The row of the table behind each row: growing.
    pub(super) fact: Vec<u32>,
    /// How many rows of the table were looked at.
    pub(super) synced: u32,
    pub(crate) indexes: Vec<Index>,
    /// How often all rows were gone through where an index would have led to some.
    pub(super) n_scans: u32,
    /// Rows found by arithmetic.
    pub(crate) direct: Option<Direct>,
    /// With so many rows it was found that arithmetic would take too much memory.
    pub(super) not_direct: u32,
    /// How many different values each column has, and among how many rows that was counted.
    pub(super) distinct: Vec<Cell<Option<(u32, u32)>>>,
    /// How many different rows some columns have, and how many rows there were then.
    pub(super) distinct_rows: RefCell<Vec<(Vec<usize>, u32, u32)>>,
}

impl View {
    pub(crate) fn len(&self) -> u32 {
        if self.is_plain { self.synced } else { self.fact.len() as u32 }
    }

    /// All rows, one behind the other.
    #[inline]
    pub(super) fn rows<'a>(&'a self, table: &'a Table) -> &'a [u32] {
        if self.is_plain { &table.rows()[..self.synced as usize * self.width] } else { &self.rows }
    }

    #[inline]
    pub(crate) fn row<'a>(&'a self, tables: &'a [Table], at: u32) -> &'a [u32] {
        let rows = if self.is_plain { tables[self.table.index()].rows() } else { &self.rows };
        &rows[at as usize * self.width..][..self.width]
    }

    /// The row of the table behind a row.
    #[inline]
    pub(crate) fn fact(&self, at: u32) -> u32 {
        if self.is_plain { at } else { self.fact[at as usize] }
    }

    /// The first row that stands for a row of the table from `fact` on.
    pub(crate) fn first_from(&self, fact: u32) -> u32 {
        if fact >= self.synced {
            return self.len();
        }
        if self.is_plain {
            return fact;
        }
        self.fact.partition_point(|&known| known < fact) as u32
    }

    /// Takes over what the table got since last time.
    pub(super) fn sync(&mut self, table: &Table, terms: &Terms) {
        if self.synced == table.len() {
            return;
        }
        let first = self.len();
        if !self.is_plain {
            for at in self.synced..table.len() {
                let start = self.rows.len();
                let mut shape = self.shape.as_slice();
                if table.row(at).iter().all(|&term| flatten(&mut shape, term, terms, &mut self.rows)) {
                    self.fact.push(at);
                } else {
                    self.rows.truncate(start);
                }
            }
        }
        self.synced = table.len();
        let mut indexes = std::mem::take(&mut self.indexes);
        indexes.iter_mut().for_each(|index| index.sync(self.rows(table), self.width, self.len()));
        self.indexes = indexes;
        // It is made again when it is asked for.
        self.direct = self.direct.take().and_then(|direct| self.numbered(direct, table, first));
    }

    /// Gives the rows from `first` on their numbers; `None` if there is no place for one of them.
    fn numbered(&self, mut direct: Direct, table: &Table, first: u32) -> Option<Direct> {
        let rows = self.rows(table)[first as usize * self.width..].chunks_exact(self.width);
        for (row, at) in rows.zip(first..) {
            direct.replace(row.iter().copied(), self.fact(at))?;
        }
        Some(direct)
    }

    /// How many different values a column has: not much more or less than that.
    pub(crate) fn distinct(&self, tables: &[Table], column: usize, n_terms: usize) -> u32 {
        let rows = self.len();
        if rows <= 2 {
            return rows.max(1);
        }
        if let Some((count, counted)) = self.distinct[column].get()
            && rows / 2 <= counted
            && counted / 2 <= rows
        {
            return count;
        }
        // Of many rows some are looked at, spread over all.
        let step = (rows / SAMPLE).max(1);
        let mut seen: SmallVec<[u64; 16]> = smallvec![0; n_terms.div_ceil(64)];
        let seen = seen.as_mut_slice();
        let mut count = 0;
        let values = self.rows(&tables[self.table.index()]);
        for &value in values[column..].iter().step_by(self.width * step as usize) {
            let (word, bit) = (&mut seen[value as usize / 64], 1 << (value % 64));
            count += u32::from(*word & bit == 0);
            *word |= bit;
        }
        // Values that hardly repeat in a part repeat as little in the whole.
        if count > rows / step / 2 {
            count = count.saturating_mul(step).min(rows);
        }
        self.distinct[column].set(Some((count, rows)));
        count
    }

    /// How many different rows there are in some columns, or a few less; `None` if counting would
    /// take long.
    pub(crate) fn distinct_rows(&self, tables: &[Table], columns: &[usize]) -> Option<u32> {
        let rows = self.len();
        if rows > MOST_COUNTED {
            return None;
        }
        let mut known = self.distinct_rows.borrow_mut();
        if let Some((.., count)) = known.iter().find(|(of, len, _)| of == columns && *len == rows) {
            return Some(*count);
        }
        let values = self.rows(&tables[self.table.index()]);
        // So many bits that few rows share one.
        let mut seen = vec![0u64; (rows as usize / 4).next_power_of_two()];
        let mut count = 0;
        for row in values.chunks_exact(self.width) {
            let hash = constant_hash(columns.iter().map(|&column| row[column]));
            let (word, bit) = ((hash >> 38) as usize & (seen.len() - 1), 1 << (hash >> 32 & 63));
            count += u32::from(seen[word] & bit == 0);
            seen[word] |= bit;
        }
        known.push((columns.to_vec(), rows, count));
        Some(count)
    }

    /// How many combinations the values of some columns have, all with all.
    pub(super) fn combinations(
        &self,
        tables: &[Table],
        columns: impl Iterator<Item = usize>,
        n_terms: usize,
    ) -> f64 {
        columns.map(|column| f64::from(self.distinct(tables, column, n_terms))).product()
    }

    /// Whether whole rows can be found by arithmetic, from now on at the latest.
    pub(super) fn make_direct(&mut self, tables: &[Table], n_terms: usize) -> bool {
        if self.direct.is_some() || self.not_direct == self.len() {
            return self.direct.is_some();
        }
        let most = (u64::from(self.len()) * 8).max(1 << 12);
        let is_few = |n_combinations: f64| n_combinations <= 4.0 * most as f64;
        // Of few rows the values need not be counted.
        if is_few(f64::from(self.len()).powi(self.width as i32))
            || is_few(self.combinations(tables, 0..self.width, n_terms))
        {
            let table = &tables[self.table.index()];
            let columns: SmallVec<[u32; 8]> = (0..self.width as u32).collect();
            let direct = Direct::new(self.rows(table), self.width, &columns, most);
            self.direct = direct.and_then(|direct| self.numbered(direct, table, 0));
        }
        if self.direct.is_none() {
            self.not_direct = self.len();
        }
        self.direct.is_some()
    }

    pub(super) fn bytes(&self) -> usize {
        let indexes = self.indexes.iter().map(Index::bytes);
        let direct = self.direct.as_ref().map_or(0, Direct::bytes);
        (self.rows.capacity() + self.fact.capacity()) * 4 + indexes.sum::<usize>() + direct
    }
}

/// Appends the leaves of a term; false if it has another shape.
fn flatten(shape: &mut &[Functor], term: u32, terms: &Terms, out: &mut Vec<u32>) -> bool {
    let (&wanted, rest) = shape.split_first().expect("a shape has a place for each term");
    *shape = rest;
    if wanted == LEAF {
        out.push(term);
        return true;
    }
    let Some((functor, args)) = terms.compound(term) else { return false };
    if functor != wanted {
        return false;
    }
    // Most terms are not nested.
    let (own, rest) = shape.split_at(args.len());
    if own.iter().all(|&functor| functor == LEAF) {
        out.extend_from_slice(args);
        *shape = rest;
        return true;
    }
    args.iter().all(|&arg| flatten(shape, arg, terms, out))
}

/// The shape of the arguments of an atom.
pub(crate) fn shape_of(atom: &Atom) -> Vec<Functor> {
    let mut shape = Vec::new();
    atom.args.iter().for_each(|arg| collect_shape(arg, &mut shape));
    shape
}

fn collect_shape(pattern: &Pattern, shape: &mut Vec<Functor>) {
    match pattern {
        Pattern::App(functor, args) => {
            shape.push(*functor);
            args.iter().for_each(|arg| collect_shape(arg, shape));
        }
        _ => shape.push(LEAF),
    }
}

/// Whether patterns have the shape that comes next.
pub(super) fn has_shape(patterns: &[Pattern], shape: &mut &[Functor]) -> bool {
    patterns.iter().all(|pattern| {
        let (&wanted, rest) = shape.split_first().expect("a shape has a place for each term");
        *shape = rest;
        match pattern {
            Pattern::App(functor, args) => *functor == wanted && has_shape(args, shape),
            _ => wanted == LEAF,
        }
    })
}
