//! Making terms with variables equal.

use crate::pattern::Pattern;
use crate::rule::Rule;
use senet_terms::Terms;

/// Values for the variables of a rule.
#[derive(Clone, Debug)]
pub struct Substitution {
    values: Vec<Option<Pattern>>,
}

/// The two sides can never be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clash;

impl Substitution {
    /// No values yet for so many variables.
    pub fn new(n_vars: usize) -> Substitution {
        Substitution { values: vec![None; n_vars] }
    }

    /// Finds values that make both sides the same.
    pub fn unify(&mut self, left: &Pattern, right: &Pattern, terms: &Terms) -> Result<(), Clash> {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if left == right {
            return Ok(());
        }
        if let (Pattern::Var(var), other) | (other, Pattern::Var(var)) = (&left, &right) {
            if !other.all_vars(&|inner| inner != *var) {
                return Err(Clash);
            }
            self.values[*var as usize] = Some(other.clone());
            return Ok(());
        }
        let (Some((left, left_args)), Some((right, right_args))) = (left.parts(terms), right.parts(terms))
        else {
            return Err(Clash);
        };
        if left != right {
            return Err(Clash);
        }
        left_args.iter().zip(&right_args).try_for_each(|(left, right)| self.unify(left, right, terms))
    }

    /// The pattern with everything replaced that has a value.
    pub fn resolve(&self, pattern: &Pattern) -> Pattern {
        pattern.map_vars(&mut |var| match &self.values[var as usize] {
            Some(value) => self.resolve(value),
            None => Pattern::Var(var),
        })
    }

    /// Replaces variables in a rule; equal conditions are kept once.
    pub fn apply(&self, rule: &mut Rule, terms: &mut Terms) {
        rule.map_terms(&mut |term| self.resolve(term).with_ground_parts(terms));
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
