//! When an answer is due, and how late this machine wakes a thread.
//!
//! An answer has to be read by the referee before its clock ends. Between the moment at which it is due and that one, this
//! machine wakes the thread that answers, and the referee the one that reads. On a busy machine each takes a while, and how
//! long is measured: whenever the answering thread waits, and from each answer to the goodbye of the referee.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The search stops so long before the answer leaves: then its last word is sent, not the one in reserve.
const STOPPING: Duration = Duration::from_millis(25);
/// The least time for the way to the referee: waking two threads of a machine that is busy now and then.
const LEAST_WAY: Duration = Duration::from_millis(25);
/// The most, unless the referee is always far away.
const MOST_WAY: Duration = Duration::from_millis(175);
/// Before the first move nothing is measured yet, and more time is not missed: this part of the clock, up to
/// [`MOST_WAY_OF_START`].
const SHARE_OF_START: u32 = 10;
const MOST_WAY_OF_START: Duration = Duration::from_millis(400);
/// The answering thread looks so often how late it is woken.
const STEP: Duration = Duration::from_millis(20);
/// An endless clock is a day.
const LONGEST: Duration = Duration::from_secs(86_400);

/// How late answers were. All connections share it.
pub(crate) struct Delays {
    /// The slowest of the last ways to the referee and of the last times a thread was woken, in microseconds.
    slowest: AtomicU64,
    /// The quickest of the last ways; [`NEVER`] before the first.
    quickest: AtomicU64,
    /// How many ways were measured.
    n_ways: AtomicU64,
}

const NEVER: u64 = u64::MAX;
/// A referee is known to be far away after so many ways: one may have been slow by accident.
const FEWEST_WAYS: u64 = 2;

impl Default for Delays {
    fn default() -> Self {
        // Until something is measured the machine may be busy.
        let slowest = AtomicU64::new(LEAST_WAY.as_micros() as u64);
        Delays { slowest, quickest: AtomicU64::new(NEVER), n_ways: AtomicU64::new(0) }
    }
}

impl Delays {
    /// A thread was woken so late.
    fn note_waking(&self, late: Duration) {
        self.slowest.fetch_max(late.as_micros() as u64, Relaxed);
    }

    /// The way of an answer to the referee and of its goodbye took so long. Without a goodbye, so long was waited for it.
    pub(crate) fn note_way(&self, took: Duration) {
        let took = took.as_micros() as u64;
        // Both forget slowly, a sixteenth with each answer.
        let slower = |slowest: u64| took.max(slowest - slowest.div_ceil(16));
        let quicker = |quickest: u64| took.min(quickest.saturating_add(quickest.div_ceil(16).max(100)));
        let _ = self.slowest.fetch_update(Relaxed, Relaxed, |before| Some(slower(before)));
        let _ = self.quickest.fetch_update(Relaxed, Relaxed, |before| Some(quicker(before)));
        self.n_ways.fetch_add(1, Relaxed);
    }

    /// How long before the end of the clock an answer leaves.
    fn way(&self) -> Duration {
        let quickest = match self.n_ways.load(Relaxed) {
            ..FEWEST_WAYS => 0,
            _ => self.quickest.load(Relaxed),
        };
        // One wait was as long as that; the next may be longer, and the message was late as well.
        let twice = |micros| 2 * Duration::from_micros(micros);
        (LEAST_WAY + twice(self.slowest.load(Relaxed))).min(MOST_WAY.max(twice(quickest)))
    }
}

/// What an answer is due to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clock {
    Start(Duration),
    Play(Duration),
}

impl Clock {
    fn time(self) -> Duration {
        let (Clock::Start(time) | Clock::Play(time)) = self;
        time.min(LONGEST)
    }
}

/// When an answer is due.
#[derive(Clone)]
pub(crate) struct Due {
    /// The player is told to stop thinking.
    pub(crate) think_until: Instant,
    clock_end: Instant,
    /// The answer leaves then, or before if threads are woken later than they were.
    latest: Instant,
    /// Thinking in the opponents' time ends.
    pub(crate) ponder_until: Option<Instant>,
    measured: Option<Measured>,
}

