//! G101: reserved relations with the wrong number of arguments.

use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Atom, Code, Description, Diagnostic, Keyword, Level};

pub(crate) static KEYWORD_ARGUMENTS: Code = Code {
    id: "G101",
    level: Level::Error,
    title: "a reserved relation with the wrong number of arguments",
    explanation: "\
The relations that GDL reserves have a fixed form:

    (role ROLE)        (init FLUENT)      (true FLUENT)       (next FLUENT)
    (does ROLE MOVE)   (legal ROLE MOVE)  (goal ROLE VALUE)   terminal
    (base FLUENT)      (input ROLE MOVE)  (sees ROLE PERCEPT)

    (<= (legal noop) (true (control x)))

Here the role is missing: write `(legal x noop)`. A fluent with several parts is one term:
`(init (cell 1 1 b))`, not `(init cell 1 1 b)`.",
};

pub(crate) static CODES: [&Code; 1] = [&KEYWORD_ARGUMENTS];

pub(crate) fn check(sheet: &mut Sheet, report: &mut Report) {
    let description = sheet.description;
    let is_reserved = |relation| description.keyword(sheet.relations.name(relation)).is_some();
    if !sheet.relations.own().any(is_reserved) {
        return;
    }
    for (clause, is_sound) in description.clauses.iter().zip(&mut sheet.is_sound) {
        let mut check_atom = |atom: &Atom| {
            if let Some((keyword, expected)) = wrong(description, atom) {
                *is_sound = false;
                report.add(&KEYWORD_ARGUMENTS, || finding(keyword, expected, atom));
            }
        };
        check_atom(&clause.head);
        for formula in &clause.body {
            formula.for_each_atom(&mut |atom, _| check_atom(atom));
        }
    }
}

fn wrong(description: &Description, atom: &Atom) -> Option<(Keyword, usize)> {
    let keyword = description.keyword(atom.relation)?;
    let expected = keyword.arity()?;
    (atom.args.len() != expected).then_some((keyword, expected))
}

fn finding(keyword: Keyword, expected: usize, atom: &Atom) -> Diagnostic {
    let name = keyword.text();
    let count = |n| match n {
        0 => "no argument".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    };
    let form = match keyword {
        Keyword::Role => "(role ROLE)",
        Keyword::Does | Keyword::Legal | Keyword::Input => "(… ROLE MOVE)",
        Keyword::Goal => "(goal ROLE VALUE)",
        Keyword::Sees => "(sees ROLE PERCEPT)",
        Keyword::Terminal => "terminal",
        _ => "(… FLUENT)",
    };
    let message = format!("`{name}` takes {}, not {}", count(expected), atom.args.len());
    Diagnostic::new(&KEYWORD_ARGUMENTS, atom.span, message)
        .here(format!("expected {}", count(expected)))
        .help(format!("write `{}`", form.replace('…', name)))
}

#[cfg(test)]
mod tests {
    use crate::carets::assert_findings;

    #[test]
    fn reserved_relations_have_a_fixed_form() {
        assert_findings(
            &["G101", "G402"],
            "\
(role x) (role)
;        ^^^^^^ G101 `role` takes 1 argument, not 0
(<= (legal noop) (true cell 1))
;   ^^^^^^^^^^^^ G101 `legal` takes 2 arguments, not 1
;                ^^^^^^^^^^^^^ G101 `true` takes 1 argument, not 2
(<= (terminal x) (not (or (does x))))
;   ^^^^^^^^^^^^ G101 `terminal` takes no argument
;                         ^^^^^^^^ G101
",
        );
    }

    #[test]
    fn the_right_number_is_fine() {
        assert_findings(
            &["G101"],
            "(role x) (init (f a b)) (<= terminal (true f) (does x a)) (goal x 1) (sees x y) (base f) (input x a)",
        );
    }
}
