//! The engine: programs made of a circuit, and what can be asked of them.

use crate::arrange::arrange;
use crate::cover::Cover;
use crate::flow::distribute;
use crate::kernel::Level;
use crate::network::Network;
use crate::playouts::{Order, Outcome, play_unit, units};
use crate::program::Program;
use senet_circuit::{Choices, Circuit, States, choices};

/// Plays a game in many lanes at once.
pub struct LanesEngine {
    pub(crate) circuit: Circuit,
    pub(crate) choices: Choices,
    pub(crate) states: States,
    pub(crate) random: Program,
    /// How many steps pass until finished lanes are looked at.
    pub(crate) patience: u64,
    pub(crate) level: Level,
    pub(crate) width: usize,
}

fn compile(network: &Network) -> Program {
    let cover = Cover::new(&network.logic, &network.outputs());
    arrange(&distribute(network, &cover))
}

impl LanesEngine {
    /// Makes the programs of a game.
    pub fn new(mut circuit: Circuit) -> LanesEngine {
        let choices = choices(&mut circuit);
        let states = States::new(&circuit);
        let network = Network::of_random_play(&circuit, &choices);
        let random = compile(&network);
        LanesEngine { circuit, choices, states, random, patience: 1, level: Level::best(), width: std::env::var("WIDTH").ok().and_then(|s| s.parse().ok()).unwrap_or(16) }
    }

    /// Random playouts from the initial state.
    pub fn play(&self, count: u64, seed: u64) -> (u64, u64, u64) {
        let order = Order {
            program: &self.random,
            start: self.states.initial(),
            patience: self.patience,
            count,
            seed,
            max_length: 10_000,
            level: self.level,
        };
        let mut outcome = Outcome::default();
        for unit in units(count) {
            outcome.merge(play_unit(&order, self.width, &unit));
        }
        eprintln!("{outcome:?}");
        (outcome.playouts, outcome.states, outcome.cut)
    }

    /// Sizes.
    pub fn describe(&self) -> String {
        let p = &self.random;
        let runs = |phase: &crate::program::Phase| phase.sections.iter().map(|s| s.0.runs.len()).sum::<usize>();
        format!(
            "T {} G {} L {} N {} slots {} first {} leaves {:?} runs {}",
            p.terminal_phase.len(),
            p.goal_phase.len(),
            p.legal_phase.len(),
            p.next_phase.len(),
            p.n_slots,
            p.restarts_first,
            self.choices.groups.iter().map(Vec::len).collect::<Vec<_>>(),
            runs(&p.terminal_phase) + runs(&p.legal_phase) + runs(&p.next_phase)
        )
    }
}
