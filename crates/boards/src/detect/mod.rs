//! From what was seen of a game to how it is drawn.
//!
//! 1. [`Table`]: the facts of each relation by columns; the values of a column may lie on an axis.
//! 2. `reading`, `edges`: which columns of a relation name a place, which count boards, which say what stands there.
//! 3. `maker`: relations over the same axes share a board; `walls`, `sides`, `gaps` find what lies between squares.
//! 4. `blanks`, `owners`, `kind`: which squares are empty, whose pieces are whose, the class.

mod reading;
mod edges;
mod group;
mod maker;
mod walls;
mod sides;
mod gaps;
mod blanks;
mod history;
mod owners;
mod kind;
mod routes;

pub(crate) use edges::EdgeReading;
pub(crate) use gaps::GapReading;
pub(crate) use group::{LayerKind, Side, Spot};
pub(crate) use reading::Reading;

use crate::Layout;
use crate::layout::{Contents, Parts, Plan, PlanLayer, Tokens};
use crate::survey::Survey;
use crate::table::{Axis, Table};
use group::Group;
use history::History;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A board with fewer facts is listed.
const FEWEST_FACTS: usize = 4;
/// A board with fewer squares is none.
const FEWEST_SQUARES: usize = 4;
/// More boards than this are listed.
const MOST_BOARDS: usize = 100;

/// How a game is drawn, as far as it was seen.
pub(crate) fn layout(survey: &Survey) -> Layout {
    let mut tables = Table::all(survey);
    let mut groups = Vec::new();
    if !survey.snapshots().is_empty() {
        groups = maker::make_groups(survey, &tables);
        if lend_axes(&mut tables, &groups) {
            groups = maker::make_groups(survey, &tables);
        }
    }
    let hidden = groups.iter().filter(|group| is_backdrop(&tables, group) && !changes(&tables, group));
    let hidden =
        hidden.flat_map(|group| drawn(&tables, group).map(|table| (table.name.clone(), table.arity)));
    let hidden = hidden.collect();
    groups.retain(|group| is_board(survey, &tables, group));
    groups.iter_mut().for_each(|group| blanks::find_complements(&tables, group));
    let class = kind::class_of(&tables, &groups);
    let blanks: BTreeSet<String> =
        groups.iter().flat_map(|group| blank_words(survey, &tables, group)).collect();
    let histories: Vec<History> =
        groups.iter().map(|group| History::of(survey, &tables, group, &blanks)).collect();
    let mut owners = BTreeMap::new();
    histories.iter().for_each(|history| owners.extend(owners::owners(survey, history)));
    let contents: Vec<Contents> = groups.iter().map(|group| contents_of(&tables, group)).collect();
    let plans: Vec<Plan> = groups.iter().map(|group| plan(&tables, group)).collect();
    let marks = marks_of(&tables, &groups);
    let tokens = Tokens::choose(&contents, &blanks, &marks, survey.roles());
    Layout::new(Parts {
        class,
        hidden,
        routes: routes::learn(survey, &plans, &histories),
        plans,
        kinds: survey.in_order(contents.into_iter().flatten().filter(|word| !blanks.contains(word))),
        tokens,
        owners,
        turn: owners::turn_relation(survey, &tables),
        roles: survey.roles().to_vec(),
    })
}

/// Gives relations of two arguments the axes of boards where all values lie on them: few marks have gaps between them.
/// Says whether any was given.
fn lend_axes(tables: &mut [Table], groups: &[Group]) -> bool {
    let mut is_lent = false;
    for table in tables.iter_mut().filter(|table| table.columns.len() == 2 && table.most_facts() > 1) {
        if table.columns.iter().all(|column| column.axis.is_some()) {
            continue;
        }
        let lies_on = |values: &[String], axis: &Axis| values.iter().all(|value| axis.index(value).is_some());
        let ways = groups.iter().filter(|group| group.index.is_empty());
        // The first argument is the column unless the kinds of the axes say otherwise.
        let mut ways = ways.flat_map(|group| [[&group.columns, &group.rows], [&group.rows, &group.columns]]);
        let way = ways
            .find(|axes| table.columns.iter().zip(axes).all(|(column, axis)| lies_on(&column.values, axis)));
        if let Some(axes) = way {
            is_lent = true;
            for (column, axis) in table.columns.iter_mut().zip(axes) {
                column.axis = Some((*axis).clone());
            }
        }
    }
    is_lent
}

