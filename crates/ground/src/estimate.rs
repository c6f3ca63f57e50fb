//! How many ways there are to satisfy conditions, by sizes and distinct counts.

use crate::plan::Store;
use crate::rule::{Atom, Leaf, Literal, Rule};
use smallvec::SmallVec;

/// A relation as estimates see it.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    pub(crate) rows: f64,
    /// How many values each variable has there.
    pub(crate) values: Values,
}

type Values = SmallVec<[(u32, f64); 4]>;

/// The size of what an atom matches.
fn size_of(store: &mut Store, atom: &Atom) -> Size {
    let table = store.table_of(atom);
    let Store { views, tables, terms, .. } = store;
    let view = views.view(table, atom);
    views.sync(view, tables, terms);
    let view = views.get(view);
    let mut size = Size { rows: f64::from(view.len()), values: Values::new() };
    let mut column = 0;
    atom.for_each_leaf(&mut |leaf| {
        let distinct = f64::from(view.distinct(tables, column, terms.len()));
        column += 1;
        match leaf {
            Leaf::Var(var) => match size.values.iter_mut().find(|(known, _)| *known == var) {
                Some((_, values)) => {
                    size.rows /= values.max(distinct);
                    *values = values.min(distinct);
                }
                None => size.values.push((var, distinct)),
            },
            Leaf::Ground(_) => size.rows /= distinct,
        }
    });
    let rows = size.rows.max(1.0);
    size.values.iter_mut().for_each(|(_, values)| *values = values.min(rows));
    size
}

/// The sizes of the positive conditions of a rule.
pub(crate) fn sizes_of(store: &mut Store, rule: &Rule) -> Vec<Option<Size>> {
    let mut sizes = Vec::with_capacity(rule.body.len());
    for literal in &rule.body {
        sizes.push(if let Literal::Positive(atom) = literal { Some(size_of(store, atom)) } else { None });
    }
    sizes
}

/// The size of the join of some relations: values that meet are taken to be spread evenly.
pub(crate) fn join_size<'a>(sizes: impl Iterator<Item = &'a Size>) -> Size {
    let mut joined = Size { rows: 1.0, values: Values::new() };
    for size in sizes {
        joined.rows *= size.rows;
        for &(var, values) in &size.values {
            match joined.values.iter_mut().find(|(known, _)| *known == var) {
                Some((_, known)) => {
                    joined.rows /= known.max(values);
                    *known = known.min(values);
                }
                None => joined.values.push((var, values)),
            }
        }
    }
    joined
}

/// The size of what is left when only some variables are kept.
pub(crate) fn projected(size: &Size, is_kept: impl Fn(u32) -> bool) -> Size {
    let values: Values = size.values.iter().copied().filter(|&(var, _)| is_kept(var)).collect();
    let combinations: f64 = values.iter().map(|&(_, values)| values).product();
    Size { rows: size.rows.min(combinations), values }
}
