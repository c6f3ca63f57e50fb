//! `senet perft`

use crate::args::PerftArgs;
use crate::load::load;
use crate::progress;
use crate::run::Answer;
use anyhow::Result;
use senet_game::{PerftOptions, PerftRow};
use std::io::Write;
use std::time::Instant;

pub(crate) fn run(args: &PerftArgs) -> Result<Answer> {
    let Ok(loaded) = load(&args.game.game)? else { return Ok(Answer::No) };
    let engine = loaded.engine(&args.engine.engine)?;
    let mut out = std::io::stdout();
    let start = Instant::now();
    let spinner = progress::spinner("counting");
    if !args.json {
        writeln!(
            out,
            "{:>5} {:>16} {:>14} {:>14} {:>9}",
            "depth", "nodes", "terminals", "distinct", "seconds"
        )?;
    }
    let mut written = Ok(());
    let mut last = None;
    let mut write_row = |row: PerftRow| {
        last = Some(row);
        let line = if args.json {
            serde_json::to_string(&row).expect("numbers are JSON")
        } else {
            let PerftRow { depth, nodes, terminals, distinct } = row;
            let seconds = start.elapsed().as_secs_f64();
            format!("{depth:>5} {nodes:>16} {terminals:>14} {distinct:>14} {seconds:>9.2}")
        };
        if written.is_ok() {
            written = spinner.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()));
        }
    };
    let counted = engine.perft(PerftOptions { depth: args.depth, node_limit: args.nodes }, &mut write_row);
    spinner.finish_and_clear();
    written?;
    counted?;
    let goes_on = last.is_none_or(|row| row.depth < args.depth && row.nodes > row.terminals);
    if goes_on && args.depth > 0 {
        let depth = last.map_or(1, |row| row.depth + 1);
        writeln!(std::io::stderr(), "note: depth {depth} has more than {} nodes: not counted", args.nodes)?;
    }
    Ok(Answer::Yes)
}
