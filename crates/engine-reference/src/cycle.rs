//! Showing how atoms come to depend on their own negation.

use crate::negation::Delayed;
use crate::table::{TableId, Tables};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Showing a cycle is not worth more than looking for it from so many places.
const MOST_STARTS: usize = 50;

/// A short cycle through a delayed negation: the tables in order, the first
/// again at the end, each with whether the one before it depends on its negation.
pub(crate) fn negative_cycle(tables: &Tables, open: &[TableId], delayed: &[Delayed]) -> Vec<(TableId, bool)> {
    let mut depends_on: FxHashMap<TableId, Vec<(TableId, bool)>> = FxHashMap::default();
    for &table in open {
        for consumer in &tables[table].consumers {
            depends_on.entry(consumer.owner).or_default().push((table, false));
        }
    }
    for delayed in delayed {
        depends_on.entry(delayed.owner).or_default().push((delayed.target, true));
    }
    let cycles = delayed.iter().take(MOST_STARTS).filter_map(|delayed| {
        let mut path = path(&depends_on, delayed.target, delayed.owner)?;
        path.insert(0, (delayed.target, true));
        path.insert(0, (delayed.owner, false));
        Some(path)
    });
    // Some negation leads back to itself; one of the others leads there.
    let one = || delayed.first().map(|delayed| vec![(delayed.owner, false), (delayed.target, true)]);
    cycles.min_by_key(Vec::len).or_else(one).unwrap_or_default()
}

/// The tables after `from` on a shortest way to `to`.
fn path(
    depends_on: &FxHashMap<TableId, Vec<(TableId, bool)>>,
    from: TableId,
    to: TableId,
) -> Option<Vec<(TableId, bool)>> {
    let mut came_from: FxHashMap<TableId, (TableId, bool)> = FxHashMap::default();
    let mut queue = VecDeque::from([from]);
    while let Some(table) = queue.pop_front() {
        if table == to {
            let mut way = Vec::new();
            let mut at = to;
            while at != from {
                let (before, negated) = came_from[&at];
                way.push((at, negated));
                at = before;
            }
            way.reverse();
            return Some(way);
        }
        for &(next, negated) in depends_on.get(&table).into_iter().flatten() {
            if next != from && !came_from.contains_key(&next) {
                came_from.insert(next, (table, negated));
                queue.push_back(next);
            }
        }
    }
    None
}
