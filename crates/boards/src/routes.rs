//! Which squares a move names.

use crate::layout::Plan;
use crate::scene::{Place, Route};
use crate::survey::Fact;
use crate::table::Fields;
use std::collections::HashMap;

/// How moves name squares, by name and number of arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routes {
    pub(crate) patterns: HashMap<(String, usize), Pattern>,
}

/// How moves of one kind name squares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pattern {
    pub(crate) fields: Fields,
    /// The number of the plan whose squares are named.
    pub(crate) plan: usize,
    /// The squares from the first to the last.
    pub(crate) squares: Vec<Window>,
    /// The field that names a column or a row alone, and whether it is a row.
    pub(crate) line: Option<(usize, bool)>,
}

/// The fields of a move that name a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// The fields that say which board, in the order of the index of the plan.
    pub(crate) index: Vec<usize>,
    pub(crate) column: usize,
    pub(crate) row: usize,
}

impl Routes {
    /// The squares of a move.
    pub(crate) fn route(&self, plans: &[Plan], text: &str) -> Option<Route> {
        let fact = Fact::of(text);
        let pattern = self.patterns.get(&(fact.relation.to_owned(), fact.arguments.len()))?;
        let fields = pattern.fields.split(&fact.arguments)?;
        let plan = plans.get(pattern.plan)?;
        let n_before: usize = plans[..pattern.plan].iter().map(Plan::n_boards).sum();
        let mut places = Vec::new();
        for window in &pattern.squares {
            let (board, column, row) = window.spot(plan, &fields)?;
            places.push(Place { board: n_before + board, column, row });
        }
        let to = places.pop();
        let from = (!places.is_empty()).then(|| places.remove(0));
        let line = |wanted: bool| {
            let (field, is_row) = pattern.line.filter(|&(_, is_row)| is_row == wanted)?;
            let axis = if is_row { &plan.rows } else { &plan.columns };
            axis.index(&fields[field])
        };
        let route = Route { from, via: places, to, column: line(false), row: line(true) };
        (route != Route::default()).then_some(route)
    }
}

impl Window {
    /// Board, column and row that the fields name.
    pub(crate) fn spot(&self, plan: &Plan, fields: &[String]) -> Option<(usize, usize, usize)> {
        let mut board = 0;
        for (values, &field) in plan.index.iter().zip(&self.index) {
            board = board * values.len() + values.iter().position(|value| *value == fields[field])?;
        }
        Some((board, plan.columns.index(&fields[self.column])?, plan.rows.index(&fields[self.row])?))
    }
}
