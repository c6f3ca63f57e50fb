//! Playouts in lanes are what the rules say, however wide the machine is.

use senet_circuit::Circuit;
use senet_engine_lanes::{LanesEngine, Level};
use senet_engine_reference::ReferenceEngine;
use senet_game::{Engine, GameError, MoveGenerator, PlayoutOptions, PlayoutStatistics, RoleId, playouts};
use std::sync::Arc;

fn built_in(path: &str) -> String {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(path);
    std::fs::read_to_string(file).expect("the game is built in")
}

fn circuit(text: &str) -> Arc<Circuit> {
    let description = senet_gdl::parse(text);
    let analysis = senet_analysis::analyze(&description, false);
    let program = analysis.program.expect("the rules are right");
    let ground = senet_ground::ground(&program, &senet_ground::Options::default(), &mut |_| ());
    Arc::new(senet_circuit::build(&ground.expect("the game is small").program).expect("there is a circuit"))
}

fn engine(text: &str) -> LanesEngine {
    LanesEngine::new(circuit(text)).expect("the game has few moves")
}

fn reference(text: &str) -> ReferenceEngine {
    let description = senet_gdl::parse(text);
    ReferenceEngine::new(&description).expect("the rules are right")
}

/// Turns, simultaneous moves, one role, a large goal, a cycle.
const GAMES: [&str; 6] = [
    "lines/tic-tac-toe.kif",
    "tron/tron-10x10.kif",
    "puzzles/peg-solitaire-33.kif",
    "reversi/reversi-8x8.kif",
    "hex/hex-7x7.kif",
    "matrix/rock-paper-scissors.kif",
];

#[test]
fn width_level_and_threads_change_nothing() {
    for game in GAMES {
        let circuit = circuit(&built_in(game));
        let make = || LanesEngine::new(circuit.clone()).expect("the game has few moves");
        // More than eight playouts a lane: two units.
        let options = PlayoutOptions::new(17_000, 5);
        let expected = make().all_playouts(options).expect("the rules are right");
        assert_eq!(expected.playouts, options.count, "{game}");
        for width in [4, 8] {
            assert_eq!(
                make().with_width(width).all_playouts(options).as_ref(),
                Ok(&expected),
                "{game}, {width}"
            );
        }
        for level in [Level::Baseline, Level::Avx2, Level::Avx512] {
            let Some(engine) = make().at_level(level) else {
                eprintln!("skipped: this processor has no {}", level.name());
                continue;
            };
            assert_eq!(engine.all_playouts(options).as_ref(), Ok(&expected), "{game}, {}", level.name());
        }
        let threads = PlayoutOptions { threads: 2, ..options };
        assert_eq!(make().all_playouts(threads).as_ref(), Ok(&expected), "{game}, two threads");
        let other = make().all_playouts(PlayoutOptions::new(17_000, 6)).expect("the rules are right");
        assert_ne!(other, expected, "{game}: another seed");
    }
}

/// Means agree within so many standard errors.
fn assert_alike(name: &str, fast: &PlayoutStatistics, judge: &PlayoutStatistics) {
    let error =
        |variance: f64| (variance * (1.0 / fast.playouts as f64 + 1.0 / judge.playouts as f64)).sqrt();
    let lengths = [fast, judge].map(|it| it.mean_length().expect("playouts ended"));
    let variance = judge.length_variance().expect("playouts ended");
    assert!((lengths[0] - lengths[1]).abs() <= 4.0 * error(variance), "{name}: lengths {lengths:?}");
    // Of few playouts the variance says little: one in a thousand may have most of it.
    if judge.playouts >= 1_000 {
        let difference = fast.length_variance().expect("playouts ended") - variance;
        assert!(difference.abs() <= 0.2 * variance, "{name}: variances {difference} {variance}");
    }
    let variances = judge.goal_variances();
    for (role, (fast, judge)) in fast.mean_goals().into_iter().zip(judge.mean_goals()).enumerate() {
        let difference = fast.expect("goals are there") - judge.expect("goals are there");
        let variance = variances[role].expect("goals are there");
        assert!(difference.abs() <= 4.0 * error(variance), "{name}: goal {role} differs by {difference}");
    }
}

