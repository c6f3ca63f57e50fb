//! Which relations are boards.

use super::axis::Axis;
use super::fields::Fields;
use super::seen::{RelationKey, Row, Seen, Sightings};
use std::collections::BTreeSet;
use std::ops::Range;

/// A relation with fewer facts is listed.
const FEWEST_FACTS: usize = 4;
/// A part of a fact with more values does not count boards.
const MOST_BOARDS: usize = 12;

/// How to draw a relation as one or several grids. Numbers are those of fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Board {
    pub(super) relation: RelationKey,
    pub(super) fields: Fields,
    /// What tells boards of the same kind from each other: none, one or two.
    pub(super) index: Vec<usize>,
    pub(super) index_values: Vec<Vec<String>>,
    pub(super) column: usize,
    pub(super) columns: Axis,
    pub(super) row: usize,
    pub(super) rows: Axis,
    /// What stands on a square: the fields that are left. None if the fact says only that there is something.
    pub(super) contents: Vec<usize>,
    /// Whether empty squares are facts too, so that a place without a fact is no square.
    pub(super) has_blanks: bool,
    /// Whether the facts only say which squares there are: nothing worth drawing.
    pub(super) is_backdrop: bool,
}

/// The boards among the relations seen.
pub(super) fn find_boards(seen: &Seen) -> Vec<Board> {
    seen.relations.iter().filter_map(|(key, relation)| find_board(key, relation)).collect()
}

fn find_board(key: &RelationKey, relation: &Sightings) -> Option<Board> {
    if relation.most_facts() < FEWEST_FACTS {
        return None;
    }
    let table = Table::of(relation, key.1);
    let key_fields = table.runs_as_key().or_else(|| table.shared_squares());
    let (index, place) = key_fields.or_else(|| table.name_and_run_as_key())?;
    let (first, second) = (place.start, place.start + 1);
    let axis = |field: usize| table.axes[field].clone().expect("a place is made of axes");
    let (column, row) = match Axis::first_is_column(&axis(first), &axis(second)) {
        true => (first, second),
        false => (second, first),
    };
    let is_content = |field: &usize| !index.contains(field) && !place.contains(field);
    Some(Board {
        relation: key.clone(),
        contents: (0..table.axes.len()).filter(is_content).collect(),
        index_values: index.iter().map(|&field| table.values_in_order(field)).collect(),
        index,
        column,
        columns: axis(column),
        row,
        rows: axis(row),
        has_blanks: false,
        is_backdrop: table.axes.len() == 2 && table.is_always_full(),
        fields: table.fields,
    })
}

/// The fields of all facts of a relation.
struct Table {
    fields: Fields,
    axes: Vec<Option<Axis>>,
    values: Vec<BTreeSet<String>>,
    positions: Vec<Vec<Row>>,
}

/// The fields that tell boards apart, and the two fields of a place on a board.
type Key = (Vec<usize>, Range<usize>);

impl Table {
    fn of(relation: &Sightings, arity: usize) -> Self {
        let fields = Fields::of(relation, arity);
        let split = |rows: &Vec<Row>| rows.iter().map(|row| fields.split(row)).collect();
        let positions: Vec<Vec<Row>> = relation.positions.iter().map(split).collect();
        let n_fields = positions.iter().flatten().map(Vec::len).next().unwrap_or(0);
        let mut values = vec![BTreeSet::new(); n_fields];
        for row in positions.iter().flatten() {
            for (values, value) in values.iter_mut().zip(row) {
                if !values.contains(value) {
                    values.insert(value.clone());
                }
            }
        }
        let axis = |values: &BTreeSet<String>| Axis::of(&values.iter().map(String::as_str).collect());
        let axes = values.iter().map(axis).collect();
        Self { fields, axes, values, positions }
    }

    /// Two to four axes side by side that determine the rest of the fact: the last two are the place, those
    /// before them count boards. As few as possible, and among these the fullest board.
    fn runs_as_key(&self) -> Option<Key> {
        let n_fields = self.axes.len();
        (2..=4.min(n_fields)).find_map(|length| {
            let runs = (0..=n_fields - length).map(|start| start..start + length);
            let sensible = runs.filter(|run| {
                let fields: Vec<usize> = run.clone().collect();
                let indexes = &fields[..length - 2];
                fields.iter().all(|&field| self.axes[field].is_some())
                    && indexes.iter().all(|&field| self.values[field].len() <= MOST_BOARDS)
                    && self.is_key(&fields)
                    && !self.is_relation_between_places(&fields)
            });
            let fullest = sensible.max_by(|left, right| {
                let by_coverage = self.coverage(left.clone()).total_cmp(&self.coverage(right.clone()));
                by_coverage.then(right.start.cmp(&left.start))
            })?;
            let place = fullest.end - 2..fullest.end;
            Some(((fullest.start..place.start).collect(), place))
        })
    }

