//! From relations to boards: which share one, and what each means on it.

use super::edges::{EdgeReading, read_edges};
use super::gaps::read_gaps;
use super::group::{Group, Layer, LayerKind};
use super::reading::{Reading, read};
use super::{sides, walls};
use crate::survey::Survey;
use crate::table::{Axis, Table};
use std::collections::{BTreeMap, BTreeSet};

/// Two relations of one board may say the same words of a square at once, but no more often than this.
const SELDOM: f64 = 0.05;

/// The boards of a game, from its tables.
pub(super) fn make_groups(survey: &Survey, tables: &[Table]) -> Vec<Group> {
    let mut maker =
        Maker { survey, tables, groups: Vec::new(), readings: BTreeMap::new(), edges: BTreeMap::new() };
    for (at, table) in tables.iter().enumerate() {
        if let Some(edges) = read_edges(table) {
            maker.edges.insert(at, edges);
        } else if let Some(reading) = read(survey, table) {
            maker.readings.insert(at, reading);
        }
    }
    maker.align_indexes();
    // Moving pieces come first: they show where the walls are.
    maker.place_contents(|table| table.changes());
    maker.place_walls();
    maker.place_contents(|_| true);
    maker.place_sides();
    maker.place_marks();
    maker.place_edges();
    maker.place_gaps();
    maker.place_rest();
    maker.groups
}

/// Boards in the making.
struct Maker<'a> {
    survey: &'a Survey,
    tables: &'a [Table],
    groups: Vec<Group>,
    /// The readings that are not drawn yet, by table.
    readings: BTreeMap<usize, Reading>,
    edges: BTreeMap<usize, EdgeReading>,
}

