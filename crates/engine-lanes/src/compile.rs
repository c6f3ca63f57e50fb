//! From circuits to programs.

use crate::arrange::arrange;
use crate::cover::Cover;
use crate::flow::distribute;
use crate::kernel::{Level, MOST_RANK_BITS};
use crate::network::Network;
use crate::playouts::{Order, play_unit, units};
use crate::program::Program;
use senet_circuit::{Circuit, States, choices};
use senet_game::GameError;

/// A program of random play.
pub(crate) struct RandomPlay {
    pub(crate) program: Program,
    /// How many steps pass until lanes whose match is over are looked at.
    pub(crate) patience: u64,
}

/// Goals that take a smaller part of a step are computed in every step.
const SMALL_GOALS: f64 = 0.1;
/// Lanes wait no longer than so many steps for their goals.
const MOST_PATIENCE: f64 = 32.0;

/// Play with moves that are drawn.
pub(crate) fn compile_random_play(circuit: &Circuit) -> Result<RandomPlay, GameError> {
    let mut circuit = circuit.clone();
    let choices = choices(&mut circuit);
    if choices.groups.iter().any(|leaves| leaves.len() > 1 << MOST_RANK_BITS) {
        let what = format!("a role has more than {} moves to draw from", 1 << MOST_RANK_BITS);
        return Err(GameError::Unbounded { relation: "legal".to_owned(), what });
    }
    let mut network = Network::of_random_play(&circuit, &choices);
    let program = compile(&network);
    let patience = best_patience(&circuit, &program);
    if patience == 1 {
        return Ok(RandomPlay { program, patience });
    }
    network.freeze_terminal();
    Ok(RandomPlay { program: compile(&network), patience })
}

/// Play with moves from outside.
pub(crate) fn compile_given_moves(circuit: &Circuit) -> Program {
    compile(&Network::of_given_moves(circuit))
}

fn compile(network: &Network) -> Program {
    let cover = Cover::new(&network.logic, &network.outputs());
    arrange(&distribute(network, &cover))
}

/// How long lanes should wait for their goals, so that waiting costs as much as computing goals does: with playouts of
/// length L, goals of G operations and steps of C, waiting k steps costs k C / 2 a playout, goals G / k a step.
fn best_patience(circuit: &Circuit, program: &Program) -> u64 {
    let ratio = program.goal_phase.len() as f64 / program.n_operations().max(1) as f64;
    if ratio < SMALL_GOALS {
        return 1;
    }
    // A small sample: the same on every machine.
    const SAMPLE: u64 = 256;
    let states = States::new(circuit);
    let order = Order {
        program,
        start: states.initial(),
        patience: 1,
        seed: 0,
        max_length: 10_000,
        level: Level::best(),
    };
    let outcome = play_unit(&order, 4, &units(SAMPLE)[0]);
    let mean_length = outcome.states as f64 / outcome.playouts.max(1) as f64;
    (2.0 * mean_length * ratio).sqrt().clamp(1.0, MOST_PATIENCE).round() as u64
}
