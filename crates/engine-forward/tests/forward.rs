//! What only this engine does: `conformance` compares it with the judge.

use senet_engine_forward::{Declined, ForwardEngine, Options};
use senet_game::{Engine, GameError, PlayoutOptions};
use senet_gdl::Description;
use std::path::Path;

const GAMES: [&str; 12] = [
    "lines/tic-tac-toe",
    "lines/connect-four",
    "breakthrough/breakthrough-6x6",
    "hex/hex-7x7",
    "reversi/reversi-8x8",
    "puzzles/hanoi-6",
    "puzzles/lights-out-5x5",
    "matrix/rock-paper-scissors",
    "hunt/sheep-and-wolf",
    "tron/tron-10x10",
    "draughts/english-draughts",
    "chinese-checkers/chinese-checkers-3",
];

fn read(game: &str) -> Description {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).with_extension("kif");
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    senet_gdl::parse_bytes(&text)
}

fn forward(description: &Description) -> Result<ForwardEngine, Declined> {
    let program = senet_analysis::analyze(description, false).program.expect("the rules are right");
    ForwardEngine::new(&program, Options::default())
}

#[test]
fn endless_terms_are_an_error() {
    let description = senet_gdl::parse(
        "(role robot) (init (n 0)) (legal robot go) (goal robot 0) (<= terminal (true (n 7)))
         (<= (more ?n) (true (n ?n))) (<= (more (s ?n)) (more ?n)) (<= (next (n ?n)) (more ?n))",
    );
    let Err(Declined::Game(GameError::Unbounded { relation, .. })) = forward(&description) else {
        panic!("it grows without end")
    };
    assert_eq!(relation, "more");
}

#[test]
fn unknown_names_and_stuck_roles_are_told() {
    let text = "(role robot) (init a) (<= (legal robot go) (true b)) (<= terminal (true c)) (goal robot 0)";
    let engine = forward(&senet_gdl::parse(text)).unwrap();
    let mut worker = engine.worker();
    assert!(matches!(engine.state_of(&mut worker, &["(f x)".to_owned()]), Err(GameError::BadState(_))));
    let played = engine.playouts(&mut worker, PlayoutOptions::new(1, 0));
    assert!(matches!(played, Err(GameError::NoLegalMove { role, .. }) if role == "robot"));
}

#[test]
fn there_is_an_end_of_time() {
    let numbers: String = (0..200).map(|n| format!("(n {n}) ")).collect();
    let text = format!(
        "{numbers} (role robot) (init a) (legal robot go) (<= terminal (true b)) (goal robot 0)
         (<= (next b) (triple ?x ?y ?z)) (<= (triple ?x ?y ?z) (n ?x) (n ?y) (n ?z))"
    );
    let description = senet_gdl::parse(&text);
    let program = senet_analysis::analyze(&description, false).program.unwrap();
    let Err(Declined::Game(GameError::Unbounded { relation, .. })) =
        ForwardEngine::new(&program, Options { time: Some(std::time::Duration::ZERO), ..Options::default() })
    else {
        panic!("there was no time")
    };
    assert_eq!(relation, "triple");
}

#[test]
fn what_stays_is_the_same_as_what_is_derived_anew() {
    for game in GAMES {
        let description = read(game);
        let program = senet_analysis::analyze(&description, false).program.unwrap();
        let played = [true, false].map(|temporization| {
            let engine =
                ForwardEngine::new(&program, Options { temporization, ..Options::default() }).unwrap();
            Engine::playouts(&engine, &mut engine.worker(), PlayoutOptions::new(3, 7)).unwrap()
        });
        assert_eq!(played[0], played[1]);
    }
}
