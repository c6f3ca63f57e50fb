//! Names of engines on the command line.

use anyhow::Result;
use senet_engines::{LoadError, NAMES};

/// A mistake in a name is found before any work is done.
pub(crate) fn check(name: &str) -> Result<()> {
    match NAMES.contains(&name) {
        true => Ok(()),
        false => Err(LoadError::UnknownEngine(name.to_owned()).into()),
    }
}

/// Every engine.
pub(crate) fn all() -> impl Iterator<Item = String> {
    NAMES.iter().filter(|&&name| name != "auto").map(|&name| name.to_owned())
}
