//! The rows of a view by the values of some columns, the newest first.

use super::direct::{Direct, NONE};
use super::table::Table;
use super::view::View;
use senet_terms::hash::hash_values;
use senet_terms::numbers::{Numbers, Place};

/// Fewer rows are hashed at once.
const FEW: u32 = 1 << 10;
/// So many places for each row take no more memory than hashes.
const PLACES: u32 = 2;

#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) columns: Vec<u32>,
    newest: Newest,
    older: Vec<u32>,
}

/// How the newest row with some values is found.
#[derive(Debug)]
enum Newest {
    Hashed(Numbers),
    Placed(Direct),
}

impl Index {
    /// Whether the rows may be found by arithmetic, if there are so many and so many combinations
    /// of their values, by an estimate.
    pub(crate) fn can_be_placed(n_rows: u32, n_combinations: impl FnOnce() -> f64) -> bool {
        n_rows >= FEW && n_combinations() <= 2.0 * f64::from(PLACES) * f64::from(n_rows)
    }

    pub(crate) fn new(columns: &[u32], rows: &[u32], width: usize, len: u32, can_be_placed: bool) -> Index {
        let direct =
            can_be_placed.then(|| Direct::new(rows, width, columns, u64::from(PLACES) * u64::from(len)));
        let newest = direct.flatten().map_or_else(|| Newest::Hashed(Numbers::default()), Newest::Placed);
        let mut index = Index { columns: columns.to_vec(), newest, older: Vec::new() };
        index.sync(rows, width, len);
        index
    }

    /// Takes over the rows that came since last time.
    pub(crate) fn sync(&mut self, rows: &[u32], width: usize, len: u32) {
        let Index { columns, newest, older } = self;
        let key = |at: u32| {
            let row = &rows[at as usize * width..][..width];
            columns.iter().map(move |&column| row[column as usize])
        };
        older.reserve(len as usize - older.len());
        if let Newest::Placed(direct) = newest {
            let first = older.len() as u32;
            older.extend((first..len).map_while(|at| direct.replace(key(at), at)));
            if older.len() == len as usize {
                return;
            }
            // A value that has no place: from now on all are hashed.
            *newest = Newest::Hashed(Numbers::default());
            older.clear();
        }
        let Newest::Hashed(newest) = newest else { return };
        for at in older.len() as u32..len {
            let hash = hash_values(1, key(at));
            let place = match newest.place(hash, |known| key(known).eq(key(at))) {
                Place::Known(place) => {
                    older.push(newest.at(place));
                    place
                }
                Place::Free(place) => {
                    older.push(NONE);
                    place
                }
            };
            newest.set(place, hash, at);
        }
    }

    /// The newest row with these values in the columns of the index.
    #[inline]
    pub(crate) fn newest(
        &self,
        view: &View,
        tables: &[Table],
        key: impl Iterator<Item = u32> + Clone,
    ) -> Option<u32> {
        let newest = match &self.newest {
            Newest::Placed(direct) => return direct.find(key),
            Newest::Hashed(newest) => newest,
        };
        let hash = hash_values(1, key.clone());
        let own = |at: u32| {
            let row = view.row(tables, at);
            self.columns.iter().map(move |&column| row[column as usize])
        };
        newest.find(hash, |at| own(at).eq(key.clone()))
    }

    /// The next older row with the same values.
    #[inline]
    pub(crate) fn older(&self, at: u32) -> Option<u32> {
        let older = self.older[at as usize];
        (older != NONE).then_some(older)
    }

    pub(crate) fn clear(&mut self) {
        self.newest = Newest::Hashed(Numbers::default());
        self.older.clear();
    }

    pub(crate) fn bytes(&self) -> usize {
        let newest = match &self.newest {
            Newest::Hashed(newest) => newest.bytes(),
            Newest::Placed(direct) => direct.bytes(),
        };
        newest + self.older.capacity() * 4
    }
}
