//! Walls: marks that no piece ever crosses on one side of their square.

use super::group::{Group, LayerKind, Side};
use super::reading::Reading;
use crate::survey::Survey;
use crate::table::Table;
use std::collections::{BTreeMap, BTreeSet};

/// A mark is a wall if a piece would have crossed so many by chance and crossed none. Other pieces may be ghosts.
const ENOUGH_STEPS: f64 = 4.0;
/// A word that tells the sides apart has no more values.
const MOST_SIDES: usize = 6;

/// The steps of each piece.
pub(super) type Steps = BTreeMap<String, Vec<Step>>;

/// A piece went from one square to its neighbour after this position.
pub(super) struct Step {
    position: usize,
    from: (i32, i32),
    to: (i32, i32),
}

/// The steps of all pieces of which there is one each.
pub(super) fn steps(survey: &Survey, tables: &[Table], group: &Group) -> Steps {
    let mut found = Steps::new();
    if !group.index.is_empty() {
        return found;
    }
    let mut before: BTreeMap<String, (i32, i32)> = BTreeMap::new();
    for (position, snapshot) in survey.snapshots().iter().enumerate() {
        let now = pieces(tables, group, position);
        for (name, &from) in before.iter().filter(|_| !snapshot.begins) {
            if let Some(&to) = now.get(name)
                && i32::abs_diff(from.0, to.0) + i32::abs_diff(from.1, to.1) == 1
            {
                found.entry(name.clone()).or_default().push(Step { position: position - 1, from, to });
            }
        }
        before = now;
    }
    found
}

/// Where the pieces are of which there is one each.
fn pieces(tables: &[Table], group: &Group, position: usize) -> BTreeMap<String, (i32, i32)> {
    let mut places: BTreeMap<String, Option<(i32, i32)>> = BTreeMap::new();
    for ((_, column, row), name) in group.contents(tables, position) {
        places.entry(name).and_modify(|place| *place = None).or_insert(Some((column, row)));
    }
    places.into_iter().filter_map(|(name, place)| Some((name, place?))).collect()
}

/// On which side of their squares the marks of a relation are walls; if it has an index, by its values.
pub(super) fn read_walls(
    table: &Table,
    reading: &Reading,
    group: &Group,
    steps: &Steps,
) -> Option<Vec<(Option<String>, Side)>> {
    let values: Vec<Option<String>> = match reading.index.as_slice() {
        [] => vec![None],
        &[column] if table.columns[column].values.len() <= MOST_SIDES => {
            table.columns[column].values.iter().cloned().map(Some).collect()
        }
        _ => return None,
    };
    let marks: Vec<_> = values.iter().map(|value| marks(table, reading, group, value.as_deref())).collect();
    steps.values().find_map(|steps| {
        let sides = marks.iter().map(|marks| wall_side(group, marks, steps)).collect::<Option<Vec<_>>>()?;
        let expected = sides.iter().map(|(expected, _)| *expected).fold(0.0, f64::max);
        let sides = values.iter().cloned().zip(sides.into_iter().map(|(_, side)| side)).collect();
        (expected >= ENOUGH_STEPS).then_some(sides)
    })
}

/// The marked squares of each position.
fn marks(table: &Table, reading: &Reading, group: &Group, value: Option<&str>) -> Vec<BTreeSet<(i32, i32)>> {
    let is_meant = |row: &&[u16]| match (value, reading.index.as_slice()) {
        (Some(value), &[column]) => table.text(row, column) == value,
        _ => true,
    };
    let spot = |row: &[u16]| group.spot(table, reading, row).map(|(_, column, row)| (column, row));
    (0..table.n_positions()).map(|at| table.rows(at).filter(is_meant).filter_map(spot).collect()).collect()
}

/// The side that was never crossed although it should have been, with how often; pieces do stand on marked squares.
fn wall_side(group: &Group, marks: &[BTreeSet<(i32, i32)>], steps: &[Step]) -> Option<(f64, Side)> {
    let area = (group.columns.len() * group.rows.len()) as f64;
    if !steps.iter().any(|step| marks[step.position].contains(&step.from)) {
        return None;
    }
    let expected = |side: Side| {
        let mut expected = 0.0;
        for Step { position, from, to } in steps {
            let way = (to.0 - from.0, to.1 - from.1);
            // The square that has the crossed side.
            let owner = if way == side.step() {
                from
            } else if (-way.0, -way.1) == side.step() {
                to
            } else {
                continue;
            };
            if marks[*position].contains(owner) {
                return None;
            }
            expected += marks[*position].len() as f64 / area;
        }
        Some(expected)
    };
    let sides = Side::ALL.into_iter().filter_map(|side| Some((expected(side)?, side)));
    // Of equal sides the first.
    sides.rev().max_by(|left, right| left.0.total_cmp(&right.0))
}

/// Makes room on the board for the squares on both sides of walls: where walls enclose the board, a square of a wall may
/// lie outside.
pub(super) fn make_room(
    group: &mut Group,
    table: &Table,
    reading: &Reading,
    sides: &[(Option<String>, Side)],
) {
    for (value, side) in sides {
        let marks = marks(table, reading, group, value.as_deref());
        let all: BTreeSet<(i32, i32)> = marks.into_iter().flatten().collect();
        let range = |place: fn(&(i32, i32)) -> i32, step: i32| {
            let least = all.iter().map(place).min().unwrap_or(0);
            let greatest = all.iter().map(place).max().unwrap_or(0);
            (least.max(least + step), greatest.min(greatest + step))
        };
        let (across, up) = side.step();
        let (columns, rows) = (range(|square| square.0, across), range(|square| square.1, up));
        group.columns = group.columns.extended(columns.0, columns.1);
        group.rows = group.rows.extended(rows.0, rows.1);
    }
}

/// Whether a group has walls, lines or gaps.
pub(super) fn has_edges(group: &Group) -> bool {
    group.layers.iter().any(|layer| {
        matches!(
            layer.kind,
            LayerKind::Walls(..) | LayerKind::Edges(_) | LayerKind::Outlines(_) | LayerKind::Gaps(_)
        )
    })
}
