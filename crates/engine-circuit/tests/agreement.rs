//! The engine against the judge, on the built-in games.

use senet_circuit::Circuit;
use senet_engine_circuit::{CircuitEngine, Evaluation};
use senet_engine_reference::ReferenceEngine;
use senet_game::{Engine, GameError, MoveGenerator, PlayoutOptions, check_agreement, check_laws, roles};
use senet_gdl::Description;
use senet_ground::Options;
use std::path::Path;

const EVALUATIONS: [Evaluation; 2] = [Evaluation::Lists, Evaluation::Columns];

/// Has loops that come on and go off, and takes longest to make: it is played once.
const LARGE: (&str, u32) = ("lines-of-action/lines-of-action-8x8", 4);

/// With the length of the matches that are compared. Hex has loops.
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

fn load(game: &str) -> (Description, Circuit) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).with_extension("kif");
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let description = senet_gdl::parse_bytes(&text);
    let circuit = circuit_of(&description);
    (description, circuit)
}

fn circuit_of(description: &Description) -> Circuit {
    let program = senet_analysis::analyze(description, false).program.expect("the rules are right");
    let grounding =
        senet_ground::ground(&program, &Options::default(), &mut |_| ()).expect("it can be grounded");
    senet_circuit::build(&grounding.program).expect("it has a circuit")
}

#[test]
fn every_position_of_random_matches_is_the_same() {
    for (game, n_positions) in GAMES.into_iter().chain([LARGE]) {
        let (description, circuit) = load(game);
        let judge = ReferenceEngine::new(&description).unwrap();
        let engines = EVALUATIONS.map(|evaluation| CircuitEngine::with(&circuit, evaluation));
        for engine in &engines {
            compare(game, &judge, engine, n_positions);
        }
    }
}

fn compare(game: &str, judge: &ReferenceEngine, engine: &CircuitEngine, n_positions: u32) {
    check_agreement(judge, engine, n_positions, 3).unwrap_or_else(|error| panic!("{game}: {error}"));
}

#[test]
fn a_seed_gives_the_same_playouts() {
    for (game, n_positions) in GAMES {
        let (description, circuit) = load(game);
        let judge = ReferenceEngine::new(&description).unwrap();
        // The judge takes long for a whole match of some games; a cut playout has to be the same too.
        let options = PlayoutOptions { max_length: u64::from(n_positions), ..PlayoutOptions::new(3, 11) };
        let expected = Engine::playouts(&judge, &mut judge.worker(), options).unwrap();
        // Goals are computed for 64 playouts at once: these are two times 64, and two more.
        let many = PlayoutOptions { max_length: 200, ..PlayoutOptions::new(130, 12) };
        let plain = CircuitEngine::new(&circuit);
        let same_of_many = senet_game::playouts(&plain, &mut plain.worker(), many).unwrap();
        for engine in EVALUATIONS.map(|evaluation| CircuitEngine::with(&circuit, evaluation)) {
            let mut worker = engine.worker();
            assert_eq!(engine.playouts(&mut worker, options).unwrap(), expected, "{game}");
            assert_eq!(engine.playouts(&mut worker, many).unwrap(), same_of_many, "{game}");
        }
    }
}

#[test]
fn going_back_and_forth_changes_no_answer() {
    for (game, _) in GAMES {
        let (_, circuit) = load(game);
        for engine in EVALUATIONS.map(|evaluation| CircuitEngine::with(&circuit, evaluation)) {
            let mut worker = engine.worker();
            let mut generator = MoveGenerator::new(8);
            let mut visited = Vec::new();
            let mut state = engine.initial(&mut worker).unwrap();
            while visited.len() < 40 && !engine.is_terminal(&mut worker, &state).unwrap() {
                let (legal, next) = answers(&engine, &mut worker, &state, &mut generator);
                visited.push((state, legal, next.clone()));
                state = next.1;
            }
            for _ in 0..100 {
                let (state, legal, (moves, next)) = &visited[generator.below(visited.len())];
                let mut found = Vec::new();
                for (role, expected) in roles(&engine).zip(legal) {
                    engine.legals(&mut worker, state, role, &mut found).unwrap();
                    assert_eq!(found, *expected, "{game}");
                }
                assert_eq!(engine.step(&mut worker, state, moves).unwrap(), *next, "{game}");
                assert!(!engine.is_terminal(&mut worker, state).unwrap(), "{game}");
            }
        }
    }
}

type Joint = Vec<senet_game::MoveId>;

