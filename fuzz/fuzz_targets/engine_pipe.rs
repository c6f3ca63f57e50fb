//! Any requests about any game are answered, each with one line of JSON.
//!
//! An input is a digit for a built-in game, or any other byte, a rulesheet and `%`; then requests, one a line.

#![no_main]

mod quick;

use libfuzzer_sys::fuzz_target;
use quick::is_quick;
use serde_json::{Value, json};

/// Small enough that a request takes no time.
const GAMES: [&str; 5] = ["tic-tac-toe", "rock-paper-scissors", "ary-tree", "hanoi-6", "eight-queens"];

const LONGEST_RULESHEET: usize = 300;
const LONGEST_INPUT: usize = 2_000;
const MOST_REQUESTS: usize = 20;

fuzz_target!(|input: &[u8]| {
    let input = &input[..input.len().min(LONGEST_INPUT)];
    let Some((&choice, rest)) = input.split_first() else { return };
    let (description, requests) = match GAMES.get(usize::from(choice.wrapping_sub(b'0'))) {
        Some(name) => {
            let game = senet_engines::library::find(name).expect("a built-in game");
            (senet_gdl::parse(&game.text), rest)
        }
        None => {
            let end = rest.iter().position(|&byte| byte == b'%').unwrap_or(rest.len());
            let (rules, requests) = rest.split_at(end);
            let description = senet_gdl::parse_bytes(&rules[..rules.len().min(LONGEST_RULESHEET)]);
            if !is_quick(&description) {
                return;
            }
            (description, requests.get(1..).unwrap_or_default())
        }
    };
    let Ok(engine) = senet_engines::load("reference", &description) else { return };
    let requests: Vec<_> = requests.split(|&byte| byte == b'\n').take(MOST_REQUESTS).map(shortened).collect();

    let mut output = Vec::new();
    senet_cli::engine_pipe::serve(engine, &|| None, "fuzz", requests.join(&b'\n').as_slice(), &mut output)
        .expect("memory can be read and written");

    let output = String::from_utf8(output).expect("answers are text");
    let asked = requests.iter().filter(|request| !request.trim_ascii().is_empty());
    let asked: Vec<_> =
        asked.map(|request| op_of(request)).take_while(|op| op.as_deref() != Some("quit")).collect();
    assert_eq!(output.lines().count(), asked.len(), "an answer for each request:\n{output}");
    for (line, op) in output.lines().zip(asked) {
        let answer: Value = serde_json::from_str(line).expect("an answer is JSON");
        if let Some(error) = answer.get("error") {
            assert!(error["code"].is_string() && error["message"].is_string(), "{line}");
        } else if matches!(op.as_deref(), Some("new" | "play" | "undo" | "set")) {
            assert!(answer["state"].is_array() && answer["terminal"].is_boolean(), "{line}");
            assert!(answer["goals"].is_object() && answer["legal"].is_object(), "{line}");
        }
    }
});

fn op_of(request: &[u8]) -> Option<String> {
    let request: Value = serde_json::from_slice(request).ok()?;
    Some(request.get("op")?.as_str()?.to_owned())
}

/// The request, with few playouts if it asks for many.
fn shortened(request: &[u8]) -> Vec<u8> {
    match serde_json::from_slice::<Value>(request) {
        Ok(mut request) if request["count"].is_u64() => {
            request["count"] = json!(request["count"].as_u64().unwrap_or(0) % 3);
            request.to_string().into_bytes()
        }
        _ => request.to_vec(),
    }
}
