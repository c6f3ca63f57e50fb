//! W105, W106: reserved words inside terms.

use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Code, Diagnostic, Formula, Keyword, Level, Span, Symbol, Term, TermKind};

static CONNECTIVE_IN_TERM: Code = Code {
    id: "W105",
    level: Level::Lint,
    title: "a connective inside a term",
    explanation: "\
Inside a term `not`, `or`, `and`, `distinct` and `<=` are ordinary names without any meaning:

    (<= (next (light on)) (true (not (light on))))

This asks for a fluent that is written `(not (light on))`. To negate the condition, write
`(not (true (light on)))`. Where such a name is really meant as data, another one is clearer.",
};

static RELATION_IN_TERM: Code = Code {
    id: "W106",
    level: Level::Lint,
    title: "a reserved relation inside a term",
    explanation: "\
Inside a term `true`, `does`, `legal`, `next` and the other reserved relations are ordinary function
names without any meaning:

    (<= (next (true (cell 1 x))) (does x (mark 1)))

This makes a fluent written `(true (cell 1 x))`, which no condition `(true (cell 1 x))` will find.
Usually one of the two words is too many.",
};

pub(crate) static CODES: [&Code; 2] = [&CONNECTIVE_IN_TERM, &RELATION_IN_TERM];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    let mut places = Places { sheet, found: [None; Keyword::ALL.len()] };
    for clause in &sheet.description.clauses {
        clause.head.args.iter().for_each(|arg| places.note_term(arg));
        clause.body.iter().for_each(|formula| places.note_formula(formula));
    }
    for (keyword, place) in Keyword::ALL.into_iter().zip(places.found) {
        let Some((first, n_places)) = place else { continue };
        let code = if keyword.is_connective() { &CONNECTIVE_IN_TERM } else { &RELATION_IN_TERM };
        report.add(code, || finding(sheet, code, keyword, first, n_places));
    }
}

/// The first place and the number of places of each reserved word in terms.
struct Places<'s, 'a> {
    sheet: &'s Sheet<'a>,
    found: [Option<(Span, usize)>; Keyword::ALL.len()],
}

impl Places<'_, '_> {
    fn note_formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => atom.args.iter().for_each(|arg| self.note_term(arg)),
            Formula::Distinct(left, right, _) => {
                self.note_term(left);
                self.note_term(right);
            }
            Formula::Not(inner, _) => self.note_formula(inner),
            Formula::Or(parts, _) | Formula::And(parts, _) => {
                parts.iter().for_each(|part| self.note_formula(part));
            }
        }
    }

    fn note_term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Variable(_) => {}
            // A constant such as `goal` is harmless; a connective is never meant as one by chance.
            TermKind::Constant(symbol) => self.note(*symbol, term.span, Keyword::is_connective),
            TermKind::Function(symbol, args) => {
                self.note(*symbol, term.span, |_| true);
                args.iter().for_each(|arg| self.note_term(arg));
            }
        }
    }

    fn note(&mut self, symbol: Symbol, span: Span, counts: fn(Keyword) -> bool) {
        if let Some(keyword) = self.sheet.description.keyword(symbol).filter(|&keyword| counts(keyword)) {
            let place = &mut self.found[keyword as usize];
            *place = Some(place.map_or((span, 1), |(first, n_places)| (first, n_places + 1)));
        }
    }
}

fn finding(sheet: &Sheet, code: &'static Code, keyword: Keyword, first: Span, n_places: usize) -> Diagnostic {
    let word = keyword.text();
    let message = format!("`{word}` is an ordinary name inside a term");
    let mut found = Diagnostic::new(code, sheet.name_span_in(first), message);
    if n_places > 1 {
        found = found.note(format!("it stands in a term at {n_places} places"));
    }
    if keyword.is_connective() {
        found.here("has no meaning of its own here").help(match keyword {
            Keyword::Not => "to negate the condition, write `not` around all of it",
            _ => "move it out of the term, or use another name",
        })
    } else {
        found
            .here("not the reserved relation")
            .help(format!("remove `{word}` here or the relation around it, or use another name"))
    }
}

#[cfg(test)]
mod tests {
    use crate::carets::assert_findings;

    #[test]
    fn connectives_inside_terms() {
        assert_findings(
            &["W105", "W106"],
            "\
(gate and a) (gate not b) (<= (p a) (not (q a)) (or (q b) (q c)) (distinct a b))
;     ^^^ W105 `and` is an ordinary name inside a term
;                  ^^^ W105
(<= (next (light on)) (true (not (light on))) (distinct (or a) b))
;                                                        ^^ W105
",
        );
    }

    #[test]
    fn reserved_relations_inside_terms() {
        assert_findings(
            &["W105", "W106"],
            "\
(<= (next (true (cell 1 x))) (does x (mark 1)) (not (true (legal x y))))
;          ^^^^ W106 `true` is an ordinary name inside a term
;                                                          ^^^^^ W106
(init (phase goal))
",
        );
    }
}
