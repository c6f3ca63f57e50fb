//! In which order the positive literals of a body are joined.

use crate::facts::{FactStore, View, ViewId};
use senet_rules::{Leaf, VarSet};
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;
use std::ops::Range;

/// A positive literal as the planner sees it.
pub(crate) struct Candidate {
    pub(crate) literal: usize,
    pub(crate) view: ViewId,
    pub(crate) columns: Range<usize>,
    pub(crate) vars: VarSet,
}

/// A column of the view of a candidate.
pub(crate) struct Column {
    pub(crate) leaf: Leaf,
    /// Whether a column before has the same variable.
    is_repeated: bool,
    /// How many different values it has, once that was asked.
    distinct: Cell<f64>,
}

impl Column {
    pub(crate) fn new(leaf: Leaf, is_repeated: bool) -> Column {
        Column { leaf, is_repeated, distinct: Cell::new(0.0) }
    }

    fn distinct(&self, store: &FactStore, view: &View, at: usize) -> f64 {
        if self.distinct.get() == 0.0 {
            self.distinct.set(f64::from(view.distinct(&store.tables, at, store.terms.n_terms())));
        }
        self.distinct.get()
    }
}

/// Candidates by number.
pub(crate) type Order = SmallVec<[usize; 8]>;

/// How many rows of the view of a candidate agree with the bound columns, by its distinct counts.
fn matches(store: &FactStore, candidate: &Candidate, columns: &[Column], bound: &VarSet) -> f64 {
    let view = store.views.get(candidate.view);
    let mut estimate = f64::from(view.len());
    for (at, column) in columns[candidate.columns.clone()].iter().enumerate() {
        let is_fixed = match column.leaf {
            Leaf::Var(var) => column.is_repeated || bound.contains(var),
            Leaf::Ground(_) => true,
        };
        if is_fixed {
            estimate /= column.distinct(store, view, at);
        }
    }
    estimate
}

/// The order with the fewest rows looked at, by estimates: the best greedy one over all beginnings. With it an estimate
/// of how many rows there are in the end.
pub(crate) fn best_order(
    store: &FactStore,
    candidates: &[Candidate],
    columns: &[Column],
    first: Option<usize>,
) -> (Order, f64) {
    /// With more literals only the smallest beginnings are tried.
    const BEGINNINGS: usize = 8;
    /// The order of longer bodies is found from one beginning.
    const LONG: usize = 32;
    let n = candidates.len();
    let none = VarSet::default();
    let matches = |at: usize, bound: &VarSet| matches(store, &candidates[at], columns, bound);
    let alone: SmallVec<[f64; 8]> = (0..n).map(|at| matches(at, &none)).collect();
    let alone = alone.as_slice();
    if n <= 1 {
        return ((0..n).collect(), alone.first().copied().unwrap_or(1.0));
    }
    let most = if n > LONG { 1 } else { BEGINNINGS };
    let mut beginnings: Order = match first {
        Some(first) => {
            smallvec![candidates.iter().position(|it| it.literal == first).expect("a positive literal")]
        }
        None => (0..n).collect(),
    };
    if beginnings.len() > most {
        beginnings.sort_by(|&left, &right| alone[left].total_cmp(&alone[right]));
        beginnings.truncate(most);
    }
    let mut best = (f64::INFINITY, 0.0, Order::new());
    for beginning in beginnings {
        let mut order: Order = smallvec![beginning];
        let mut open: Order = (0..n).filter(|&at| at != beginning).collect();
        let mut factors: SmallVec<[f64; 8]> = SmallVec::from_slice(alone);
        let factors = factors.as_mut_slice();
        let mut bound = VarSet::default();
        let mut rows = alone[beginning];
        let mut cost = rows;
        let mut last = beginning;
        while !open.is_empty() {
            // What the last literal binds makes no difference to others than those with its variables.
            let new = &candidates[last].vars;
            bound.extend(new);
            for &at in &open {
                if candidates[at].vars.intersects(new) {
                    factors[at] = matches(at, &bound);
                }
            }
            let least = (0..open.len())
                .min_by(|&left, &right| factors[open[left]].total_cmp(&factors[open[right]]))
                .expect("some literal is left");
            last = open.remove(least);
            rows *= factors[last];
            cost += rows;
            order.push(last);
        }
        if best.2.is_empty() || cost < best.0 {
            best = (cost, rows, order);
        }
    }
    (best.2, best.1)
}
