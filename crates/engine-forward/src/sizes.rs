//! How large views are in the positions that were looked at: what the order of literals is chosen by.

use crate::view::{ViewId, Views, facts};
use rustc_hash::{FxHashMap, FxHashSet};
use senet_rules::{Leaf, RelId};

/// A view that was empty so far is likely to be so again.
const ROWS_OF_AN_EMPTY_VIEW: f64 = 0.1;

/// So many rows of a view are kept.
const MOST_ROWS_KEPT: u32 = 2_000;

/// A view when it had the most rows.
#[derive(Clone, Default, Debug)]
struct Size {
    n_rows: u32,
    width: usize,
    /// The first rows.
    rows: Vec<u32>,
    /// By columns that are known: how many rows agree with what is known, on average.
    fan_out: FxHashMap<Vec<u32>, f64>,
}

impl Size {
    fn fan_out(&mut self, known: &[u32]) -> f64 {
        if let Some(&fan_out) = self.fan_out.get(known) {
            return fan_out;
        }
        // Columns depend on each other: what is counted is how often all of them have the same values together.
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        let rows = self.rows.chunks_exact(self.width);
        let n_rows = rows.len();
        seen.extend(rows.map(|row| known.iter().map(|&column| row[column as usize]).collect()));
        let fan_out = n_rows as f64 / seen.len() as f64;
        self.fan_out.insert(known.to_vec(), fan_out);
        fan_out
    }
}

/// The sizes of all views.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sizes {
    views: Vec<Size>,
}

impl Sizes {
    /// Looks at a view.
    pub(crate) fn measure(&mut self, views: &Views, id: ViewId) {
        let view = &views[id];
        if self.views.len() <= id.index() {
            self.views.resize(id.index() + 1, Size::default());
        }
        let size = &mut self.views[id.index()];
        if view.len() > size.n_rows {
            size.n_rows = view.len();
            size.width = view.width();
            size.rows.clear();
            (0..view.len().min(MOST_ROWS_KEPT)).for_each(|row| size.rows.extend_from_slice(view.row(row)));
            size.fan_out.clear();
        }
    }

    /// The most facts that a relation had.
    pub(crate) fn n_rows(&self, relation: RelId) -> u32 {
        self.views.get(facts(relation).index()).map_or(0, |size| size.n_rows)
    }

    /// How many rows agree with what is known, on average.
    pub(crate) fn fan_out(&mut self, view: ViewId, leaves: &[Leaf], is_bound: &[bool]) -> f64 {
        let Some(size) = self.views.get_mut(view.index()).filter(|size| size.n_rows > 0) else {
            return ROWS_OF_AN_EMPTY_VIEW;
        };
        let known: Vec<u32> =
            (0..).zip(leaves).filter(|(_, leaf)| leaf.is_known(is_bound)).map(|(at, _)| at).collect();
        if known.is_empty() { f64::from(size.n_rows) } else { size.fan_out(&known) }
    }
}
