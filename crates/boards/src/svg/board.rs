//! One board as SVG.

use super::element::{Canvas, escaped};
use crate::scene::{Board, Edge, EdgeKind, Piece, Square};

/// The side of a square.
const CELL: usize = 40;
/// Space for the names of rows and columns.
const LABEL: usize = 22;
/// Space for the title.
const TITLE: usize = 20;

/// The colours of Okabe and Ito, which most people can tell apart, each with a colour for text on it.
const COLOURS: [(&str, &str); 8] = [
    ("#0072b2", "#ffffff"),
    ("#e69f00", "#000000"),
    ("#009e73", "#ffffff"),
    ("#cc79a7", "#000000"),
    ("#56b4e9", "#000000"),
    ("#d55e00", "#ffffff"),
    ("#f0e442", "#000000"),
    ("#000000", "#ffffff"),
];
const NEW: &str = "#d55e00";

/// A board and the space it takes.
pub(super) struct Drawing<'a> {
    board: &'a Board,
    has_title: bool,
    /// Space for the names of the rows.
    margin: usize,
}

impl<'a> Drawing<'a> {
    pub(super) fn of(board: &'a Board, has_title: bool) -> Self {
        let longest = board.rows.iter().map(|name| name.chars().count()).max().unwrap_or(1).min(10);
        Self { board, has_title, margin: LABEL.max(8 * longest + 6) }
    }

    /// Width and height.
    pub(super) fn size(&self) -> (usize, usize) {
        let height = self.top() + self.board.rows.len() * CELL + LABEL;
        (self.margin + self.board.columns.len() * CELL + CELL / 2, height)
    }

    /// Draws the board, which is that number of the scene, with its upper left corner there.
    pub(super) fn draw(&self, canvas: &mut Canvas, number: usize, (x, y): (usize, usize)) {
        let board = self.board;
        canvas.open("g", format_args!("id=\"board-{number}\" transform=\"translate({x} {y})\""));
        if self.has_title {
            canvas.words((self.margin, TITLE - 6), &board.title, "font-size=\"13\" fill=\"#444444\"");
        }
        self.draw_names(canvas);
        for row in (0..board.rows.len()).rev() {
            for column in 0..board.columns.len() {
                if let Some(square) = board.square(column, row) {
                    canvas.open("g", format_args!("id=\"square-{number}-{column}-{row}\""));
                    canvas.title(&label(square));
                    self.draw_square(canvas, square, (column, row));
                    canvas.close("g");
                }
            }
        }
        for edge in &board.edges {
            self.draw_edge(canvas, edge);
        }
        canvas.close("g");
    }

    fn top(&self) -> usize {
        if self.has_title { TITLE } else { 0 }
    }

    fn draw_names(&self, canvas: &mut Canvas) {
        let attributes = "font-size=\"12\" fill=\"#777777\" text-anchor=\"middle\"";
        let bottom = self.top() + self.board.rows.len() * CELL + 15;
        for (column, name) in self.board.columns.iter().enumerate() {
            canvas.words((self.margin + column * CELL + CELL / 2, bottom), &short(name), attributes);
        }
        for (row, name) in self.board.rows.iter().enumerate() {
            let (_, y) = self.corner((0, row));
            canvas.words((self.margin / 2, y + CELL / 2 + 4), &short(name), attributes);
        }
    }

    /// The upper left corner of a square.
    fn corner(&self, (column, row): (usize, usize)) -> (usize, usize) {
        (self.margin + column * CELL, self.top() + (self.board.rows.len() - 1 - row) * CELL)
    }

    fn draw_square(&self, canvas: &mut Canvas, square: &Square, place: (usize, usize)) {
        let (x, y) = self.corner(place);
        if square.exists || !square.pieces.is_empty() {
            let fill = if (place.0 + place.1).is_multiple_of(2) { "#ece5d8" } else { "#f6f2ea" };
            let stroke = if square.is_new() { NEW } else { "#b8ae9a" };
            canvas.rect((x, y), (CELL, CELL), &format!("fill=\"{fill}\" stroke=\"{stroke}\""));
        }
        let (marks, pieces): (Vec<&Piece>, Vec<&Piece>) =
            square.pieces.iter().partition(|piece| piece.is_mark);
        let centre = (x + CELL / 2, y + CELL / 2);
        match pieces.as_slice() {
            [] => {}
            &[piece] => draw_piece(canvas, piece, centre, 15),
            [_, _] | [_, _, _] | [_, _, _, _] => {
                for (at, piece) in pieces.iter().enumerate() {
                    let centre = (x + CELL / 4 + at % 2 * CELL / 2, y + CELL / 4 + at / 2 * CELL / 2);
                    draw_piece(canvas, piece, centre, 9);
                }
            }
            many => {
                let tokens: Vec<&str> = many.iter().map(|piece| piece.token.as_str()).collect();
                let attributes =
                    format!("font-size=\"9\" text-anchor=\"middle\" textLength=\"{}\"", CELL - 4);
                canvas.words((centre.0, centre.1 + 3), &tokens.join(","), &attributes);
            }
        }
        for (at, mark) in marks.iter().enumerate() {
            let is_alone = pieces.is_empty() && marks.len() == 1;
            match is_alone {
                true => draw_mark(canvas, mark, centre, 20),
                false => draw_mark(canvas, mark, (x + CELL - 6 - at % 4 * 9, y + 11), 12),
            }
        }
    }

