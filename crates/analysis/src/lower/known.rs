//! The rules written so far, so that none is written twice.

use crate::program::{Atom, Literal, Rule, is_same};
use foldhash::fast::{FoldHasher, RandomState};
use hashbrown::HashTable;
use senet_gdl::{Term, TermKind};
use std::hash::{BuildHasher, Hasher};

/// Finds rules that differ in names of variables at most.
pub(super) struct KnownRules {
    rules: Vec<Rule>,
    by_content: HashTable<usize>,
    hasher: RandomState,
}

impl KnownRules {
    pub(super) fn with_capacity(n_rules: usize) -> Self {
        let by_content = HashTable::with_capacity(n_rules);
        Self { rules: Vec::with_capacity(n_rules), by_content, hasher: RandomState::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// Adds a rule unless it is known.
    pub(super) fn add(&mut self, rule: Rule) {
        let Self { rules, by_content, hasher } = self;
        let hash = content_hash(hasher.build_hasher(), &rule);
        if by_content.find(hash, |&other| has_same_content(&rules[other], &rule)).is_none() {
            by_content.insert_unique(hash, rules.len(), |&other| {
                content_hash(hasher.build_hasher(), &rules[other])
            });
            rules.push(rule);
        }
    }

    /// Forgets the rules added last.
    pub(super) fn truncate(&mut self, n_rules: usize) {
        self.rules.truncate(n_rules);
        self.by_content.retain(|&mut rule| rule < n_rules);
    }

    pub(super) fn into_rules(self) -> Vec<Rule> {
        self.rules
    }
}

fn content_hash(mut state: FoldHasher, rule: &Rule) -> u64 {
    hash_atom(&mut state, &rule.head);
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) => hash_atom(&mut state, atom),
            Literal::Negative(atom) => {
                state.write_u32(u32::MAX);
                hash_atom(&mut state, atom);
            }
            Literal::Distinct(left, right, _) => {
                hash_term(&mut state, left);
                hash_term(&mut state, right);
            }
        }
    }
    state.finish()
}

fn hash_atom(state: &mut FoldHasher, atom: &Atom) {
    state.write_u32(atom.relation.index() as u32);
    atom.args.iter().for_each(|arg| hash_term(state, arg));
}

fn hash_term(state: &mut FoldHasher, term: &Term) {
    let (kind, index, args) = match &term.kind {
        TermKind::Variable(variable) => (0, variable.index(), &[][..]),
        TermKind::Constant(symbol) => (1, symbol.index(), &[][..]),
        TermKind::Function(symbol, args) => (2, symbol.index(), &args[..]),
    };
    state.write_u32((index as u32) << 2 | kind);
    args.iter().for_each(|arg| hash_term(state, arg));
}

fn has_same_content(one: &Rule, other: &Rule) -> bool {
    is_same_atom(&one.head, &other.head)
        && one.body.len() == other.body.len()
        && one.body.iter().zip(&other.body).all(|pair| match pair {
            (Literal::Positive(one), Literal::Positive(other)) => is_same_atom(one, other),
            (Literal::Negative(one), Literal::Negative(other)) => is_same_atom(one, other),
            (Literal::Distinct(one, two, _), Literal::Distinct(other, another, _)) => {
                is_same(one, other) && is_same(two, another)
            }
            _ => false,
        })
}

fn is_same_atom(one: &Atom, other: &Atom) -> bool {
    one.relation == other.relation && one.args.iter().zip(&other.args).all(|(one, other)| is_same(one, other))
}
