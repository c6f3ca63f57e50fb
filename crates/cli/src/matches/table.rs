//! A match as people follow it.

use crate::play::count_moves;
use senet_protocol::Record;
use std::io::{self, Write};

/// Who plays, before the first move; then the last move of each role, with the time it took.
pub(super) fn write_step(out: &mut impl Write, record: &Record) -> io::Result<()> {
    let step = record.moves.len();
    if step == 0 {
        let names = record.roles.iter().zip(&record.player_names_from_host);
        let names: Vec<String> = names.map(|(role, name)| format!("{role} is {name}")).collect();
        return writeln!(out, "{}: {}. Seed {}.", record.game, names.join(", "), record.seed.unwrap_or(0));
    }
    let parts: Vec<String> = (0..record.roles.len()).map(|role| part(record, step, role)).collect();
    writeln!(out, "{step:>3}. {}", parts.join("   "))
}

/// One role's part of a step: `x: mark 2 2 0.51 s`, or `x: mark 2 2 [TO] 6.00 s` where the referee moved.
fn part(record: &Record, step: usize, role: usize) -> String {
    let name = &record.roles[role];
    let text = shown(&record.moves[step - 1][role]);
    let error = match record.error(step, role) {
        Some(error) => format!(" [{error}]"),
        None => String::new(),
    };
    // Exchanges stand in the order of the steps: the last one of this step is near the end.
    let exchanges = record.exchanges.iter().rev();
    let exchange = exchanges.take_while(|exchange| exchange.step + 1 >= step);
    let exchange =
        exchange.filter(|exchange| exchange.step + 1 == step).find(|exchange| exchange.role == *name);
    match exchange {
        Some(exchange) => format!("{name}: {text}{error} {:.2} s", exchange.round_trip / 1e3),
        None => format!("{name}: {text}{error}"),
    }
}

/// A move without its outermost parentheses.
pub(crate) fn shown(text: &str) -> &str {
    text.strip_prefix("( ").and_then(|text| text.strip_suffix(" )")).unwrap_or(text)
}

/// How it ended.
pub(super) fn write_end(out: &mut impl Write, record: &Record) -> io::Result<()> {
    let n_moves = count_moves(record.moves.len());
    if let Some(error) = &record.game_error {
        return writeln!(out, "The rules end the match after {n_moves}: {error}.");
    }
    if !record.is_completed {
        return writeln!(out, "The match is left after {n_moves}.");
    }
    let scores = record.roles.iter().zip(&record.goal_values);
    let scores: Vec<String> = scores.map(|(role, value)| format!("{role} {value}")).collect();
    writeln!(out, "The match is over after {n_moves}: {}.", scores.join(", "))?;
    for (role, name) in record.roles.iter().enumerate() {
        let n_replaced = (1..=record.moves.len()).filter(|&step| record.error(step, role).is_some()).count();
        if n_replaced > 0 {
            writeln!(out, "The referee chose {} of {name}.", count_moves(n_replaced))?;
        }
    }
    Ok(())
}
