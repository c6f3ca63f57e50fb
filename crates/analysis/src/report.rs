//! Collects findings, a bounded number of each kind.

use crate::HashMap;
use senet_gdl::{Code, Diagnostic, Severity};

/// How many findings of one code are shown. A file that is wrong in a thousand places is usually
/// wrong in one way.
const MAX_SHOWN: usize = 20;

/// How many places one finding points at besides its own.
pub(crate) const MAX_LABELS: usize = 10;

/// The findings so far.
#[derive(Default)]
pub(crate) struct Report {
    shown: Vec<Diagnostic>,
    counts: HashMap<&'static str, (&'static Code, usize)>,
}

impl Report {
    /// Adds a finding; the text is made only if it will be shown.
    pub(crate) fn add(&mut self, code: &'static Code, make: impl FnOnce() -> Diagnostic) {
        let (_, count) = self.counts.entry(code.id).or_insert((code, 0));
        *count += 1;
        if *count <= MAX_SHOWN {
            let found = make();
            debug_assert_eq!(found.code, code);
            self.shown.push(found);
        }
    }

    /// Whether some finding refuses the rulesheet.
    pub(crate) fn has_errors(&self, strict: bool) -> bool {
        self.shown.iter().any(|found| found.severity(strict) == Severity::Error)
    }

    /// How many findings there were of a severity, shown or not.
    pub(crate) fn count(&self, severity: Severity, strict: bool) -> usize {
        let of_severity = self.counts.values().filter(|(code, _)| code.level.severity(strict) == severity);
        of_severity.map(|(_, count)| count).sum()
    }

    /// The findings in the order of their places. The last of a kind that has more says how many.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.shown.sort_by_key(|found| (found.primary.span, found.code.id));
        for (id, (_, count)) in self.counts.into_iter().filter(|&(_, (_, count))| count > MAX_SHOWN) {
            let last = self.shown.iter_mut().rfind(|found| found.code.id == id);
            let last = last.expect("a counted code was shown");
            last.notes.push(format!("and {} more findings of {id}", count - MAX_SHOWN));
        }
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_gdl::{Level, Span};

    static CODE: Code = Code { id: "X1", level: Level::Strict, title: "", explanation: "" };

    #[test]
    fn findings_are_sorted_and_bounded() {
        let mut report = Report::default();
        for at in (0..25).rev() {
            report.add(&CODE, || Diagnostic::new(&CODE, Span::new(at, at), "found"));
        }
        assert!(report.has_errors(true) && !report.has_errors(false));
        assert_eq!((report.count(Severity::Error, true), report.count(Severity::Error, false)), (25, 0));
        let found = report.finish();
        assert_eq!(found.len(), 20);
        assert!(found.is_sorted_by_key(|found| found.primary.span));
        assert_eq!(found[19].notes, ["and 5 more findings of X1"]);
    }
}
