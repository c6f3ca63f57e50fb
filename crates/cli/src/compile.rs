//! `senet compile`

mod rust;

use crate::args::{CompileArgs, Language, LiteralOrder, Target};
use crate::game_source::{self, GameSource};
use crate::load::accept;
use crate::output_file::write_file;
use crate::progress;
use crate::report::Report;
use crate::run::Answer;
use anyhow::{Context, Result, bail};
use senet_analysis::{Program, Stratification, analyze};
use senet_engine_forward::{Declined, SizeOrder};
use senet_gdl::{Severity, parse_bytes};
use senet_languages::inverted::Inverted;
use senet_languages::mini_text;
use senet_languages::normal::{Normal, source_order};
use senet_rules::RuleSet;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

/// A person waits for sizes to be measured.
const TIME_FOR_SIZES: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &CompileArgs) -> Result<Answer> {
    let game = &args.game.game;
    if args.emit == Some(Language::Mini) && args.order == Some(LiteralOrder::Sizes) {
        bail!("MINI-GDL has the order of the source: `--order sizes` is for `--emit normal` and `inverted`");
    }
    let source = game_source::read(game)?;
    let Ok(loaded) = accept(Some(game), &source)? else { return Ok(Answer::No) };
    if args.emit != Some(Language::Mini) && loaded.program().stratification() == Stratification::Unproved {
        tell_unstratified(&source)?;
        return Ok(Answer::No);
    }
    match (args.emit, args.target, args.output.as_deref()) {
        (_, Some(Target::Rust), Some(folder)) => rust::compile(&loaded, folder, args.force),
        (Some(language), _, output) => write_rules(args, language, loaded.program(), output),
        _ => unreachable!("one of them is given, and a target has a folder"),
    }
}

fn write_rules(
    args: &CompileArgs,
    language: Language,
    program: &Program,
    output: Option<&Path>,
) -> Result<Answer> {
    let Some(text) = emit(args, language, program)? else { return Ok(Answer::No) };
    match output.filter(|&path| path != Path::new("-")) {
        Some(path) => write_file(path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?,
        None => std::io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(Answer::Yes)
}

/// The text; `None` if there is none and the reason was told.
fn emit(args: &CompileArgs, language: Language, program: &Program) -> Result<Option<String>> {
    let symbols = program.symbols();
    let rule_set = RuleSet::new(program);
    if language == Language::Mini {
        return Ok(Some(mini_text(&rule_set, symbols)));
    }
    let normal = match args.order.unwrap_or(LiteralOrder::Source) {
        LiteralOrder::Source => Normal::new(rule_set, source_order),
        LiteralOrder::Sizes => {
            let spinner = progress::spinner("measuring sizes");
            let order = SizeOrder::new(program, TIME_FOR_SIZES);
            spinner.finish_and_clear();
            let mut order = match order {
                Ok(order) => order,
                Err(declined) => return refuse(&format!("no sizes were measured: {}", reason(declined))),
            };
            Normal::new(rule_set, |rule| order.of(rule))
        }
    };
    match normal {
        Err(too_large) => {
            let relation = too_large.relation;
            refuse(&format!("rules are too long to be decomposed, the last one seen is for `{relation}`"))
        }
        Ok(normal) if language == Language::Normal => Ok(Some(normal.to_text(symbols))),
        Ok(normal) => Ok(Some(Inverted::new(normal).to_text(symbols))),
    }
}

fn reason(declined: Declined) -> String {
    match declined {
        Declined::Game(error) => error.to_string(),
        Declined::LongRule => "a rule has more than 1000 conditions".to_owned(),
        Declined::Negation => "relations are negated before they are complete".to_owned(),
    }
}

fn refuse(why: &str) -> Result<Option<String>> {
    writeln!(std::io::stderr(), "error: {why}")?;
    Ok(None)
}

/// Shows where relations depend on their own negation.
fn tell_unstratified(source: &GameSource) -> Result<()> {
    let description = parse_bytes(&source.bytes);
    let mut analysis = analyze(&description, false);
    analysis.diagnostics.retain(|found| found.code.id == "G301");
    let report = Report { origin: &source.origin, text: &description.text, analysis: &analysis };
    let mut stderr = std::io::stderr().lock();
    let styled = stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    write!(stderr, "{}", report.render(Severity::Warning, styled))?;
    writeln!(
        stderr,
        "error: there are no strata: no order was proved in which relations are complete before they are negated"
    )?;
    Ok(())
}
