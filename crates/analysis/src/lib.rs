//! Checks and lowering of GDL rulesheets: from [`Description`] to [`Program`].
//!
//! [`analyze`] looks for everything that is wrong with a rulesheet and, if nothing refuses it,
//! gives the rules in the form that grounding and engines work on. Every kind of finding has a
//! [`Code`] with an explanation, see [`explain`].

mod relations;
mod scopes;
mod condition;
mod bindings;
mod plain;
mod names;
mod graph;
mod sheet;
mod report;
mod checks;
mod lower;
mod stratify;
mod program;
mod build;
mod temporization;
#[cfg(test)]
mod carets;

pub use graph::{Components, Graph};
pub use program::{Atom, Dependence, Literal, Program, Relation, Rule, RuleId, Stratification};
pub use relations::RelationId;
pub use temporization::{Kept, Temporal, Temporization};

use report::Report;
use senet_gdl::{Code, Description, Diagnostic, Severity};
use sheet::Sheet;

// Rulesheets come from strangers: maps whose keys they choose must not degrade.
type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
type HashSet<K> = std::collections::HashSet<K, foldhash::fast::RandomState>;

/// What is wrong with a rulesheet, and its rules if it can be played.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Analysis {
    /// The findings, those of the parser included, in the order of the text: of each kind at most twenty.
    pub diagnostics: Vec<Diagnostic>,
    /// How many errors there are, also those that are not among the diagnostics.
    pub n_errors: usize,
    /// How many warnings there are, also those that are not among the diagnostics.
    pub n_warnings: usize,
    /// The checked rules; `None` exactly if a finding is an error.
    pub program: Option<Program>,
    /// Whether departures from the specification count as errors.
    pub strict: bool,
}

impl Analysis {
    /// The findings that refuse the rulesheet.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|found| found.severity(self.strict) == Severity::Error)
    }
}

/// Checks a rulesheet and lowers its rules. `syntax` are the findings of the parser.
///
/// ```
/// let (description, syntax) = senet_gdl::parse(
///     "(role robot)
///      (<= (legal robot ?move) (or (button ?move) (lever ?move)))
///      (button a) (lever b)
///      (<= (next done) (does robot a))
///      (<= (goal robot 100) (true done))
///      (<= (goal robot 0) (not (true done)))
///      (<= terminal (true done))",
/// );
/// let analysis = senet_analysis::analyze(&description, syntax, false);
/// assert!(analysis.diagnostics.is_empty());
/// let program = analysis.program.unwrap();
/// let legal = program.reserved(senet_gdl::Keyword::Legal).unwrap();
/// let rules: Vec<_> = program.rules_of(legal).iter().map(|rule| program.show_rule(rule)).collect();
/// assert_eq!(rules, ["(<= (legal robot ?move) (button ?move))", "(<= (legal robot ?move) (lever ?move))"]);
/// ```
pub fn analyze(description: &Description, syntax: Vec<Diagnostic>, strict: bool) -> Analysis {
    let mut report = Report::default();
    let is_complete = syntax.is_empty();
    for found in syntax {
        report.add(found.code, || found);
    }
    let mut sheet = Sheet::new(description);
    checks::check_clauses(&mut sheet, &mut report);
    let lowered = lower::lower(&sheet, &mut report);
    let strata = stratify::stratify(lowered.relations.len(), &lowered.rules);
    let known =
        checks::Known { is_complete, may_repeat: lowered.may_repeat, stratification: strata.stratification };
    checks::check_sheet(&sheet, known, &mut report);
    let program = (!report.has_errors(strict)).then(|| build::build(lowered, strata));
    Analysis {
        n_errors: report.count(Severity::Error, strict),
        n_warnings: report.count(Severity::Warning, strict),
        diagnostics: report.finish(),
        program,
        strict,
    }
}

/// Every code that a finding can have, the parser's included, in order.
pub fn codes() -> Vec<&'static Code> {
    let mut codes: Vec<_> = senet_gdl::codes().into_iter().chain(checks::codes()).collect();
    codes.push(&lower::TOO_LARGE);
    codes.sort_by_key(|code| code.id);
    codes
}

/// The code with this name, in upper or lower case.
///
/// ```
/// assert_eq!(senet_analysis::explain("g201").unwrap().id, "G201");
/// assert!(senet_analysis::explain("G999").is_none());
/// ```
pub fn explain(id: &str) -> Option<&'static Code> {
    codes().into_iter().find(|code| code.id.eq_ignore_ascii_case(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let codes = codes();
        assert!(codes.windows(2).all(|pair| pair[0].id < pair[1].id));
        for code in codes {
            assert!(code.explanation.len() > 80, "{} needs a longer explanation", code.id);
            assert!(code.explanation.lines().all(|line| line.len() <= 110), "{} has a long line", code.id);
            assert!(!code.title.ends_with('.'), "{}", code.id);
        }
    }

    #[test]
    fn an_empty_rulesheet_is_refused_without_panic() {
        let (description, syntax) = senet_gdl::parse("");
        let analysis = analyze(&description, syntax, false);
        assert!(analysis.program.is_none());
        assert_eq!(analysis.errors().map(|found| found.code.id).collect::<Vec<_>>(), ["G401"]);
    }

    #[test]
    fn strictness_decides_what_refuses() {
        let (description, _) = senet_gdl::parse("(role x) (legal x a) (goal x 100)");
        assert!(analyze(&description, Vec::new(), false).program.is_some());
        assert!(analyze(&description, Vec::new(), true).program.is_none());
    }
}
