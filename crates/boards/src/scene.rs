//! A position as plain data, ready to be drawn on any screen.

use crate::Class;
use serde::Serialize;

/// How an empty square is written.
pub(crate) const BLANK: &str = ".";

/// One position, as boards and the facts beside them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Scene {
    /// The kind of drawing of the game.
    pub class: Class,
    /// The boards, those of one group together.
    pub boards: Vec<Board>,
    /// Explanations of short names, such as `r red`.
    pub legend: Vec<String>,
    /// The roles whose turn it is, if a fact says so.
    pub to_move: Vec<String>,
    /// The facts that are on no board, in canonical text.
    pub facts: Vec<String>,
}

/// One board of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Board {
    /// Its title: the relations it shows, and the index that distinguishes it from its neighbours.
    pub title: String,
    /// The number of its group: boards of one group have the same axes.
    pub group: usize,
    /// Column and row among the boards of its group; row 0 is the lowest.
    pub slot: (usize, usize),
    /// The names of the columns, from the left.
    pub columns: Vec<String>,
    /// The names of the rows, from the bottom.
    pub rows: Vec<String>,
    /// The squares, row by row from the bottom, each row from the left.
    pub squares: Vec<Square>,
    /// The walls and lines between squares.
    pub edges: Vec<Edge>,
}

/// One square of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Square {
    /// Column and row in one word, as `e4`.
    pub name: String,
    /// Whether the board has a square at this place.
    pub exists: bool,
    /// The pieces there.
    pub pieces: Vec<Piece>,
}

/// Something on a square or an edge.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Piece {
    /// A short name, explained by the legend where necessary.
    pub token: String,
    /// The contents named by the fact, or the relation if it names none.
    pub text: String,
    /// Whether it only marks the square.
    pub is_mark: bool,
    /// A number for each side or kind, to choose a colour by.
    pub colour: usize,
    /// Whether it was not there before.
    pub is_new: bool,
}

/// The kind of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeKind {
    /// Separates two neighbouring squares.
    Wall,
    /// Joins two neighbouring squares.
    Link,
    /// Stands at the corner that two diagonal neighbours share.
    Post,
    /// Runs between two neighbouring rows or columns, beginning at the first square.
    Gap,
}

/// Something between two squares, one of which may lie outside the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Edge {
    /// Its kind.
    pub kind: EdgeKind,
    /// Column and row of one square.
    pub from: (i32, i32),
    /// Column and row of the other.
    pub to: (i32, i32),
    /// Its text; the token is empty if the fact says only that the piece is there.
    pub piece: Piece,
}

/// A square of a scene.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Place {
    /// The number of the board.
    pub board: usize,
    /// The column, counted from the left.
    pub column: usize,
    /// The row, counted from the bottom.
    pub row: usize,
}

/// The squares a move names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Route {
    /// The first square, if it names several.
    pub from: Option<Place>,
    /// The squares between the first and the last.
    pub via: Vec<Place>,
    /// The only square, or the last.
    pub to: Option<Place>,
    /// The only column it names, if it names no square.
    pub column: Option<usize>,
    /// The only row it names, if it names no square.
    pub row: Option<usize>,
}

impl Board {
    /// The square in a column and a row, if the board is that large.
    pub fn square(&self, column: usize, row: usize) -> Option<&Square> {
        let is_inside = column < self.columns.len() && row < self.rows.len();
        is_inside.then(|| &self.squares[row * self.columns.len() + column])
    }
}

impl Square {
    /// The text of the square: the names of its pieces, a dot if it is empty, nothing if it is no square.
    pub fn text(&self) -> String {
        if self.pieces.is_empty() {
            return if self.exists { BLANK.to_owned() } else { String::new() };
        }
        let are_letters = self
            .pieces
            .iter()
            .all(|piece| piece.token.len() == 1 && !piece.token.as_bytes()[0].is_ascii_digit());
        let tokens: Vec<&str> = self.pieces.iter().map(|piece| piece.token.as_str()).collect();
        tokens.join(if are_letters { "" } else { "," })
    }

    /// Whether something came here with the last move.
    pub fn is_new(&self) -> bool {
        self.pieces.iter().any(|piece| piece.is_new)
    }
}
