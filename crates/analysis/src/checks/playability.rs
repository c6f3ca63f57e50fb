//! G401 to G404: a game needs roles, legal moves, goals and an end.

use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Code, Diagnostic, Keyword, Level, Span};

static NO_ROLE: Code = Code {
    id: "G401",
    level: Level::Error,
    title: "no role",
    explanation: "\
A game needs at least one player. Roles are given as facts, in the order in which moves and goals
are listed:

    (role white)
    (role black)

A role with the name `random` plays every legal move with equal probability.",
};

static NO_LEGAL: Code = Code {
    id: "G402",
    level: Level::Strict,
    title: "no legal move",
    explanation: "\
Nothing says which moves are legal, so the game can only be played if it is over at the start. Every
role needs at least one legal move in every position that is not terminal:

    (<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y b)))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))",
};

static NO_GOAL: Code = Code {
    id: "G403",
    level: Level::Strict,
    title: "no goal",
    explanation: "\
Nothing says what a position is worth. Every role needs exactly one goal value, an integer from 0 to
100, in every terminal position:

    (<= (goal ?r 100) (line ?r))",
};

static NO_TERMINAL: Code = Code {
    id: "G404",
    level: Level::Strict,
    title: "no end",
    explanation: "\
Nothing says when the game is over, so matches never end. The specification wants every game to
end after finitely many moves:

    (<= terminal (true (step 50)))",
};

pub(crate) static CODES: [&Code; 4] = [&NO_ROLE, &NO_LEGAL, &NO_GOAL, &NO_TERMINAL];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    for (keyword, code, message, help) in [
        (Keyword::Role, &NO_ROLE, "this rulesheet has no role", "add a fact such as `(role player)`"),
        (
            Keyword::Legal,
            &NO_LEGAL,
            "no rule says which moves are legal",
            "add a rule for `(legal ROLE MOVE)`",
        ),
        (
            Keyword::Goal,
            &NO_GOAL,
            "no rule says what a position is worth",
            "add a rule for `(goal ROLE VALUE)`",
        ),
        (Keyword::Terminal, &NO_TERMINAL, "no rule says when the game is over", "add a rule for `terminal`"),
    ] {
        // By name only: a wrong number of arguments has already been reported.
        let symbol = sheet.description.symbol_of(keyword);
        if !sheet.description.clauses.iter().any(|clause| clause.head.relation == symbol) {
            report.add(code, || Diagnostic::new(code, Span::default(), message).help(help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::carets::assert_findings;

    const ALL: &[&str] = &["G401", "G402", "G403", "G404"];

    #[test]
    fn everything_is_missing_from_an_empty_sheet() {
        assert_findings(ALL, "; G401\n; G402\n; G403\n; G404\n");
    }

    #[test]
    fn facts_and_rules_both_count() {
        assert_findings(ALL, "(role x) (<= (legal x a) p) (goal x 100) terminal");
        assert_findings(ALL, "(<= (role x) p) (legal x a) (<= (goal x 100) p)\n; G404 no rule says when");
    }

    #[test]
    fn nothing_is_missing_where_clauses_were_lost() {
        assert_findings(ALL, "(role x");
    }
}
