//! Ground terms as numbers: equal terms are the same number.

use crate::hash::hash_row;
use crate::numbers::{Numbers, Place, are_equal};
use senet_gdl::{Term, TermKind};
use senet_ids::{Interner, Symbol};
use smallvec::SmallVec;

senet_ids::define_id! {
    /// A ground term of one program.
    pub struct TermId;
}

/// A name with a number of arguments, as it heads compound terms.
pub type Functor = u32;

/// The ground terms of a program.
///
/// The constants come first, numbered as the symbols are; compound terms follow.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    n_constants: u32,
    functors: Vec<(Symbol, u32)>,
    /// Of each compound term.
    functor: Vec<Functor>,
    depth: Vec<u16>,
    /// Where the arguments of each compound term begin, and one end more.
    first_arg: Vec<u32>,
    args: Vec<u32>,
    numbers: Numbers,
}

impl Terms {
    /// Terms with so many constants and no others.
    pub fn new(n_constants: usize) -> Terms {
        Terms { n_constants: n_constants as u32, first_arg: vec![0], ..Terms::default() }
    }

    /// The number of a functor, new if need be.
    pub fn functor(&mut self, name: Symbol, arity: usize) -> Functor {
        let wanted = (name, arity as u32);
        let known = self.functors.iter().position(|&functor| functor == wanted);
        known.unwrap_or_else(|| {
            self.functors.push(wanted);
            self.functors.len() - 1
        }) as Functor
    }

    /// A name with its number of arguments.
    pub fn name_and_arity(&self, functor: Functor) -> (Symbol, usize) {
        let (name, arity) = self.functors[functor as usize];
        (name, arity as usize)
    }

    /// The number of a compound term, new if need be.
    pub fn intern(&mut self, functor: Functor, args: &[u32]) -> u32 {
        let hash = hash_row(functor, args);
        let Terms { functor: functors, first_arg, args: all_args, numbers, .. } = self;
        let is_it = |at: u32| {
            let at = at as usize;
            functors[at] == functor
                && are_equal(&all_args[first_arg[at] as usize..first_arg[at + 1] as usize], args)
        };
        let at = functors.len() as u32;
        match numbers.place(hash, is_it) {
            Place::Known(place) => return self.n_constants + numbers.at(place),
            Place::Free(place) => numbers.set(place, hash, at),
        }
        let depth = args.iter().map(|&arg| self.depth(arg)).max().unwrap_or(0).saturating_add(1);
        self.functor.push(functor);
        self.depth.push(depth);
        self.args.extend_from_slice(args);
        self.first_arg.push(self.args.len() as u32);
        self.n_constants + at
    }

    /// The number of a ground term of the syntax tree.
    pub fn read(&mut self, term: &Term) -> u32 {
        match &term.kind {
            TermKind::Variable(_) => unreachable!("a ground term has no variables"),
            TermKind::Constant(symbol) => symbol.index() as u32,
            TermKind::Function(symbol, args) => {
                let functor = self.functor(*symbol, args.len());
                let args: SmallVec<[u32; 8]> = args.iter().map(|arg| self.read(arg)).collect();
                self.intern(functor, &args)
            }
        }
    }

    fn args_at(&self, at: usize) -> &[u32] {
        &self.args[self.first_arg[at] as usize..self.first_arg[at + 1] as usize]
    }

    /// How many applications are nested in a term: none in a constant.
    pub fn depth(&self, term: u32) -> u16 {
        if term < self.n_constants { 0 } else { self.depth[(term - self.n_constants) as usize] }
    }

    /// The parts of a compound term; `None` for a constant.
    #[inline]
    pub fn compound(&self, term: u32) -> Option<(Functor, &[u32])> {
        let at = term.checked_sub(self.n_constants)? as usize;
        Some((self.functor[at], self.args_at(at)))
    }

    /// The name and the arguments of a compound term; `None` for a constant.
    #[inline]
    pub fn application(&self, term: u32) -> Option<(Symbol, &[u32])> {
        let (functor, args) = self.compound(term)?;
        Some((self.functors[functor as usize].0, args))
    }

    /// How many terms there are.
    #[inline]
    pub fn n_terms(&self) -> usize {
        self.n_constants as usize + self.functor.len()
    }

    /// The name and the arguments of a term; a constant has none.
    #[inline]
    pub fn name_and_args(&self, term: u32) -> (Symbol, &[u32]) {
        self.application(term).unwrap_or((Symbol::new(term as usize), &[]))
    }

    /// The name at the head of a term, and its arguments.
    pub fn parts(&self, term: TermId) -> (Symbol, impl ExactSizeIterator<Item = TermId> + '_) {
        let (name, args) = self.name_and_args(term.index() as u32);
        (name, args.iter().map(|&arg| TermId::new(arg as usize)))
    }

    /// The canonical text of a term.
    pub fn text(&self, symbols: &Interner, term: u32) -> String {
        let mut out = String::new();
        self.write(&mut out, symbols, TermId::new(term as usize));
        out
    }

    /// Appends the canonical text of a term.
    pub fn write(&self, out: &mut String, symbols: &Interner, term: TermId) {
        let (name, args) = self.parts(term);
        if args.len() == 0 {
            out.push_str(symbols.name(name));
            return;
        }
        out.push('(');
        out.push_str(symbols.name(name));
        for arg in args {
            out.push(' ');
            self.write(out, symbols, arg);
        }
        out.push(')');
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.functor.capacity() * 4
            + self.depth.capacity() * 2
            + self.first_arg.capacity() * 4
            + self.args.capacity() * 4
            + self.numbers.bytes()
    }
}
