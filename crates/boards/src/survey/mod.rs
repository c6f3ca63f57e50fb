//! The observations of a game: its rulesheet, positions, moves.

mod fact;
mod values;
mod explore;

pub(crate) use fact::Fact;
pub(crate) use values::{Value, Values};

use crate::Layout;
use crate::rules::{Conditions, LineGrid, Links, Rules};
use crate::table::{Axis, Column};
use senet_game::Position;
use senet_gdl::Description;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// So many positions are enough to know how a relation behaves; later ones count if they show something new.
const ENOUGH_POSITIONS: usize = 240;
/// No more than this are kept, whatever they show.
const MOST_POSITIONS: usize = 480;
/// Arguments of facts that are kept in all.
const MOST_ARGUMENTS: usize = 600_000;
/// Legal moves of a role that are looked at in a position.
const MOST_MOVES: usize = 60;

/// The observations of a game, from which its [`Layout`] is learned.
///
/// ```
/// use senet_boards::{Class, Survey};
/// use senet_game::Position;
///
/// let rules = senet_gdl::parse("(role x)");
/// let mut survey = Survey::new(&rules, &["x".to_owned()]);
/// for mark in ["o", "b"] {
///     let state = (0..9).map(|at| format!("(cell {} {} {})", at / 3 + 1, at % 3 + 1, if at == 4 { mark } else { "b" }));
///     survey.observe(&Position { state: state.collect(), terminal: false, goals: vec![], legal: vec![] });
/// }
/// assert_eq!(survey.layout().class(), Class::Grid);
/// ```
#[derive(Clone, Debug)]
pub struct Survey {
    rules: Rules,
    roles: Vec<String>,
    values: Values,
    relations: Relations,
    moves: Relations,
    snapshots: Vec<Snapshot>,
    n_arguments: usize,
    /// Whether the next position is not what the moves led to.
    begins: bool,
    /// The moves played since the last position.
    played: Vec<usize>,
    /// Facts or moves as rows of their arguments.
    move_rows: Vec<(usize, Vec<Value>)>,
}

/// One position.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// Whether it is the first of a match.
    pub(crate) begins: bool,
    /// The arguments of the facts, one fact after the other, by relation.
    facts: BTreeMap<usize, Vec<Value>>,
    /// The roles with several legal moves.
    pub(crate) choosers: Vec<usize>,
    /// The moves that led here, as places in the moves seen.
    pub(crate) played: Vec<usize>,
}

impl Snapshot {
    fn facts(&self, relation: usize) -> &[Value] {
        self.facts.get(&relation).map_or(&[], Vec::as_slice)
    }
}

/// Relations by number, and the values of their arguments.
#[derive(Clone, Debug, Default)]
struct Relations {
    by_name: HashMap<(Value, usize), usize>,
    names: Vec<(Value, usize)>,
    arguments: Vec<Vec<BTreeSet<Value>>>,
}

impl Relations {
    /// The number of the relation of a fact, its arguments, and whether any of this is new.
    fn add(&mut self, values: &mut Values, text: &str) -> (usize, Vec<Value>, bool) {
        let fact = Fact::of(text);
        let row: Vec<Value> = fact.arguments.iter().map(|text| values.intern(text)).collect();
        let key = (values.intern(fact.relation), row.len());
        let next = self.names.len();
        let relation = *self.by_name.entry(key).or_insert(next);
        if relation == next {
            self.names.push(key);
            self.arguments.push(vec![BTreeSet::new(); row.len()]);
        }
        let known = self.arguments[relation].iter_mut();
        let n_new = known.zip(&row).filter_map(|(known, &value)| known.insert(value).then_some(())).count();
        (relation, row, n_new > 0 || relation == next)
    }

    fn in_order(&self, values: &Values) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&left, &right| {
            let ((left, n_left), (right, n_right)) = (self.names[left], self.names[right]);
            values.compare(left, right).then(n_left.cmp(&n_right))
        });
        order
    }
}

impl Survey {
    /// Nothing seen yet of the game with this rulesheet and these roles.
    pub fn new(description: &Description, roles: &[String]) -> Self {
        Self {
            rules: Rules::of(description),
            roles: roles.to_vec(),
            values: Values::new(description.symbols.clone()),
            relations: Relations::default(),
            moves: Relations::default(),
            snapshots: Vec::new(),
            n_arguments: 0,
            begins: true,
            played: Vec::new(),
            move_rows: Vec::new(),
        }
    }

    /// Says that the next position begins a match.
    pub fn begin(&mut self) {
        self.begins = true;
        self.played.clear();
    }

