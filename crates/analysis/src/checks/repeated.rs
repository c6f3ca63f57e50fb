//! W103: clauses written twice.

use crate::HashMap;
use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Atom, Clause, Code, Diagnostic, Formula, Level, Term, TermKind};

static REPEATED: Code = Code {
    id: "W103",
    level: Level::Lint,
    title: "a clause written twice",
    explanation: "\
The same fact or rule has been written before, perhaps with other names for its variables. It says
nothing new:

    (<= (row ?x) (true (cell ?x 1 x)))
    (<= (row ?n) (true (cell ?n 1 x)))

Remove it, or correct the copy if it was meant to differ, as in `(cell ?n 2 x)`.",
};

pub(crate) static CODES: [&Code; 1] = [&REPEATED];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    let mut first_of: HashMap<Box<[u32]>, usize> = HashMap::default();
    let clauses = &sheet.description.clauses;
    for (clause_idx, clause) in clauses.iter().enumerate() {
        let first = *first_of.entry(encode(clause)).or_insert(clause_idx);
        if first != clause_idx {
            let kind = if clause.body.is_empty() { "fact" } else { "rule" };
            report.add(&REPEATED, || {
                Diagnostic::new(&REPEATED, clause.span, format!("this {kind} is written twice"))
                    .here("says nothing new")
                    .label(clauses[first].span, "first written here")
                    .help("remove it, or correct it if it was meant to differ")
            });
        }
    }
}

/// A clause as numbers. Variables are numbered by first occurrence, so their names do not matter.
fn encode(clause: &Clause) -> Box<[u32]> {
    let mut code = Vec::new();
    encode_atom(&mut code, &clause.head);
    clause.body.iter().for_each(|formula| encode_formula(&mut code, formula));
    code.into()
}

fn encode_formula(code: &mut Vec<u32>, formula: &Formula) {
    match formula {
        Formula::Atom(atom) => {
            code.push(0);
            encode_atom(code, atom);
        }
        Formula::Distinct(left, right, _) => {
            code.push(1);
            encode_term(code, left);
            encode_term(code, right);
        }
        Formula::Not(inner, _) => {
            code.push(2);
            encode_formula(code, inner);
        }
        Formula::Or(parts, _) => {
            code.extend([3, parts.len() as u32]);
            parts.iter().for_each(|part| encode_formula(code, part));
        }
        Formula::And(parts, _) => {
            code.extend([4, parts.len() as u32]);
            parts.iter().for_each(|part| encode_formula(code, part));
        }
    }
}

fn encode_atom(code: &mut Vec<u32>, atom: &Atom) {
    code.extend([atom.relation.index() as u32, atom.args.len() as u32]);
    atom.args.iter().for_each(|arg| encode_term(code, arg));
}

/// Appends a term as numbers, the same for equal terms only.
fn encode_term(code: &mut Vec<u32>, term: &Term) {
    match &term.kind {
        TermKind::Variable(variable) => code.extend([0, variable.index() as u32]),
        TermKind::Constant(symbol) => code.extend([1, symbol.index() as u32]),
        TermKind::Function(symbol, args) => {
            code.extend([2, symbol.index() as u32, args.len() as u32]);
            args.iter().for_each(|arg| encode_term(code, arg));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::carets::{assert_findings, the_finding};

    #[test]
    fn repeated_clauses_are_found() {
        assert_findings(
            &["W103"],
            "
  (p a) (P A) (p b) (p)
;       ^^^^^ W103 this fact is written twice
  (<= (q ?x ?y) (r ?x (f ?y)) (not (s ?x)))
  (<= (q ?a ?b) (r ?a (f ?b)) (not (s ?a)))
; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W103 this rule is written twice
  (<= (q ?a ?b) (r ?a (f ?b)) (not (s ?b)))
  (<= (q ?a ?b) (r ?a (f ?b)) (or (s ?b)))
  (<= (q ?a ?b) (r ?a (f ?b)) (and (s ?b)))
",
        );
    }

    #[test]
    fn the_first_is_shown() {
        let text = "(p b) (p a) (p a)";
        assert_eq!(&text[the_finding("W103", text).labels[0].span.range()], "(p a)");
        assert_eq!(the_finding("W103", text).labels[0].span.start, 6);
    }
}
