//! `senet check`

use crate::args::CheckArgs;
use crate::game_source;
use crate::report::Report;
use crate::run::Answer;
use anyhow::{Result, bail};
use senet_analysis::{analyze, codes, explain};
use senet_gdl::{Level, Severity, nearest, parse_bytes};
use std::io::{IsTerminal, Write};

pub(crate) fn run(args: &CheckArgs) -> Result<Answer> {
    let mut out = std::io::stdout().lock();
    if let Some(code) = &args.explain {
        return print_explanation(&mut out, code);
    }
    let styled = out.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut answer = Answer::Yes;
    let mut unreadable = 0;
    for game in &args.games {
        let source = match game_source::read(game) {
            Ok(source) => source,
            Err(error) if args.games.len() == 1 => return Err(error),
            Err(error) => {
                writeln!(std::io::stderr(), "error: {error:#}")?;
                unreadable += 1;
                continue;
            }
        };
        let description = parse_bytes(&source.bytes);
        let analysis = analyze(&description, args.strict);
        if analysis.program.is_none() {
            answer = Answer::No;
        }
        let report = Report { origin: &source.origin, text: &description.text, analysis: &analysis };
        if args.json {
            writeln!(out, "{}", report.json())?;
            continue;
        }
        write!(out, "{}", report.render(Severity::Warning, styled))?;
        let verdict = match (analysis.n_errors, analysis.n_warnings) {
            (0, 0) => "no problems found".to_owned(),
            (0, warnings) => format!("accepted, with {}", plural(warnings, "warning")),
            (errors, 0) => plural(errors, "error"),
            (errors, warnings) => format!("{} and {}", plural(errors, "error"), plural(warnings, "warning")),
        };
        writeln!(out, "{}: {verdict}", source.origin)?;
    }
    if unreadable > 0 {
        bail!("{unreadable} of {} rulesheets could not be read", args.games.len());
    }
    Ok(answer)
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn print_explanation(out: &mut impl Write, id: &str) -> Result<Answer> {
    let level = |level: Level| match level {
        Level::Error => "error",
        Level::Strict => "warning, error with --strict",
        Level::Lint => "warning",
    };
    if id.eq_ignore_ascii_case("all") {
        for code in codes() {
            writeln!(out, "{}  {} ({})", code.id, code.title, level(code.level))?;
        }
        return Ok(Answer::Yes);
    }
    let Some(code) = explain(id) else {
        let known: Vec<_> = codes().iter().map(|code| code.id).collect();
        match nearest(&id.to_ascii_uppercase(), known) {
            Some(similar) => bail!("there is no code `{id}`: did you mean {similar}?"),
            None => bail!("there is no code `{id}`: `senet check --explain all` lists them"),
        }
    };
    writeln!(out, "{}: {} ({})\n\n{}", code.id, code.title, level(code.level), code.explanation)?;
    Ok(Answer::Yes)
}
