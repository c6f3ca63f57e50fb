//! Time that playing takes.

use senet_game::{AnyEngine, GameError, PlayoutOptions, PlayoutStatistics};
use senet_ids::thread_cpu_time;
use std::time::Instant;

/// Playouts and the seconds they took: of the processor on one thread, where nobody else's work counts; of the clock
/// on several, because their processor time does not tell whether they waited for each other.
pub(super) fn timed_playouts(
    engine: &dyn AnyEngine,
    options: PlayoutOptions,
) -> Result<(PlayoutStatistics, f64), GameError> {
    let (cpu, wall) = (thread_cpu_time(), Instant::now());
    let played = engine.playouts(options)?;
    let time = if options.threads == 1 { thread_cpu_time() - cpu } else { wall.elapsed() };
    // A clock may not have moved.
    Ok((played, time.as_secs_f64().max(1e-9)))
}