#[derive(Clone)]
struct Measured {
    delays: Arc<Delays>,
    /// The most the way may take of the clock.
    most: Duration,
}

impl Due {
    /// For a message that arrived then, if answers leave as long before the end of the clock as they have to.
    pub(crate) fn measured(arrival: Instant, clock: Clock, delays: &Arc<Delays>) -> Due {
        let time = clock.time();
        // Most of a short clock is for thinking.
        let stopping = STOPPING.min(time / 8);
        let most = time / 4 - stopping;
        let way = match clock {
            Clock::Start(_) => delays.way().max((time / SHARE_OF_START).clamp(MOST_WAY, MOST_WAY_OF_START)),
            Clock::Play(_) => delays.way(),
        };
        let clock_end = arrival + time;
        let latest = clock_end - way.min(most);
        let measured = Some(Measured { delays: delays.clone(), most });
        Due { think_until: latest - stopping, clock_end, latest, ponder_until: None, measured }
    }

    /// The same with a margin that is given.
    pub(crate) fn with_margin(arrival: Instant, clock: Clock, margin: Duration) -> Due {
        let time = clock.time();
        // Of a short clock, something is left to think.
        let margin = margin.min(time / 2);
        let clock_end = arrival + time;
        let (think_until, latest) = (clock_end - margin, clock_end - margin / 2);
        Due { think_until, clock_end, latest, ponder_until: None, measured: None }
    }

    /// The same, with pondering until a moment.
    pub(crate) fn pondering_until(self, ponder_until: Option<Instant>) -> Due {
        Due { ponder_until, ..self }
    }

    /// How long before the end of the clock the search stops.
    pub(crate) fn margin(&self) -> Duration {
        self.clock_end.saturating_duration_since(self.think_until)
    }

    /// When there is an answer, whatever it is.
    pub(crate) fn answer_at(&self) -> Instant {
        match &self.measured {
            Some(Measured { delays, most }) => self.latest.min(self.clock_end - delays.way().min(*most)),
            None => self.latest,
        }
    }

