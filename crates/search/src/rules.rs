//! A game that several players of one process may play: what they need is made once.

use senet_analysis::{Program, analyze};
use senet_engines::{LoadError, Purpose, Setup};
use senet_game::AnyEngine;
use senet_gdl::Description;
use std::sync::Arc;

/// The rules of a game, and an engine that is ready.
pub struct Rules {
    description: Description,
    program: Option<Program>,
    first: Arc<dyn AnyEngine>,
}

impl Rules {
    /// Checks the rules and makes the engine that is ready first; it becomes a faster one while it is used.
    pub fn new(description: Description) -> Result<Arc<Rules>, LoadError> {
        let program = analyze(&description, Vec::new(), false).program;
        let setup = Setup::new(&description);
        let setup = match &program {
            Some(program) => setup.with_program(program),
            None => setup,
        };
        let first = setup.load("auto", Purpose::Match)?.engine;
        Ok(Arc::new(Rules { description, program, first }))
    }

    /// The rules as they were read.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The checked rules, if they are without errors.
    pub fn program(&self) -> Option<&Program> {
        self.program.as_ref()
    }

    /// The roles in the order of the rulesheet.
    pub fn role_names(&self) -> &[String] {
        self.first.role_names()
    }

    /// An engine to follow a match with.
    pub fn engine(&self) -> &Arc<dyn AnyEngine> {
        &self.first
    }
}
