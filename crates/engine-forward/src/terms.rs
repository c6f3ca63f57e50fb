//! Terms of a worker as terms that mean the same to every worker, and back.

use senet_game::Portable;
use senet_terms::Terms;

pub(crate) fn export(terms: &Terms, term: u32) -> Portable {
    let mut out = Vec::new();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        let (name, args) = terms.name_and_args(term);
        out.push((name, args.len() as u32));
        pending.extend(args.iter().rev());
    }
    out.into()
}

/// Builds a term from its last symbol to its first, so that arguments are ready before their function.
pub(crate) fn import(terms: &mut Terms, portable: &Portable) -> u32 {
    let mut done: Vec<u32> = Vec::new();
    for &(symbol, arity) in portable.iter().rev() {
        if arity == 0 {
            done.push(symbol.index() as u32);
            continue;
        }
        let first = done.len() - arity as usize;
        let args: Vec<u32> = done.drain(first..).rev().collect();
        let functor = terms.functor(symbol, args.len());
        done.push(terms.intern(functor, &args));
    }
    done.pop().expect("a portable term has a symbol")
}
