//! Splitting `or` into alternatives.

use crate::condition::Condition;
use senet_gdl::{Term, TermKind};

/// How far a clause may be split before it gets auxiliary relations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// At most into so many rules,
    pub(crate) n_rules: u64,
    /// or into any number of rules that are together at most this many times as long.
    pub(crate) growth: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { n_rules: 64, growth: 2 }
    }
}

/// How large a condition is, as written and when every `or` is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) written: usize,
    n_choices: u64,
    split: u64,
    /// It has a [`Condition::NoValue`], which needs a relation of its own.
    pub(crate) has_no_value: bool,
}

impl Size {
    /// How much is written again because of splitting.
    pub(crate) fn copies(self) -> u64 {
        self.split.saturating_sub(self.written as u64)
    }

    /// Splitting writes hardly more than is already there.
    pub(crate) fn is_small(self, limits: Limits) -> bool {
        self.n_choices <= 1 || self.split <= limits.growth * self.written as u64
    }

    pub(crate) fn is_moderate(self, limits: Limits) -> bool {
        self.n_choices <= limits.n_rules
    }
}

/// Measures a condition without splitting it.
pub(crate) fn size(condition: &Condition) -> Size {
    match condition {
        Condition::All(parts, _) => {
            let mut total = Size { written: 1, n_choices: 1, split: 1, has_no_value: false };
            for part in parts {
                let part = size(part);
                total = Size {
                    written: total.written + part.written,
                    n_choices: total.n_choices.saturating_mul(part.n_choices),
                    split: total
                        .split
                        .saturating_mul(part.n_choices)
                        .saturating_add(part.split.saturating_mul(total.n_choices)),
                    has_no_value: total.has_no_value || part.has_no_value,
                };
            }
            total
        }
        Condition::Any(parts, _) => {
            let mut total = Size { written: 1, n_choices: 0, split: 0, has_no_value: false };
            for part in parts {
                let part = size(part);
                total = Size {
                    written: total.written + part.written,
                    n_choices: total.n_choices.saturating_add(part.n_choices),
                    // Each alternative also repeats the head.
                    split: total.split.saturating_add(part.split).saturating_add(1),
                    has_no_value: total.has_no_value || part.has_no_value,
                };
            }
            total
        }
        Condition::Holds(atom) => single(&atom.args),
        Condition::Fails(atom, _) => single(&atom.args),
        Condition::Differ(left, right, _) | Condition::Equal(left, right, _) => {
            literal(1 + term_size(left) + term_size(right))
        }
        Condition::NoValue(inner, _, _) => Size { has_no_value: true, ..literal(1 + size(inner).written) },
    }
}

fn single(args: &[Term]) -> Size {
    literal(1 + args.iter().map(term_size).sum::<usize>())
}

fn literal(written: usize) -> Size {
    Size { written, n_choices: 1, split: written as u64, has_no_value: false }
}

fn term_size(term: &Term) -> usize {
    match &term.kind {
        TermKind::Function(_, args) => 1 + args.iter().map(term_size).sum::<usize>(),
        _ => 1,
    }
}

/// The literals of every alternative, in the order of the text.
pub(crate) fn choices(condition: Condition) -> Vec<Vec<Condition>> {
    match condition {
        Condition::All(parts, _) => {
            let mut prefixes = vec![Vec::new()];
            for part in parts {
                let mut alternatives = choices(part);
                if let [single] = &mut alternatives[..] {
                    // Not copied: most parts are single literals.
                    let (last, others) = prefixes.split_last_mut().expect("no part is false");
                    others.iter_mut().for_each(|prefix: &mut Vec<_>| prefix.extend(single.iter().cloned()));
                    last.append(single);
                    continue;
                }
                let mut longer = Vec::with_capacity(prefixes.len() * alternatives.len());
                for prefix in &prefixes {
                    for alternative in &alternatives {
                        longer.push([&prefix[..], &alternative[..]].concat());
                    }
                }
                prefixes = longer;
            }
            prefixes
        }
        Condition::Any(parts, _) => parts.into_iter().flat_map(choices).collect(),
        literal => vec![vec![literal]],
    }
}
