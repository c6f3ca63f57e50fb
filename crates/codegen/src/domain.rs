//! What an argument can be: a superset, found by propagation.

use senet_terms::{Functor, Terms};
use std::collections::BTreeMap;

/// Functions nested deeper are not taken apart.
const MOST_DEPTH: usize = 4;

/// A set of constants.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Constants(Vec<u64>);

impl Constants {
    pub(crate) fn insert(&mut self, constant: u32) -> bool {
        let (word, bit) = (constant as usize / 64, 1 << (constant % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    pub(crate) fn contains(&self, constant: u32) -> bool {
        self.0.get(constant as usize / 64).is_some_and(|word| word >> (constant % 64) & 1 == 1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.0.iter().zip(0..).flat_map(move |(&word, at)| bits(word).map(move |bit| 64 * at + bit))
    }

    fn union(&mut self, other: &Constants) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut has_grown = false;
        for (own, &word) in self.0.iter_mut().zip(&other.0) {
            has_grown |= word & !*own != 0;
            *own |= word;
        }
        has_grown
    }

    fn intersect(&mut self, other: &Constants) {
        for (at, own) in self.0.iter_mut().enumerate() {
            *own &= other.0.get(at).copied().unwrap_or(0);
        }
    }
}

/// What an argument can be.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Domain {
    /// Anything, and terms are not taken apart. The other fields are empty then.
    pub(crate) is_open: bool,
    pub(crate) constants: Constants,
    /// Functions, and what their arguments can be.
    pub(crate) functions: BTreeMap<Functor, Vec<Domain>>,
}

impl Domain {
    pub(crate) fn open() -> Domain {
        Domain { is_open: true, ..Domain::default() }
    }

    /// Of one term.
    pub(crate) fn of_term(terms: &Terms, term: u32) -> Domain {
        let mut domain = Domain::default();
        match terms.compound(term) {
            None => {
                domain.constants.insert(term);
            }
            Some((functor, args)) => {
                let args = args.iter().map(|&arg| Domain::of_term(terms, arg)).collect();
                domain.functions.insert(functor, args);
            }
        }
        domain
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.is_open && self.constants.is_empty() && self.functions.is_empty()
    }

    /// Adds another domain; says whether that made it larger. A function inside itself becomes open: such terms may
    /// grow without end.
    pub(crate) fn union(&mut self, other: &Domain) -> bool {
        self.union_below(other, &mut Vec::new())
    }

    fn union_below(&mut self, other: &Domain, above: &mut Vec<Functor>) -> bool {
        if self.is_open {
            return false;
        }
        let is_nested = |functor: &Functor| above.len() == MOST_DEPTH || above.contains(functor);
        if other.is_open || other.functions.keys().any(is_nested) {
            *self = Domain::open();
            return true;
        }
        let mut has_grown = self.constants.union(&other.constants);
        for (&functor, args) in &other.functions {
            let own = self.functions.entry(functor).or_insert_with(|| {
                has_grown = true;
                vec![Domain::default(); args.len()]
            });
            above.push(functor);
            for (own, arg) in own.iter_mut().zip(args) {
                has_grown |= own.union_below(arg, above);
            }
            above.pop();
        }
        has_grown
    }

    /// Keeps what is in another domain too.
    pub(crate) fn intersect(&mut self, other: &Domain) {
        if other.is_open {
            return;
        }
        if self.is_open {
            *self = other.clone();
            return;
        }
        self.constants.intersect(&other.constants);
        self.functions.retain(|functor, args| {
            let Some(others) = other.functions.get(functor) else { return false };
            args.iter_mut().zip(others).all(|(arg, other)| {
                arg.intersect(other);
                !arg.is_empty()
            })
        });
    }

    /// In how many ways functions are nested in it.
    pub(crate) fn n_shapes(&self) -> usize {
        if self.is_open {
            return 1;
        }
        let of_function =
            |args: &Vec<Domain>| args.iter().map(Domain::n_shapes).fold(1, usize::saturating_mul);
        let functions = self.functions.values().map(of_function).fold(0, usize::saturating_add);
        functions.saturating_add(usize::from(!self.constants.is_empty()))
    }

    /// Every way in which functions are nested in it.
    pub(crate) fn shapes(&self) -> Vec<Shape> {
        if self.is_open {
            return vec![Shape::Open];
        }
        let mut shapes = Vec::new();
        if !self.constants.is_empty() {
            shapes.push(Shape::Constant);
        }
        for (&functor, args) in &self.functions {
            let args: Vec<Vec<Shape>> = args.iter().map(Domain::shapes).collect();
            for_each_choice(&args, &mut |args| shapes.push(Shape::Function(functor, args.to_vec())));
        }
        shapes
    }
}

/// How functions are nested in a term.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Shape {
    /// A constant.
    Constant,
    /// Any term, as a whole.
    Open,
    /// A function of terms that have shapes.
    Function(Functor, Vec<Shape>),
}

impl Shape {
    /// In how many parts it is taken apart.
    pub(crate) fn n_leaves(&self) -> usize {
        match self {
            Shape::Constant | Shape::Open => 1,
            Shape::Function(_, args) => args.iter().map(Shape::n_leaves).sum(),
        }
    }
}

/// Visits every way to take one of each.
pub(crate) fn for_each_choice<T: Clone>(choices: &[Vec<T>], visit: &mut impl FnMut(&[T])) {
    fn go<T: Clone>(choices: &[Vec<T>], taken: &mut Vec<T>, visit: &mut impl FnMut(&[T])) {
        let Some((first, rest)) = choices.split_first() else { return visit(taken) };
        for choice in first {
            taken.push(choice.clone());
            go(rest, taken, visit);
            taken.pop();
        }
    }
    go(choices, &mut Vec::new(), visit);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants(of: &[u32]) -> Domain {
        let mut domain = Domain::default();
        of.iter().for_each(|&constant| {
            domain.constants.insert(constant);
        });
        domain
    }

    fn function(functor: Functor, args: Vec<Domain>) -> Domain {
        Domain { functions: [(functor, args)].into(), ..Domain::default() }
    }

    #[test]
    fn a_function_inside_itself_is_open() {
        let mut counter = constants(&[3]);
        while counter.union(&function(7, vec![counter.clone()])) {}
        assert_eq!(counter.shapes(), [Shape::Constant, Shape::Function(7, vec![Shape::Open])]);
    }

    #[test]
    fn intersection_drops_what_has_no_values() {
        let mut left = constants(&[1, 2, 70]);
        left.union(&function(0, vec![constants(&[1])]));
        let mut right = constants(&[2, 70, 99]);
        right.union(&function(0, vec![constants(&[2])]));
        left.intersect(&right);
        assert_eq!(left, constants(&[2, 70]));
        assert_eq!(left.constants.iter().collect::<Vec<_>>(), [2, 70]);
    }

    #[test]
    fn shapes_are_counted() {
        let mut piece = constants(&[1]);
        piece.union(&function(4, vec![constants(&[2]), constants(&[3])]));
        let cell = function(5, vec![piece.clone(), piece]);
        assert_eq!((cell.n_shapes(), cell.shapes().len()), (4, 4));
    }
}
