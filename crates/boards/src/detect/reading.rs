//! How the columns of one relation are read: what names the place, what counts boards, what stands there.

use crate::survey::Survey;
use crate::table::{Axis, Table};
use std::cmp::Reverse;

/// A column with more values does not count boards, nor do two with more combinations.
const MOST_BOARDS: usize = 40;
const MOST_ARRANGED: usize = 100;
/// Words tell boards apart if so many facts share their squares with another fact; else they stand on one board.
const OFTEN: f64 = 0.2;
/// Columns are compared in threes and fours: wider relations are read by their first axes.
const MOST_AXES: usize = 6;

/// How a relation is drawn. Numbers are those of columns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading {
    /// The index columns of boards of the same kind: none, one or two.
    pub(crate) index: Vec<usize>,
    pub(crate) column: usize,
    pub(crate) row: usize,
    /// The contents of a square: the remaining columns. Empty if the fact says only that there is something.
    pub(crate) contents: Vec<usize>,
    /// Whether a square often has several facts at once.
    pub(crate) is_set: bool,
    /// Whether the index is a third direction of the same board.
    pub(crate) is_sliced: bool,
    /// Whether it makes no board of its own.
    pub(crate) is_weak: bool,
}

impl Reading {
    /// The columns of the place, those of the index first.
    pub(crate) fn place(&self) -> Vec<usize> {
        [self.index.as_slice(), &[self.column, self.row]].concat()
    }
}

/// How good a reading is: the greater the better.
type Score = (Reverse<usize>, bool, bool, bool, bool, usize, isize);

/// The best reading of a relation, if it names places at all.
pub(crate) fn read(survey: &Survey, table: &Table) -> Option<Reading> {
    let n_columns = table.columns.len();
    let mut axes: Vec<usize> =
        (0..n_columns).filter(|&column| table.columns[column].axis.is_some()).collect();
    axes.truncate(MOST_AXES);
    if axes.len() < 2 {
        return None;
    }
    let most_facts = table.most_facts();
    let is_id = |column: &usize| most_facts >= 3 && table.is_exact_key(&[*column]);
    let places: Vec<usize> = axes.iter().copied().filter(|column| !is_id(column)).collect();
    if n_columns == 2 {
        // A number for each name is no place.
        let is_weak = places.len() < 2 || most_facts < 2;
        return Some(oriented(table, Reading { column: 0, row: 1, is_weak, ..Reading::default() }));
    }
    let has_pieces = (0..n_columns).any(|column| !axes.contains(&column) && is_id(&column));
    let candidates = match places.len() {
        0 | 1 if has_pieces || most_facts < 3 => axes,
        0 | 1 => return None,
        _ => places,
    };
    let pairs = candidates.iter().enumerate();
    let pairs =
        pairs.flat_map(|(at, &first)| candidates[at + 1..].iter().map(move |&second| (first, second)));
    let scored = pairs.filter_map(|(first, second)| evaluate(table, first, second));
    let best = scored.max_by(|left, right| left.0.cmp(&right.0))?.1;
    let best = nested(survey, table, best);
    Some(oriented(table, Reading { is_weak: most_facts < 2, ..best }))
}

/// A reading with these columns as the place.
fn evaluate(table: &Table, first: usize, second: usize) -> Option<(Score, Reading)> {
    let rest: Vec<usize> =
        (0..table.columns.len()).filter(|column| ![first, second].contains(column)).collect();
    if leads_elsewhere(table, [first, second], &rest) {
        return None;
    }
    let shared = table.shared_part(&[first, second]);
    let reading = |index: Vec<usize>, is_set| {
        let contents = rest.iter().copied().filter(|column| !index.contains(column)).collect();
        Reading { index, column: first, row: second, contents, is_set, ..Reading::default() }
    };
    let is_single = table.is_key(&[first, second]);
    let index = if is_single { Some(Vec::new()) } else { index(table, [first, second], &rest) };
    let mut reading = match index {
        Some(index) => reading(index, false),
        None if is_word_index(table, [first, second], &rest, shared) => reading(rest.clone(), false),
        None => reading(complete_index(table, [first, second], &rest), true),
    };
    let is_even = table.axis(first) == table.axis(second);
    if let &[third] = reading.index.as_slice() {
        let axis = table.columns[third].axis.as_ref();
        reading.is_sliced = is_even && axis.is_some_and(|axis| axis == table.axis(first) && axis.len() > 2);
    }
    if reading.is_set
        && let &[third] = rest.as_slice()
    {
        // Places of a cube: nothing but three coordinates.
        let axis = table.columns[third].axis.as_ref();
        if is_even && axis.is_some_and(|axis| axis == table.axis(first)) && !table.names_pieces(third) {
            reading = Reading {
                index: rest.clone(),
                contents: Vec::new(),
                is_set: false,
                is_sliced: true,
                ..reading
            };
        }
    }
    let area = table.axis(first).len() * table.axis(second).len();
    // Boards are counted before their squares.
    let place = isize::try_from(first).unwrap_or(0);
    let score = (
        Reverse(reading.index.len()),
        !reading.is_set,
        second == first + 1,
        reading.index.is_empty() && shared == 0.0,
        is_even,
        area,
        if reading.index.is_empty() { -place } else { place },
    );
    Some((score, reading))
}

