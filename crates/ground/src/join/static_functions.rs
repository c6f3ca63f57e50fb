//! Variables whose values follow from others by static functions: `(succ ?x ?y)` gives one `?y` for each `?x`.

use crate::facts::FactStore;
use senet_rules::{Atom, Literal, Pattern, Rule, VarSet};

/// Adds to variables all those whose values follow from theirs.
pub(crate) fn add_determined(store: &FactStore, rule: &Rule, vars: &mut VarSet) {
    while let Some(var) = find_determined(store, rule, vars) {
        vars.insert(var);
    }
}

fn find_determined(store: &FactStore, rule: &Rule, vars: &VarSet) -> Option<u32> {
    rule.body.iter().find_map(|literal| {
        let Literal::Positive(atom) = literal else { return None };
        let (column, var) = only_unknown(atom, |var| vars.contains(var))?;
        is_function(store, atom, column).then_some(var)
    })
}

/// The only argument of an atom that is not known, if it is a variable.
pub(crate) fn only_unknown(atom: &Atom, is_known: impl Fn(u32) -> bool) -> Option<(usize, u32)> {
    let mut unknown = None;
    for (column, arg) in atom.args.iter().enumerate() {
        if arg.all_vars(&is_known) {
            continue;
        }
        match (arg, unknown) {
            (Pattern::Var(var), None) => unknown = Some((column, *var)),
            _ => return None,
        }
    }
    unknown
}

/// Whether the other columns of a complete static relation determine this one.
pub(crate) fn is_function(store: &FactStore, atom: &Atom, column: usize) -> bool {
    let is_static = store.relations[atom.relation.index()].is_static();
    is_static && atom.args.len() > 1 && store.tables[store.table_of(atom).index()].is_function(column)
}
