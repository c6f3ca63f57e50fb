//! `senet fmt`

use crate::args::FmtArgs;
use crate::game_source;
use crate::output_file::write_file;
use crate::report::Report;
use crate::run::Answer;
use anyhow::{Context, Result, bail};
use senet_analysis::analyze;
use senet_gdl::{Severity, parse_bytes};
use std::io::{IsTerminal, Write};
use std::path::Path;

pub(crate) fn run(args: &FmtArgs) -> Result<Answer> {
    let game = &args.game.game;
    let source = game_source::read(game)?;
    let text = std::str::from_utf8(&source.bytes).ok();
    let Some((text, laid_out)) = text.and_then(|text| Some((text, senet_gdl::format(text)?))) else {
        let description = parse_bytes(&source.bytes);
        let analysis = analyze(&description, false);
        let report = Report { origin: &source.origin, text: &description.text, analysis: &analysis };
        let mut stderr = std::io::stderr().lock();
        let styled = stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        write!(stderr, "{}", report.render(Severity::Error, styled))?;
        writeln!(stderr, "error: only a rulesheet in UTF-8 whose parentheses match can be laid out")?;
        return Ok(Answer::No);
    };
    if args.check {
        let same = text == laid_out;
        if !same {
            writeln!(std::io::stderr(), "{} would change: run `senet fmt --write {game}`", source.origin)?;
        }
        return Ok(if same { Answer::Yes } else { Answer::No });
    }
    if !args.write {
        std::io::stdout().lock().write_all(laid_out.as_bytes())?;
        return Ok(Answer::Yes);
    }
    if !Path::new(game).is_file() {
        bail!("`--write` needs a file: {game} is not one");
    }
    if text != laid_out {
        write_file(Path::new(game), |file| file.write_all(laid_out.as_bytes()))
            .with_context(|| format!("cannot write {game}"))?;
    }
    Ok(Answer::Yes)
}