impl Maker<'_> {
    fn take(&mut self, is_wanted: impl Fn(usize, &Reading) -> bool) -> BTreeMap<usize, Reading> {
        self.readings.extract_if(.., |at, reading| is_wanted(*at, reading)).collect()
    }

    /// A word that tells the boards of one relation apart does so for others: what is blank on `board1` and `board2` may
    /// be marked there.
    fn align_indexes(&mut self) {
        let is_index = |at: usize, reading: &Reading| {
            let table = &self.tables[at];
            let sizes = reading.place().into_iter().map(|column| table.columns[column].values.len());
            let fills_boards = table.most_facts() == sizes.product::<usize>();
            reading.contents.is_empty() && reading.index.len() == 1 && !reading.is_sliced && fills_boards
        };
        let indexes: Vec<(usize, Reading)> = self
            .readings
            .iter()
            .filter(|(at, reading)| is_index(**at, reading))
            .map(|(at, reading)| (*at, reading.clone()))
            .collect();
        let tables = self.tables;
        for (at, reading) in &mut self.readings {
            let &[content] = reading.contents.as_slice() else { continue };
            let table = &tables[*at];
            let values: BTreeSet<&String> = table.columns[content].values.iter().collect();
            let is_same = |(other_at, other): &&(usize, Reading)| {
                let other_table = &tables[*other_at];
                table.axis(reading.column).is_like(other_table.axis(other.column))
                    && table.axis(reading.row).is_like(other_table.axis(other.row))
                    && other_table.columns[other.index[0]].values.iter().collect::<BTreeSet<_>>() == values
            };
            if reading.index.is_empty() && indexes.iter().any(|index| is_same(&index)) {
                *reading =
                    Reading { index: vec![content], contents: Vec::new(), is_set: false, ..reading.clone() };
            }
        }
    }

    /// Relations with contents: one board for all that do not contradict each other.
    fn place_contents(&mut self, is_wanted: impl Fn(&Table) -> bool) {
        let tables = self.tables;
        let wanted = |at: usize, reading: &Reading| {
            !reading.is_weak && !reading.contents.is_empty() && is_wanted(&tables[at])
        };
        for (at, reading) in self.take(wanted) {
            let table = &tables[at];
            let mut fitting = self.groups.iter_mut().filter(|group| group.fits(table, &reading));
            let group = fitting.find(|group| !clashes(tables, group, at, &reading));
            let kind = LayerKind::Content(reading.clone());
            match group {
                Some(group) => group.add(table, at, &reading, kind),
                None => self.open(at, &reading, kind),
            }
        }
    }

    /// Marks that pieces never cross on one side.
    fn place_walls(&mut self) {
        for group in &mut self.groups {
            let steps = walls::steps(self.survey, self.tables, group);
            // A single word may tell the side: `(wall ?x ?y north)`.
            let as_marks = |(at, reading): (&usize, &Reading)| {
                let table = &self.tables[*at];
                let fits = group.columns.is_like(table.axis(reading.column))
                    && group.rows.is_like(table.axis(reading.row));
                let reading = match (reading.index.as_slice(), reading.contents.as_slice()) {
                    (_, []) => reading.clone(),
                    ([], &[side]) => {
                        Reading { index: vec![side], contents: Vec::new(), is_set: false, ..reading.clone() }
                    }
                    _ => return None,
                };
                (!reading.is_weak && fits && group.index.is_empty()).then_some((*at, reading))
            };
            let candidates: Vec<(usize, Reading)> = self.readings.iter().filter_map(as_marks).collect();
            for (at, reading) in candidates {
                let table = &self.tables[at];
                if let Some(found) = walls::read_walls(table, &reading, group, &steps) {
                    self.readings.remove(&at);
                    walls::make_room(group, table, &reading, &found);
                    group.layers.push(Layer { table: at, kind: LayerKind::Walls(reading, found) });
                }
            }
        }
    }

    /// Marks that lie around squares, as the lines of dots and boxes do.
    fn place_sides(&mut self) {
        for group in &mut self.groups {
            for (at, found) in sides::read_sides(self.tables, group, &self.readings) {
                let reading = self.readings.remove(&at).expect("it was found there");
                group.layers.push(Layer { table: at, kind: LayerKind::Walls(reading, found) });
            }
            for (&at, edges) in &self.edges {
                if sides::are_outlines(&self.tables[at], edges, group) {
                    group.layers.push(Layer { table: at, kind: LayerKind::Outlines(edges.clone()) });
                }
            }
            let is_drawn = |at: &usize| group.layers.iter().any(|layer| layer.table == *at);
            self.edges.retain(|at, _| !is_drawn(at));
        }
    }

    /// Relations that say only that there is something: on the board that rules link them with, else the first that fits.
    fn place_marks(&mut self) {
        for (at, reading) in self.take(|_, reading| !reading.is_weak) {
            let table = &self.tables[at];
            let fits = |group: &Group| group.fits(table, &reading);
            let linked = (0..self.groups.len())
                .find(|&group| fits(&self.groups[group]) && self.is_linked(group, at, &reading));
            let chosen = linked.or_else(|| self.groups.iter().position(fits));
            match chosen {
                Some(group) => self.groups[group].add(table, at, &reading, LayerKind::Mark(reading.clone())),
                None => self.open(at, &reading, LayerKind::Mark(reading.clone())),
            }
        }
    }

    /// Lines between places.
    fn place_edges(&mut self) {
        for (at, edges) in std::mem::take(&mut self.edges) {
            let table = &self.tables[at];
            let [[from_column, from_row], [to_column, to_row]] = edges.ends;
            let columns = table.axis(from_column).union(table.axis(to_column));
            let rows = table.axis(from_row).union(table.axis(to_row));
            let fits = |group: &&mut Group| {
                group.index.is_empty() && group.columns.overlaps(&columns) && group.rows.overlaps(&rows)
            };
            let layer = Layer { table: at, kind: LayerKind::Edges(edges) };
            match self.groups.iter_mut().find(fits) {
                Some(group) => {
                    group.columns = group.columns.union(&columns);
                    group.rows = group.rows.union(&rows);
                    group.layers.push(layer);
                }
                None => self.groups.push(Group {
                    columns,
                    rows,
                    index: Vec::new(),
                    is_sliced: false,
                    layers: vec![layer],
                }),
            }
        }
    }

    /// Relations with a value for each pair of neighbouring rows or columns.
    fn place_gaps(&mut self) {
        let is_drawn =
            |at: usize| self.groups.iter().any(|group| group.layers.iter().any(|layer| layer.table == at));
        let rest: Vec<usize> = (0..self.tables.len()).filter(|&at| !is_drawn(at)).collect();
        for at in rest {
            for group in &mut self.groups {
                if let Some(gaps) = read_gaps(&self.tables[at], group) {
                    self.readings.remove(&at);
                    group.layers.push(Layer { table: at, kind: LayerKind::Gaps(gaps) });
                    break;
                }
            }
        }
    }

    /// A single fact, or one for each name, is drawn where rules speak of it and the board at once.
    fn place_rest(&mut self) {
        for (at, reading) in std::mem::take(&mut self.readings) {
            let table = &self.tables[at];
            let fits = |axis: &Axis, board: &Axis| {
                axis.values().iter().all(|value| board.index(value).is_some()) && axis.is_like(board)
            };
            let chosen = (0..self.groups.len()).find(|&group| {
                let Group { columns, rows, .. } = &self.groups[group];
                fits(table.axis(reading.column), columns)
                    && fits(table.axis(reading.row), rows)
                    && reading.index.is_empty()
                    && self.groups[group].index.is_empty()
                    && self.is_linked(group, at, &reading)
            });
            let kind = match reading.contents.is_empty() {
                true => LayerKind::Mark(reading),
                false => LayerKind::Content(reading),
            };
            if let Some(group) = chosen {
                self.groups[group].layers.push(Layer { table: at, kind });
            }
        }
    }

    fn open(&mut self, at: usize, reading: &Reading, kind: LayerKind) {
        let table = &self.tables[at];
        let mut group = Group::new(table, reading);
        group.add(table, at, reading, kind);
        self.groups.push(group);
    }

    /// Whether a rule speaks of the same place of the relation and of one on the board.
    fn is_linked(&self, group: usize, at: usize, reading: &Reading) -> bool {
        let place = |at: usize, reading: &Reading| {
            let table = &self.tables[at];
            let column = table.columns[reading.column].argument?;
            let row = table.columns[reading.row].argument?;
            Some(((table.name.clone(), table.arity), [column, row]))
        };
        let Some((relation, own)) = place(at, reading) else { return false };
        let others = self.groups[group].content_layers().filter_map(|(at, reading)| place(at, reading));
        let links = self.survey.links();
        let mut ways = others.flat_map(|(other, there)| {
            // Variables are compared in the order of the arguments.
            [[0, 1], [1, 0]].map(|way| (other.clone(), way.map(|at| own[at]), way.map(|at| there[at])))
        });
        ways.any(|(other, own, there)| links.share(&relation, own, &other, there))
    }
}

