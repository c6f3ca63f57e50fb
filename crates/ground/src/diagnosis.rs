//! What there is to say about a game that was not grounded.

use crate::limits::Stopping;
use crate::lower::Lowered;
use crate::options::{Budget, Stop, Stopped};
use crate::program::Kind;
use crate::reach::Halt;
use senet_analysis::Program;
use senet_rules::RelId;
use std::cmp::Reverse;

/// How many relations and rules are named.
const NAMED: usize = 5;

/// Says why grounding stopped and what was largest.
pub(crate) fn diagnose(
    program: &Program,
    lowered: &Lowered,
    budget: Budget,
    step: &'static str,
    halt: Halt,
    has_base_and_input: bool,
) -> Box<Stopped> {
    let stop = match halt.stopping {
        Stopping::Time => Stop::Time(budget.time.unwrap_or_default()),
        Stopping::Memory => Stop::Memory(budget.memory.unwrap_or_default()),
        Stopping::Depth => Stop::InfiniteTerms(name(program, lowered, halt.relation)),
        Stopping::Capacity(what) => Stop::Capacity(what.name()),
        Stopping::Negation => Stop::Negation(name(program, lowered, halt.relation)),
        Stopping::Soft => Stop::Capacity("facts"),
    };
    let store = &lowered.store;
    let mut sizes: Vec<(usize, usize)> = (0..store.relations.len())
        .filter(|&at| !matches!(store.relations[at].kind, Some(Kind::Next | Kind::Legal)))
        .map(|at| (store.tables[store.relations[at].table.index()].len() as usize, at))
        .filter(|&(len, _)| len > 0)
        .collect();
    sizes.sort_by_key(|&(len, _)| Reverse(len));
    sizes.truncate(NAMED);
    let relations =
        sizes.into_iter().map(|(len, at)| (name(program, lowered, RelId::new(at)), len)).collect();
    let mut rules: Vec<(String, usize)> = Vec::new();
    for (origin, count) in &halt.busiest {
        let text = program.show_rule(program.rule(*origin));
        match rules.iter_mut().find(|(known, _)| *known == text) {
            Some((_, known)) => *known += count,
            None => rules.push((text, *count)),
        }
    }
    rules.truncate(NAMED);
    let set = |relation: RelId| &store.tables[store.relations[relation.index()].table.index()];
    let (fluents, moves) = (set(lowered.fluents), set(lowered.moves));
    let base_input = has_base_and_input.then(|| (fluents.len() as usize, moves.len() as usize));
    let sets = if has_base_and_input { crate::program::texts_of_tables(lowered) } else { Default::default() };
    Box::new(Stopped { stop, step, relations, rules, base_input, sets })
}

/// The name of a relation, or the rule whose part it is.
fn name(program: &Program, lowered: &Lowered, relation: RelId) -> String {
    let known = &lowered.store.relations[relation.index()];
    match known.part_of {
        Some(origin) => format!("a part of {}", program.show_rule(program.rule(origin))),
        None => format!("{}/{}", lowered.symbols.name(known.name), known.arity),
    }
}
