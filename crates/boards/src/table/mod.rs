//! The facts of one relation by columns.

mod axis;
mod fields;
mod keys;

pub(crate) use axis::Axis;
pub(crate) use fields::Fields;

use crate::survey::{Survey, Value};
use std::collections::HashMap;

/// A column with more values is no part of a board.
const MOST_VALUES: usize = 20_000;

/// The facts of a relation in every position seen.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    /// How many arguments the relation has; a place in one word makes two columns of one argument.
    pub(crate) arity: usize,
    pub(crate) fields: Fields,
    pub(crate) columns: Vec<Column>,
    /// The rows of each position, one after the other, as places in the values of the columns.
    positions: Vec<Vec<u16>>,
}

/// One field of the facts of a relation.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Its contents so far, in the order of the rulesheet.
    pub(crate) values: Vec<String>,
    /// The axis on which its values lie, if they look like coordinates.
    pub(crate) axis: Option<Axis>,
    /// The argument it comes from, if that was not taken apart.
    pub(crate) argument: Option<usize>,
}

impl Table {
    /// The tables of all relations with arguments, in the order of the rulesheet.
    pub(crate) fn all(survey: &Survey) -> Vec<Table> {
        survey.relations_in_order().into_iter().filter_map(|relation| Self::of(survey, relation)).collect()
    }

    fn of(survey: &Survey, relation: usize) -> Option<Self> {
        let (name, arity) = survey.relation(relation);
        let arguments = survey.argument_values(relation);
        if arity == 0 || arguments.iter().any(|values| values.len() > MOST_VALUES) {
            return None;
        }
        let texts = |values: &Vec<Value>| values.iter().map(|&value| survey.text(value)).collect::<Vec<_>>();
        let fields = Fields::of(&arguments.iter().map(texts).collect::<Vec<_>>(), survey.line_grids());
        let mut columns = Vec::new();
        // For each argument the places of its fields in the values of the columns, by its value.
        let mut codes: Vec<HashMap<Value, Vec<u16>>> = Vec::new();
        for (argument, (values, width)) in arguments.iter().zip(fields.widths()).enumerate() {
            let mut parts = vec![Distinct::default(); width];
            let mut code = HashMap::new();
            for &value in values {
                let split = fields.split_argument(argument, survey.text(value))?;
                code.insert(
                    value,
                    parts.iter_mut().zip(split).map(|(part, text)| part.place(text)).collect(),
                );
            }
            codes.push(code);
            let argument = (width == 1).then_some(argument);
            columns.extend(parts.into_iter().map(|part| survey.column(part.texts, argument)));
        }
        let positions = survey.positions_of(relation).map(|row_values| {
            let rows = row_values.chunks_exact(arity);
            let fields = rows.flat_map(|row| row.iter().zip(&codes).flat_map(|(value, code)| &code[value]));
            fields.copied().collect()
        });
        Some(Self { name, arity, columns, positions: positions.collect(), fields })
    }

    /// The rows of one position.
    pub(crate) fn rows(&self, position: usize) -> impl ExactSizeIterator<Item = &[u16]> {
        self.positions[position].chunks_exact(self.columns.len())
    }

    /// How many positions were seen, also those without a fact of the relation.
    pub(crate) fn n_positions(&self) -> usize {
        self.positions.len()
    }

    /// The text of a field of a row.
    pub(crate) fn text(&self, row: &[u16], field: usize) -> &str {
        &self.columns[field].values[usize::from(row[field])]
    }

    /// The axis of a column that is known to have one.
    pub(crate) fn axis(&self, field: usize) -> &Axis {
        self.columns[field].axis.as_ref().expect("places are made of axes")
    }

    /// The values of the named fields of a row.
    pub(crate) fn words(&self, row: &[u16], fields: &[usize]) -> String {
        fields.iter().map(|&field| self.text(row, field)).collect::<Vec<_>>().join(" ")
    }
}

/// Texts in the order in which they came, each once.
#[derive(Clone, Default)]
struct Distinct {
    texts: Vec<String>,
    places: HashMap<String, u16>,
}

impl Distinct {
    fn place(&mut self, text: String) -> u16 {
        let next = u16::try_from(self.texts.len()).expect("columns have few values");
        let place = *self.places.entry(text.clone()).or_insert(next);
        if place == next {
            self.texts.push(text);
        }
        place
    }
}
