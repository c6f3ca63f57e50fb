//! GAME on the command line: a file, standard input or a built-in game.

use anyhow::{Context, Result, bail};
use senet_engines::library;
use std::io::Read;
use std::path::Path;

/// A rulesheet and what to call it.
pub(crate) struct GameSource {
    /// The file's name without folder and ending, or the built-in game's.
    pub(crate) name: String,
    /// What errors call the place: the path as given.
    pub(crate) origin: String,
    pub(crate) bytes: Vec<u8>,
}

/// Reads GAME. A path that exists comes before a built-in game of the same name.
pub(crate) fn read(game: &str) -> Result<GameSource> {
    if game == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(GameSource { name: "stdin".into(), origin: "<stdin>".into(), bytes });
    }
    let path = Path::new(game);
    if path.exists() && !path.is_dir() {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {game}"))?;
        let name = path.file_stem().map_or(game.into(), |stem| stem.to_string_lossy().into_owned());
        return Ok(GameSource { name, origin: game.to_owned(), bytes });
    }
    if let Some(built_in) = library::find(game) {
        let origin = format!("{}.kif", built_in.name);
        return Ok(GameSource { name: built_in.name, origin, bytes: built_in.text.into_bytes() });
    }
    if path.is_dir() {
        bail!("{game} is a folder: name a file in it");
    }
    let names = library::names();
    match senet_gdl::nearest(game, names.iter().map(String::as_str)) {
        Some(name) => bail!("there is no file and no built-in game `{game}`: did you mean `{name}`?"),
        None => {
            bail!("there is no file and no built-in game `{game}`: `senet games` lists the built-in ones")
        }
    }
}
