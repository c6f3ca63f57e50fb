//! What can never hold and what always holds is left out.
//!
//! An atom never holds, sometimes holds or always holds in the states that can be reached. Rules that need what
//! never holds, or exclude what always holds, cannot fire; the other way round, such conditions can be dropped.

use crate::closure::{Closed, Need, close};
use crate::compact::compact;
use crate::program::{AtomId, GroundProgram, Kind, Lit};

/// How often the two fixpoints are computed in turn. Stopping early is sound, only less is found.
const ROUNDS: usize = 4;

/// What is known of each atom.
pub(crate) struct Status {
    /// False: it never holds.
    pub(crate) is_possible: Vec<bool>,
    /// It holds in every state that can be reached.
    pub(crate) is_always: Vec<bool>,
}

impl Status {
    /// Whether a literal holds in every state.
    fn is_given(&self, lit: Lit) -> bool {
        match lit.is_negative() {
            true => !self.is_possible[lit.atom().index()],
            false => self.is_always[lit.atom().index()],
        }
    }
}

/// The same game without rules that cannot fire. `is_excluded` says of which bodies it is known otherwise that
/// they never hold.
pub(crate) fn simplify(mut program: GroundProgram, is_excluded: impl Fn(&[Lit]) -> bool) -> GroundProgram {
    let n_atoms = program.n_atoms();
    let n_rules = program.n_rules();
    let mut is_alive: Vec<bool> = (0..n_rules).map(|rule| !is_excluded(program.body(rule))).collect();
    let mut status = Status { is_possible: vec![true; n_atoms], is_always: vec![false; n_atoms] };
    program.facts.iter().for_each(|fact| status.is_always[fact.index()] = true);
    for _ in 0..ROUNDS {
        let possible = possible(&program, &is_alive, &status.is_always);
        (status.is_possible, is_alive) = (possible.holds, possible.has_fired);
        let is_always = always(&program, &is_alive, &status.is_possible);
        let has_grown = is_always != status.is_always;
        status.is_always = is_always;
        if !has_grown {
            break;
        }
    }
    let has_given = status.is_always.contains(&true) || status.is_possible.contains(&false);
    let is_kept = |rule: usize| is_alive[rule] && !status.is_always[program.rules.heads[rule] as usize];
    let mut has_changed = false;
    let mut is_shortened = vec![false; n_atoms];
    for rule in 0..n_rules {
        if !is_kept(rule) {
            has_changed = true;
        } else if has_given && program.body(rule).iter().any(|&lit| status.is_given(lit)) {
            has_changed = true;
            is_shortened[program.rules.heads[rule] as usize] = true;
        }
    }
    if has_changed {
        rewrite(&mut program, &status, &is_alive);
    }
    compact(program, &status, has_changed, &is_shortened)
}

/// The atoms that may hold: the least set that contains the initial state and is closed under the rules.
fn possible(program: &GroundProgram, is_alive: &[bool], is_always: &[bool]) -> Closed {
    let [fluents, nexts, moves, legals] =
        [Kind::True, Kind::Next, Kind::Does, Kind::Legal].map(|kind| program.atoms_of(kind));
    close(
        &program.rules,
        program.n_atoms(),
        program.facts.iter().chain(&program.init).map(|atom| atom.index()),
        |rule| is_alive[rule],
        |lit| match lit.is_negative() {
            false => Need::Atom(lit.atom().index()),
            true if is_always[lit.atom().index()] => Need::Never,
            true => Need::Nothing,
        },
        |atom| match atom {
            _ if nexts.contains(&atom) => Some(atom - nexts.start + fluents.start),
            _ if legals.contains(&atom) => Some(atom - legals.start + moves.start),
            _ => None,
        },
    )
}

/// The atoms that hold in every state: by induction, fluents of the initial state that follow again in every
/// next state from what always holds.
fn always(program: &GroundProgram, is_alive: &[bool], is_possible: &[bool]) -> Vec<bool> {
    let [fluents, nexts, moves] = [Kind::True, Kind::Next, Kind::Does].map(|kind| program.atoms_of(kind));
    // Of a role that never has a choice it is known what it does.
    let mut only_moves: Vec<usize> = Vec::new();
    for &role in &program.roles {
        let is_own = |&at: &usize| is_possible[at] && program.args(AtomId::new(at)).next() == Some(role);
        let mut own = moves.clone().filter(is_own);
        if let (Some(only), None) = (own.next(), own.next()) {
            only_moves.push(only);
        }
    }
    // Worth a try: fluents that some rule gives again without a choice of moves.
    let is_given = |lit: &Lit| match lit.is_negative() {
        true => !is_possible[lit.atom().index()],
        false => !moves.contains(&lit.atom().index()) || only_moves.contains(&lit.atom().index()),
    };
    let mut is_worth = vec![false; fluents.len()];
    for (rule, &head) in program.rules.heads.iter().enumerate() {
        if nexts.contains(&(head as usize)) && is_alive[rule] && program.body(rule).iter().all(is_given) {
            is_worth[head as usize - nexts.start] = true;
        }
    }
    program.facts.iter().filter(|it| nexts.contains(&it.index())).for_each(|fact| {
        is_worth[fact.index() - nexts.start] = true;
    });
    let init = program.init.iter().map(|atom| atom.index());
    let mut assumed: Vec<usize> = init.filter(|fluent| is_worth[fluent - fluents.start]).collect();
    for round in 0.. {
        if round == ROUNDS {
            assumed.clear();
        }
        let facts = program.facts.iter().map(|atom| atom.index());
        let Closed { holds: is_always, .. } = close(
            &program.rules,
            program.n_atoms(),
            facts.chain(assumed.iter().copied()).chain(only_moves.iter().copied()),
            |rule| is_alive[rule],
            |lit| match lit.is_negative() {
                false => Need::Atom(lit.atom().index()),
                true if is_possible[lit.atom().index()] => Need::Never,
                true => Need::Nothing,
            },
            |_| None,
        );
        let before = assumed.len();
        assumed.retain(|&fluent| is_always[fluent - fluents.start + nexts.start]);
        if assumed.len() == before {
            return is_always;
        }
    }
    unreachable!("without assumptions nothing can fail")
}

/// Drops rules and conditions in place.
fn rewrite(program: &mut GroundProgram, status: &Status, is_alive: &[bool]) {
    let inputs = [Kind::True, Kind::Does].map(|kind| program.atoms_of(kind));
    program.facts = (0..program.n_atoms())
        .filter(|at| status.is_always[*at] && !inputs.iter().any(|range| range.contains(at)))
        .map(AtomId::new)
        .collect();
    program.rules.rewrite(
        |rule, head| (is_alive[rule] && !status.is_always[head as usize]).then_some(head),
        |lit| (!status.is_given(lit)).then_some(lit),
    );
}
