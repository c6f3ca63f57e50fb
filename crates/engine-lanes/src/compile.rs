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

/// Lanes wait no longer than so many steps for their goals.
const MOST_PATIENCE: u64 = 32;

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

/// How many steps lanes should wait for their goals. With playouts of length L, goals of G operations, steps of C and
/// F more to keep lanes that wait as they are, every k steps cost k (C + F) + G, and a playout waits k - 1 over 2 steps.
fn best_patience(circuit: &Circuit, program: &Program) -> u64 {
    let [n_goal, n_step, n_fluents] =
        [program.goal_phase.len(), program.n_operations(), program.n_fluents].map(|n| n as f64);
    if n_goal < n_fluents {
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
    let cost = |patience: u64| match patience as f64 {
        1.0 => n_step + n_goal,
        k => (n_step + n_fluents + n_goal / k) * (1.0 + (k - 1.0) / (2.0 * mean_length)),
    };
    let by_cost = |left: &u64, right: &u64| cost(*left).total_cmp(&cost(*right));
    (1..=MOST_PATIENCE).min_by(by_cost).expect("there is a number of steps")
}
