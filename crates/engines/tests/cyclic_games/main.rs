//! Engines made of gates agree with the reference engine on games whose rules go in circles.

mod record;
mod rules;

use record::{Record, assert_jumps_alike, assert_plays_alike, record};
use senet_circuit::Circuit;
use senet_engine_circuit::{CircuitEngine, Evaluation};
use senet_engine_lanes::LanesEngine;
use senet_engine_reference::ReferenceEngine;
use senet_engines::Setup;
use senet_game::{Engine, MoveId, PlayoutOptions, PlayoutStatistics, RoleId};
use std::sync::Arc;

const N_GAMES: u64 = 50;
const N_MATCHES: u64 = 12;
/// Playouts of which every draw is compared, and of which means are.
const N_SAME_PLAYOUTS: u64 = 40;
const N_PLAYOUTS: u64 = 10_000;
/// 500 means are compared: they differ by more in one of a thousand runs with other draws.
const STANDARD_ERRORS: f64 = 4.5;

struct Game {
    text: String,
    judge: ReferenceEngine,
    circuit: Arc<Circuit>,
    records: Vec<Record>,
}

fn games() -> impl Iterator<Item = Game> {
    (0..N_GAMES).map(|seed| {
        let text = rules::game(seed);
        let description = senet_gdl::parse(&text);
        assert_eq!(description.findings(), [], "{text}");
        let analysis = senet_analysis::analyze(&description, false);
        let errors: Vec<_> = analysis.errors().collect();
        assert!(errors.is_empty(), "{errors:?}\n{text}");
        let judge = ReferenceEngine::new(&description).expect("the rules are right");
        let circuit = Setup::new(&description).circuit().expect("the game is small");
        assert!(!circuit.blocks().is_empty(), "no rules go in circles\n{text}");
        let records = (0..N_MATCHES).map(|seed| record(&judge, seed)).collect();
        Game { text, judge, circuit, records }
    })
}

#[test]
fn circuits_agree_with_the_reference_engine() {
    for Game { text, judge, circuit, records } in games() {
        let options = PlayoutOptions::new(N_SAME_PLAYOUTS, 3);
        let expected = judge.playouts(&mut judge.worker(), options).expect("it plays");
        for evaluation in [Evaluation::Lists, Evaluation::Columns] {
            let engine = CircuitEngine::with(&circuit, evaluation);
            assert_plays_alike(&engine, &records, &text);
            assert_jumps_alike(&engine, &records, &text);
            let found = engine.playouts(&mut engine.worker(), options);
            assert_eq!(found.as_ref(), Ok(&expected), "{evaluation:?}\n{text}");
        }
    }
}

#[test]
fn lanes_agree_with_the_reference_engine() {
    for Game { text, circuit, records, .. } in games() {
        let engine = LanesEngine::new(circuit.clone()).expect("the game has few moves");
        assert_plays_alike(&engine, &records, &text);
        assert_jumps_alike(&engine, &records, &text);
        assert_lanes_play_alike(&engine, &records, &text);
        // The test above tells that this engine plays as the reference engine does.
        let judge = CircuitEngine::with(&circuit, Evaluation::Lists);
        let expected = judge.all_playouts(PlayoutOptions::new(N_PLAYOUTS, 1)).expect("it plays");
        let found = engine.all_playouts(PlayoutOptions::new(N_PLAYOUTS, 1)).expect("it plays");
        assert_outcomes_alike(&found, &expected, &text);
    }
}

