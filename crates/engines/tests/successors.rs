//! What lanes say of moves and what follows them is what the engine `circuit` says, in every built-in game that has gates.

use senet_circuit::Circuit;
use senet_engine_circuit::CircuitEngine;
use senet_engine_lanes::LanesEngine;
use senet_engines::{Setup, library};
use senet_game::{Engine, MoveGenerator, MoveId, RoleId, roles};
use senet_ground::Budget;
use std::sync::Arc;
use std::time::Duration;

/// Larger games take too long in a test.
const BUDGET: Budget = Budget { time: Some(Duration::from_secs(30)), memory: Some(2 << 30) };
const MOST_GATES: usize = 40_000;
const N_POSITIONS: usize = 150;

type State = Box<[u64]>;

/// Positions of random matches in which a joint move is played.
fn positions(engine: &CircuitEngine) -> Vec<(State, Vec<MoveId>)> {
    let (mut worker, mut generator) = (engine.worker(), MoveGenerator::new(7));
    let (mut found, mut moves) = (Vec::new(), Vec::new());
    while found.len() < N_POSITIONS {
        let mut state = engine.initial(&mut worker).expect("it plays");
        while found.len() < N_POSITIONS && !engine.is_terminal(&mut worker, &state).expect("it plays") {
            let mut joint = Vec::new();
            for role in roles(engine) {
                engine.legals(&mut worker, &state, role, &mut moves).expect("it plays");
                joint.push(generator.choose(&moves).expect("there is a move"));
            }
            let next = engine.step(&mut worker, &state, &joint).expect("it plays");
            found.push((std::mem::replace(&mut state, next), joint));
        }
    }
    found
}

fn compare(name: &str, circuit: Arc<Circuit>) {
    let judge = CircuitEngine::new(&circuit);
    let lanes = LanesEngine::new(circuit).expect("there are few moves");
    let (mut worker, mut expander) = (judge.worker(), lanes.expander());
    let positions = positions(&judge);
    let n_roles = judge.role_names().len();
    let mut legal = vec![vec![Vec::new(); n_roles]; positions.len()];
    expander.legal_moves(positions.len(), |at| &positions[at].0, |at, role, id| legal[at][role].push(id));
    let mut moves = Vec::new();
    for ((state, _), legal) in positions.iter().zip(&legal) {
        for role in roles(&judge) {
            judge.legals(&mut worker, state, role, &mut moves).expect("it plays");
            assert_eq!(legal[role.index()], moves, "{name}");
        }
    }
    let mut n_found = 0;
    expander.step(
        positions.len(),
        |at| (&positions[at].0, &positions[at].1),
        |found| {
            let (state, joint) = &positions[found.at];
            let next = judge.step(&mut worker, state, joint).expect("it plays");
            assert_eq!(*next, *found.state, "{name}");
            let is_over = judge.is_terminal(&mut worker, &next).expect("it plays");
            assert_eq!(is_over, found.goals.is_some(), "{name}");
            for (role, &goal) in found.goals.into_iter().flatten().enumerate() {
                let expected = judge.goal(&mut worker, &next, RoleId::new(role)).expect("it plays");
                assert_eq!(expected.unwrap_or(0), goal, "{name}");
            }
            n_found += 1;
        },
    );
    assert_eq!(n_found, positions.len(), "{name}");
}

#[test]
fn lanes_agree_with_the_circuit() {
    let mut n_compared = 0;
    for game in library::all() {
        let description = senet_gdl::parse(&game.text);
        match Setup::new(&description).within(BUDGET).circuit() {
            Ok(circuit) if circuit.net().n_gates() <= MOST_GATES => {
                compare(&game.name, circuit);
                n_compared += 1;
            }
            Ok(circuit) => eprintln!("skipped: {} has {} gates", game.name, circuit.net().n_gates()),
            Err(refusal) => eprintln!("skipped: {}: {refusal}", game.name),
        }
    }
    assert!(n_compared >= 20, "only {n_compared} games were compared");
}
