//! A board as text.

use super::block::{Block, Line};
use super::edges::{Sign, Signs};
use crate::play::ink::Ink;
use senet_boards::Board;

/// How the reader wants boards.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridStyle {
    /// Row 1 on top.
    pub(super) flipped: bool,
    /// Whether the board says what it is.
    pub(super) has_title: bool,
    pub(super) ink: Ink,
}

/// The lines of a board.
pub(super) fn draw(board: &Board, style: GridStyle) -> Block {
    let signs = Signs::of(board);
    let cell_width =
        board.squares.iter().map(|square| square.text().chars().count()).max().unwrap_or(1).max(1);
    let label_width = board.rows.iter().map(|name| name.chars().count()).max().unwrap_or(1);
    let grid = Grid { board, signs, style, cell_width, label_width };
    let mut lines = Vec::new();
    if style.has_title {
        let mut title = Line::default();
        title.push(&format!("  {}", style.ink.faint(&board.title)), board.title.chars().count() + 2);
        lines.push(title);
    }
    let n_rows = i32::try_from(board.rows.len()).unwrap_or(i32::MAX);
    let mut rows: Vec<Line> = Vec::new();
    for row in 0..n_rows {
        rows.extend(grid.between(row));
        rows.push(grid.row(row));
    }
    rows.extend(grid.between(n_rows));
    if !style.flipped {
        rows.reverse();
    }
    lines.extend(rows);
    lines.extend(grid.foot());
    lines
}

struct Grid<'a> {
    board: &'a Board,
    signs: Signs,
    style: GridStyle,
    cell_width: usize,
    label_width: usize,
}

impl Grid<'_> {
    fn n_columns(&self) -> i32 {
        i32::try_from(self.board.columns.len()).unwrap_or(i32::MAX)
    }

    /// A row of squares, with what stands between them.
    fn row(&self, row: i32) -> Line {
        let at = usize::try_from(row).unwrap_or(0);
        let mut line = self.beginning(&self.board.rows[at]);
        for column in 0..self.n_columns() {
            self.push(&mut line, self.signs.upright.get(&(column, row)), 1);
            let square =
                self.board.square(usize::try_from(column).unwrap_or(0), at).expect("a square of the board");
            let text = format!("{:>width$}", square.text(), width = self.cell_width);
            self.push(&mut line, Some(&Sign { text, is_new: square.is_new() }), self.cell_width);
        }
        if let Some(sign) = self.signs.upright.get(&(self.n_columns(), row)) {
            self.push(&mut line, Some(sign), 1);
        }
        line
    }

    /// The signs between a row and the one below, if there are any.
    fn between(&self, row: i32) -> Option<Line> {
        if !self.signs.has_line(row) {
            return None;
        }
        let mut line = self.beginning("");
        for column in 0..self.n_columns() {
            self.push(&mut line, self.signs.corners.get(&(column, row)), 1);
            let level = self.signs.level.get(&(column, row)).map(|sign| {
                let is_link = sign.text == "|";
                let text = if is_link { sign.text.clone() } else { sign.text.repeat(self.cell_width) };
                Sign { text, is_new: sign.is_new }
            });
            self.push(&mut line, level.as_ref(), self.cell_width);
        }
        if let Some(note) = self.signs.notes.get(&row) {
            self.push(&mut line, Some(&Sign { text: format!(" {}", note.text), ..note.clone() }), 1);
        }
        Some(line)
    }

    fn beginning(&self, label: &str) -> Line {
        let mut line = Line::default();
        let label = format!("  {label:>width$} |", width = self.label_width);
        line.push(&self.style.ink.faint(&label), label.chars().count());
        line
    }

    /// Adds a sign, or space of its width.
    fn push(&self, line: &mut Line, sign: Option<&Sign>, width: usize) {
        match sign {
            None => line.push(&" ".repeat(width), width),
            Some(Sign { text, is_new }) => {
                let text = format!("{text:>width$}");
                let shown = if *is_new { self.style.ink.strong(&text) } else { text.clone() };
                line.push(&shown, text.chars().count());
            }
        }
    }

    /// The line below the board and the names of the columns.
    fn foot(&self) -> Vec<Line> {
        let margin = " ".repeat(self.label_width + 3);
        let rule = format!("{margin}+{}", "-".repeat((self.cell_width + 1) * self.board.columns.len()));
        let labels = column_labels(&self.board.columns, self.cell_width);
        let texts = [rule].into_iter().chain(labels.into_iter().map(|labels| format!("{margin} {labels}")));
        let line = |text: String| {
            let mut line = Line::default();
            line.push(&self.style.ink.faint(&text), text.chars().count());
            line
        };
        texts.map(line).collect()
    }
}

/// The names of the columns, one below the other's characters where they are wider than the columns.
fn column_labels(values: &[String], cell_width: usize) -> Vec<String> {
    let lengths: Vec<usize> = values.iter().map(|value| value.chars().count()).collect();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    if longest <= cell_width {
        return vec![values.iter().map(|value| format!(" {value:>cell_width$}")).collect()];
    }
    let character = |value: &String, length: usize, at: usize| {
        let skipped = longest - length;
        at.checked_sub(skipped).and_then(|at| value.chars().nth(at)).unwrap_or(' ')
    };
    let line = |at: usize| {
        let named = values.iter().zip(&lengths);
        let line: String =
            named.map(|(value, &length)| format!(" {:>cell_width$}", character(value, length, at))).collect();
        line.trim_end().to_owned()
    };
    (0..longest).map(line).collect()
}
