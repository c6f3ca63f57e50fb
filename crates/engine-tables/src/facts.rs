//! Facts as rows of terms, for all that is done before tables are there, and for rules without tables.
//!
//! A relation is looked at through forms: `(cell ?x ?y b)` has the columns x, y and b. The row of a form remembers which
//! row of the relation it is, so that rows of a superset lead to relation ids.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxHashMap, FxHasher};
use senet_rules::form::Part;
use senet_rules::{Atom, RelId, Relation};
use senet_terms::Terms;
use std::hash::Hasher;

senet_ids::define_id! {
    /// A relation looked at through a form.
    pub(crate) struct FormId;
}

fn hash(values: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    values.iter().for_each(|&value| hasher.write_u32(value));
    hasher.finish()
}

/// Rows by what they have in some columns.
#[derive(Clone, Debug)]
struct Index {
    columns: Vec<u32>,
    /// The newest row of each key.
    newest: HashTable<u32>,
    /// By row: the next older one of the same key.
    older: Vec<Option<u32>>,
}

/// Rows of the same width, each once.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    relation: RelId,
    parts: Option<Vec<Part>>,
    width: usize,
    rows: Vec<u32>,
    len: u32,
    numbers: HashTable<u32>,
    /// By row: the row of the relation. A form that is the relation itself needs none.
    whole: Vec<u32>,
    n_read: u32,
    indexes: Vec<Index>,
    /// How many different values each column has, and how many rows there were when that was counted.
    different: (u32, Vec<f64>),
}

/// Columns of so many rows are counted.
const MOST_ROWS_COUNTED: u32 = 20_000;

impl Form {
    fn new(relation: RelId, parts: Option<Vec<Part>>, width: usize) -> Form {
        Form {
            relation,
            parts,
            width,
            rows: Vec::new(),
            len: 0,
            numbers: HashTable::new(),
            whole: Vec::new(),
            n_read: 0,
            indexes: Vec::new(),
            different: (0, Vec::new()),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn row(&self, at: u32) -> &[u32] {
        &self.rows[at as usize * self.width..][..self.width]
    }

    /// The number of a row.
    pub(crate) fn find(&self, row: &[u32]) -> Option<u32> {
        self.numbers.find(hash(row), |&at| self.row(at) == row).copied()
    }

    /// The row of the relation that a row belongs to.
    pub(crate) fn whole(&self, row: u32) -> u32 {
        if self.parts.is_none() { row } else { self.whole[row as usize] }
    }

    /// Adds a row unless it is there.
    pub(crate) fn insert(&mut self, row: &[u32]) -> bool {
        let Form { rows, width, numbers, len, .. } = self;
        let own = |at: &u32| &rows[*at as usize * *width..][..*width];
        match numbers.entry(hash(row), |at| own(at) == row, |at| hash(own(at))) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(*len);
                rows.extend_from_slice(row);
                *len += 1;
                true
            }
        }
    }

    fn index(&mut self, columns: &[u32]) -> usize {
        let known = self.indexes.iter().position(|index| index.columns == columns);
        known.unwrap_or_else(|| {
            let columns = columns.to_vec();
            self.indexes.push(Index { columns, newest: HashTable::new(), older: Vec::new() });
            self.indexes.len() - 1
        })
    }

    /// The newest row with these values in the columns of an index.
    pub(crate) fn newest(&mut self, index: usize, key: &[u32]) -> Option<u32> {
        let Form { rows, width, len, indexes, .. } = self;
        let Index { columns, newest, older } = &mut indexes[index];
        let value = |at: u32, column: u32| rows[at as usize * *width + column as usize];
        let mut own = Vec::with_capacity(columns.len());
        while (older.len() as u32) < *len {
            let at = older.len() as u32;
            own.clear();
            own.extend(columns.iter().map(|&column| value(at, column)));
            let is_same =
                |&it: &u32| columns.iter().zip(&own).all(|(&column, &own)| value(it, column) == own);
            match newest.find_mut(hash(&own), is_same) {
                Some(place) => older.push(Some(std::mem::replace(place, at))),
                None => {
                    older.push(None);
                    newest.insert_unique(hash(&own), at, |&it| {
                        let mut hasher = FxHasher::default();
                        columns.iter().for_each(|&column| hasher.write_u32(value(it, column)));
                        hasher.finish()
                    });
                }
            }
        }
        let is_it = |&it: &u32| columns.iter().zip(key).all(|(&column, &key)| value(it, column) == key);
        newest.find(hash(key), is_it).copied()
    }

