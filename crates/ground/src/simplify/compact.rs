//! Atoms that nothing needs are dropped, the others numbered without gaps; rules that became equal are stored
//! once.

use super::Status;
use crate::instances::RepeatedRules;
use crate::lists::Lists;
use crate::program::{AtomId, GroundProgram, Kind, Lit};

const GONE: u32 = u32::MAX;

/// Drops what does not matter for `next`, `legal`, `goal` and `terminal`.
/// `has_changed`: some rules were changed or dropped. `is_shortened`: the heads of which some rules lost conditions,
/// so that they may be the same now; empty if there are none.
pub(crate) fn compact(
    mut program: GroundProgram,
    status: &Status,
    has_changed: bool,
    is_shortened: &[bool],
) -> GroundProgram {
    let is_needed = needed(&program);
    let is_idle = |atom: usize| !is_needed[atom] || !status.is_possible(atom);
    if !has_changed && !(0..program.n_atoms()).any(is_idle) {
        return program;
    }
    let new = renumber(&mut program, status, &is_needed);
    program.init.iter_mut().for_each(|atom| *atom = AtomId::new(new[atom.index()] as usize));
    program.facts.retain(|fact| new[fact.index()] != GONE);
    program.facts.iter_mut().for_each(|atom| *atom = AtomId::new(new[atom.index()] as usize));
    for group in &mut program.mutex_groups {
        group.fluents.retain(|atom| new[atom.index()] != GONE);
        group.fluents.iter_mut().for_each(|atom| *atom = AtomId::new(new[atom.index()] as usize));
    }
    let rules = &mut program.rules;
    if !is_shortened.is_empty() {
        let is_shortened = |rule: &usize| is_shortened[rules.heads[*rule] as usize];
        let may_repeat = (0..rules.heads.len()).filter(is_shortened);
        let mut keys = RepeatedRules::default();
        may_repeat.for_each(|rule| keys.add_stored(rules, rule));
        keys.drop_repetitions(rules);
    }
    rules.heads.iter_mut().for_each(|head| *head = new[*head as usize]);
    let renumbered = |lit: Lit| lit.with_atom(AtomId::new(new[lit.atom().index()] as usize));
    if rules.heads.contains(&GONE) {
        rules.rewrite(|_, head| (head != GONE).then_some(head), |lit| Some(renumbered(lit)));
    } else {
        rules.literals.iter_mut().for_each(|lit| *lit = renumbered(*lit));
        rules.drop_empty_runs();
    }
    program.rules.shrink();
    program
}

/// The atoms that have a say: those that states, moves and results consist of, and those that occur in rules for such
/// atoms. Atoms that only speak of each other stay.
fn needed(program: &GroundProgram) -> Vec<bool> {
    /// Atoms that only idle atoms need, round by round. Stopping early leaves some of them, and nothing else.
    const MOST_ROUNDS: usize = 16;
    let rules = &program.rules;
    let mut n_uses = vec![0u32; program.n_atoms()];
    let roots = [Kind::True, Kind::Does, Kind::Next, Kind::Legal, Kind::Goal, Kind::Terminal]
        .map(|kind| program.atoms_of(kind));
    roots.iter().for_each(|atoms| n_uses[atoms.clone()].fill(1));
    rules.literals.iter().for_each(|lit| n_uses[lit.atom().index()] += 1);
    if rules.heads.iter().any(|&head| n_uses[head as usize] == 0) {
        let is_root = |head: usize| roots.iter().any(|atoms| atoms.contains(&head));
        let rules_of = Lists::new(program.n_atoms(), || {
            let by_head = rules.heads.iter().map(|&head| head as usize).zip(0..);
            by_head.filter(|&(head, _)| !is_root(head))
        });
        let mut idle: Vec<usize> = (0..n_uses.len()).filter(|&atom| n_uses[atom] == 0).collect();
        for _ in 1..MOST_ROUNDS {
            let mut idle_next = Vec::new();
            let idle_rules = idle.iter().flat_map(|&atom| rules_of.of(atom));
            for lit in idle_rules.flat_map(|&rule| rules.body(rule as usize)) {
                let used = lit.atom().index();
                n_uses[used] -= 1;
                if n_uses[used] == 0 {
                    idle_next.push(used);
                }
            }
            idle = idle_next;
        }
    }
    n_uses.into_iter().map(|n_uses| n_uses > 0).collect()
}

/// The new number of each atom; the rows of the blocks are moved.
fn renumber(program: &mut GroundProgram, status: &Status, is_needed: &[bool]) -> Vec<u32> {
    let ranges = [Kind::True, Kind::Next, Kind::Does, Kind::Legal].map(|kind| program.atoms_of(kind));
    let [fluents, nexts, moves, legals] = ranges;
    let may_hold = |atom: usize| status.is_possible(atom);
    let mut new = vec![GONE; program.n_atoms()];
    let mut next_number = 0;
    for block in &mut program.blocks {
        let (first, arity) = (block.first as usize, block.arity);
        let (mut len, mut to) = (0, 0);
        for at in 0..block.len as usize {
            let atom = first + at;
            let is_kept = match block.kind {
                Kind::True => may_hold(atom) || may_hold(at + nexts.start),
                Kind::Next => may_hold(atom) || may_hold(at + fluents.start),
                Kind::Does => may_hold(atom) || may_hold(at + legals.start),
                Kind::Legal => may_hold(atom) || may_hold(at + moves.start),
                _ => may_hold(atom) && is_needed[atom],
            };
            if !is_kept {
                continue;
            }
            new[atom] = next_number + len;
            len += 1;
            if !block.rows.is_empty() {
                block.rows.copy_within(at * arity..(at + 1) * arity, to);
                to += arity;
            }
        }
        block.rows.truncate(to);
        block.rows.shrink_to_fit();
        block.first = next_number;
        block.len = len;
        block.n_possible = len;
        next_number += len;
    }
    program.blocks.retain(|block| block.len > 0 || is_state(block.kind));
    new
}

fn is_state(kind: Kind) -> bool {
    matches!(kind, Kind::True | Kind::Does | Kind::Next | Kind::Legal)
}