/// Each lane of a batch plays another of the matches: circles take a different number of rounds in each.
fn assert_lanes_play_alike(engine: &LanesEngine, records: &[Record], game: &str) {
    /// More than one block of lanes has.
    const N_LANES: usize = 270;
    let mut batch = engine.batch(N_LANES);
    let mut worker = engine.worker();
    let mut text = |id: MoveId| engine.move_text(&mut worker, id);
    let roles = || (0..engine.role_names().len()).map(RoleId::new);
    let longest = records.iter().map(Vec::len).max().unwrap_or(0);
    (0..N_LANES).for_each(|lane| batch.set(lane, engine.states().initial()));
    for at in 0..longest {
        let mut joint = Vec::new();
        for lane in 0..N_LANES {
            let record = &records[lane % records.len()];
            let expected = &record[at.min(record.len() - 1)];
            let is_over = expected.answers.terminal;
            if is_over {
                // A lane whose match is over waits there.
                let state = engine.states().read(&expected.answers.facts).expect("a match came there");
                batch.set(lane, &state);
            }
            let facts = engine.states().facts(&batch.state(lane));
            assert_eq!(facts, expected.answers.facts, "lane {lane}\n{game}");
            let goals: Vec<Option<u8>> = roles().map(|role| batch.goal(lane, role)).collect();
            assert_eq!(goals, expected.answers.goals, "lane {lane} {facts:?}\n{game}");
            assert_eq!(batch.is_terminal(lane), is_over, "lane {lane} {facts:?}\n{game}");
            let legal: Vec<Vec<MoveId>> =
                roles().map(|role| batch.legal_moves(lane, role).collect()).collect();
            if is_over {
                joint.push(Vec::new());
                continue;
            }
            let texts: Vec<Vec<String>> =
                legal.iter().map(|moves| moves.iter().map(|&id| text(id)).collect()).collect();
            assert_eq!(texts, expected.answers.legal, "lane {lane} {facts:?}\n{game}");
            joint.push(legal.iter().zip(&expected.choices).map(|(moves, &choice)| moves[choice]).collect());
        }
        batch.step(|lane| &joint[lane]);
    }
}

fn assert_outcomes_alike(found: &PlayoutStatistics, expected: &PlayoutStatistics, game: &str) {
    assert_eq!((found.playouts, found.cut), (expected.playouts, 0), "{game}");
    let playouts = [found.playouts, expected.playouts];
    let lengths = [found, expected].map(PlayoutStatistics::mean_length);
    let variances = [found, expected].map(PlayoutStatistics::length_variance);
    Means { what: "length", means: lengths, variances, counts: playouts, range: 8.0 }.assert_alike(game);
    for role in 0..expected.goal_counts.len() {
        let counts = [found, expected].map(|it| it.goal_counts[role]);
        let means = [found, expected].map(|it| it.mean_goals()[role]);
        let variances = [found, expected].map(|it| it.goal_variances()[role]);
        Means { what: "goal", means, variances, counts, range: 100.0 }.assert_alike(game);
        let shares = [0, 1].map(|at| counts[at] as f64 / playouts[at] as f64);
        let (means, variances) = (shares.map(Some), shares.map(|share| Some(share * (1.0 - share))));
        Means { what: "goals there are", means, variances, counts: playouts, range: 1.0 }.assert_alike(game);
    }
}

/// The means of something in the playouts of two engines.
struct Means {
    what: &'static str,
    means: [Option<f64>; 2],
    variances: [Option<f64>; 2],
    counts: [u64; 2],
    /// From the smallest value to the largest.
    range: f64,
}

impl Means {
    fn assert_alike(&self, game: &str) {
        let [Some(found), Some(expected)] = self.means else {
            assert_eq!(self.means, [None, None], "{}\n{game}", self.what);
            return;
        };
        // What did not happen in so many playouts may still happen once.
        let square_error = |(variance, &count): (&Option<f64>, &u64)| {
            variance.unwrap_or(0.0).max(self.range.powi(2) / count as f64) / count as f64
        };
        let error = self.variances.iter().zip(&self.counts).map(square_error).sum::<f64>().sqrt();
        let is_close = (found - expected).abs() <= STANDARD_ERRORS * error;
        assert!(is_close, "{}: {found} for {expected} ± {error}\n{game}", self.what);
    }
}
