//! Walls, lines and posts between the squares of a text board.

use senet_boards::{Board, Edge, EdgeKind};
use std::collections::BTreeMap;

/// A sign between two squares, and whether it is new.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sign {
    pub(super) text: String,
    pub(super) is_new: bool,
}

/// The signs between the squares of a board. A line is named by the column to its right or the row above it.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs {
    /// Between two columns, in one row.
    pub(super) upright: BTreeMap<(i32, i32), Sign>,
    /// Between two rows, in one column.
    pub(super) level: BTreeMap<(i32, i32), Sign>,
    /// Where four squares meet.
    pub(super) corners: BTreeMap<(i32, i32), Sign>,
    /// Behind the line between two rows.
    pub(super) notes: BTreeMap<i32, Sign>,
}

impl Signs {
    pub(super) fn of(board: &Board) -> Self {
        let mut signs = Self::default();
        let n_columns = i32::try_from(board.columns.len()).unwrap_or(i32::MAX);
        let n_rows = i32::try_from(board.rows.len()).unwrap_or(i32::MAX);
        for edge in &board.edges {
            signs.add(edge, n_columns, n_rows);
        }
        signs
    }

    /// Whether there is anything between this row and the one below.
    pub(super) fn has_line(&self, row: i32) -> bool {
        let is_there = |map: &BTreeMap<(i32, i32), Sign>| map.keys().any(|&(_, at)| at == row);
        is_there(&self.level) || is_there(&self.corners) || self.notes.contains_key(&row)
    }

    fn add(&mut self, edge: &Edge, n_columns: i32, n_rows: i32) {
        let at = (edge.from.0.max(edge.to.0), edge.from.1.max(edge.to.1));
        let is_beside = edge.from.1 == edge.to.1;
        let is_above = edge.from.0 == edge.to.0;
        let is_new = edge.piece.is_new;
        let sign = |text: &str| Sign { text: text.to_owned(), is_new };
        match (edge.kind, is_beside, is_above) {
            (EdgeKind::Wall, true, _) => _ = self.upright.insert(at, sign("|")),
            (EdgeKind::Wall, ..) => _ = self.level.insert(at, sign("-")),
            (EdgeKind::Link, true, _) => _ = self.upright.insert(at, sign("-")),
            (EdgeKind::Link, _, true) => _ = self.level.insert(at, sign("|")),
            (EdgeKind::Link, ..) => {
                let is_rising = (edge.to.0 > edge.from.0) == (edge.to.1 > edge.from.1);
                let slash = if is_rising { "/" } else { "\\" };
                let crosses = self.corners.get(&at).is_some_and(|known| known.text != slash);
                self.corners.insert(at, sign(if crosses { "X" } else { slash }));
            }
            (EdgeKind::Post, ..) => {
                let token = if edge.piece.token.is_empty() { "+" } else { &edge.piece.token };
                self.corners.insert(at, sign(token));
            }
            (EdgeKind::Gap, true, _) => {
                self.upright.extend((0..n_rows).map(|row| ((at.0, row), sign(":"))));
            }
            (EdgeKind::Gap, ..) => {
                self.level.extend((0..n_columns).map(|column| ((column, at.1), sign("~"))));
                self.notes.insert(at.1, sign(&edge.piece.token));
            }
        }
    }
}
