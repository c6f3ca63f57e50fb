//! What is wrong with a rulesheet, as plain data; front ends render it.

use crate::Span;

/// How serious a kind of problem is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Has no sensible meaning: always an error.
    Error,
    /// Breaks the specification but has one sensible meaning: a warning, an error with `--strict`.
    Strict,
    /// Allowed, and probably not what the author meant: a warning.
    Lint,
}

impl Level {
    /// How serious a finding of this level is.
    pub fn severity(self, strict: bool) -> Severity {
        match (self, strict) {
            (Level::Error, _) | (Level::Strict, true) => Severity::Error,
            (Level::Strict, false) | (Level::Lint, _) => Severity::Warning,
        }
    }
}

/// How serious one finding is, once it is known whether the reading is strict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The rulesheet is refused.
    Error,
    /// The rulesheet is accepted.
    Warning,
}

impl Severity {
    /// The word that begins a message.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A stable name for a kind of problem, with the text of `senet check --explain`.
#[derive(PartialEq, Eq, Debug)]
pub struct Code {
    /// Such as `G201`. G0 syntax, G1 names, G2 safety, G3 recursion, G4 playability, W lints.
    pub id: &'static str,
    /// How serious it is.
    pub level: Level,
    /// One line.
    pub title: &'static str,
    /// What it means, why it matters, an example and what to do.
    pub explanation: &'static str,
}

/// A place and what to say about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to say there; may be empty.
    pub text: String,
}

/// A change of the text that would mend the problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// By what.
    pub replacement: String,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What kind.
    pub code: &'static Code,
    /// What is wrong: lower case, no full stop, names in backticks.
    pub message: String,
    /// Where it is wrong.
    pub primary: Label,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What else to know.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// What to do, as a change of the text.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A finding with nothing but its place.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Says something at the primary place.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Offers a replacement of the primary place.
    #[must_use]
    pub fn replace_with(mut self, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix { span: self.primary.span, replacement: replacement.into() });
        self
    }

    /// Whether this finding refuses the rulesheet.
    pub fn severity(&self, strict: bool) -> Severity {
        self.code.level.severity(strict)
    }
}

/// The findings of one file, at most a thousand of each kind: a file can be
/// wrong in every byte, and the memory for its findings must not be many times its size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    kept: Vec<Diagnostic>,
    counts: Vec<(&'static Code, usize)>,
}

impl Findings {
    const MOST_OF_A_KIND: usize = 1_000;

    /// Adds a finding, made only if it is kept.
    pub(crate) fn add(&mut self, code: &'static Code, make: impl FnOnce() -> Diagnostic) {
        let at = self.counts.iter().position(|&(known, _)| known == code).unwrap_or_else(|| {
            self.counts.push((code, 0));
            self.counts.len() - 1
        });
        self.counts[at].1 += 1;
        if self.counts[at].1 <= Self::MOST_OF_A_KIND {
            self.kept.push(make());
        }
    }

    /// The same in the order of their places.
    pub(crate) fn sorted(mut self) -> Findings {
        self.kept.sort_by_key(|found| found.primary.span);
        self
    }

    pub(crate) fn kept(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// How many findings there are of each kind, kept or not.
    pub(crate) fn counts(&self) -> &[(&'static Code, usize)] {
        &self.counts
    }
}
