//! What can never hold and what always holds is left out.
//!
//! An atom never holds, sometimes holds or always holds in the states that can be reached. Rules that need what
//! never holds, or exclude what always holds, cannot fire; the other way round, such conditions can be dropped.

use crate::compact::compact;
use crate::program::{AtomId, GroundProgram, Kind, Lit};
use crate::rule_store::RuleStore;

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
    let users = Users::new(&program.rules, n_atoms);
    let mut status = Status { is_possible: vec![true; n_atoms], is_always: vec![false; n_atoms] };
    program.facts.iter().for_each(|fact| status.is_always[fact.index()] = true);
    for _ in 0..ROUNDS {
        status.is_possible = possible(&program, &users, &mut is_alive, &status.is_always);
        let is_always = always(&program, &users, &is_alive, &status.is_possible);
        let has_grown = is_always.iter().zip(&status.is_always).any(|(now, before)| now != before);
        status.is_always = is_always;
        if !has_grown {
            break;
        }
    }
    let is_kept = |rule: usize| is_alive[rule] && !status.is_always[program.rules.heads[rule] as usize];
    let mut has_changed = false;
    let mut is_shortened = vec![false; n_atoms];
    for rule in 0..n_rules {
        if !is_kept(rule) {
            has_changed = true;
        } else if program.body(rule).iter().any(|&lit| status.is_given(lit)) {
            has_changed = true;
            is_shortened[program.rules.heads[rule] as usize] = true;
        }
    }
    if has_changed {
        rewrite(&mut program, &status, &is_alive);
    }
    compact(program, &status, has_changed, &is_shortened)
}

/// The rules that use each atom.
struct Users {
    first: Vec<u32>,
    rules: Vec<u32>,
}

impl Users {
    fn new(rules: &RuleStore, n_atoms: usize) -> Users {
        let mut first = vec![0u32; n_atoms + 1];
        for lit in &rules.literals {
            first[lit.atom().index() + 1] += 1;
        }
        for at in 0..n_atoms {
            first[at + 1] += first[at];
        }
        let mut place = first.clone();
        let mut users = vec![0u32; rules.literals.len()];
        for rule in 0..rules.heads.len() {
            let body = rules.first_literal[rule] as usize..rules.first_literal[rule + 1] as usize;
            for lit in &rules.literals[body] {
                let place = &mut place[lit.atom().index()];
                users[*place as usize] = (rule as u32) << 1 | u32::from(lit.is_negative());
                *place += 1;
            }
        }
        Users { first, rules: users }
    }

    /// The rules that have the atom in the body, and whether negated.
    fn of(&self, atom: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        let users = &self.rules[self.first[atom] as usize..self.first[atom + 1] as usize];
        users.iter().map(|&user| ((user >> 1) as usize, user & 1 == 1))
    }
}

/// The atoms that may hold: the least set that contains the initial state and is closed under the rules.
fn possible(program: &GroundProgram, users: &Users, is_alive: &mut [bool], is_always: &[bool]) -> Vec<bool> {
    let n_atoms = program.n_atoms();
    let mut is_possible = vec![false; n_atoms];
    let mut queue: Vec<u32> = Vec::new();
    let reach = |is_possible: &mut Vec<bool>, queue: &mut Vec<u32>, atom: usize| {
        if !std::mem::replace(&mut is_possible[atom], true) {
            queue.push(atom as u32);
        }
    };
    let mut missing: Vec<u32> = vec![0; program.n_rules()];
    for (rule, missing) in missing.iter_mut().enumerate() {
        for lit in program.body(rule) {
            if !lit.is_negative() {
                *missing += 1;
            } else if is_always[lit.atom().index()] {
                is_alive[rule] = false;
            }
        }
        if *missing == 0 && is_alive[rule] {
            reach(&mut is_possible, &mut queue, program.rules.heads[rule] as usize);
        }
    }
    for atom in program.facts.iter().chain(&program.init) {
        reach(&mut is_possible, &mut queue, atom.index());
    }
    let [fluents, nexts, moves, legals] =
        [Kind::True, Kind::Next, Kind::Does, Kind::Legal].map(|kind| program.atoms_of(kind));
    while let Some(atom) = queue.pop() {
        let atom = atom as usize;
        if nexts.contains(&atom) {
            reach(&mut is_possible, &mut queue, atom - nexts.start + fluents.start);
        } else if legals.contains(&atom) {
            reach(&mut is_possible, &mut queue, atom - legals.start + moves.start);
        }
        for (rule, is_negated) in users.of(atom) {
            if !is_negated {
                missing[rule] -= 1;
                if missing[rule] == 0 && is_alive[rule] {
                    reach(&mut is_possible, &mut queue, program.rules.heads[rule] as usize);
                }
            }
        }
    }
    for (rule, is_alive) in is_alive.iter_mut().enumerate() {
        *is_alive &= missing[rule] == 0;
    }
    is_possible
}

/// The atoms that hold in every state: by induction, fluents of the initial state that follow again in every
/// next state from what always holds.
fn always(program: &GroundProgram, users: &Users, is_alive: &[bool], is_possible: &[bool]) -> Vec<bool> {
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
    // A negated atom counts as long as it may hold.
    let counts = |lit: &&Lit| !lit.is_negative() || is_possible[lit.atom().index()];
    let count = |rule: usize| program.body(rule).iter().filter(counts).count() as u32;
    let counted: Vec<u32> = (0..program.n_rules()).map(count).collect();
    if program.facts.is_empty() && only_moves.is_empty() && assumed.is_empty() && !counted.contains(&0) {
        return vec![false; program.n_atoms()];
    }
    for round in 0.. {
        if round == ROUNDS {
            assumed.clear();
        }
        let mut is_always = vec![false; program.n_atoms()];
        let mut queue: Vec<u32> = Vec::new();
        let mut missing = counted.clone();
        let reach = |is_always: &mut Vec<bool>, queue: &mut Vec<u32>, atom: usize| {
            if !std::mem::replace(&mut is_always[atom], true) {
                queue.push(atom as u32);
            }
        };
        for rule in (0..program.n_rules()).filter(|&rule| counted[rule] == 0 && is_alive[rule]) {
            reach(&mut is_always, &mut queue, program.rules.heads[rule] as usize);
        }
        let facts = program.facts.iter().map(|atom| atom.index());
        for atom in facts.chain(assumed.iter().copied()).chain(only_moves.iter().copied()) {
            reach(&mut is_always, &mut queue, atom);
        }
        while let Some(atom) = queue.pop() {
            for (rule, is_negated) in users.of(atom as usize) {
                if !is_negated {
                    missing[rule] -= 1;
                    if missing[rule] == 0 && is_alive[rule] {
                        reach(&mut is_always, &mut queue, program.rules.heads[rule] as usize);
                    }
                }
            }
        }
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
