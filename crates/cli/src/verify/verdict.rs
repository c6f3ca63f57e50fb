//! One game on one engine, as people and programs read it.

use super::recorded::Found;
use serde_json::{Value, json};
use std::io::{self, Write};

/// What was found out about an engine.
pub(super) enum Verdict {
    /// It says what the reference engine says.
    Agrees { depth: u32, matches: usize, positions: u64 },
    /// It does not.
    Differs(Found),
    /// It does not take the game.
    Refused(String),
}

impl Verdict {
    pub(super) fn write(&self, out: &mut impl Write, game: &str, engine: &str) -> io::Result<()> {
        match self {
            Verdict::Agrees { depth, matches, positions } => {
                let matches = plural(*matches as u64, "match", "matches");
                let positions = plural(*positions, "position", "positions");
                writeln!(out, "{game}: {engine} agrees: perft to depth {depth}, {positions} of {matches}")
            }
            Verdict::Refused(why) => writeln!(out, "{game}: {engine} not verified: {why}"),
            Verdict::Differs((moves, aspect)) => {
                let after = plural(moves.len() as u64, "move", "moves");
                writeln!(out, "{game}: {engine} DIFFERS after {after}: {}", aspect.what)?;
                for (at, joint) in moves.iter().enumerate() {
                    let joint: Vec<String> =
                        joint.iter().map(|(role, text)| format!("{role}: {text}")).collect();
                    writeln!(out, "  {}. {}", at + 1, joint.join("   "))?;
                }
                let width = engine.len().max("reference".len());
                for (who, answer) in [("reference", &aspect.reference), (engine, &aspect.engine)] {
                    let answer = if answer.is_empty() { "nothing more".to_owned() } else { answer.join(" ") };
                    writeln!(out, "  {who:width$}  {answer}")?;
                }
                Ok(())
            }
        }
    }

    pub(super) fn json(&self, game: &str, engine: &str) -> Value {
        match self {
            Verdict::Agrees { depth, matches, positions } => json!({
                "game": game, "engine": engine, "agrees": true,
                "perft_depth": depth, "matches": matches, "positions": positions,
            }),
            Verdict::Refused(why) => json!({"game": game, "engine": engine, "refused": why}),
            Verdict::Differs((moves, aspect)) => json!({
                "game": game, "engine": engine, "agrees": false,
                "difference": {
                    "moves": moves,
                    "what": aspect.what,
                    "reference": aspect.reference,
                    "engine": aspect.engine,
                },
            }),
        }
    }
}

fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
