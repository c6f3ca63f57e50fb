//! W104: tests that stand before the conditions that bind their variables.

use crate::bindings::Binder;
use crate::condition::Condition;
use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Clause, Code, Diagnostic, Level, Span, VarId};

static TEST_FIRST: Code = Code {
    id: "W104",
    level: Level::Lint,
    title: "a test stands before the condition that binds its variable",
    explanation: "\
`not` and `distinct` test values that other conditions find. In logic the order does not matter, and
Senet moves tests behind those conditions. But several programs evaluate conditions from left to
right and give wrong answers or none when a test comes first:

    (<= (pair ?x ?y) (distinct ?x ?y) (item ?x) (item ?y))

Write it so that it works everywhere:

    (<= (pair ?x ?y) (item ?x) (item ?y) (distinct ?x ?y))",
};

pub(crate) static CODES: [&Code; 1] = [&TEST_FIRST];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    for (clause_idx, clause) in sheet.description.clauses.iter().enumerate() {
        if sheet.is_plain[clause_idx] || clause.variables.is_empty() || !sheet.is_sound[clause_idx] {
            continue;
        }
        let body = &sheet.body(clause_idx);
        let mut binder = Binder::new(clause.variables.len());
        let bound = binder.bind(body, &|_| true);
        binder.for_each_literal_in_order(&bound, &mut |literal, known| {
            let word = match literal {
                Condition::Fails(..) | Condition::NoValue(..) => "not",
                Condition::Differ(..) => "distinct",
                _ => return,
            };
            let mut early = None;
            literal.for_each_needed(&mut |variable, span| {
                if early.is_none() && !known.has(variable) {
                    early = Some((variable, span));
                }
            });
            if let Some((variable, span)) = early {
                report
                    .add(&TEST_FIRST, || finding(sheet, clause, body, word, variable, span, literal.span()));
            }
        });
    }
}

fn finding(
    sheet: &Sheet,
    clause: &Clause,
    body: &Condition,
    word: &str,
    variable: VarId,
    span: Span,
    literal: Span,
) -> Diagnostic {
    let name = sheet.description.name(clause.variables[variable.index()]);
    let message = format!("`{word}` stands before the condition that binds `{name}`");
    let found = Diagnostic::new(&TEST_FIRST, span, message).here("not yet bound here");
    match binding_after(body, variable, literal.end) {
        Some(binding) => {
            found.label(binding, "bound here").help(format!("move the `{word}` behind that condition"))
        }
        None => found.help(format!("move the `{word}` to the end of the rule")),
    }
}

fn binding_after(condition: &Condition, variable: VarId, end: u32) -> Option<Span> {
    match condition {
        Condition::All(parts, _) | Condition::Any(parts, _) => {
            parts.iter().find_map(|part| binding_after(part, variable, end))
        }
        Condition::Holds(_) | Condition::Equal(..) if condition.span().start >= end => {
            let mut has = false;
            condition.for_each_variable(&mut |other, _| has |= other == variable);
            has.then(|| condition.span())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::carets::{assert_findings, the_finding};

    #[test]
    fn tests_come_after_bindings() {
        assert_findings(
            &["W104"],
            "\
(<= (pair ?x ?y) (distinct ?x ?y) (item ?x) (item ?y))
;                          ^^ W104 `distinct` stands before the condition that binds `?x`
(<= (pair ?x ?y) (item ?x) (item ?y) (distinct ?x ?y))
(<= (p ?x) (not (q ?x)) (or (r ?x) (s ?x)))
;                  ^^ W104 `not` stands before the condition that binds `?x`
(<= (p ?x) (r ?x) (or (not (q ?x)) (and (not (q ?y)) (s ?y))))
;                                               ^^ W104
(<= (p ?x) (not (distinct ?x ?y)) (not (q ?x)) (r ?y))
",
        );
    }

    #[test]
    fn the_binding_is_shown() {
        let text = "(<= (p ?x) (not (q ?x)) (r a) (s ?x))";
        assert_eq!(&text[the_finding("W104", text).labels[0].span.range()], "(s ?x)");
    }
}
