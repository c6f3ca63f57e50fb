//! The numbers of `perft/*.perft`, counted by every engine.
//!
//! `SENET_PERFT_NODES` is the largest number of sequences to count at one depth.

use libtest_mimic::{Failed, Trial};
use senet_conformance::{Game, read_perft, workspace};
use senet_game::PerftOptions;
use std::fmt::Write;
use std::sync::Arc;

/// Keeps all games together well under three minutes with the slowest engine.
const DEFAULT_NODES: u64 = 20_000;

pub(crate) fn trials(games: &[Arc<Game>]) -> Vec<Trial> {
    let nodes = match std::env::var("SENET_PERFT_NODES") {
        Ok(text) => text.replace('_', "").parse().expect("SENET_PERFT_NODES is a number"),
        Err(_) => DEFAULT_NODES,
    };
    senet_conformance::trials("perft", games, move |game, engine| check(game, engine, nodes))
}

fn check(game: &Game, engine: &'static str, nodes: u64) -> Result<(), Failed> {
    let file = workspace().join("conformance/perft").join(&game.built_in.name).with_extension("perft");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let expected = read_perft(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    // The first depth is counted however wide it is.
    let depth = expected.iter().take_while(|row| row.nodes <= nodes).count().max(1);
    let engine = game.sheet.engine(engine)?;
    let mut rows = Vec::new();
    let options = PerftOptions { depth: depth as u32, node_limit: u64::MAX };
    engine.perft(options, &mut |row| rows.push(row))?;
    let expected = &expected[..depth];
    if rows.len() == depth && expected.iter().zip(&rows).all(|(expected, row)| expected.agrees(row)) {
        return Ok(());
    }
    let mut message = String::new();
    for (at, expected) in expected.iter().enumerate() {
        let row = rows.get(at);
        let verdict = if row.is_some_and(|row| expected.agrees(row)) { "same" } else { "DIFFERENT" };
        writeln!(message, "{verdict}: expected {expected:?}\n      counted {row:?}")
            .expect("a string takes text");
    }
    Err(message.into())
}
