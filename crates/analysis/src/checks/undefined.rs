//! W101: relations that nothing defines.

use super::keyword_arguments::may_be_ordinary;
use crate::relations::{RelationId, keyword_of};
use crate::report::Report;
use crate::sheet::{Sheet, Use};
use senet_gdl::{Code, Diagnostic, Keyword, Level, Span};

static UNDEFINED: Code = Code {
    id: "W101",
    level: Level::Lint,
    title: "a relation that nothing defines",
    explanation: "\
A condition asks about a relation for which there is neither a fact nor a rule, so it is always
false:

    (<= (legal ?r noop) (role ?r) (not (contol ?r)))

Usually the name is misspelt, has the wrong number of arguments, or is a fluent and needs `true`
around it.",
};

pub(crate) static CODES: [&Code; 1] = [&UNDEFINED];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    let mut is_reported = vec![false; sheet.relations.len()];
    for edge in &sheet.uses {
        let is_expected = match keyword_of(edge.used) {
            // Reported as missing altogether, given from outside, or no condition at all.
            Some(Keyword::Base | Keyword::Input | Keyword::Sees) | None => !sheet.is_defined(edge.used),
            Some(_) => false,
        };
        // A reserved word with a wrong number of arguments has been refused as such.
        let is_refused = || {
            let keyword = sheet.description.keyword(sheet.relations.name(edge.used));
            keyword_of(edge.used).is_none() && keyword.is_some_and(|keyword| !may_be_ordinary(keyword))
        };
        if is_expected && !is_refused() && !std::mem::replace(&mut is_reported[edge.used.index()], true) {
            report.add(&UNDEFINED, || finding(sheet, edge));
        }
    }
}

fn finding(sheet: &Sheet, edge: &Use) -> Diagnostic {
    let name = sheet.name(edge.used);
    let arity = sheet.relations.arity(edge.used);
    let span: Span = sheet.name_span_in(edge.span);
    let found = Diagnostic::new(&UNDEFINED, span, format!("nothing defines the relation `{name}`"))
        .here("no fact and no rule has this relation as its conclusion, so it is false");
    let defined = || sheet.relation_ids().filter(|&id| sheet.is_defined(id));
    if let Some(other) = defined().find(|&id| sheet.relations.name(id) == sheet.relations.name(edge.used)) {
        let other = sheet.relations.arity(other);
        let plural = if other == 1 { "" } else { "s" };
        return found.help(format!("`{name}` is defined with {other} argument{plural}, here it has {arity}"));
    }
    let is_similar = |id: &RelationId| sheet.relations.arity(*id) == arity;
    let similar = senet_gdl::nearest(name, defined().filter(is_similar).map(|id| sheet.name(id)))
        .or_else(|| senet_gdl::nearest(name, defined().map(|id| sheet.name(id))));
    match similar {
        Some(similar) => found.help(format!("did you mean `{similar}`?")).replace_with(similar),
        None => found.help(format!("add facts or rules for `{name}`, or remove the condition")),
    }
}

#[cfg(test)]
mod tests {
    use crate::carets::{assert_findings, the_finding};

    #[test]
    fn undefined_relations_are_reported_once() {
        assert_findings(
            &["W101"],
            "\
(role x) (init f) (control x)
(<= (legal ?r noop) (role ?r) (not (contol ?r)))
;                                   ^^^^^^ W101 nothing defines the relation `contol`
(<= (next ?f) (contol x) (true ?f) (does x noop))
(<= terminal (or (sees x y) (goal x 1)))
;                 ^^^^ W101
(<= terminal (control x y) (legal x noop) p)
;             ^^^^^^^ W101
;                                         ^ W101
",
        );
    }

    #[test]
    fn the_nearest_name_is_offered() {
        let found = the_finding("W101", "(control x) (<= (next a) (contol x))");
        assert_eq!(found.help.as_deref(), Some("did you mean `control`?"));
        assert_eq!(found.fix.unwrap().replacement, "control");
        let found = the_finding("W101", "(succ 1 2) (<= (next a) (succ 1))");
        assert_eq!(found.help.as_deref(), Some("`succ` is defined with 2 arguments, here it has 1"));
    }

    #[test]
    fn reserved_words_may_name_undefined_relations() {
        assert_findings(
            &["W101"],
            "\
(role x) (<= terminal (next ?x ?y) (true ?x ?y) (legal ?x))
;                      ^^^^ W101 nothing defines the relation `next`
",
        );
    }

    #[test]
    fn nothing_is_undefined_where_clauses_were_lost() {
        assert_findings(&["W101"], "(<= (next a) (contol x)) (control");
    }
}
