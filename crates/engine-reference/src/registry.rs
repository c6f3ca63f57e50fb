//! Terms that leave a worker: fluents of positions and moves get numbers that
//! mean the same to every worker of an engine.

use crate::terms::{TermId, Terms};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use senet_gdl::{Symbol, Term, TermKind};

/// A ground term in prefix form: each symbol with its number of arguments.
pub(crate) type Portable = Box<[(Symbol, u32)]>;

/// The numbered terms of an engine.
#[derive(Default)]
pub(crate) struct Registry {
    terms: IndexSet<Portable, FxBuildHasher>,
}

impl Registry {
    pub(crate) fn number(&mut self, term: Portable) -> u32 {
        self.terms.insert_full(term).0 as u32
    }

    pub(crate) fn term(&self, number: u32) -> &Portable {
        &self.terms[number as usize]
    }
}

/// What one worker already knows of the registry.
#[derive(Default)]
pub(crate) struct Known {
    number_of: FxHashMap<TermId, u32>,
    term_of: FxHashMap<u32, TermId>,
}

impl Known {
    pub(crate) fn number(&self, term: TermId) -> Option<u32> {
        self.number_of.get(&term).copied()
    }

    pub(crate) fn term(&self, number: u32) -> Option<TermId> {
        self.term_of.get(&number).copied()
    }

    pub(crate) fn note(&mut self, number: u32, term: TermId) {
        self.number_of.insert(term, number);
        self.term_of.insert(number, term);
    }
}

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

pub(crate) fn export_syntax(term: &Term, out: &mut Vec<(Symbol, u32)>) {
    match &term.kind {
        TermKind::Variable(_) => unreachable!("parse_term gives ground terms"),
        TermKind::Constant(symbol) => out.push((*symbol, 0)),
        TermKind::Function(symbol, args) => {
            out.push((*symbol, args.len() as u32));
            args.iter().for_each(|arg| export_syntax(arg, out));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
