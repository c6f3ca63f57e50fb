//! How many ways there are to satisfy conditions, by sizes and distinct counts.

use crate::facts::{FactStore, ViewId};
use senet_rules::{Atom, Leaf, Literal, Rule};
use smallvec::SmallVec;

/// A relation as estimates see it.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    pub(crate) rows: f64,
    /// How many values each variable has there.
    pub(crate) values: Values,
    /// The view whose rows these are, with the column of each variable.
    rows_of: Option<(ViewId, SmallVec<[usize; 4]>)>,
}

type Values = SmallVec<[(u32, f64); 4]>;

/// Of fewer rows combinations are not counted: the product of the numbers of values is near enough.
const FEW: f64 = 500.0;

impl Size {
    /// So many rows, with so many values of each variable.
    pub(crate) fn new(rows: f64, values: Values) -> Size {
        Size { rows, values, rows_of: None }
    }
}

/// The size of what an atom matches.
fn size_of(store: &mut FactStore, atom: &Atom) -> Size {
    let table = store.table_of(atom);
    let FactStore { views, tables, terms, .. } = store;
    let id = views.view(table, atom);
    views.sync(id, tables, terms);
    let view = views.get(id);
    let mut size = Size::new(f64::from(view.len()), Values::new());
    let mut columns = SmallVec::new();
    let mut column = 0;
    atom.for_each_leaf(&mut |leaf| {
        let distinct = f64::from(view.distinct(tables, column, terms.n_terms()));
        column += 1;
        match leaf {
            Leaf::Var(var) => match size.values.iter_mut().find(|(known, _)| *known == var) {
                Some((_, values)) => {
                    size.rows /= values.max(distinct);
                    *values = values.min(distinct);
                }
                None => {
                    size.values.push((var, distinct));
                    columns.push(column - 1);
                }
            },
            Leaf::Ground(_) => size.rows /= distinct,
        }
    });
    let rows = size.rows.max(1.0);
    size.values.iter_mut().for_each(|(_, values)| *values = values.min(rows));
    size.rows_of = (columns.len() == view.width).then_some((id, columns));
    size
}

/// The sizes of the positive conditions of a rule.
pub(crate) fn sizes_of(store: &mut FactStore, rule: &Rule) -> Vec<Option<Size>> {
    let mut sizes = Vec::with_capacity(rule.body.len());
    for literal in &rule.body {
        sizes.push(if let Literal::Positive(atom) = literal { Some(size_of(store, atom)) } else { None });
    }
    sizes
}

/// The size of the join of some relations: values that meet are taken to be spread evenly.
pub(crate) fn join_size<'a>(store: &FactStore, sizes: impl Iterator<Item = &'a Size>) -> Size {
    let mut joined = Size::new(1.0, Values::new());
    let mut members: SmallVec<[&Size; 8]> = SmallVec::new();
    for size in sizes {
        joined.rows *= size.rows;
        joined.rows /= meeting(store, &joined, &members, size);
        for &(var, values) in &size.values {
            match joined.values.iter_mut().find(|(known, _)| *known == var) {
                Some((_, known)) => *known = known.min(values),
                None => joined.values.push((var, values)),
            }
        }
        members.push(size);
    }
    joined
}

/// How many combinations of values there are for a relation and what is joined already to meet in. Variables that a
/// relation has in common with one of the joined have no more combinations there than it has rows.
fn meeting(store: &FactStore, joined: &Size, members: &[&Size], size: &Size) -> f64 {
    let mut left: SmallVec<[(u32, f64); 4]> = SmallVec::new();
    for &(var, values) in &size.values {
        if let Some((_, known)) = joined.values.iter().find(|(known, _)| *known == var) {
            left.push((var, known.max(values)));
        }
    }
    let mut n_meetings = 1.0;
    while left.len() > 1 {
        let has = |member: &Size, var: u32| member.values.iter().any(|(it, _)| *it == var);
        let n_common = |member: &&&Size| left.iter().filter(|(var, _)| has(member, *var)).count();
        let Some(member) = members.iter().max_by_key(n_common).filter(|it| n_common(it) > 1) else { break };
        let is_common = |var: u32| has(member, var) && left.iter().any(|(it, _)| *it == var);
        let product: f64 = left.iter().filter(|(var, _)| is_common(*var)).map(|(_, values)| values).product();
        let counted = [size, *member].map(|it| projected(store, it, is_common).rows);
        n_meetings *= product.min(counted[0].max(counted[1]));
        left.retain(|(var, _)| !has(member, *var));
    }
    n_meetings * left.iter().map(|(_, values)| values).product::<f64>()
}

/// The size of what is left when only some variables are kept.
pub(crate) fn projected(store: &FactStore, size: &Size, is_kept: impl Fn(u32) -> bool) -> Size {
    let values: Values = size.values.iter().copied().filter(|&(var, _)| is_kept(var)).collect();
    let combinations: f64 = values.iter().map(|&(_, values)| values).product();
    let mut rows = size.rows.min(combinations);
    if size.rows > FEW
        && values.len() > 1
        && let Some((view, columns)) = &size.rows_of
    {
        let places = size.values.iter().zip(columns).filter(|((var, _), _)| is_kept(*var));
        let columns: SmallVec<[usize; 4]> = places.map(|(_, &column)| column).collect();
        let counted = store.views.get(*view).distinct_rows(&store.tables, &columns);
        rows = counted.map_or(rows, |counted| rows.min(f64::from(counted)));
    }
    Size::new(rows, values)
}

/// The size of what is left of a join when only some variables are kept: not more than what is left of each of the
/// joined, with all values of the other variables.
pub(crate) fn projected_join<'a>(
    store: &FactStore,
    joined: &Size,
    members: impl Iterator<Item = &'a Size>,
    is_kept: impl Fn(u32) -> bool,
) -> Size {
    let mut size = projected(store, joined, &is_kept);
    for member in members {
        if size.rows <= FEW {
            break;
        }
        let own = projected(store, member, &is_kept);
        let others = size.values.iter().filter(|(var, _)| !own.values.iter().any(|(it, _)| it == var));
        size.rows = size.rows.min(others.map(|(_, values)| values).product::<f64>() * own.rows);
    }
    size
}
