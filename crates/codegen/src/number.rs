//! Numbers of terms in the generated program: the constants of a column stand close together.

use crate::domain::Constants;
use crate::flat::{Atom, Column, Flat, Literal, Operand, Stage};
use rustc_hash::{FxHashMap, FxHashSet};
use senet_terms::{Functor, Terms};

/// The terms of the generated program.
#[derive(Debug)]
pub(crate) struct Numbering {
    /// Constants by their new numbers.
    pub(crate) constants: Vec<u32>,
    /// Compound terms that are known beforehand, numbered after the constants, parts before wholes.
    pub(crate) compounds: Vec<u32>,
    /// Functions of terms that are kept whole.
    pub(crate) functors: Vec<Functor>,
    number: FxHashMap<u32, u32>,
}

impl Numbering {
    pub(crate) fn new(flat: &Flat, terms: &Terms, roles: &[u32]) -> Numbering {
        let mut used =
            Used { terms, constants: Constants::default(), compounds: Vec::new(), functors: Vec::new() };
        roles.iter().for_each(|&role| used.term(role));
        let given = flat.permanent.iter().flat_map(|(_, rows)| rows);
        given.chain(flat.initial.iter().map(|(_, row)| row)).flatten().for_each(|&term| used.term(term));
        let mut domains: FxHashSet<&Constants> = FxHashSet::default();
        for column in flat.relations.iter().flat_map(|relation| &relation.columns) {
            if let Column::Constants(constants) = column {
                constants.iter().for_each(|constant| used.term(constant));
                domains.insert(constants);
            }
        }
        for rule in flat.stages.iter().flat_map(Stage::rules) {
            used.atom(&rule.head);
            for literal in &rule.body {
                match literal {
                    Literal::Positive(atom) | Literal::Negative(atom) => used.atom(atom),
                    Literal::Differ(pairs) => pairs.iter().for_each(|(left, right)| {
                        used.operand(left);
                        used.operand(right);
                    }),
                    Literal::Always => {}
                }
            }
        }
        let Used { constants, compounds, functors, .. } = used;
        let constants = side_by_side(&constants, domains.into_iter().collect());
        let all = constants.iter().chain(&compounds);
        let number = all.zip(0..).map(|(&term, number)| (term, number)).collect();
        Numbering { constants, compounds, functors, number }
    }

    /// The new number of a term.
    pub(crate) fn of(&self, term: u32) -> u32 {
        self.number[&term]
    }

    pub(crate) fn functor(&self, functor: Functor) -> usize {
        self.functors.iter().position(|&known| known == functor).expect("every function in use is numbered")
    }
}

/// Orders constants so that those of a domain are neighbours: exactly so if of any two domains one is part of the other
/// or they have nothing in common.
fn side_by_side(constants: &Constants, mut domains: Vec<&Constants>) -> Vec<u32> {
    domains
        .sort_by_cached_key(|domain| (std::cmp::Reverse(domain.len()), domain.iter().collect::<Vec<u32>>()));
    let mut ordered: Vec<u32> = constants.iter().collect();
    ordered.sort_by_cached_key(|&constant| {
        domains.iter().map(|domain| !domain.contains(constant)).collect::<Vec<bool>>()
    });
    ordered
}

struct Used<'a> {
    terms: &'a Terms,
    constants: Constants,
    compounds: Vec<u32>,
    functors: Vec<Functor>,
}

impl Used<'_> {
    fn atom(&mut self, atom: &Atom) {
        atom.columns.iter().for_each(|column| self.operand(column));
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Var(_) => {}
            Operand::Term(term) => self.term(*term),
            Operand::Build(functor, args) => {
                self.functor(*functor);
                args.iter().for_each(|arg| self.operand(arg));
            }
        }
    }

    fn functor(&mut self, functor: Functor) {
        if !self.functors.contains(&functor) {
            self.functors.push(functor);
        }
    }

    fn term(&mut self, term: u32) {
        let Some((functor, args)) = self.terms.compound(term) else {
            self.constants.insert(term);
            return;
        };
        if !self.compounds.contains(&term) {
            args.iter().for_each(|&arg| self.term(arg));
            self.functor(functor);
            self.compounds.push(term);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(of: impl IntoIterator<Item = u32>) -> Constants {
        let mut set = Constants::default();
        of.into_iter().for_each(|constant| {
            set.insert(constant);
        });
        set
    }

    #[test]
    fn nested_domains_are_ranges() {
        let (all, board, marks) = (set(0..100), set([2, 30, 31, 77]), set([200, 150]));
        let every = set((0..100).chain([150, 200, 120]));
        let ordered = side_by_side(&every, vec![&board, &marks, &all]);
        for domain in [&all, &board, &marks] {
            let places: Vec<usize> =
                domain.iter().map(|it| ordered.iter().position(|&other| other == it).unwrap()).collect();
            let (low, high) = (places.iter().min().unwrap(), places.iter().max().unwrap());
            assert_eq!(high - low + 1, domain.len());
        }
    }
}
