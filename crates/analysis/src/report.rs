//! Collects findings, a bounded number of each kind.

use crate::HashMap;
use senet_gdl::{Code, Description, Diagnostic, Severity};
use std::ops::RangeInclusive;

/// How many findings of one code are kept: between these two, fewer the longer the text, because a finding takes time and
/// memory in proportion to its clause.
const KEPT: RangeInclusive<usize> = 20..=1_000;

/// How much text may be read again for the findings of one code: some tenths of a second.
const REREAD_BYTES: usize = 100 << 20;

/// How many places one finding points at besides its own.
pub(crate) const MAX_LABELS: usize = 10;

/// The findings so far.
pub(crate) struct Report {
    kept: Vec<Diagnostic>,
    counts: HashMap<&'static str, (&'static Code, usize)>,
    most_of_a_code: usize,
}

impl Report {
    /// Begins with the findings of the parser.
    pub(crate) fn new(description: &Description) -> Report {
        let most_of_a_code = REREAD_BYTES / description.text.len().max(1);
        let mut report = Report {
            kept: Vec::new(),
            counts: HashMap::default(),
            most_of_a_code: most_of_a_code.clamp(*KEPT.start(), *KEPT.end()),
        };
        for found in description.findings() {
            report.add(found.code, || found.clone());
        }
        for &(code, count) in description.finding_counts() {
            report.counts.insert(code.id, (code, count));
        }
        report
    }

    /// Adds a finding, made only if it is kept.
    pub(crate) fn add(&mut self, code: &'static Code, make: impl FnOnce() -> Diagnostic) {
        let (_, count) = self.counts.entry(code.id).or_insert((code, 0));
        *count += 1;
        if *count <= self.most_of_a_code {
            let found = make();
            debug_assert_eq!(found.code, code);
            self.kept.push(found);
        }
    }

    /// Whether some finding refuses the rulesheet.
    pub(crate) fn has_errors(&self, strict: bool) -> bool {
        self.kept.iter().any(|found| found.severity(strict) == Severity::Error)
    }

    /// How many findings there were of a severity, kept or not.
    pub(crate) fn count(&self, severity: Severity, strict: bool) -> usize {
        let of_severity = self.counts.values().filter(|(code, _)| code.level.severity(strict) == severity);
        of_severity.map(|(_, count)| count).sum()
    }

    /// The findings in the order of their places, and how many there were of each code, kept or not.
    pub(crate) fn finish(mut self) -> (Vec<Diagnostic>, Vec<(&'static Code, usize)>) {
        self.kept.sort_by_key(|found| (found.primary.span, found.code.id));
        let mut counts: Vec<_> = self.counts.into_values().collect();
        counts.sort_by_key(|(code, _)| code.id);
        (self.kept, counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_gdl::{Level, Span};

    static CODE: Code = Code { id: "X1", level: Level::Strict, title: "", explanation: "" };

    #[test]
    fn findings_are_sorted_and_bounded() {
        for (length, most) in [(10, 1_000), (1 << 20, 100), (100 << 20, 20)] {
            let mut report = Report::new(&senet_gdl::parse(&" ".repeat(length)));
            for at in (0..1_500).rev() {
                report.add(&CODE, || Diagnostic::new(&CODE, Span::new(at, at), "found"));
            }
            assert!(report.has_errors(true) && !report.has_errors(false));
            assert_eq!(
                (report.count(Severity::Error, true), report.count(Severity::Error, false)),
                (1_500, 0)
            );
            let (found, counts) = report.finish();
            assert_eq!((found.len(), &counts[..]), (most, &[(&CODE, 1_500)][..]));
            assert!(found.is_sorted_by_key(|found| found.primary.span));
        }
    }

    #[test]
    fn the_findings_of_the_parser_come_first_and_all_count() {
        let report = Report::new(&senet_gdl::parse(&"(<=) ".repeat(1_200)));
        assert_eq!(report.count(Severity::Error, false), 1_200);
        assert_eq!(report.finish().0.len(), 1_000);
    }
}
