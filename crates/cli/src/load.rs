//! A game that was read, checked and accepted.

use crate::game_source::{self, GameSource};
use crate::report::Report;
use anyhow::Result;
use senet_analysis::{Analysis, Program, analyze};
use senet_game::AnyEngine;
use senet_gdl::{Description, Severity, parse_bytes};
use std::io::{IsTerminal, Write};
use std::sync::Arc;

pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) description: Description,
    pub(crate) program: Program,
}

impl Loaded {
    /// The engine of that name for this game.
    pub(crate) fn engine(&self, name: &str) -> Result<Arc<dyn AnyEngine>> {
        Ok(senet_engines::load(name, &self.description)?)
    }
}

/// A rulesheet that has errors; they were shown.
pub(crate) struct Refused {
    /// In one line.
    pub(crate) summary: String,
}

/// Reads and checks GAME. Errors are shown on standard error.
pub(crate) fn load(game: &str) -> Result<Result<Loaded, Refused>> {
    let GameSource { name, origin, bytes } = game_source::read(game)?;
    let (description, syntax) = parse_bytes(&bytes);
    let analysis = analyze(&description, syntax, false);
    if let Some(refused) = tell_findings(game, &origin, &description.text, &analysis)? {
        return Ok(Err(refused));
    }
    let program = analysis.program.expect("a rulesheet that is not refused has a program");
    Ok(Ok(Loaded { name, description, program }))
}

/// Shows errors on standard error, or says how many warnings there are.
pub(crate) fn tell_findings(
    game: &str,
    origin: &str,
    text: &str,
    analysis: &Analysis,
) -> Result<Option<Refused>> {
    let mut stderr = std::io::stderr().lock();
    if analysis.program.is_none() {
        let report = Report { origin, text, analysis };
        let styled = stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        write!(stderr, "{}", report.render(Severity::Error, styled))?;
        let first = analysis.errors().next().map_or("", |error| &error.message);
        let summary = match analysis.n_errors {
            1 => format!("{origin} has an error: {first}"),
            n => format!("{origin} has {n} errors, the first: {first}"),
        };
        return Ok(Some(Refused { summary }));
    }
    let (warnings, them) = match analysis.n_warnings {
        0 => return Ok(None),
        1 => ("a warning".to_owned(), "it"),
        n => (format!("{n} warnings"), "them"),
    };
    writeln!(stderr, "note: {origin} has {warnings}: `senet check {game}` shows {them}")?;
    Ok(None)
}
