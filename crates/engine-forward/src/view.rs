//! The knowledge base: facts as rows of numbers, each once, with an index on each pattern of known columns that is
//! asked. Clearing an index takes no time.

use senet_rules::form::Part;
use senet_rules::persistent::Persistent;
use senet_rules::{Atom, Lifetime, RelId, Relation};
use senet_terms::Terms;

senet_ids::define_id! {
    /// A view.
    pub(crate) struct ViewId;
}

/// The index of all columns, which tells whether a row is there.
pub(crate) const ALL: usize = 0;

const FEWEST_BUCKETS: usize = 16;

/// Rows chained by what they have in some columns.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    columns: Box<[u32]>,
    /// Rows are numbered from here on: clearing moves it past all numbers that were given.
    none: u32,
    /// By hash: the number of the newest row, or of one that was cleared.
    newest: Vec<u32>,
    /// By row: the number of the next older one of the same hash, or of one that was cleared.
    older: Vec<u32>,
    shift: u32,
}

/// Numbers begin again after so many.
const MOST_NUMBERS: u32 = 1 << 31;

#[inline(always)]
fn hash(mut values: impl Iterator<Item = u32>) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (mut hash, mut factor) = (0_u64, FACTOR);
    while let Some(value) = values.next() {
        let pair = u64::from(value) | u64::from(values.next().unwrap_or(0)) << 32;
        hash = hash.wrapping_add(pair.wrapping_mul(factor));
        factor = factor.wrapping_mul(FACTOR);
    }
    hash
}

impl Index {
    fn new(columns: &[u32]) -> Index {
        Index {
            columns: columns.into(),
            none: 0,
            newest: vec![0; FEWEST_BUCKETS],
            older: Vec::new(),
            shift: 64 - FEWEST_BUCKETS.trailing_zeros(),
        }
    }

    #[inline(always)]
    fn bucket(&self, key: impl Iterator<Item = u32>) -> usize {
        (hash(key) >> self.shift) as usize
    }

    #[inline(always)]
    fn bucket_of(&self, row: &[u32]) -> usize {
        self.bucket(self.columns.iter().map(|&column| row[column as usize]))
    }

    #[inline(always)]
    fn add(&mut self, bucket: usize, width: usize, rows: &[u32]) {
        self.older.push(self.newest[bucket]);
        self.newest[bucket] = self.none + self.older.len() as u32;
        if 4 * self.older.len() > self.newest.len() {
            self.grow(width, rows);
        }
    }

    /// Adds the rows that came since last time.
    #[inline(always)]
    fn catch_up(&mut self, len: u32, width: usize, rows: &[u32]) {
        while (self.older.len() as u32) < len {
            let bucket = self.bucket_of(&rows[self.older.len() * width..][..width]);
            self.add(bucket, width, rows);
        }
    }

    #[cold]
    fn grow(&mut self, width: usize, rows: &[u32]) {
        let n_buckets = 4 * self.newest.len();
        self.newest = vec![self.none; n_buckets];
        self.shift = 64 - n_buckets.trailing_zeros();
        for at in 0..self.older.len() {
            let bucket = self.bucket_of(&rows[at * width..][..width]);
            self.older[at] = self.newest[bucket];
            self.newest[bucket] = self.none + at as u32 + 1;
        }
    }

    /// The row of a number, `None` if it was cleared.
    #[inline(always)]
    fn row(&self, number: u32) -> Option<u32> {
        (number > self.none).then(|| number - self.none - 1)
    }

    fn clear(&mut self) {
        self.none += self.older.len() as u32;
        self.older.clear();
        if self.none > MOST_NUMBERS {
            self.none = 0;
            self.newest.fill(0);
        }
    }
}

/// A place for each row that could be: where columns are few and constants too, what is there is told by a bit.
#[derive(Clone, Debug)]
struct Places {
    n_constants: u32,
    bits: Vec<u64>,
}

/// More bits would fill the caches.
const MOST_PLACES: u64 = 1 << 20;

