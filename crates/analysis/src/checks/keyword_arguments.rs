//! G101, G105: reserved relations with the wrong number of arguments.

use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Atom, Code, Description, Diagnostic, Keyword, Level};

pub(crate) static KEYWORD_ARGUMENTS: Code = Code {
    id: "G101",
    level: Level::Error,
    title: "a reserved relation with the wrong number of arguments",
    explanation: "\
The relations that GDL reserves have a fixed form (see G105 for `init`, `next`, `base` and `input`):

    (role ROLE)        (init FLUENT)      (true FLUENT)       (next FLUENT)
    (does ROLE MOVE)   (legal ROLE MOVE)  (goal ROLE VALUE)   terminal
    (base FLUENT)      (input ROLE MOVE)  (sees ROLE PERCEPT)

    (<= (legal noop) (true (control x)))

Here the role is missing: write `(legal x noop)`. A fluent with several parts is one term:
`(init (cell 1 1 b))`, not `(init cell 1 1 b)`.",
};

static ORDINARY: Code = Code {
    id: "G105",
    level: Level::Strict,
    title: "a reserved word with another number of arguments is an ordinary relation",
    explanation: "\
`next`, `init`, `base` and `input` with another number of arguments than the reserved relations have
are relations like any other, as programs that evaluate rules in Prolog take them. They have nothing to
do with the reserved ones:

    (next 1 2)
    (next 2 3)
    (<= (next (step ?y)) (true (step ?x)) (next ?x ?y))

Here `next` with two arguments is the successor of a number. A declaration `(base cell 1 1)` declares
nothing, and `(init cell 1 1 b)` says nothing of the first position: a fluent with several parts is one
term, `(init (cell 1 1 b))`. Give a relation of your own another name.",
};

pub(crate) static CODES: [&Code; 2] = [&KEYWORD_ARGUMENTS, &ORDINARY];

pub(crate) fn check(sheet: &mut Sheet, report: &mut Report) {
    let description = sheet.description;
    let is_reserved = |relation| description.keyword(sheet.relations.name(relation)).is_some();
    if !sheet.relations.own().any(is_reserved) {
        return;
    }
    for (clause, is_sound) in description.clauses.iter().zip(&mut sheet.is_sound) {
        let mut check_atom = |atom: &Atom| {
            if let Some((keyword, expected)) = wrong(description, atom) {
                let code = code_of(keyword);
                *is_sound &= code != &KEYWORD_ARGUMENTS;
                report.add(code, || finding(code, keyword, expected, atom));
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

/// What is wrong with another number of arguments. Where it may be a relation of the rulesheet's own, servers
/// have played it as one.
fn code_of(keyword: Keyword) -> &'static Code {
    match keyword {
        Keyword::Init | Keyword::Next | Keyword::Base | Keyword::Input => &ORDINARY,
        _ => &KEYWORD_ARGUMENTS,
    }
}

/// Whether a keyword with the wrong number of arguments is an ordinary relation.
pub(super) fn may_be_ordinary(keyword: Keyword) -> bool {
    code_of(keyword) == &ORDINARY
}

fn finding(code: &'static Code, keyword: Keyword, expected: usize, atom: &Atom) -> Diagnostic {
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
    let form = form.replace('…', name);
    let found = Diagnostic::new(code, atom.span, message);
    if code == &ORDINARY {
        return found
            .here("taken as an ordinary relation")
            .help(format!("write `{form}`, or use another name for a relation of your own"));
    }
    found.here(format!("expected {}", count(expected))).help(format!("write `{form}`"))
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
    fn successors_and_declarations_may_have_another_number() {
        assert_findings(
            &["G101", "G105"],
            "\
(role x) (next 1 2) (init cell b) (base cell 1 1) (base) (input x)
;        ^^^^^^^^^^ G105 `next` takes 1 argument, not 2
;                   ^^^^^^^^^^^^^ G105 `init` takes 1 argument, not 2
;                                 ^^^^^^^^^^^^^^^ G105 `base` takes 1 argument, not 3
;                                                 ^^^^^^ G105 `base` takes 1 argument, not 0
;                                                        ^^^^^^^^^ G105 `input` takes 2 arguments, not 1
(<= (next (step ?y)) (true (step ?x)) (not (next ?x ?y)))
;                                          ^^^^^^^^^^^^ G105
 (sees x) (true a b)
;^^^^^^^^ G101
;         ^^^^^^^^^^ G101
",
        );
    }

    #[test]
    fn an_ordinary_relation_is_one_like_any_other() {
        let rules =
            "(role x) (next 1 2) (init (step 1)) (legal x go) (goal x 100) (<= terminal (true (step 2)))
            (<= (next (step ?y)) (true (step ?x)) (next ?x ?y)) (<= (next ?x) (next ?x ?y) (next ?x))";
        let description = senet_gdl::parse(rules);
        let program = crate::analyze(&description, false).program.expect("it is accepted");
        let shown: Vec<_> = program.rules().iter().map(|rule| program.show_rule(rule)).collect();
        assert!(
            shown.contains(&"(<= (next (step ?y)) (true (step ?x)) (next ?x ?y))".to_owned()),
            "{shown:?}"
        );
        assert!(shown.contains(&"(next 1 2)".to_owned()), "{shown:?}");
        assert_eq!(shown.len(), 7, "`next` with one argument is false in bodies: {shown:?}");
        assert!(crate::analyze(&description, true).program.is_none());
    }

    #[test]
    fn the_right_number_is_fine() {
        assert_findings(
            &["G101", "G105"],
            "(role x) (init (f a b)) (<= terminal (true f) (does x a)) (goal x 1) (sees x y) (base f) (input x a)",
        );
    }
}