    /// The next older row with the same values.
    pub(crate) fn older(&self, index: usize, row: u32) -> Option<u32> {
        self.indexes[index].older[row as usize]
    }

    /// How many different values each column has, about.
    fn different(&mut self) -> &[f64] {
        if self.different.1.is_empty() || self.len > 2 * self.different.0 {
            let n_counted = self.len.min(MOST_ROWS_COUNTED);
            let mut seen = rustc_hash::FxHashSet::default();
            let count = |column: usize| {
                seen.clear();
                seen.extend((0..n_counted).map(|row| self.rows[row as usize * self.width + column]));
                (seen.len() as f64).max(1.0)
            };
            self.different = (self.len, (0..self.width).map(count).collect());
        }
        &self.different.1
    }

    /// How many rows have given values in some columns, on average.
    pub(crate) fn fan_out(&mut self, columns: impl Iterator<Item = usize>) -> f64 {
        let len = f64::from(self.len);
        let different = self.different();
        columns.fold(len, |rows, column| rows / different[column])
    }

    fn clear(&mut self) {
        if self.len > 0 {
            self.rows.clear();
            self.whole.clear();
            self.numbers.clear();
            self.len = 0;
            for index in &mut self.indexes {
                index.newest.clear();
                index.older.clear();
            }
        }
        self.n_read = 0;
    }
}

/// All relations, as they are and through forms.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// First each relation as it is, by [`RelId`].
    forms: Vec<Form>,
    known: FxHashMap<(RelId, Vec<Part>), FormId>,
}

impl std::ops::Index<FormId> for Facts {
    type Output = Form;

    fn index(&self, id: FormId) -> &Form {
        &self.forms[id.index()]
    }
}

impl std::ops::IndexMut<FormId> for Facts {
    fn index_mut(&mut self, id: FormId) -> &mut Form {
        &mut self.forms[id.index()]
    }
}

/// The facts of a relation as they are.
pub(crate) fn whole(relation: RelId) -> FormId {
    FormId::new(relation.index())
}

impl Facts {
    pub(crate) fn new(relations: &[Relation]) -> Facts {
        let forms = relations.iter().enumerate();
        let forms = forms.map(|(at, relation)| Form::new(RelId::new(at), None, relation.arity));
        Facts { forms: forms.collect(), known: FxHashMap::default() }
    }

    /// The form through which an atom looks at its relation.
    pub(crate) fn of_atom(&mut self, atom: &Atom) -> FormId {
        let parts: Vec<Part> = atom.args.iter().map(Part::of).collect();
        if parts.iter().all(|part| *part == Part::Column) {
            return whole(atom.relation);
        }
        let Facts { forms, known } = self;
        *known.entry((atom.relation, parts)).or_insert_with_key(|(relation, parts)| {
            let width = atom.leaves().len();
            forms.push(Form::new(*relation, Some(parts.clone()), width));
            FormId::new(forms.len() - 1)
        })
    }

    pub(crate) fn index(&mut self, form: FormId, columns: &[u32]) -> usize {
        self[form].index(columns)
    }

    /// Takes over the facts of the relation that came since last time.
    pub(crate) fn sync(&mut self, id: FormId, terms: &Terms) {
        let relation = self[id].relation.index();
        let (read, len) = (self[id].n_read, self.forms[relation].len);
        if self[id].parts.is_none() || read == len {
            return;
        }
        let [source, form] =
            self.forms.get_disjoint_mut([relation, id.index()]).expect("a form is not its relation");
        let parts = form.parts.take().expect("only forms with parts are read");
        let mut row = Vec::new();
        for at in read..len {
            row.clear();
            let mut args = parts.iter().zip(source.row(at));
            if args.all(|(part, &term)| part.read(terms, term, &mut row)) {
                form.insert(&row);
                form.whole.push(at);
            }
        }
        form.n_read = len;
        form.parts = Some(parts);
    }

    /// Forgets the facts of some relations.
    pub(crate) fn clear(&mut self, is_meant: impl Fn(RelId) -> bool) {
        self.forms.iter_mut().filter(|form| is_meant(form.relation)).for_each(Form::clear);
    }
}
