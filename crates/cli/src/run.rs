//! From arguments to verbs to exit status.

use crate::args::{Arguments, EngineArgs, Verb};
use crate::load::{Refused, load};
use crate::{
    bench, check, compile, duel, engine_pipe, fmt, games, ground, info, matches, perft, play, player, replay,
    scramble, verify,
};
use anyhow::{Result, bail};
use clap::Parser;
use senet_engines::{LoadError, Purpose};
use senet_game::{GameError, PlayError};
use senet_search::SearchError;
use std::io::{self, Write};
use std::process::ExitCode;

/// What the program was asked, answered.
pub(crate) enum Answer {
    Yes,
    No,
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    match answer(Arguments::parse()) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be listening any more.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(if is_about_the_game(&error) { 1 } else { 2 })
        }
    }
}

fn answer(arguments: Arguments) -> Result<Answer> {
    match arguments.verb {
        Verb::Play(args) => play::run(&args),
        Verb::Player(args) => player::run(&args),
        Verb::Match(args) => matches::run(&args),
        Verb::Replay(args) => replay::run(&args),
        Verb::Duel(args) => duel::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Fmt(args) => fmt::run(&args),
        Verb::Info(args) => info::run(&args),
        Verb::Games(args) => games::run(&args),
        Verb::Scramble(args) => scramble::run(&args),
        Verb::Perft(args) => perft::run(&args),
        Verb::Ground(args) => ground::run(&args),
        Verb::Compile(args) => compile::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::Engine(args) => engine(&args),
    }
}

fn engine(args: &EngineArgs) -> Result<Answer> {
    if args.game == "-" {
        bail!("standard input carries the requests: give the rulesheet as a file");
    }
    let mut out = io::stdout().lock();
    let loaded = match load(&args.game)? {
        Ok(loaded) => loaded,
        Err(Refused { summary }) => {
            writeln!(out, "{}", engine_pipe::error_line("refused", &summary))?;
            return Ok(Answer::No);
        }
    };
    let engine = match loaded.engine_for(&args.engine.engine, Purpose::Match) {
        Ok(engine) => engine,
        Err(error) if is_about_the_game(&error) => {
            writeln!(out, "{}", engine_pipe::error_line("refused", &format!("{error:#}")))?;
            return Ok(Answer::No);
        }
        Err(error) => return Err(error),
    };
    // `auto` answers for every state; an engine that is named refuses what it cannot take.
    let is_chosen = args.engine.engine == "auto";
    let for_any_state = || is_chosen.then(|| loaded.engine("reference").ok()).flatten();
    engine_pipe::serve(engine, &for_any_state, &loaded.name, io::stdin().lock(), out)?;
    Ok(Answer::Yes)
}

/// A reader that has seen enough, such as `head`, is not an error.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| Some(cause.downcast_ref::<io::Error>()?.kind());
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

/// The rules are at fault, not how the program was called.
pub(crate) fn is_about_the_game(error: &anyhow::Error) -> bool {
    let of_load = |error: &LoadError| {
        matches!(error, LoadError::Rules(_) | LoadError::Game(_) | LoadError::Refused { .. })
    };
    let of_search = |error: &SearchError| match error {
        SearchError::Game(_) | SearchError::Play(_) => true,
        SearchError::Load(error) => of_load(error),
        SearchError::NoSuchRole(_) | SearchError::NoMatch => false,
    };
    error.is::<GameError>()
        || error.is::<PlayError>()
        || error.downcast_ref().is_some_and(of_load)
        || error.downcast_ref().is_some_and(of_search)
}
