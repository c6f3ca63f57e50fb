//! Splitting `or` into alternatives.

use crate::condition::Condition;

/// A clause with more alternatives than this gets auxiliary relations, unless splitting it hardly
/// makes it longer.
const MAX_RULES: u64 = 64;

/// How large a condition is, as written and when every `or` is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) written: usize,
    n_choices: u64,
    split: u64,
}

impl Size {
    /// How much is written again because of splitting.
    pub(crate) fn copies(self) -> u64 {
        self.split.saturating_sub(self.written as u64)
    }

    /// Splitting writes at most a little more than is already there.
    pub(crate) fn is_small(self) -> bool {
        self.split <= 2 * self.written as u64
    }

    pub(crate) fn is_moderate(self) -> bool {
        self.n_choices <= MAX_RULES
    }
}

/// Measures a condition without splitting it.
pub(crate) fn size(condition: &Condition) -> Size {
    match condition {
        Condition::All(parts, _) => {
            let mut total = Size { written: 1, n_choices: 1, split: 1 };
            for part in parts {
                let part = size(part);
                total = Size {
                    written: total.written + part.written,
                    n_choices: total.n_choices.saturating_mul(part.n_choices),
                    split: total
                        .split
                        .saturating_mul(part.n_choices)
                        .saturating_add(part.split.saturating_mul(total.n_choices)),
                };
            }
            total
        }
        Condition::Any(parts, _) => {
            let mut total = Size { written: 1, n_choices: 0, split: 0 };
            for part in parts {
                let part = size(part);
                total = Size {
                    written: total.written + part.written,
                    n_choices: total.n_choices.saturating_add(part.n_choices),
                    // Each alternative also repeats the head.
                    split: total.split.saturating_add(part.split).saturating_add(1),
                };
            }
            total
        }
        literal => {
            let mut written = 1;
            literal.for_each_variable(&mut |_, _| written += 1);
            Size { written, n_choices: 1, split: written as u64 }
        }
    }
}

/// The literals of every alternative, in the order of the text.
pub(crate) fn choices(condition: Condition) -> Vec<Vec<Condition>> {
    match condition {
        Condition::All(parts, _) => {
            if parts.iter().any(|part| is_false(part)) {
                return Vec::new();
            }
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

fn is_false(condition: &Condition) -> bool {
    match condition {
        Condition::All(parts, _) => parts.iter().any(is_false),
        Condition::Any(parts, _) => parts.iter().all(is_false),
        _ => false,
    }
}
