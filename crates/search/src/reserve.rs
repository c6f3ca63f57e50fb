//! The best move so far, for a caller that cannot wait until the search returns.

use crate::Choice;
use senet_ids::thread_cpu_time;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How old the choice in reserve may be, as long as playouts take less time.
const INTERVAL: Duration = Duration::from_millis(5);

/// Making choices for the reserve takes at most one part of the time in so many.
const SHARE: u32 = 100;

/// The best choice so far of a search that is under way. Copies are of the same.
///
/// Each position needs a reserve of its own: then a choice for the position before cannot be in it.
#[derive(Clone, Default, Debug)]
pub struct Reserve(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Written in turns, so that one of them is free whatever the search does: a reader never waits.
    slots: [Mutex<Option<Numbered>>; 2],
    n_puts: AtomicU64,
    begin: Instant,
    /// When the next choice is due, in microseconds since the beginning.
    due: AtomicU64,
}

#[derive(Clone, Debug)]
struct Numbered {
    number: u64,
    choice: Choice,
}

impl Default for Shared {
    fn default() -> Self {
        Shared {
            slots: Default::default(),
            n_puts: AtomicU64::new(0),
            begin: Instant::now(),
            due: AtomicU64::new(0),
        }
    }
}

impl Reserve {
    /// The best choice so far, `None` if the search has not begun. Does not wait for the search.
    pub fn choice(&self) -> Option<Choice> {
        let newest = self.0.slots.iter().filter_map(|slot| match slot.try_lock() {
            Ok(slot) => slot.clone(),
            Err(TryLockError::Poisoned(slot)) => slot.into_inner().clone(),
            Err(TryLockError::WouldBlock) => None,
        });
        newest.max_by_key(|numbered| numbered.number).map(|numbered| numbered.choice)
    }

    /// Replaces the choice. One without a playout does not replace another: an engine that has just taken over knows less
    /// than the one before.
    ///
    /// One thread puts at a time.
    pub fn put(&self, choice: Choice) {
        let number = self.0.n_puts.load(Relaxed);
        if number > 0 && choice.report.playouts == 0 {
            return;
        }
        self.0.n_puts.store(number + 1, Relaxed);
        let slot = &self.0.slots[(number % 2) as usize];
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let before = slot.replace(Numbered { number, choice });
        drop(slot);
        drop(before);
    }

