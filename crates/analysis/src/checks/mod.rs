//! One file for each group of findings: what it is about, the check, its wording, its tests.

mod keyword_arguments;
mod arities;
mod safety;
mod negation;
mod recursion;
mod playability;
mod roles;
mod misplaced;
mod goals;
mod undefined;
mod unused;
mod repeated;
mod order;
mod reserved_words;
mod disjunctions;

use crate::names::Names;
use crate::program::Stratification;
use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::Code;

/// The codes of all checks.
pub(crate) fn codes() -> impl Iterator<Item = &'static Code> {
    let groups: [&[&'static Code]; 15] = [
        &keyword_arguments::CODES,
        &arities::CODES,
        &safety::CODES,
        &negation::CODES,
        &recursion::CODES,
        &playability::CODES,
        &roles::CODES,
        &misplaced::CODES,
        &goals::CODES,
        &undefined::CODES,
        &unused::CODES,
        &repeated::CODES,
        &order::CODES,
        &reserved_words::CODES,
        &disjunctions::CODES,
    ];
    groups.into_iter().flatten().copied()
}

/// The checks of single clauses whose errors keep a clause from being lowered.
pub(crate) fn check_clauses(sheet: &mut Sheet, report: &mut Report) {
    keyword_arguments::check(sheet, report);
    safety::check(sheet, report);
}

/// What else is known of the rulesheet when its checks begin.
pub(crate) struct Known {
    /// Whether the parser has read every clause; otherwise nothing is said to be missing.
    pub(crate) is_complete: bool,
    /// Whether some clause may be written twice.
    pub(crate) may_repeat: bool,
    pub(crate) stratification: Stratification,
}

/// All other checks.
pub(crate) fn check_sheet(sheet: &Sheet, known: Known, report: &mut Report) {
    let names = Names::new(sheet.description);
    if sheet.relations.has_ambiguous_name() || names.has_ambiguous_function() {
        arities::check(sheet, report);
    }
    negation::check(sheet, known.stratification, report);
    recursion::check(sheet, report);
    misplaced::check(sheet, report);
    goals::check(sheet, report);
    if known.may_repeat {
        repeated::check(sheet, report);
    }
    order::check(sheet, report);
    if names.has_reserved_word_in_term(sheet.description) {
        reserved_words::check(sheet, report);
    }
    if names.has_short_or {
        disjunctions::check(sheet, report);
    }
    if known.is_complete {
        playability::check(sheet, report);
        roles::check(sheet, report);
        undefined::check(sheet, report);
        unused::check(sheet, report);
    }
}
