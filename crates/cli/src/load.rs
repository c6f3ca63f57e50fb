//! A game that was read, checked and accepted.

use crate::excerpt::shorten;
use crate::game_source::{self, GameSource};
use crate::report::Report;
use anyhow::Result;
use senet_analysis::{Analysis, Program, analyze};
use senet_engines::{Purpose, Setup};
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
        self.engine_for(name, Purpose::OneState)
    }

    /// The engine of that name, chosen for a purpose if `auto` is to choose. Says so where it could not choose.
    pub(crate) fn engine_for(&self, name: &str, purpose: Purpose) -> Result<Arc<dyn AnyEngine>> {
        let loaded = self.setup().load(name, purpose)?;
        if let Some(note) = loaded.note {
            tell_note(&note)?;
        }
        Ok(loaded.engine)
    }

    /// For several engines of this game.
    pub(crate) fn setup(&self) -> Setup<'_> {
        Setup::new(&self.description).with_program(&self.program)
    }
}

/// A rulesheet that has errors; they were shown.
pub(crate) struct Refused {
    /// In one line.
    pub(crate) summary: String,
}

/// Reads and checks GAME. Errors are shown on standard error.
pub(crate) fn load(game: &str) -> Result<Result<Loaded, Refused>> {
    accept(Some(game), &game_source::read(game)?)
}

/// Checks what was read of GAME, if it is one that can be named. Errors are shown on standard error.
pub(crate) fn accept(game: Option<&str>, source: &GameSource) -> Result<Result<Loaded, Refused>> {
    let (description, syntax) = parse_bytes(&source.bytes);
    let analysis = analyze(&description, syntax, false);
    if let Some(refused) = tell_findings(game, &source.origin, &description.text, &analysis)? {
        return Ok(Err(refused));
    }
    let program = analysis.program.expect("a rulesheet that is not refused has a program");
    Ok(Ok(Loaded { name: source.name.clone(), description, program }))
}

/// Tells people what they did not ask for.
pub(crate) fn tell_note(note: &str) -> std::io::Result<()> {
    writeln!(std::io::stderr(), "note: {}", shorten(note))
}

/// Shows errors on standard error, or says how many warnings there are.
pub(crate) fn tell_findings(
    game: Option<&str>,
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
    match game {
        Some(game) => writeln!(stderr, "note: {origin} has {warnings}: `senet check {game}` shows {them}")?,
        None => writeln!(stderr, "note: {origin} has {warnings}")?,
    }
    Ok(None)
}