/// Whether the rest of the facts is again a place of the same kind and nothing else: they lead from one to another.
fn leads_elsewhere(table: &Table, place: [usize; 2], rest: &[usize]) -> bool {
    let is_like = |column: usize, other: usize| {
        let axis = table.columns[column].axis.as_ref();
        axis.is_some_and(|axis| axis.is_similar(table.axis(other)))
    };
    match rest {
        &[first, second] => is_like(first, place[0]) && is_like(second, place[1]),
        _ => false,
    }
}

/// As few columns as possible that determine the rest together with the place, of which something is left.
fn index(table: &Table, [first, second]: [usize; 2], rest: &[usize]) -> Option<Vec<usize>> {
    let n_values = |column: usize| table.columns[column].values.len();
    let counts = |column: &usize| (2..=MOST_BOARDS).contains(&n_values(*column));
    let columns: Vec<usize> = rest.iter().copied().filter(counts).collect();
    let single = columns.iter().find(|&&column| rest.len() > 1 && table.is_key(&[column, first, second]));
    if let Some(&column) = single {
        return Some(vec![column]);
    }
    let pairs = columns.iter().enumerate();
    let mut pairs = pairs.flat_map(|(at, &left)| columns[at + 1..].iter().map(move |&right| (left, right)));
    let pair = pairs.find(|&(left, right)| {
        rest.len() > 2
            && n_values(left) * n_values(right) <= MOST_ARRANGED
            && table.is_key(&[left, right, first, second])
    });
    pair.map(|(left, right)| vec![left, right])
}

/// Whether the rest is one word that tells boards apart: `(blank ?place board1)`. The words for what stands on squares
/// fill a board once.
fn is_word_index(table: &Table, place: [usize; 2], rest: &[usize], shared: f64) -> bool {
    match rest {
        &[column] => {
            let axis = table.columns[column].axis.as_ref();
            let is_number = axis.is_some_and(Axis::is_numeric);
            let n_values = table.columns[column].values.len();
            !is_number
                && (2..=12).contains(&n_values)
                && shared >= OFTEN
                && !table.names_pieces(column)
                && !table.fills_once(&place)
        }
        _ => false,
    }
}

/// A column all of whose values occur on all squares.
fn complete_index(table: &Table, [first, second]: [usize; 2], rest: &[usize]) -> Vec<usize> {
    let counts = |column: &&usize| {
        let n_values = table.columns[**column].values.len();
        rest.len() > 1
            && (2..=MOST_BOARDS).contains(&n_values)
            && table.is_complete(&[**column, first, second])
    };
    rest.iter().find(counts).copied().into_iter().collect()
}

/// Four coordinates are boards on a board: which two belong together is told by rules that take the outer ones.
fn nested(survey: &Survey, table: &Table, reading: Reading) -> Reading {
    let &[outer_column, outer_row] = reading.index.as_slice() else { return reading };
    let columns = [outer_column, outer_row, reading.column, reading.row];
    let arguments = columns.map(|column| table.columns[column].argument);
    let [Some(a), Some(b), Some(c), Some(d)] = arguments else { return reading };
    let relation = (table.name.clone(), table.arity);
    match survey.links().projects(&relation, &[a, b, c, d], &[a, c]) {
        true => Reading { index: vec![outer_column, reading.column], column: outer_row, ..reading },
        false => reading,
    }
}

/// The reading with columns and rows as the axes tell.
fn oriented(table: &Table, reading: Reading) -> Reading {
    match Axis::first_is_column(table.axis(reading.column), table.axis(reading.row)) {
        true => reading,
        false => Reading { column: reading.row, row: reading.column, ..reading },
    }
}
