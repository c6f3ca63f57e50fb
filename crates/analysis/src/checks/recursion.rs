//! G302: recursion that may build ever larger terms.

use crate::bindings::{Binder, Known};
use crate::condition::Condition;
use crate::program::is_same;
use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Atom, Clause, Code, Diagnostic, Level, Term};

static UNRESTRICTED: Code = Code {
    id: "G302",
    level: Level::Strict,
    title: "recursion that may build ever larger terms",
    explanation: "\
A rule for a relation that uses the same relation again, directly or through others, must not make
up new terms: each argument of the recursive condition has to be ground, or an argument of the
head, or bound by a condition that is not part of the recursion.

    (nat 0)
    (<= (nat (s ?x)) (nat ?x))

This derives `(nat 0)`, `(nat (s 0))`, `(nat (s (s 0)))` and so on for ever. Bound the variable:

    (<= (nat (s ?x)) (small ?x) (nat ?x))

Some rulesheets break this rule and still derive finitely many facts, for instance by taking a list
apart. They can be played as long as that is so; grounding stops with a diagnosis when it is not.",
};

pub(crate) static CODES: [&Code; 1] = [&UNRESTRICTED];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    let mut is_recursive = vec![false; sheet.description.clauses.len()];
    for edge in &sheet.uses {
        if sheet.components.are_together(edge.user.index(), edge.used.index()) {
            is_recursive[edge.clause] = true;
        }
    }
    for (clause_idx, clause) in sheet.description.clauses.iter().enumerate() {
        if !is_recursive[clause_idx] || !sheet.is_sound[clause_idx] {
            continue;
        }
        let head = sheet.heads[clause_idx].index();
        let is_inside = |atom: &Atom| sheet.components.are_together(sheet.relations.of(atom).index(), head);
        let mut binder = Binder::new(clause.variables.len());
        let body = sheet.body(clause_idx);
        let bound = binder.bind(&body, &|atom| !is_inside(atom));
        binder.for_each_literal(&bound, &mut |literal, known| {
            let Condition::Holds(atom) = literal else { return };
            if is_inside(atom)
                && let Some(arg) = atom.args.iter().find(|arg| !is_restricted(arg, clause, known))
            {
                report.add(&UNRESTRICTED, || finding(sheet, clause, atom, arg));
            }
        });
    }
}

fn is_restricted(arg: &Term, clause: &Clause, known: &Known) -> bool {
    let mut is_known = true;
    arg.for_each_variable(&mut |variable, _| is_known &= known.has(variable));
    is_known || clause.head.args.iter().any(|head_arg| is_same(head_arg, arg))
}

fn finding(sheet: &Sheet, clause: &Clause, atom: &Atom, arg: &Term) -> Diagnostic {
    let name = sheet.description.name(clause.head.relation);
    let shown = if arg.span.range().len() <= 40 {
        format!("`{}`", sheet.description.show_term(clause, arg))
    } else {
        "this argument".to_owned()
    };
    let message = format!("the recursion of `{name}` may build ever larger terms");
    Diagnostic::new(&UNRESTRICTED, arg.span, message)
        .here(format!("{shown} is neither an argument of the head nor bound outside the recursion"))
        .label(sheet.name_span(&clause.head), "the head")
        .label(sheet.name_span(atom), "the recursive condition")
        .help("add a condition that is not part of the recursion and binds its variables")
}

#[cfg(test)]
mod tests {
    use crate::carets::assert_findings;

    #[test]
    fn terms_must_not_grow() {
        assert_findings(
            &["G302"],
            "\
(nat 0)
(<= (nat (s ?x)) (nat ?x))
;                     ^^ G302 the recursion of `nat` may build ever larger terms
(<= (small (s ?x)) (index ?x) (small ?x))
(<= (a (s ?x)) (or (b ?x) (c ?x)))
;                     ^^ G302
(<= (b ?x) (a ?x))
(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))
(<= (link ?x ?z) (link ?x ?y) (link ?y ?z))
;                         ^^ G302
;                                   ^^ G302
(<= (list ?rest) (list (cons ?first ?rest)))
;                      ^^^^^^^^^^^^^^^^^^^ G302
(<= (state ?x) (true (f ?x ?y)) (state (g ?y)))
",
        );
    }

    #[test]
    fn a_condition_in_one_branch_does_not_restrict_another() {
        assert_findings(
            &["G302"],
            "\
(<= (p (s ?x)) (p ?x) (or (q ?x) (r a)))
;                 ^^ G302
(<= (t (s ?x)) (or (and (t ?x) (q ?x)) (and (t ?x) (r a))))
;                                              ^^ G302
",
        );
    }
}
