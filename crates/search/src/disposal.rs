//! Dropping large values, and returning their memory.

use std::sync::OnceLock;

/// Smaller values are dropped at once: that takes some milliseconds.
const MOST_AT_ONCE: usize = 16 << 20;

/// Called after a large value was dropped.
static RETURN_MEMORY: OnceLock<fn()> = OnceLock::new();

/// Sets the function that returns freed memory to the system. It is called on a thread of its own after each large value was
/// dropped, so that an allocator can keep freed memory until then: to return it in between would hold a search up.
/// Only the first call counts.
pub fn set_return_memory(return_memory: fn()) {
    let _ = RETURN_MEMORY.set(return_memory);
}

/// Drops a value of about so many bytes, on a thread of its own if it is large: a tree of 1 GB takes half a second.
pub(crate) fn dispose<T: Send + 'static>(value: T, bytes: usize) {
    if bytes > MOST_AT_ONCE {
        drop_elsewhere(value);
    }
}

/// Drops a value that may be large on a thread of its own.
pub(crate) fn drop_elsewhere<T: Send + 'static>(value: T) {
    // Where no thread can be begun, the value is dropped here, with the closure.
    let _ = std::thread::Builder::new().name("disposal".to_owned()).spawn(move || {
        drop(value);
        if let Some(return_memory) = RETURN_MEMORY.get() {
            return_memory();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use std::thread::{ThreadId, current};

    struct Slow(Sender<ThreadId>);

    impl Drop for Slow {
        fn drop(&mut self) {
            self.0.send(current().id()).expect("the test waits");
        }
    }

    #[test]
    fn what_is_large_is_dropped_elsewhere() {
        let (sender, receiver) = channel();
        dispose(Slow(sender.clone()), 1_000);
        assert_eq!(receiver.recv(), Ok(current().id()));
        dispose(Slow(sender), 1 << 30);
        assert_ne!(receiver.recv(), Ok(current().id()));
    }
}
