//! Rows found by arithmetic: each combination of argument values has a place of its own.
//!
//! The place of a row is a number in mixed radix, one digit a column, as the relation ids of the
//! High Speed Forward Chainer are. Where most combinations occur this takes less memory than a hash
//! table, and rows that are asked for one after the other lie near each other.

use smallvec::{SmallVec, smallvec};

/// The number of no row.
pub(crate) const NONE: u32 = u32::MAX;

/// The numbers of rows by their values.
#[derive(Debug)]
pub(crate) struct Direct {
    columns: Box<[Column]>,
    /// For each column and term its digit times the weight of the column; `NONE` for a term that
    /// does not occur.
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

impl Direct {
    /// Places for the values of some columns in rows of a width, without numbers. `None` if there
    /// are more than `most` combinations of them. The last column has the lowest weight.
    pub(crate) fn new(rows: &[u32], width: usize, columns: &[u32], most: u64) -> Option<Direct> {
        if columns.is_empty() {
            return None;
        }
        let most = most.min(u64::from(NONE));
        let mut ranges: SmallVec<[(u32, u32); 8]> = smallvec![(NONE, 0); columns.len()];
        for row in rows.chunks_exact(width) {
            for ((least, greatest), &column) in ranges.iter_mut().zip(columns) {
                let value = row[column as usize];
                *least = value.min(*least);
                *greatest = value.max(*greatest);
            }
        }
        let mut n_weights = 0;
        let places_of: Box<[Column]> = ranges
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
            for (own, &column) in places_of.iter().zip(columns) {
                weights[(own.first_weight + (row[column as usize] - own.least)) as usize] = 0;
            }
        }
        let mut n_places = 1u64;
        let mut end = weights.len();
        for column in places_of.iter().rev() {
            let first = column.first_weight as usize;
            let mut n_values = 0;
            for weight in weights[first..end].iter_mut().filter(|weight| **weight != NONE) {
                *weight = (n_values * n_places).min(u64::from(NONE)) as u32;
                n_values += 1;
            }
            end = first;
            n_places *= n_values;
            if n_places > most {
                return None;
            }
        }
        Some(Direct { columns: places_of, weights, numbers: vec![NONE; n_places as usize] })
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

    /// Gives the row with these values a number; gives back the one it had, or `NONE`. `None` if
    /// there is no place for such values.
    #[inline]
    pub(crate) fn replace(&mut self, values: impl Iterator<Item = u32>, number: u32) -> Option<u32> {
        let place = self.place(values)?;
        let known = self.numbers.get_mut(place)?;
        Some(std::mem::replace(known, number))
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.numbers.capacity() + self.weights.capacity()) * 4
    }
}
