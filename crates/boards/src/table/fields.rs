//! The parts of a fact: its arguments, with places in one word or one term taken apart.

use super::axis::Axis;
use crate::rules::LineGrid;
use crate::survey::Fact;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Terms are taken apart to this depth.
const DEEPEST: usize = 3;
/// Squares fill this part of their rectangle; other words of a letter and a number do not.
const FEWEST_SQUARES: f64 = 0.45;
/// Places that rules name by their lines: so many have to occur, and they are no numbers.
const FEWEST_PLACES: usize = 3;

/// How the arguments of a relation become fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Vec<Part>);

/// How one argument becomes one or several fields.
#[derive(Clone, Debug)]
enum Part {
    Whole,
    /// All values are terms of the same function.
    Term(String, Vec<Part>),
    /// All values are squares such as `e4`.
    Square,
    /// All values are places of a board that is known by its lines.
    Lines(Arc<LineGrid>),
}

impl Fields {
    /// The fields of a relation whose arguments have these values.
    pub(crate) fn of(arguments: &[Vec<&str>], grids: &[Arc<LineGrid>]) -> Self {
        Self(arguments.iter().map(|values| Part::of(values, grids, DEEPEST)).collect())
    }

    /// How many fields each argument becomes.
    pub(crate) fn widths(&self) -> Vec<usize> {
        self.0.iter().map(Part::width).collect()
    }

    /// The fields of an argument; `None` for a value that does not fit.
    pub(crate) fn split_argument(&self, argument: usize, text: &str) -> Option<Vec<String>> {
        let mut fields = Vec::new();
        self.0.get(argument)?.split(text, &mut fields)?;
        Some(fields)
    }

    /// The fields of a fact; `None` if a value does not fit.
    pub(crate) fn split(&self, arguments: &[&str]) -> Option<Vec<String>> {
        if arguments.len() != self.0.len() {
            return None;
        }
        let mut fields = Vec::new();
        for (part, text) in self.0.iter().zip(arguments) {
            part.split(text, &mut fields)?;
        }
        Some(fields)
    }
}

impl Part {
    fn of(values: &[&str], grids: &[Arc<LineGrid>], depth: usize) -> Self {
        if depth > 0
            && let Some(term) = Self::term(values, grids, depth - 1)
        {
            return term;
        }
        if are_squares(values) {
            return Part::Square;
        }
        let is_on = |grid: &&Arc<LineGrid>| values.iter().all(|value| grid.place(value).is_some());
        let are_numbers = values.iter().all(|value| value.bytes().all(|byte| byte.is_ascii_digit()));
        match grids.iter().find(is_on) {
            Some(grid) if values.len() >= FEWEST_PLACES && !are_numbers => Part::Lines(grid.clone()),
            _ => Part::Whole,
        }
    }

    fn term(values: &[&str], grids: &[Arc<LineGrid>], depth: usize) -> Option<Self> {
        let first = values.first().filter(|text| text.starts_with('('))?;
        let Fact { relation, arguments } = Fact::of(first);
        if arguments.is_empty() {
            return None;
        }
        let mut columns: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); arguments.len()];
        for value in values {
            let fact = Fact::of(value);
            if fact.relation != relation || fact.arguments.len() != columns.len() {
                return None;
            }
            for (column, argument) in columns.iter_mut().zip(fact.arguments) {
                column.insert(argument);
            }
        }
        let part =
            |column: &BTreeSet<&str>| Self::of(&column.iter().copied().collect::<Vec<_>>(), grids, depth);
        Some(Part::Term(relation.to_owned(), columns.iter().map(part).collect()))
    }

    fn width(&self) -> usize {
        match self {
            Part::Whole => 1,
            Part::Term(_, parts) => parts.iter().map(Part::width).sum(),
            Part::Square | Part::Lines(_) => 2,
        }
    }

    fn split(&self, text: &str, fields: &mut Vec<String>) -> Option<()> {
        match self {
            Part::Whole => fields.push(text.to_owned()),
            Part::Term(function, parts) => {
                let fact = Fact::of(text);
                if fact.relation != function || fact.arguments.len() != parts.len() {
                    return None;
                }
                for (part, argument) in parts.iter().zip(fact.arguments) {
                    part.split(argument, fields)?;
                }
            }
            Part::Square => {
                let (letter, number) = square(text)?;
                fields.extend([letter.to_owned(), number.to_owned()]);
            }
            Part::Lines(grid) => {
                let (column, row) = grid.place(text)?;
                fields.extend([(column + 1).to_string(), (row + 1).to_string()]);
            }
        }
        Some(())
    }
}

fn are_squares(values: &[&str]) -> bool {
    let Some(squares) = values.iter().map(|value| square(value)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let distinct = |part: fn(&(&'_ str, &'_ str)) -> String| -> Vec<String> {
        squares.iter().map(part).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let (letters, numbers) = (distinct(|square| square.0.to_owned()), distinct(|square| square.1.to_owned()));
    let is_axis =
        |values: &[String]| Axis::of(&values.iter().map(String::as_str).collect::<Vec<_>>(), &[]).is_some();
    let area = letters.len() * numbers.len();
    is_axis(&letters) && is_axis(&numbers) && values.len() as f64 >= FEWEST_SQUARES * area as f64
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

    fn split(values: &[&str], text: &str) -> Option<Vec<String>> {
        Fields::of(&[values.to_vec()], &[]).split(&[text])
    }

    #[test]
    fn squares_have_several_letters_and_several_numbers() {
        assert_eq!(split(&["a1", "b1", "a2"], "b2").expect("a square"), ["b", "2"]);
        assert_eq!(split(&["c1", "c2", "c3"], "c2").expect("a word"), ["c2"]);
        assert_eq!(split(&["a1", "b2", "offboard"], "a1").expect("a word"), ["a1"]);
        assert_eq!(split(&["a1", "b1", "a2"], "offboard"), None);
    }

    #[test]
    fn terms_of_one_function_are_taken_apart() {
        let values = ["(at (row 1) 2)", "(at (row 2) 2)"];
        assert_eq!(split(&values, "(at (row 3) 1)").expect("a term"), ["3", "1"]);
        assert_eq!(split(&values, "(to (row 3) 1)"), None);
        assert_eq!(split(&["(move 1 2)", "(beq 1 2)"], "(beq 3 4)").expect("a term"), ["(beq 3 4)"]);
    }
}
