//! The tables and instances as a ground program.

use super::Instances;
use super::impossible_atoms::FIRST_IMPOSSIBLE;
use crate::facts::FactStore;
use crate::lower::fresh_name;
use crate::program::{AtomId, Block, GroundProgram, Kind};
use senet_ids::Interner;
use senet_rules::RelId;
use senet_terms::TermId;

/// Puts the ground program together.
pub(crate) fn assemble(
    mut store: FactStore,
    mut symbols: Interner,
    role: RelId,
    init: RelId,
    fluents: RelId,
    mut instances: Instances,
) -> GroundProgram {
    let mut order: Vec<(u32, RelId)> = instances
        .first_atom
        .iter()
        .enumerate()
        .filter_map(|(at, first)| first.map(|first| (first, RelId::new(at))))
        .collect();
    order.sort();
    let table_of = |store: &FactStore, relation: RelId| store.relations[relation.index()].table.index();
    let roles =
        store.tables[table_of(&store, role)].rows().iter().map(|&term| TermId::new(term as usize)).collect();
    let fluent_table = table_of(&store, fluents);
    let init_rows = store.tables[table_of(&store, init)].rows().to_vec();
    // Atoms that no rule concludes get their place beside the others of their relation.
    let lens: Vec<u32> =
        order.iter().map(|&(_, relation)| store.tables[table_of(&store, relation)].len()).collect();
    let mut impossible = Vec::with_capacity(instances.impossible.atoms().len());
    for (relation, row) in instances.impossible.atoms() {
        let table = table_of(&store, relation);
        let (at, _) = store.tables[table].insert(row);
        impossible.push((relation, at));
    }
    let mut first = 0;
    let mut firsts = Vec::with_capacity(order.len());
    for &(_, relation) in &order {
        firsts.push(first);
        first += store.tables[table_of(&store, relation)].len();
    }
    if !impossible.is_empty() {
        let mut moved: Vec<u32> = Vec::with_capacity(instances.n_atoms as usize);
        for (&len, &first) in lens.iter().zip(&firsts) {
            moved.extend(first..first + len);
        }
        let extra: Vec<u32> = impossible
            .iter()
            .map(|(relation, row)| {
                let at = order.iter().position(|(_, known)| known == relation).expect("a dynamic relation");
                firsts[at] + row
            })
            .collect();
        let rename = |atom: usize| match (atom as u32).checked_sub(FIRST_IMPOSSIBLE) {
            Some(at) => extra[at as usize],
            None => moved[atom],
        };
        instances.rules.heads.iter_mut().for_each(|head| *head = rename(*head as usize));
        instances.facts.iter_mut().for_each(|fact| *fact = rename(*fact as usize));
        for lit in &mut instances.rules.literals {
            *lit = lit.with_atom(AtomId::new(rename(lit.atom().index()) as usize));
        }
    }
    let mut init: Vec<AtomId> = init_rows
        .iter()
        .map(|&term| {
            let row = store.tables[fluent_table].find(&[term]).expect("what holds first is a fluent");
            AtomId::new((firsts[0] + row) as usize)
        })
        .collect();
    init.sort();
    let mut blocks = Vec::with_capacity(order.len());
    for ((&(_, relation), &first), &n_possible) in order.iter().zip(&firsts).zip(&lens) {
        let known = &store.relations[relation.index()];
        let kind = known.kind.expect("a dynamic relation");
        let table = &mut store.tables[known.table.index()];
        let name = if kind == Kind::Auxiliary { fresh_name(&mut symbols, "aux") } else { known.name };
        let rows = match kind {
            Kind::Next | Kind::Legal => Vec::new(),
            _ => table.take_rows(),
        };
        blocks.push(Block { kind, name, arity: known.arity, first, len: table.len(), n_possible, rows });
    }
    let mut facts: Vec<AtomId> = instances.facts.iter().map(|&fact| AtomId::new(fact as usize)).collect();
    facts.sort();
    let mut rules = instances.rules;
    rules.drop_empty_runs();
    rules.shrink();
    GroundProgram { symbols, terms: store.terms, blocks, roles, init, facts, rules, mutex_groups: Vec::new() }
}
