//! Terms of a worker as terms that mean the same to every worker, and back.

use crate::terms::{TermId, Terms};
use senet_game::Portable;

pub(crate) fn export(terms: &Terms, term: TermId) -> Portable {
    let mut out = Vec::new();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        let args = terms.args(term);
        out.push((terms.symbol(term), args.len() as u32));
        pending.extend(args.iter().rev());
    }
    out.into()
}

/// Builds a portable term from its last symbol to its first, so that arguments are ready before their function.
pub(crate) fn import(terms: &mut Terms, portable: &Portable) -> TermId {
    let mut done: Vec<TermId> = Vec::new();
    for &(symbol, arity) in portable.iter().rev() {
        let first = done.len() - arity as usize;
        let args: Vec<_> = done.drain(first..).rev().collect();
        done.push(terms.apply(symbol, &args));
    }
    done.pop().expect("a portable term has a symbol")
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_gdl::Symbol;

    #[test]
    fn terms_survive_the_journey() {
        let mut here = Terms::default();
        let [a, b] = [0, 1].map(|symbol| here.apply(Symbol::new(symbol), &[]));
        let inner = here.apply(Symbol::new(2), &[a, b]);
        let term = here.apply(Symbol::new(3), &[inner, b, inner]);
        let mut there = Terms::default();
        let copy = import(&mut there, &export(&here, term));
        assert_eq!(export(&there, copy), export(&here, term));
        assert_eq!(export(&here, term).len(), 8);
    }
}
