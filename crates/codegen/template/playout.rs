//! Random playouts and their statistics.

use crate::game::{Game, N_ROLES, Stopped};
use rand::RngExt;
use rand::rngs::SmallRng;

/// A playout that is not over after so many moves is cut.
pub const MOST_MOVES: u64 = 10_000;

/// What came out of random playouts.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    /// Playouts that reached the end.
    pub playouts: u64,
    /// Playouts that were cut.
    pub cut: u64,
    /// Joint moves in all playouts.
    pub states: u64,
    /// Lengths of the playouts that reached the end.
    pub length: Sample,
    /// By role: the goals that were defined.
    pub goals: [Sample; N_ROLES],
}

/// How often something was seen, the sum and the sum of the squares.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sample {
    /// How often.
    pub count: u64,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean, not a number if nothing was seen.
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }

    /// The mean of the squares of the distances from the mean.
    pub fn variance(&self) -> f64 {
        (self.squares / self.count as f64 - self.mean() * self.mean()).max(0.0)
    }
}

/// Plays one random match to the end.
pub fn playout(game: &mut Game, rng: &mut SmallRng, statistics: &mut Statistics) -> Result<(), Stopped> {
    game.start();
    let mut length = 0;
    while !game.is_over()? {
        if length == MOST_MOVES {
            statistics.cut += 1;
            return Ok(());
        }
        let legal = game.moves()?;
        let joint = legal.each_ref().map(|moves| match moves.len() {
            0 => None,
            1 => Some(moves[0]),
            n => Some(moves[rng.random_range(0..n)]),
        });
        game.play(joint)?;
        statistics.states += 1;
        length += 1;
    }
    statistics.playouts += 1;
    statistics.length.add(length as f64);
    for (sample, goal) in statistics.goals.iter_mut().zip(game.outcome()?) {
        if let Some(goal) = goal {
            sample.add(f64::from(goal));
        }
    }
    Ok(())
}
