//! The search on thousands of small random games, each compared with its exhaustive evaluation.
//!
//! `SENET_RANDOM_GAMES=5000 cargo test --release -p senet-search random_games -- --nocapture` is the long run; it prints
//! how many games of each kind there were.

mod game;
mod matrix;
mod solution;

use super::brain::{Brain, TreeBrain};
use super::player::{MOVES_A_LOOK, on_lanes, on_one_state};
use crate::{Limit, Rules, Spec};
use game::{Chance, Goals, Traits};
use senet_engine_circuit::CircuitEngine;
use senet_game::{Engine, MoveGenerator};
use solution::Solution;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Playouts of each search.
const PLAYOUTS: u64 = 20_000;
/// The largest game that is evaluated.
const MOST_POSITIONS: usize = 2_500;
/// `f32` against `f64`.
const ROUNDING: f64 = 1e-3;
/// Games of `cargo test`, if nothing else is said.
const USUAL_GAMES: u64 = 150;
/// How far a move may be from the best where there is chance.
const CHANCE_TOLERANCE: f64 = 2.0;

/// What came of the games of one kind.
#[derive(Default, Debug)]
struct Tally {
    games: u64,
    optimal: u64,
    proved: u64,
    /// All positions, and how often bounds of one were compared.
    positions: usize,
    compared: u64,
    /// Positions of which the exhaustive evaluation knows no equilibrium.
    unknown: usize,
}

fn brain(rules: &Arc<Rules>, options: &str, role: usize, seed: u64) -> TreeBrain<CircuitEngine> {
    let parameters = format!("mcts:{options}").parse::<Spec>().expect("options").parameters();
    let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("it is small");
    if parameters.batch {
        let lanes = rules.lanes().wait(&Limit::default()).expect("no limit").as_ref().expect("it is small");
        on_lanes(&parameters, gates, lanes, role, seed).expect("it plays")
    } else {
        let engine = gates.engine.clone();
        on_one_state(&parameters, engine, Some(&gates.circuit), role, seed, MOVES_A_LOOK).expect("it plays")
    }
}

/// Whether the rules show that two free roles share a constant sum.
fn is_sum_certain(rules: &Arc<Rules>) -> bool {
    let tree = &brain(rules, "batch=off", 0, 0).tree;
    tree.roles.certain_sum.is_some()
}

/// Compares all bounds in the tree with the values. Returns how many positions that were.
fn compare_bounds(brain: &TreeBrain<CircuitEngine>, solution: &Solution, what: &str) -> u64 {
    let (engine, tree) = (&brain.engine, &brain.tree);
    let mut worker = engine.worker();
    let mut compared = 0;
    for node in 0..tree.nodes.len() as u32 {
        let Some(state) = &tree.nodes[node as usize].state else { continue };
        let facts = engine.facts(&mut worker, state);
        let Some(values) = solution.of(&facts) else { continue };
        compared += 1;
        for (role, &value) in values.iter().enumerate() {
            let (low, high) = (f64::from(tree.lows(node)[role]), f64::from(tree.highs(node)[role]));
            let is_within = low - ROUNDING <= value && value <= high + ROUNDING;
            assert!(
                is_within || tree.roles.is_chance(role),
                "{what}: {facts:?}, role {role}: {value} in {low}..{high}"
            );
            if tree.is_proved(node, role) && !tree.roles.is_chance(role) {
                let proved = f64::from(tree.range(node, role).0);
                assert!(
                    (proved - value).abs() <= ROUNDING,
                    "{what}: {facts:?}, role {role}: {value}, proved {proved}"
                );
            }
        }
    }
    compared
}

