//! G409: goal values that are no integers from 0 to 100.

use crate::relations::reserved;
use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Code, Diagnostic, Keyword, Level, Term, TermKind, goal_value};

static GOAL_VALUE: Code = Code {
    id: "G409",
    level: Level::Strict,
    title: "a goal value that is no integer from 0 to 100",
    explanation: "\
Goal values are integers from 0, the worst, to 100, the best. Programs compare them as numbers, so
`win`, `-1` or `150` cannot be used; Senet reports such a result as undefined.

    (<= (goal ?r won) (line ?r))

Write `(goal ?r 100)`.",
};

pub(crate) static CODES: [&Code; 1] = [&GOAL_VALUE];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    for (&head, clause) in sheet.heads.iter().zip(&sheet.description.clauses) {
        if head != reserved(Keyword::Goal) {
            continue;
        }
        let value = &clause.head.args[1];
        if !may_be_goal(sheet, value) {
            report.add(&GOAL_VALUE, || {
                let shown = &sheet.description.text[value.span.range()];
                let shown = if shown.len() <= 40 { format!("`{shown}`") } else { "this".to_owned() };
                Diagnostic::new(&GOAL_VALUE, value.span, format!("{shown} is not a goal value"))
                    .here("expected an integer from 0 to 100")
                    .help("write an integer from 0 to 100")
            });
        }
    }
}

fn may_be_goal(sheet: &Sheet, value: &Term) -> bool {
    match value.kind {
        TermKind::Variable(_) => true,
        TermKind::Constant(symbol) => goal_value(sheet.description.name(symbol)).is_some(),
        TermKind::Function(..) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::carets::assert_findings;

    #[test]
    fn goal_values_are_integers_up_to_100() {
        assert_findings(
            &["G409"],
            "\
(goal x 0) (goal x 100) (<= (goal x ?n) (score ?n))
(goal x 101)
;       ^^^ G409 `101` is not a goal value
(goal x won)
;       ^^^ G409
(goal x -5) (goal x +5) (goal x (f 5))
;       ^^ G409
;                   ^^ G409
;                               ^^^^^ G409
",
        );
    }
}
