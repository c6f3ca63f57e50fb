//! The choice of an engine by measuring.

use crate::growing::Growing;
use crate::kinds::KINDS;
use crate::{LoadError, Loaded, Purpose, Setup};
use senet_game::{AnyEngine, PlayoutOptions};
use senet_ground::Budget;
use senet_ids::thread_cpu_time;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

/// A person waits for this.
const BUDGET: Budget = Budget { time: Some(Duration::from_secs(10)), memory: Some(2 << 30) };

/// How long a candidate plays before it is judged.
const TRIAL: Duration = Duration::from_millis(3);

/// A trial that is still shorter than its time after so many doublings has nothing to play.
const MOST_DOUBLINGS: u32 = 30;

/// A match gets an engine that is ready at once, unless the choice is made as fast.
const HEAD_START: Duration = Duration::from_millis(50);

/// The engine that is ready first.
const FIRST: &str = "forward";

/// The fastest engine for a purpose. A match begins with one that is ready at once, which becomes the fastest when that is
/// known.
pub(crate) fn choose(setup: &Setup, purpose: Purpose) -> Result<Loaded, LoadError> {
    let setup = setup.hurried(BUDGET);
    match purpose {
        Purpose::Match => for_a_match(&setup),
        Purpose::OneState | Purpose::ManyPlayouts => fastest_of_all(&setup, purpose),
    }
}

fn for_a_match(setup: &Setup) -> Result<Loaded, LoadError> {
    let purpose = Purpose::OneState;
    let better = Arc::new(OnceLock::new());
    let (sender, receiver) = mpsc::channel();
    let made = better.clone();
    let (description, analysis) = (setup.description().clone(), setup.analysis().clone());
    let (budget, level) = (setup.budget(), setup.level());
    std::thread::spawn(move || {
        let setup = Setup::new(&description).with_analysis(&analysis).within(budget);
        let loaded = setup.at_level(level).and_then(|setup| fastest_of_all(&setup, purpose));
        if let Ok(loaded) = &loaded {
            // Nobody else sets it.
            let _ = made.set(loaded.engine.clone());
        }
        // Nobody listens any more if it took long.
        let _ = sender.send(loaded);
    });
    if let Ok(chosen) = receiver.recv_timeout(HEAD_START) {
        return chosen;
    }
    match setup.load(FIRST, purpose) {
        Ok(first) => Ok(Loaded { engine: Arc::new(Growing::new(first.engine, better)), note: None }),
        Err(_) => receiver.recv().unwrap_or_else(|_| fastest_of_all(setup, purpose)),
    }
}

/// The fastest engine for a purpose among those that take the game.
fn fastest_of_all(setup: &Setup, purpose: Purpose) -> Result<Loaded, LoadError> {
    let mut candidates = Vec::new();
    let mut refused: Option<LoadError> = None;
    let kinds = || KINDS.iter().filter(|kind| kind.purposes.contains(&purpose));
    for kind in kinds().filter(|kind| !kind.stands_in).chain(kinds().filter(|kind| kind.stands_in)) {
        if kind.stands_in && refused.is_none() {
            continue;
        }
        match kind.engine(setup) {
            Ok(engine) => candidates.push(engine),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    match (fastest(candidates, purpose), refused) {
        (Some(engine), refused) => Ok(Loaded { note: refused.map(|error| note(&error, &*engine)), engine }),
        (None, Some(error)) => Err(error),
        (None, None) => unreachable!("there is an engine for every purpose"),
    }
}

/// What to tell where an engine was hoped for that does not take the game.
fn note(error: &LoadError, engine: &dyn AnyEngine) -> String {
    let why = match error {
        LoadError::Refused { refusal, .. } => refusal.to_string(),
        error => error.to_string(),
    };
    format!("{why}; the {} engine plays instead", engine.name())
}

/// The candidate that plays the most states a second: the first one if none can play.
fn fastest(candidates: Vec<Arc<dyn AnyEngine>>, purpose: Purpose) -> Option<Arc<dyn AnyEngine>> {
    if candidates.len() < 2 {
        return candidates.into_iter().next();
    }
    let mut best: Option<(f64, Arc<dyn AnyEngine>)> = None;
    for engine in candidates {
        let speed = speed(&*engine, purpose).unwrap_or(0.0);
        if best.as_ref().is_none_or(|(most, _)| speed > *most) {
            best = Some((speed, engine));
        }
    }
    best.map(|(_, engine)| engine)
}

/// States a second in random play. Playouts are cut short where a whole one would take too long.
fn speed(engine: &dyn AnyEngine, purpose: Purpose) -> Option<f64> {
    let mut options = PlayoutOptions { max_length: 2, ..PlayoutOptions::new(1, 0) };
    for _ in 0..MOST_DOUBLINGS {
        let start = thread_cpu_time();
        let played = match purpose {
            Purpose::Match | Purpose::OneState => engine.playouts_one_by_one(options),
            Purpose::ManyPlayouts => engine.playouts(options),
        };
        let played = played.ok()?;
        let time = thread_cpu_time() - start;
        if time >= TRIAL {
            return Some(played.states as f64 / time.as_secs_f64());
        }
        if played.cut > 0 {
            options.max_length *= 2;
        } else {
            options.count *= 2;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_engine_reference::ReferenceEngine;

    fn engine(text: &str) -> Arc<dyn AnyEngine> {
        Arc::new(ReferenceEngine::new(&senet_gdl::parse(text)).expect("the rules are good"))
    }

    const LAMP: &str = "(role robot) (init off) (legal robot press) (goal robot 100)
                        (<= (next on) (true off)) (<= terminal (true on))";

    /// The same, and work that nobody needs.
    fn slow_lamp() -> String {
        let numbers: String = (0..12).map(|n| format!("(number {n}) ")).collect();
        let slow = "(<= terminal (number ?a) (number ?b) (number ?c) (distinct ?a ?a) (true on))";
        format!("{LAMP} {numbers} {slow}")
    }

    #[test]
    fn the_faster_one_is_chosen() {
        for purpose in [Purpose::OneState, Purpose::ManyPlayouts] {
            let (slow, fast) = (engine(&slow_lamp()), engine(LAMP));
            let chosen = fastest(vec![slow.clone(), fast.clone(), slow], purpose).expect("there are some");
            assert!(Arc::ptr_eq(&chosen, &fast));
        }
    }

    #[test]
    fn people_are_told_why() {
        let refusal = crate::Refusal::Other("it is too large".to_owned());
        let error = LoadError::Refused { engine: "lanes", refusal };
        assert_eq!(note(&error, &*engine(LAMP)), "it is too large; the reference engine plays instead");
    }

    #[test]
    fn one_that_cannot_play_is_not_chosen() {
        let stuck =
            engine("(role robot) (init off) (<= (legal robot press) (true on)) (<= terminal (true on))");
        let playing = engine(LAMP);
        let chosen =
            fastest(vec![stuck.clone(), playing.clone()], Purpose::OneState).expect("there are some");
        assert!(Arc::ptr_eq(&chosen, &playing));
        let chosen = fastest(vec![stuck.clone(), stuck.clone()], Purpose::OneState).expect("there are some");
        assert!(Arc::ptr_eq(&chosen, &stuck));
    }
}
