//! Which relations share a board.

use super::edges::EdgeReading;
use super::gaps::GapReading;
use super::reading::Reading;
use crate::table::{Axis, Table};

/// Boards of one shape: their axes, what tells them apart, and the relations drawn on them.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) columns: Axis,
    pub(crate) rows: Axis,
    /// The values that tell the boards apart: none, of one column or of two.
    pub(crate) index: Vec<Vec<String>>,
    /// Whether the boards are slices of one.
    pub(crate) is_sliced: bool,
    pub(crate) layers: Vec<Layer>,
}

/// One relation on a board.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// The number of the table.
    pub(crate) table: usize,
    pub(crate) kind: LayerKind,
}

/// The role of a relation on a board.
#[derive(Clone, Debug)]
pub(crate) enum LayerKind {
    /// Something stands on a square.
    Content(Reading),
    /// A square is marked.
    Mark(Reading),
    /// A square is empty.
    Blank(Reading),
    /// A square has a wall or a line along a side; if the reading has an index, its values tell which.
    Walls(Reading, Vec<(Option<String>, Side)>),
    /// Two neighbouring places are joined, or have a post between them.
    Edges(EdgeReading),
    /// Lines that join the corners of squares.
    Outlines(EdgeReading),
    /// There is something between two neighbouring rows or columns.
    Gaps(GapReading),
}

/// A side of a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Side {
    East,
    North,
    West,
    South,
}

impl Side {
    pub(crate) const ALL: [Side; 4] = [Side::East, Side::North, Side::West, Side::South];

    /// Where the neighbour on this side lies, in columns and rows.
    pub(crate) fn step(self) -> (i32, i32) {
        match self {
            Side::East => (1, 0),
            Side::North => (0, 1),
            Side::West => (-1, 0),
            Side::South => (0, -1),
        }
    }
}

/// A square of a group: the number of the board, column, row.
pub(crate) type Spot = (usize, i32, i32);

impl Group {
    pub(super) fn new(table: &Table, reading: &Reading) -> Self {
        let values = |&column: &usize| match &table.columns[column].axis {
            Some(axis) => axis.values().to_vec(),
            None => table.columns[column].values.clone(),
        };
        Self {
            columns: table.axis(reading.column).clone(),
            rows: table.axis(reading.row).clone(),
            index: reading.index.iter().map(values).collect(),
            is_sliced: reading.is_sliced,
            layers: Vec::new(),
        }
    }

    /// Where a fact lies; outside the boards if it lies beside the axes.
    pub(crate) fn spot(&self, table: &Table, reading: &Reading, row: &[u16]) -> Option<Spot> {
        let mut board = 0;
        if self.index.len() == reading.index.len() {
            for (values, &column) in self.index.iter().zip(&reading.index) {
                let text = table.text(row, column);
                board = board * values.len() + values.iter().position(|value| value == text)?;
            }
        }
        let column = self.columns.place(table.text(row, reading.column))?;
        Some((board, column, self.rows.place(table.text(row, reading.row))?))
    }

    /// The contents of squares in a position, by the layers that name them.
    pub(crate) fn contents<'a>(
        &'a self,
        tables: &'a [Table],
        position: usize,
    ) -> impl Iterator<Item = (Spot, String)> + 'a {
        self.layers.iter().flat_map(move |layer| {
            let table = &tables[layer.table];
            let reading = match &layer.kind {
                LayerKind::Content(reading) => Some(reading),
                _ => None,
            };
            reading.into_iter().flat_map(move |reading| {
                let fact =
                    move |row| Some((self.spot(table, reading, row)?, table.words(row, &reading.contents)));
                table.rows(position).filter_map(fact)
            })
        })
    }

    /// Whether the axes of a reading may be those of the boards.
    pub(super) fn fits(&self, table: &Table, reading: &Reading) -> bool {
        let same_index = self.index.len() == reading.index.len()
            && self.index.iter().zip(&reading.index).all(|(values, &column)| {
                table.columns[column].values.iter().all(|value| values.contains(value))
            });
        same_index
            && self.columns.overlaps(table.axis(reading.column))
            && self.rows.overlaps(table.axis(reading.row))
    }

    /// Adds a relation and makes room for its places.
    pub(super) fn add(&mut self, table: &Table, at: usize, reading: &Reading, kind: LayerKind) {
        self.columns = self.columns.union(table.axis(reading.column));
        self.rows = self.rows.union(table.axis(reading.row));
        self.layers.push(Layer { table: at, kind });
    }

    pub(super) fn content_layers(&self) -> impl Iterator<Item = (usize, &Reading)> {
        self.layers.iter().filter_map(|layer| match &layer.kind {
            LayerKind::Content(reading) => Some((layer.table, reading)),
            _ => None,
        })
    }
}
