//! What only this engine does: `conformance` compares it with the judge.

use senet_engine_reference::ReferenceEngine;
use senet_engine_tables::{Declined, Options, Order, TablesEngine};
use senet_game::{Engine, GameError, PlayoutOptions, check_agreement};
use senet_gdl::Description;
use std::path::Path;

/// With the length of the matches that are compared.
const GAMES: [(&str, u32); 12] = [
    ("lines/tic-tac-toe", 100),
    ("lines/connect-four", 50),
    ("breakthrough/breakthrough-6x6", 60),
    ("hex/hex-7x7", 60),
    ("reversi/reversi-8x8", 8),
    ("puzzles/hanoi-6", 40),
    ("puzzles/lights-out-5x5", 40),
    ("matrix/rock-paper-scissors", 40),
    ("hunt/sheep-and-wolf", 40),
    ("tron/tron-10x10", 40),
    ("draughts/english-draughts", 15),
    ("chinese-checkers/chinese-checkers-3", 10),
];

fn read(game: &str) -> Description {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).with_extension("kif");
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    senet_gdl::parse_bytes(&text)
}

fn tables(description: &Description) -> Result<TablesEngine, Declined> {
    tables_with(description, Options::default())
}

fn tables_with(description: &Description, options: Options) -> Result<TablesEngine, Declined> {
    let program = senet_analysis::analyze(description, false).program.expect("the rules are right");
    TablesEngine::new(&program, options)
}

fn compare(game: &str, judge: &ReferenceEngine, engine: &TablesEngine, n_positions: u32) {
    check_agreement(judge, engine, n_positions, 3).unwrap_or_else(|error| panic!("{game}: {error}"));
}

#[test]
fn endless_terms_are_an_error() {
    let description = senet_gdl::parse(
        "(role robot) (init (n 0)) (legal robot go) (goal robot 0) (<= terminal (true (n 7)))
         (<= (more ?n) (true (n ?n))) (<= (more (s ?n)) (more ?n)) (<= (next (n ?n)) (more ?n))",
    );
    let Err(Declined::Unbounded { relation, .. }) = tables(&description) else {
        panic!("it grows without end")
    };
    assert!(["more", "next"].contains(&relation.as_str()), "{relation}");
}

#[test]
fn unknown_names_and_stuck_roles_are_told() {
    let text = "(role robot) (init a) (<= (legal robot go) (true b)) (<= terminal (true c)) (goal robot 0)";
    let engine = tables(&senet_gdl::parse(text)).unwrap();
    let mut worker = engine.worker();
    assert!(matches!(engine.state_of(&mut worker, &["(f x)".to_owned()]), Err(GameError::BadState(_))));
    let played = engine.playouts(&mut worker, PlayoutOptions::new(1, 0));
    assert!(matches!(played, Err(GameError::NoLegalMove { role, .. }) if role == "robot"));
}

#[test]
fn rules_without_tables_do_the_same() {
    for (game, n_positions) in GAMES {
        let description = read(game);
        let judge = ReferenceEngine::new(&description).unwrap();
        // No rule has tables, or only the small ones have.
        for memory in [0, 4_000] {
            let engine = tables_with(&description, Options { memory, ..Options::default() }).unwrap();
            assert!(!engine.statistics().without_tables.is_empty(), "{game}");
            compare(game, &judge, &engine, n_positions.min(12));
        }
    }
}

#[test]
fn every_rule_of_small_games_has_tables() {
    for (game, _) in GAMES {
        let engine = tables(&read(game)).unwrap();
        let statistics = engine.statistics();
        assert_eq!(statistics.without_tables, Vec::<String>::new(), "{game}");
        assert!(
            statistics.tables > 0 && statistics.knowledge_base > 0 && statistics.positions >= 100,
            "{game}"
        );
    }
}

#[test]
fn orders_play_the_same() {
    for (game, n_positions) in GAMES {
        let description = read(game);
        let options = PlayoutOptions { max_length: u64::from(n_positions), ..PlayoutOptions::new(3, 5) };
        let played = [Order::Best, Order::Original, Order::Worst].map(|order| {
            // The worst order of some games has tables that nobody would wait for.
            let engine = tables_with(&description, Options { order, memory: 1 << 24, time: None }).unwrap();
            Engine::playouts(&engine, &mut engine.worker(), options).unwrap()
        });
        assert_eq!(played[0], played[1], "{game}");
        assert_eq!(played[0], played[2], "{game}");
    }
}