#[test]
fn outcomes_are_those_of_the_judge() {
    for (game, count) in GAMES.into_iter().zip([3_000, 3_000, 300, 60, 60, 5_000]) {
        let text = built_in(game);
        let judge = reference(&text);
        let expected =
            playouts(&judge, &mut judge.worker(), PlayoutOptions::new(count, 3)).expect("it plays");
        let found = engine(&text).all_playouts(PlayoutOptions::new(20_000, 3)).expect("it plays");
        assert_alike(game, &found, &expected);
    }
}

/// A walk that ends sooner or later, or not at all.
const WALK: &str = "(role r) (init (at 0)) (next-to 0 1) (next-to 1 2) (next-to 2 3) (legal r go) (legal r stay)
    (<= (next (at ?y)) (does r go) (true (at ?x)) (next-to ?x ?y)) (<= (next (at ?x)) (does r stay) (true (at ?x)))
    (<= terminal (true (at 3))) (<= (goal r 100) (true (at 3))) (<= (goal r 0) (not (true (at 3))))";

#[test]
fn long_playouts_are_cut_and_counted_apart() {
    let engine = engine(WALK);
    let options = PlayoutOptions { max_length: 5, ..PlayoutOptions::new(40_000, 1) };
    let found = engine.all_playouts(options).expect("it plays");
    assert_eq!(found.playouts + found.cut, options.count);
    // Of 32 walks of five steps 16 have gone three times.
    let share = found.playouts as f64 / options.count as f64;
    assert!((share - 0.5).abs() < 0.01, "{share}");
    // The third step forward is the third, fourth or fifth step with chances 1/8, 3/16 and 6/32.
    let mean = found.mean_length().expect("some ended");
    assert!((mean - (3.0 / 8.0 + 12.0 / 16.0 + 30.0 / 32.0) / 0.5).abs() < 0.03, "{mean}");
    assert_eq!(found.states, found.finished_states + 5 * found.cut);
    let nothing = engine.all_playouts(PlayoutOptions { max_length: 0, ..options }).expect("it plays");
    assert_eq!((nothing.playouts, nothing.cut, nothing.states), (0, options.count, 0));
}

#[test]
fn playouts_begin_where_they_are_told() {
    let engine = engine(WALK);
    let mut worker = engine.worker();
    let near = engine.state_of(&mut worker, &["(at 2)".to_owned()]).expect("it is a state");
    let found = engine.playouts_from(&near, PlayoutOptions::new(30_000, 2)).expect("it plays");
    assert!((found.mean_length().expect("all end") - 2.0).abs() < 0.05);
    let end = engine.state_of(&mut worker, &["(at 3)".to_owned()]).expect("it is a state");
    let found = engine.playouts_from(&end, PlayoutOptions::new(30, 2)).expect("it plays");
    assert_eq!((found.playouts, found.states, found.mean_goals()), (30, 0, vec![Some(100.0)]));
}

#[test]
fn states_that_cannot_be_are_refused() {
    let engine = engine(WALK);
    let mut worker = engine.worker();
    for facts in [&["(at 7)"][..], &["(at 1)", "(at 2)"], &[]] {
        let facts: Vec<String> = facts.iter().map(|&fact| fact.to_owned()).collect();
        assert!(matches!(engine.state_of(&mut worker, &facts), Err(GameError::BadState(_))), "{facts:?}");
    }
}

#[test]
fn a_role_without_a_move_is_an_error() {
    let stuck = "(role r) (init (at 0)) (<= (legal r go) (true (at 0))) (<= (legal r stay) (true (at 0)))
        (<= (next (at 1)) (does r go)) (<= (next (at 0)) (does r stay)) (<= terminal (true never)) (goal r 0)
        (<= (next never) (true never))";
    let error = engine(stuck).all_playouts(PlayoutOptions::new(100, 1)).expect_err("nobody can move");
    assert_eq!(error, GameError::NoLegalMove { role: "r".to_owned(), facts: vec!["(at 1)".to_owned()] });
}

