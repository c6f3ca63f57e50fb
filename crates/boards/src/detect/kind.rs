//! The class of a drawing.

use super::group::{Group, LayerKind};
use super::reading::Reading;
use super::walls::has_edges;
use crate::Class;
use crate::table::Table;
use std::collections::BTreeSet;

/// Fewer different numbers may stand for anything, as 0 and 1 do for off and on.
const FEWEST_NUMBERS: usize = 3;

/// The class of a game with these boards.
pub(super) fn class_of(tables: &[Table], groups: &[Group]) -> Class {
    let n_boards: usize =
        groups.iter().map(|group| group.index.iter().map(Vec::len).product::<usize>()).sum();
    if groups.is_empty() {
        Class::None
    } else if groups.iter().any(has_edges) {
        Class::WallsEdges
    } else if groups.iter().all(|group| has_numbers(tables, group)) {
        Class::Numbers
    } else if groups.iter().any(|group| group.is_sliced) {
        Class::Slices
    } else if n_boards > 1 {
        Class::SeveralBoards
    } else {
        Class::Grid
    }
}

/// Whether the contents of a board are numbers.
fn has_numbers(tables: &[Table], group: &Group) -> bool {
    let mut layers = group.layers.iter().filter_map(|layer| match &layer.kind {
        LayerKind::Content(reading) if !reading.is_weak => Some((&tables[layer.table], reading)),
        _ => None,
    });
    let Some(first) = layers.next() else { return false };
    are_numbers(first) && layers.all(are_numbers)
}

fn are_numbers((table, reading): (&Table, &Reading)) -> bool {
    let is_number = |value: &&String| value.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = |column: usize| {
        let values: BTreeSet<&String> = table.columns[column].values.iter().collect();
        let n_numbers = values.iter().copied().filter(is_number).count();
        (n_numbers, values.len() - n_numbers)
    };
    match reading.contents.as_slice() {
        // One word beside the numbers is an empty square.
        &[column] => numbers(column).0 >= FEWEST_NUMBERS && numbers(column).1 <= 1,
        contents => {
            // The numbers of pieces are names.
            let are_names = table.most_facts() > 1 && contents.len() <= 4 && table.is_exact_key(contents);
            let is_numeric = |&column: &usize| numbers(column).0 >= FEWEST_NUMBERS && numbers(column).1 == 0;
            !are_names && contents.iter().any(is_numeric)
        }
    }
}
