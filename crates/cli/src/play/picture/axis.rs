//! One direction of a board.

use std::collections::BTreeSet;

/// A board with longer sides than this is not drawn.
const LONGEST: u32 = 40;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Letters,
    /// Numbers behind a common beginning, such as `c` in `c1`; mostly none.
    Numbers {
        prefix: String,
    },
}

/// Values that look like coordinates, in order and without gaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    kind: Kind,
    pub(super) values: Vec<String>,
}

impl Axis {
    /// The axis on which all these values lie, if they look like coordinates: numbers or single letters that
    /// follow each other with few gaps.
    pub(super) fn of(values: &BTreeSet<&str>) -> Option<Self> {
        Self::of_letters(values).or_else(|| Self::of_numbers(values))
    }

    fn of_letters(values: &BTreeSet<&str>) -> Option<Self> {
        let letter = |value: &&str| match value.as_bytes() {
            [byte] if byte.is_ascii_lowercase() => Some(*byte),
            _ => None,
        };
        let letters = values.iter().map(letter).collect::<Option<Vec<_>>>()?;
        let (first, last) = (*letters.first()?, *letters.last()?);
        is_dense(u32::from(first), u32::from(last), letters.len()).then(|| Self {
            kind: Kind::Letters,
            values: (first..=last).map(|byte| char::from(byte).to_string()).collect(),
        })
    }

    fn of_numbers(values: &BTreeSet<&str>) -> Option<Self> {
        let first = values.first()?;
        let prefix = &first[..first.find(|c: char| c.is_ascii_digit())?];
        if prefix.len() > 2 {
            return None;
        }
        let number = |value: &&str| {
            let digits = value.strip_prefix(prefix)?;
            let plain = digits.len() <= 3 && (digits == "0" || !digits.starts_with('0'));
            plain.then(|| digits.parse::<u32>().ok()).flatten()
        };
        let numbers = values.iter().map(number).collect::<Option<Vec<_>>>()?;
        let (first, last) = (*numbers.iter().min()?, *numbers.iter().max()?);
        is_dense(first, last, numbers.len()).then(|| Self {
            kind: Kind::Numbers { prefix: prefix.to_owned() },
            values: (first..=last).map(|number| format!("{prefix}{number}")).collect(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether, of two axes in this order, the first counts the columns: letters always do, and names such as
    /// `c1` and `r1` say so; else the first of the two does.
    pub(super) fn first_is_column(first: &Self, second: &Self) -> bool {
        match (&first.kind, &second.kind) {
            (Kind::Numbers { .. }, Kind::Letters) => false,
            (Kind::Numbers { prefix: first }, Kind::Numbers { prefix: second }) => {
                !matches!((first.as_str(), second.as_str()), ("r" | "row", "c" | "col") | ("y", "x"))
            }
            _ => true,
        }
    }
}

fn is_dense(first: u32, last: u32, count: usize) -> bool {
    let span = last - first + 1;
    count >= 2 && span <= LONGEST && (span as usize) <= count + count / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(text: &str) -> Option<Axis> {
        Axis::of(&text.split(' ').collect())
    }

    #[test]
    fn numbers_and_letters_without_large_gaps_are_coordinates() {
        assert_eq!(
            axis("1 10 2 3 4 5 6 8 9").unwrap().values,
            ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
        );
        assert_eq!(axis("a b c d").unwrap().len(), 4);
        assert_eq!(axis("c1 c2 c3").unwrap().values, ["c1", "c2", "c3"]);
    }

    #[test]
    fn marks_and_codes_are_not_coordinates() {
        for values in ["b o x", "1", "p0100 p0101", "1 50", "b w", "1 b", "white black", "01 02"] {
            assert_eq!(axis(values), None, "{values}");
        }
    }

    #[test]
    fn letters_are_columns() {
        let first_is_column =
            |first, second| Axis::first_is_column(&axis(first).unwrap(), &axis(second).unwrap());
        assert!(first_is_column("a b", "1 2") && !first_is_column("1 2", "a b"));
        assert!(first_is_column("1 2", "1 2") && first_is_column("a b", "a b"));
        assert!(first_is_column("c1 c2", "r1 r2") && !first_is_column("r1 r2", "c1 c2"));
    }
}
