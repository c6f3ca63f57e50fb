//! The engine against the judge, on the built-in games.

use senet_engine_forward::{Declined, ForwardEngine, Options};
use senet_engine_reference::ReferenceEngine;
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

fn forward(description: &Description) -> Result<ForwardEngine, Declined> {
    let program =
        senet_analysis::analyze(description, Vec::new(), false).program.expect("the rules are right");
    ForwardEngine::new(&program, Options::default())
}

fn engines(text: &str) -> (ReferenceEngine, ForwardEngine) {
    let description = senet_gdl::parse(text).0;
    (ReferenceEngine::new(&description).unwrap(), forward(&description).unwrap())
}

#[test]
fn every_position_of_random_matches_is_the_same() {
    for (game, n_positions) in GAMES {
        let description = read(game);
        let judge = ReferenceEngine::new(&description).unwrap();
        compare(game, &judge, &forward(&description).unwrap(), n_positions);
    }
}

fn compare(game: &str, judge: &ReferenceEngine, engine: &ForwardEngine, n_positions: u32) {
    check_agreement(judge, engine, n_positions, 3).unwrap_or_else(|error| panic!("{game}: {error}"));
}

#[test]
fn a_seed_gives_the_same_playouts() {
    for (game, n_positions) in GAMES {
        let description = read(game);
        let judge = ReferenceEngine::new(&description).unwrap();
        let engine = forward(&description).unwrap();
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
        check_laws(&forward(&description).unwrap(), &description.symbols, 2, 5).unwrap();
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
    let Err(Declined::Game(GameError::Unbounded { relation, .. })) = forward(&description) else {
        panic!("it grows without end")
    };
    assert_eq!(relation, "more");
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
fn there_is_an_end_of_time() {
    let numbers: String = (0..200).map(|n| format!("(n {n}) ")).collect();
    let text = format!(
        "{numbers} (role robot) (init a) (legal robot go) (<= terminal (true b)) (goal robot 0)
         (<= (next b) (triple ?x ?y ?z)) (<= (triple ?x ?y ?z) (n ?x) (n ?y) (n ?z))"
    );
    let description = senet_gdl::parse(&text).0;
    let program = senet_analysis::analyze(&description, Vec::new(), false).program.unwrap();
    let Err(Declined::Game(GameError::Unbounded { relation, .. })) =
        ForwardEngine::new(&program, Options { time: Some(std::time::Duration::ZERO), ..Options::default() })
    else {
        panic!("there was no time")
    };
    assert_eq!(relation, "triple");
}

/// Marks stay, and with them the pairs of marks; `fresh` does not.
const KEPT: &str = "(role robot) (init (step 0)) (init (mark m0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (name 0 m1) (name 1 m2) (name 2 m1) (name 3 m3)
    (<= (legal robot (paint ?m)) (true (step ?n)) (name ?n ?m)) (legal robot rest)
    (<= (next (mark ?m)) (true (mark ?m))) (<= (next (mark ?m)) (does robot (paint ?m)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (pair ?a ?b) (true (mark ?a)) (true (mark ?b)) (distinct ?a ?b))
    (<= (linked ?a ?b) (pair ?a ?b)) (<= (linked ?a ?c) (linked ?a ?b) (pair ?b ?c))
    (<= (fresh ?m) (name ?n ?m) (not (true (mark ?m))))
    (<= terminal (true (step 4))) (<= terminal (linked m1 m3))
    (<= (goal robot 100) (linked m1 m3)) (<= (goal robot 50) (not (linked m1 m3)) (fresh m2))
    (<= (goal robot 0) (not (linked m1 m3)) (not (fresh m2)))";

#[test]
fn what_stays_is_the_same_as_what_is_derived_anew() {
    let (judge, engine) = engines(KEPT);
    compare("kept", &judge, &engine, 60);
    let texts = GAMES.map(|(game, _)| read(game)).into_iter().chain([senet_gdl::parse(KEPT).0]);
    for description in texts {
        let program = senet_analysis::analyze(&description, Vec::new(), false).program.unwrap();
        let played = [true, false].map(|temporization| {
            let engine =
                ForwardEngine::new(&program, Options { temporization, ..Options::default() }).unwrap();
            Engine::playouts(&engine, &mut engine.worker(), PlayoutOptions::new(3, 7)).unwrap()
        });
        assert_eq!(played[0], played[1]);
    }
}

/// There are a billion lists, but only those are asked for that were visited.
#[test]
fn what_is_too_much_to_derive_is_asked_for() {
    let cells: String = (0..20).map(|n| format!("(cell c{n}) (next_to c{n} c{}) ", (n + 3) % 20)).collect();
    let lists = (1..9)
        .map(|n| {
            let list = (0..n).fold("nil".to_owned(), |list, at| format!("(cons ?x{at} {list})"));
            let conditions: String = (0..n).map(|at| format!("(cell ?x{at})")).collect();
            format!("(<= (is_list {list}) {conditions})")
        })
        .collect::<String>();
    let text = format!(
        "{cells} {lists} (is_list nil) (role robot) (init (path (cons c0 nil))) (init (step s))
         (<= (head (cons ?x ?rest) ?x) (is_list (cons ?x ?rest)))
         (<= (has (cons ?x ?rest) ?x) (is_list (cons ?x ?rest)))
         (<= (has (cons ?x ?rest) ?y) (is_list (cons ?x ?rest)) (has ?rest ?y))
         (<= (legal robot (go ?y)) (true (path ?list)) (head ?list ?x) (next_to ?x ?y) (not (has ?list ?y)))
         (<= (next (path (cons ?y ?list))) (true (path ?list)) (does robot (go ?y)))
         (<= (next (step (s ?n))) (true (step ?n))) (<= terminal (true (step (s (s (s (s s)))))))
         (<= (goal robot 100) (true (path ?list)) (has ?list c12)) (<= (goal robot 0) (true (path ?list)) (not (has ?list c12)))"
    );
    let (judge, engine) = engines(&text);
    compare("lists", &judge, &engine, 12);
}
