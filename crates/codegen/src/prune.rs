//! What can never hold is left out.

use crate::flat::{Flat, FlatId, Literal, Rule, Stage};

/// Drops rules that nothing can follow from, and relations of which nothing can hold.
pub(crate) fn drop_what_never_holds(flat: &mut Flat) {
    let mut may_hold = vec![false; flat.relations.len()];
    flat.permanent.iter().for_each(|(id, _)| may_hold[id.index()] = true);
    flat.initial.iter().for_each(|(id, _)| may_hold[id.index()] = true);
    let can_fire = |rule: &Rule, may_hold: &[bool]| {
        rule.body.iter().all(|literal| match literal {
            Literal::Positive(atom) => may_hold[atom.relation.index()],
            Literal::Differ(pairs) => !pairs.is_empty(),
            Literal::Negative(_) | Literal::Always => true,
        })
    };
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        let mut add = |id: FlatId, may_hold: &mut Vec<bool>| {
            has_grown |= !std::mem::replace(&mut may_hold[id.index()], true);
        };
        for rule in flat.stages.iter().flat_map(Stage::rules) {
            if can_fire(rule, &may_hold) {
                add(rule.head.relation, &mut may_hold);
            }
        }
        for &(fluent, next) in &flat.fluents {
            if may_hold[next.index()] {
                add(fluent, &mut may_hold);
            }
        }
        for &(legal, does) in &flat.moves {
            if may_hold[legal.index()] {
                add(does, &mut may_hold);
            }
        }
    }
    let clean = |rule: &mut Rule| {
        for literal in &mut rule.body {
            if matches!(literal, Literal::Negative(atom) if !may_hold[atom.relation.index()]) {
                *literal = Literal::Always;
            }
        }
    };
    for group in flat.stages.iter_mut().flat_map(|stage| &mut stage.groups) {
        group.once.retain(|rule| can_fire(rule, &may_hold));
        group.repeated.retain(|(rule, _)| can_fire(rule, &may_hold));
        group.once.iter_mut().for_each(clean);
        group.repeated.iter_mut().for_each(|(rule, _)| clean(rule));
    }
    flat.stages.retain(|stage| stage.rules().next().is_some());
    // The next position and the position have the same relations: one becomes the other.
    for &(fluent, next) in &flat.fluents {
        may_hold[next.index()] |= may_hold[fluent.index()];
    }
    flat.fluents.retain(|(fluent, _)| may_hold[fluent.index()]);
    flat.moves.retain(|(legal, does)| may_hold[legal.index()] || may_hold[does.index()]);
    for &(legal, does) in &flat.moves {
        may_hold[legal.index()] = true;
        may_hold[does.index()] = true;
    }
    keep(flat, &may_hold);
}

/// Numbers the relations anew.
fn keep(flat: &mut Flat, is_kept: &[bool]) {
    let mut n_kept = 0;
    let mut number = |&is_kept: &bool| {
        let id = FlatId::new(n_kept);
        n_kept += usize::from(is_kept);
        id
    };
    let new: Vec<FlatId> = is_kept.iter().map(&mut number).collect();
    let renumber = |id: &mut FlatId| *id = new[id.index()];
    for group in flat.stages.iter_mut().flat_map(|stage| &mut stage.groups) {
        for rule in group.once.iter_mut().chain(group.repeated.iter_mut().map(|(rule, _)| rule)) {
            renumber(&mut rule.head.relation);
            for literal in &mut rule.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                    renumber(&mut atom.relation);
                }
            }
        }
    }
    flat.fluents.iter_mut().chain(&mut flat.moves).for_each(|(left, right)| {
        renumber(left);
        renumber(right);
    });
    flat.permanent.iter_mut().for_each(|(id, _)| renumber(id));
    flat.initial.iter_mut().for_each(|(id, _)| renumber(id));
    let mut kept = is_kept.iter();
    flat.relations.retain(|_| kept.next().is_some_and(|&is_kept| is_kept));
}
