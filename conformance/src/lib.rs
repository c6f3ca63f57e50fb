//! Tests of every game times every engine: see the `tests` folder. Here is what they share.

mod sheet;
mod game;
mod chaining;
mod ground_play;
mod grounded;
mod peculiar;
mod perft_file;
mod record;

pub use chaining::Chaining;
pub use game::{Game, games, trials};
pub use ground_play::GroundPlay;
pub use grounded::{Grounded, METHODS, MODES};
pub use peculiar::peculiar_sheets;
pub use perft_file::{Expected, read_perft};
pub use record::{compare, moves_of};
pub use sheet::Sheet;

use libtest_mimic::{Failed, Trial};
use sha1::{Digest, Sha1};
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package stands in the workspace")
}

/// The folder of `path` in the reference material beside the workspace, if it is there.
pub fn shared(path: &str) -> Option<PathBuf> {
    Some(workspace().parent()?.join("shared").join(path)).filter(|path| path.exists())
}

/// Stands for the tests that need `path` of the reference material, where it is missing: `cargo test` lists it as ignored.
/// It fails if ignored tests are asked for.
pub fn skipped(path: &str) -> Trial {
    let why = format!("../shared/{path} is missing");
    Trial::test(format!("skipped: {why}"), || Err(why.into())).with_ignored_flag(true)
}

/// The text of a rulesheet of the reference material, such as `ggp-org/ticTacToe`.
pub fn shared_rulesheet(name: &str) -> Result<String, Failed> {
    let path = shared("games").ok_or("../shared/games is not there")?.join(format!("{name}.kif"));
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The digest by which recorded matches name long lists.
pub fn sha1_hex(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The engines that can be asked for by name.
pub fn engines() -> impl Iterator<Item = &'static str> {
    senet_engines::NAMES.into_iter().filter(|&name| name != "auto")
}
