//! The engine: a circuit and the faster of two ways to evaluate it.

use crate::columns::Columns;
use crate::evaluator::{Evaluator, Program};
use crate::lists::Lists;
use crate::playouts::{NoMove, playout, playouts};
use crate::select::places;
use crate::trial::{MOST_GATES_OF_COLUMNS, is_faster};
use senet_circuit::{Circuit, Signature, States};
use senet_game::{
    Engine, GameError, MoveGenerator, MoveId, PlayedOut, PlayoutOptions, PlayoutStatistics, RoleId,
};
use std::sync::Arc;

/// How a circuit is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// Each gate that uses what changed is counted by itself.
    Lists,
    /// What changed is added to the counters of many gates at once.
    Columns,
}

/// A game as a circuit, ready to be asked.
pub struct CircuitEngine {
    signature: Signature,
    states: States,
    program: Form,
}

enum Form {
    Lists(Arc<Program<Lists>>),
    Columns(Arc<Program<Columns>>),
}

/// The memory of one thread.
pub struct Worker(Memory);

enum Memory {
    Lists(Evaluator<Lists>),
    Columns(Evaluator<Columns>),
}

/// Does the same with either evaluator.
macro_rules! with {
    ($worker:expr, $evaluator:ident => $what:expr) => {
        match &mut $worker.0 {
            Memory::Lists($evaluator) => $what,
            Memory::Columns($evaluator) => $what,
        }
    };
}

impl CircuitEngine {
    /// Makes the circuit ready, in the way that is faster for this game: a small one is tried both ways, which takes a
    /// few milliseconds.
    pub fn new(circuit: &Circuit) -> CircuitEngine {
        let engine = CircuitEngine::with(circuit, Evaluation::Lists);
        if circuit.net().n_gates() > MOST_GATES_OF_COLUMNS {
            return engine;
        }
        let columns = CircuitEngine::with(circuit, Evaluation::Columns);
        let (mut worker, mut columns_worker) = (engine.worker(), columns.worker());
        let are_columns_faster = with!(worker, first => with!(columns_worker, second => {
            is_faster(first, second, &engine.signature.moves_of)
        }));
        if are_columns_faster { columns } else { engine }
    }

    /// How the circuit is evaluated.
    pub fn evaluation(&self) -> Evaluation {
        match self.program {
            Form::Lists(_) => Evaluation::Lists,
            Form::Columns(_) => Evaluation::Columns,
        }
    }

    /// Makes the circuit ready for a certain way to evaluate it.
    pub fn with(circuit: &Circuit, evaluation: Evaluation) -> CircuitEngine {
        let states = States::new(circuit);
        let program = match evaluation {
            Evaluation::Lists => Form::Lists(Arc::new(Program::new(circuit, states.initial()))),
            Evaluation::Columns => Form::Columns(Arc::new(Program::new(circuit, states.initial()))),
        };
        CircuitEngine { signature: circuit.signature().clone(), states, program }
    }

    fn no_legal_move(&self, NoMove { role }: NoMove, state: &[u64]) -> GameError {
        GameError::NoLegalMove {
            role: self.signature.role_names[role].clone(),
            facts: self.states.facts(state),
        }
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
            Form::Lists(program) => Memory::Lists(Evaluator::new(program.clone())),
            Form::Columns(program) => Memory::Columns(Evaluator::new(program.clone())),
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

    fn state_bytes(&self, state: &Box<[u64]>) -> usize {
        size_of_val(state) + size_of_val(&**state)
    }

    fn playout(
        &self,
        worker: &mut Worker,
        state: &Box<[u64]>,
        generator: &mut MoveGenerator,
        may_go_on: &mut dyn FnMut(u64) -> bool,
        goals: &mut Vec<Option<u8>>,
    ) -> Result<PlayedOut, GameError> {
        with!(worker, evaluator => {
            evaluator.enter(state);
            let played = playout(evaluator, &self.signature.moves_of, generator, may_go_on);
            goals.clear();
            goals.extend((0..self.signature.role_names.len()).map(|role| evaluator.goal(role)));
            played.map_err(|stuck| self.no_legal_move(stuck, evaluator.state()))
        })
    }

    fn playouts(&self, worker: &mut Worker, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        with!(worker, evaluator => {
            let played = playouts(evaluator, &self.signature.moves_of, options);
            played.map_err(|stuck| self.no_legal_move(stuck, evaluator.state()))
        })
    }
}
