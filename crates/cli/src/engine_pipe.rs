//! `senet engine`: a game driven over a pipe, one JSON object a line. The
//! public interface is described in `docs/engine-pipe.md`.

use crate::excerpt::shorten;
use senet_game::{AnyEngine, AnyMatch, GameError, PlayError, PlayoutOptions};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

/// A longer request is refused: no position of a real game comes near.
const LONGEST_REQUEST: u64 = 64 << 20;

/// A request that cannot be answered.
struct Refusal {
    code: &'static str,
    message: String,
}

impl Refusal {
    fn bad_request(message: impl Into<String>) -> Self {
        Self { code: "bad-request", message: message.into() }
    }
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Self {
        Self { code: error.code(), message: error.to_string() }
    }
}

impl From<GameError> for Refusal {
    fn from(error: GameError) -> Self {
        PlayError::from(error).into()
    }
}

/// The line that says why there will be no answers.
pub fn error_line(code: &str, message: &str) -> String {
    json!({"error": {"code": code, "message": shorten(message)}}).to_string()
}

/// Makes an engine when it is needed.
pub type MakeEngine<'a> = &'a dyn Fn() -> Option<Arc<dyn AnyEngine>>;

/// Answers requests until `quit` or the end of the input. `for_any_state` makes the engine that takes over where the
/// other one refuses a state from outside.
pub fn serve(
    engine: Arc<dyn AnyEngine>,
    for_any_state: MakeEngine<'_>,
    name: &str,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut pipe = Pipe { engine, for_any_state, name: name.to_owned(), game: None, is_from_outside: false };
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST_REQUEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let is_cut = line.len() as u64 == LONGEST_REQUEST && line.last() != Some(&b'\n');
        if is_cut {
            skip_line(&mut input)?;
        } else if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = if is_cut {
            Err(Refusal::bad_request(format!("a request has at most {LONGEST_REQUEST} bytes")))
        } else {
            pipe.answer(&line)
        };
        let text = match answer {
            Ok(Some(answer)) => answer.to_string(),
            Ok(None) => return Ok(()),
            Err(Refusal { code, message }) => error_line(code, &message),
        };
        writeln!(output, "{text}")?;
        output.flush()?;
    }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        let done = end.is_some() || buffer.is_empty();
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

struct Pipe<'a> {
    engine: Arc<dyn AnyEngine>,
    for_any_state: MakeEngine<'a>,
    name: String,
    /// Begun with the first request that needs it, so that a game without an initial position can still be asked
    /// for its roles.
    game: Option<Box<dyn AnyMatch>>,
    /// Whether the engine for any state plays it.
    is_from_outside: bool,
}

