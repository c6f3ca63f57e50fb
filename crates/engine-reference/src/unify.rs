//! Patterns against terms.

use crate::program::Pattern;
use crate::terms::{TermId, Terms, UNBOUND};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes `pattern` equal to a ground term, binding what is unbound.
pub(crate) fn matches(terms: &Terms, pattern: &Pattern, term: TermId, env: &mut [TermId]) -> bool {
    match pattern {
        Pattern::Ground(ground) => *ground == term,
        Pattern::Variable(variable) => {
            let value = &mut env[*variable];
            if *value == UNBOUND {
                *value = term;
            }
            *value == term
        }
        Pattern::Apply(symbol, patterns) => {
            let args = terms.args(term);
            args.len() == patterns.len()
                && terms.symbol(term) == *symbol
                && patterns.iter().zip(args).all(|(pattern, &arg)| matches(terms, pattern, arg, env))
        }
    }
}

/// Whether a head can have an instance among the instances of a call's term,
/// binding what is certain. What stays open is compared when the rule concludes.
pub(crate) fn may_match(terms: &Terms, pattern: &Pattern, call: TermId, env: &mut [TermId]) -> bool {
    if terms.is_ground(call) {
        return matches(terms, pattern, call, env);
    }
    if terms.as_variable(call).is_some() {
        return true;
    }
    let args = terms.args(call);
    match pattern {
        Pattern::Variable(_) => true,
        Pattern::Ground(ground) => {
            let ground_args = terms.args(*ground);
            ground_args.len() == args.len() && terms.symbol(*ground) == terms.symbol(call)
        }
        Pattern::Apply(symbol, patterns) => {
            args.len() == patterns.len()
                && terms.symbol(call) == *symbol
                && patterns.iter().zip(args).all(|(pattern, &arg)| may_match(terms, pattern, arg, env))
        }
    }
}

/// Reads the variables of a call's term off a ground instance; false if it is no instance.
pub(crate) fn answers(terms: &Terms, call: TermId, ground: TermId, values: &mut [TermId]) -> bool {
    if terms.is_ground(call) {
        return call == ground;
    }
    if let Some(variable) = terms.as_variable(call) {
        let value = &mut values[variable];
        if *value == UNBOUND {
            *value = ground;
        }
        return *value == ground;
    }
    let (call_args, args) = (terms.args(call), terms.args(ground));
    call_args.len() == args.len()
        && terms.symbol(call) == terms.symbol(ground)
        && call_args.iter().zip(args).all(|(&call, &arg)| answers(terms, call, arg, values))
}

/// The term of a pattern whose variables are all bound, otherwise one that is not.
pub(crate) fn instantiate(terms: &mut Terms, pattern: &Pattern, env: &[TermId]) -> Result<TermId, usize> {
    match pattern {
        Pattern::Ground(term) => Ok(*term),
        Pattern::Variable(variable) if env[*variable] == UNBOUND => Err(*variable),
        Pattern::Variable(variable) => Ok(env[*variable]),
        Pattern::Apply(symbol, patterns) => {
            let args = patterns
                .iter()
                .map(|pattern| instantiate(terms, pattern, env))
                .collect::<Result<smallvec::SmallVec<[TermId; 8]>, usize>>()?;
            Ok(terms.apply(*symbol, &args))
        }
    }
}

/// The term of a pattern in a call: unbound variables become the numbered variables of the call.
pub(crate) fn instantiate_call(
    terms: &mut Terms,
    pattern: &Pattern,
    env: &[TermId],
    numbers: &[usize],
) -> TermId {
    match pattern {
        Pattern::Ground(term) => *term,
        Pattern::Variable(variable) if env[*variable] == UNBOUND => terms.variable(numbers[*variable]),
        Pattern::Variable(variable) => env[*variable],
        Pattern::Apply(symbol, patterns) => {
            let args: smallvec::SmallVec<[TermId; 8]> =
                patterns.iter().map(|pattern| instantiate_call(terms, pattern, env, numbers)).collect();
            terms.apply(*symbol, &args)
        }
    }
}

/// Whether values of their variables make each two terms that follow each other equal, all at once.
pub(crate) fn are_unifiable(terms: &Terms, sides: &[TermId]) -> bool {
    let mut values: FxHashMap<usize, TermId> = FxHashMap::default();
    let mut pending: Vec<(TermId, TermId)> = sides.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    // Two terms that were made equal stay so.
    let mut seen = FxHashSet::default();
    while let Some((left, right)) = pending.pop() {
        let (left, right) = (end_of(terms, left, &values), end_of(terms, right, &values));
        if left == right || !seen.insert((left, right)) {
            continue;
        }
        match (terms.as_variable(left), terms.as_variable(right)) {
            (Some(variable), _) if !occurs_in(terms, left, right, &values) => {
                values.insert(variable, right);
            }
            (None, Some(variable)) if !occurs_in(terms, right, left, &values) => {
                values.insert(variable, left);
            }
            (None, None) => {
                let (left_args, right_args) = (terms.args(left), terms.args(right));
                if terms.symbol(left) != terms.symbol(right) || left_args.len() != right_args.len() {
                    return false;
                }
                pending.extend(left_args.iter().copied().zip(right_args.iter().copied()));
            }
            _ => return false,
        }
    }
    true
}

/// The term that a variable stands for in the end.
fn end_of(terms: &Terms, mut term: TermId, values: &FxHashMap<usize, TermId>) -> TermId {
    while let Some(&value) = terms.as_variable(term).and_then(|variable| values.get(&variable)) {
        term = value;
    }
    term
}

fn occurs_in(terms: &Terms, variable: TermId, term: TermId, values: &FxHashMap<usize, TermId>) -> bool {
    let mut pending = vec![term];
    let mut seen = FxHashSet::default();
    while let Some(term) = pending.pop() {
        let term = end_of(terms, term, values);
        if term == variable {
            return true;
        }
        if !terms.is_ground(term) && seen.insert(term) {
            pending.extend_from_slice(terms.args(term));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_gdl::Symbol;

    #[test]
    fn terms_are_made_equal_all_at_once() {
        let mut terms = Terms::default();
        let [x, y, z] = [0, 1, 2].map(|number| terms.variable(number));
        let mut f = |args: &[TermId]| terms.apply(Symbol::new(0), args);
        let (fx, fy, fxy, fyx) = (f(&[x]), f(&[y]), f(&[x, y]), f(&[y, x]));
        let constant = f(&[]);
        let (fc, fyz) = (f(&[constant]), f(&[y, z]));
        for (sides, expected) in [
            (&[x, y, y, z, z, x][..], true),
            (&[x, fx], false),
            (&[x, fy, y, fx], false),
            (&[x, fy, z, fx, x, fc], true),
            (&[x, y, x, constant, y, fc], false),
            (&[fxy, fyx, x, constant, y, constant], true),
            (&[fxy, fyz, y, fx], false),
            (&[fx, fxy], false),
        ] {
            assert_eq!(are_unifiable(&terms, sides), expected, "{sides:?}");
        }
    }

    #[test]
    fn shared_parts_are_looked_at_once() {
        let mut terms = Terms::default();
        let mut sides = Vec::new();
        for side in 0..2 {
            for number in 0..60 {
                let [small, large] = [number, number + 1].map(|number| terms.variable(2 * number + side));
                sides.extend([terms.apply(Symbol::new(0), &[small, small]), large]);
            }
        }
        sides.extend([0, 1].map(|side| terms.variable(120 + side)));
        assert!(are_unifiable(&terms, &sides));
    }
}
