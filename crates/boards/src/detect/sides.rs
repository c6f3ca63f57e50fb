//! Lines around squares, as in dots and boxes: their places reach one step further than the squares.

use super::edges::EdgeReading;
use super::group::{Group, Side};
use super::reading::Reading;
use crate::table::Table;
use std::collections::BTreeMap;

/// The columns and rows that marks reach, from the first to the last.
type Reach = [(i32, i32); 2];

/// Marks of one word, or of a relation without such words.
struct Marks {
    table: usize,
    value: Option<String>,
    reach: Reach,
}

/// The sides of squares that relations mark: of two kinds of marks one reaches a row beyond the squares and the other a
/// column.
pub(super) fn read_sides(
    tables: &[Table],
    group: &Group,
    readings: &BTreeMap<usize, Reading>,
) -> BTreeMap<usize, Vec<(Option<String>, Side)>> {
    let mut found: BTreeMap<usize, Vec<(Option<String>, Side)>> = BTreeMap::new();
    if !group.index.is_empty() || group.content_layers().next().is_none() {
        return found;
    }
    let marks: Vec<Marks> =
        readings.iter().flat_map(|(&at, reading)| marks_of(at, &tables[at], group, reading)).collect();
    let all = [(0, last(group.columns.len())), (0, last(group.rows.len()))];
    let [(left, right), (low, high)] = all;
    let ways = [
        (([(left, right), (low, high + 1)], Side::South), ([(left, right + 1), (low, high)], Side::West)),
        (([(left, right), (low - 1, high)], Side::North), ([(left - 1, right), (low, high)], Side::East)),
    ];
    for ((level, level_side), (upright, upright_side)) in ways {
        let reaching = |reach: Reach| marks.iter().find(|marks| marks.reach == reach);
        if let (Some(levels), Some(uprights)) = (reaching(level), reaching(upright)) {
            for (marks, side) in [(levels, level_side), (uprights, upright_side)] {
                found.entry(marks.table).or_default().push((marks.value.clone(), side));
            }
            break;
        }
    }
    // A relation with another kind of marks is something else.
    let is_whole = |at: &usize, sides: &mut Vec<_>| {
        marks.iter().filter(|marks| marks.table == *at).count() == sides.len()
    };
    found.retain(is_whole);
    found
}

fn last(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX) - 1
}

fn marks_of(at: usize, table: &Table, group: &Group, reading: &Reading) -> Vec<Marks> {
    let is_like =
        group.columns.is_like(table.axis(reading.column)) && group.rows.is_like(table.axis(reading.row));
    if !is_like || !reading.contents.is_empty() {
        return Vec::new();
    }
    let values: Vec<Option<&str>> = match reading.index.as_slice() {
        [] => vec![None],
        &[column] => table.columns[column].values.iter().map(|value| Some(value.as_str())).collect(),
        _ => return Vec::new(),
    };
    let reach = |value: Option<&str>| -> Option<Reach> {
        let rows = (0..table.n_positions()).flat_map(|position| table.rows(position));
        let meant = rows.filter(|row| value.is_none_or(|value| table.text(row, reading.index[0]) == value));
        let spots = meant.filter_map(|row| group.spot(table, reading, row));
        let mut reach: Option<Reach> = None;
        for (_, column, row) in spots {
            let [columns, rows] = reach.unwrap_or([(column, column), (row, row)]);
            reach =
                Some([(columns.0.min(column), columns.1.max(column)), (rows.0.min(row), rows.1.max(row))]);
        }
        reach
    };
    let marks = |value: Option<&str>| {
        Some(Marks { table: at, value: value.map(str::to_owned), reach: reach(value)? })
    };
    values.into_iter().filter_map(marks).collect()
}

/// Whether lines between places are the outlines of the squares of a group: the places are their corners.
pub(super) fn are_outlines(table: &Table, edges: &EdgeReading, group: &Group) -> bool {
    let [[from_column, from_row], [to_column, to_row]] = edges.ends;
    let columns = table.axis(from_column).union(table.axis(to_column));
    let rows = table.axis(from_row).union(table.axis(to_row));
    !edges.is_post
        && group.index.is_empty()
        && group.columns.is_like(&columns)
        && group.rows.is_like(&rows)
        && group.columns.extended(0, last(group.columns.len()) + 1) == columns
        && group.rows.extended(0, last(group.rows.len()) + 1) == rows
}
