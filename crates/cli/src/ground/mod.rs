//! `senet ground`

mod args;
mod peak;
mod measure;
mod watch;
mod declared;
mod stats;
mod stopped;

pub(crate) use args::GroundArgs;

use crate::game_source;
use crate::output_file::write_file;
use crate::run::{Answer, is_broken_pipe};
use anyhow::{Context, Result, bail};
use args::Format;
use measure::{Measured, measure};
use senet_ground::{GroundProgram, write_asp, write_dot, write_gdl, write_json};
use stats::Stats;
use std::io::{self, BufWriter, Write};

pub(crate) fn run(args: &GroundArgs) -> Result<Answer> {
    if args.format() == Format::None && args.output().is_some() {
        bail!("`--format none` has nothing to write to a file");
    }
    if let [game] = &args.games[..] {
        return run_game(args, game);
    }
    if !args.stats || args.format() != Format::None {
        bail!("the ground rules of one game at a time: give one game, or `--stats` alone");
    }
    let mut answer = Answer::Yes;
    for game in &args.games {
        // What is wrong with one game is no reason to leave out the others.
        match run_game(args, game) {
            Ok(Answer::Yes) => {}
            Ok(Answer::No) => answer = Answer::No,
            Err(error) if is_broken_pipe(&error) => return Err(error),
            Err(error) => {
                writeln!(io::stderr(), "error: {error:#}")?;
                answer = Answer::No;
            }
        }
    }
    Ok(answer)
}

fn run_game(args: &GroundArgs, game: &str) -> Result<Answer> {
    let source = game_source::read(game)?;
    let Some(outcome) = measure(args, game, &source)? else { return Ok(Answer::No) };
    let measured = match outcome {
        Ok(measured) => measured,
        Err(stopped) => {
            if args.json {
                writeln!(io::stdout(), "{}", stopped::json(args, &source.name, &stopped))?;
            } else {
                stopped::explain(&mut io::stderr().lock(), &source.name, &stopped)?;
            }
            return Ok(Answer::No);
        }
    };
    declared::write_notes(&mut io::stderr(), args, &measured.declared)?;
    write_program(args, &measured.grounding.program)?;
    if args.stats {
        write_stats(args, &source.name, &measured)?;
    }
    Ok(Answer::Yes)
}

fn write_program(args: &GroundArgs, program: &GroundProgram) -> Result<()> {
    if args.format() == Format::None {
        return Ok(());
    }
    match args.output() {
        Some(path) => {
            write_file(path, |file| write_format(args.format(), program, &mut BufWriter::new(file)))
                .with_context(|| format!("cannot write {}", path.display()))
        }
        None => Ok(write_format(args.format(), program, &mut BufWriter::new(io::stdout().lock()))?),
    }
}

fn write_format(format: Format, program: &GroundProgram, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Gdl => write_gdl(program, out)?,
        Format::Json => write_json(program, out)?,
        Format::Asp => write_asp(program, out)?,
        Format::Dot => write_dot(program, out)?,
        Format::None => {}
    }
    out.flush()
}

fn write_stats(args: &GroundArgs, game: &str, measured: &Measured) -> Result<()> {
    let stats = Stats::new(args, game, measured);
    let text = if args.json { serde_json::to_string(&stats)? + "\n" } else { stats.table() };
    if args.rules_take_stdout() {
        io::stderr().write_all(text.as_bytes())?;
    } else {
        io::stdout().write_all(text.as_bytes())?;
    }
    Ok(())
}
