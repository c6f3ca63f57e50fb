//! Which words of a board mean an empty square.

use super::group::{Group, LayerKind};
use super::maker::is_full;
use super::reading::Reading;
use crate::survey::Survey;
use crate::table::Table;
use std::collections::{BTreeMap, BTreeSet};

/// A word on more than this part of the squares at the start is empty space, if it ever changes.
const MOST_SQUARES: f64 = 0.5;
/// The least share of changes that lead from or to an empty square.
const NEARLY_ALL: f64 = 0.8;
/// Empty space is no rare exception among changes.
const SOME: f64 = 0.1;

/// The word for an empty square of a relation that names something on every square.
///
/// Words are told by what they do, not by what they are: a square is empty before a piece comes and after it has gone.
/// Numbers never mean an empty square.
pub(super) fn blank_word(survey: &Survey, table: &Table, reading: &Reading) -> Option<String> {
    if reading.contents.is_empty() || reading.is_set || !is_full(table, reading) {
        return None;
    }
    let place = reading.place();
    let squares = |position: usize| -> BTreeMap<Vec<u16>, Vec<u16>> {
        let pick = |row: &[u16], columns: &[usize]| columns.iter().map(|&column| row[column]).collect();
        table.rows(position).map(|row| (pick(row, &place), pick(row, &reading.contents))).collect()
    };
    let mut at_start: BTreeMap<Vec<u16>, usize> = BTreeMap::new();
    let first = squares(0);
    first.values().for_each(|word| *at_start.entry(word.clone()).or_default() += 1);
    let mut changes: BTreeMap<Vec<u16>, usize> = BTreeMap::new();
    let mut kinds_of_change = BTreeSet::new();
    let mut n_changes = 0;
    let mut before = first.clone();
    for position in 1..table.n_positions() {
        let now = squares(position);
        for (square, word) in now.iter().filter(|_| !survey.snapshots()[position].begins) {
            let old = before.get(square).filter(|old| *old != word);
            for word in old.into_iter().chain(old.map(|_| word)) {
                *changes.entry(word.clone()).or_default() += 1;
            }
            n_changes += usize::from(old.is_some());
            kinds_of_change.extend(old.map(|old| (old.clone(), word.clone())));
        }
        before = now;
    }
    let text = |word: &Vec<u16>| {
        let words = reading.contents.iter().zip(word);
        words
            .map(|(&column, &value)| table.columns[column].values[usize::from(value)].as_str())
            .collect::<Vec<_>>()
    };
    let is_number =
        |word: &Vec<u16>| text(word).iter().all(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let part_of_changes = |word: &Vec<u16>| *changes.get(word).unwrap_or(&0) as f64 / n_changes.max(1) as f64;
    if kinds_of_change.len() == 2 && changes.len() == 2 {
        // Pegs and holes, lights that go on and off: a position does not show which word is the empty one. Rules speak
        // more of pieces than of empty squares.
        let mut words: Vec<(usize, &Vec<u16>)> =
            changes.keys().map(|word| (n_conditions(survey, table, reading, &text(word)), word)).collect();
        words.sort();
        let is_clear = words[0].0 < words[1].0 && !is_number(words[0].1);
        return is_clear.then(|| text(words[0].1).join(" "));
    }
    let common = at_start.iter().max_by_key(|(_, count)| **count);
    let common = common.filter(|(word, count)| {
        let moves = n_changes == 0 && table.n_positions() == 1 || part_of_changes(word) >= SOME;
        **count as f64 > MOST_SQUARES * first.len() as f64 && moves && !is_number(word)
    });
    let blank = common.map(|(word, _)| word.clone()).or_else(|| {
        let busy: Vec<&Vec<u16>> =
            changes.keys().filter(|word| part_of_changes(word) >= NEARLY_ALL).collect();
        match busy.as_slice() {
            &[word] if !is_number(word) => Some(word.clone()),
            _ => None,
        }
    });
    blank.map(|word| text(&word).join(" "))
}

/// How many conditions of the rules name a word of the contents.
fn n_conditions(survey: &Survey, table: &Table, reading: &Reading, word: &[&str]) -> usize {
    let relation = (table.name.clone(), table.arity);
    let columns = reading.contents.iter().map(|&column| table.columns[column].argument);
    let counts = columns.zip(word).map(|(argument, word)| {
        argument.map_or(0, |argument| survey.conditions().count(&relation, argument, word))
    });
    counts.sum()
}

/// Turns marks into empty squares where they lie exactly on the squares without contents.
pub(super) fn find_complements(tables: &[Table], group: &mut Group) {
    let n_positions = tables.first().map_or(0, Table::n_positions);
    for at in 0..group.layers.len() {
        let LayerKind::Mark(reading) = &group.layers[at].kind else { continue };
        let reading = reading.clone();
        let table = &tables[group.layers[at].table];
        let mut sums = BTreeSet::new();
        let mut is_apart = true;
        for position in 0..n_positions {
            let marked: BTreeSet<_> =
                table.rows(position).filter_map(|row| group.spot(table, &reading, row)).collect();
            let full: BTreeSet<_> = group.contents(tables, position).map(|(spot, _)| spot).collect();
            is_apart &= marked.is_disjoint(&full);
            sums.insert(marked.len() + full.len());
        }
        if is_apart && sums.len() == 1 && table.changes() {
            group.layers[at].kind = LayerKind::Blank(reading);
        }
    }
}
