//! The parts of a fact: its arguments, squares such as `e4` taken apart into letter and number.

use super::axis::Axis;
use super::seen::{Row, Sightings};
use std::collections::BTreeSet;

/// Which arguments of a relation name squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fields {
    is_square: Vec<bool>,
}

impl Fields {
    pub(super) fn of(relation: &Sightings, arity: usize) -> Self {
        Self { is_square: (0..arity).map(|argument| are_squares(&relation.values(argument))).collect() }
    }

    /// The parts of a fact.
    pub(super) fn split(&self, row: &Row) -> Row {
        let mut fields = Vec::new();
        for (argument, &is_square) in row.iter().zip(&self.is_square) {
            match square(argument) {
                Some((letter, number)) if is_square => {
                    fields.extend([letter.to_owned(), number.to_owned()]);
                }
                // A word among squares, such as `offboard`, has a column only.
                None if is_square => fields.extend([argument.clone(), String::new()]),
                _ => fields.push(argument.clone()),
            }
        }
        fields
    }
}

fn are_squares(values: &BTreeSet<&str>) -> bool {
    let Some(squares) = values.iter().map(|value| square(value)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let letters = squares.iter().map(|square| square.0).collect();
    let numbers = squares.iter().map(|square| square.1).collect();
    Axis::of(&letters).is_some() && Axis::of(&numbers).is_some()
}

/// The letter and the number of `e4`.
fn square(text: &str) -> Option<(&str, &str)> {
    let (letter, number) = text.split_at_checked(1)?;
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    (letter.as_bytes()[0].is_ascii_lowercase() && is_number).then_some((letter, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_several_letters_and_several_numbers() {
        assert!(are_squares(&["a1", "b1", "a2"].into()));
        assert!(!are_squares(&["c1", "c2", "c3"].into()));
        assert!(!are_squares(&["a1", "b2", "offboard"].into()));
    }
}
