//! Positions as text: boards as grids, the rest in a few lines.

mod block;
mod edges;
mod grid;
mod listing;

use crate::play::ink::Ink;
use block::Block;
use grid::GridStyle;
use senet_boards::{Board, Layout, Scene, Survey};
use senet_game::{AnyEngine, Position};
use senet_gdl::Description;
use std::sync::Arc;

/// Draws the positions of one game. It learns from the positions it is shown which relations are boards and how
/// large they are.
pub(crate) struct Painter {
    survey: Survey,
    layout: Layout,
    /// Row 1 on top.
    pub(super) flipped: bool,
}

impl Painter {
    /// A painter for the game with these rules and roles.
    pub(crate) fn new(description: &Description, roles: &[String]) -> Self {
        Self { survey: Survey::new(description, roles), layout: Layout::default(), flipped: false }
    }

    /// Looks at a few random matches, so that the first picture already has the right size.
    pub(crate) fn scout(&mut self, engine: &Arc<dyn AnyEngine>) {
        self.survey.explore(engine);
        self.survey.begin();
        self.layout = self.survey.layout();
    }

    /// Learns from a position of the match.
    pub(crate) fn observe(&mut self, position: &Position) {
        if self.survey.observe(position) {
            self.layout = self.survey.layout();
        }
    }

    /// The position as data. What was not so `before` is new.
    pub(crate) fn scene(&self, facts: &[String], before: &[String]) -> Scene {
        self.layout.scene(facts, before)
    }

    /// The picture of a position, line by line. What is new is emphasised.
    pub(super) fn draw(&self, scene: &Scene, ink: Ink, width: usize) -> Vec<String> {
        let style = GridStyle { flipped: self.flipped, has_title: scene.boards.len() > 1, ink };
        let n_groups = scene.boards.last().map_or(0, |board| board.group + 1);
        let of_group = |group| scene.boards.iter().filter(move |board| board.group == group);
        let mut groups: Vec<Vec<Vec<Block>>> = (0..n_groups)
            .map(|group| self.rows_of_blocks(&of_group(group).collect::<Vec<_>>(), style))
            .collect();
        if groups.iter().all(|rows| rows.len() == 1) {
            groups = vec![vec![groups.into_iter().flatten().flatten().collect()]];
        }
        let mut lines = Vec::new();
        for blocks in groups.iter().flatten() {
            lines.extend(block::arrange(blocks, width));
        }
        let mut legend = scene.legend.clone();
        let last = legend.len().saturating_sub(1);
        legend.iter_mut().take(last).for_each(|entry| entry.push(','));
        let legend = listing::wrap(&legend, width.saturating_sub(2));
        lines.extend(legend.iter().map(|line| format!("  {}", ink.faint(line))));
        let listed = listing::list(&scene.facts, width.saturating_sub(2));
        lines.extend(listed.into_iter().map(|line| format!("  {line}")));
        lines
    }

    /// The boards of a group, row by row from the top.
    fn rows_of_blocks(&self, boards: &[&Board], style: GridStyle) -> Vec<Vec<Block>> {
        let n_rows = boards.iter().map(|board| board.slot.1 + 1).max().unwrap_or(0);
        let row = |at: usize| {
            let boards = boards.iter().filter(move |board| board.slot.1 == at);
            boards.map(|board| grid::draw(board, style)).collect::<Vec<_>>()
        };
        let mut rows: Vec<Vec<Block>> = (0..n_rows).map(row).collect();
        if !self.flipped {
            rows.reverse();
        }
        rows
    }
}

#[cfg(test)]
mod tests;
