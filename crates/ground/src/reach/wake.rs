//! Which rules have to be looked at again when facts come.

use super::fixpoint::Waiting;
use crate::facts::{FactStore, TableId};
use senet_rules::{Literal, Pattern};
use senet_terms::Functor;

/// The rules that wait for facts, by the first argument they wait for: a fluent wakes only rules
/// that ask for fluents with its functor.
pub(super) struct Users {
    /// In order.
    all: Vec<(TableId, First, u32)>,
}

/// The meaning of a condition for its first argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum First {
    Anything,
    Term(u32),
    Functor(Functor),
}

impl Users {
    pub(super) fn new(store: &FactStore, waiting: &[Waiting]) -> Users {
        let mut all = Vec::with_capacity(waiting.iter().map(|rule| rule.inputs.len()).sum());
        for (at, rule) in waiting.iter().enumerate() {
            for literal in &rule.rule.body {
                let Literal::Positive(atom) = literal else { continue };
                let first = match atom.args.first() {
                    Some(Pattern::Ground(term)) => First::Term(*term),
                    Some(Pattern::App(functor, _)) => First::Functor(*functor),
                    Some(Pattern::Var(_)) | None => First::Anything,
                };
                all.push((store.table_of(atom), first, at as u32));
            }
        }
        all.sort_unstable();
        Users { all }
    }

    /// Wakes the rules that wait for the rows of a table from `first` on.
    pub(super) fn wake(&self, store: &FactStore, table: TableId, first: u32, todo: &mut Todo) {
        /// For more rows it is quicker to wake all rules.
        const FEW: u32 = 32;
        let rows = &store.tables[table.index()];
        if rows.len() == first {
            return;
        }
        let begin = self.all.partition_point(|user| user.0 < table);
        let users = &self.all[begin..];
        let users = &users[..users.partition_point(|user| user.0 == table)];
        if rows.len() - first > FEW {
            users.iter().for_each(|&(.., user)| todo.add(user as usize));
            return;
        }
        let mut wake = |first: First| {
            let begin = users.partition_point(|user| user.1 < first);
            let users = users[begin..].iter().take_while(|user| user.1 == first);
            users.for_each(|&(.., user)| todo.add(user as usize));
        };
        wake(First::Anything);
        if users.last().is_none_or(|user| user.1 == First::Anything) {
            return;
        }
        for term in (first..rows.len()).filter_map(|at| rows.row(at).first()) {
            wake(First::Term(*term));
            if let Some((functor, _)) = store.terms.compound(*term) {
                wake(First::Functor(functor));
            }
        }
    }
}

/// Rules to look at, the first first: a relation is complete before those that use it are derived,
/// where they do not depend on each other.
pub(super) struct Todo {
    words: Vec<u64>,
}

impl Todo {
    pub(super) fn all(n: usize) -> Todo {
        let mut todo = Todo { words: vec![0; n.div_ceil(64)] };
        (0..n).for_each(|at| todo.add(at));
        todo
    }

    fn add(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    pub(super) fn take_first(&mut self) -> Option<usize> {
        let word = self.words.iter().position(|&word| word != 0)?;
        let bit = self.words[word].trailing_zeros() as usize;
        self.words[word] &= self.words[word] - 1;
        Some(word * 64 + bit)
    }
}
