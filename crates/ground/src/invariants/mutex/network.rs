//! What of a ground program matters for the step from state to state, by literal, head and fluent.

use crate::lists::Lists;
use crate::program::{GroundProgram, Kind, Lit, MutexGroup, RuleStore};
use std::ops::Range;

/// The rules and the groups, ready for propagation. The moves of each role are groups as well, after those of
/// fluents.
pub(super) struct Network<'p> {
    pub(super) program: &'p GroundProgram,
    /// By the code of a literal: the rules of the state that have it in the body.
    pub(super) users: Lists,
    /// By head.
    pub(super) rules: Lists,
    /// By atom: whether what is legal, or the end, depends on it. Not so of goals.
    pub(super) is_of_state: Vec<bool>,
    /// The atoms of each group.
    pub(super) members: Lists,
    /// By atom: its groups.
    pub(super) groups: Lists,
    pub(super) n_groups: usize,
    pub(super) moves: Range<usize>,
    pub(super) legals: Range<usize>,
    goals: Range<usize>,
    fluents: Range<usize>,
    first_next: usize,
}

impl<'p> Network<'p> {
    /// `None` if the rules do not say what a state is followed by: some conclude fluents or moves, or negate
    /// what they, or later ones, conclude.
    pub(super) fn new(program: &'p GroundProgram, groups: &[MutexGroup]) -> Option<Network<'p>> {
        let [fluents, nexts, moves, legals, goals] =
            [Kind::True, Kind::Next, Kind::Does, Kind::Legal, Kind::Goal].map(|kind| program.atoms_of(kind));
        if fluents.len() != nexts.len() || moves.len() != legals.len() {
            return None;
        }
        let heads = &program.rules.heads;
        let is_input = |atom: usize| fluents.contains(&atom) || moves.contains(&atom);
        if heads.iter().any(|&head| is_input(head as usize)) || !negates_only_earlier(program) {
            return None;
        }
        let n_atoms = program.n_atoms();
        // Goals say nothing about the next state. Where rules ask for them anyway, they may be anything.
        let is_heard = |rule: usize| !goals.contains(&(heads[rule] as usize));
        let rules = Lists::new(n_atoms, || {
            let heard = (0..heads.len()).filter(|&rule| is_heard(rule));
            heard.map(|rule| (heads[rule] as usize, rule as u32))
        });
        let mut is_of_state =
            used_by(program, &rules, is_heard, legals.clone().chain(program.atoms_of(Kind::Terminal)));
        is_of_state[goals.clone()].fill(false);
        let users = Lists::new(2 * n_atoms, || {
            let of_state = (0..heads.len()).filter(|&rule| is_of_state[heads[rule] as usize]);
            of_state
                .flat_map(|rule| program.body(rule).iter().map(move |lit| (lit.code() as usize, rule as u32)))
        });
        let n_fluent_groups = groups.len();
        let n_groups = n_fluent_groups + program.roles().len();
        let members = Lists::new(n_groups, || {
            let fluents = groups
                .iter()
                .enumerate()
                .flat_map(|(at, group)| group.fluents.iter().map(move |fluent| (at, fluent.index() as u32)));
            let moves = program.input().zip(program.roles_of_moves());
            fluents.chain(
                moves
                    .filter_map(move |(r#move, role)| Some((n_fluent_groups + role?, r#move.index() as u32))),
            )
        });
        let groups = Lists::new(n_atoms, || {
            let all =
                (0..n_groups).flat_map(|group| members.of(group).iter().map(move |&atom| (group, atom)));
            all.map(|(group, atom)| (atom as usize, group as u32))
        });
        Some(Network {
            program,
            users,
            rules,
            is_of_state,
            members,
            groups,
            n_groups,
            moves,
            legals,
            goals,
            fluents,
            first_next: nexts.start,
        })
    }

    /// The atoms of which the rules do not say when they hold.
    pub(super) fn free(&self) -> [Range<usize>; 3] {
        [self.fluents.clone(), self.moves.clone(), self.goals.clone()]
    }

    #[inline]
    pub(super) fn body(&self, rule: u32) -> &'p [Lit] {
        self.program.body(rule as usize)
    }

    /// How many rules can conclude a member in the next state.
    pub(super) fn n_next_rules(&self, group: usize) -> usize {
        let nexts = self.members.of(group).iter().map(|&fluent| self.next_of(fluent));
        nexts.map(|next| self.rules.of(next).len()).sum()
    }

    pub(super) fn next_of(&self, fluent: u32) -> usize {
        fluent as usize - self.fluents.start + self.first_next
    }
}

/// The atoms that some depend on, with these.
fn used_by(
    program: &GroundProgram,
    rules: &Lists,
    is_heard: impl Fn(usize) -> bool,
    users: impl Iterator<Item = usize>,
) -> Vec<bool> {
    /// Passes over the rules, in the order of memory. What is used comes before its users but for recursion.
    const PASSES: usize = 3;
    let mut is_used = vec![false; program.n_atoms()];
    users.for_each(|atom| is_used[atom] = true);
    let heads = &program.rules.heads;
    for _ in 0..PASSES {
        let mut has_grown = false;
        for rule in (0..heads.len()).rev() {
            if is_used[heads[rule] as usize] && is_heard(rule) {
                for lit in program.body(rule) {
                    has_grown |= !std::mem::replace(&mut is_used[lit.atom().index()], true);
                }
            }
        }
        if !has_grown {
            return is_used;
        }
    }
    let mut stack: Vec<usize> = (0..is_used.len()).filter(|&atom| is_used[atom]).collect();
    while let Some(atom) = stack.pop() {
        for lit in rules.of(atom).iter().flat_map(|&rule| program.body(rule as usize)) {
            let used = lit.atom().index();
            if !std::mem::replace(&mut is_used[used], true) {
                stack.push(used);
            }
        }
    }
    is_used
}

/// Only then each atom holds exactly if the body of one of its rules does, in the one way there is.
fn negates_only_earlier(program: &GroundProgram) -> bool {
    let strata = program.strata();
    let mut concluded_in = vec![0u32; program.n_atoms()];
    for (stratum, rules) in (1..).zip(&strata) {
        rules.clone().for_each(|rule| concluded_in[program.rules.heads[rule] as usize] = stratum);
    }
    let RuleStore { first_literal, literals, .. } = &program.rules;
    (1..).zip(&strata).all(|(stratum, rules)| {
        let bodies = &literals[first_literal[rules.start] as usize..first_literal[rules.end] as usize];
        bodies.iter().all(|lit| !lit.is_negative() || concluded_in[lit.atom().index()] < stratum)
    })
}
