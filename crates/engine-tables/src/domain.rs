//! Domains of arguments (Definition 2) and the numbers of their members (Definition 4).
//!
//! A domain is a list of shapes: constants, then functions of domains. A member is numbered by the offset of its shape plus
//! its number within it; within a function the factor of an argument is the product of the sizes of the domains before it.

use senet_terms::{Functor, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// The ground terms that may stand in a place.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Domain {
    constants: BTreeSet<u32>,
    functions: BTreeMap<Functor, Vec<Domain>>,
}

/// A domain is too deep or too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unbounded;

/// Functions may not nest deeper.
const MOST_DEPTH: usize = 24;

impl Domain {
    /// The domain of one term.
    pub(crate) fn of(terms: &Terms, term: u32) -> Domain {
        let mut domain = Domain::default();
        domain.add(terms, term);
        domain
    }

    /// A function of domains.
    pub(crate) fn function(functor: Functor, args: Vec<Domain>) -> Domain {
        if args.iter().any(Domain::is_empty) {
            return Domain::default();
        }
        Domain { constants: BTreeSet::new(), functions: BTreeMap::from([(functor, args)]) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.constants.is_empty() && self.functions.is_empty()
    }

    /// Adds a term.
    pub(crate) fn add(&mut self, terms: &Terms, term: u32) {
        match terms.compound(term) {
            None => {
                self.constants.insert(term);
            }
            Some((functor, args)) => {
                let domains =
                    self.functions.entry(functor).or_insert_with(|| vec![Domain::default(); args.len()]);
                domains.iter_mut().zip(args).for_each(|(domain, &arg)| domain.add(terms, arg));
            }
        }
    }

    /// The domains of the arguments of a function.
    pub(crate) fn args(&self, functor: Functor) -> Option<&[Domain]> {
        self.functions.get(&functor).map(Vec::as_slice)
    }

    /// Adds all of another domain; says whether anything was new.
    pub(crate) fn unite(&mut self, other: &Domain) -> Result<bool, Unbounded> {
        self.unite_within(other, MOST_DEPTH)
    }

    fn unite_within(&mut self, other: &Domain, depth: usize) -> Result<bool, Unbounded> {
        let depth = depth.checked_sub(1).ok_or(Unbounded)?;
        let before = self.constants.len();
        self.constants.extend(&other.constants);
        let mut is_new = self.constants.len() > before;
        for (&functor, args) in &other.functions {
            let own = self.functions.entry(functor).or_insert_with(|| vec![Domain::default(); args.len()]);
            for (own, other) in own.iter_mut().zip(args) {
                is_new |= own.unite_within(other, depth)?;
            }
        }
        Ok(is_new)
    }

    /// What is in both.
    pub(crate) fn intersect(&self, other: &Domain) -> Domain {
        let constants = self.constants.intersection(&other.constants).copied().collect();
        let mut functions = BTreeMap::new();
        for (functor, args) in &self.functions {
            let Some(others) = other.functions.get(functor) else { continue };
            let both: Vec<Domain> =
                args.iter().zip(others).map(|(left, right)| left.intersect(right)).collect();
            if !both.iter().any(Domain::is_empty) {
                functions.insert(*functor, both);
            }
        }
        Domain { constants, functions }
    }

    /// How many terms it has.
    pub(crate) fn size(&self) -> Option<u64> {
        let mut size = self.constants.len() as u64;
        for args in self.functions.values() {
            size = size.checked_add(product(args)?)?;
        }
        Some(size)
    }

    /// The number of a member.
    pub(crate) fn number(&self, terms: &Terms, term: u32) -> Option<u64> {
        let Some((functor, args)) = terms.compound(term) else {
            self.constants.contains(&term).then_some(())?;
            return Some(self.constants.range(..term).count() as u64);
        };
        let mut offset = self.constants.len() as u64;
        for (&own, domains) in &self.functions {
            if own == functor {
                return Some(offset + number(domains, terms, args)?);
            }
            offset += product(domains)?;
        }
        None
    }

    /// The member with a number.
    pub(crate) fn term(&self, terms: &mut Terms, number: u64) -> Option<u32> {
        let mut rest = match number.checked_sub(self.constants.len() as u64) {
            None => return self.constants.iter().nth(number as usize).copied(),
            Some(rest) => rest,
        };
        for (&functor, domains) in &self.functions {
            let size = product(domains)?;
            if rest < size {
                let args = instance(domains, terms, rest)?;
                return Some(terms.intern(functor, &args));
            }
            rest -= size;
        }
        None
    }
}

/// The size of the superset of instances (Definition 3); `None` if it has no number.
pub(crate) fn product(domains: &[Domain]) -> Option<u64> {
    domains.iter().try_fold(1_u64, |size, domain| size.checked_mul(domain.size()?))
}

/// The number of an instance (Definition 4).
pub(crate) fn number(domains: &[Domain], terms: &Terms, args: &[u32]) -> Option<u64> {
    let (mut number, mut factor) = (0, 1);
    for (domain, &arg) in domains.iter().zip(args) {
        number += factor * domain.number(terms, arg)?;
        factor *= domain.size()?;
    }
    Some(number)
}

/// The instance with a number.
pub(crate) fn instance(domains: &[Domain], terms: &mut Terms, mut number: u64) -> Option<Vec<u32>> {
    let mut args = Vec::with_capacity(domains.len());
    for domain in domains {
        let size = domain.size().filter(|&size| size > 0)?;
        args.push(domain.term(terms, number % size)?);
        number /= size;
    }
    (number == 0).then_some(args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_ids::Symbol;

    /// Three constants; functions of one and of two constants, nested.
    fn sample() -> (Terms, Vec<Domain>) {
        let mut terms = Terms::new(8);
        let (one, two) = (terms.functor(Symbol::new(6), 1), terms.functor(Symbol::new(7), 2));
        let inner = terms.intern(two, &[0, 3]);
        let other = terms.intern(two, &[1, 4]);
        let members = [2, 5, inner, other, terms.intern(one, &[inner]), terms.intern(one, &[2])];
        let mut domain = Domain::default();
        members.iter().for_each(|&term| domain.add(&terms, term));
        let mut small = Domain::of(&terms, 0);
        small.add(&terms, 1);
        (terms, vec![small.clone(), domain, small])
    }

    #[test]
    fn ids_and_instances_are_a_bijection() {
        let (mut terms, domains) = sample();
        let size = product(&domains).expect("it is small");
        assert_eq!(size, 2 * (2 + 2 + 4) * 2);
        let mut seen = BTreeSet::new();
        for id in 0..size {
            let args = instance(&domains, &mut terms, id).expect("every id is of an instance");
            assert_eq!(number(&domains, &terms, &args), Some(id));
            assert!(seen.insert(args));
        }
        assert_eq!(instance(&domains, &mut terms, size), None);
        assert_eq!(number(&domains, &terms, &[2, 2, 0]), None);
    }

    /// Example 4 of the paper: `(cell 3 1 o)` over columns, rows and x, o has the number 2 + 0 * 3 + 1 * 9.
    #[test]
    fn the_first_argument_counts_least() {
        let terms = Terms::new(8);
        let domain = |members: &[u32]| {
            let mut domain = Domain::default();
            members.iter().for_each(|&member| domain.add(&terms, member));
            domain
        };
        let domains = [domain(&[1, 2, 3]), domain(&[1, 2, 3]), domain(&[4, 5, 6])];
        assert_eq!(number(&domains, &terms, &[3, 1, 5]), Some(11));
    }

    #[test]
    fn unions_and_intersections() {
        let (mut terms, domains) = sample();
        let (small, domain) = (&domains[0], &domains[1]);
        assert!(small.intersect(domain).is_empty());
        let mut both = small.clone();
        assert_eq!(both.unite(domain), Ok(true));
        assert_eq!(both.unite(domain), Ok(false));
        assert_eq!(both.intersect(small), *small);
        let functor = terms.functor(Symbol::new(6), 1);
        let mut deep = small.clone();
        let grown = (0..100).try_for_each(|_| {
            let deeper = Domain::function(functor, vec![deep.clone()]);
            deep.unite(&deeper).map(drop)
        });
        assert_eq!(grown, Err(Unbounded));
    }
}
