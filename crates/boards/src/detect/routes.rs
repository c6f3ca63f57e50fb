//! Which arguments of moves name squares: those that look like the places of facts, where something changes.

use super::group::{LayerKind, Spot};
use super::history::History;
use crate::layout::Plan;
use crate::routes::{Pattern, Routes, Window};
use crate::survey::Survey;
use crate::table::Fields;
use std::collections::HashMap;

/// A move names a square if in so many cases something stood there or changed.
const OFTEN: f64 = 0.5;
/// A move names a column if nearly all that changes is in it.
const NEARLY_ALWAYS: f64 = 0.9;
/// So many moves of a kind are looked at.
const MOST_CASES: usize = 300;

/// A move that was played: its fields, and the positions before and after.
struct Case {
    fields: Vec<String>,
    before: usize,
    after: usize,
}

/// How the moves of a game name squares.
pub(super) fn learn(survey: &Survey, plans: &[Plan], histories: &[History]) -> Routes {
    let mut played: HashMap<usize, Vec<(Vec<&str>, usize)>> = HashMap::new();
    for (position, snapshot) in survey.snapshots().iter().enumerate().filter(|(_, snapshot)| !snapshot.begins)
    {
        for &at in &snapshot.played {
            let (kind, arguments) = survey.played(at);
            let cases = played.entry(kind).or_default();
            if cases.len() < MOST_CASES {
                cases.push((arguments, position));
            }
        }
    }
    let mut routes = Routes::default();
    for (kind, name, arguments) in survey.moves_in_order() {
        let fields = Fields::of(&arguments, survey.line_grids());
        let case = |(arguments, position): &(Vec<&str>, usize)| {
            Some(Case {
                fields: fields.split(arguments)?,
                before: position.checked_sub(1)?,
                after: *position,
            })
        };
        let cases: Vec<Case> = played.get(&kind).into_iter().flatten().filter_map(case).collect();
        let columns = columns_of(&fields, &arguments);
        let pattern = plans.iter().zip(histories).enumerate().find_map(|(at, (plan, history))| {
            let (squares, line) = read(plan, history, &columns, &cases)?;
            Some(Pattern { fields: fields.clone(), plan: at, squares, line })
        });
        if let Some(pattern) = pattern {
            routes.patterns.insert((name, arguments.len()), pattern);
        }
    }
    routes
}

/// The values of each field of the moves of a kind.
fn columns_of(fields: &Fields, arguments: &[Vec<&str>]) -> Vec<Vec<String>> {
    let mut columns = Vec::new();
    for (argument, (values, width)) in arguments.iter().zip(fields.widths()).enumerate() {
        let mut parts = vec![Vec::new(); width];
        for split in values.iter().filter_map(|value| fields.split_argument(argument, value)) {
            parts.iter_mut().zip(split).for_each(|(part, text): (&mut Vec<String>, String)| part.push(text));
        }
        columns.extend(parts);
    }
    columns
}

/// The windows on squares, or the field that names a line and whether that is a column.
type Placed = (Vec<Window>, Option<(usize, bool)>);

/// The squares that moves name on the boards of a plan, or the column or row.
fn read(plan: &Plan, history: &History, columns: &[Vec<String>], cases: &[Case]) -> Option<Placed> {
    let mut windows: Vec<Window> = Vec::new();
    for shape in shapes(plan) {
        let mut at = 0;
        while at + shape.width() <= columns.len() {
            let window = shape.at(at);
            if window.fits(plan, columns) && concerns(plan, history, &window, cases) {
                windows.push(window);
                at += shape.width();
            } else {
                at += 1;
            }
        }
        if !windows.is_empty() {
            break;
        }
    }
    if windows.len() == 2
        && leaves(plan, history, &windows[1], cases) > leaves(plan, history, &windows[0], cases)
    {
        windows.reverse();
    }
    if !windows.is_empty() {
        return Some((windows, None));
    }
    let lines = (0..columns.len()).flat_map(|field| [(field, false), (field, true)]);
    let line = lines.into_iter().find(|&line| is_line(plan, history, line, columns, cases))?;
    Some((windows, Some(line)))
}

