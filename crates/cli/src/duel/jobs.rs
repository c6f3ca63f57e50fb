//! Work that is done several pieces at a time.

use anyhow::{Result, anyhow};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does the work for each item, in order. The first error or panic ends it: what was begun is done to its end, and nothing
/// else is begun.
pub(super) fn for_each<T: Sync>(
    n_jobs: u16,
    items: &[T],
    work: impl Fn(&T) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let job = || -> Result<()> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            let done = catch_unwind(AssertUnwindSafe(|| work(item)));
            done.unwrap_or_else(|_| Err(anyhow!("a match panicked")))
                .inspect_err(|_| next.store(items.len(), Ordering::Relaxed))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let jobs: Vec<_> = (0..n_jobs).map(|_| scope.spawn(job)).collect();
        jobs.into_iter().try_for_each(|job| job.join().expect("a job does not panic"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::sync::Mutex;
    use std::time::Duration;

    #[test]
    fn everything_is_done_once() {
        let items: Vec<u32> = (0..100).collect();
        let done = Mutex::new(Vec::new());
        for_each(4, &items, |item| {
            done.lock().expect("nobody panics").push(*item);
            Ok(())
        })
        .expect("no error");
        let mut done = done.into_inner().expect("nobody panics");
        done.sort();
        assert_eq!(done, items);
    }

    #[test]
    fn an_error_and_a_panic_end_the_other_jobs() {
        // A panic may take a second to tell where it was.
        let items: Vec<u32> = (0..30_000).collect();
        let ends: [fn() -> Result<()>; 2] = [|| bail!("the disk is full"), || panic!("in a test")];
        for (end, expected) in ends.into_iter().zip(["the disk is full", "a match panicked"]) {
            let done = Mutex::new(0);
            let error = for_each(2, &items, |&item| {
                if item == 0 {
                    return end();
                }
                std::thread::sleep(Duration::from_millis(1));
                *done.lock().expect("nobody panics here") += 1;
                Ok(())
            });
            assert_eq!(error.expect_err("it ends").to_string(), expected);
            assert!(done.into_inner().expect("nobody panics here") < items.len() - 1);
        }
    }
}
