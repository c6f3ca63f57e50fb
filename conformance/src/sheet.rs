//! A rulesheet and its engines.

use libtest_mimic::Failed;
use senet_engines::{Purpose, Setup};
use senet_game::AnyEngine;
use senet_gdl::Description;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A rulesheet and its engines. Each engine is made when a test asks for it first, the gates once for all engines of gates:
/// the largest games take longer to make than to play.
pub struct Sheet {
    /// The rulesheet as it was read.
    pub description: &'static Description,
    made: Mutex<Made>,
}

struct Made {
    setup: Setup<'static>,
    engines: BTreeMap<&'static str, Arc<dyn AnyEngine>>,
}

impl Sheet {
    /// Reads a rulesheet that has no syntax errors.
    pub fn read(text: &str) -> Result<Sheet, Failed> {
        let description = senet_gdl::parse(text);
        if let Some(found) = description.findings().first() {
            return Err(found.message.clone().into());
        }
        // A test program reads a few dozen rulesheets, each once.
        let description: &'static Description = Box::leak(Box::new(description));
        let made = Made { setup: Setup::new(description), engines: BTreeMap::new() };
        Ok(Sheet { description, made: Mutex::new(made) })
    }

    /// The engine of that name.
    pub fn engine(&self, name: &'static str) -> Result<Arc<dyn AnyEngine>, Failed> {
        let mut made = self.made.lock().map_err(|_| "another engine of the game panicked in the making")?;
        if let Some(engine) = made.engines.get(name) {
            return Ok(engine.clone());
        }
        let engine = made.setup.load(name, Purpose::OneState)?.engine;
        made.engines.insert(name, engine.clone());
        Ok(engine)
    }
}
