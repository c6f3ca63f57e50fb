//! Boards of one shape, and how facts are read onto them.

use crate::detect::{EdgeReading, GapReading, LayerKind, Reading, Side, Spot};
use crate::scene::{Board, EdgeKind, Square};
use crate::table::{Axis, Fields};
use std::collections::HashSet;

/// Boards with the same axes and the relations drawn on them.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) columns: Axis,
    pub(crate) rows: Axis,
    /// The values that tell the boards apart: none, of one field or of two.
    pub(crate) index: Vec<Vec<String>>,
    pub(crate) layers: Vec<PlanLayer>,
    /// The squares there are; all if that is not known.
    pub(crate) squares: Option<HashSet<Spot>>,
}

/// One relation drawn on the boards.
#[derive(Clone, Debug)]
pub(crate) struct PlanLayer {
    pub(crate) name: String,
    pub(crate) arity: usize,
    pub(crate) fields: Fields,
    pub(crate) kind: LayerKind,
}

/// A fact as part of a drawing: the number of its board, where it lies, what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Drawn {
    Piece(Inside, String),
    Mark(Inside),
    Empty,
    Edge { board: usize, kind: EdgeKind, from: (i32, i32), to: (i32, i32), words: String },
}

/// A square on the boards: the number of the board, column, row.
pub(crate) type Inside = (usize, usize, usize);

impl Plan {
    pub(crate) fn n_boards(&self) -> usize {
        self.index.iter().map(Vec::len).product()
    }

    /// A board of the group without facts.
    pub(crate) fn empty_board(&self, group: usize, board: usize) -> Board {
        let slot = match self.index.as_slice() {
            [_, rows] => (board / rows.len(), board % rows.len()),
            _ => (board, 0),
        };
        let words = [slot.0, slot.1].into_iter().zip(&self.index).map(|(at, values)| values[at].clone());
        let square = |column: usize, row: usize| Square {
            name: self.square_name(column, row),
            exists: self.exists((board, column, row)),
            pieces: Vec::new(),
        };
        let rows = 0..self.rows.len();
        Board {
            title: [self.title()].into_iter().chain(words).collect::<Vec<_>>().join(" "),
            group,
            slot,
            columns: self.columns.values().to_vec(),
            rows: self.rows.values().to_vec(),
            squares: rows
                .flat_map(|row| (0..self.columns.len()).map(move |column| (column, row)))
                .map(|(column, row)| square(column, row))
                .collect(),
            edges: Vec::new(),
        }
    }

    /// The drawing of a fact of a layer; `None` if the fact lies on no board.
    pub(crate) fn read(&self, layer: &PlanLayer, arguments: &[&str]) -> Option<Drawn> {
        let fields = layer.fields.split(arguments)?;
        let words = |contents: &[usize]| {
            contents.iter().map(|&field| fields[field].as_str()).collect::<Vec<_>>().join(" ")
        };
        match &layer.kind {
            LayerKind::Content(reading) => {
                Some(Drawn::Piece(self.inside(self.spot(reading, &fields)?)?, words(&reading.contents)))
            }
            LayerKind::Mark(reading) => Some(Drawn::Mark(self.inside(self.spot(reading, &fields)?)?)),
            LayerKind::Blank(reading) => {
                self.inside(self.spot(reading, &fields)?)?;
                Some(Drawn::Empty)
            }
            LayerKind::Walls(reading, sides) => self.wall(reading, sides, &fields),
            LayerKind::Edges(edges) => {
                let kind = if edges.is_post { EdgeKind::Post } else { EdgeKind::Link };
                let [from, to] = self.ends(edges, &fields)?;
                Some(Drawn::Edge { board: 0, kind, from, to, words: words(&edges.contents) })
            }
            LayerKind::Outlines(edges) => {
                let [from, to] = self.ends(edges, &fields)?;
                let corner = (from.0.min(to.0), from.1.min(to.1));
                let side = if from.1 == to.1 { Side::South } else { Side::West };
                let (from, to) = (corner, neighbour(corner, side));
                Some(Drawn::Edge { board: 0, kind: EdgeKind::Wall, from, to, words: words(&edges.contents) })
            }
            LayerKind::Gaps(gaps) => self.gap(gaps, &fields, words(&gaps.contents)),
        }
    }

