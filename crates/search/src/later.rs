//! Something that takes long to make: it is made beside the match, once, for all who want it.

use crate::Limit;
use senet_engines::Refusal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How often somebody who waits looks whether the wait was called off.
const LOOK_AROUND: Duration = Duration::from_millis(20);

/// What a thread of its own makes, or why it cannot be made. Copies are of the same.
pub struct Later<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    begun: OnceLock<()>,
    made: OnceLock<Result<T, Refusal>>,
    door: Mutex<()>,
    bell: Condvar,
}

impl<T> Default for Later<T> {
    fn default() -> Self {
        let shared = Shared {
            begun: OnceLock::new(),
            made: OnceLock::new(),
            door: Mutex::default(),
            bell: Condvar::default(),
        };
        Later { shared: Arc::new(shared) }
    }
}

impl<T> Clone for Later<T> {
    fn clone(&self) -> Self {
        Later { shared: self.shared.clone() }
    }
}

impl<T: Send + Sync + 'static> Later<T> {
    /// Starts the thread if nobody did. One that panics refuses.
    pub(crate) fn begin(&self, make: impl FnOnce() -> Result<T, Refusal> + Send + 'static) {
        self.shared.begun.get_or_init(|| {
            let shared = self.shared.clone();
            std::thread::spawn(move || {
                let made = catch_unwind(AssertUnwindSafe(make));
                let made = made.unwrap_or_else(|_| Err(Refusal::Other("making it failed".to_owned())));
                // Nobody else sets it.
                let _ = shared.made.set(made);
                let _door = shared.door.lock().unwrap_or_else(PoisonError::into_inner);
                shared.bell.notify_all();
            });
        });
    }
}

impl<T> Later<T> {
    /// `None` if it is not there yet.
    pub fn get(&self) -> Option<&Result<T, Refusal>> {
        self.shared.made.get()
    }

    /// Waits for it: `None` if it is not there when the limit is reached.
    pub fn wait(&self, limit: &Limit) -> Option<&Result<T, Refusal>> {
        let mut door = self.shared.door.lock().unwrap_or_else(PoisonError::into_inner);
        while self.get().is_none() && !limit.is_reached(0) {
            let time = limit.time_left().unwrap_or(LOOK_AROUND).min(LOOK_AROUND);
            let woken = self.shared.bell.wait_timeout(door, time);
            door = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        self.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn it_is_made_once_and_waited_for() {
        let later = Later::default();
        assert!(later.get().is_none());
        let (go, wait) = mpsc::channel();
        later.begin(move || {
            wait.recv().expect("the test lets it go");
            Ok(7)
        });
        later.begin(|| Ok(8));
        assert!(later.wait(&Limit::after(Duration::from_millis(5))).is_none());
        let called = Limit::default();
        called.stop.stop();
        assert!(later.wait(&called).is_none());
        go.send(()).expect("the thread waits");
        assert!(matches!(later.wait(&Limit::default()), Some(Ok(7))));
    }

    #[test]
    fn a_panic_is_a_refusal() {
        let later = Later::<u8>::default();
        later.begin(|| panic!("on purpose"));
        let refused = later.wait(&Limit::default()).expect("it ended").as_ref().expect_err("it failed");
        assert_eq!(refused.to_string(), "making it failed");
    }
}
