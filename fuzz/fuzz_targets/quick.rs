//! Which rulesheets a fuzzer may play.

use senet_gdl::{Clause, Description, Formula, Keyword, Term, TermKind};

/// Whether rules cannot take long: joins of few variables, and hardly a function that recursion could grow.
pub(crate) fn is_quick(description: &Description) -> bool {
    let growing: usize = description.clauses.iter().map(|clause| growing_terms(description, clause)).sum();
    growing <= 1 && description.clauses.iter().all(|clause| clause.variables.len() <= 3)
}

/// How many functions around variables stand in a clause, those of fluents and moves apart.
fn growing_terms(description: &Description, clause: &Clause) -> usize {
    let head = Formula::Atom(clause.head.clone());
    let mut n_growing = 0;
    for formula in clause.body.iter().chain([&head]) {
        formula.for_each_atom(&mut |atom, _| {
            let keyword = description.keyword(atom.relation);
            let keyword = keyword.filter(|keyword| keyword.arity() == Some(atom.args.len()));
            let passes = matches!(keyword, Some(Keyword::True | Keyword::Does | Keyword::Next));
            let growing = atom.args.iter().filter(|term| is_growing(term)).count();
            n_growing += if passes { 0 } else { growing };
        });
    }
    n_growing
}

fn is_growing(term: &Term) -> bool {
    matches!(term.kind, TermKind::Function(..)) && !term.is_ground()
}
