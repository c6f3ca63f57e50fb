//! How large views are in the positions that were looked at: what the order of literals is chosen by.

use crate::view::{ViewId, Views, facts};
use rustc_hash::FxHashSet;
use senet_languages::mini::{Pattern, RelId};

/// A view that was empty so far is likely to be so again.
const ROWS_OF_AN_EMPTY_VIEW: f64 = 0.1;

/// Columns of so many rows are counted.
const MOST_ROWS_COUNTED: u32 = 5_000;

/// By view: the most rows, and the most different values of each column.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sizes {
    views: Vec<(f64, Vec<f64>)>,
}

impl Sizes {
    /// Looks at a view.
    pub(crate) fn measure(&mut self, views: &Views, id: ViewId) {
        let view = &views[id];
        if self.views.len() <= id.index() {
            self.views.resize(id.index() + 1, (0.0, Vec::new()));
        }
        let (rows, columns) = &mut self.views[id.index()];
        columns.resize(view.width(), 1.0);
        if f64::from(view.len()) <= *rows {
            return;
        }
        *rows = f64::from(view.len());
        let mut seen = FxHashSet::default();
        for (column, n_values) in columns.iter_mut().enumerate() {
            seen.clear();
            let n_counted = view.len().min(MOST_ROWS_COUNTED);
            seen.extend((0..n_counted).map(|row| view.row(row)[column]));
            *n_values = n_values.max(seen.len() as f64);
        }
    }

    /// The most facts that a relation had.
    pub(crate) fn n_rows(&self, relation: RelId) -> f64 {
        self.views.get(facts(relation).index()).map_or(0.0, |(rows, _)| *rows)
    }

    /// How many rows agree with what is known, on average.
    pub(crate) fn fan_out(&self, view: ViewId, leaves: &[&Pattern], is_bound: &[bool]) -> f64 {
        let Some((rows, columns)) = self.views.get(view.index()) else { return ROWS_OF_AN_EMPTY_VIEW };
        let mut fan_out = rows.max(ROWS_OF_AN_EMPTY_VIEW);
        for (column, leaf) in leaves.iter().enumerate() {
            let is_known = match leaf {
                Pattern::Var(var) => is_bound[*var as usize],
                Pattern::Ground(_) => true,
                Pattern::App(..) => false,
            };
            if is_known {
                fan_out /= columns.get(column).copied().unwrap_or(1.0).max(1.0);
            }
        }
        fan_out
    }
}
