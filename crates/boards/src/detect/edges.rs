//! Relations of four coordinates: lines between neighbouring places, posts between four squares.

use crate::table::{Axis, Table};

/// Fewer facts may be a move that was remembered.
const FEWEST_FACTS: usize = 3;

/// A relation whose facts lie between places. Numbers are those of columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EdgeReading {
    /// Column and row of the two places.
    pub(crate) ends: [[usize; 2]; 2],
    /// The columns that are left.
    pub(crate) contents: Vec<usize>,
    /// Whether the two places are the corners of a post: `(wall a b 1 2 ?owner)`.
    pub(crate) is_post: bool,
}

/// How a relation joins places that are one step apart, if all its facts do.
pub(crate) fn read_edges(table: &Table) -> Option<EdgeReading> {
    let has_axis = |column: usize| table.columns[column].axis.is_some();
    let n_columns = table.columns.len();
    if table.most_facts() < FEWEST_FACTS {
        return None;
    }
    let starts = (0..=n_columns.checked_sub(4)?).filter(|start| (*start..start + 4).all(has_axis));
    let ways = |start: usize| {
        [
            (true, [[start, start + 2], [start + 1, start + 3]]),
            (false, [[start, start + 1], [start + 2, start + 3]]),
        ]
    };
    let (is_post, ends) =
        starts.flat_map(ways).find(|(is_post, ends)| are_neighbours(table, *ends, *is_post))?;
    let first_is_column = Axis::first_is_column(table.axis(ends[0][0]), table.axis(ends[0][1]));
    let ends = if first_is_column { ends } else { ends.map(|[first, second]| [second, first]) };
    let contents = (0..n_columns).filter(|column| !ends.as_flattened().contains(column)).collect();
    Some(EdgeReading { ends, contents, is_post })
}

/// Whether in all facts the second place is one step from the first; that of a post is one step on in both directions.
fn are_neighbours(table: &Table, ends: [[usize; 2]; 2], is_post: bool) -> bool {
    let [from, to] = ends;
    let are_alike = (0..2).all(|way| table.axis(from[way]).is_like(table.axis(to[way])));
    let distance = |row: &[u16], way: usize| -> Option<i32> {
        let axis = table.axis(from[way]);
        Some(axis.place(table.text(row, to[way]))? - axis.place(table.text(row, from[way]))?)
    };
    let is_step = |row: &[u16]| match (distance(row, 0), distance(row, 1)) {
        (Some(1), Some(1)) => true,
        (Some(across), Some(up)) => !is_post && across.abs() <= 1 && up.abs() <= 1 && (across, up) != (0, 0),
        _ => false,
    };
    are_alike && (0..table.n_positions()).all(|position| table.rows(position).all(is_step))
}
