//! What the generated program has to agree with: answers of the engine.

use senet_engine_forward::{ForwardEngine, Worker};
use senet_game::{
    Engine, GameError, MoveGenerator, PerftOptions, PlayoutOptions, PlayoutStatistics, perft, roles,
};
use std::time::{Duration, Instant};

const MOST_MOVES: usize = 200;
const MOST_NODES: u64 = 1_000;
const MOST_DEPTH: u32 = 4;
const MOST_PLAYOUTS: u64 = 100;
const MOST_TIME: Duration = Duration::from_millis(50);

/// A joint move, and how many moves were legal and how many fluents held before it.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) moves: Vec<String>,
    pub(crate) n_legal: Vec<usize>,
    pub(crate) n_fluents: usize,
}

/// What the engine says about a game.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    /// A random match from the start, as far as time allows.
    pub(crate) recorded: Vec<Recorded>,
    pub(crate) is_over: bool,
    pub(crate) goals: Vec<Option<u8>>,
    /// How many sequences of joint moves there are, by length.
    pub(crate) perft: Vec<u64>,
    /// Of random matches; `None` if they do not end in time or break off.
    pub(crate) statistics: Option<PlayoutStatistics>,
}

impl Expected {
    /// Asks the engine.
    pub(crate) fn of(engine: &ForwardEngine) -> Result<Expected, GameError> {
        let mut worker = engine.worker();
        let mut expected = Expected {
            recorded: Vec::new(),
            is_over: false,
            goals: vec![None; engine.role_names().len()],
            perft: Vec::new(),
            statistics: None,
        };
        let (n_moves, time) = expected.record(engine, &mut worker)?;
        let time_per_move = time / n_moves.max(1);
        // Wide games have large first levels: the cost of a node is about that of a move.
        let n_nodes = (MOST_TIME.as_nanos() / time_per_move.as_nanos().max(1)) as u64;
        let options = PerftOptions { depth: MOST_DEPTH, node_limit: n_nodes.min(MOST_NODES) };
        if n_nodes > 0 {
            // What breaks off here breaks off in the generated program too.
            let _ = perft(engine, &mut worker, options, |row| expected.perft.push(row.nodes));
        }
        if expected.is_over {
            let n_playouts = (MOST_TIME.as_nanos() / time.as_nanos().max(1)) as u64;
            let options = PlayoutOptions::new(n_playouts.clamp(1, MOST_PLAYOUTS), 0);
            expected.statistics = engine.playouts(&mut worker, options).ok();
        }
        Ok(expected)
    }

    /// Plays a random match; says how many moves it had and how long that took.
    fn record(&mut self, engine: &ForwardEngine, worker: &mut Worker) -> Result<(u32, Duration), GameError> {
        let start = Instant::now();
        let mut generator = MoveGenerator::new(0);
        let mut state = engine.initial(worker)?;
        loop {
            self.is_over = engine.is_terminal(worker, &state)?;
            let is_late = start.elapsed() > 4 * MOST_TIME && !self.recorded.is_empty();
            if self.is_over || is_late || self.recorded.len() == MOST_MOVES {
                break;
            }
            let (mut joint, mut n_legal, mut legal) = (Vec::new(), Vec::new(), Vec::new());
            for role in roles(engine) {
                engine.legals(worker, &state, role, &mut legal)?;
                n_legal.push(legal.len());
                joint.extend(generator.choose(&legal));
            }
            if joint.len() < n_legal.len() {
                break;
            }
            let moves = joint.iter().map(|&choice| engine.move_text(worker, choice)).collect();
            let n_fluents = engine.facts(worker, &state).len();
            self.recorded.push(Recorded { moves, n_legal, n_fluents });
            state = engine.step(worker, &state, &joint)?;
        }
        if self.is_over {
            for role in roles(engine) {
                self.goals[role.index()] = engine.goal(worker, &state, role)?;
            }
        }
        Ok((self.recorded.len() as u32, start.elapsed()))
    }
}
