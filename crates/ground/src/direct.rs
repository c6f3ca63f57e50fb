//! Rows found by arithmetic: each combination of argument values has a place of its own.
//!
//! The place of a row is a number in mixed radix, one digit a column, as the relation ids of the High Speed
//! Forward Chainer are. Where most combinations occur this takes less memory than a hash table, and rows that
//! are asked for one after the other lie near each other.

use smallvec::{SmallVec, smallvec};

const NONE: u32 = u32::MAX;

/// The numbers of rows by their values.
#[derive(Debug)]
pub(crate) struct Direct {
    columns: Box<[Column]>,
    /// For each column and term its digit times the weight of the column; `NONE` for a term that does not occur.
    weights: Vec<u32>,
    numbers: Vec<u32>,
}

/// The terms of a column, from the least to the greatest.
#[derive(Clone, Copy, Debug)]
struct Column {
    least: u32,
    len: u32,
    /// Where the weight of the least term is.
    first_weight: u32,
}

/// How many places may be kept for so many rows.
fn most_places(n_rows: usize) -> u64 {
    (n_rows as u64 * 8).max(1 << 12).min(u64::from(NONE))
}

impl Direct {
    /// Whether so many combinations of values, by an estimate, are few enough for so many rows.
    pub(crate) fn is_worth(n_rows: u32, n_combinations: f64) -> bool {
        n_combinations <= 4.0 * most_places(n_rows as usize) as f64
    }

    /// `None` if there are too many combinations for so few rows. The last column has the lowest weight.
    pub(crate) fn new(
        rows: &[u32],
        width: usize,
        n_rows: u32,
        number: impl Fn(u32) -> u32,
    ) -> Option<Direct> {
        if width == 0 {
            return None;
        }
        let most = most_places(n_rows as usize);
        let mut ranges: SmallVec<[(u32, u32); 8]> = smallvec![(NONE, 0); width];
        for row in rows.chunks_exact(width) {
            for ((least, greatest), &value) in ranges.iter_mut().zip(row) {
                *least = value.min(*least);
                *greatest = value.max(*greatest);
            }
        }
        let mut n_weights = 0;
        let columns: Box<[Column]> = ranges
            .iter()
            .map(|&(least, greatest)| {
                let len = (greatest + 1).saturating_sub(least);
                let column = Column { least, len, first_weight: n_weights as u32 };
                n_weights += u64::from(len);
                column
            })
            .collect();
        if n_weights >= u64::from(NONE) {
            return None;
        }
        let mut weights = vec![NONE; n_weights as usize];
        for row in rows.chunks_exact(width) {
            for (column, &value) in columns.iter().zip(row) {
                weights[(column.first_weight + (value - column.least)) as usize] = 0;
            }
        }
        let mut places = 1u64;
        let mut end = weights.len();
        for column in columns.iter().rev() {
            let first = column.first_weight as usize;
            let mut n_values = 0;
            for weight in weights[first..end].iter_mut().filter(|weight| **weight != NONE) {
                *weight = (n_values * places).min(u64::from(NONE)) as u32;
                n_values += 1;
            }
            end = first;
            places *= n_values;
            if places > most {
                return None;
            }
        }
        let mut direct = Direct { columns, weights, numbers: vec![NONE; places as usize] };
        for (row, at) in rows.chunks_exact(width).zip(0..n_rows) {
            let place = direct.place(row.iter().copied()).expect("values that were counted");
            direct.numbers[place] = number(at);
        }
        Some(direct)
    }

    /// The place for these values; a weight that is `NONE` leads beyond all places.
    #[inline]
    fn place(&self, values: impl Iterator<Item = u32>) -> Option<usize> {
        let mut place = 0;
        for (column, value) in self.columns.iter().zip(values) {
            let digit = value.wrapping_sub(column.least);
            if digit >= column.len {
                return None;
            }
            place += self.weights[(column.first_weight + digit) as usize] as usize;
        }
        Some(place)
    }

    /// The number of the row with these values.
    #[inline]
    pub(crate) fn find(&self, values: impl Iterator<Item = u32>) -> Option<u32> {
        let number = *self.numbers.get(self.place(values)?)?;
        (number != NONE).then_some(number)
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.numbers.capacity() + self.weights.capacity()) * 4
    }
}
