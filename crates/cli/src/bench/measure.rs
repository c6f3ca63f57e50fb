//! How fast an engine plays.

use super::clock::timed_playouts;
use senet_game::{AnyEngine, GameError, PlayoutOptions, PlayoutStatistics};

/// The share of the time after which a warm-up tells how much to play.
const ENOUGH: f64 = 0.2;

/// How much more to play in the next warm-up, at most.
const MOST_GROWTH: f64 = 10.0;

/// What came out, and the rates of the best run.
pub(super) struct Measured {
    /// Of all runs that count.
    pub(super) played: PlayoutStatistics,
    pub(super) states_per_second: f64,
    pub(super) playouts_per_second: f64,
}

/// Plays for about so many seconds, `repeat` times with different draws. The number of playouts is fixed before a
/// run, by a warm-up that does not count: a run ended by the clock would favour short playouts.
pub(super) fn measure(
    engine: &dyn AnyEngine,
    options: PlayoutOptions,
    seconds: f64,
    repeat: u32,
) -> Result<Measured, GameError> {
    let count = warm_up(engine, options, seconds)?;
    play_runs(engine, PlayoutOptions { count, ..options }, repeat)
}

/// Each run has a seed of its own.
fn play_runs(engine: &dyn AnyEngine, options: PlayoutOptions, repeat: u32) -> Result<Measured, GameError> {
    let mut measured = Measured {
        played: PlayoutStatistics::new(engine.role_names().len()),
        states_per_second: 0.0,
        playouts_per_second: 0.0,
    };
    for run in 0..u64::from(repeat) {
        let seed = options.seed.wrapping_add(run);
        let (played, time) = timed_playouts(engine, PlayoutOptions { seed, ..options })?;
        let rate = played.states as f64 / time;
        if run == 0 || rate > measured.states_per_second {
            measured.states_per_second = rate;
            measured.playouts_per_second = played.playouts as f64 / time;
        }
        measured.played.merge(&played);
    }
    Ok(measured)
}

/// Plays more and more until it is clear how many playouts take so long.
fn warm_up(engine: &dyn AnyEngine, options: PlayoutOptions, seconds: f64) -> Result<u64, GameError> {
    // Lanes take a while to empty: with several playouts each that does not matter.
    let fewest = match engine.n_side_by_side() {
        1 => 1,
        lanes => lanes * 16 * options.threads as u64,
    };
    let mut count = fewest;
    loop {
        let (_, time) = timed_playouts(engine, PlayoutOptions { count, ..options })?;
        let growth = seconds / time;
        if time >= ENOUGH * seconds {
            return Ok(((count as f64 * growth) as u64).max(fewest));
        }
        count = (count as f64 * growth.clamp(2.0, MOST_GROWTH)).ceil() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tic_tac_toe() -> std::sync::Arc<dyn AnyEngine> {
        let game = senet_engines::library::find("tic-tac-toe").expect("a built-in game");
        senet_engines::load("reference", &senet_gdl::parse(&game.text)).expect("it plays")
    }

    #[test]
    fn runs_have_draws_of_their_own() {
        let options = PlayoutOptions::new(40, 5);
        let one = play_runs(&*tic_tac_toe(), options, 1).expect("the game ends");
        let three = play_runs(&*tic_tac_toe(), options, 3).expect("the game ends");
        assert_eq!(three.played.playouts, 120);
        assert_ne!(three.played.states, 3 * one.played.states);
    }

    #[test]
    fn every_run_plays_as_much() {
        let measured = measure(&*tic_tac_toe(), PlayoutOptions::new(1, 5), 0.02, 3).expect("the game ends");
        assert_eq!(measured.played.playouts % 3, 0);
        assert!(measured.states_per_second > measured.playouts_per_second * 4.9);
    }
}