    fn draw_edge(&self, canvas: &mut Canvas, edge: &Edge) {
        let colour = if edge.piece.is_new { NEW } else { COLOURS[edge.piece.colour % COLOURS.len()].0 };
        let colour = if edge.piece.token.is_empty() && !edge.piece.is_new { "#333333" } else { colour };
        let stroke =
            |width: usize| format!("stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"");
        let (from, to) = (self.centre(edge.from), self.centre(edge.to));
        let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        let is_beside = edge.from.1 == edge.to.1;
        match edge.kind {
            EdgeKind::Wall => {
                let (across, up) = if is_beside { (0, CELL / 2) } else { (CELL / 2, 0) };
                let ends = [(middle.0 - across, middle.1 - up), (middle.0 + across, middle.1 + up)];
                canvas.segment(ends[0], ends[1], &stroke(5));
            }
            EdgeKind::Link => canvas.segment(from, to, &stroke(4)),
            EdgeKind::Post => {
                canvas.rect((middle.0 - 5, middle.1 - 5), (10, 10), &format!("fill=\"{colour}\""));
                canvas.words((middle.0 + 7, middle.1 + 4), &edge.piece.token, "font-size=\"11\"");
            }
            EdgeKind::Gap => {
                let (x, y) = (self.margin, self.top());
                let (right, bottom) = (x + self.board.columns.len() * CELL, y + self.board.rows.len() * CELL);
                let ends = if is_beside {
                    [(middle.0, y), (middle.0, bottom)]
                } else {
                    [(x, middle.1), (right, middle.1)]
                };
                canvas.segment(ends[0], ends[1], &format!("{} stroke-dasharray=\"7 7\"", stroke(4)));
                canvas.words((ends[1].0 + 5, ends[1].1 + 4), &edge.piece.token, "font-size=\"11\"");
            }
        }
    }

    /// The centre of a square, which may lie beside the board.
    fn centre(&self, (column, row): (i32, i32)) -> (usize, usize) {
        let cell = CELL as i64;
        let x = self.margin as i64 + i64::from(column) * cell + cell / 2;
        let y = self.top() as i64 + (self.board.rows.len() as i64 - 1 - i64::from(row)) * cell + cell / 2;
        (usize::try_from(x).unwrap_or(0), usize::try_from(y).unwrap_or(0))
    }
}

/// The text of a square for screen readers.
fn label(square: &Square) -> String {
    let pieces: Vec<&str> = square.pieces.iter().map(|piece| piece.text.as_str()).collect();
    match (pieces.as_slice(), square.exists) {
        ([], true) => format!("{}: empty", square.name),
        ([], false) => format!("{}: no square", square.name),
        (pieces, _) => format!("{}: {}", square.name, pieces.join(", ")),
    }
}

/// Numbers are written, other pieces are discs with a letter.
fn draw_piece(canvas: &mut Canvas, piece: &Piece, (x, y): (usize, usize), radius: usize) {
    let (fill, ink) = COLOURS[piece.colour % COLOURS.len()];
    let is_number = piece.token.bytes().all(|byte| byte.is_ascii_digit());
    let length = piece.token.chars().count().max(1);
    // Long names are set smaller, so that they stay inside.
    let size = (radius * 5 / 2 / (length + 1)).clamp(6, radius * 5 / 4);
    let ink = if is_number { "#222222" } else { ink };
    if !is_number {
        canvas.circle((x, y), radius, &format!("fill=\"{fill}\" stroke=\"#333333\""));
    }
    let attributes = format!("font-size=\"{size}\" fill=\"{ink}\" text-anchor=\"middle\"");
    canvas.words((x, y + size * 7 / 20), &piece.token, &attributes);
}

fn draw_mark(canvas: &mut Canvas, mark: &Piece, (x, y): (usize, usize), size: usize) {
    let attributes = format!(
        "font-size=\"{size}\" fill=\"#555555\" text-anchor=\"middle\" class=\"{}\"",
        escaped(&mark.text)
    );
    canvas.words((x, y + size * 7 / 20), &mark.token, &attributes);
}

/// The name of a column or row where there is little space.
fn short(name: &str) -> String {
    name.chars().take(6).collect()
}
