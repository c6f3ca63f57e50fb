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
mod rulesheet_error;
#[cfg(test)]
mod carets;

pub use graph::{Components, Graph};
pub use program::{Atom, Dependence, Literal, Program, Relation, Rule, RuleId, Stratification};
pub use relations::RelationId;
pub use rulesheet_error::RulesheetError;
pub use temporization::{Kept, Temporal, Temporization};

use report::Report;
use senet_gdl::{Code, Description, Diagnostic, Places, Severity};
use sheet::Sheet;

// Rulesheets come from strangers: maps whose keys they choose must not degrade.
type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
type HashSet<K> = std::collections::HashSet<K, foldhash::fast::RandomState>;

/// What is wrong with a rulesheet, and its rules if it can be played.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Analysis {
    /// The findings, including those of the parser, in the order of the text: of each code at most a thousand, and fewer
    /// where the text has more than 100 kB.
    pub diagnostics: Vec<Diagnostic>,
    /// How many errors there are, also those that are not among the diagnostics.
    pub n_errors: usize,
    /// How many warnings there are, also those that are not among the diagnostics.
    pub n_warnings: usize,
    /// The checked rules; `None` exactly if a finding is an error.
    pub program: Option<Program>,
    /// Whether departures from the specification count as errors.
    pub strict: bool,
    /// How many findings there are of each code.
    counts: Vec<(&'static Code, usize)>,
    /// The clauses in which an error was found, by their index, sorted.
    faulty_clauses: Vec<usize>,
}

impl Analysis {
    /// The findings that refuse the rulesheet.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|found| found.severity(self.strict) == Severity::Error)
    }

    /// How many findings of a code there are, including those that are not among the diagnostics.
    pub fn count(&self, code: &Code) -> usize {
        self.counts.iter().find(|(known, _)| *known == code).map_or(0, |&(_, count)| count)
    }

    /// The checked rules, or the first error. `description` is the analyzed rulesheet.
    pub fn accepted(&self, description: &Description) -> Result<&Program, RulesheetError> {
        self.program.as_ref().ok_or_else(|| RulesheetError::new(self, description))
    }

    /// The analyzed rulesheet without the clauses in which an error was found.
    ///
    /// It may still be refused: a role may be missing.
    ///
    /// ```
    /// let description = senet_gdl::parse("(role x) (<= (q ?y)) (p) (p");
    /// let analysis = senet_analysis::analyze(&description, false);
    /// assert_eq!(analysis.n_errors, 2);
    /// assert_eq!(analysis.without_errors(&description).to_text(), "(role x)\np\n");
    /// ```
    pub fn without_errors(&self, description: &Description) -> Description {
        description.select(|clause_idx| self.faulty_clauses.binary_search(&clause_idx).is_err())
    }

    /// The findings as lines of text, such as `12:5: error G006: this rule has no head`: line, column, severity, code,
    /// message. Further lines say how many findings are not among the diagnostics.
    pub fn lines<'a>(&'a self, description: &'a Description) -> impl Iterator<Item = String> + 'a {
        let mut places = Places::new(&description.text);
        let shown = self.diagnostics.iter().map(move |found| {
            let (line, column) = places.line_column(found.primary.span.start);
            let severity = found.severity(self.strict).word();
            format!("{line}:{column}: {severity} {}: {}", found.code.id, found.message)
        });
        let left_out = self.counts.iter().filter_map(|&(code, count)| {
            let n_kept = self.diagnostics.iter().filter(|found| found.code == code).count();
            (count > n_kept).then(|| format!("and {} more findings of {}", count - n_kept, code.id))
        });
        shown.chain(left_out)
    }
}

