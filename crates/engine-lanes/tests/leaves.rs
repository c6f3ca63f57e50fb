//! Playouts from many positions at once are those from each of them.

use senet_circuit::Circuit;
use senet_engine_lanes::{LanesEngine, Leaves};
use senet_game::{Engine, MoveGenerator, PlayoutOptions, RoleId, roles};
use std::sync::Arc;

fn engine(path: &str) -> LanesEngine {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(path);
    engine_of(&std::fs::read_to_string(file).expect("the game is built in"))
}

fn engine_of(text: &str) -> LanesEngine {
    let description = senet_gdl::parse(text);
    let program = senet_analysis::analyze(&description, false).program.expect("the rules are right");
    let ground = senet_ground::ground(&program, &senet_ground::Options::default(), &mut |_| ());
    let circuit: Arc<Circuit> = Arc::new(
        senet_circuit::build(&ground.expect("the game is small").program).expect("there is a circuit"),
    );
    LanesEngine::new(circuit).expect("the game has few moves")
}

/// Positions of random matches, the last of each included.
fn positions(engine: &LanesEngine, n: usize, seed: u64) -> Vec<Box<[u64]>> {
    let (mut batch, mut generator) = (engine.worker(), MoveGenerator::new(seed));
    let (mut found, mut moves) = (Vec::new(), Vec::new());
    while found.len() < n {
        let mut state: Box<[u64]> = engine.states().initial().into();
        found.push(state.clone());
        while !engine.is_terminal(&mut batch, &state).expect("it plays") {
            let mut joint = Vec::new();
            for role in roles(engine) {
                engine.legals(&mut batch, &state, role, &mut moves).expect("it plays");
                joint.push(generator.choose(&moves).expect("there is a move"));
            }
            state = engine.step(&mut batch, &state, &joint).expect("it plays");
            found.push(state.clone());
        }
    }
    found
}

/// The sums of a leaf: finished and cut playouts, goals by role.
#[derive(Clone, PartialEq, Debug, Default)]
struct Sums {
    finished: u64,
    cut: u64,
    goals: Vec<u64>,
}

/// Plays `n_rounds` rounds of all positions, with as many lanes as the place of the position says.
fn sums(leaves: &mut Leaves, states: &[Box<[u64]>], n_rounds: usize) -> Vec<Sums> {
    let mut all = vec![Sums::default(); states.len()];
    let mut queue = (0..n_rounds).flat_map(|_| 0..states.len()).peekable();
    loop {
        while let Some(&at) = queue.peek() {
            if !leaves.put(at as u32, &states[at], 8 << (at % 4)) {
                break;
            }
            queue.next();
        }
        if leaves.n_leaves() == 0 {
            return all;
        }
        leaves.play(3, || true);
        leaves.take(|outcome| {
            let sums = &mut all[outcome.leaf as usize];
            assert_eq!(outcome.finished + outcome.cut, 8 << (outcome.leaf % 4));
            sums.finished += u64::from(outcome.finished);
            sums.cut += u64::from(outcome.cut);
            sums.goals.resize(outcome.goal_sums.len(), 0);
            sums.goals.iter_mut().zip(outcome.goal_sums).for_each(|(sum, &goals)| *sum += u64::from(goals));
        });
    }
}

#[test]
fn leaves_are_worth_what_playouts_from_each_say() {
    // Turns, simultaneous moves, one role, a large goal.
    for game in [
        "lines/tic-tac-toe.kif",
        "tron/tron-10x10.kif",
        "puzzles/peg-solitaire-33.kif",
        "reversi/reversi-8x8.kif",
    ] {
        let engine = engine(game);
        let mut states = positions(&engine, 24, 5);
        states.truncate(64);
        let found = sums(&mut engine.leaves(9, 10_000), &states, 40);
        assert_eq!(found, sums(&mut engine.leaves(9, 10_000), &states, 40), "{game}: the same seed");
        assert_ne!(found, sums(&mut engine.leaves(10, 10_000), &states, 40), "{game}: another seed");
        for (at, (sums, state)) in found.iter().zip(&states).enumerate() {
            let judge = engine.playouts_from(state, PlayoutOptions::new(20_000, 1)).expect("it plays");
            assert_eq!((sums.finished, sums.cut), (40 * (8 << (at % 4)), 0), "{game}");
            for (role, mean) in judge.mean_goals().into_iter().enumerate() {
                let mean = mean.expect("goals are there");
                let variance = judge.goal_variances()[role].expect("goals are there");
                let error = (variance * (1.0 / sums.finished as f64 + 1.0 / 20_000.0)).sqrt();
                let found = sums.goals[role] as f64 / sums.finished as f64;
                assert!((found - mean).abs() <= 4.5 * error + 1e-9, "{game} {at} {role}: {found} {mean}");
            }
        }
    }
}