#[test]
fn a_role_that_never_has_a_move_is_an_error() {
    let rest = "(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (init (control a)) (<= terminal (true never)) (<= (next never) (true never)) (goal z 0) (goal a 0) (goal b 0)";
    // With turns in which nobody has a choice, with a choice, and with roles that move together.
    let turns = "(role z) (role a) (role b) (player a) (player b) (<= (legal ?r go) (true (control ?r)))
        (<= (legal ?r noop) (player ?r) (not (true (control ?r))))";
    let choice = format!("{turns} (<= (legal ?r wait) (true (control ?r)))");
    let together = "(role z) (role a) (role b) (player a) (player b) (move l) (move r)
        (<= (legal ?p ?m) (player ?p) (move ?m))";
    for rules in [turns, &choice, together] {
        let lanes = engine(&format!("{rules} {rest}"));
        let error = lanes.all_playouts(PlayoutOptions::new(100, 1)).expect_err("z cannot move");
        assert_eq!(
            error,
            GameError::NoLegalMove { role: "z".to_owned(), facts: vec!["(control a)".to_owned()] }
        );
    }
}

#[test]
fn each_lane_of_a_batch_plays_its_own_match() {
    for game in GAMES {
        let text = built_in(game);
        let (lanes, judge) = (engine(&text), reference(&text));
        let mut worker = judge.worker();
        let n_lanes = 70;
        let mut batch = lanes.batch(n_lanes);
        let mut states = vec![judge.initial(&mut worker).expect("there is a beginning"); n_lanes];
        let mut generators: Vec<MoveGenerator> = (0..n_lanes as u64).map(MoveGenerator::new).collect();
        let n_roles = judge.role_names().len();
        for _ in 0..4 {
            let mut joint = Vec::new();
            for (lane, state) in states.iter_mut().enumerate().step_by(23) {
                let facts = lanes.facts(&mut lanes.worker(), &batch.state(lane).into());
                assert_eq!(facts, judge.facts(&mut worker, state), "{game}");
                assert_eq!(batch.is_terminal(lane), judge.is_terminal(&mut worker, state).expect("it knows"));
                let mut texts = Vec::new();
                for role in (0..n_roles).map(RoleId::new) {
                    assert_eq!(
                        batch.goal(lane, role),
                        judge.goal(&mut worker, state, role).expect("it knows")
                    );
                    let mut legal = Vec::new();
                    judge.legals(&mut worker, state, role, &mut legal).expect("it knows");
                    texts.push(legal.iter().map(|&id| judge.move_text(&mut worker, id)).collect::<Vec<_>>());
                }
                if !judge.is_terminal(&mut worker, state).expect("it knows") {
                    for (role, texts) in texts.iter().enumerate() {
                        let found: Vec<String> = batch
                            .legal_moves(lane, RoleId::new(role))
                            .map(|id| lanes.move_text(&mut lanes.worker(), id))
                            .collect();
                        assert_eq!(&found, texts, "{game}");
                    }
                }
            }
            for (lane, state) in states.iter_mut().enumerate() {
                if batch.is_terminal(lane) {
                    batch.set(lane, lanes.states().initial());
                    *state = judge.initial(&mut worker).expect("there is a beginning");
                }
            }
            for lane in 0..n_lanes {
                let mut own = Vec::new();
                for role in (0..n_roles).map(RoleId::new) {
                    let legal: Vec<_> = batch.legal_moves(lane, role).collect();
                    own.push(generators[lane].choose(&legal).expect("the match goes on"));
                }
                let texts: Vec<String> =
                    own.iter().map(|&id| lanes.move_text(&mut lanes.worker(), id)).collect();
                if lane % 23 == 0 {
                    let mut ids = Vec::new();
                    for (role, text) in texts.iter().enumerate() {
                        let mut legal = Vec::new();
                        judge
                            .legals(&mut worker, &states[lane], RoleId::new(role), &mut legal)
                            .expect("it knows");
                        let same = legal.iter().find(|&&id| &judge.move_text(&mut worker, id) == text);
                        ids.push(*same.expect("the judge allows it"));
                    }
                    states[lane] = judge.step(&mut worker, &states[lane], &ids).expect("it plays");
                }
                joint.push(own);
            }
            batch.step(|lane| &joint[lane]);
        }
    }
}
