//! Terms as text, and as they are read.

use senet_gdl::{Interner, Term, TermKind};
use senet_ground::{TermId, Terms};

/// The canonical text of a term.
pub(crate) fn text(terms: &Terms, names: &Interner, term: u32) -> String {
    let mut out = String::new();
    terms.write(&mut out, names, TermId::new(term as usize));
    out
}

/// A term without variables as it is read.
pub(crate) fn number(terms: &mut Terms, term: &Term) -> u32 {
    match &term.kind {
        TermKind::Variable(_) => unreachable!("a ground term has no variables"),
        TermKind::Constant(symbol) => symbol.index() as u32,
        TermKind::Function(symbol, args) => {
            let args: Vec<u32> = args.iter().map(|arg| number(terms, arg)).collect();
            let functor = terms.functor(*symbol, args.len());
            terms.intern(functor, &args)
        }
    }
}