    /// Two axes side by side on which things stand far apart and only now and then on the same square.
    fn shared_squares(&self) -> Option<Key> {
        let n_fields = self.axes.len();
        let mut places = (0..n_fields.saturating_sub(1)).map(|start| start..start + 2);
        let place = places.find(|place| {
            let fields = [place.start, place.start + 1];
            fields.iter().all(|&field| self.axes[field].is_some())
                && self.coverage(place.clone()) < 0.5
                && self.shared_part(&fields) < 0.34
                && !self.is_relation_between_places(&fields)
        })?;
        Some((Vec::new(), place))
    }

    /// Two axes side by side that determine the rest together with one word: `(line horizontal 1 2)`.
    fn name_and_run_as_key(&self) -> Option<Key> {
        let n_fields = self.axes.len();
        let places = (0..n_fields.saturating_sub(1)).map(|start| start..start + 2);
        let mut places = places.filter(|place| place.clone().all(|field| self.axes[field].is_some()));
        places.find_map(|place| {
            let is_name = |field: &usize| {
                self.axes[*field].is_none() && (2..=MOST_BOARDS).contains(&self.values[*field].len())
            };
            let mut names = (0..n_fields).filter(is_name);
            let name = names.find(|&name| self.is_key(&[name, place.start, place.start + 1]))?;
            Some((vec![name], place))
        })
    }

    /// Whether hardly ever two facts of a position have the same values in these fields.
    fn is_key(&self, fields: &[usize]) -> bool {
        self.shared_part(fields) <= 0.05
    }

    /// Which part of the facts have the same values in these fields as another fact of the position.
    fn shared_part(&self, fields: &[usize]) -> f64 {
        let n_facts: usize = self.positions.iter().map(Vec::len).sum();
        let values = |row: &Row| -> Row { fields.iter().map(|&field| row[field].clone()).collect() };
        let n_different: usize =
            self.positions.iter().map(|rows| rows.iter().map(values).collect::<BTreeSet<_>>().len()).sum();
        (n_facts - n_different) as f64 / n_facts.max(1) as f64
    }

    /// Whether in every position every square has a fact.
    fn is_always_full(&self) -> bool {
        let n_squares: usize = self.axes.iter().map(|axis| axis.as_ref().map_or(0, Axis::len)).product();
        self.positions.iter().all(|rows| rows.len() == n_squares)
    }

    /// Whether the facts do not describe places but lead from one to another: the rest of the fact is again a
    /// place of the same axis, or each place of one axis belongs to one of the other.
    fn is_relation_between_places(&self, fields: &[usize]) -> bool {
        let rest: Vec<usize> = (0..self.axes.len()).filter(|field| !fields.contains(field)).collect();
        match (rest.len(), fields.len()) {
            (0, 2) => return self.is_key(&fields[..1]) || self.is_key(&fields[1..]),
            (0, 4) => return true,
            _ => {}
        }
        let is_place = |&field: &usize| {
            self.axes[field].is_some() && fields.iter().any(|&other| self.axes[other] == self.axes[field])
        };
        let n_places = rest.iter().filter(|field| is_place(field)).count();
        let is_full = n_places == 1 && self.coverage(fields[0]..fields[0] + fields.len()) > 0.9;
        n_places > 0 && !is_full
    }

    /// How much of the boards the fullest position fills.
    fn coverage(&self, fields: Range<usize>) -> f64 {
        let squares: usize = fields.map(|field| self.axes[field].as_ref().map_or(1, Axis::len)).product();
        let most_facts = self.positions.iter().map(Vec::len).max().unwrap_or(0);
        most_facts as f64 / squares as f64
    }

    fn values_in_order(&self, field: usize) -> Vec<String> {
        match &self.axes[field] {
            Some(axis) => axis.values.clone(),
            None => self.values[field].iter().cloned().collect(),
        }
    }
}
