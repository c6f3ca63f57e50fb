//! `senet player`: a player that any referee can call.

mod args;
mod notices;

pub(crate) use args::PlayerArgs;

use crate::play::seed_from_clock;
use crate::run::Answer;
use anyhow::{Context, Result};
use notices::notices;
use senet_server::{Endpoint, Options};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

pub(crate) fn run(args: &PlayerArgs) -> Result<Answer> {
    let mut strategy = args.strategy.clone();
    if let Some(threads) = args.threads {
        strategy = strategy.with("threads", threads)?;
    }
    if let Some(memory) = args.memory {
        strategy = strategy.with("memory", memory)?;
    }
    let called = strategy.to_string();
    let options = Options {
        seed: args.seed.unwrap_or_else(seed_from_clock),
        margin: args.margin.map(Duration::from_millis),
        ponder: !args.no_ponder,
        log: args.log.clone(),
        notice: Some(notices(std::io::stdout())),
        warning: Some(notices(std::io::stderr())),
        ..Options::new(&args.name, Arc::new(move |seed| strategy.player(seed)))
    };
    let endpoint = Endpoint::bind((args.listen, args.port), options)
        .with_context(|| format!("cannot listen at {}:{}", args.listen, args.port))?;
    let address = endpoint.address()?;
    writeln!(std::io::stdout(), "{} plays {} at http://{address}", args.name, called)?;
    endpoint.run()
}
