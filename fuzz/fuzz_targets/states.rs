//! Any state from outside is refused by the engines made of gates, or they say of it what the reference engine says.
//!
//! An input is a digit for a built-in game, or any other byte, a rulesheet and `%`. Each byte behind it is a fluent that
//! comes or goes; at the end of a line the state is told to all engines, and a move leads on where they take it.

#![no_main]

mod quick;

use libfuzzer_sys::fuzz_target;
use quick::is_quick;
use senet_engine_circuit::{CircuitEngine, Evaluation};
use senet_engine_lanes::LanesEngine;
use senet_engine_reference::ReferenceEngine;
use senet_engines::{Setup, library};
use senet_game::{Engine, GameError, MoveGenerator, MoveId, RoleId, roles};
use senet_gdl::Description;
use senet_ground::Budget;
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;

/// Small enough for the reference engine, and of many kinds: exclusive fluents, fluents that never change, circles,
/// simultaneous moves.
const NAMES: [&str; 10] = [
    "tic-tac-toe",
    "rock-paper-scissors",
    "ary-tree",
    "hanoi-6",
    "eight-puzzle",
    "connect-four",
    "lights-out-5x5",
    "tron-10x10",
    "sheep-and-wolf",
    "hex-7x7",
];

const LONGEST_INPUT: usize = 2_000;
const LONGEST_RULESHEET: usize = 700;
const MOST_STATES: usize = 12;
const BUDGET: Budget = Budget { time: Some(Duration::from_millis(300)), memory: Some(100 << 20) };

/// Facts that no game has, or that are none.
const STRANGE: [&str; 5] = ["nonsense", "(control", "", "(cell 1 1 x) (cell 1 1 o)", "(f (f ?x))"];

struct Engines {
    judge: ReferenceEngine,
    lists: CircuitEngine,
    columns: CircuitEngine,
    lanes: LanesEngine,
    /// What a byte may stand for.
    facts: Vec<String>,
}

impl Engines {
    fn new(description: &Description) -> Option<Engines> {
        let judge = ReferenceEngine::new(description).ok()?;
        let circuit = Setup::new(description).within(BUDGET).circuit().ok()?;
        let fluents = circuit.signature().fluents.iter().cloned();
        Some(Engines {
            judge,
            lists: CircuitEngine::with(&circuit, Evaluation::Lists),
            columns: CircuitEngine::with(&circuit, Evaluation::Columns),
            lanes: LanesEngine::new(circuit.clone()).ok()?,
            facts: fluents.chain(STRANGE.map(str::to_owned)).collect(),
        })
    }
}

fn built_in(at: usize) -> &'static Engines {
    static ENGINES: [OnceLock<Engines>; NAMES.len()] = [const { OnceLock::new() }; NAMES.len()];
    ENGINES[at].get_or_init(|| {
        let game = library::find(NAMES[at]).expect("a built-in game");
        Engines::new(&senet_gdl::parse(&game.text)).expect("a built-in game plays")
    })
}

fuzz_target!(|input: &[u8]| {
    let input = &input[..input.len().min(LONGEST_INPUT)];
    let Some((&choice, rest)) = input.split_first() else { return };
    let at = usize::from(choice.wrapping_sub(b'0'));
    if at < NAMES.len() {
        return tell(built_in(at), rest);
    }
    let end = rest.iter().position(|&byte| byte == b'%').unwrap_or(rest.len());
    let (rules, changes) = rest.split_at(end);
    let description = senet_gdl::parse_bytes(&rules[..rules.len().min(LONGEST_RULESHEET)]);
    if !is_quick(&description) || senet_analysis::analyze(&description, false).program.is_none() {
        return;
    }
    if let Some(engines) = Engines::new(&description) {
        tell(&engines, changes.get(1..).unwrap_or_default());
    }
});

/// Tells all engines one state after the other.
fn tell(engines: &Engines, changes: &[u8]) {
    let Engines { judge, events, straight, lanes, facts } = engines;
    let mut generator = MoveGenerator::new(changes.len() as u64);
    let mut worker = judge.worker();
    let Ok(initial) = judge.initial(&mut worker) else { return };
    let mut state: BTreeSet<String> = judge.facts(&mut worker, &initial).into_iter().collect();
    // More facts than a byte has values are told in two bytes.
    let is_wide = facts.len() > 200;
    for line in changes.split(|&byte| byte == b'\n').take(MOST_STATES) {
        for change in line.chunks(if is_wide { 2 } else { 1 }) {
            let number = change.iter().fold(0, |number, &byte| 256 * number + usize::from(byte));
            let fact = &facts[number % facts.len()];
            if !state.remove(fact) {
                state.insert(fact.clone());
            }
        }
        let told: Vec<String> = state.iter().cloned().collect();
        let choices: Vec<usize> = judge.role_names().iter().map(|_| generator.below(1 << 20)).collect();
        let expected = answers(judge, &told, &choices);
        if matches!(&expected, Err(error) if !matches!(error, GameError::BadState(_))) {
            // The rules have no answer; engines that found out more before play may have one.
            return;
        }
        let found = answers(events, &told, &choices);
        assert_eq!(answers(straight, &told, &choices), found, "{told:?}");
        assert_eq!(answers(lanes, &told, &choices), found, "{told:?}");
        if let Err(error) = found {
            assert!(matches!(error, GameError::BadState(_)), "{error}");
            continue;
        }
        assert_eq!(found, expected, "{told:?}");
        if let Some(next) = found.ok().and_then(|found| found.next) {
            // What is taken for granted holds after every move.
            let taken = events.state_of(&mut events.worker(), &next);
            assert!(taken.is_ok(), "{told:?} leads to {next:?}: {taken:?}");
            state = next.into_iter().collect();
        }
    }
}

/// What an engine says of a state.
#[derive(PartialEq, Eq, Debug)]
struct Answers {
    facts: Vec<String>,
    terminal: bool,
    goals: Vec<Option<u8>>,
    legal: Vec<Vec<String>>,
    /// Where the match goes on and all roles can move.
    next: Option<Vec<String>>,
}

/// What an engine says of the state in which these facts hold; choices are among the legal moves of each role.
fn answers<E: Engine>(engine: &E, told: &[String], choices: &[usize]) -> Result<Answers, GameError> {
    let mut worker = engine.worker();
    let state = engine.state_of(&mut worker, told)?;
    let terminal = engine.is_terminal(&mut worker, &state)?;
    let mut legal: Vec<Vec<MoveId>> = vec![Vec::new(); engine.role_names().len()];
    for role in roles(engine).filter(|_| !terminal) {
        engine.legals(&mut worker, &state, role, &mut legal[role.index()])?;
    }
    let goal = |role: RoleId| engine.goal(&mut worker, &state, role);
    let goals = roles(engine).map(goal).collect::<Result<Vec<_>, _>>()?;
    let texts = |moves: &Vec<MoveId>| moves.iter().map(|&id| engine.move_text(&mut worker, id)).collect();
    let texts = legal.iter().map(texts).collect();
    let mut next = None;
    if !terminal && legal.iter().all(|moves| !moves.is_empty()) {
        let choose = |(moves, choice): (&Vec<MoveId>, &usize)| moves[choice % moves.len()];
        let joint: Vec<MoveId> = legal.iter().zip(choices).map(choose).collect();
        let after = engine.step(&mut worker, &state, &joint)?;
        next = Some(engine.facts(&mut worker, &after));
    }
    Ok(Answers { facts: engine.facts(&mut worker, &state), terminal, goals, legal: texts, next })
}