/// The ways in which the facts of a plan name their places: the order of index, column and row.
fn shapes(plan: &Plan) -> Vec<Window> {
    let mut shapes: Vec<Window> = Vec::new();
    for layer in &plan.layers {
        let reading = match &layer.kind {
            LayerKind::Content(reading) | LayerKind::Mark(reading) | LayerKind::Blank(reading) => reading,
            _ => continue,
        };
        let mut place = reading.place();
        if reading.index.len() != plan.index.len() {
            continue;
        }
        place.sort_unstable();
        let order = |field: usize| place.iter().position(|&other| other == field).unwrap_or(0);
        let shape = Window {
            index: reading.index.iter().map(|&field| order(field)).collect(),
            column: order(reading.column),
            row: order(reading.row),
        };
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    if plan.index.is_empty() && shapes.is_empty() {
        shapes.push(Window { index: Vec::new(), column: 0, row: 1 });
    }
    shapes
}

impl Window {
    fn width(&self) -> usize {
        self.index.len() + 2
    }

    /// The window with its first field there.
    fn at(&self, first: usize) -> Window {
        let index = self.index.iter().map(|field| field + first).collect();
        Window { index, column: self.column + first, row: self.row + first }
    }

    /// Whether all values of the fields are places of the plan.
    fn fits(&self, plan: &Plan, columns: &[Vec<String>]) -> bool {
        let index = self.index.iter().zip(&plan.index);
        !columns[self.column].is_empty()
            && columns[self.column].iter().all(|value| plan.columns.index(value).is_some())
            && columns[self.row].iter().all(|value| plan.rows.index(value).is_some())
            && index
                .into_iter()
                .all(|(&field, values)| columns[field].iter().all(|value| values.contains(value)))
    }
}

fn spot(plan: &Plan, window: &Window, fields: &[String]) -> Option<Spot> {
    let (board, column, row) = window.spot(plan, fields)?;
    Some((board, i32::try_from(column).ok()?, i32::try_from(row).ok()?))
}

/// Whether something stood on the named square or changed there, often enough; nothing is known of moves never played.
fn concerns(plan: &Plan, history: &History, window: &Window, cases: &[Case]) -> bool {
    let is_concerned = |case: &&Case| {
        spot(plan, window, &case.fields).is_some_and(|spot| {
            history.at(case.before, spot).is_some() || history.at(case.after, spot).is_some()
        })
    };
    cases.iter().filter(is_concerned).count() as f64 >= OFTEN * cases.len() as f64
}

/// How often something leaves the named square.
fn leaves(plan: &Plan, history: &History, window: &Window, cases: &[Case]) -> usize {
    let is_left = |case: &&Case| {
        spot(plan, window, &case.fields).is_some_and(|spot| {
            history.at(case.before, spot).is_some() && history.at(case.after, spot).is_none()
        })
    };
    cases.iter().filter(is_left).count()
}

/// Whether nearly everything that changes is in the named column or row.
fn is_line(
    plan: &Plan,
    history: &History,
    (field, is_row): (usize, bool),
    columns: &[Vec<String>],
    cases: &[Case],
) -> bool {
    let axis = if is_row { &plan.rows } else { &plan.columns };
    if columns[field].len() < 2 || columns[field].iter().any(|value| axis.index(value).is_none()) {
        return false;
    }
    let (mut n_changes, mut n_inside) = (0, 0);
    for case in cases {
        let (before, after) = (history.squares(case.before), history.squares(case.after));
        let changed =
            after.iter().filter(|(spot, words)| before.get(spot) != Some(words)).map(|(spot, _)| spot);
        for &(_, column, row) in changed.chain(before.keys().filter(|spot| !after.contains_key(spot))) {
            n_changes += 1;
            n_inside +=
                usize::from(Some(if is_row { row } else { column }) == axis.place(&case.fields[field]));
        }
    }
    n_changes > 0 && n_inside as f64 >= NEARLY_ALWAYS * n_changes as f64
}
