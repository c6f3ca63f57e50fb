//! The contents of a board's squares, position by position.

use super::group::{Group, Spot};
use crate::survey::Survey;
use crate::table::Table;
use std::collections::{BTreeMap, BTreeSet};

/// The contents of the squares in all positions, without empty ones.
pub(super) struct History {
    squares: Vec<BTreeMap<Spot, BTreeSet<usize>>>,
    words: Vec<String>,
    begins: Vec<bool>,
}

impl History {
    pub(super) fn of(survey: &Survey, tables: &[Table], group: &Group, blanks: &BTreeSet<String>) -> Self {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut words = Vec::new();
        let mut at_position = |position: usize| {
            let mut squares: BTreeMap<Spot, BTreeSet<usize>> = BTreeMap::new();
            for (spot, word) in group.contents(tables, position).filter(|(_, word)| !blanks.contains(word)) {
                let place = *places.entry(word.clone()).or_insert(words.len());
                if place == words.len() {
                    words.push(word);
                }
                squares.entry(spot).or_default().insert(place);
            }
            squares
        };
        let squares = (0..survey.snapshots().len()).map(&mut at_position).collect();
        let begins = survey.snapshots().iter().map(|snapshot| snapshot.begins).collect();
        Self { squares, words, begins }
    }

    /// The words that occur.
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// The positions that another one follows, as moves led to it: before and after.
    pub(super) fn steps(&self) -> impl Iterator<Item = (usize, usize)> {
        (1..self.squares.len()).filter(|&after| !self.begins[after]).map(|after| (after - 1, after))
    }

    /// A piece on a square.
    pub(super) fn at(&self, position: usize, spot: Spot) -> Option<&BTreeSet<usize>> {
        self.squares[position].get(&spot)
    }

    /// The pieces on all squares that are not empty.
    pub(super) fn squares(&self, position: usize) -> &BTreeMap<Spot, BTreeSet<usize>> {
        &self.squares[position]
    }
}
