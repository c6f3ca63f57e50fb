//! The engines there are.

use crate::{LoadError, Purpose, Refusal, Setup};
use senet_analysis::Program;
use senet_engine_circuit::CircuitEngine;
use senet_engine_forward::{self as forward, Declined, ForwardEngine};
use senet_engine_lanes::LanesEngine;
use senet_engine_reference::ReferenceEngine;
use senet_engine_tables::{self as tables, TablesEngine};
use senet_game::{AnyEngine, GameError};
use std::sync::Arc;

/// A kind of engine. `auto` considers it for its purposes.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) purposes: &'static [Purpose],
    /// Whether it is considered only where another engine refuses the game.
    pub(crate) stands_in: bool,
    /// Makes the engine. The rules were checked, also for an engine that does not need the program.
    make: fn(&Setup, &Program) -> Made,
}

/// An engine that was made, or why not.
type Made = Result<Arc<dyn AnyEngine>, MakeError>;

/// Every engine, one line each. An engine made of gates takes `setup.circuit()?`.
pub(crate) const KINDS: [Kind; 5] = [
    Kind {
        name: "reference",
        purposes: &[Purpose::OneState, Purpose::ManyPlayouts],
        stands_in: false,
        make: |setup, _| Ok(Arc::new(ReferenceEngine::new(setup.description())?)),
    },
    Kind {
        name: "forward",
        purposes: &[Purpose::OneState, Purpose::ManyPlayouts],
        stands_in: false,
        make: |setup, program| {
            let options =
                forward::Options { time: setup.budget().time, temporization: setup.temporization() };
            Ok(Arc::new(ForwardEngine::new(program, options)?))
        },
    },
    Kind {
        name: "tables",
        purposes: &[Purpose::OneState, Purpose::ManyPlayouts],
        stands_in: true,
        make: |setup, program| {
            let budget = setup.budget();
            let memory = budget.memory.unwrap_or(usize::MAX).min(tables::Options::default().memory);
            let options = tables::Options { order: setup.order(), memory, time: budget.time };
            Ok(Arc::new(TablesEngine::new(program, options)?))
        },
    },
    Kind {
        name: "circuit",
        purposes: &[Purpose::OneState, Purpose::ManyPlayouts],
        stands_in: false,
        make: |setup, _| Ok(Arc::new(CircuitEngine::new(&*setup.circuit()?))),
    },
    Kind {
        name: "lanes",
        purposes: &[Purpose::ManyPlayouts],
        stands_in: false,
        make: |setup, _| {
            let engine = LanesEngine::new(setup.circuit()?)?.at_level(setup.level());
            Ok(Arc::new(engine.expect("a setup has only levels that are there")))
        },
    },
];

/// Why an engine was not made; who it was is known where it was asked for.
#[derive(Debug)]
pub(crate) enum MakeError {
    Game(GameError),
    Refused(Refusal),
}

impl From<GameError> for MakeError {
    fn from(error: GameError) -> Self {
        MakeError::Game(error)
    }
}

impl From<Declined> for MakeError {
    fn from(declined: Declined) -> Self {
        match declined {
            Declined::Game(error) => MakeError::Game(error),
            Declined::LongRule => {
                MakeError::Refused(Refusal::Other("a rule has more than 1000 conditions".to_owned()))
            }
            Declined::Negation => MakeError::Refused(Refusal::Other(
                "no order was proved in which relations are complete before they are negated".to_owned(),
            )),
        }
    }
}

impl From<tables::Declined> for MakeError {
    fn from(declined: tables::Declined) -> Self {
        match declined {
            tables::Declined::Negation => Declined::Negation.into(),
            tables::Declined::LongRule => Declined::LongRule.into(),
            tables::Declined::Unbounded { relation, what } => MakeError::Refused(Refusal::Other(format!(
                "the instances of `{relation}` have no end or are too many: {what}"
            ))),
        }
    }
}

impl From<Refusal> for MakeError {
    fn from(refusal: Refusal) -> Self {
        MakeError::Refused(refusal)
    }
}

impl Kind {
    pub(crate) fn engine(&self, setup: &Setup) -> Result<Arc<dyn AnyEngine>, LoadError> {
        (self.make)(setup, setup.program()?).map_err(|error| match error {
            MakeError::Game(error) => LoadError::Game(error),
            MakeError::Refused(refusal) => LoadError::Refused { engine: self.name, refusal },
        })
    }
}
