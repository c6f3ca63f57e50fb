//! `senet perft`

use crate::args::PerftArgs;
use crate::game_source;
use crate::run::Answer;
use anyhow::Result;
use senet_game::PerftOptions;
use std::io::Write;

pub(crate) fn run(args: &PerftArgs) -> Result<Answer> {
    let source = game_source::read(&args.game.game)?;
    let (description, _) = senet_gdl::parse_bytes(&source.bytes);
    let engine = senet_engines::load(&args.engine.engine, &description)?;
    let mut out = std::io::stdout().lock();
    let mut written = Ok(());
    engine.perft(PerftOptions { depth: args.depth, node_limit: args.nodes }, &mut |row| {
        let line = format!(
            "{{\"depth\": {}, \"nodes\": {}, \"terminals\": {}, \"distinct\": {}}}",
            row.depth, row.nodes, row.terminals, row.distinct
        );
        if written.is_ok() {
            written = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    })?;
    written?;
    Ok(Answer::Yes)
}
