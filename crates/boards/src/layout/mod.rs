//! How the positions of one game are drawn, and the drawing of one of them.

mod tokens;
mod plan;

pub(crate) use plan::{Plan, PlanLayer};
pub(crate) use tokens::{Contents, Tokens};

use crate::Class;
use crate::routes::Routes;
use crate::scene::{BLANK, Board, Edge, Piece, Route, Scene, Square};
use crate::survey::Fact;
use plan::{Drawn, Inside};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How the positions of one game are drawn. It is learned by a [`Survey`](crate::Survey).
#[derive(Clone, Debug, Default)]
pub struct Layout {
    parts: Parts,
    /// The plans and layers that draw a relation.
    layers: HashMap<(String, usize), Vec<(usize, usize)>>,
}

/// The parts of a layout: plans, tokens and classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) class: Class,
    pub(crate) plans: Vec<Plan>,
    /// Relations that only say which squares there are, and always say the same. They are not shown.
    pub(crate) hidden: HashSet<(String, usize)>,
    pub(crate) tokens: Tokens,
    /// The contents of squares, in the order of the rulesheet.
    pub(crate) kinds: Vec<String>,
    /// The role that each piece belongs to, by its text.
    pub(crate) owners: BTreeMap<String, usize>,
    /// The relation that names the role to move.
    pub(crate) turn: Option<String>,
    pub(crate) roles: Vec<String>,
    pub(crate) routes: Routes,
}

/// Boards of one shape, as a layout knows them before any position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shape {
    /// The relations drawn on them, as `name/arguments`.
    pub relations: Vec<String>,
    /// The names of the columns, from the left.
    pub columns: Vec<String>,
    /// The names of the rows, from the bottom.
    pub rows: Vec<String>,
    /// How many boards of this shape there are.
    pub boards: usize,
}

impl Layout {
    pub(crate) fn new(parts: Parts) -> Self {
        let mut layers: HashMap<(String, usize), Vec<(usize, usize)>> = HashMap::new();
        for (plan_at, plan) in parts.plans.iter().enumerate() {
            for (layer_at, layer) in plan.layers.iter().enumerate() {
                layers.entry((layer.name.clone(), layer.arity)).or_default().push((plan_at, layer_at));
            }
        }
        Self { parts, layers }
    }

    /// The kind of drawing.
    pub fn class(&self) -> Class {
        self.parts.class
    }

    /// The shapes of the boards.
    pub fn shapes(&self) -> Vec<Shape> {
        let shape = |plan: &Plan| Shape {
            relations: plan.layers.iter().map(|layer| format!("{}/{}", layer.name, layer.arity)).collect(),
            columns: plan.columns.values().to_vec(),
            rows: plan.rows.values().to_vec(),
            boards: plan.n_boards(),
        };
        self.parts.plans.iter().map(shape).collect()
    }

    /// Draws a position, given by its facts in canonical text. What was not so `before` is new; nothing is if that is empty.
    pub fn scene(&self, facts: &[String], before: &[String]) -> Scene {
        let old: HashSet<&str> = before.iter().map(String::as_str).collect();
        let mut boards: Vec<Board> = Vec::new();
        let mut firsts = Vec::new();
        for (group, plan) in self.parts.plans.iter().enumerate() {
            firsts.push(boards.len());
            boards.extend((0..plan.n_boards()).map(|at| plan.empty_board(group, at)));
        }
        let mut scene =
            Scene { class: self.class(), legend: self.parts.tokens.legend.clone(), ..Scene::default() };
        for text in facts {
            let is_new = !old.is_empty() && !old.contains(text.as_str());
            let fact = Fact::of(text);
            if let Some(role) = self.role_to_move(&fact) {
                scene.to_move.push(role.to_owned());
            } else if !self.draw(&fact, is_new, &firsts, &mut boards) {
                scene.facts.push(text.clone());
            }
        }
        scene.boards = boards;
        scene
    }

    /// The squares that a move names, in canonical text; `None` if it names none.
    pub fn route(&self, text: &str) -> Option<Route> {
        self.parts.routes.route(&self.parts.plans, text)
    }

    /// Draws a fact; says whether it is not to be listed.
    fn draw(&self, fact: &Fact<'_>, is_new: bool, firsts: &[usize], boards: &mut [Board]) -> bool {
        let key = (fact.relation.to_owned(), fact.arguments.len());
        let mut is_drawn = self.parts.hidden.contains(&key);
        for &(plan_at, layer_at) in self.layers.get(&key).map_or(&[][..], Vec::as_slice) {
            let plan = &self.parts.plans[plan_at];
            let Some(drawn) = plan.read(&plan.layers[layer_at], &fact.arguments) else { continue };
            is_drawn = true;
            let boards = &mut boards[firsts[plan_at]..];
            match drawn {
                Drawn::Piece(place, words) => {
                    let square = square(boards, place);
                    square.exists = true;
                    square.pieces.extend(self.piece(&words, is_new));
                }
                Drawn::Mark(place) => square(boards, place).pieces.push(self.mark(fact.relation, is_new)),
                Drawn::Empty => {}
                Drawn::Edge { board, kind, from, to, words } => {
                    let nameless = Piece { text: fact.relation.to_owned(), is_new, ..Piece::default() };
                    let piece = if words.is_empty() { Some(nameless) } else { self.piece(&words, is_new) };
                    boards[board].edges.extend(piece.map(|piece| Edge { kind, from, to, piece }));
                }
            }
        }
        is_drawn
    }

    /// A piece of this name; none if the name means an empty square.
    fn piece(&self, words: &str, is_new: bool) -> Option<Piece> {
        let Parts { tokens, owners, kinds, roles, .. } = &self.parts;
        let token = tokens.token(words);
        // Pieces of nobody have other colours than those of the roles.
        let n_taken = if owners.is_empty() { 0 } else { roles.len() };
        let kind = || n_taken + kinds.iter().position(|kind| kind == words).unwrap_or(kinds.len());
        let colour = owners.get(words).copied().unwrap_or_else(kind);
        (token != BLANK).then(|| Piece {
            token: token.to_owned(),
            text: words.to_owned(),
            is_mark: false,
            colour,
            is_new,
        })
    }

    fn mark(&self, relation: &str, is_new: bool) -> Piece {
        let token = self.parts.tokens.mark(relation).to_owned();
        Piece { token, text: relation.to_owned(), is_mark: true, colour: 0, is_new }
    }

    fn role_to_move<'a>(&self, fact: &Fact<'a>) -> Option<&'a str> {
        let &[role] = fact.arguments.as_slice() else { return None };
        (self.parts.turn.as_deref() == Some(fact.relation)).then_some(role)
    }
}

fn square(boards: &mut [Board], (board, column, row): Inside) -> &mut Square {
    let board = &mut boards[board];
    let n_columns = board.columns.len();
    &mut board.squares[row * n_columns + column]
}
