//! W107: `or` with fewer than two branches.

use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Code, Diagnostic, Formula, Level};

static SHORT_OR: Code = Code {
    id: "W107",
    level: Level::Lint,
    title: "an `or` with fewer than two branches",
    explanation: "\
`(or a)` is the same as `a`, and `(or)` is false. Often a parenthesis stands in the wrong place:

    (<= (p ?x) (or (q ?x)) (r ?x))

This wants both `q` and `r`. For one of the two, write `(or (q ?x) (r ?x))`.",
};

pub(crate) static CODES: [&Code; 1] = [&SHORT_OR];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    for clause in &sheet.description.clauses {
        clause.body.iter().for_each(|formula| check_formula(formula, report));
    }
}

fn check_formula(formula: &Formula, report: &mut Report) {
    match formula {
        Formula::Atom(_) | Formula::Distinct(..) => {}
        Formula::Not(inner, _) => check_formula(inner, report),
        Formula::And(parts, _) => parts.iter().for_each(|part| check_formula(part, report)),
        Formula::Or(parts, span) => {
            if parts.len() < 2 {
                report.add(&SHORT_OR, || {
                    let (message, here, help) = match parts.len() {
                        0 => ("`or` without branches", "always false", "add branches, or remove the rule"),
                        _ => (
                            "`or` with one branch",
                            "the same as its branch",
                            "remove the `or`, or add a branch",
                        ),
                    };
                    Diagnostic::new(&SHORT_OR, *span, message).here(here).help(help)
                });
            }
            parts.iter().for_each(|part| check_formula(part, report));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::carets::assert_findings;

    #[test]
    fn an_or_has_two_branches() {
        assert_findings(
            &["W107"],
            "\
(<= (p ?x) (or (q ?x)) (r ?x))
;          ^^^^^^^^^^^ W107 `or` with one branch
(<= p (not (or)))
;          ^^^^ W107 `or` without branches
(<= p (or q (and r (or (or s) t))))
;                      ^^^^^^ W107
",
        );
    }
}
