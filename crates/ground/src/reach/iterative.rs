//! Base and input round by round: section 4.1 of the paper.

use super::fixpoint::{Halt, saturate};
use crate::facts::{Table, TableId};
use crate::limits::Limits;
use crate::lower::Lowered;
use crate::program::Kind;
use crate::split::{Splitter, Which};
use senet_analysis::{Program, Stratification};
use senet_rules::{Literal, RelId, Rule};
use std::collections::HashSet;

/// Computes base and input from the static facts: what is legal and what follows, from what was found before,
/// until nothing new comes. `rules` are those that base and input need.
pub(crate) fn iterate(
    program: &Program,
    lowered: &mut Lowered,
    limits: &mut Limits,
    rules: &[Rule],
) -> Result<(), Halt> {
    let shared = separate(lowered);
    let mut base = seeds(program, lowered, limits, rules)?;
    let mut input: Vec<Vec<u32>> = Vec::new();
    let mut splitter = Splitter::default();
    let mut positive = Vec::with_capacity(rules.len());
    for rule in rules {
        let mut rule = rule.clone();
        let relations = &lowered.store.relations;
        rule.body.retain(|literal| match literal {
            Literal::Negative(atom) => relations[atom.relation.index()].is_static(),
            _ => true,
        });
        splitter.split(&mut lowered.store, rule, Which::All, &mut positive);
    }
    loop {
        begin(lowered, &positive, &base, &input);
        saturate(&mut lowered.store, limits, positive.clone(), None)?;
        let n_known = base.len() + input.len();
        let known: HashSet<&[u32]> = base.iter().map(Vec::as_slice).collect();
        let new: Vec<Vec<u32>> =
            rows(lowered, shared.next).filter(|row| !known.contains(row.as_slice())).collect();
        base.extend(new);
        let known: HashSet<&[u32]> = input.iter().map(Vec::as_slice).collect();
        let new: Vec<Vec<u32>> =
            rows(lowered, shared.legal).filter(|row| !known.contains(row.as_slice())).collect();
        input.extend(new);
        if base.len() + input.len() == n_known {
            break;
        }
    }
    // From now on `next` and `legal` give fluents and moves again.
    let relations = &mut lowered.store.relations;
    relations[shared.next.index()].table = shared.fluents;
    relations[shared.legal.index()].table = shared.moves;
    Ok(())
}

/// `next` and `legal`, and the tables they share with `true` and `does` elsewhere.
struct Shared {
    next: RelId,
    legal: RelId,
    fluents: TableId,
    moves: TableId,
}

/// Gives `next` and `legal` tables of their own, so that a round does not feed itself.
fn separate(lowered: &mut Lowered) -> Shared {
    let store = &mut lowered.store;
    let mut own_table = |kind: Kind| {
        let at = store.relations.iter().position(|relation| relation.kind == Some(kind));
        let at = at.expect("reserved relations are always there");
        let shared = store.relations[at].table;
        store.tables.push(Table::new(store.relations[at].arity));
        store.relations[at].table = TableId::new(store.tables.len() - 1);
        (RelId::new(at), shared)
    };
    let (next, fluents) = own_table(Kind::Next);
    let (legal, moves) = own_table(Kind::Legal);
    Shared { next, legal, fluents, moves }
}

fn rows(lowered: &Lowered, relation: RelId) -> impl Iterator<Item = Vec<u32>> + '_ {
    let table = &lowered.store.tables[lowered.store.relations[relation.index()].table.index()];
    (0..table.len()).map(|at| table.row(at).to_vec())
}

/// Flushes the tables and puts in fluents and moves.
fn begin(lowered: &mut Lowered, rules: &[Rule], base: &[Vec<u32>], input: &[Vec<u32>]) {
    let (fluents, moves) = (lowered.fluents, lowered.moves);
    let store = &mut lowered.store;
    let mut is_flushed = vec![false; store.tables.len()];
    for relation in rules.iter().map(|rule| rule.head.relation).chain([fluents, moves]) {
        is_flushed[store.relations[relation.index()].table.index()] = true;
    }
    for (at, table) in store.tables.iter_mut().enumerate() {
        if is_flushed[at] {
            table.clear();
        }
    }
    store.views.reset(|table| is_flushed[table.index()]);
    for (relation, rows) in [(fluents, base), (moves, input)] {
        let table = store.relations[relation.index()].table.index();
        rows.iter().for_each(|row| {
            store.tables[table].insert(row);
        });
    }
}

/// The fluents of the match in which nobody moves: from the initial state on, until a state is empty or comes
/// again. A counter of steps is found at once that way, and not one value a round.
fn seeds(
    program: &Program,
    lowered: &mut Lowered,
    limits: &mut Limits,
    rules: &[Rule],
) -> Result<Vec<Vec<u32>>, Halt> {
    let mut state: Vec<Vec<u32>> = rows(lowered, lowered.init).collect();
    let mut found = state.clone();
    // States are derived stratum by stratum, with negation as it is written.
    if program.stratification() == Stratification::Unproved {
        return Ok(found);
    }
    let next = lowered.store.relations.iter().position(|relation| relation.kind == Some(Kind::Next));
    let next = RelId::new(next.expect("reserved relations are always there"));
    let rules = rules_for_next(lowered, next, rules);
    let kinds: Vec<_> = lowered.store.relations.iter().map(|relation| relation.kind).collect();
    lowered.store.relations.iter_mut().for_each(|relation| relation.kind = None);
    let mut seen: HashSet<Vec<Vec<u32>>> = HashSet::new();
    let mut result = Ok(());
    while !state.is_empty() && seen.insert(state.clone()) && result.is_ok() {
        begin(lowered, &rules, &state, &[]);
        for stratum in rules.chunk_by(|left, right| left.stratum == right.stratum) {
            result = result.and_then(|()| saturate(&mut lowered.store, limits, stratum.to_vec(), None));
        }
        state = rows(lowered, next).collect();
        state.sort();
        found.extend(state.iter().cloned());
    }
    for (relation, kind) in lowered.store.relations.iter_mut().zip(kinds) {
        relation.kind = kind;
    }
    result?;
    found.sort();
    found.dedup();
    Ok(found)
}

/// The rules that `next` depends on, also through negation, by stratum.
fn rules_for_next(lowered: &Lowered, next: RelId, first: &[Rule]) -> Vec<Rule> {
    let mut is_needed = vec![false; lowered.store.relations.len()];
    is_needed[next.index()] = true;
    // What base and input need goes on with the rules as rewritten there, the rest as it is.
    let mut of_first = vec![false; lowered.store.relations.len()];
    first.iter().for_each(|rule| of_first[rule.head.relation.index()] = true);
    let others = lowered.dynamic_rules.iter().filter(|rule| !of_first[rule.head.relation.index()]);
    let all: Vec<&Rule> = first.iter().chain(others).collect();
    loop {
        let mut has_grown = false;
        for rule in all.iter().filter(|rule| is_needed[rule.head.relation.index()]).collect::<Vec<_>>() {
            for atom in rule.atoms() {
                has_grown |= !std::mem::replace(&mut is_needed[atom.relation.index()], true);
            }
        }
        if !has_grown {
            break;
        }
    }
    let mut rules: Vec<Rule> =
        all.into_iter().filter(|rule| is_needed[rule.head.relation.index()]).cloned().collect();
    rules.sort_by_key(|rule| rule.stratum);
    rules
}
