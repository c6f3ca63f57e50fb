//! `senet games`

use crate::args::GamesArgs;
use crate::run::Answer;
use anyhow::{Result, bail};
use comfy_table::{ContentArrangement, Table, presets};
use senet_engines::library;
use serde_json::json;
use std::io::Write;

pub(crate) fn run(args: &GamesArgs) -> Result<Answer> {
    let mut out = std::io::stdout().lock();
    if let Some(name) = &args.show {
        let Some(game) = library::find(name) else {
            let names = library::names();
            match senet_gdl::nearest(name, names.iter().map(String::as_str)) {
                Some(similar) => bail!("there is no built-in game `{name}`: did you mean `{similar}`?"),
                None => bail!("there is no built-in game `{name}`: `senet games` lists them"),
            }
        };
        out.write_all(game.text.as_bytes())?;
        return Ok(Answer::Yes);
    }
    let games = library::all();
    if args.json {
        let rows: Vec<_> = games
            .iter()
            .map(|game| {
                json!({
                    "name": game.name, "family": game.family, "title": game.title,
                    "players": game.players, "summary": game.summary, "rules": game.source,
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(Answer::Yes);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["name", "players", "summary"]);
    for game in &games {
        table.add_row([&game.name, &game.players, &game.summary]);
    }
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "\nPlay one with `senet play NAME`, read its rules with `senet games --show NAME`.")?;
    Ok(Answer::Yes)
}
