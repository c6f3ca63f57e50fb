//! Terms that leave a worker: fluents of positions and moves get numbers that mean the same to every worker of an engine.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use senet_gdl::{Symbol, Term, TermKind};
use std::hash::Hash;

/// A ground term in prefix form: each symbol with its number of arguments.
pub type Portable = Box<[(Symbol, u32)]>;

/// A term without variables as it is read.
pub fn portable(term: &Term) -> Portable {
    let mut out = Vec::new();
    write(term, &mut out);
    out.into()
}

fn write(term: &Term, out: &mut Vec<(Symbol, u32)>) {
    match &term.kind {
        TermKind::Variable(_) => unreachable!("a ground term has no variables"),
        TermKind::Constant(symbol) => out.push((*symbol, 0)),
        TermKind::Function(symbol, args) => {
            out.push((*symbol, args.len() as u32));
            args.iter().for_each(|arg| write(arg, out));
        }
    }
}

/// The numbered terms of an engine.
#[derive(Default, Debug)]
pub struct Registry {
    terms: IndexSet<Portable, FxBuildHasher>,
}

impl Registry {
    /// The number of a term, new if need be.
    pub fn number(&mut self, term: Portable) -> u32 {
        self.terms.insert_full(term).0 as u32
    }

    /// The term with a number.
    pub fn term(&self, number: u32) -> &Portable {
        &self.terms[number as usize]
    }
}

/// What one worker, which numbers terms in its own way, already knows of the registry.
#[derive(Clone, Debug)]
pub struct Known<T> {
    number_of: FxHashMap<T, u32>,
    term_of: FxHashMap<u32, T>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known { number_of: FxHashMap::default(), term_of: FxHashMap::default() }
    }
}

impl<T: Copy + Eq + Hash> Known<T> {
    /// The number in the registry of a term of the worker.
    pub fn number(&self, term: T) -> Option<u32> {
        self.number_of.get(&term).copied()
    }

    /// The term of the worker with a number.
    pub fn term(&self, number: u32) -> Option<T> {
        self.term_of.get(&number).copied()
    }

    /// Remembers both.
    pub fn note(&mut self, number: u32, term: T) {
        self.number_of.insert(term, number);
        self.term_of.insert(number, term);
    }
}