#[test]
fn bounds_hold_and_moves_are_optimal() {
    let n_games = std::env::var("SENET_RANDOM_GAMES").map_or(USUAL_GAMES, |n| n.parse().expect("a number"));
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut not_optimal = Vec::new();
    let (mut n_done, mut seed) = (0, 0);
    // Constant sums that are assumed, and those that the rules show although they should not.
    let mut n_hidden_sums = [0, 0];
    while n_done < n_games {
        seed += 1;
        let mut draw = MoveGenerator::new(seed);
        let traits = Traits::random(&mut draw);
        let text = traits.rules(&mut draw);
        let Some(solution) = Solution::new(&text, MOST_POSITIONS) else { continue };
        n_done += 1;
        let rules = Rules::new(senet_gdl::parse(&text)).expect("it plays");
        let options = ["", "batch=off", "", "batch=off", "threads=2"][seed as usize % 5];
        let what = format!("seed {seed}, {options:?}, {traits:?}, {} positions", solution.len());
        let is_certain = is_sum_certain(&rules);
        assert!(is_certain || traits.goals != Goals::Mirrored, "{what}");
        n_hidden_sums[usize::from(is_certain)] += u64::from(traits.goals == Goals::ConstantSum);
        let choosers = solution.first_choosers();
        let mut brain = brain(&rules, options, choosers[0], seed);
        // Early bounds are compared, too: most are open then.
        let mut compared = 0;
        for n in [300, PLAYOUTS - 300] {
            brain.think(&Limit::default().with_playouts(n)).expect("it plays");
            compared += compare_bounds(&brain, &solution, &what);
        }
        let choice = brain.choose().expect("a move");
        let kind = match (solution.is_simultaneous, traits.has_chance()) {
            (true, _) => "simultaneous".to_owned(),
            (_, true) => format!("chance {:?}, {:?}", traits.chance, traits.goals),
            _ => format!("{} roles, {:?}", traits.n_free, traits.goals),
        };
        let tally = tallies.entry(kind).or_default();
        tally.games += 1;
        tally.positions += solution.len();
        tally.unknown += solution.n_unknown();
        tally.compared += compared;
        tally.proved += u64::from(choice.report.is_proved);
        if solution.is_simultaneous {
            if let (true, Some(values)) = (choice.report.is_proved, solution.of_start()) {
                let (proved, value) = (choice.report.value.expect("it is known"), values[choosers[0]]);
                assert!((proved - value).abs() <= ROUNDING, "{what}: proved {proved}, is {value}");
            }
            continue;
        }
        let moves = solution.of_first_moves(choosers[0]);
        let value = |values: &solution::Values| values.as_ref().expect("nobody mixes")[choosers[0]];
        let best = moves.iter().map(|(_, values)| value(values)).fold(0.0, f64::max);
        let chosen = moves.iter().find(|(text, _)| *text == choice.text).expect("a legal move");
        let tolerance = if traits.chance == Chance::Draws { CHANCE_TOLERANCE } else { ROUNDING };
        if value(&chosen.1) >= best - tolerance {
            tally.optimal += 1;
        } else {
            not_optimal.push(format!("{what}: {} of {best} by {}", value(&chosen.1), choice.text));
        }
        if choice.report.is_proved {
            let proved = choice.report.value.expect("it is known");
            assert!((proved - best).abs() <= ROUNDING, "{what}: proved {proved}, is {best}");
        }
    }
    for (kind, tally) in &tallies {
        eprintln!("{kind}: {tally:?}");
    }
    not_optimal.iter().for_each(|game| eprintln!("not optimal: {game}"));
    let of_choice = |tally: &Tally| tally.games;
    let n_judged: u64 =
        tallies.iter().filter(|(kind, _)| *kind != "simultaneous").map(|(_, it)| of_choice(it)).sum();
    let n_optimal: u64 = tallies.values().map(|tally| tally.optimal).sum();
    eprintln!("{n_optimal} of {n_judged} moves are optimal");
    assert!(n_optimal as f64 >= 0.99 * n_judged as f64);
    assert!(n_hidden_sums[0] > n_hidden_sums[1], "{n_hidden_sums:?}");
    // No kind hides behind the others.
    for (kind, tally) in tallies.iter().filter(|(kind, it)| *kind != "simultaneous" && it.games >= 100) {
        assert!(tally.optimal as f64 >= 0.98 * tally.games as f64, "{kind}: {tally:?}");
    }
    let n_unknown: usize = tallies.values().map(|tally| tally.unknown).sum();
    let n_positions: usize = tallies.values().map(|tally| tally.positions).sum();
    assert!(n_unknown * 10 < n_positions, "{n_unknown} of {n_positions} positions have no value");
}
