//! `senet replay`: a record held against the rules, and against other players.

mod args;
mod advisers;

pub(crate) use args::ReplayArgs;

use crate::game_source::{self, GameSource};
use crate::load::{Refused, accept};
use crate::matches::shown;
use crate::output_file::write_file;
use crate::play::{Painter, count_moves};
use crate::run::Answer;
use advisers::{Advice, Advisers};
use anyhow::{Context, Result, bail, ensure};
use senet_game::Position;
use senet_protocol::{Record, ReplayError, Walk};
use senet_search::Rules;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: &ReplayArgs) -> Result<Answer> {
    let path = args.file.display();
    let bytes = std::fs::read(&args.file).with_context(|| format!("cannot read {path}"))?;
    let record = match Record::from_json(&bytes) {
        Ok(record) => record,
        Err(error) => {
            write_refusal(args.json, &error)?;
            writeln!(io::stderr(), "error: {path}: {error}")?;
            return Ok(Answer::No);
        }
    };
    let source = match &args.game {
        Some(game) => game_source::read(game)?,
        None if record.rules.is_empty() => {
            bail!("{path} has no rules in it: name the game with `--game GAME`")
        }
        None => GameSource {
            name: record.game.clone(),
            origin: format!("rules of {path}"),
            bytes: record.rules.clone().into_bytes(),
        },
    };
    let loaded = match accept(args.game.as_deref(), &source)? {
        Ok(loaded) => loaded,
        Err(Refused { summary }) => {
            write_refusal(args.json, &summary)?;
            return Ok(Answer::No);
        }
    };
    let rules = Rules::new(loaded.description)?;
    let role = args.role.as_deref().map(|name| {
        let found = rules.role_names().iter().position(|role| role.eq_ignore_ascii_case(name));
        found.with_context(|| {
            format!("there is no role `{name}`: choose one of {}", rules.role_names().join(", "))
        })
    });
    let role = role.transpose()?;
    let seed = args.seed.or(record.seed).unwrap_or(0);
    let mut advisers = match &args.ask {
        Some(spec) => Some(Advisers::new(spec, &rules, role, seed, args.seconds)?),
        None => None,
    };
    let mut out = io::stdout().lock();
    match walk(&record, &rules, advisers.as_mut(), args.json, &mut out) {
        Ok(last) => {
            if let Some(path) = &args.svg {
                draw(path, &rules, &last)?;
            }
            match args.json {
                true => write_verdict(&mut out, &record, &rules)?,
                false => write_end(&mut out, &record, &rules)?,
            }
            Ok(Answer::Yes)
        }
        Err(error) if error.is::<ReplayError>() => {
            drop(out);
            write_refusal(args.json, &error)?;
            writeln!(io::stderr(), "error: {path} is not true: {error}")?;
            Ok(Answer::No)
        }
        Err(error) => Err(error),
    }
}

fn walk(
    record: &Record,
    rules: &std::sync::Arc<Rules>,
    mut advisers: Option<&mut Advisers>,
    json: bool,
    out: &mut impl Write,
) -> Result<LastPositions> {
    let roles = rules.role_names();
    let mut walk = Walk::new(record, rules.engine().clone())?;
    let mut last = LastPositions { before: None, now: walk.position().clone() };
    while let Some(moves) = walk.moves()? {
        let advice = match &mut advisers {
            Some(advisers) => advisers.ask(walk.position(), &moves)?,
            None => Vec::new(),
        };
        walk.go_on()?;
        last = LastPositions { before: Some(last.now), now: walk.position().clone() };
        let step = walk.step();
        match json {
            true => write_json(out, record, roles, step, &moves, &advice)?,
            false => write_row(out, record, roles, step, &advice)?,
        }
    }
    let is_more = walk.go_on()?;
    ensure!(!is_more, "there is nothing behind the last move");
    Ok(last)
}

/// The position at the end of a record, and the one before.
struct LastPositions {
    before: Option<Position>,
    now: Position,
}

/// Draws the last position of a record as SVG.
fn draw(path: &Path, rules: &Rules, last: &LastPositions) -> Result<()> {
    let engine = rules.engine();
    let mut painter = Painter::new(rules.description(), engine.role_names());
    painter.scout(&engine);
    painter.observe(&last.now);
    let before = last.before.as_ref().map_or(&[][..], |position| position.state.as_slice());
    let picture = senet_boards::svg(&painter.scene(&last.now.state, before));
    write_file(path, |file| file.write_all(picture.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn write_row(
    out: &mut impl Write,
    record: &Record,
    roles: &[String],
    step: usize,
    advice: &[Advice],
) -> io::Result<()> {
    let part = |(role, name): (usize, &String)| {
        let text = shown(&record.moves[step - 1][role]);
        match record.error(step, role) {
            Some(error) => format!("{name}: {text} [{error}]"),
            None => format!("{name}: {text}"),
        }
    };
    let parts: Vec<String> = roles.iter().enumerate().map(part).collect();
    writeln!(out, "{step:>3}. {}", parts.join("   "))?;
    for Advice { role, choice, is_same } in advice {
        let text =
            choice.text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&choice.text);
        let same = if *is_same { ", as it was" } else { "" };
        write!(out, "     asked for {}: {text}{same}", roles[*role])?;
        if let Some(value) = choice.report.value {
            write!(out, ", expecting {value:.1} after {} playouts", choice.report.playouts)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_json(
    out: &mut impl Write,
    record: &Record,
    roles: &[String],
    step: usize,
    moves: &[String],
    advice: &[Advice],
) -> io::Result<()> {
    let errors: Vec<_> = (0..roles.len()).map(|role| record.error(step, role)).collect();
    let mut line = json!({ "step": step, "moves": moves, "errors": errors });
    for Advice { role, choice, is_same } in advice {
        let report = &choice.report;
        line["asked"][&roles[*role]] = json!({
            "move": choice.text,
            "same": is_same,
            "value": report.value,
            "playouts": report.playouts,
        });
    }
    writeln!(out, "{line}")
}

fn write_end(out: &mut impl Write, record: &Record, rules: &Rules) -> io::Result<()> {
    let n_moves = count_moves(record.moves.len());
    let end = match (&record.game_error, record.is_completed) {
        (Some(error), _) => format!("the rules ended it: {error}"),
        (None, false) => "it was left before its end".to_owned(),
        (None, true) => {
            let scores = rules.role_names().iter().zip(&record.goal_values);
            scores.map(|(role, value)| format!("{role} {value}")).collect::<Vec<_>>().join(", ")
        }
    };
    writeln!(out, "The record is true: {n_moves}, {end}.")
}

/// The last line of JSON where the record is true.
fn write_verdict(out: &mut impl Write, record: &Record, rules: &Rules) -> io::Result<()> {
    let scores: serde_json::Map<_, _> = rules
        .role_names()
        .iter()
        .cloned()
        .zip(record.goal_values.iter().map(|&value| value.into()))
        .collect();
    let verdict = json!({
        "isTrue": true,
        "steps": record.moves.len(),
        "isCompleted": record.is_completed,
        "scores": scores,
        "gameError": record.game_error,
    });
    writeln!(out, "{verdict}")
}

/// The last line of JSON where it is not.
fn write_refusal(json: bool, error: &impl ToString) -> io::Result<()> {
    match json {
        true => writeln!(io::stdout(), "{}", json!({ "isTrue": false, "error": error.to_string() })),
        false => Ok(()),
    }
}
