//! The engine: a circuit and the faster of two ways to evaluate it.

use crate::evaluator::Evaluator;
use crate::event_evaluator::{EventEvaluator, EventProgram};
use crate::playouts::{NoMove, playouts};
use crate::select::places;
use crate::straight_evaluator::{StraightEvaluator, StraightProgram};
use crate::trial::{MOST_GATES_TO_COMPUTE, is_faster};
use senet_circuit::{Circuit, Signature, States};
use senet_game::{Engine, GameError, MoveId, PlayoutOptions, PlayoutStatistics, RoleId};
use std::sync::Arc;

/// How a circuit is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// What changed is propagated.
    Events,
    /// Every gate is computed.
    Straight,
}

/// A game as a circuit, ready to be asked.
pub struct CircuitEngine {
    signature: Signature,
    states: States,
    program: Program,
}

enum Program {
    Events(Arc<EventProgram>),
    Straight(Arc<StraightProgram>),
}

/// The memory of one thread.
pub struct Worker(Memory);

enum Memory {
    Events(EventEvaluator),
    Straight(StraightEvaluator),
}

/// Does the same with either evaluator.
macro_rules! with {
    ($worker:expr, $evaluator:ident => $what:expr) => {
        match &mut $worker.0 {
            Memory::Events($evaluator) => $what,
            Memory::Straight($evaluator) => $what,
        }
    };
}

impl CircuitEngine {
    /// Makes the circuit ready, in the way that is faster for this game: a small one is tried both ways, which takes a
    /// few milliseconds.
    pub fn new(circuit: &Circuit) -> CircuitEngine {
        let engine = CircuitEngine::with(circuit, Evaluation::Events);
        if circuit.net().n_gates() > MOST_GATES_TO_COMPUTE {
            return engine;
        }
        let straight = CircuitEngine::with(circuit, Evaluation::Straight);
        let (mut worker, mut straight_worker) = (engine.worker(), straight.worker());
        let is_straight_faster = with!(worker, first => with!(straight_worker, second => {
            is_faster(first, second, &engine.signature.moves_of)
        }));
        if is_straight_faster { straight } else { engine }
    }

    /// How the circuit is evaluated.
    pub fn evaluation(&self) -> Evaluation {
        match self.program {
            Program::Events(_) => Evaluation::Events,
            Program::Straight(_) => Evaluation::Straight,
        }
    }

    /// Makes the circuit ready for a certain way to evaluate it.
    pub fn with(circuit: &Circuit, evaluation: Evaluation) -> CircuitEngine {
        let states = States::new(circuit);
        let program = match evaluation {
            Evaluation::Events => Program::Events(Arc::new(EventProgram::new(circuit, states.initial()))),
            Evaluation::Straight => {
                Program::Straight(Arc::new(StraightProgram::new(circuit, states.initial())))
            }
        };
        CircuitEngine { signature: circuit.signature().clone(), states, program }
    }
}

impl Engine for CircuitEngine {
    type State = Box<[u64]>;
    type Worker = Worker;

    fn name(&self) -> &'static str {
        "circuit"
    }

    fn role_names(&self) -> &[String] {
        &self.signature.role_names
    }

    fn worker(&self) -> Worker {
        Worker(match &self.program {
            Program::Events(program) => Memory::Events(EventEvaluator::new(program.clone())),
            Program::Straight(program) => Memory::Straight(StraightEvaluator::new(program.clone())),
        })
    }

    fn initial(&self, _worker: &mut Worker) -> Result<Box<[u64]>, GameError> {
        Ok(self.states.initial().into())
    }

    fn is_terminal(&self, worker: &mut Worker, state: &Box<[u64]>) -> Result<bool, GameError> {
        Ok(with!(worker, evaluator => {
            evaluator.enter(state);
            evaluator.is_terminal()
        }))
    }

    fn goal(&self, worker: &mut Worker, state: &Box<[u64]>, role: RoleId) -> Result<Option<u8>, GameError> {
        Ok(with!(worker, evaluator => {
            evaluator.enter(state);
            evaluator.goal(role.index())
        }))
    }

    fn legals(
        &self,
        worker: &mut Worker,
        state: &Box<[u64]>,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), GameError> {
        let first = self.signature.moves_of[role.index()].start;
        moves.clear();
        with!(worker, evaluator => {
            evaluator.enter(state);
            moves.extend(places(evaluator.legal(role.index())).map(|at| MoveId::new(first + at)));
        });
        Ok(())
    }

    fn step(
        &self,
        worker: &mut Worker,
        state: &Box<[u64]>,
        moves: &[MoveId],
    ) -> Result<Box<[u64]>, GameError> {
        Ok(with!(worker, evaluator => {
            evaluator.enter(state);
            for (role, choice) in moves.iter().enumerate() {
                evaluator.play(role, choice.index());
            }
            evaluator.compute_next().into()
        }))
    }

    fn move_text(&self, _worker: &mut Worker, id: MoveId) -> String {
        self.signature.moves[id.index()].text.clone()
    }

    fn facts(&self, _worker: &mut Worker, state: &Box<[u64]>) -> Vec<String> {
        self.states.facts(state)
    }

    fn state_of(&self, _worker: &mut Worker, facts: &[String]) -> Result<Box<[u64]>, GameError> {
        Ok(self.states.read(facts).map_err(GameError::BadState)?.into())
    }

    fn playouts(&self, worker: &mut Worker, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        with!(worker, evaluator => {
            playouts(evaluator, &self.signature.moves_of, options).map_err(|NoMove { role }| {
                GameError::NoLegalMove {
                    role: self.signature.role_names[role].clone(),
                    facts: self.states.facts(evaluator.state()),
                }
            })
        })
    }
}
