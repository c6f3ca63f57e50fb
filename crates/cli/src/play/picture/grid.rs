//! A board as text.

use super::block::{Block, Line};
use super::board::Board;
use super::tokens::{BLANK, PRESENT, Tokens};
use crate::play::ink::Ink;
use std::collections::{BTreeMap, HashSet};

/// How the reader wants boards.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridStyle {
    /// Row 1 on top.
    pub(super) flipped: bool,
    pub(super) ink: Ink,
}

/// A fact of the position to draw: its fields, and whether it is new.
pub(super) struct BoardFact {
    pub(super) fields: Vec<String>,
    pub(super) is_new: bool,
}

#[derive(Clone, Default)]
struct Square {
    text: String,
    is_new: bool,
}

impl Board {
    /// What stands on a square.
    pub(super) fn content(&self, fields: &[String]) -> String {
        let words: Vec<&str> = self.contents.iter().map(|&field| fields[field].as_str()).collect();
        words.join(" ")
    }

    /// One block for each of the boards, row by row.
    pub(super) fn draw(&self, facts: &[BoardFact], tokens: &Tokens, style: GridStyle) -> Vec<Vec<Block>> {
        let name = self.relation.0.as_str();
        let block = |index: &[&String]| {
            let words: Vec<&str> = index.iter().map(|word| word.as_str()).collect();
            let here = facts
                .iter()
                .filter(|fact| self.index.iter().map(|&field| &fact.fields[field]).eq(index.iter().copied()));
            self.draw_one(&format!("{name} {}", words.join(" ")), here, tokens, style)
        };
        match self.index_values.as_slice() {
            [] => vec![vec![block(&[])]],
            [boards] => vec![boards.iter().map(|board| block(&[board])).collect()],
            [columns, rows, ..] => {
                let line = |row| columns.iter().map(|column| block(&[column, row])).collect();
                let mut lines: Vec<Vec<Block>> = rows.iter().map(line).collect();
                if !style.flipped {
                    lines.reverse();
                }
                lines
            }
        }
    }

    fn draw_one<'a>(
        &self,
        caption: &str,
        facts: impl Iterator<Item = &'a BoardFact>,
        tokens: &Tokens,
        style: GridStyle,
    ) -> Block {
        let squares = self.squares(facts, tokens);
        let cell_width = squares.values().map(|square| square.text.chars().count()).max().unwrap_or(1).max(1);
        let label_width = self.rows.values.iter().map(String::len).max().unwrap_or(1);
        let mut lines = Vec::new();
        let mut title = Line::default();
        let caption = caption.trim();
        title.push(&format!("  {}", style.ink.faint(caption)), caption.chars().count() + 2);
        lines.push(title);
        let row_indexes: Vec<usize> = match style.flipped {
            true => (0..self.rows.len()).collect(),
            false => (0..self.rows.len()).rev().collect(),
        };
        for row in row_indexes {
            let mut line = Line::default();
            let label = format!("  {:>label_width$} |", self.rows.values[row]);
            line.push(&style.ink.faint(&label), label.len());
            for column in 0..self.columns.len() {
                let square = squares.get(&(column, row)).cloned().unwrap_or_default();
                let text = format!(" {:>cell_width$}", square.text);
                let shown = if square.is_new { style.ink.strong(&text) } else { text.clone() };
                line.push(&shown, text.chars().count());
            }
            lines.push(line);
        }
        let margin = " ".repeat(label_width + 3);
        let mut rule = Line::default();
        let text = format!("{margin}+{}", "-".repeat((cell_width + 1) * self.columns.len()));
        rule.push(&style.ink.faint(&text), text.len());
        lines.push(rule);
        for label_line in column_labels(&self.columns.values, cell_width) {
            let text = format!("{margin} {label_line}");
            let mut line = Line::default();
            line.push(&style.ink.faint(&text), text.len());
            lines.push(line);
        }
        lines
    }

    fn squares<'a>(
        &self,
        facts: impl Iterator<Item = &'a BoardFact>,
        tokens: &Tokens,
    ) -> BTreeMap<(usize, usize), Square> {
        let mut squares: BTreeMap<(usize, usize), Square> = BTreeMap::new();
        let position = |values: &[String], value: &String| values.iter().position(|other| other == value);
        for BoardFact { fields, is_new } in facts {
            let column = position(&self.columns.values, &fields[self.column]);
            let row = position(&self.rows.values, &fields[self.row]);
            let (Some(column), Some(row)) = (column, row) else { continue };
            let content = self.content(fields);
            let token = if self.contents.is_empty() { PRESENT } else { tokens.token(&content) };
            let square = squares.entry((column, row)).or_default();
            square.text.push_str(token);
            square.is_new |= is_new & (token != BLANK);
        }
        if !self.has_blanks {
            for column in 0..self.columns.len() {
                for row in 0..self.rows.len() {
                    squares.entry((column, row)).or_insert(Square { text: BLANK.to_owned(), is_new: false });
                }
            }
        }
        squares
    }
}

/// The names of the columns, one below the other's characters where they are wider than the columns.
fn column_labels(values: &[String], cell_width: usize) -> Vec<String> {
    let longest = values.iter().map(String::len).max().unwrap_or(0);
    if longest <= cell_width {
        return vec![values.iter().map(|value| format!(" {value:>cell_width$}")).collect()];
    }
    let character = |value: &String, at: usize| {
        let skipped = longest - value.len();
        at.checked_sub(skipped).and_then(|at| value.chars().nth(at)).unwrap_or(' ')
    };
    let line = |at: usize| {
        let line: String =
            values.iter().map(|value| format!(" {:>cell_width$}", character(value, at))).collect();
        line.trim_end().to_owned()
    };
    (0..longest).map(line).collect()
}

/// The facts of the position that belong to a board, those that were not in `before` marked as new.
pub(super) fn board_facts(board: &Board, facts: &[String], before: &HashSet<&str>) -> Vec<BoardFact> {
    let mut found = Vec::new();
    for text in facts {
        let fact = super::fact::Fact::of(text);
        if fact.relation == board.relation.0 && fact.arguments.len() == board.relation.1 {
            let row = fact.arguments.iter().map(|&argument| argument.to_owned()).collect();
            let is_new = !before.is_empty() && !before.contains(text.as_str());
            found.push(BoardFact { fields: board.fields.split(&row), is_new });
        }
    }
    found
}