/// The legal moves of all roles, and a random joint move with the state after it.
fn answers(
    engine: &CircuitEngine,
    worker: &mut <CircuitEngine as Engine>::Worker,
    state: &<CircuitEngine as Engine>::State,
    generator: &mut MoveGenerator,
) -> (Vec<Joint>, (Joint, <CircuitEngine as Engine>::State)) {
    let mut legal = vec![Vec::new(); engine.role_names().len()];
    for role in roles(engine) {
        engine.legals(worker, state, role, &mut legal[role.index()]).unwrap();
    }
    let moves: Joint = legal.iter().map(|moves| generator.choose(moves).unwrap()).collect();
    let next = engine.step(worker, state, &moves).unwrap();
    (legal, (moves, next))
}

#[test]
fn goals_are_of_this_state_where_the_next_state_needs_the_same() {
    let text = "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (legal r (set a)) (legal r (set b))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 2)))
        (<= (next (on ?x)) (does r (set ?x))) (<= (next (on ?x)) (true (on ?x)))
        (<= both (true (on a)) (true (on b))) (<= (next over) both)
        (<= (goal r 100) both) (<= (goal r 0) (not both))";
    let description = senet_gdl::parse(text);
    let circuit = circuit_of(&description);
    let judge = ReferenceEngine::new(&description).unwrap();
    let options = PlayoutOptions::new(20, 1);
    let expected = Engine::playouts(&judge, &mut judge.worker(), options).unwrap();
    for engine in EVALUATIONS.map(|evaluation| CircuitEngine::with(&circuit, evaluation)) {
        compare("both", &judge, &engine, 20);
        assert_eq!(engine.playouts(&mut engine.worker(), options).unwrap(), expected);
    }
}

#[test]
fn laws_are_kept() {
    for game in ["lines/tic-tac-toe", "hex/hex-7x7", "puzzles/lights-out-5x5"] {
        let (description, circuit) = load(game);
        for engine in EVALUATIONS.map(|evaluation| CircuitEngine::with(&circuit, evaluation)) {
            check_laws(&engine, &description.symbols, 3, 5).unwrap();
        }
    }
}

#[test]
fn states_from_outside_that_break_what_was_proved_are_refused() {
    let (_, circuit) = load("lines/tic-tac-toe");
    let engine = CircuitEngine::new(&circuit);
    let mut worker = engine.worker();
    let initial = engine.initial(&mut worker).unwrap();
    let mut facts = engine.facts(&mut worker, &initial);
    assert_eq!(engine.state_of(&mut worker, &facts).unwrap(), initial);
    facts.push("(control o)".to_owned());
    assert!(matches!(engine.state_of(&mut worker, &facts), Err(GameError::BadState(_))));
    facts.retain(|fact| !fact.starts_with("(control"));
    assert!(matches!(engine.state_of(&mut worker, &facts), Err(GameError::BadState(_))));
    assert!(matches!(engine.state_of(&mut worker, &["nonsense".to_owned()]), Err(GameError::BadState(_))));
}

#[test]
fn more_operands_than_a_counter_can_count_are_split() {
    // 400 places in a ring; the match is over when none of them is free any more, or one after the last.
    let mut text = "(role walker) (init (at 0)) (<= (legal walker go) (true (at 0)))
        (<= (legal walker (jump ?to)) (place ?to) (not (true (at ?to))))
        (<= (next (at ?x)) (true (at ?x))) (<= (next (at ?to)) (does walker (jump ?to)))
        (<= free (place ?x) (not (true (at ?x)))) (<= terminal (not free)) (<= (goal walker 100) (not free))
        (<= (goal walker 0) free)"
        .to_owned();
    (0..400).for_each(|at| text += &format!(" (place {at})"));
    let description = senet_gdl::parse(&text);
    let circuit = circuit_of(&description);
    for engine in EVALUATIONS.map(|evaluation| CircuitEngine::with(&circuit, evaluation)) {
        // Now and then the walker goes nowhere.
        let result = engine.playouts(&mut engine.worker(), PlayoutOptions::new(3, 1)).unwrap();
        assert_eq!((result.playouts, result.goal_sums), (3, vec![300]));
        assert!(result.states >= 3 * 399);
    }
}

#[test]
fn a_role_that_cannot_move_is_named() {
    let text = "(role one) (role two) (init (at 1)) (legal one go) (<= (legal two go) (true (at 1)))
        (<= (next (at 2)) (true (at 1))) (<= (next (at 3)) (true (at 2)))
        (<= terminal (true (at 3))) (goal one 1) (goal two 1)";
    let description = senet_gdl::parse(text);
    let circuit = circuit_of(&description);
    for engine in EVALUATIONS.map(|evaluation| CircuitEngine::with(&circuit, evaluation)) {
        let stuck = engine.playouts(&mut engine.worker(), PlayoutOptions::new(1, 0)).unwrap_err();
        let expected = GameError::NoLegalMove { role: "two".to_owned(), facts: vec!["(at 2)".to_owned()] };
        assert_eq!(stuck, expected);
    }
}
