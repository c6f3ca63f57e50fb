//! G301: relations that depend on their own negation.

use crate::program::Stratification;
use crate::report::{MAX_LABELS, Report};
use crate::sheet::{Sheet, Use};
use senet_gdl::{Code, Diagnostic, Level};

static UNSTRATIFIED: Code = Code {
    id: "G301",
    level: Level::Strict,
    title: "a relation depends on its own negation",
    explanation: "\
To know that something does not hold, everything that could make it hold must be known first. So
the specification allows no relation whose rules lead back to its own negation:

    (<= (goal ?r 100) (won ?r))
    (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))

`goal` depends on `not goal`. Fifteen published games do this, and it has a meaning as long as no
single ground atom depends on its own negation: `(goal x 0)` depends on `(goal x 100)`, which
depends on neither. Senet puts the rules in order by the constants in their heads where that
suffices, and otherwise evaluates atom by atom; a match then stops with an error if a position has
an atom that really depends on its own negation, as `p` does in

    (<= p (not p))

To mend it, name the inner condition: `(<= (goal ?r 0) (role ?r) (not (won ?r)))`.",
};

pub(crate) static CODES: [&Code; 1] = [&UNSTRATIFIED];

pub(crate) fn check(sheet: &Sheet, stratification: Stratification, report: &mut Report) {
    let mut is_reported = vec![false; sheet.components.len()];
    for edge in sheet.uses.iter().filter(|edge| edge.is_negated) {
        let (user, used) = (edge.user.index(), edge.used.index());
        if sheet.components.are_together(user, used)
            && !std::mem::replace(&mut is_reported[sheet.components.of(user)], true)
        {
            report.add(&UNSTRATIFIED, || finding(sheet, edge, stratification));
        }
    }
}

fn finding(sheet: &Sheet, negation: &Use, stratification: Stratification) -> Diagnostic {
    let mut cycle = vec![*negation];
    if negation.user != negation.used {
        cycle.extend(sheet.path(negation.used, negation.user).into_iter().flatten());
    }
    let mut text = sheet.name(negation.user).to_owned();
    for edge in cycle.iter().take(MAX_LABELS) {
        text.push_str(if edge.is_negated { " -> not " } else { " -> " });
        text.push_str(sheet.name(edge.used));
    }
    if cycle.len() > MAX_LABELS {
        text.push_str(" -> …");
    }
    let name = sheet.name(negation.user);
    let message = format!("`{name}` depends on its own negation: `{text}`");
    let step = |edge: &Use| {
        let (user, used) = (sheet.name(edge.user), sheet.name(edge.used));
        format!("`{user}` uses {}`{used}` here", if edge.is_negated { "the negation of " } else { "" })
    };
    let mut found = Diagnostic::new(&UNSTRATIFIED, negation.span, message).here(step(negation));
    for edge in cycle.iter().skip(1).take(MAX_LABELS) {
        found = found.label(edge.span, step(edge));
    }
    let note = match stratification {
        Stratification::Unproved => {
            "without `--strict` it is evaluated between ground atoms; a match stops with an error if a position \
             really runs into the cycle"
        }
        _ => "without `--strict` it is accepted: the constants in the heads put the rules in order",
    };
    found.note(note).help("name the negated condition by a relation of its own that does not lead back here")
}

#[cfg(test)]
mod tests {
    use crate::carets::{assert_findings, the_finding};

    #[test]
    fn every_cycle_through_a_negation_is_found_once() {
        assert_findings(
            &["G301"],
            "\
(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
;                              ^^^^^^^^^^^^^ G301 `goal` depends on its own negation: `goal -> not goal`
(<= a b)
(<= b (c ?x) (not (d ?x)))
;                 ^^^^^^ G301 `b` depends on its own negation: `b -> not d -> a -> b`
(<= (d ?x) (e ?x) (or (f ?x) a))
(<= a (not d))
",
        );
    }

    #[test]
    fn a_not_with_variables_of_its_own_negates_all_below_it() {
        assert_findings(
            &["G301"],
            "\
(<= done (not (and (task ?t) (not (finished ?t)))))
;                                 ^^^^^^^^^^^^^ G301 `done` depends on its own negation
(<= (finished ?t) (task ?t) done)
",
        );
    }

    #[test]
    fn other_recursion_and_other_negation_are_fine() {
        assert_findings(&["G301"], "(<= a b) (<= b a) (<= b (not c)) (<= c (not d)) (<= e (not (not e)))");
    }

    #[test]
    fn every_edge_is_labelled() {
        let text = "(<= b (not d)) (<= d a) (<= a b)";
        let found = the_finding("G301", text);
        assert_eq!(found.primary.text, "`b` uses the negation of `d` here");
        let labels: Vec<_> = found.labels.iter().map(|label| &label.text[..]).collect();
        assert_eq!(labels, ["`d` uses `a` here", "`a` uses `b` here"]);
    }

    #[test]
    fn the_note_says_what_happens() {
        let split =
            the_finding("G301", "(role x) (goal x 100) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))");
        assert!(split.notes[0].contains("the constants in the heads"));
        let unproved = the_finding("G301", "(role x) (<= (win ?r) (role ?r) (not (win ?r)))");
        assert!(unproved.notes[0].contains("runs into the cycle"));
    }
}