    /// Waits until the answer is due. `None` if nothing came; `wait` waits for so long, and says what came.
    pub(crate) fn wait<T>(&self, mut wait: impl FnMut(Duration) -> Option<T>) -> Option<T> {
        loop {
            let begin = Instant::now();
            let step = self.answer_at().saturating_duration_since(begin).min(STEP);
            let came = wait(step);
            if came.is_some() || step.is_zero() {
                return came;
            }
            if let Some(Measured { delays, .. }) = &self.measured {
                delays.note_waking(begin.elapsed().saturating_sub(step));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(slowest: u64, quickest: u64) -> Arc<Delays> {
        let [slowest, quickest] = [slowest, quickest].map(|milliseconds| AtomicU64::new(1000 * milliseconds));
        Arc::new(Delays { slowest, quickest, n_ways: AtomicU64::new(FEWEST_WAYS) })
    }

    const MS: Duration = Duration::from_millis(1);

    /// How long before the end of the clock the search stops, and the answer leaves.
    fn margins(due: &Due, arrival: Instant, clock: Duration) -> (u128, u128) {
        let end = arrival + clock;
        ((end - due.think_until).as_millis(), (end - due.answer_at()).as_millis())
    }

    #[test]
    fn the_margin_is_as_large_as_threads_are_woken_late() {
        let arrival = Instant::now();
        let measured = |slowest, quickest, clock| {
            let clock = MS * clock;
            let due = Due::measured(arrival, Clock::Play(clock), &delays(slowest, quickest));
            margins(&due, arrival, clock)
        };
        assert_eq!(measured(0, 0, 1_000), (50, 25));
        assert_eq!(measured(1, 0, 1_000), (52, 27));
        assert_eq!(measured(40, 0, 1_000), (130, 105));
        assert_eq!(measured(300, 0, 10_000), (200, 175), "it was the machine");
        assert_eq!(measured(300, 200, 10_000), (425, 400), "the referee is far away");
        assert_eq!(measured(300, 200, 1_000), (250, 225), "most of the clock is for thinking");
        assert_eq!(measured(300, 0, 0), (0, 0));
    }

    #[test]
    fn there_is_time_enough_before_the_first_move() {
        let arrival = Instant::now();
        let started = |clock| {
            let clock = MS * clock;
            margins(&Due::measured(arrival, Clock::Start(clock), &delays(0, 0)), arrival, clock)
        };
        assert_eq!(started(60_000), (425, 400));
        assert_eq!(started(4_000), (425, 400));
        assert_eq!(started(1_000), (200, 175));
        assert_eq!(started(400), (100, 75));
    }

    #[test]
    fn a_margin_that_is_given_is_kept() {
        let arrival = Instant::now();
        let given = |margin, clock| {
            let clock = MS * clock;
            margins(&Due::with_margin(arrival, Clock::Play(clock), MS * margin), arrival, clock)
        };
        assert_eq!(given(700, 10_000), (700, 350));
        assert_eq!(given(700, 1_000), (500, 250));
        assert_eq!(given(0, 1_000), (0, 0));
    }

    #[test]
    fn an_answer_leaves_before_the_clock_ends() {
        let arrival = Instant::now();
        for clock in [MS, Duration::from_secs(1), Duration::MAX] {
            let end = arrival + clock.min(LONGEST);
            for clock in [Clock::Start(clock), Clock::Play(clock)] {
                let due = Due::measured(arrival, clock, &delays(0, 0));
                assert!(arrival < due.think_until, "{clock:?}: there is time to think");
                assert!(due.think_until < due.answer_at(), "{clock:?}: there is time to stop");
                assert!(due.answer_at() < end, "{clock:?}: there is time for the way");
            }
        }
    }

    #[test]
    fn what_was_slow_is_forgotten_and_what_is_far_is_not() {
        let first = Delays::default();
        for _ in 1..FEWEST_WAYS {
            first.note_way(400 * MS);
            assert_eq!(first.way(), MOST_WAY, "it may have been an accident");
        }
        first.note_way(400 * MS);
        assert_eq!(first.way(), 800 * MS, "that is all that is known");
        first.note_way(MS);
        assert_eq!(first.way(), MOST_WAY);
        let delays = delays(300, 0);
        for _ in 0..200 {
            delays.note_way(MS);
        }
        assert!(delays.way() <= LEAST_WAY + 3 * MS, "{:?}", delays.way());
        for _ in 0..200 {
            delays.note_way(150 * MS);
        }
        assert_eq!(delays.way(), 300 * MS);
        delays.note_way(900 * MS);
        assert!(delays.way() < 330 * MS, "{:?}: once is not always", delays.way());
    }

    #[test]
    fn a_thread_that_is_woken_late_makes_the_answer_leave_earlier() {
        let delays = delays(0, 0);
        let arrival = Instant::now();
        let due = Due::measured(arrival, Clock::Play(MS * 1_000), &delays);
        let mut n_waits = 0;
        let came = due.wait(|step| {
            n_waits += 1;
            assert!(step <= STEP);
            std::thread::sleep(step);
            // Nobody woke it for 60 ms.
            std::thread::sleep(if n_waits == 1 { 60 * MS } else { Duration::ZERO });
            None::<()>
        });
        assert_eq!(came, None);
        assert!(n_waits > 2, "{n_waits}");
        let before_end = (arrival + 1_000 * MS).saturating_duration_since(due.answer_at());
        assert!(before_end >= 120 * MS, "{before_end:?}");
        assert!(due.think_until > due.answer_at(), "it was told when it was to stop");
        assert_eq!(due.wait(|_| Some(7)), Some(7));
    }
}
