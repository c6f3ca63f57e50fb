//! Making terms with variables equal.

use super::{Literal, Pattern, Rule};
use senet_terms::{Functor, Terms};

/// Values for the variables of a rule.
#[derive(Clone)]
pub(crate) struct Substitution {
    values: Vec<Option<Pattern>>,
}

/// The two sides can never be the same.
pub(crate) struct Clash;

impl Substitution {
    pub(crate) fn new(n_vars: u32) -> Substitution {
        Substitution { values: vec![None; n_vars as usize] }
    }

    /// Finds values that make both sides the same.
    pub(crate) fn unify(&mut self, left: &Pattern, right: &Pattern, terms: &Terms) -> Result<(), Clash> {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if left == right {
            return Ok(());
        }
        if let (Pattern::Var(var), other) | (other, Pattern::Var(var)) = (&left, &right) {
            let mut occurs = false;
            other.for_each_var(&mut |inner| occurs |= inner == *var);
            if occurs {
                return Err(Clash);
            }
            self.values[*var as usize] = Some(other.clone());
            return Ok(());
        }
        let (Some((left, left_args)), Some((right, right_args))) =
            (parts(&left, terms), parts(&right, terms))
        else {
            return Err(Clash);
        };
        if left != right {
            return Err(Clash);
        }
        left_args.iter().zip(&right_args).try_for_each(|(left, right)| self.unify(left, right, terms))
    }

    /// The pattern with everything replaced that has a value.
    pub(crate) fn resolve(&self, pattern: &Pattern) -> Pattern {
        pattern.map_vars(&mut |var| match &self.values[var as usize] {
            Some(value) => self.resolve(value),
            None => Pattern::Var(var),
        })
    }

    /// Replaces variables in a rule; conditions that become the same are kept once.
    pub(crate) fn apply(&self, rule: &mut Rule, terms: &mut Terms) {
        let mut replace = |arg: &mut Pattern| *arg = normal(self.resolve(arg), terms);
        rule.head.args.iter_mut().for_each(&mut replace);
        for literal in &mut rule.body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    atom.args.iter_mut().for_each(&mut replace);
                }
                Literal::Distinct(left, right) => {
                    replace(left);
                    replace(right);
                }
            }
        }
        let mut at = 0;
        while at < rule.body.len() {
            if rule.body[..at].contains(&rule.body[at]) {
                rule.body.remove(at);
            } else {
                at += 1;
            }
        }
    }
}

/// The functor and the arguments of a compound term.
pub(crate) fn parts(pattern: &Pattern, terms: &Terms) -> Option<(Functor, Vec<Pattern>)> {
    match pattern {
        Pattern::App(functor, args) => Some((*functor, args.clone())),
        Pattern::Ground(term) => {
            let (functor, args) = terms.compound(*term)?;
            Some((functor, args.iter().map(|&arg| Pattern::Ground(arg)).collect()))
        }
        Pattern::Var(_) => None,
    }
}

/// The pattern with ground parts as numbers.
fn normal(pattern: Pattern, terms: &mut Terms) -> Pattern {
    let Pattern::App(functor, args) = pattern else { return pattern };
    let args: Vec<Pattern> = args.into_iter().map(|arg| normal(arg, terms)).collect();
    let ground: Option<Vec<u32>> =
        args.iter().map(|arg| if let Pattern::Ground(term) = arg { Some(*term) } else { None }).collect();
    match ground {
        Some(ground) => Pattern::Ground(terms.intern(functor, &ground)),
        None => Pattern::App(functor, args),
    }
}