impl Places {
    fn new(n_constants: u32, width: usize) -> Option<Places> {
        let n_places = u64::from(n_constants).checked_pow(width as u32)?;
        let is_small = n_places <= MOST_PLACES;
        is_small.then(|| Places { n_constants, bits: vec![0; n_places.div_ceil(64) as usize] })
    }

    /// The place of a row of constants.
    #[inline(always)]
    fn place(&self, row: impl Iterator<Item = u32>) -> Option<usize> {
        let mut place = 0;
        for value in row {
            if value >= self.n_constants {
                return None;
            }
            place = place * self.n_constants as usize + value as usize;
        }
        Some(place)
    }

    #[inline(always)]
    fn contains(&self, place: usize) -> bool {
        self.bits[place / 64] >> (place % 64) & 1 != 0
    }

    #[inline(always)]
    fn insert(&mut self, place: usize) {
        self.bits[place / 64] |= 1 << (place % 64);
    }

    fn clear(&mut self, rows: &[u32], width: usize, n_rows: u32) {
        if width == 0 || n_rows as usize >= self.bits.len() {
            self.bits.fill(0);
            return;
        }
        for row in rows.chunks_exact(width) {
            if let Some(place) = self.place(row.iter().copied()) {
                self.bits[place / 64] = 0;
            }
        }
    }
}

/// The facts of a relation that have a certain form, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct View {
    relation: RelId,
    /// `None`: all facts, as they are.
    form: Option<Vec<Part>>,
    pub(crate) lifetime: Lifetime,
    /// Whether its rows stay when a match goes on.
    pub(crate) is_persistent: bool,
    width: usize,
    rows: Vec<u32>,
    len: u32,
    /// How many facts of the relation were looked at.
    n_read: u32,
    /// Told apart by places, or else by the index of all columns.
    places: Option<Places>,
    indexes: Vec<Index>,
}

