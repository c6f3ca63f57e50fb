//! Processor time: it does not depend on what else the machine does.

use std::time::Duration;

/// The processor time this thread has used; a system call.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn thread_cpu_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a thread does not use less than no time")
}

/// The time passed; this system has no known clock of a thread.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn thread_cpu_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_passes_with_work() {
        let start = thread_cpu_time();
        let mut sum = 0u64;
        while thread_cpu_time() < start + Duration::from_millis(2) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    #[test]
    fn it_does_not_pass_in_sleep() {
        let start = thread_cpu_time();
        std::thread::sleep(Duration::from_millis(50));
        assert!(thread_cpu_time() - start < Duration::from_millis(40));
    }
}
