//! From arguments to verbs to exit status.

use crate::args::{Arguments, Verb};
use crate::{engine_pipe, game_source, perft};
use anyhow::Result;
use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

/// 0 yes, 1 the answer is no, 2 wrong use or unreadable file.
pub(crate) enum Answer {
    Yes,
    No,
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    match answer(arguments) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be listening any more.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// A reader that has seen enough, such as `head`, is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let of_kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(of_kind)
}

fn answer(arguments: Arguments) -> Result<Answer> {
    match arguments.verb {
        Verb::Engine(args) => engine(&args),
        Verb::Perft(args) => perft::run(&args),
    }
}

fn engine(args: &crate::args::EngineArgs) -> Result<Answer> {
    let source = game_source::read(&args.game.game)?;
    let (description, _) = senet_gdl::parse_bytes(&source.bytes);
    let engine = senet_engines::load(&args.engine.engine, &description)?;
    engine_pipe::serve(engine, &source.name, io::stdin().lock(), io::stdout().lock())?;
    Ok(Answer::Yes)
}