impl View {
    fn new(
        relation: RelId,
        form: Option<Vec<Part>>,
        lifetime: Lifetime,
        is_persistent: bool,
        width: usize,
        n_constants: u32,
    ) -> View {
        let columns: Vec<u32> = (0..width as u32).collect();
        let (rows, indexes) = (Vec::new(), vec![Index::new(&columns)]);
        View {
            relation,
            form,
            lifetime,
            is_persistent,
            width,
            rows,
            len: 0,
            n_read: 0,
            places: Places::new(n_constants, width),
            indexes,
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    #[inline(always)]
    pub(crate) fn row(&self, at: u32) -> &[u32] {
        &self.rows[at as usize * self.width..][..self.width]
    }

    /// The index on some columns.
    pub(crate) fn index(&mut self, columns: &[u32]) -> usize {
        let known = self.indexes.iter().position(|index| *index.columns == *columns);
        known.unwrap_or_else(|| {
            self.indexes.push(Index::new(columns));
            self.indexes.len() - 1
        })
    }

    /// Adds a row unless it is there.
    #[inline(always)]
    pub(crate) fn insert(&mut self, row: impl Iterator<Item = u32> + Clone) -> bool {
        if let Some(places) = &mut self.places {
            if let Some(place) = places.place(row.clone()) {
                if places.contains(place) {
                    return false;
                }
                places.insert(place);
                self.rows.extend(row);
                self.len += 1;
                return true;
            }
            self.give_up_places();
        }
        let bucket = self.indexes[ALL].bucket(row.clone());
        if self.find_in(bucket, row.clone()).is_some() {
            return false;
        }
        self.rows.extend(row);
        self.len += 1;
        let View { rows, width, indexes, .. } = self;
        indexes[ALL].add(bucket, *width, rows);
        true
    }

    /// Some value is not a constant: from now on the index of all columns tells rows apart.
    #[cold]
    fn give_up_places(&mut self) {
        self.places = None;
        let View { rows, width, len, indexes, .. } = self;
        indexes[ALL].catch_up(*len, *width, rows);
    }

    #[inline(always)]
    fn find_in(&self, bucket: usize, row: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        let index = &self.indexes[ALL];
        let mut next = index.row(index.newest[bucket]);
        while let Some(at) = next {
            if self.row(at).iter().copied().eq(row.clone()) {
                return Some(at);
            }
            next = index.row(index.older[at as usize]);
        }
        None
    }

    /// Whether a row is there.
    #[inline(always)]
    pub(crate) fn contains(&self, row: impl Iterator<Item = u32> + Clone) -> bool {
        if let Some(places) = &self.places {
            return places.place(row).is_some_and(|place| places.contains(place));
        }
        self.find_in(self.indexes[ALL].bucket(row.clone()), row).is_some()
    }

    /// The newest row that may have these values in the columns of an index.
    #[inline(always)]
    pub(crate) fn newest(&mut self, index: usize, key: impl Iterator<Item = u32>) -> Option<u32> {
        let View { rows, width, len, indexes, .. } = self;
        let index = &mut indexes[index];
        index.catch_up(*len, *width, rows);
        index.row(index.newest[index.bucket(key)])
    }

    /// The next older row that may have the same values.
    #[inline(always)]
    pub(crate) fn older(&self, index: usize, row: u32) -> Option<u32> {
        let index = &self.indexes[index];
        index.row(index.older[row as usize])
    }

    /// Takes the rows of another view of the same width, which is left empty.
    fn take_over(&mut self, other: &mut View) {
        self.clear();
        other.indexes[ALL + 1..].iter_mut().for_each(Index::clear);
        std::mem::swap(&mut self.rows, &mut other.rows);
        std::mem::swap(&mut self.len, &mut other.len);
        std::mem::swap(&mut self.places, &mut other.places);
        std::mem::swap(&mut self.indexes[ALL], &mut other.indexes[ALL]);
        other.n_read = 0;
    }

    pub(crate) fn clear(&mut self) {
        if self.len > 0 {
            let View { rows, width, len, places, indexes, .. } = self;
            indexes.iter_mut().for_each(Index::clear);
            if let Some(places) = places {
                places.clear(rows, *width, *len);
            }
            self.rows.clear();
            self.len = 0;
        }
        self.n_read = 0;
    }
}

/// All facts.
#[derive(Clone, Debug)]
pub(crate) struct Views {
    /// First the facts of each relation as they are, by [`RelId`].
    views: Vec<View>,
    row: Vec<u32>,
    n_constants: u32,
}

impl std::ops::Index<ViewId> for Views {
    type Output = View;

    #[inline(always)]
    fn index(&self, id: ViewId) -> &View {
        &self.views[id.index()]
    }
}

impl std::ops::IndexMut<ViewId> for Views {
    #[inline(always)]
    fn index_mut(&mut self, id: ViewId) -> &mut View {
        &mut self.views[id.index()]
    }
}

/// The facts of a relation as they are.
#[inline(always)]
pub(crate) fn facts(relation: RelId) -> ViewId {
    ViewId::new(relation.index())
}

impl Views {
    pub(crate) fn new(relations: &[Relation], persistent: &Persistent, n_constants: u32) -> Views {
        let view = |(at, relation): (usize, &Relation)| {
            let id = RelId::new(at);
            View::new(id, None, relation.lifetime, persistent.contains(id), relation.arity, n_constants)
        };
        let views = relations.iter().enumerate().map(view);
        Views { views: views.collect(), row: Vec::new(), n_constants }
    }

    /// The view through which an atom looks at its relation.
    pub(crate) fn of_atom(&mut self, atom: &Atom) -> ViewId {
        let form: Vec<Part> = atom.args.iter().map(Part::of).collect();
        let whole = facts(atom.relation);
        if form.iter().all(|part| *part == Part::Column) {
            return whole;
        }
        let is_same = |view: &View| view.relation == atom.relation && view.form.as_ref() == Some(&form);
        let at = self.views.iter().position(is_same).unwrap_or_else(|| {
            let width = atom.leaves().len();
            let View { lifetime, is_persistent, .. } = self[whole];
            self.views.push(View::new(
                atom.relation,
                Some(form),
                lifetime,
                is_persistent,
                width,
                self.n_constants,
            ));
            self.views.len() - 1
        });
        ViewId::new(at)
    }

    /// Takes over the facts that came since last time.
    #[inline(always)]
    pub(crate) fn sync(&mut self, view: ViewId, terms: &Terms) {
        if self[view].form.is_some() && self[view].n_read < self[facts(self[view].relation)].len() {
            self.read(view, terms);
        }
    }

    fn read(&mut self, id: ViewId, terms: &Terms) {
        let whole = self[id].relation.index();
        let [whole, view] =
            self.views.get_disjoint_mut([whole, id.index()]).expect("a form is not the whole");
        let form = view.form.take().expect("only views with a form are read");
        while view.n_read < whole.len {
            self.row.clear();
            let mut parts = form.iter().zip(whole.row(view.n_read));
            if parts.all(|(part, &term)| part.read(terms, term, &mut self.row)) {
                view.insert(self.row.iter().copied());
            }
            view.n_read += 1;
        }
        view.form = Some(form);
    }

    /// Forgets facts that do not live longer, but for some.
    pub(crate) fn clear(&mut self, lifetime: Lifetime, is_kept: impl Fn(ViewId, &View) -> bool) {
        for (at, view) in self.views.iter_mut().enumerate() {
            if view.lifetime >= lifetime && !is_kept(ViewId::new(at), view) {
                view.clear();
            }
        }
    }

    /// Adds all facts of a relation to another of the same width.
    pub(crate) fn append(&mut self, to: RelId, from: RelId) {
        let relations = [to.index(), from.index()];
        let [to, from] = self.views.get_disjoint_mut(relations).expect("relations of different names");
        (0..from.len).for_each(|row| {
            to.insert(from.row(row).iter().copied());
        });
    }

    /// Moves all facts of a relation to another of the same width, which forgets its own.
    pub(crate) fn take_over(&mut self, to: RelId, from: RelId) {
        let relations = [to.index(), from.index()];
        let [to, from] = self.views.get_disjoint_mut(relations).expect("relations of different names");
        to.take_over(from);
    }

    /// Adds a fact of a relation to another of the same width.
    pub(crate) fn copy(&mut self, to: RelId, from: RelId, row: u32) {
        let relations = [to.index(), from.index()];
        let [to, from] = self.views.get_disjoint_mut(relations).expect("relations of different names");
        to.insert(from.row(row).iter().copied());
    }

    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = ViewId> + use<> {
        (0..self.views.len()).map(ViewId::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(n_constants: u32) -> View {
        View::new(RelId::new(0), None, Lifetime::Position, false, 3, n_constants)
    }

    fn keys(view: &mut View, index: usize, key: [u32; 2]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut next = view.newest(index, key.into_iter());
        while let Some(row) = next {
            if view.row(row)[..2] == key {
                found.push(view.row(row)[2]);
            }
            next = view.older(index, row);
        }
        found
    }

    #[test]
    fn rows_are_there_once_until_they_are_cleared() {
        // With places, without them, and where they are given up.
        for n_constants in [100, 2, 7] {
            let mut view = view(n_constants);
            let index = view.index(&[0, 1]);
            for round in 0..4 {
                for value in 0..50 {
                    let row = [value % 5, round, value];
                    assert!(view.insert(row.into_iter()));
                    assert!(!view.insert(row.into_iter()) && view.contains(row.into_iter()));
                }
                assert_eq!(view.len(), 50);
                assert_eq!(keys(&mut view, index, [3, round]), [48, 43, 38, 33, 28, 23, 18, 13, 8, 3]);
                assert!(round == 0 || keys(&mut view, index, [3, round - 1]).is_empty());
                view.clear();
                assert!(!view.contains([3, round, 3].into_iter()));
            }
        }
    }

    #[test]
    fn numbers_of_rows_begin_again() {
        let mut view = view(2);
        let index = view.index(&[0, 1]);
        for index in &mut view.indexes {
            index.none = MOST_NUMBERS - 1;
            index.newest.fill(index.none);
        }
        for _ in 0..3 {
            assert!(view.insert([4, 5, 6].into_iter()) && view.insert([4, 5, 7].into_iter()));
            assert_eq!(keys(&mut view, index, [4, 5]), [7, 6]);
            view.clear();
            assert!(keys(&mut view, index, [4, 5]).is_empty());
        }
        assert!(view.indexes.iter().all(|index| index.none < 10));
    }
}
