//! Boards of which the rules give only the lines: `(line a b c)`, `(line a d g)` and so on.

use super::StaticFacts;
use senet_gdl::{Description, Symbol};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// How long lines may be; a board has as many lines each way.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=6;
/// Every row, column and diagonal twice, and some to spare.
const MOST_LINES: usize = 64;
/// Families of lines are searched with so many steps.
const MOST_STEPS: usize = 10_000;

/// A square board of named places.
#[derive(Clone, Debug)]
pub(crate) struct LineGrid {
    /// Column and row of each place.
    places: HashMap<String, (usize, usize)>,
}

impl LineGrid {
    /// Column and row of a place, counted from 0.
    pub(crate) fn place(&self, name: &str) -> Option<(usize, usize)> {
        self.places.get(name).copied()
    }
}

/// The boards whose lines are static facts.
pub(super) fn line_grids(description: &Description, facts: &StaticFacts) -> Vec<Arc<LineGrid>> {
    let relations = facts.iter().filter(|((_, arity), lines)| {
        LENGTHS.contains(arity) && (2 * arity..=MOST_LINES).contains(&lines.len())
    });
    relations.filter_map(|(_, lines)| line_grid(description, lines)).map(Arc::new).collect()
}

fn line_grid(description: &Description, lines: &[Vec<Symbol>]) -> Option<LineGrid> {
    let length = lines[0].len();
    let places: BTreeSet<Symbol> = lines.iter().flatten().copied().collect();
    let has_repetition = |line: &Vec<Symbol>| line.iter().collect::<BTreeSet<_>>().len() < length;
    if places.len() != length * length || lines.iter().any(has_repetition) {
        return None;
    }
    let mut steps = 0;
    let rows = parallel_lines(lines, &places, &mut Vec::new(), &|_| true, &mut steps)?;
    let crosses = |line: &[Symbol]| rows.iter().all(|row| common(row, line) == 1);
    let columns = parallel_lines(lines, &places, &mut Vec::new(), &crosses, &mut steps)?;
    // The first column tells the order of the rows, and the first row that of the columns.
    let order = |families: &[&[Symbol]], line: &[Symbol]| -> Vec<usize> {
        line.iter().filter_map(|place| families.iter().position(|family| family.contains(place))).collect()
    };
    let (row_order, column_order) = (order(&rows, columns[0]), order(&columns, rows[0]));
    let mut found = HashMap::new();
    for (row_at, &row) in row_order.iter().enumerate() {
        for (column_at, &column) in column_order.iter().enumerate() {
            let place = rows[row].iter().find(|place| columns[column].contains(place))?;
            found.insert(description.name(*place).to_owned(), (column_at, length - 1 - row_at));
        }
    }
    (found.len() == places.len()).then_some(LineGrid { places: found })
}

fn common(left: &[Symbol], right: &[Symbol]) -> usize {
    left.iter().filter(|place| right.contains(place)).count()
}

/// Lines without a common place that cover all places, found by trying.
fn parallel_lines<'a>(
    lines: &'a [Vec<Symbol>],
    uncovered: &BTreeSet<Symbol>,
    chosen: &mut Vec<&'a [Symbol]>,
    is_allowed: &dyn Fn(&[Symbol]) -> bool,
    steps: &mut usize,
) -> Option<Vec<&'a [Symbol]>> {
    let Some(first) = uncovered.first() else { return Some(chosen.clone()) };
    for line in lines.iter().filter(|line| line.contains(first) && is_allowed(line)) {
        *steps += 1;
        if *steps > MOST_STEPS {
            return None;
        }
        if line.iter().all(|place| uncovered.contains(place)) {
            let rest = uncovered.iter().filter(|place| !line.contains(place)).copied().collect();
            chosen.push(line);
            if let Some(found) = parallel_lines(lines, &rest, chosen, is_allowed, steps) {
                return Some(found);
            }
            chosen.pop();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "(line a b c) (line a d g) (line d e f) (line b e h)
        (line g h i) (line c f i) (line a e i) (line c e g)";

    fn grid(text: &str) -> Option<LineGrid> {
        let description = senet_gdl::parse(text);
        let grids = line_grids(&description, &super::super::static_facts(&description));
        grids.first().map(|grid| (**grid).clone())
    }

    #[test]
    fn lines_make_a_board() {
        let grid = grid(LINES).expect("a board");
        let places = ["a", "b", "c", "d", "e", "i"].map(|name| grid.place(name).expect("a place"));
        assert_eq!(places, [(0, 2), (1, 2), (2, 2), (0, 1), (1, 1), (2, 0)]);
    }

    #[test]
    fn other_relations_make_none() {
        assert!(grid("(sum a b c) (sum b c d) (sum d e f) (sum f g h) (sum g h i) (sum a c i)").is_none());
        assert!(grid(&LINES.replace("(line b e h)", "(line b d h)")).is_none());
    }
}
