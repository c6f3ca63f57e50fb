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
    /// It accepts the description.
    analysis: Analysis,
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
        Setup::new(&self.description).with_analysis(&self.analysis)
    }

    /// The checked rules.
    pub(crate) fn program(&self) -> &Program {
        self.analysis.program.as_ref().expect("the analysis accepts the rules")
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
    let description = parse_bytes(&source.bytes);
    let analysis = analyze(&description, false);
    if let Some(refused) = tell_findings(game, &source.origin, &description, &analysis)? {
        return Ok(Err(refused));
    }
    Ok(Ok(Loaded { name: source.name.clone(), description, analysis }))
}

/// Tells people what they did not ask for.
pub(crate) fn tell_note(note: &str) -> std::io::Result<()> {
    writeln!(std::io::stderr(), "note: {}", shorten(note))
}

/// Shows errors on standard error, or says how many warnings there are.
pub(crate) fn tell_findings(
    game: Option<&str>,
    origin: &str,
    description: &Description,
    analysis: &Analysis,
) -> Result<Option<Refused>> {
    let mut stderr = std::io::stderr().lock();
    if let Err(error) = analysis.accepted(description) {
        let report = Report { origin, text: &description.text, analysis };
        let styled = stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        write!(stderr, "{}", report.render(Severity::Error, styled))?;
        return Ok(Some(Refused { summary: format!("{origin} has {error}") }));
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
