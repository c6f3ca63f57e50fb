//! Matches as the reference engine plays them, and other engines on the same matches.

use senet_engine_reference::ReferenceEngine;
use senet_game::{Engine, MoveGenerator, MoveId, RoleId, roles};

/// What an engine says of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answers {
    pub(crate) facts: Vec<String>,
    pub(crate) terminal: bool,
    pub(crate) goals: Vec<Option<u8>>,
    /// By role, in source order; none at the end.
    pub(crate) legal: Vec<Vec<String>>,
}

pub(crate) struct Recorded {
    pub(crate) answers: Answers,
    /// By role: which of its legal moves was made.
    pub(crate) choices: Vec<usize>,
}

/// A match: the last state is the end.
pub(crate) type Record = Vec<Recorded>;

pub(crate) fn record(judge: &ReferenceEngine, seed: u64) -> Record {
    let mut worker = judge.worker();
    let mut generator = MoveGenerator::new(seed);
    let mut state = judge.initial(&mut worker).expect("there is a beginning");
    let mut record = Vec::new();
    loop {
        let (answers, legal) = look(judge, &mut worker, &state);
        if answers.terminal {
            record.push(Recorded { answers, choices: Vec::new() });
            return record;
        }
        let choices: Vec<usize> = legal.iter().map(|moves| generator.below(moves.len())).collect();
        state = step(judge, &mut worker, &state, &legal, &choices);
        record.push(Recorded { answers, choices });
    }
}

/// What an engine says of a state, with the moves as it numbers them.
fn look<E: Engine>(engine: &E, worker: &mut E::Worker, state: &E::State) -> (Answers, Vec<Vec<MoveId>>) {
    let terminal = engine.is_terminal(worker, state).expect("the rules have an answer");
    let mut legal = vec![Vec::new(); engine.role_names().len()];
    for role in roles(engine).filter(|_| !terminal) {
        engine.legals(worker, state, role, &mut legal[role.index()]).expect("the rules have an answer");
    }
    let mut goal = |role: RoleId| engine.goal(worker, state, role).expect("the rules have an answer");
    let goals = roles(engine).map(&mut goal).collect();
    let texts = |moves: &Vec<MoveId>| moves.iter().map(|&id| engine.move_text(worker, id)).collect();
    let texts = legal.iter().map(texts).collect();
    (Answers { facts: engine.facts(worker, state), terminal, goals, legal: texts }, legal)
}

fn step<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    state: &E::State,
    legal: &[Vec<MoveId>],
    choices: &[usize],
) -> E::State {
    let moves: Vec<MoveId> = legal.iter().zip(choices).map(|(moves, &choice)| moves[choice]).collect();
    engine.step(worker, state, &moves).expect("the moves are legal")
}

/// The engine says the same in the order of play.
pub(crate) fn assert_plays_alike<E: Engine>(engine: &E, records: &[Record], game: &str) {
    let mut worker = engine.worker();
    for record in records {
        let mut state = engine.initial(&mut worker).expect("there is a beginning");
        for expected in record {
            let (answers, legal) = look(engine, &mut worker, &state);
            assert_eq!(answers, expected.answers, "{} in the order of play\n{game}", engine.name());
            if !answers.terminal {
                state = step(engine, &mut worker, &state, &legal, &expected.choices);
            }
        }
    }
}

/// The engine says the same of states in any order, told as facts: what it computed before has no influence.
pub(crate) fn assert_jumps_alike<E: Engine>(engine: &E, records: &[Record], game: &str) {
    let mut worker = engine.worker();
    let mut generator = MoveGenerator::new(7);
    for _ in 0..2 * records.iter().map(Vec::len).sum::<usize>() {
        let record = &records[generator.below(records.len())];
        let at = generator.below(record.len());
        let expected = &record[at];
        let state = engine.state_of(&mut worker, &expected.answers.facts).expect("a match came there");
        let (answers, legal) = look(engine, &mut worker, &state);
        assert_eq!(answers, expected.answers, "{} after a jump\n{game}", engine.name());
        if let Some(after) = record.get(at + 1) {
            let next = step(engine, &mut worker, &state, &legal, &expected.choices);
            let facts = engine.facts(&mut worker, &next);
            assert_eq!(facts, after.answers.facts, "{} after a jump and a move\n{game}", engine.name());
        }
    }
}
