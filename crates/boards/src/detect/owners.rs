//! The owners of pieces and the role to move, found from the roles that could choose when a piece appeared.

use super::history::History;
use crate::survey::Survey;
use crate::table::Table;
use std::collections::BTreeMap;

/// A piece belongs to a role if so many of its appearances are by moves of the role.
const NEARLY_ALWAYS: f64 = 0.9;
/// Fewer appearances say nothing.
const FEWEST: usize = 2;

/// The role of each word that appears by the moves of one role.
pub(super) fn owners(survey: &Survey, history: &History) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    for (before, after) in history.steps() {
        let &[role] = survey.snapshots()[before].choosers.as_slice() else { continue };
        for (&spot, words) in history.squares(after) {
            let old = history.at(before, spot);
            for word in words.iter().filter(|word| old.is_none_or(|old| !old.contains(word))) {
                *counts.entry(*word).or_default().entry(role).or_default() += 1;
            }
        }
    }
    let owner = |(word, roles): (usize, BTreeMap<usize, usize>)| {
        let n_all: usize = roles.values().sum();
        let (role, count) = roles.into_iter().max_by_key(|&(_, count)| count)?;
        let is_owner = n_all >= FEWEST && count as f64 >= NEARLY_ALWAYS * n_all as f64;
        is_owner.then(|| (history.words()[word].clone(), role))
    };
    counts.into_iter().filter_map(owner).collect()
}

/// The relation that names the role to move: one fact a position, about the role that has a choice.
pub(super) fn turn_relation(survey: &Survey, tables: &[Table]) -> Option<String> {
    let names_chooser = |table: &&Table| {
        let is_role = table.columns[0].values.iter().all(|value| survey.roles().contains(value));
        if table.arity != 1 || table.columns.len() != 1 || !is_role || table.columns[0].values.len() < 2 {
            return false;
        }
        let mut n_named = 0;
        for (position, snapshot) in survey.snapshots().iter().enumerate() {
            let rows: Vec<&[u16]> = table.rows(position).collect();
            let &[row] = rows.as_slice() else { return false };
            if let &[role] = snapshot.choosers.as_slice() {
                if survey.roles()[role] != table.text(row, 0) {
                    return false;
                }
                n_named += 1;
            }
        }
        n_named >= FEWEST
    };
    tables.iter().find(names_chooser).map(|table| table.name.clone())
}
