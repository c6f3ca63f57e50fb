//! `senet verify`

mod args;
mod aspect;
mod recorded;
mod shortest;
mod verdict;
#[cfg(test)]
mod tests;

pub(crate) use args::VerifyArgs;

use crate::engine_names;
use crate::load::load;
use crate::progress;
use crate::run::{Answer, is_about_the_game};
use anyhow::Result;
use aspect::Aspect;
use recorded::{Recorded, perft};
use senet_engines::{Purpose, library};
use senet_game::{AnyEngine, GameError, MoveGenerator, PerftOptions, PerftRow, derived_seed};
use shortest::{Effort, shortest};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use verdict::Verdict;

/// The engine that is right.
const REFERENCE: &str = "reference";

pub(crate) fn run(args: &VerifyArgs) -> Result<Answer> {
    let engines = engines_to_verify(&args.engine)?;
    let games = if args.all { library::names() } else { args.games.clone() };
    let mut out = std::io::stdout();
    let bar = progress::bar(games.len() * (engines.len() + 1));
    let mut answer = Answer::Yes;
    for game in &games {
        let Ok(loaded) = bar.suspend(|| load(game))? else {
            bar.inc(engines.len() as u64 + 1);
            answer = Answer::No;
            continue;
        };
        bar.set_message(format!("{}, {REFERENCE}", loaded.name));
        let setup = loaded.setup();
        let truth = Truth::new(setup.load(REFERENCE, Purpose::OneState)?.engine, args);
        bar.inc(1);
        for name in &engines {
            bar.set_message(format!("{}, {name}", loaded.name));
            let verdict = match setup.load(name, Purpose::OneState) {
                Ok(made) => truth.judge(&made.engine),
                Err(error) => {
                    let error = error.into();
                    if !is_about_the_game(&error) {
                        return Err(error);
                    }
                    Verdict::Refused(format!("{error:#}"))
                }
            };
            if matches!(verdict, Verdict::Differs(_)) {
                answer = Answer::No;
            }
            bar.suspend(|| match args.json {
                true => writeln!(out, "{}", verdict.json(&loaded.name, name)),
                false => verdict.write(&mut out, &loaded.name, name),
            })?;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(answer)
}

fn engines_to_verify(asked: &[String]) -> Result<Vec<String>> {
    asked.iter().try_for_each(|name| engine_names::check(name))?;
    match asked {
        [] => Ok(engine_names::all().filter(|name| name != REFERENCE).collect()),
        asked => Ok(asked.to_vec()),
    }
}

/// What the reference engine says of a game.
struct Truth {
    reference: Arc<dyn AnyEngine>,
    options: PerftOptions,
    perft: Result<Vec<PerftRow>, GameError>,
    matches: Vec<Recorded>,
}

impl Truth {
    fn new(reference: Arc<dyn AnyEngine>, args: &VerifyArgs) -> Truth {
        let end = Instant::now() + Duration::from_secs_f64(args.seconds.clamp(0.0, 1e9));
        let options = PerftOptions { depth: args.depth, node_limit: args.nodes };
        let perft = perft(&*reference, options);
        let mut matches = Vec::new();
        for at in 0..u64::from(args.matches) {
            if at > 0 && Instant::now() >= end {
                break;
            }
            let mut generator = MoveGenerator::new(derived_seed(args.seed, at));
            matches.push(Recorded::random(&reference, &mut generator));
        }
        Truth { reference, options, perft, matches }
    }

    /// Whether an engine says the same, and if not the shortest match found that shows it.
    fn judge(&self, engine: &Arc<dyn AnyEngine>) -> Verdict {
        if engine.role_names() != self.reference.role_names() {
            let aspect = Aspect {
                what: "roles".to_owned(),
                reference: self.reference.role_names().to_vec(),
                engine: engine.role_names().to_vec(),
            };
            return Verdict::Differs((Vec::new(), aspect));
        }
        let by_match = self.matches.iter().find_map(|recorded| recorded.replay(engine));
        if let Some((moves, aspect)) = by_match {
            let shorter = shortest(&self.reference, engine, moves.len(), Effort::SMALL);
            return Verdict::Differs(shorter.unwrap_or((moves, aspect)));
        }
        if let Some((depth, aspect)) = self.perft_difference(engine) {
            let shown = shortest(&self.reference, engine, depth as usize + 1, Effort::SMALL);
            return Verdict::Differs(shown.unwrap_or((Vec::new(), aspect)));
        }
        Verdict::Agrees {
            depth: self.perft.as_ref().ok().and_then(|rows| rows.last()).map_or(0, |row| row.depth),
            matches: self.matches.len(),
            positions: self.matches.iter().map(Recorded::n_positions).sum(),
        }
    }

    /// The first depth at which the counts differ, and what to say if no match shows it.
    fn perft_difference(&self, engine: &Arc<dyn AnyEngine>) -> Option<(u32, Aspect)> {
        let found = perft(&**engine, self.options);
        let (expected, found) = match (&self.perft, &found) {
            (Ok(expected), Ok(found)) => (expected, found),
            // The rules are at fault, and which sequence shows it first is not said.
            (Err(_), Err(_)) => return None,
            (expected, found) => {
                let text = |rows: &Result<Vec<PerftRow>, GameError>| match rows {
                    Ok(_) => "counts".to_owned(),
                    Err(error) => error.to_string(),
                };
                let (reference, engine) = (vec![text(expected)], vec![text(found)]);
                let what = format!("perft to depth {}", self.options.depth);
                return Some((self.options.depth, Aspect { what, reference, engine }));
            }
        };
        let n_depths = expected.len().max(found.len());
        let at = (0..n_depths).find(|&at| expected.get(at) != found.get(at))?;
        let text = |row: Option<&PerftRow>| {
            row.map_or("not counted".to_owned(), |row| {
                let PerftRow { nodes, terminals, distinct, .. } = row;
                format!("{nodes} nodes, {terminals} terminals, {distinct} distinct")
            })
        };
        let aspect = Aspect {
            what: format!("perft at depth {}", at + 1),
            reference: vec![text(expected.get(at))],
            engine: vec![text(found.get(at))],
        };
        Some((at as u32 + 1, aspect))
    }
}