/// Whether a relation cannot be drawn on the board of another: both fill their boards, or they say the same words of the
/// same squares at once.
fn clashes(tables: &[Table], group: &Group, at: usize, reading: &Reading) -> bool {
    let table = &tables[at];
    let words = |table: &Table, reading: &Reading| -> BTreeSet<String> {
        let rows = (0..table.n_positions()).flat_map(|position| table.rows(position));
        rows.map(|row| table.words(row, &reading.contents)).collect()
    };
    let own_words = words(table, reading);
    group.content_layers().any(|(other_at, other)| {
        let other_table = &tables[other_at];
        if own_words.is_disjoint(&words(other_table, other)) {
            return false;
        }
        is_full(table, reading) && is_full(other_table, other)
            || common_part(group, (table, reading), (other_table, other)) > SELDOM
    })
}

/// Whether the same squares have one fact each in every position.
pub(super) fn is_full(table: &Table, reading: &Reading) -> bool {
    let place = reading.place();
    let squares = |position: usize| -> BTreeSet<Vec<u16>> {
        table.rows(position).map(|row| place.iter().map(|&column| row[column]).collect()).collect()
    };
    let first = squares(0);
    let is_same = |position: usize| table.rows(position).len() == first.len() && squares(position) == first;
    !first.is_empty() && (0..table.n_positions()).all(is_same)
}

/// Which part of the squares of a relation have a fact of the other at the same time.
fn common_part(group: &Group, left: (&Table, &Reading), right: (&Table, &Reading)) -> f64 {
    let spots = |(table, reading): (&Table, &Reading), position: usize| -> BTreeSet<_> {
        table.rows(position).filter_map(|row| group.spot(table, reading, row)).collect()
    };
    let (mut n_common, mut n_smaller) = (0, 0);
    for position in 0..left.0.n_positions() {
        let (left, right) = (spots(left, position), spots(right, position));
        n_common += left.intersection(&right).count();
        n_smaller += left.len().min(right.len());
    }
    n_common as f64 / n_smaller.max(1) as f64
}
