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
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    for _ in 0..options.count {
        let mut state = initial.clone();
        let mut length = 0;
        let finished = loop {
            if engine.is_terminal(worker, &state)? {
                break true;
            }
            if length == options.max_length {
                break false;
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
        };
        if !finished {
            statistics.add_cut(length);
            continue;
        }
        statistics.add_finished(length);
        for role in roles(engine) {
            if let Some(goal) = engine.goal(worker, &state, role)? {
                statistics.add_goal(role.index(), goal);
            }
        }
    }
    Ok(statistics)
}
