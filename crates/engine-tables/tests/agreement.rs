//! The engine against the judge, on the built-in games.

use senet_engine_reference::ReferenceEngine;
use senet_engine_tables::{Declined, Options, Order, TablesEngine};
use senet_game::{Engine, GameError, PlayoutOptions, check_agreement, check_laws};
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
    senet_gdl::parse_bytes(&text).0
}

fn tables(description: &Description) -> Result<TablesEngine, Declined> {
    tables_with(description, Options::default())
}

fn tables_with(description: &Description, options: Options) -> Result<TablesEngine, Declined> {
    let program =
        senet_analysis::analyze(description, Vec::new(), false).program.expect("the rules are right");
    TablesEngine::new(&program, options)
}

fn engines(text: &str) -> (ReferenceEngine, TablesEngine) {
    let description = senet_gdl::parse(text).0;
    (ReferenceEngine::new(&description).unwrap(), tables(&description).unwrap())
}

#[test]
fn every_position_of_random_matches_is_the_same() {
    for (game, n_positions) in GAMES {
        let description = read(game);
        let judge = ReferenceEngine::new(&description).unwrap();
        compare(game, &judge, &tables(&description).unwrap(), n_positions);
    }
}

fn compare(game: &str, judge: &ReferenceEngine, engine: &TablesEngine, n_positions: u32) {
    check_agreement(judge, engine, n_positions, 3).unwrap_or_else(|error| panic!("{game}: {error}"));
}

#[test]
fn a_seed_gives_the_same_playouts() {
    for (game, n_positions) in GAMES {
        let description = read(game);
        let judge = ReferenceEngine::new(&description).unwrap();
        let engine = tables(&description).unwrap();
        let options = PlayoutOptions { max_length: u64::from(n_positions), ..PlayoutOptions::new(3, 11) };
        let expected = Engine::playouts(&judge, &mut judge.worker(), options).unwrap();
        assert_eq!(engine.playouts(&mut engine.worker(), options).unwrap(), expected, "{game}");
        assert_eq!(senet_game::playouts(&engine, &mut engine.worker(), options).unwrap(), expected, "{game}");
    }
}

#[test]
fn laws_are_kept() {
    for (game, _) in GAMES {
        let description = read(game);
        check_laws(&tables(&description).unwrap(), &description.symbols, 2, 5).unwrap();
    }
}

/// Moves are seen by `next`, and by nothing else: `seen` is asked by `legal` too, where no move holds.
#[test]
fn what_depends_on_moves_is_derived_with_and_without_them() {
    let (judge, engine) = engines(
        "(role robot) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
         (<= (seen ?m) (does robot ?m)) (<= (legal robot go) (not (seen go))) (<= (legal robot stay) (true (step 1)))
         (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y) (seen go))
         (<= (next ?f) (true ?f) (seen stay))
         (<= terminal (true (step 3))) (<= (goal robot 100) (true (step 3))) (<= (goal robot 0) (not (true (step 3))))",
    );
    compare("seen", &judge, &engine, 40);
}

/// Facts of `wet` make others, through loops and compound terms.
#[test]
fn recursion_comes_to_an_end() {
    let (judge, engine) = engines(
        "(role robot) (init (at (pair a b))) (legal robot go) (link a b) (link b c) (link c a) (link c d)
         (<= (wet (pair ?x ?y)) (true (at (pair ?x ?y))))
         (<= (wet (pair ?y ?z)) (wet (pair ?x ?y)) (link ?y ?z))
         (<= (reach ?x ?y) (link ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
         (<= (next (at (pair ?y ?z))) (true (at (pair ?x ?y))) (link ?y ?z))
         (<= terminal (true (at (pair c d)))) (<= (goal robot 100) (wet (pair c d)) (reach a d)) (goal robot 100)",
    );
    compare("wet", &judge, &engine, 40);
}

#[test]
fn endless_terms_are_an_error() {
    let description = senet_gdl::parse(
        "(role robot) (init (n 0)) (legal robot go) (goal robot 0) (<= terminal (true (n 7)))
         (<= (more ?n) (true (n ?n))) (<= (more (s ?n)) (more ?n)) (<= (next (n ?n)) (more ?n))",
    )
    .0;
    let Err(Declined::Unbounded { relation, .. }) = tables(&description) else {
        panic!("it grows without end")
    };
    assert!(["more", "next"].contains(&relation.as_str()), "{relation}");
}

#[test]
fn unknown_names_and_stuck_roles_are_told() {
    let (_, engine) =
        engines("(role robot) (init a) (<= (legal robot go) (true b)) (<= terminal (true c)) (goal robot 0)");
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

/// Paths are asked only from where the pieces are; with so many squares they are derived for those alone.
#[test]
fn large_relations_are_derived_on_demand() {
    let numbers: String = (0..22).map(|n| format!("(succ {n} {}) ", n + 1)).collect();
    let (judge, engine) = engines(&format!(
        "{numbers} (role robot) (init (at 3 4)) (init (wall 9 4)) (init (step 0))
         (<= (number ?x) (succ ?x ?y)) (<= (free ?x ?y) (number ?x) (number ?y) (not (true (wall ?x ?y))))
         (<= (path ?x ?y ?z ?y) (succ ?x ?z) (free ?z ?y)) (<= (path ?x ?y ?x ?z) (succ ?z ?y) (free ?x ?z))
         (<= (path ?x ?y ?v ?w) (path ?x ?y ?t ?u) (path ?t ?u ?v ?w))
         (<= (legal robot (go ?v ?w)) (true (at ?x ?y)) (path ?x ?y ?v ?w)) (legal robot stay)
         (<= (next (at ?x ?y)) (does robot (go ?x ?y))) (<= (next (at ?x ?y)) (true (at ?x ?y)) (does robot stay))
         (<= (next (wall ?x ?y)) (true (wall ?x ?y))) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
         (<= terminal (true (step 9))) (<= (goal robot 100) (true (at 9 ?y))) (<= (goal robot 0) (not (true (at 9 4))))"
    ));
    compare("path", &judge, &engine, 12);
}
