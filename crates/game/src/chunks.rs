//! Many playouts on many threads, with the same result on any number of them.

use crate::{Engine, GameError, PlayoutOptions, PlayoutStatistics, derived_seed};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Playouts that share a generator. Few enough to share work between threads, many enough that beginning
/// anew costs nothing.
const CHUNK: u64 = 1_024;

/// Plays random matches in chunks of 1,024, each with a seed of its own, spread over threads. The first chunk has the
/// seed of the options; with one thread everything happens on the calling one.
pub fn playouts_in_chunks<E: Engine>(
    engine: &E,
    options: PlayoutOptions,
) -> Result<PlayoutStatistics, GameError> {
    let work = Work {
        options,
        n_chunks: options.count.div_ceil(CHUNK),
        next: AtomicU64::new(0),
        has_failed: AtomicBool::new(false),
    };
    let n_threads = (options.threads as u64).clamp(1, work.n_chunks.max(1));
    if n_threads == 1 {
        return work.play(engine).map_err(|(_, error)| error);
    }
    let parts: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(|| work.play(engine))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    let mut whole = PlayoutStatistics::new(engine.role_names().len());
    let mut first_error: Option<(u64, GameError)> = None;
    for part in parts {
        match part {
            Ok(part) => whole.merge(&part),
            Err(error) if first_error.as_ref().is_none_or(|first| error.0 < first.0) => {
                first_error = Some(error);
            }
            Err(_) => {}
        }
    }
    first_error.map_or(Ok(whole), |(_, error)| Err(error))
}

struct Work {
    options: PlayoutOptions,
    n_chunks: u64,
    next: AtomicU64,
    /// Chunks are begun in order and those begun are finished, so the first error is the same on any number of threads.
    has_failed: AtomicBool,
}

impl Work {
    /// Plays the chunks that no other thread plays. An error comes with its chunk.
    fn play<E: Engine>(&self, engine: &E) -> Result<PlayoutStatistics, (u64, GameError)> {
        let mut statistics = PlayoutStatistics::new(engine.role_names().len());
        let mut worker = engine.worker();
        while !self.has_failed.load(Ordering::Relaxed) {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.n_chunks {
                break;
            }
            let options = PlayoutOptions {
                count: CHUNK.min(self.options.count - chunk * CHUNK),
                seed: if chunk == 0 { self.options.seed } else { derived_seed(self.options.seed, chunk) },
                ..self.options
            };
            match engine.playouts(&mut worker, options) {
                Ok(played) => statistics.merge(&played),
                Err(error) => {
                    self.has_failed.store(true, Ordering::Relaxed);
                    return Err((chunk, error));
                }
            }
        }
        Ok(statistics)
    }
}
