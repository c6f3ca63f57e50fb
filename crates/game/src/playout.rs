//! Random playouts, one state at a time.

use crate::{Engine, GameError, MoveGenerator, PlayoutStatistics, roles};

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutOptions {
    /// How many playouts.
    pub count: u64,
    /// Which random draws.
    pub seed: u64,
    /// A playout that is not over after so many moves is cut and counted apart.
    pub max_length: u64,
    /// How many threads play. What comes out does not depend on it.
    pub threads: usize,
}

impl PlayoutOptions {
    /// `count` playouts of a seed on one thread, each cut after 10,000 moves.
    pub fn new(count: u64, seed: u64) -> Self {
        Self { count, seed, max_length: 10_000, threads: 1 }
    }
}

/// How far a random match went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedOut {
    /// How many joint moves it took.
    pub length: u64,
    /// Whether the match is over.
    pub is_over: bool,
}

/// Plays random matches from the initial position, one after the other on this thread, with the draws of one
/// generator: the inner loop of [`playouts_in_chunks`](crate::playouts_in_chunks).
pub fn playouts<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, GameError> {
    let mut statistics = PlayoutStatistics::new(engine.role_names().len());
    let mut generator = MoveGenerator::new(options.seed);
    let initial = engine.initial(worker)?;
    for _ in 0..options.count {
        let mut may_go_on = |length| length < options.max_length;
        let (last, played) = walk(engine, worker, &initial, &mut generator, &mut may_go_on)?;
        if !played.is_over {
            statistics.add_cut(played.length);
            continue;
        }
        statistics.add_finished(played.length);
        for role in roles(engine) {
            if let Some(goal) = engine.goal(worker, &last, role)? {
                statistics.add_goal(role.index(), goal);
            }
        }
    }
    Ok(statistics)
}

/// Plays one random match from a state on. Before each move `may_go_on` is asked with the number of those that were made.
/// Replaces `goals` by what the last position is worth to each role, be it the end or not.
pub fn playout<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    state: &E::State,
    generator: &mut MoveGenerator,
    may_go_on: &mut dyn FnMut(u64) -> bool,
    goals: &mut Vec<Option<u8>>,
) -> Result<PlayedOut, GameError> {
    let (last, played) = walk(engine, worker, state, generator, may_go_on)?;
    goals.clear();
    for role in roles(engine) {
        goals.push(engine.goal(worker, &last, role)?);
    }
    Ok(played)
}

fn walk<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    start: &E::State,
    generator: &mut MoveGenerator,
    may_go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<(E::State, PlayedOut), GameError> {
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    let mut state = start.clone();
    let mut length = 0;
    loop {
        let is_over = engine.is_terminal(worker, &state)?;
        if is_over || !may_go_on(length) {
            return Ok((state, PlayedOut { length, is_over }));
        }
        joint.clear();
        for role in roles(engine) {
            engine.legals(worker, &state, role, &mut moves)?;
            let Some(choice) = generator.choose(&moves) else {
                return Err(GameError::no_legal_move(engine, worker, &state, role));
            };
            joint.push(choice);
        }
        state = engine.step(worker, &state, &joint)?;
        length += 1;
    }
}
