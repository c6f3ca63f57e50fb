//! Prints how rulesheets are drawn: `cargo run --example classes -- [--svg FOLDER] FILE…`.

use senet_boards::Survey;
use senet_game::{MoveGenerator, RoleId};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The picture is of the position after so many random moves.
const MOVES: usize = 12;

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let folder =
        arguments.next_if(|first| first == "--svg").and_then(|_| arguments.next()).map(PathBuf::from);
    for path in arguments {
        if let Err(error) = show(Path::new(&path), folder.as_deref()) {
            writeln(&format!("{path}: {error}"));
        }
    }
}

fn show(path: &Path, folder: Option<&Path>) -> Result<(), Box<dyn std::error::Error>> {
    let description = senet_gdl::parse_bytes(&std::fs::read(path)?);
    let engine = senet_engines::load("forward", &description)
        .or_else(|_| senet_engines::load("reference", &description))?;
    let start = Instant::now();
    let mut survey = Survey::new(&description, engine.role_names());
    survey.explore(&engine);
    let explored = start.elapsed();
    let layout = survey.layout();
    let learned = start.elapsed() - explored;
    writeln(&format!(
        "{} {}: {} ms to look, {} ms to learn",
        path.display(),
        layout.class().name(),
        explored.as_millis(),
        learned.as_millis()
    ));
    for shape in layout.shapes() {
        writeln(&format!(
            "    {} of {} by {}: {}",
            shape.boards,
            shape.columns.len(),
            shape.rows.len(),
            shape.relations.join(" ")
        ));
    }
    let Some(folder) = folder else { return Ok(()) };
    let roles = engine.role_names().to_vec();
    let mut game = engine.start()?;
    let mut generator = MoveGenerator::new(1);
    for _ in 0..MOVES {
        let position = game.position();
        if position.terminal || position.legal.iter().any(Vec::is_empty) {
            break;
        }
        let mut moves = std::collections::BTreeMap::new();
        for (role, name) in roles.iter().enumerate() {
            moves.insert(name.clone(), game.random_move(RoleId::new(role), &mut generator)?);
        }
        game.play(&moves)?;
    }
    let scene = layout.scene(&game.position().state, &[]);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    std::fs::write(folder.join(name).with_extension("svg"), senet_boards::svg(&scene))?;
    Ok(())
}

fn writeln(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{line}");
}