    /// Says which moves lead to the next position, in canonical text.
    pub fn play<'a>(&mut self, moves: impl IntoIterator<Item = &'a str>) {
        self.played.clear();
        for text in moves {
            let (relation, row, _) = self.moves.add(&mut self.values, text);
            self.played.push(self.move_rows.len());
            self.move_rows.push((relation, row));
        }
    }

    /// Remembers a position; says whether it shows anything that was never seen before.
    pub fn observe(&mut self, position: &Position) -> bool {
        let mut is_new = self.snapshots.is_empty();
        let mut facts: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for text in &position.state {
            let (relation, row, is_new_row) = self.relations.add(&mut self.values, text);
            facts.entry(relation).or_default().extend(row);
            is_new |= is_new_row;
        }
        for moves in &position.legal {
            for text in moves.iter().step_by(moves.len().div_ceil(MOST_MOVES).max(1)) {
                self.moves.add(&mut self.values, text);
            }
        }
        let n_arguments: usize = facts.values().map(Vec::len).sum();
        let is_wanted = is_new && self.snapshots.len() < MOST_POSITIONS || self.has_room();
        if is_wanted && (self.snapshots.is_empty() || self.n_arguments + n_arguments <= MOST_ARGUMENTS) {
            self.n_arguments += n_arguments;
            let has_choice = |role: &usize| position.legal[*role].len() > 1;
            self.snapshots.push(Snapshot {
                begins: self.begins,
                facts,
                choosers: (0..position.legal.len()).filter(has_choice).collect(),
                played: std::mem::take(&mut self.played),
            });
            self.begins = false;
        } else {
            self.begins = true;
        }
        is_new
    }

    /// How the game is drawn, as far as it was seen.
    pub fn layout(&self) -> Layout {
        crate::detect::layout(self)
    }

    /// Whether ordinary positions are still kept.
    pub(crate) fn has_room(&self) -> bool {
        self.snapshots.len() < ENOUGH_POSITIONS && self.n_arguments < MOST_ARGUMENTS
    }

    pub(crate) fn roles(&self) -> &[String] {
        &self.roles
    }

    pub(crate) fn snapshots(&self) -> &[Snapshot] {
        &self.snapshots
    }

    pub(crate) fn links(&self) -> &Links {
        &self.rules.links
    }

    pub(crate) fn conditions(&self) -> &Conditions {
        &self.rules.conditions
    }

    pub(crate) fn line_grids(&self) -> &[Arc<LineGrid>] {
        &self.rules.line_grids
    }

    /// The relations of the facts, in the order of the rulesheet.
    pub(crate) fn relations_in_order(&self) -> Vec<usize> {
        self.relations.in_order(&self.values)
    }

    /// Name and number of arguments of a relation.
    pub(crate) fn relation(&self, relation: usize) -> (String, usize) {
        let (name, arity) = self.relations.names[relation];
        (self.values.text(name).to_owned(), arity)
    }

    /// The values of the arguments of a relation, in the order of the rulesheet.
    pub(crate) fn argument_values(&self, relation: usize) -> Vec<Vec<Value>> {
        let arguments = &self.relations.arguments[relation];
        arguments.iter().map(|values| self.values.sorted(values.iter().copied())).collect()
    }

    /// The arguments of the facts of a relation in each position.
    pub(crate) fn positions_of(&self, relation: usize) -> impl Iterator<Item = &[Value]> {
        let facts = move |snapshot| Snapshot::facts(snapshot, relation);
        self.snapshots.iter().map(facts)
    }

    /// The kinds of moves, in the order of the rulesheet: name and values of the arguments.
    pub(crate) fn moves_in_order(&self) -> Vec<(usize, String, Vec<Vec<&str>>)> {
        let texts = |values: &BTreeSet<Value>| {
            let sorted = self.values.sorted(values.iter().copied());
            sorted.into_iter().map(|value| self.values.text(value)).collect()
        };
        let kind = |relation: usize| {
            let name = self.values.text(self.moves.names[relation].0).to_owned();
            (relation, name, self.moves.arguments[relation].iter().map(texts).collect())
        };
        self.moves.in_order(&self.values).into_iter().map(kind).collect()
    }

    /// A move that was played: the number of its kind, and its arguments.
    pub(crate) fn played(&self, at: usize) -> (usize, Vec<&str>) {
        let (relation, row) = &self.move_rows[at];
        (*relation, row.iter().map(|&value| self.values.text(value)).collect())
    }

    /// Texts in the order of the rulesheet, each once.
    pub(crate) fn in_order(&self, texts: impl IntoIterator<Item = String>) -> Vec<String> {
        let texts: BTreeSet<String> = texts.into_iter().collect();
        let mut texts: Vec<String> = texts.into_iter().collect();
        texts.sort_by_cached_key(|text| self.values.rank(text));
        texts
    }

    pub(crate) fn text(&self, value: Value) -> &str {
        self.values.text(value)
    }

    /// A column with these values.
    pub(crate) fn column(&self, values: Vec<String>, argument: Option<usize>) -> Column {
        let texts: Vec<&str> = values.iter().map(String::as_str).collect();
        // Players are no coordinates, whatever their order.
        let are_roles = values.iter().all(|value| self.roles.contains(value));
        let axis = if are_roles { None } else { Axis::of(&texts, &self.rules.chains) };
        Column { values, axis, argument }
    }
}
