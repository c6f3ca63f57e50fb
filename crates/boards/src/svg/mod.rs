//! A scene as SVG.

mod board;
mod element;

use crate::scene::{Board, Scene};
use board::Drawing;
use element::Canvas;

/// Space around and between boards.
const GAP: usize = 24;
/// Space between boards of one group.
const NARROW_GAP: usize = 8;
/// Groups are set side by side up to this width.
const WIDEST: usize = 1000;
/// The height of a line of text below the boards, and how many characters it holds at the least.
const LINE: usize = 18;
const FEWEST_CHARACTERS: usize = 50;
/// The width of a character of text, in the mean.
const CHARACTER: usize = 7;
/// A relation with longer text is cut.
const LONGEST_FACTS: usize = 600;

/// Draws a scene: the boards, and below them the legend, the turn and the facts that are on no board.
pub fn svg(scene: &Scene) -> String {
    let has_titles = scene.boards.len() > 1;
    let drawings: Vec<Drawing<'_>> =
        scene.boards.iter().map(|board| Drawing::of(board, has_titles)).collect();
    let (places, width, height) = arrange(&scene.boards, &drawings);
    let lines = lines_below(scene, (width / CHARACTER).max(FEWEST_CHARACTERS));
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = width.max(GAP + longest * CHARACTER) + GAP;
    let mut canvas = Canvas::new(width, height + GAP + lines.len() * LINE);
    for (at, (drawing, place)) in drawings.iter().zip(places).enumerate() {
        drawing.draw(&mut canvas, at, place);
    }
    for (at, line) in lines.iter().enumerate() {
        canvas.prose((GAP, height + GAP + at * LINE), line);
    }
    canvas.finish()
}

/// Where the boards stand, and the width and height of all: those of a group by their slots, the groups side by side.
fn arrange(boards: &[Board], drawings: &[Drawing<'_>]) -> (Vec<(usize, usize)>, usize, usize) {
    let mut places = vec![(0, 0); boards.len()];
    let (mut x, mut y, mut line_height) = (GAP, GAP, 0);
    let (mut width, mut height) = (0, GAP);
    let mut start = 0;
    while start < boards.len() {
        let group = boards[start].group;
        let end =
            boards[start..].iter().position(|board| board.group != group).map_or(boards.len(), |n| start + n);
        let (cell_width, cell_height) = drawings[start].size();
        let last_column = boards[start..end].iter().map(|board| board.slot.0).max().unwrap_or(0);
        let last_row = boards[start..end].iter().map(|board| board.slot.1).max().unwrap_or(0);
        // A single row of many boards is broken into several.
        let per_line = ((WIDEST - GAP) / (cell_width + NARROW_GAP)).max(1);
        let is_broken = last_row == 0 && last_column >= per_line;
        let slot = |board: &Board| match is_broken {
            true => (board.slot.0 % per_line, board.slot.0 / per_line),
            false => (board.slot.0, last_row - board.slot.1),
        };
        let n_columns = if is_broken { per_line } else { last_column + 1 };
        let n_rows = if is_broken { last_column / per_line + 1 } else { last_row + 1 };
        let group_width = n_columns * (cell_width + NARROW_GAP) - NARROW_GAP;
        let group_height = n_rows * (cell_height + NARROW_GAP) - NARROW_GAP;
        if x > GAP && x + group_width > WIDEST {
            (x, y, line_height) = (GAP, y + line_height + GAP, 0);
        }
        for (place, board) in places[start..end].iter_mut().zip(&boards[start..end]) {
            let (column, row) = slot(board);
            *place = (x + column * (cell_width + NARROW_GAP), y + row * (cell_height + NARROW_GAP));
        }
        x += group_width + GAP;
        line_height = line_height.max(group_height);
        width = width.max(x - GAP);
        height = height.max(y + line_height);
        start = end;
    }
    (places, width, height)
}

/// The text below the boards, in lines of at most so many characters if words allow.
fn lines_below(scene: &Scene, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if !scene.to_move.is_empty() {
        lines.push(format!("{} to move", scene.to_move.join(", ")));
    }
    lines.extend(wrap(&scene.legend.join(", "), width));
    let facts: Vec<&str> = scene.facts.iter().map(|fact| fact.trim_matches(['(', ')'])).collect();
    let facts = facts.join("; ");
    let end = facts.char_indices().nth(LONGEST_FACTS).map(|(end, _)| end);
    lines.extend(wrap(&end.map_or(facts.clone(), |end| format!("{}…", &facts[..end])), width));
    lines
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