    /// Puts a choice if one is due: at once, then every few milliseconds.
    pub(crate) fn update(&self, choice: impl FnOnce() -> Option<Choice>) {
        let shared = &*self.0;
        if shared.begin.elapsed().as_micros() < u128::from(shared.due.load(Relaxed)) {
            return;
        }
        // A thread that has to wait for its processor meanwhile takes no longer.
        let before = thread_cpu_time();
        if let Some(choice) = choice() {
            self.put(choice);
        }
        let took = thread_cpu_time().saturating_sub(before);
        let next = shared.begin.elapsed() + INTERVAL.max(took * SHARE);
        shared.due.store(next.as_micros() as u64, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::started;
    use crate::{Limit, Report};

    fn choice(text: &str, playouts: u64) -> Choice {
        Choice { text: text.to_owned(), report: Report { playouts, ..Report::default() } }
    }

    #[test]
    fn the_last_choice_is_in_reserve() {
        let reserve = Reserve::default();
        assert_eq!(reserve.choice(), None);
        for (text, playouts, expected) in [("a", 0, "a"), ("b", 1, "b"), ("c", 1, "c"), ("d", 0, "c")] {
            reserve.clone().put(choice(text, playouts));
            assert_eq!(reserve.choice().map(|choice| choice.text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_put_under_way_holds_up_no_reader() {
        let reserve = Reserve::default();
        for (text, expected) in [("a", "a"), ("b", "b"), ("c", "c")] {
            reserve.put(choice(text, 1));
            let next = &reserve.0.slots[(reserve.0.n_puts.load(Relaxed) % 2) as usize];
            let _held = next.lock();
            assert_eq!(reserve.choice().map(|choice| choice.text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn choices_are_made_at_once_and_then_at_intervals() {
        let reserve = Reserve::default();
        let (mut n_made, begin) = (0, Instant::now());
        while begin.elapsed() < 10 * INTERVAL {
            reserve.update(|| {
                n_made += 1;
                Some(choice("a", n_made))
            });
            assert!(reserve.choice().is_some());
        }
        let most = 1 + begin.elapsed().as_micros() / INTERVAL.as_micros();
        assert!((2..=most).contains(&u128::from(n_made)), "{n_made}");
    }

    #[test]
    fn a_thread_that_was_held_up_makes_the_next_choice_soon() {
        let reserve = Reserve::default();
        let asleep = Duration::from_millis(60);
        let slept = || {
            std::thread::sleep(asleep);
            Some(choice("first", 1))
        };
        reserve.update(slept);
        std::thread::sleep(INTERVAL);
        let begin = Instant::now();
        while reserve.choice() != Some(choice("second", 2)) {
            reserve.update(|| Some(choice("second", 2)));
            assert!(begin.elapsed() < asleep * SHARE / 2, "sleep counts as work");
        }
    }

    const THINKING: [(&str, &str); 6] = [
        ("connect-four", "mcts"),
        ("connect-four", "mcts:threads=2,batch=off"),
        ("connect-four", "uct"),
        ("connect-four", "monte-carlo"),
        ("connect-four", "auto"),
        ("peg-solitaire-33", "nested"),
    ];

    #[test]
    fn every_search_keeps_its_best_choice_in_reserve() {
        for (game, spec) in THINKING {
            let mut player = started(game, spec, 0, 1);
            let reserve = Reserve::default();
            let limit = Limit::after(Duration::from_secs(60)).with_reserve(reserve.clone());
            let stop = limit.stop.clone();
            std::thread::scope(|scope| {
                let thinking = scope.spawn(|| player.choose(&limit).expect("a move"));
                let mut n_playouts = 0;
                for _ in 0..3 {
                    // It is replaced by one of more playouts, unless the search is at its end.
                    while !thinking.is_finished()
                        && reserve.choice().is_none_or(|choice| choice.report.playouts <= n_playouts)
                    {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    n_playouts = reserve.choice().expect("a choice").report.playouts;
                }
                stop.stop();
                assert!(n_playouts > 0, "{game}, {spec}");
            });
        }
    }

    #[test]
    fn there_is_a_choice_before_the_search_goes_on() {
        for (game, spec) in THINKING {
            let mut player = started(game, spec, 0, 1);
            let choose = |player: &mut dyn crate::Player, limit: Limit| {
                let reserve = Reserve::default();
                let chosen = player.choose(&limit.with_reserve(reserve.clone())).expect("a move");
                (chosen, reserve.choice().expect("a choice"))
            };
            let limit = || Limit::default().with_playouts(2_000);
            let (chosen, _) = choose(&mut *player, limit());
            let joint: Vec<String> = match game {
                "connect-four" => vec![chosen.text, "noop".to_owned()],
                _ => vec![chosen.text],
            };
            player.observe(&joint).expect("it is legal");
            // There is no time at all: what is known of the position is known from before.
            let stopped = limit();
            stopped.stop.stop();
            let (chosen, reserved) = choose(&mut *player, stopped);
            assert_eq!((reserved.text, reserved.report.value), (chosen.text, chosen.report.value), "{spec}");
        }
    }

    #[test]
    fn a_reserve_changes_no_choice() {
        for spec in ["mcts:playouts=500", "uct:playouts=500", "monte-carlo:playouts=500"] {
            let choices = |has_reserve: bool| {
                let mut player = started("rock-paper-scissors", spec, 0, 3);
                let texts = (0..20).map(|_| {
                    let reserve = has_reserve.then(Reserve::default);
                    player.choose(&Limit { reserve, ..Limit::default() }).expect("a move").text
                });
                texts.collect::<Vec<_>>()
            };
            assert_eq!(choices(true), choices(false), "{spec}");
        }
    }
}
