//! Random playouts in place: positions are not copied.

use crate::machine::{Halt, Machine};
use crate::program::Program;
use crate::view::facts;
use senet_game::{MoveGenerator, PlayedOut, PlayoutOptions, PlayoutStatistics};
use senet_rules::shapes::MoveShape;
use std::cmp::Ordering;

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
) -> Result<PlayoutStatistics, GivenUp> {
    let mut statistics = PlayoutStatistics::new(program.roles.len());
    let mut generator = MoveGenerator::new(options.seed);
    let (mut rows, mut goals) = (Vec::new(), Vec::new());
    for _ in 0..options.count {
        machine.enter(&program.stages, program.initial.iter().copied());
        let may_go_on = &mut |length| length < options.max_length;
        let played = walk(program, machine, &mut generator, may_go_on, &mut rows)?;
        if !played.is_over {
            statistics.add_cut(played.length);
            continue;
        }
        statistics.add_finished(played.length);
        read_goals(program, machine, &mut goals)?;
        for (role, goal) in goals.iter().enumerate() {
            if let Some(goal) = *goal {
                statistics.add_goal(role, goal);
            }
        }
    }
    Ok(statistics)
}

/// Plays one random match from the position of the machine: the same as [`senet_game::playout`] with the same generator.
pub(crate) fn playout(
    program: &Program,
    machine: &mut Machine,
    generator: &mut MoveGenerator,
    may_go_on: &mut dyn FnMut(u64) -> bool,
    rows: &mut Vec<u32>,
    goals: &mut Vec<Option<u8>>,
) -> Result<PlayedOut, GivenUp> {
    let played = walk(program, machine, generator, may_go_on, rows)?;
    read_goals(program, machine, goals)?;
    Ok(played)
}

fn walk(
    program: &Program,
    machine: &mut Machine,
    generator: &mut MoveGenerator,
    may_go_on: &mut dyn FnMut(u64) -> bool,
    rows: &mut Vec<u32>,
) -> Result<PlayedOut, GivenUp> {
    let mut length = 0;
    loop {
        machine.derive(&program.stages, &program.for_terminal)?;
        let is_over = machine.views[facts(program.rule_set.keywords.terminal)].len() > 0;
        if is_over || !may_go_on(length) {
            return Ok(PlayedOut { length, is_over });
        }
        step(program, machine, generator, rows)?;
        length += 1;
    }
}

/// What the position is worth to each role.
fn read_goals(program: &Program, machine: &mut Machine, goals: &mut Vec<Option<u8>>) -> Result<(), GivenUp> {
    machine.derive(&program.stages, &program.for_goal)?;
    goals.clear();
    goals.extend(program.roles.iter().map(|&role| program.goal(machine, role)));
    Ok(())
}

/// One random move of each role.
fn step(
    program: &Program,
    machine: &mut Machine,
    generator: &mut MoveGenerator,
    rows: &mut Vec<u32>,
) -> Result<(), GivenUp> {
    machine.derive(&program.stages, &program.for_legal)?;
    for (role, &term) in program.roles.iter().enumerate() {
        let n_moves = program.shapes.moves.iter().map(|shape| count(machine, shape, term)).sum();
        if n_moves == 0 {
            return Err(GivenUp::NoMove { role });
        }
        let mut nth = generator.below(n_moves);
        for shape in &program.shapes.moves {
            let n_here = count(machine, shape, term);
            if nth < n_here {
                let row = nth_move(machine, shape, term, nth, rows);
                machine.views.copy(shape.does, shape.legal, row);
                break;
            }
            nth -= n_here;
        }
    }
    machine.derive(&program.stages, &program.for_next)?;
    machine.advance(&program.stages);
    Ok(())
}

/// How many moves of a shape a role has.
fn count(machine: &Machine, shape: &MoveShape, role: u32) -> usize {
    let legal = &machine.views[facts(shape.legal)];
    (0..legal.len()).filter(|&row| legal.row(row)[0] == role).count()
}

/// The row of the nth move of a shape that a role has, in source order.
fn nth_move(machine: &Machine, shape: &MoveShape, role: u32, nth: usize, rows: &mut Vec<u32>) -> u32 {
    let legal = &machine.views[facts(shape.legal)];
    rows.clear();
    rows.extend((0..legal.len()).filter(|&row| legal.row(row)[0] == role));
    if rows.len() > 1 {
        let order = |&left: &u32, &right: &u32| {
            let columns = legal.row(left).iter().zip(legal.row(right));
            let mut orders = columns.map(|(&left, &right)| machine.terms.source_order(left, right));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        rows.select_nth_unstable_by(nth, order);
    }
    rows[nth]
}
