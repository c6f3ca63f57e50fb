//! The playouts that others are compared with.

use super::clock::timed_playouts;
use super::outcome::FEWEST_PLAYOUTS;
use senet_game::{AnyEngine, GameError, PlayoutOptions, PlayoutStatistics};

/// The pilot ends when it has played so many, or for this share of the time.
const PILOT: u64 = 256;
const PILOT_SHARE: f64 = 0.05;

/// The precision that is enough: of the mean length in parts of it, of mean goals in points.
const LENGTH_ERROR: f64 = 0.0025;
const GOAL_ERROR: f64 = 0.5;

/// Never more than so many, and not fewer where time allows.
const MOST: f64 = 200_000.0;
const USUAL: f64 = 2_000.0;

/// Plays a number of playouts that is fixed after a pilot; `None` if there is no time for enough of them.
pub(super) fn judge(
    engine: &dyn AnyEngine,
    options: PlayoutOptions,
    seconds: f64,
) -> Result<Option<PlayoutStatistics>, GameError> {
    let mut count = 1;
    let (pilot, time) = loop {
        let (pilot, time) = timed_playouts(engine, PlayoutOptions { count, ..options })?;
        if count >= PILOT || time >= PILOT_SHARE * seconds {
            break (pilot, time);
        }
        count *= 2;
    };
    let affordable = seconds / (time / count as f64);
    if affordable < FEWEST_PLAYOUTS as f64 {
        return Ok(None);
    }
    let count = wanted(&pilot).min(affordable) as u64;
    // Not the draws of the pilot: its variance decided the number.
    let options = PlayoutOptions { count, seed: options.seed.wrapping_add(1), ..options };
    engine.playouts(options).map(Some)
}

/// How many playouts give means that are precise enough.
fn wanted(pilot: &PlayoutStatistics) -> f64 {
    let length = pilot.mean_length().zip(pilot.length_variance());
    let by_length = length.map_or(0.0, |(mean, variance)| variance / (LENGTH_ERROR * mean.max(1.0)).powi(2));
    let by_goals = pilot.goal_variances().into_iter().flatten().map(|variance| variance / GOAL_ERROR.powi(2));
    by_goals.fold(by_length, f64::max).clamp(USUAL, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_more_is_played_more_often() {
        let mut pilot = PlayoutStatistics::new(1);
        (0..100).for_each(|_| pilot.add_finished(20));
        assert_eq!(wanted(&pilot), USUAL);
        (0..100).for_each(|_| pilot.add_finished(30));
        // A variance of 25 at a mean of 25.
        assert!((wanted(&pilot) - 1.0 / (0.0025_f64 * 5.0).powi(2)).abs() < 1.0);
        (0..100).for_each(|at| pilot.add_goal(0, if at % 2 == 0 { 100 } else { 0 }));
        assert!((wanted(&pilot) - 10_000.0).abs() < 1.0);
    }

    #[test]
    fn a_judge_without_time_does_not_judge() {
        let game = senet_engines::library::find("tic-tac-toe").expect("a built-in game");
        let engine = senet_engines::load("reference", &senet_gdl::parse(&game.text)).expect("it plays");
        let judged = |seconds| judge(&*engine, PlayoutOptions::new(1, 5), seconds).expect("the game ends");
        assert_eq!(judged(1e-6), None);
        let playouts = judged(1.0).expect("a second is enough").playouts;
        assert!(playouts >= FEWEST_PLAYOUTS, "{playouts}");
    }
}