impl Pipe<'_> {
    /// `None` for `quit`.
    fn answer(&mut self, line: &[u8]) -> Result<Option<Value>, Refusal> {
        let request: Value = serde_json::from_slice(line)
            .map_err(|error| Refusal { code: "bad-json", message: format!("this is not JSON: {error}") })?;
        let op = request.get("op").and_then(Value::as_str);
        let op = op.ok_or_else(|| Refusal::bad_request("a request is an object with a string `op`"))?;
        match op {
            "info" => Ok(Some(json!({
                "name": self.name,
                "roles": self.engine.role_names(),
                "engine": self.engine.name(),
            }))),
            "new" => {
                if std::mem::take(&mut self.is_from_outside) {
                    self.game = None;
                }
                self.game()?.restart()?;
                self.position().map(Some)
            }
            "play" => {
                let moves = moves(&request)?;
                self.game()?.play(&moves)?;
                self.position().map(Some)
            }
            "undo" => {
                self.game()?.undo()?;
                self.position().map(Some)
            }
            "set" => {
                let facts = facts(&request)?;
                self.set(&facts)?;
                self.position().map(Some)
            }
            "playouts" => self.playouts(&request).map(Some),
            "quit" => Ok(None),
            _ => {
                let known = ["info", "new", "play", "undo", "set", "playouts", "quit"];
                let hint = senet_gdl::nearest(op, known).map_or(known.join(", "), str::to_owned);
                Err(Refusal::bad_request(format!("there is no op `{op}`: try {hint}")))
            }
        }
    }

    fn set(&mut self, facts: &[String]) -> Result<(), Refusal> {
        let set = match &mut self.game {
            Some(game) => game.set(facts),
            None => self.engine.clone().start_from(facts).map(|game| self.game = Some(game)),
        };
        match (set, self.for_any_state) {
            (Err(refused @ GameError::BadState(_)), make) => {
                let engine = make().ok_or(refused)?;
                self.game = Some(engine.start_from(facts)?);
                self.is_from_outside = true;
                Ok(())
            }
            (set, _) => Ok(set?),
        }
    }

    fn game(&mut self) -> Result<&mut Box<dyn AnyMatch>, Refusal> {
        if self.game.is_none() {
            self.game = Some(self.engine.clone().start()?);
        }
        Ok(self.game.as_mut().expect("just begun"))
    }

    fn position(&mut self) -> Result<Value, Refusal> {
        let position = self.game()?.position();
        let roles = self.engine.role_names();
        let by_role = |values: Vec<Value>| Value::Object(roles.iter().cloned().zip(values).collect());
        let goals = by_role(position.goals.into_iter().map(Value::from).collect());
        let legal = if position.terminal {
            Value::Object(Map::new())
        } else {
            by_role(position.legal.into_iter().map(Value::from).collect())
        };
        Ok(json!({"state": position.state, "terminal": position.terminal, "goals": goals, "legal": legal}))
    }

    fn playouts(&mut self, request: &Value) -> Result<Value, Refusal> {
        let number = |key: &str, default: u64| match request.get(key) {
            None => Ok(default),
            Some(value) => {
                let number = value.as_u64();
                number.ok_or_else(|| Refusal::bad_request(format!("`{key}` is a whole number, not {value}")))
            }
        };
        let options = PlayoutOptions::new(number("count", 1)?, number("seed", 0)?);
        let statistics = self.engine.playouts(options)?;
        let roles = self.engine.role_names();
        let by_role = |values: Vec<Option<f64>>| -> Map<_, _> {
            roles.iter().cloned().zip(values.into_iter().map(Value::from)).collect()
        };
        Ok(json!({
            "playouts": statistics.playouts,
            "cut": statistics.cut,
            "states": statistics.states,
            "mean_length": statistics.mean_length(),
            "length_variance": statistics.length_variance(),
            "mean_goals": by_role(statistics.mean_goals()),
            "goal_variances": by_role(statistics.goal_variances()),
            "engine": self.engine.name(),
        }))
    }
}

/// The moves of a `play` request in canonical text. What is no term is left
/// as it is: the match will say that it is not legal.
fn moves(request: &Value) -> Result<BTreeMap<String, String>, Refusal> {
    let canonical = |text: &str| senet_gdl::canonical(text).unwrap_or_else(|_| text.to_owned());
    let moves = request.get("moves").and_then(Value::as_object);
    let moves =
        moves.ok_or_else(|| Refusal::bad_request("`play` needs an object `moves`: a move for each role"))?;
    let mut by_role = BTreeMap::new();
    for (role, text) in moves {
        let text = text.as_str();
        let text =
            text.ok_or_else(|| Refusal::bad_request(format!("the move of `{role}` is not a string")))?;
        if by_role.insert(canonical(role), canonical(text)).is_some() {
            return Err(Refusal::bad_request(format!("`{role}` has two moves")));
        }
    }
    Ok(by_role)
}

fn facts(request: &Value) -> Result<Vec<String>, Refusal> {
    let facts = request.get("state").and_then(Value::as_array);
    let facts =
        facts.ok_or_else(|| Refusal::bad_request("`set` needs an array `state`: the facts that hold"))?;
    let text = |fact: &Value| fact.as_str().map(str::to_owned);
    let texts: Option<Vec<_>> = facts.iter().map(text).collect();
    texts.ok_or_else(|| Refusal::bad_request("every fact of `state` is a string"))
}