#[test]
fn long_playouts_are_cut() {
    let walk = "(role r) (init (at 0)) (next-to 0 1) (next-to 1 2) (next-to 2 3) (legal r go) (legal r stay)
        (<= (next (at ?y)) (does r go) (true (at ?x)) (next-to ?x ?y)) (<= (next (at ?x)) (does r stay) (true (at ?x)))
        (<= terminal (true (at 3))) (<= (goal r 100) (true (at 3))) (<= (goal r 0) (not (true (at 3))))";
    let engine = engine_of(walk);
    let states = vec![engine.states().initial().into(); 4];
    let found = sums(&mut engine.leaves(1, 5), &states, 300);
    for sums in &found {
        // Of 32 walks of five steps 16 have gone three times.
        let share = sums.finished as f64 / (sums.finished + sums.cut) as f64;
        assert!((share - 0.5).abs() < 0.05, "{share}");
        assert_eq!(sums.goals[0], 100 * sums.finished);
    }
}

#[test]
fn a_position_without_moves_does_not_hang() {
    let stuck =
        "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (does r go)) (<= terminal (true c))
        (<= (next c) (true b)) (goal r 50)";
    let engine = engine_of(stuck);
    let found = sums(&mut engine.leaves(1, 100), &[engine.states().initial().into()], 2);
    assert_eq!((found[0].finished, found[0].cut), (0, 16));
}

#[test]
fn successors_are_those_of_one_lane() {
    for game in ["lines/connect-four.kif", "tron/tron-10x10.kif", "reversi/reversi-8x8.kif"] {
        let engine = engine(game);
        let mut batch = engine.worker();
        let states: Vec<_> = positions(&engine, 300, 2)
            .into_iter()
            .filter(|state| !engine.is_terminal(&mut batch, state).expect("it plays"))
            .collect();
        let mut expander = engine.expander();
        let mut legal = vec![vec![Vec::new(); engine.role_names().len()]; states.len()];
        expander.legal_moves(states.len(), |at| &states[at], |at, role, id| legal[at][role].push(id));
        let (mut moves, mut joint) = (Vec::new(), Vec::new());
        for (at, state) in states.iter().enumerate() {
            for (role, found) in legal[at].iter().enumerate() {
                engine.legals(&mut batch, state, RoleId::new(role), &mut moves).expect("it plays");
                assert_eq!(*found, moves, "{game}");
            }
            joint.push(legal[at].iter().map(|moves| moves[at % moves.len()]).collect::<Vec<_>>());
        }
        let mut n_over = 0;
        expander.step(
            states.len(),
            |at| (&states[at], &joint[at]),
            |found| {
                let next = engine.step(&mut batch, &states[found.at], &joint[found.at]).expect("it plays");
                assert_eq!(*next, *found.state, "{game}");
                let is_over = engine.is_terminal(&mut batch, &next).expect("it plays");
                assert_eq!(is_over, found.goals.is_some(), "{game}");
                n_over += usize::from(is_over);
                for (role, &goal) in found.goals.into_iter().flatten().enumerate() {
                    let judge = engine.goal(&mut batch, &next, RoleId::new(role)).expect("it plays");
                    assert_eq!(judge.unwrap_or(0), goal, "{game}");
                }
            },
        );
        assert!(n_over > 0, "{game}");
    }
}