    /// Column and row in one word.
    fn square_name(&self, column: usize, row: usize) -> String {
        let (column, row) = (&self.columns.values()[column], &self.rows.values()[row]);
        match column.len() == 1 && !column.as_bytes()[0].is_ascii_digit() {
            true => format!("{column}{row}"),
            false => format!("{column} {row}"),
        }
    }

    /// The relations that say what stands on the squares, else all.
    fn title(&self) -> String {
        let is_content = |layer: &&PlanLayer| matches!(layer.kind, LayerKind::Content(_));
        let contents: Vec<&str> =
            self.layers.iter().filter(is_content).map(|layer| layer.name.as_str()).collect();
        let all = || self.layers.iter().map(|layer| layer.name.as_str()).collect();
        let names: Vec<&str> = if contents.is_empty() { all() } else { contents };
        names.join(", ")
    }

    fn exists(&self, (board, column, row): Inside) -> bool {
        let spot = i32::try_from(column).ok().zip(i32::try_from(row).ok());
        self.squares
            .as_ref()
            .is_none_or(|squares| spot.is_some_and(|(column, row)| squares.contains(&(board, column, row))))
    }

    fn spot(&self, reading: &Reading, fields: &[String]) -> Option<Spot> {
        let mut board = 0;
        if self.index.len() == reading.index.len() {
            for (values, &field) in self.index.iter().zip(&reading.index) {
                board = board * values.len() + values.iter().position(|value| *value == fields[field])?;
            }
        }
        Some((board, self.columns.place(&fields[reading.column])?, self.rows.place(&fields[reading.row])?))
    }

    fn inside(&self, (board, column, row): Spot) -> Option<Inside> {
        let column = usize::try_from(column).ok().filter(|&column| column < self.columns.len())?;
        let row = usize::try_from(row).ok().filter(|&row| row < self.rows.len())?;
        Some((board, column, row))
    }

    fn wall(&self, reading: &Reading, sides: &[(Option<String>, Side)], fields: &[String]) -> Option<Drawn> {
        let value = reading.index.first().map(|&field| &fields[field]);
        let (_, side) = sides.iter().find(|(wanted, _)| wanted.as_ref() == value)?;
        let (_, column, row) = self.spot(reading, fields)?;
        let (from, to) = ((column, row), neighbour((column, row), *side));
        let is_inside = [from, to].into_iter().any(|(column, row)| self.inside((0, column, row)).is_some());
        is_inside.then_some(Drawn::Edge { board: 0, kind: EdgeKind::Wall, from, to, words: String::new() })
    }

    fn ends(&self, edges: &EdgeReading, fields: &[String]) -> Option<[(i32, i32); 2]> {
        let [from, to] = edges.ends.map(|[column, row]| {
            Some((self.columns.place(&fields[column])?, self.rows.place(&fields[row])?))
        });
        Some([from?, to?])
    }

    fn gap(&self, gaps: &GapReading, fields: &[String], words: String) -> Option<Drawn> {
        let mut board = 0;
        for (values, &field) in self.index.iter().zip(&gaps.index) {
            board = values.iter().position(|value| *value == fields[field])?;
        }
        let lines = if gaps.is_between_rows { &self.rows } else { &self.columns };
        let before = lines.place(&fields[gaps.before])?;
        let (from, to) = match gaps.is_between_rows {
            true => ((0, before), (0, before + 1)),
            false => ((before, 0), (before + 1, 0)),
        };
        Some(Drawn::Edge { board, kind: EdgeKind::Gap, from, to, words })
    }
}

fn neighbour(square: (i32, i32), side: Side) -> (i32, i32) {
    let (across, up) = side.step();
    (square.0 + across, square.1 + up)
}
