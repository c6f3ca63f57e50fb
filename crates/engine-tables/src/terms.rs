//! Terms in the order of the source, and as text.

use senet_gdl::{Interner, Symbol, Term, TermKind};
use senet_ground::{TermId, Terms};
use std::cmp::Ordering;

fn parts(terms: &Terms, term: u32) -> (Symbol, &[u32]) {
    terms.application(term).unwrap_or((Symbol::new(term as usize), &[]))
}

/// The order of [`senet_gdl::source_order`].
pub(crate) fn source_order(terms: &Terms, left: u32, right: u32) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let ((left_name, left_args), (right_name, right_args)) = (parts(terms, left), parts(terms, right));
    let by_name = (left_name, left_args.len()).cmp(&(right_name, right_args.len()));
    by_name.then_with(|| {
        let mut orders =
            left_args.iter().zip(right_args).map(|(&left, &right)| source_order(terms, left, right));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    })
}

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
