//! Positions as people like to see them: boards as grids, the rest in a few lines.

mod fact;
mod seen;
mod axis;
mod fields;
mod board;
mod tokens;
mod block;
mod grid;
mod listing;

use crate::play::ink::Ink;
use board::{Board, find_boards};
use fact::Fact;
use grid::{GridStyle, board_facts};
use seen::Seen;
use senet_game::{AnyEngine, MoveGenerator, RoleId};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokens::{Contents, Tokens};

/// How long to look at random matches before the first picture, and how much of them.
const SCOUTING_TIME: Duration = Duration::from_millis(500);
const SCOUTING_MATCHES: u32 = 3;
const SCOUTING_MOVES: usize = 100;
/// So many positions are looked at however long it takes.
const FEWEST_SCOUTED: usize = 70;

/// Draws the positions of one game. It learns from the positions it is shown which relations are boards and how
/// large they are.
pub(super) struct Painter {
    roles: Vec<String>,
    seen: Seen,
    boards: Vec<Board>,
    tokens: Tokens,
    /// Row 1 on top.
    pub(super) flipped: bool,
}

impl Painter {
    /// A painter for games with these roles.
    pub(super) fn new(roles: &[String]) -> Self {
        Self {
            roles: roles.to_vec(),
            seen: Seen::default(),
            boards: Vec::new(),
            tokens: Tokens::default(),
            flipped: false,
        }
    }

    /// Looks at a few random matches, so that the first picture already has the right size.
    pub(super) fn scout(&mut self, engine: &Arc<dyn AnyEngine>) {
        let Ok(mut game) = engine.clone().start() else { return };
        let start = Instant::now();
        let mut generator = MoveGenerator::new(0);
        let mut n_seen = 0;
        for _ in 0..SCOUTING_MATCHES {
            for _ in 0..SCOUTING_MOVES {
                let position = game.position();
                self.seen.observe(&position.state);
                n_seen += 1;
                let is_late = n_seen >= FEWEST_SCOUTED && start.elapsed() > SCOUTING_TIME;
                if position.terminal || is_late {
                    break;
                }
                let draw = |(role, name): (usize, &String)| {
                    Ok((name.clone(), game.random_move(RoleId::new(role), &mut generator)?))
                };
                let moves: Result<BTreeMap<_, _>, _> = self.roles.iter().enumerate().map(draw).collect();
                // What is wrong with the game will be told when the match comes to it.
                if moves.and_then(|moves| game.play(&moves)).is_err() {
                    break;
                }
            }
            if game.restart().is_err() {
                break;
            }
        }
        self.learn();
    }

    /// Learns from a position of the match.
    pub(super) fn observe(&mut self, facts: &[String]) {
        if self.seen.observe(facts) {
            self.learn();
        }
    }

    fn learn(&mut self) {
        self.boards = find_boards(&self.seen);
        let contents: Vec<Contents> = self.boards.iter().map(|board| self.contents(board)).collect();
        self.tokens = Tokens::choose(&contents, &self.roles);
        for (board, contents) in self.boards.iter_mut().zip(&contents) {
            board.has_blanks = contents.keys().any(|content| self.tokens.is_blank(content));
        }
    }

    fn contents(&self, board: &Board) -> Contents {
        let mut contents = Contents::new();
        for (at, rows) in self.seen.relations[&board.relation].positions.iter().enumerate() {
            for row in rows.iter().filter(|_| !board.contents.is_empty()) {
                *contents.entry(board.content(&board.fields.split(row))).or_default() += usize::from(at == 0);
            }
        }
        contents
    }

    /// The picture of a position, line by line. What was not so `before` is emphasised.
    pub(super) fn draw(&self, facts: &[String], before: &[String], ink: Ink, width: usize) -> Vec<String> {
        let style = GridStyle { flipped: self.flipped, ink };
        let before: HashSet<&str> = before.iter().map(String::as_str).collect();
        let rows_of_blocks: Vec<_> = self
            .boards
            .iter()
            .filter(|board| !board.is_backdrop)
            .map(|board| board.draw(&board_facts(board, facts, &before), &self.tokens, style))
            .collect();
        let mut lines = Vec::new();
        let n_boards: usize = rows_of_blocks.iter().flatten().map(Vec::len).sum();
        let side_by_side = rows_of_blocks.iter().all(|rows| rows.len() == 1);
        let mut groups: Vec<Vec<block::Block>> = match side_by_side {
            true => vec![rows_of_blocks.into_iter().flatten().flatten().collect()],
            false => rows_of_blocks.into_iter().flatten().collect(),
        };
        if n_boards == 1 {
            groups.iter_mut().flatten().for_each(|block| _ = block.remove(0));
        }
        for group in groups {
            lines.extend(block::arrange(&group, width));
        }
        let mut legend = self.tokens.legend.clone();
        let last = legend.len().saturating_sub(1);
        legend.iter_mut().take(last).for_each(|entry| entry.push(','));
        let legend = listing::wrap(&legend, width.saturating_sub(2));
        lines.extend(legend.iter().map(|line| format!("  {}", ink.faint(line))));
        let rest: Vec<&str> = facts.iter().map(String::as_str).filter(|fact| self.is_listed(fact)).collect();
        let listed = listing::list(&rest, width.saturating_sub(2));
        lines.extend(listed.into_iter().map(|line| format!("  {line}")));
        lines
    }

    /// The roles in control, by facts such as `(control white)`.
    pub(super) fn in_control<'a>(&self, facts: &'a [String]) -> Vec<&'a str> {
        facts.iter().filter_map(|fact| self.role_in_control(fact)).collect()
    }

    fn role_in_control<'a>(&self, fact: &'a str) -> Option<&'a str> {
        let Fact { relation, arguments } = Fact::of(fact);
        let [role] = arguments.as_slice() else { return None };
        (relation == "control" && self.roles.iter().any(|name| name == role)).then_some(*role)
    }

    fn is_listed(&self, fact: &str) -> bool {
        let Fact { relation, arguments } = Fact::of(fact);
        let is_drawn = self
            .boards
            .iter()
            .any(|board| board.relation.0 == relation && board.relation.1 == arguments.len());
        !is_drawn && self.role_in_control(fact).is_none()
    }
}

#[cfg(test)]
mod tests;
