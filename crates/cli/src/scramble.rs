//! `senet scramble`

use crate::args::ScrambleArgs;
use crate::load::load;
use crate::run::Answer;
use anyhow::{Context, Result};
use senet_protocol::Renaming;
use std::io::Write;

pub(crate) fn run(args: &ScrambleArgs) -> Result<Answer> {
    let Ok(loaded) = load(&args.game.game)? else { return Ok(Answer::No) };
    let scrambled = senet_gdl::scramble(&loaded.description, args.seed);
    if let Some(path) = &args.map {
        let text = serde_json::to_string_pretty(&Renaming::back_from(&scrambled))? + "\n";
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    std::io::stdout().lock().write_all(scrambled.text.as_bytes())?;
    Ok(Answer::Yes)
}