/// Whether a group is worth drawing: large enough, and not the same in all positions.
fn is_board(survey: &Survey, tables: &[Table], group: &Group) -> bool {
    let n_boards: usize = group.index.iter().map(Vec::len).product();
    let n_facts: usize = drawn(tables, group).map(Table::most_facts).sum();
    n_facts >= FEWEST_FACTS
        && group.columns.len() * group.rows.len() >= FEWEST_SQUARES
        && n_boards <= MOST_BOARDS
        && (survey.snapshots().len() == 1 || changes(tables, group))
        && !is_backdrop(tables, group)
}

/// The relations that a group draws.
fn drawn<'a>(tables: &'a [Table], group: &'a Group) -> impl Iterator<Item = &'a Table> {
    group.layers.iter().map(|layer| &tables[layer.table])
}

fn changes(tables: &[Table], group: &Group) -> bool {
    drawn(tables, group).any(Table::changes)
}

/// Whether a group only says which squares there are.
fn is_backdrop(tables: &[Table], group: &Group) -> bool {
    group.layers.iter().all(|layer| match &layer.kind {
        LayerKind::Mark(reading) => maker::is_full(&tables[layer.table], reading),
        _ => false,
    })
}

fn blank_words(survey: &Survey, tables: &[Table], group: &Group) -> Vec<String> {
    let word = |layer: &group::Layer| match &layer.kind {
        LayerKind::Content(reading) => blanks::blank_word(survey, &tables[layer.table], reading),
        LayerKind::Edges(edges) => {
            let [[column, row], to] = edges.ends;
            let reading = Reading {
                index: to.to_vec(),
                column,
                row,
                contents: edges.contents.clone(),
                ..Reading::default()
            };
            blanks::blank_word(survey, &tables[layer.table], &reading)
        }
        LayerKind::Gaps(gaps) => {
            let (column, row) = (gaps.before, gaps.before);
            let (index, contents) = (gaps.index.clone(), gaps.contents.clone());
            blanks::blank_word(
                survey,
                &tables[layer.table],
                &Reading { index, column, row, contents, ..Reading::default() },
            )
        }
        _ => None,
    };
    group.layers.iter().filter_map(word).collect()
}

fn contents_of(tables: &[Table], group: &Group) -> Contents {
    let n_positions = tables.first().map_or(0, Table::n_positions);
    (0..n_positions).flat_map(|position| group.contents(tables, position).map(|(_, word)| word)).collect()
}

/// The relations that mark squares, beside others or alone.
fn marks_of(tables: &[Table], groups: &[Group]) -> Vec<(String, bool)> {
    let mut marks = Vec::new();
    for group in groups {
        let is_alone = group.layers.len() == 1;
        for layer in &group.layers {
            if let LayerKind::Mark(_) = layer.kind {
                marks.push((tables[layer.table].name.clone(), is_alone));
            }
        }
    }
    marks
}

fn plan(tables: &[Table], group: &Group) -> Plan {
    let layer = |layer: &group::Layer| {
        let table = &tables[layer.table];
        PlanLayer {
            name: table.name.clone(),
            arity: table.arity,
            fields: table.fields.clone(),
            kind: layer.kind.clone(),
        }
    };
    Plan {
        columns: group.columns.clone(),
        rows: group.rows.clone(),
        index: group.index.clone(),
        layers: group.layers.iter().map(layer).collect(),
        squares: squares_of(tables, group),
    }
}

/// The squares there are, if empty ones are facts too; then a place that never had a fact is no square.
fn squares_of(tables: &[Table], group: &Group) -> Option<HashSet<Spot>> {
    let n_positions = tables.first().map_or(0, Table::n_positions);
    let is_known = group.layers.iter().any(|layer| match &layer.kind {
        LayerKind::Blank(_) => true,
        LayerKind::Content(reading) => {
            tables[layer.table].changes() && maker::is_full(&tables[layer.table], reading)
        }
        _ => false,
    });
    let mut squares = HashSet::new();
    for layer in group.layers.iter().filter(|_| is_known) {
        let table = &tables[layer.table];
        if let LayerKind::Content(reading) | LayerKind::Blank(reading) | LayerKind::Mark(reading) =
            &layer.kind
        {
            let rows = (0..n_positions).flat_map(|position| table.rows(position));
            squares.extend(rows.filter_map(|row| group.spot(table, reading, row)));
        }
    }
    is_known.then_some(squares)
}
