//! Emphasis for terminals. Every text is readable without it.

use std::io::IsTerminal;

/// Whether text may carry colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ink {
    enabled: bool,
}

impl Ink {
    /// No colours at all.
    #[cfg(test)]
    pub(super) const PLAIN: Self = Self { enabled: false };

    /// Colours if standard output is a terminal and nobody forbids them.
    pub(super) fn of_stdout() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { enabled: wanted && std::io::stdout().is_terminal() }
    }

    /// What is new on the board, and the result.
    pub(super) fn strong(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// Labels and numbers, beside what they belong to.
    pub(super) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.enabled && !text.trim().is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}
