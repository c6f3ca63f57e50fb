//! Dropping what takes long to drop.

/// Less than this is dropped at once: some milliseconds.
const MOST_AT_ONCE: usize = 16 << 20;

/// Drops a value of about so many bytes, on a thread of its own if it is large: a tree of 1 GB takes half a second.
pub(crate) fn dispose<T: Send + 'static>(value: T, bytes: usize) {
    if bytes > MOST_AT_ONCE {
        // Where there is no other thread, the value is dropped with the closure.
        let _ = std::thread::Builder::new().name("disposal".to_owned()).spawn(move || drop(value));
    }
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
