//! What a waiting person sees on standard error. Silent when nobody watches.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A sign of life with the time passed, from the first second on.
pub(crate) fn spinner(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("a valid template");
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(what);
    spinner.enable_steady_tick(Duration::from_millis(250));
    spinner
}

/// How much of some work is done, and what is being done.
pub(crate) fn bar(length: usize) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:24} {pos}/{len} {msg} {elapsed}").expect("a valid template");
    let bar = ProgressBar::new(length as u64).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
