//! What a waiting person sees of a long grounding.

use crate::progress;
use indicatif::ProgressBar;
use senet_ground::Progress;
use std::time::{Duration, Instant};

/// Shorter work needs no sign of life.
const PATIENCE: Duration = Duration::from_secs(1);

/// Between two texts.
const INTERVAL: Duration = Duration::from_millis(100);

pub(super) struct Watch {
    start: Instant,
    next: Instant,
    spinner: Option<ProgressBar>,
}

impl Watch {
    pub(super) fn new() -> Watch {
        let start = Instant::now();
        Watch { start, next: start + PATIENCE, spinner: None }
    }

    pub(super) fn show(&mut self, progress: Progress) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + INTERVAL;
        let spinner = self
            .spinner
            .get_or_insert_with(|| progress::spinner("grounding").with_elapsed(self.start.elapsed()));
        let Progress { step, facts, rules } = progress;
        spinner.set_message(format!("finding {step}: {facts} facts, {rules} rules"));
    }

    pub(super) fn finish(self) {
        if let Some(spinner) = self.spinner {
            spinner.finish_and_clear();
        }
    }
}
