//! `--target rust`: the game as a cargo package.

use crate::load::Loaded;
use crate::run::Answer;
use anyhow::{Context, Result, bail};
use senet_engine_forward::Blueprint;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Deriving the permanent facts may take so long.
const MOST_TIME: Duration = Duration::from_secs(120);

/// Writes the package of a game into a folder, which has to be empty unless `is_forced`.
pub(super) fn compile(loaded: &Loaded, folder: &Path, is_forced: bool) -> Result<Answer> {
    if !is_forced && !is_free(folder)? {
        bail!("{} is not empty: name another folder, or write into it with --force", folder.display());
    }
    let start = Instant::now();
    let game = match Blueprint::new(loaded.program(), Some(MOST_TIME)) {
        Ok(game) => game,
        Err(declined) => {
            let why = super::reason(declined);
            writeln!(std::io::stderr(), "error: this game cannot be compiled: {why}")?;
            return Ok(Answer::No);
        }
    };
    let preparation = start.elapsed();
    let package = senet_codegen::compile(&game, &loaded.name)?;
    for (path, text) in &package.files {
        let path = folder.join(path);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&path, text)
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
    }
    writeln!(
        std::io::stderr(),
        "{}: {:.1} KB of Rust in {:.4} s; `cargo run --release` in {} plays",
        package.name,
        package.code_size() as f64 / 1000.0,
        (preparation + package.time).as_secs_f64(),
        folder.display()
    )?;
    Ok(Answer::Yes)
}

/// Whether nothing is there, or an empty folder.
fn is_free(folder: &Path) -> Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error).with_context(|| format!("cannot write into {}", folder.display())),
    }
}
