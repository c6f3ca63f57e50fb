//! Patterns against terms.

use crate::program::Pattern;
use crate::terms::{TermId, Terms, UNBOUND};

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
