//! What can never hold and what always holds is left out.
//!
//! An atom never holds, sometimes holds or always holds in the states that can be reached. Rules that need what
//! never holds, or exclude what always holds, cannot fire; the other way round, such conditions can be dropped.

mod closure;
mod compact;

use crate::program::{AtomId, GroundProgram, Kind, Lit};
use closure::{Closed, close};
use compact::compact;

/// How often the two fixpoints are computed in turn. Stopping early is sound, only less is found.
const ROUNDS: usize = 4;

/// What is known of each literal, by its code.
pub(crate) struct Status {
    /// False: it never holds.
    is_possible: Vec<bool>,
    /// It holds in every state that can be reached.
    is_given: Vec<bool>,
}

impl Status {
    /// Whether an atom may hold.
    #[inline]
    pub(crate) fn is_possible(&self, atom: usize) -> bool {
        self.is_possible[2 * atom]
    }

    /// Whether an atom holds in every state.
    #[inline]
    fn is_always(&self, atom: usize) -> bool {
        self.is_given[2 * atom]
    }

    #[inline]
    fn is_given(&self, lit: Lit) -> bool {
        self.is_given[lit.code() as usize]
    }
}

/// The same game without rules that cannot fire. `is_excluded` says of which bodies it is known otherwise that
/// they never hold. `is_derived`: every atom follows from the initial state if negative conditions count for nothing.
pub(crate) fn simplify(
    mut program: GroundProgram,
    is_derived: bool,
    mut is_excluded: impl FnMut(&[Lit]) -> bool,
) -> GroundProgram {
    let n_atoms = program.n_atoms();
    let mut is_given = vec![false; 2 * n_atoms];
    program.facts.iter().for_each(|fact| is_given[2 * fact.index()] = true);
    let is_alive: Vec<bool> = (0..program.n_rules()).map(|rule| !is_excluded(program.body(rule))).collect();
    let is_cut = is_alive.contains(&false) || !program.facts.is_empty() && denies(&program, &is_given);
    let mut possible = match is_cut {
        true => possible(&program, &is_given, |rule| is_alive[rule]),
        // Everything was derived from the initial state by these rules.
        false => Closed { holds: anything(&is_given), has_fired: is_alive },
    };
    for round in 1..=ROUNDS {
        let is_given_now = always(&program, &possible);
        let has_grown = (0..n_atoms).any(|atom| is_given_now[2 * atom] != is_given[2 * atom]);
        is_given = is_given_now;
        // What always holds takes nothing else away unless a rule needs that it does not.
        if !has_grown || round == ROUNDS || !is_cut && is_derived && !denies(&program, &is_given) {
            break;
        }
        let is_alive = possible.has_fired;
        possible = self::possible(&program, &is_given, |rule| is_alive[rule]);
    }
    let Closed { holds: is_possible, has_fired: is_alive } = possible;
    let status = Status { is_possible, is_given };
    let mut has_changed = is_alive.contains(&false);
    let mut is_shortened = Vec::new();
    if status.is_given.contains(&true) {
        is_shortened.resize(n_atoms, false);
        for (rule, &head) in program.rules.heads.iter().enumerate() {
            if !is_alive[rule] {
                continue;
            }
            if status.is_always(head as usize) {
                has_changed = true;
            } else if program.body(rule).iter().any(|&lit| status.is_given(lit)) {
                has_changed = true;
                is_shortened[head as usize] = true;
            }
        }
    }
    if has_changed {
        rewrite(&mut program, &status, &is_alive);
    }
    compact(program, &status, has_changed, &is_shortened)
}

/// Whether some rule needs that an atom does not hold which is given.
fn denies(program: &GroundProgram, is_given: &[bool]) -> bool {
    program.rules.literals.iter().any(|lit| lit.is_negative() && is_given[2 * lit.atom().index()])
}

/// The atoms that may hold: the least set that contains the initial state and is closed under the rules.
fn possible(program: &GroundProgram, is_given: &[bool], is_alive: impl FnMut(usize) -> bool) -> Closed {
    let [fluents, nexts, moves, legals] =
        [Kind::True, Kind::Next, Kind::Does, Kind::Legal].map(|kind| program.atoms_of(kind));
    close(
        &program.rules,
        unless(is_given),
        program.facts.iter().chain(&program.init).map(|atom| atom.index()),
        is_alive,
        |atom| match atom {
            _ if nexts.contains(&atom) => Some(atom - nexts.start + fluents.start),
            _ if legals.contains(&atom) => Some(atom - legals.start + moves.start),
            _ => None,
        },
    )
}

