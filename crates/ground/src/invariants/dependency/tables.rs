//! The static relations: which rows agree with a pattern, which columns determine which.

use super::StaticFacts;
use super::arena::{Arena, Node, Span};
use super::index::Index;
use hashbrown::{HashMap, HashTable};
use senet_analysis::{Program, RelationId};
use senet_terms::hash::hash_values;
use smallvec::SmallVec;

/// So many rows are told apart by cases at most.
pub(super) const MAX_CASES: usize = 8;
/// In larger tables no dependencies are looked for.
const MAX_ROWS: usize = 50_000;
/// Tables up to this size are searched without an index.
const MAX_SCANNED: usize = 64;
/// How many arguments a set of positions can speak of.
pub(super) const MAX_POSITIONS: usize = 32;

/// A set of argument positions, as bits.
pub(super) type Positions = u32;

/// The rows of one relation.
#[derive(Clone, Copy, Debug)]
struct Table<'f> {
    arity: usize,
    n_rows: usize,
    values: &'f [u32],
}

impl<'f> Table<'f> {
    fn rows(&self) -> impl Iterator<Item = &'f [u32]> + use<'f> {
        let (arity, values) = (self.arity, self.values);
        (0..self.n_rows).map(move |at| &values[at * arity..][..arity])
    }
}

impl Table<'_> {
    /// Those among some rows that have what the columns ask for.
    fn select(
        &self,
        arena: &mut Arena<'_>,
        columns: &[(usize, Column)],
        among: impl Iterator<Item = u32>,
    ) -> Agreeing {
        let mut found = SmallVec::new();
        let mut n_seen = 0;
        for number in among {
            n_seen += 1;
            let row = &self.values[number as usize * self.arity..][..self.arity];
            let agrees = columns.iter().all(|&(at, column)| match column {
                Column::Any => true,
                Column::Term(term) => row[at] == term,
                Column::Like(first) => row[at] == row[first],
                Column::Shape(shape) => !arena.apart(shape, row[at]),
            });
            if agrees {
                if found.len() == MAX_CASES {
                    arena.burn(n_seen / 8);
                    return Agreeing::Many;
                }
                found.push(number);
            }
        }
        arena.burn(n_seen / 8);
        Agreeing::Few(found)
    }
}

/// The static relations that were evaluated.
#[derive(Debug)]
pub(super) struct Tables<'f> {
    by_relation: Vec<Option<Table<'f>>>,
    indexes: HashMap<(RelationId, usize), Index, foldhash::fast::RandomState>,
    determined: HashMap<(RelationId, Positions), Positions, foldhash::fast::RandomState>,
}

/// What the rows that agree with a pattern say.
pub(super) enum Agreeing {
    /// More than [`MAX_CASES`].
    Many,
    /// The numbers of all of them.
    Few(SmallVec<[u32; MAX_CASES]>),
}

impl<'f> Tables<'f> {
    pub(super) fn new(program: &Program, statics: &'f impl StaticFacts) -> Self {
        let table = |relation: RelationId| {
            let rows = statics.rows(relation)?;
            let arity = program.relation(relation).arity;
            (rows.n_rows.checked_mul(arity) == Some(rows.values.len())).then_some(Table {
                arity,
                n_rows: rows.n_rows,
                values: rows.values,
            })
        };
        let by_relation = (0..program.relations().len()).map(|at| table(RelationId::new(at))).collect();
        Self { by_relation, indexes: HashMap::default(), determined: HashMap::default() }
    }

    pub(super) fn is_known(&self, relation: RelationId) -> bool {
        self.by_relation[relation.index()].is_some()
    }

    /// The rows of a relation; none if it is not known.
    pub(super) fn rows(&self, relation: RelationId) -> impl Iterator<Item = &'f [u32]> + use<'f> {
        self.by_relation[relation.index()].into_iter().flat_map(|table| table.rows())
    }

