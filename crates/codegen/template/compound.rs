//! Terms that are put together while the game is played: equal terms are the same number.

use crate::terms::{COMPOUNDS, FUNCTIONS, NAMES, Term};
use std::collections::HashMap;

/// Terms that nest deeper are taken for terms that grow without end.
const MOST_DEPTH: u32 = 1000;

/// A function, by its number, and its arguments.
#[derive(Clone, Debug)]
struct Compound {
    function: usize,
    args: Box<[Term]>,
    depth: u32,
}

/// The terms that occurred: constants first.
#[derive(Clone, Debug)]
pub struct Compounds {
    compounds: Vec<Compound>,
    numbers: HashMap<Box<[Term]>, Term>,
    is_too_deep: bool,
}

impl Compounds {
    /// With the terms of the rules.
    pub fn new() -> Compounds {
        let mut terms = Compounds { compounds: Vec::new(), numbers: HashMap::new(), is_too_deep: false };
        for (function, args) in COMPOUNDS {
            terms.build(*function, args);
        }
        terms
    }

    /// The number of a term.
    pub fn build(&mut self, function: usize, args: &[Term]) -> Term {
        let mut key = Vec::with_capacity(1 + args.len());
        key.push(function as Term);
        key.extend_from_slice(args);
        if let Some(&known) = self.numbers.get(key.as_slice()) {
            return known;
        }
        let depth = 1 + args.iter().map(|&arg| self.depth(arg)).max().unwrap_or(0);
        if depth > MOST_DEPTH {
            self.is_too_deep = true;
            return args[0];
        }
        let number = (NAMES.len() + self.compounds.len()) as Term;
        self.compounds.push(Compound { function, args: args.into(), depth });
        self.numbers.insert(key.into(), number);
        number
    }

    /// The arguments of a term if it is this function of something.
    pub fn parts<const WIDTH: usize>(&self, term: Term, function: usize) -> Option<[Term; WIDTH]> {
        let compound = self.compounds.get((term as usize).checked_sub(NAMES.len())?)?;
        if compound.function == function { compound.args[..].try_into().ok() } else { None }
    }

    /// Whether a term was given up because it nests too deep.
    pub fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// The text of a term.
    pub fn text(&self, term: Term) -> String {
        let Some(at) = (term as usize).checked_sub(NAMES.len()) else {
            return NAMES[term as usize].to_owned();
        };
        let compound = &self.compounds[at];
        let args: Vec<String> = compound.args.iter().map(|&arg| self.text(arg)).collect();
        format!("({} {})", FUNCTIONS[compound.function], args.join(" "))
    }

    fn depth(&self, term: Term) -> u32 {
        let at = (term as usize).checked_sub(NAMES.len());
        at.map_or(0, |at| self.compounds[at].depth)
    }
}

impl Default for Compounds {
    fn default() -> Compounds {
        Compounds::new()
    }
}
