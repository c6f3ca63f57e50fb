//! Random playouts in place: positions are not copied.

use crate::machine::Machine;
use crate::program::Program;
use crate::saturate::Halt;
use senet_game::{MoveGenerator, PlayoutOptions, PlayoutStatistics};

/// Why a playout was given up; the machine is in the position where that is so.
pub(crate) enum GivenUp {
    NoMove { role: usize },
    Halt(Halt),
}

impl From<Halt> for GivenUp {
    fn from(halt: Halt) -> Self {
        GivenUp::Halt(halt)
    }
}

/// Plays random matches: the same as [`senet_game::playouts`] for the same seed.
pub(crate) fn playouts(
    program: &Program,
    machine: &mut Machine,
    options: PlayoutOptions,
    goal: impl Fn(&mut Machine, usize) -> Option<u8>,
) -> Result<PlayoutStatistics, GivenUp> {
    let mut statistics = PlayoutStatistics::new(program.roles.len());
    let mut generator = MoveGenerator::new(options.seed);
    let mut moves = Vec::new();
    for _ in 0..options.count {
        machine.enter(program, &program.initial);
        let mut length = 0;
        loop {
            machine.derive(program, &program.for_terminal)?;
            if is_terminal(program, machine) {
                statistics.add_finished(length);
                machine.derive(program, &program.for_goal)?;
                for role in 0..program.roles.len() {
                    if let Some(goal) = goal(machine, role) {
                        statistics.add_goal(role, goal);
                    }
                }
                break;
            }
            if length == options.max_length {
                statistics.add_cut(length);
                break;
            }
            machine.derive(program, &program.for_legal)?;
            for role in 0..program.roles.len() {
                let choice = draw(program, machine, role, &mut moves, &mut generator);
                let choice = choice.ok_or(GivenUp::NoMove { role })?;
                machine.base.write(&program.layout, program.played(choice));
            }
            machine.derive(program, &program.for_next)?;
            machine.advance(program);
            length += 1;
        }
    }
    Ok(statistics)
}

/// Whether the derived position is terminal.
pub(crate) fn is_terminal(program: &Program, machine: &Machine) -> bool {
    program.lists_of(program.rule_set.keywords.terminal).any(|list| machine.base.len(list) > 0)
}

/// The place of a legal move, each as likely.
#[inline(always)]
fn draw(
    program: &Program,
    machine: &mut Machine,
    role: usize,
    moves: &mut Vec<u32>,
    generator: &mut MoveGenerator,
) -> Option<u32> {
    if let Some(first) = program.legal_from[role] {
        let n_moves: u32 = program.legal_lists[role].iter().map(|&list| machine.base.len(list)).sum();
        return (n_moves > 0).then(|| machine.base.nth(first, generator.below(n_moves as usize)));
    }
    legal(program, machine, role, moves);
    if moves.is_empty() {
        return None;
    }
    let nth = generator.below(moves.len());
    select(program, machine, moves, nth);
    Some(moves[nth])
}

/// The places of the legal moves of a role.
pub(crate) fn legal(program: &Program, machine: &mut Machine, role: usize, moves: &mut Vec<u32>) {
    moves.clear();
    for &list in &program.legal_lists[role] {
        moves.extend_from_slice(machine.base.items(list));
    }
    if !program.is_in_order {
        // The moves of all roles stand in one list.
        let mut args = Vec::new();
        moves.retain(|&place| {
            args.clear();
            program.instance(&mut machine.scratch.terms, program.rule_set.keywords.legal, place, &mut args);
            args[0] == program.roles[role]
        });
    }
}

/// Brings the n-th move in source order to its place.
fn select(program: &Program, machine: &mut Machine, moves: &mut [u32], nth: usize) {
    if moves.len() == 1 {
        return;
    }
    if program.is_in_order {
        moves.select_nth_unstable(nth);
    } else {
        sort(program, machine, moves);
    }
}

/// Sorts legal moves of one role in source order.
pub(crate) fn sort(program: &Program, machine: &mut Machine, moves: &mut [u32]) {
    if program.is_in_order {
        moves.sort_unstable();
        return;
    }
    let terms = &mut machine.scratch.terms;
    let mut args = Vec::new();
    let mut keyed: Vec<(u32, u32)> = Vec::with_capacity(moves.len());
    for &place in &*moves {
        args.clear();
        program.instance(terms, program.rule_set.keywords.legal, place, &mut args);
        keyed.push((args[1], place));
    }
    keyed.sort_unstable_by(|left, right| terms.source_order(left.0, right.0));
    moves.iter_mut().zip(keyed).for_each(|(place, (_, own))| *place = own);
}
