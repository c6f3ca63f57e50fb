//! Rows found by arithmetic: each combination of argument values has a place of its own.
//!
//! The place of a row is a number in mixed radix, one digit a column, as the relation ids of the High Speed
//! Forward Chainer are. Where most combinations occur this takes less memory than a hash table, and rows that
//! are asked for one after the other lie near each other.

const NONE: u32 = u32::MAX;

/// The numbers of rows by their values.
#[derive(Debug)]
pub(crate) struct Direct {
    /// For each column and term its digit times the weight of the column; `NONE` for a term that does not occur.
    weights: Vec<Vec<u32>>,
    numbers: Vec<u32>,
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
        let mut weights: Vec<Vec<u32>> = vec![Vec::new(); width];
        for row in rows.chunks_exact(width) {
            for (codes, &value) in weights.iter_mut().zip(row) {
                let value = value as usize;
                if codes.len() <= value {
                    codes.resize(value + 1, NONE);
                }
                codes[value] = 0;
            }
        }
        let mut places = 1u64;
        for codes in weights.iter_mut().rev() {
            let mut n_values = 0;
            for code in codes.iter_mut().filter(|code| **code != NONE) {
                *code = (n_values * places).min(u64::from(NONE)) as u32;
                n_values += 1;
            }
            places *= n_values;
            if places > most {
                return None;
            }
        }
        let mut direct = Direct { weights, numbers: vec![NONE; places as usize] };
        for (row, at) in rows.chunks_exact(width).zip(0..n_rows) {
            let place = direct.place(row.iter().copied()).expect("values that were counted");
            direct.numbers[place] = number(at);
        }
        Some(direct)
    }

    #[inline]
    fn place(&self, values: impl Iterator<Item = u32>) -> Option<usize> {
        let mut place = 0;
        for (codes, value) in self.weights.iter().zip(values) {
            match codes.get(value as usize) {
                Some(&weight) if weight != NONE => place += weight,
                _ => return None,
            }
        }
        Some(place as usize)
    }

    /// The number of the row with these values.
    #[inline]
    pub(crate) fn find(&self, values: impl Iterator<Item = u32>) -> Option<u32> {
        let number = self.numbers[self.place(values)?];
        (number != NONE).then_some(number)
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.numbers.capacity() + self.weights.iter().map(Vec::capacity).sum::<usize>()) * 4
    }
}