/// The atoms that hold in every state: by induction, fluents of the initial state that follow again in every
/// next state from what always holds.
fn always(program: &GroundProgram, possible: &Closed) -> Vec<bool> {
    let Closed { holds: is_possible, has_fired: is_alive } = possible;
    let without = unless(is_possible);
    let [fluents, nexts, moves] = [Kind::True, Kind::Next, Kind::Does].map(|kind| program.atoms_of(kind));
    // Of a role that never has a choice it is known what it does.
    let mut n_moves = vec![(0, 0); program.roles.len()];
    for (r#move, role) in moves.clone().zip(program.roles_of_moves()) {
        if let Some(role) = role
            && is_possible[2 * r#move]
        {
            n_moves[role] = (n_moves[role].0 + 1, r#move);
        }
    }
    let only_moves: Vec<usize> =
        n_moves.into_iter().filter(|&(n_moves, _)| n_moves == 1).map(|(_, only)| only).collect();
    // Worth a try: fluents that some rule gives again without a choice of moves, from those of the initial state.
    let mut is_initial = vec![false; fluents.len()];
    program.init.iter().for_each(|fluent| is_initial[fluent.index() - fluents.start] = true);
    let may_be_given = |lit: &Lit| match lit.atom().index() {
        _ if lit.is_negative() => without[lit.code() as usize],
        atom if fluents.contains(&atom) => is_initial[atom - fluents.start],
        atom => !moves.contains(&atom) || only_moves.contains(&atom),
    };
    let mut is_worth = vec![false; fluents.len()];
    for (rule, &head) in program.rules.heads.iter().enumerate() {
        if nexts.contains(&(head as usize)) && is_alive[rule] && program.body(rule).iter().all(may_be_given) {
            is_worth[head as usize - nexts.start] = true;
        }
    }
    program.facts.iter().filter(|it| nexts.contains(&it.index())).for_each(|fact| {
        is_worth[fact.index() - nexts.start] = true;
    });
    let init = program.init.iter().map(|atom| atom.index());
    let mut assumed: Vec<usize> = init.filter(|fluent| is_worth[fluent - fluents.start]).collect();
    let needs_nothing = |rule| program.body(rule).first().is_none_or(|lit| without[lit.code() as usize]);
    if program.facts.is_empty()
        && assumed.is_empty()
        && only_moves.is_empty()
        && !(0..program.n_rules()).any(needs_nothing)
    {
        return without;
    }
    let mut may_fire = is_alive;
    let mut has_fired;
    for round in 0.. {
        if round == ROUNDS {
            assumed.clear();
        }
        let facts = program.facts.iter().map(|atom| atom.index());
        let closed = close(
            &program.rules,
            without.clone(),
            facts.chain(assumed.iter().copied()).chain(only_moves.iter().copied()),
            |rule| may_fire[rule],
            |_| None,
        );
        let is_always = closed.holds;
        let before = assumed.len();
        assumed.retain(|&fluent| is_always[2 * (fluent - fluents.start + nexts.start)]);
        if assumed.len() == before {
            return is_always;
        }
        // With fewer assumptions no other rules fire.
        has_fired = closed.has_fired;
        may_fire = &has_fired;
    }
    unreachable!("without assumptions nothing can fail")
}

/// Every atom may hold, and not be so unless it is given.
fn anything(is_given: &[bool]) -> Vec<bool> {
    let mut literals = unless(is_given);
    literals.iter_mut().step_by(2).for_each(|atom| *atom = true);
    literals
}

/// Where an atom is not so, its negation is. By the codes of literals, those of atoms left open.
fn unless(is_so: &[bool]) -> Vec<bool> {
    let mut literals = vec![false; is_so.len()];
    for (literals, is_so) in literals.chunks_exact_mut(2).zip(is_so.chunks_exact(2)) {
        literals[1] = !is_so[0];
    }
    literals
}

/// Drops rules and conditions in place.
fn rewrite(program: &mut GroundProgram, status: &Status, is_alive: &[bool]) {
    let inputs = [Kind::True, Kind::Does].map(|kind| program.atoms_of(kind));
    program.facts = (0..program.n_atoms())
        .filter(|at| status.is_always(*at) && !inputs.iter().any(|range| range.contains(at)))
        .map(AtomId::new)
        .collect();
    program.rules.rewrite(
        |rule, head| (is_alive[rule] && !status.is_always(head as usize)).then_some(head),
        |lit| (!status.is_given(lit)).then_some(lit),
    );
}