    pub(super) fn row(&self, relation: RelationId, at: u32) -> &'f [u32] {
        self.by_relation[relation.index()]
            .map_or(&[], |table| &table.values[at as usize * table.arity..][..table.arity])
    }

    /// The rows that can equal the arguments: at least all that do.
    pub(super) fn agreeing(&mut self, arena: &mut Arena<'_>, relation: RelationId, args: Span) -> Agreeing {
        let Some(table) = self.by_relation[relation.index()] else { return Agreeing::Many };
        let args = &arena.args[args.places()];
        let columns = args.iter().enumerate().map(|(at, &arg)| (at, Column::new(arena, args, at, arg)));
        let columns: SmallVec<[(usize, Column); 8]> =
            columns.filter(|(_, column)| !matches!(column, Column::Any)).collect();
        match self.narrowest(relation, table, &columns) {
            Some((index, value)) => table.select(arena, &columns, index.rows(value)),
            None => table.select(arena, &columns, 0..table.n_rows as u32),
        }
    }

    /// The index that leaves the fewest rows, in a table where one is worth the trouble.
    fn narrowest(
        &mut self,
        relation: RelationId,
        table: Table<'f>,
        columns: &[(usize, Column)],
    ) -> Option<(&Index, u32)> {
        if table.n_rows <= MAX_SCANNED {
            return None;
        }
        let mut narrowest: Option<(u32, usize, u32)> = None;
        for &(at, column) in columns {
            let Column::Term(value) = column else { continue };
            let index = self.indexes.entry((relation, at)).or_insert_with(|| {
                Index::new((0..table.n_rows).map(|row| table.values[row * table.arity + at]))
            });
            let n_rows = index.count(value);
            if narrowest.is_none_or(|(fewest, ..)| n_rows < fewest) {
                narrowest = Some((n_rows, at, value));
            }
        }
        let (_, at, value) = narrowest?;
        Some((self.indexes.get(&(relation, at))?, value))
    }

    /// Whether the relation is known and holds of the arguments, which have no free variables.
    pub(super) fn holds(&mut self, arena: &mut Arena<'_>, relation: RelationId, args: Span) -> bool {
        matches!(self.agreeing(arena, relation, args), Agreeing::Few(rows) if !rows.is_empty())
    }

    /// Whether the relation is known and holds of no values of the arguments.
    pub(super) fn holds_nowhere(&mut self, arena: &mut Arena<'_>, relation: RelationId, args: Span) -> bool {
        matches!(self.agreeing(arena, relation, args), Agreeing::Few(rows) if rows.is_empty())
    }

    /// The positions whose values follow from the values at the given ones.
    pub(super) fn determined(
        &mut self,
        arena: &mut Arena<'_>,
        relation: RelationId,
        by: Positions,
    ) -> Positions {
        if let Some(&known) = self.determined.get(&(relation, by)) {
            return known;
        }
        let found = match self.by_relation[relation.index()] {
            Some(table) if table.arity <= MAX_POSITIONS && table.n_rows <= MAX_ROWS => {
                arena.burn(table.n_rows);
                determined_in(table.arity, table.rows(), by)
            }
            _ => by,
        };
        self.determined.insert((relation, by), found);
        found
    }
}

/// What a row must have in a column to agree with a pattern.
#[derive(Clone, Copy)]
enum Column {
    Any,
    Term(u32),
    Like(usize),
    Shape(Node),
}

impl Column {
    fn new(arena: &Arena<'_>, args: &[Node], at: usize, arg: Node) -> Column {
        let arg = arena.find(arg);
        if arena.is_known(arg) {
            return Column::Term(arg);
        }
        if !arena.is_variable(arg) {
            return Column::Shape(arg);
        }
        match args[..at].iter().position(|&other| arena.find(other) == arg) {
            Some(first) => Column::Like(first),
            None => Column::Any,
        }
    }
}

/// The positions at which rows that agree on the given ones always agree.
pub(super) fn determined_in<'r>(
    arity: usize,
    rows: impl Iterator<Item = &'r [u32]>,
    by: Positions,
) -> Positions {
    let mut determined = all_positions(arity);
    let mut groups: HashTable<&[u32]> = HashTable::new();
    for row in rows {
        let hash = hash_values(0, values_at(row, by));
        match groups.find(hash, |other| values_at(other, by).eq(values_at(row, by))) {
            Some(other) => {
                for (at, (value, expected)) in row.iter().zip(*other).enumerate() {
                    if value != expected {
                        determined &= !(1 << at);
                    }
                }
                if determined == by {
                    break;
                }
            }
            None => {
                groups.insert_unique(hash, row, |row| hash_values(0, values_at(row, by)));
            }
        }
    }
    determined
}

/// The values of a row at some positions.
pub(super) fn values_at(row: &[u32], positions: Positions) -> impl Iterator<Item = u32> + '_ {
    row.iter().enumerate().filter(move |&(at, _)| positions >> at & 1 == 1).map(|(_, &value)| value)
}

/// All positions of so many arguments.
pub(super) fn all_positions(arity: usize) -> Positions {
    if arity >= MAX_POSITIONS { Positions::MAX } else { (1 << arity) - 1 }
}
