//! Why a rulesheet is refused, in one sentence.

use crate::Analysis;
use senet_gdl::{Code, Description, LineIndex};
use std::fmt;

/// The first error of a rulesheet that is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RulesheetError {
    /// The kind of error.
    pub code: &'static Code,
    /// What is wrong.
    pub message: String,
    /// The line, counted from one.
    pub line: usize,
    /// The column in characters, counted from one.
    pub column: usize,
    /// How many more errors there are.
    pub n_more: usize,
}

impl RulesheetError {
    pub(crate) fn new(analysis: &Analysis, description: &Description) -> RulesheetError {
        let first = analysis.errors().next().expect("a refused rulesheet has an error");
        let text = &description.text;
        let (line, column) = LineIndex::new(text).line_column(text, first.primary.span.start);
        let message = first.message.clone();
        RulesheetError { code: first.code, message, line, column, n_more: analysis.n_errors - 1 }
    }
}

/// Continues "the rulesheet has".
impl fmt::Display for RulesheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RulesheetError { code, message, line, column, n_more } = self;
        match n_more {
            0 => write!(f, "an error at ")?,
            _ => write!(f, "{} errors, the first at ", n_more + 1)?,
        }
        write!(f, "{line}:{column}: {message} ({})", code.id)
    }
}

impl std::error::Error for RulesheetError {}

#[cfg(test)]
mod tests {
    use crate::analyze;

    fn refusal(text: &str) -> String {
        let description = senet_gdl::parse(text);
        analyze(&description, false).accepted(&description).expect_err(text).to_string()
    }

    #[test]
    fn the_place_and_the_number_of_errors_are_named() {
        assert_eq!(refusal("(role x)\n (p"), "an error at 2:2: this parenthesis is never closed (G001)");
        assert_eq!(refusal("(role x) () (p) (<=)"), "2 errors, the first at 1:10: empty parentheses (G005)");
        assert_eq!(refusal(""), "an error at 1:1: this rulesheet has no role (G401)");
    }

    #[test]
    fn without_an_error_there_is_a_program() {
        let description = senet_gdl::parse("(role x) (legal x a) (goal x 100) terminal");
        assert!(analyze(&description, false).accepted(&description).is_ok());
    }
}
