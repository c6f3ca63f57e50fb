//! G406, G407, G408: reserved relations where they have no meaning.

use crate::relations::reserved;
use crate::report::{MAX_LABELS, Report};
use crate::sheet::{Sheet, Use};
use senet_gdl::{Code, Diagnostic, Keyword, Level};

static ABOVE_MOVES: Code = Code {
    id: "G406",
    level: Level::Strict,
    title: "`legal`, `goal` or `terminal` depends on the moves",
    explanation: "\
Which moves are legal, what a position is worth and whether it is the end are asked before anyone
moves. So `does` is empty there, and a condition on it is false:

    (<= terminal (does ?r resign))

Let the move change the position, and ask about the position:

    (<= (next (resigned ?r)) (does ?r resign))
    (<= terminal (true (resigned ?r)))",
};

static OUTSIDE_POSITIONS: Code = Code {
    id: "G407",
    level: Level::Strict,
    title: "a condition where there is no position",
    explanation: "\
`role`, `init`, `base` and `input` are derived before the first position exists: nothing is `true`
there and nobody `does` anything, so such conditions are false. And `init` and `next` describe
other positions than the current one; as conditions they are false as well.

    (<= (init (cell ?x b)) (true (index ?x)))
    (<= (score ?r) (next (won ?r)))

Write `(index ?x)` as a relation of its own, and repeat the conditions of the `next` rule or name
them by a relation.",
};

static CONCLUDED: Code = Code {
    id: "G408",
    level: Level::Strict,
    title: "`true` or `does` as a conclusion",
    explanation: "\
What is true is said by `init` for the first position and by `next` for every other; what a player
does is chosen by the player. A fact `(true (size 8))` holds in every position, which is better
said by a relation:

    (size 8)

For the first position only, write `(init (size 8))`.",
};

pub(crate) static CODES: [&Code; 3] = [&ABOVE_MOVES, &OUTSIDE_POSITIONS, &CONCLUDED];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    let leading_to = |to| sheet.graph.leading_to(reserved(to).index(), &sheet.components);
    let [to_state, to_moves] = [Keyword::True, Keyword::Does].map(leading_to);
    for keyword in [Keyword::Legal, Keyword::Goal, Keyword::Terminal] {
        if to_moves[reserved(keyword).index()] {
            report_path(sheet, &ABOVE_MOVES, keyword, Keyword::Does, report);
        }
    }
    for keyword in [Keyword::Role, Keyword::Init, Keyword::Base, Keyword::Input] {
        for (empty, leads) in [(Keyword::True, &to_state), (Keyword::Does, &to_moves)] {
            if leads[reserved(keyword).index()] {
                report_path(sheet, &OUTSIDE_POSITIONS, keyword, empty, report);
            }
        }
    }
    for edge in &sheet.uses {
        for keyword in [Keyword::Init, Keyword::Next] {
            if edge.used == reserved(keyword) {
                report.add(&OUTSIDE_POSITIONS, || condition_finding(edge, keyword));
            }
        }
    }
    let heads = sheet.heads.iter().zip(&sheet.description.clauses);
    for (&head, clause) in heads {
        for keyword in [Keyword::True, Keyword::Does] {
            if head == reserved(keyword) {
                report.add(&CONCLUDED, || {
                    let name = keyword.text();
                    Diagnostic::new(
                        &CONCLUDED,
                        sheet.name_span(&clause.head),
                        format!("`{name}` is a conclusion"),
                    )
                    .here("holds in every position")
                    .help(match keyword {
                        Keyword::True => "write `init` or `next`, or use a relation of your own",
                        _ => "write `legal`, or use a relation of your own",
                    })
                });
            }
        }
    }
}

fn report_path(sheet: &Sheet, code: &'static Code, from: Keyword, to: Keyword, report: &mut Report) {
    let Some(path) = sheet.path(reserved(from), reserved(to)) else { return };
    report.add(code, || {
        let (from, to) = (from.text(), to.text());
        let message = match &path[..] {
            [_] => format!("`{from}` depends on `{to}`"),
            [first, ..] => format!("`{from}` depends on `{to}` through `{}`", sheet.name(first.used)),
            [] => unreachable!("a path has a step"),
        };
        let step = |edge: &Use| format!("`{}` uses `{}` here", sheet.name(edge.user), sheet.name(edge.used));
        let mut found = Diagnostic::new(code, path[0].span, message).here(step(&path[0]));
        for edge in path.iter().skip(1).take(MAX_LABELS) {
            found = found.label(edge.span, step(edge));
        }
        found.note(format!("while `{from}` is derived, no `{to}` holds")).help(if code == &ABOVE_MOVES {
            "let the move change the position by a `next` rule, and ask about the position"
        } else {
            "use relations that are the same in every position"
        })
    });
}

fn condition_finding(edge: &Use, keyword: Keyword) -> Diagnostic {
    let name = keyword.text();
    Diagnostic::new(&OUTSIDE_POSITIONS, edge.span, format!("`{name}` is a condition"))
        .here("taken as false")
        .help(match keyword {
            Keyword::Init => "to ask about the current position, write `true`",
            _ => "repeat the conditions of the `next` rules, or name them by a relation",
        })
}

#[cfg(test)]
mod tests {
    use crate::carets::{assert_findings, the_finding};

    #[test]
    fn moves_are_not_known_to_legal_goal_and_terminal() {
        assert_findings(
            &["G406"],
            "\
(<= terminal (does ?r resign))
;            ^^^^^^^^^^^^^^^^ G406 `terminal` depends on `does`
(<= (legal ?r ?m) (free ?r ?m))
;                 ^^^^^^^^^^^^ G406 `legal` depends on `does` through `free`
(<= (free ?r ?m) (move ?r ?m) (not (taken ?m)))
(<= (taken ?m) (does ?r ?m))
(<= (goal x 100) (true won))
(<= (next won) (does x win))
",
        );
        let found = the_finding("G406", "(<= (legal x a) p) (<= p (not q)) (<= q (does x b))");
        let labels: Vec<_> = found.labels.iter().map(|label| &label.text[..]).collect();
        assert_eq!(labels, ["`p` uses `q` here", "`q` uses `does` here"]);
    }

    #[test]
    fn there_is_no_position_before_the_first() {
        assert_findings(
            &["G407"],
            "\
(<= (init ?x) (true ?x))
;             ^^^^^^^^^ G407 `init` depends on `true`
(<= (base ?x) (move ?x))
;             ^^^^^^^^^ G407 `base` depends on `does` through `move`
(<= (move ?x) (does ?r ?x))
(<= (p ?x) (next ?x))
;          ^^^^^^^^^ G407 `next` is a condition
(<= (p ?x) (q ?x) (not (init ?x)))
;                      ^^^^^^^^^ G407 `init` is a condition
(<= (input ?r ?m) (role ?r) (q ?m))
",
        );
    }

    #[test]
    fn positions_and_moves_are_not_concluded() {
        assert_findings(
            &["G408"],
            "\
(true (size 8))
;^^^^ G408 `true` is a conclusion
(<= (does x a) p)
;    ^^^^ G408 `does` is a conclusion
(init (true x))
",
        );
    }
}
