//! G102, G103, G104: one name for different things.

use crate::report::{MAX_LABELS, Report};
use crate::sheet::Sheet;
use senet_gdl::{Code, Diagnostic, Formula, Level, Span, Symbol, Term, TermKind};

static RELATION_ARITIES: Code = Code {
    id: "G102",
    level: Level::Strict,
    title: "a relation with different numbers of arguments",
    explanation: "\
The same name stands for relations with different numbers of arguments. The specification does
not allow it. Senet takes them as different relations that have nothing to do with each other,
which is rarely what the author meant:

    (succ 1 2)
    (<= (last ?x) (number ?x) (not (succ ?x)))

`(succ ?x)` never holds, because only `succ` with two arguments is defined. Correct the number
of arguments, or give the relations different names.",
};

static FUNCTION_ARITIES: Code = Code {
    id: "G103",
    level: Level::Strict,
    title: "a function with different numbers of arguments",
    explanation: "\
The same name builds terms with different numbers of arguments. The specification does not allow
it. Senet takes them as different functions, so these terms are never equal:

    (init (cell 1 b))
    (<= (next (cell ?x ?y b)) (true (cell ?x ?y b)))

Correct the number of arguments, or give the functions different names. A constant with the name
of a function is allowed.",
};

static RELATION_AND_FUNCTION: Code = Code {
    id: "G104",
    level: Level::Strict,
    title: "a name that is both a relation and a function",
    explanation: "\
The specification wants the names of relations and of functions to be different. Senet tells them
apart by where they stand. A common reason for using both is a forgotten `true`:

    (init (cell 1 b))
    (<= (row ?x) (cell ?x b))

The condition asks for a relation `cell`, which nothing defines; `(true (cell ?x b))` was meant.",
};

pub(crate) static CODES: [&Code; 3] = [&RELATION_ARITIES, &FUNCTION_ARITIES, &RELATION_AND_FUNCTION];

/// The numbers of arguments that a name is used with, each with its first place.
type Arities = Vec<(usize, Span)>;

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    let n_symbols = sheet.description.symbols.len();
    let mut relations: Vec<Arities> = vec![Vec::new(); n_symbols];
    let mut functions: Vec<Arities> = vec![Vec::new(); n_symbols];
    for clause in &sheet.description.clauses {
        note(&mut relations, clause.head.relation, clause.head.args.len(), clause.head.span);
        clause.head.args.iter().for_each(|arg| note_functions(&mut functions, arg));
        clause.body.iter().for_each(|formula| note_formula(&mut relations, &mut functions, formula));
    }
    for symbol in sheet.description.symbols.symbols() {
        if sheet.description.keyword(symbol).is_some() {
            continue;
        }
        let name = sheet.description.name(symbol);
        let (relation, function) = (&relations[symbol.index()], &functions[symbol.index()]);
        if relation.len() > 1 {
            report.add(&RELATION_ARITIES, || several(sheet, &RELATION_ARITIES, "relation", name, relation));
        }
        if function.len() > 1 {
            report.add(&FUNCTION_ARITIES, || several(sheet, &FUNCTION_ARITIES, "function", name, function));
        }
        if let (Some(relation), Some(function)) = (relation.first(), function.first()) {
            report.add(&RELATION_AND_FUNCTION, || both(sheet, name, relation.1, function.1));
        }
    }
}

fn note(all: &mut [Arities], symbol: Symbol, arity: usize, span: Span) {
    let arities = &mut all[symbol.index()];
    if !arities.iter().any(|&(known, _)| known == arity) {
        arities.push((arity, span));
    }
}

fn note_functions(functions: &mut [Arities], term: &Term) {
    if let TermKind::Function(symbol, args) = &term.kind {
        note(functions, *symbol, args.len(), term.span);
        args.iter().for_each(|arg| note_functions(functions, arg));
    }
}

fn note_formula(relations: &mut [Arities], functions: &mut [Arities], formula: &Formula) {
    match formula {
        Formula::Atom(atom) => {
            note(relations, atom.relation, atom.args.len(), atom.span);
            atom.args.iter().for_each(|arg| note_functions(functions, arg));
        }
        Formula::Distinct(left, right, _) => {
            note_functions(functions, left);
            note_functions(functions, right);
        }
        Formula::Not(inner, _) => note_formula(relations, functions, inner),
        Formula::Or(parts, _) | Formula::And(parts, _) => {
            parts.iter().for_each(|part| note_formula(relations, functions, part));
        }
    }
}

fn several(sheet: &Sheet, code: &'static Code, kind: &str, name: &str, arities: &Arities) -> Diagnostic {
    let with =
        |arity: usize| if arity == 1 { "with 1 argument".into() } else { format!("with {arity} arguments") };
    let counts: Vec<_> = arities.iter().take(MAX_LABELS).map(|(arity, _)| arity.to_string()).collect();
    let message = format!("the {kind} `{name}` is used with {} arguments", counts.join(" and "));
    let (first, second) = (arities[0], arities[1]);
    let mut found = Diagnostic::new(code, sheet.name_span_in(second.1), message)
        .here(with(second.0))
        .label(sheet.name_span_in(first.1), format!("first {}", with(first.0)))
        .help(format!("use one number of arguments, or different names: these are different {kind}s"));
    for &(arity, span) in arities.iter().skip(2).take(MAX_LABELS) {
        found = found.label(sheet.name_span_in(span), with(arity));
    }
    found
}

fn both(sheet: &Sheet, name: &str, relation: Span, function: Span) -> Diagnostic {
    let message = format!("`{name}` is both a relation and a function");
    Diagnostic::new(&RELATION_AND_FUNCTION, sheet.name_span_in(relation.max(function)), message)
        .here(if relation > function { "a relation here" } else { "a function here" })
        .label(
            sheet.name_span_in(relation.min(function)),
            if relation > function { "a function here" } else { "a relation here" },
        )
        .help("use different names; for a fluent in a condition, write `(true …)` around it")
}

#[cfg(test)]
mod tests {
    use crate::carets::{assert_findings, the_finding};

    #[test]
    fn relations_have_one_number_of_arguments() {
        assert_findings(
            &["G102"],
            "\
(succ 1 2) (other a) (other b) (role x) (role x y)
(<= (last ?x) (number ?x) (not (succ ?x)))
;                               ^^^^ G102 the relation `succ` is used with 2 and 1 arguments
(<= last (succ 1 2))
;   ^^^^ G102
",
        );
        assert_eq!(the_finding("G102", "(p a) (p a b) (p a) (p) (p a b c)").labels.len(), 3);
    }

    #[test]
    fn functions_have_one_number_of_arguments() {
        assert_findings(
            &["G103"],
            "\
(init (cell 1 b)) (init cell)
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (distinct (f ?x) (f (f ?y) ?x)))
;          ^^^^ G103 the function `cell` is used with 2 and 3 arguments
;                                                                 ^ G103
",
        );
    }

    #[test]
    fn relations_and_functions_have_different_names() {
        assert_findings(
            &["G104"],
            "\
(init (cell 1 b)) (init (true x)) (<= (q ?x) (true ?x)) (p p)
(<= (row ?x) (cell ?x b))
;             ^^^^ G104 `cell` is both a relation and a function
",
        );
    }
}
