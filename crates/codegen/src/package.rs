//! The package that is made of a game.

use crate::expected::Expected;
use crate::model::Model;
use crate::names::Names;
use crate::write;
use senet_engine_forward::Blueprint;
use senet_game::GameError;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A cargo package that plays one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// What cargo calls it.
    pub name: String,
    /// Paths within the package, and what is in the files.
    pub files: Vec<(PathBuf, String)>,
    /// How long the transformation took, without the answers that the tests compare.
    pub time: Duration,
}

impl Package {
    /// The size of the Rust code without tests, in bytes.
    pub fn code_size(&self) -> usize {
        let code = self.files.iter().filter(|(path, _)| path.starts_with("src"));
        code.map(|(_, text)| text.len()).sum()
    }
}

/// Compiles a game. The name is the game's; characters that cargo does not take are replaced.
pub fn compile(game: &Blueprint, name: &str) -> Result<Package, GameError> {
    let start = Instant::now();
    let name = Names::default().snake(name);
    let mut outline = game.outline();
    let model = Model::new(&mut outline);
    let is_hashed = model
        .layouts
        .iter()
        .any(|layout| !layout.is_dense || layout.indexes.iter().any(|index| !index.is_dense));
    let mut modules = vec!["terms"];
    let mut files = vec![
        ("Cargo.toml", manifest(&name)),
        (
            "rustfmt.toml",
            "max_width = 110\nuse_small_heuristics = \"Max\"\nreorder_modules = false\n".to_owned(),
        ),
        ("src/terms.rs", write::terms(&model)),
    ];
    let mut add = |module: &'static str, path: &'static str, text: String| {
        modules.push(module);
        files.push((path, text));
    };
    if model.has_compounds() {
        add("compound", "src/compound.rs", include_str!("../template/compound.rs").to_owned());
    }
    if !model.flat.permanent.is_empty() {
        add("tables", "src/tables.rs", write::tables(&model));
    }
    add("index", "src/index.rs", include_str!("../template/index.rs").to_owned());
    if is_hashed {
        add("hashed", "src/hashed.rs", include_str!("../template/hashed.rs").to_owned());
    }
    add("facts", "src/facts.rs", write::facts(&model));
    add("rules", "src/rules.rs", write::rules(&model));
    add("game", "src/game.rs", write::game(&model));
    add("playout", "src/playout.rs", include_str!("../template/playout.rs").to_owned());
    let main = include_str!("../template/main.rs").replace("PACKAGE", &name).replace("PROGRAM", &name);
    files.push(("src/lib.rs", library(&name, &modules)));
    files.push(("src/main.rs", main));
    let time = start.elapsed();
    files.push(("tests/recorded.rs", write::recorded(&name, &Expected::of(game.engine())?)));
    let files = files.into_iter().map(|(path, text)| (Path::new(path).to_owned(), text)).collect();
    Ok(Package { name, files, time })
}

fn manifest(name: &str) -> String {
    format!(
        "[package]
name = \"{name}\"
version = \"0.1.0\"
edition = \"2024\"
publish = false

[dependencies]
rand = {{ version = \"0.10\", default-features = false }}

[profile.dev]
opt-level = 1

[profile.release]
lto = \"fat\"
codegen-units = 1
panic = \"abort\"

[workspace]
"
    )
}

fn library(name: &str, modules: &[&str]) -> String {
    let modules: String = modules.iter().map(|module| format!("pub mod {module};\n")).collect();
    format!("//! The game `{name}`, compiled from its rules by Senet.\n\n{modules}")
}
