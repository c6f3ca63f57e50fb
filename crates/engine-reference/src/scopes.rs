//! Which variables a `not` has for itself.
//!
//! A variable that occurs below one `not` only, and for which nothing finds a value when De Morgan's laws
//! move that `not` down to the atoms, says "for no value".

use rustc_hash::{FxHashMap, FxHashSet};
use senet_gdl::{Clause, Formula, Span, VarId};

/// The occurrences of the variables of a clause, numbered in the order of the text.
pub(crate) struct Occurrences {
    first: Vec<usize>,
    last: Vec<usize>,
    /// The numbers below each `not`: from the first one to before the second one.
    below: FxHashMap<Span, (usize, usize)>,
    /// By variable: the innermost `not` above all occurrences.
    innermost: FxHashMap<usize, Span>,
}

impl Occurrences {
    pub(crate) fn of(clause: &Clause) -> Self {
        let n_variables = clause.variables.len();
        let mut all = Self {
            first: vec![usize::MAX; n_variables],
            last: vec![0; n_variables],
            below: FxHashMap::default(),
            innermost: FxHashMap::default(),
        };
        let mut number = 0;
        let mut note = |variable: VarId| {
            all.first[variable.index()] = all.first[variable.index()].min(number);
            all.last[variable.index()] = number;
            number += 1;
        };
        let mut n_in_head = 0;
        clause.head.for_each_variable(&mut |variable, _| {
            note(variable);
            n_in_head += 1;
        });
        clause.body.iter().for_each(|formula| formula.for_each_variable(&mut |variable, _| note(variable)));
        let mut walk = Walk { number: n_in_head, waiting: Vec::new(), all: &mut all };
        clause.body.iter().for_each(|formula| walk.visit(formula));
        all
    }

    /// Whether the variable occurs below the `not` only.
    pub(crate) fn is_only_below(&self, variable: usize, not: Span) -> bool {
        self.below.get(&not).is_some_and(|&(start, end)| {
            (start..end).contains(&self.first[variable]) && self.last[variable] < end
        })
    }

    /// The innermost `not` above all occurrences of a variable.
    pub(crate) fn innermost(&self, variable: usize) -> Option<Span> {
        self.innermost.get(&variable).copied()
    }

    /// Whether the variable occurs once.
    pub(crate) fn is_single(&self, variable: usize) -> bool {
        self.first[variable] == self.last[variable]
    }
}

/// Goes through a body once more, when it is known where each variable occurs last.
struct Walk<'o> {
    number: usize,
    /// Variables that occurred for the first time and have no `not` yet.
    waiting: Vec<usize>,
    all: &'o mut Occurrences,
}

impl Walk<'_> {
    fn visit(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(_) | Formula::Distinct(..) => formula.for_each_variable(&mut |variable, _| {
                if self.all.first[variable.index()] == self.number {
                    self.waiting.push(variable.index());
                }
                self.number += 1;
            }),
            Formula::Or(parts, _) | Formula::And(parts, _) => parts.iter().for_each(|part| self.visit(part)),
            Formula::Not(inner, span) => {
                let (start, first_waiting) = (self.number, self.waiting.len());
                self.visit(inner);
                self.all.below.insert(*span, (start, self.number));
                for variable in self.waiting.split_off(first_waiting) {
                    if self.all.last[variable] < self.number {
                        self.all.innermost.insert(variable, *span);
                    } else {
                        self.waiting.push(variable);
                    }
                }
            }
        }
    }
}

/// The `not`s that have variables for themselves.
pub(crate) struct Scopes {
    pub(crate) occurrences: Occurrences,
    chosen: FxHashSet<Span>,
    /// Variables whose `not` was chosen.
    settled: FxHashSet<usize>,
}

impl Scopes {
    pub(crate) fn new(clause: &Clause) -> Self {
        let (chosen, settled) = (FxHashSet::default(), FxHashSet::default());
        Self { occurrences: Occurrences::of(clause), chosen, settled }
    }

    pub(crate) fn has(&self, not: Span) -> bool {
        self.chosen.contains(&not)
    }

    /// Gives variables without a value to their `not`s. Says whether there is one that was not given before.
    ///
    /// Below a `not` that is chosen nothing is negated any more, so those inside it are decided later.
    pub(crate) fn settle(&mut self, without_value: &FxHashSet<usize>) -> bool {
        let mut new = Vec::new();
        for &variable in without_value.difference(&self.settled) {
            new.extend(self.occurrences.innermost(variable).map(|not| (not, variable)));
        }
        new.sort_unstable_by_key(|&(not, variable)| (not.start, std::cmp::Reverse(not.end), variable));
        let mut end_of_chosen = None;
        for &(not, variable) in &new {
            if end_of_chosen.is_none_or(|end| not.end >= end) || self.chosen.contains(&not) {
                end_of_chosen = end_of_chosen.max(Some(not.end));
                self.settled.insert(variable);
                self.chosen.insert(not);
            }
        }
        !new.is_empty()
    }
}
