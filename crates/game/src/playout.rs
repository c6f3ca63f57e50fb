//! Random playouts.

use crate::{Engine, GameError, MoveGenerator, roles};

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutOptions {
    /// How many playouts.
    pub count: u64,
    /// Which random draws.
    pub seed: u64,
    /// A playout that is not over after so many moves is cut and counted apart.
    pub max_length: u64,
}

impl PlayoutOptions {
    /// `count` playouts of a seed, each cut after 10,000 moves.
    pub fn new(count: u64, seed: u64) -> Self {
        Self { count, seed, max_length: 10_000 }
    }
}

/// What came out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayoutStatistics {
    /// Playouts that reached a terminal position.
    pub playouts: u64,
    /// Playouts that were cut.
    pub cut: u64,
    /// Joint moves applied in all playouts.
    pub states: u64,
    /// Joint moves applied in the playouts that reached the end.
    pub finished_states: u64,
    /// By role: the sum of the goals that were defined.
    pub goal_sums: Vec<u64>,
    /// By role: how many goals were defined.
    pub goal_counts: Vec<u64>,
}

impl PlayoutStatistics {
    /// Mean length of the playouts that reached the end.
    pub fn mean_length(&self) -> Option<f64> {
        ratio(self.finished_states, self.playouts)
    }

    /// By role: mean of the goals that were defined at the end.
    pub fn mean_goals(&self) -> Vec<Option<f64>> {
        self.goal_sums.iter().zip(&self.goal_counts).map(|(&sum, &count)| ratio(sum, count)).collect()
    }
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// Plays random matches from the initial position.
pub fn playouts<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, GameError> {
    let n_roles = engine.role_names().len();
    let mut statistics = PlayoutStatistics {
        goal_sums: vec![0; n_roles],
        goal_counts: vec![0; n_roles],
        ..PlayoutStatistics::default()
    };
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
        statistics.states += length;
        if !finished {
            statistics.cut += 1;
            continue;
        }
        statistics.playouts += 1;
        statistics.finished_states += length;
        for role in roles(engine) {
            if let Some(goal) = engine.goal(worker, &state, role)? {
                statistics.goal_sums[role.index()] += u64::from(goal);
                statistics.goal_counts[role.index()] += 1;
            }
        }
    }
    Ok(statistics)
}
