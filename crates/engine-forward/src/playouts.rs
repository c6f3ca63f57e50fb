//! Random playouts in place: positions are not copied.

use crate::machine::{Halt, Machine};
use crate::program::Program;
use crate::terms::source_order;
use crate::view::facts;
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
    goal: impl Fn(&Machine, u32) -> Option<u8>,
) -> Result<PlayoutStatistics, GivenUp> {
    let mut statistics = PlayoutStatistics::new(program.roles.len());
    let mut generator = MoveGenerator::new(options.seed);
    let mut moves = Vec::new();
    for _ in 0..options.count {
        machine.enter(&program.stages, program.initial.iter().copied());
        let mut length = 0;
        loop {
            machine.derive(&program.stages, &program.for_terminal)?;
            let is_over = machine.views[facts(program.mini.keywords.terminal)].len() > 0;
            if is_over {
                statistics.add_finished(length);
                machine.derive(&program.stages, &program.for_goal)?;
                for (role, &term) in program.roles.iter().enumerate() {
                    if let Some(goal) = goal(machine, term) {
                        statistics.add_goal(role, goal);
                    }
                }
                break;
            }
            if length == options.max_length {
                statistics.add_cut(length);
                break;
            }
            step(program, machine, &mut generator, &mut moves)?;
            length += 1;
        }
    }
    Ok(statistics)
}

/// One random move of each role.
fn step(
    program: &Program,
    machine: &mut Machine,
    generator: &mut MoveGenerator,
    moves: &mut Vec<u32>,
) -> Result<(), GivenUp> {
    machine.derive(&program.stages, &program.for_legal)?;
    for (role, &term) in program.roles.iter().enumerate() {
        let legal = &machine.views[facts(program.mini.keywords.legal)];
        moves.clear();
        moves.extend(
            (0..legal.len()).map(|row| legal.row(row)).filter(|row| row[0] == term).map(|row| row[1]),
        );
        if moves.is_empty() {
            return Err(GivenUp::NoMove { role });
        }
        let nth = generator.below(moves.len());
        if moves.len() > 1 {
            moves.select_nth_unstable_by(nth, |&left, &right| source_order(&machine.terms, left, right));
        }
        machine.play(term, moves[nth]);
    }
    machine.derive(&program.stages, &program.for_next)?;
    machine.advance(&program.stages);
    Ok(())
}
