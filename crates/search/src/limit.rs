//! How long a player may think.

use crate::{Choice, Reserve};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Ends somebody else's thinking.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From now on every limit with this stop is reached.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was called for.
    pub fn is_called(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When thinking ends: at a moment, after so many playouts, or when somebody calls for it; whichever comes first.
#[derive(Clone, Default, Debug)]
pub struct Limit {
    /// The moment.
    pub deadline: Option<Instant>,
    /// How many playouts.
    pub playouts: Option<u64>,
    /// The call.
    pub stop: Stop,
    /// Where the search keeps its best choice so far, for a caller that does not wait for it.
    pub reserve: Option<Reserve>,
}

impl Limit {
    /// Ends at a moment.
    pub fn at(deadline: Instant) -> Limit {
        Limit { deadline: Some(deadline), ..Limit::default() }
    }

    /// Ends after a while.
    pub fn after(time: Duration) -> Limit {
        Limit { deadline: Instant::now().checked_add(time), ..Limit::default() }
    }

    /// The same, but for a certain number of playouts at most.
    pub fn with_playouts(self, playouts: u64) -> Limit {
        Limit { playouts: Some(playouts), ..self }
    }

    /// The same, with a call that ends it.
    pub fn with_stop(self, stop: Stop) -> Limit {
        Limit { stop, ..self }
    }

    /// The same, with a reserve for the best choice so far.
    pub fn with_reserve(self, reserve: Reserve) -> Limit {
        Limit { reserve: Some(reserve), ..self }
    }

    /// Puts the best choice so far into the reserve, if there is one and a choice is due.
    pub(crate) fn update_reserve(&self, choice: impl FnOnce() -> Option<Choice>) {
        if let Some(reserve) = &self.reserve {
            reserve.update(choice);
        }
    }

    /// Whether thinking has to end after so many playouts. Reads the clock: some twenty nanoseconds.
    pub fn is_reached(&self, playouts: u64) -> bool {
        self.playouts.is_some_and(|most| playouts >= most)
            || self.stop.is_called()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether it is worth to begin anew on a better engine, when what was found out in the time that passed is lost.
    pub(crate) fn has_time_to_begin_anew(&self, passed: Duration) -> bool {
        self.time_left().is_none_or(|left| left >= passed / 4)
    }

    /// The time that is left, `None` if there is no deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whichever_comes_first_ends_it() {
        assert!(!Limit::default().is_reached(u64::MAX));
        assert!(Limit::after(Duration::ZERO).is_reached(0));
        let limit = Limit::after(Duration::from_secs(1000)).with_playouts(5);
        assert!(!limit.is_reached(4) && limit.is_reached(5));
        limit.stop.stop();
        assert!(limit.is_reached(0));
        let ten = Limit::after(Duration::from_secs(10));
        assert!(ten.has_time_to_begin_anew(Duration::from_secs(30)));
        assert!(!ten.has_time_to_begin_anew(Duration::from_secs(50)));
        let endless = Limit::after(Duration::MAX);
        assert_eq!((endless.deadline, endless.time_left()), (None, None));
    }
}