/// Checks a rulesheet and lowers its rules. The findings of the parser are among those of the analysis.
///
/// ```
/// let description = senet_gdl::parse(
///     "(role robot)
///      (<= (legal robot ?move) (or (button ?move) (lever ?move)))
///      (button a) (lever b)
///      (<= (next done) (does robot a))
///      (<= (goal robot 100) (true done))
///      (<= (goal robot 0) (not (true done)))
///      (<= terminal (true done))",
/// );
/// let analysis = senet_analysis::analyze(&description, false);
/// assert!(analysis.diagnostics.is_empty());
/// let program = analysis.program.unwrap();
/// let legal = program.reserved(senet_gdl::Keyword::Legal).unwrap();
/// let rules: Vec<_> = program.rules_of(legal).iter().map(|rule| program.show_rule(rule)).collect();
/// assert_eq!(rules, ["(<= (legal robot ?move) (button ?move))", "(<= (legal robot ?move) (lever ?move))"]);
/// ```
pub fn analyze(description: &Description, strict: bool) -> Analysis {
    let mut report = Report::new(description);
    let is_complete = description.findings().is_empty();
    let mut sheet = Sheet::new(description);
    checks::check_clauses(&mut sheet, &mut report);
    let lowered = lower::lower(&mut sheet, &mut report);
    let strata = stratify::stratify(lowered.relations.len(), &lowered.rules);
    let known =
        checks::Known { is_complete, may_repeat: lowered.may_repeat, stratification: strata.stratification };
    checks::check_sheet(&sheet, known, &mut report);
    let is_faulty = |&clause_idx: &usize| !sheet.is_sound[clause_idx];
    let faulty_clauses = (0..sheet.is_sound.len()).filter(is_faulty).collect();
    let program = (!report.has_errors(strict)).then(|| build::build(lowered, strata));
    let [n_errors, n_warnings] =
        [Severity::Error, Severity::Warning].map(|severity| report.count(severity, strict));
    let (diagnostics, counts) = report.finish();
    Analysis { diagnostics, n_errors, n_warnings, program, strict, counts, faulty_clauses }
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
        let description = senet_gdl::parse("");
        let analysis = analyze(&description, false);
        assert!(analysis.program.is_none());
        assert_eq!(analysis.errors().map(|found| found.code.id).collect::<Vec<_>>(), ["G401"]);
    }

    #[test]
    fn syntax_errors_refuse_without_being_passed_on() {
        for cut in ["(role x) (legal x a) (goal x 100) terminal (<= )", "(role x) (legal x a) (goal x"] {
            let analysis = analyze(&senet_gdl::parse(cut), false);
            assert!(analysis.program.is_none(), "{cut}");
            assert!(analysis.errors().all(|found| found.code.id.starts_with("G0")), "{cut}");
        }
    }

    #[test]
    fn clauses_with_errors_are_left_out() {
        let text = "(role x) (<= (legal x ?y)) (<= (p a) (true a b)) (<= (p b) (does x b)) (<= terminal";
        let description = senet_gdl::parse(text);
        let analysis = analyze(&description, false);
        let codes: Vec<_> = analysis.errors().map(|found| found.code.id).collect();
        assert_eq!(codes, ["G201", "G101", "G001"]);
        let rest = analysis.without_errors(&description);
        assert_eq!(rest.to_text(), "(role x)\n(<= (p b) (does x b))\n");
        assert!(analyze(&rest, false).program.is_some());
    }

    #[test]
    fn lines_have_places_and_say_how_many_more() {
        let description = senet_gdl::parse("(role x)\n(legal x a) (goal x 100) (<=)\n (p é) (q");
        let analysis = analyze(&description, false);
        let lines: Vec<_> = analysis.lines(&description).collect();
        assert_eq!(
            lines,
            ["2:26: error G006: this rule has no head", "3:8: error G001: this parenthesis is never closed"]
        );
        let many = senet_gdl::parse(&"(<=) ".repeat(1_200));
        let lines: Vec<_> = analyze(&many, false).lines(&many).collect();
        assert_eq!((lines.len(), &*lines[999]), (1_001, "1:4996: error G006: this rule has no head"));
        assert_eq!(lines[1_000], "and 200 more findings of G006");
    }

    #[test]
    fn strictness_decides_what_refuses() {
        let description = senet_gdl::parse("(role x) (legal x a) (goal x 100)");
        assert!(analyze(&description, false).program.is_some());
        assert!(analyze(&description, true).program.is_none());
    }
}
