//! Literals to a finished rule.

use super::unify::Substitution;
use super::{Lowerer, TooLarge};
use crate::HashMap;
use crate::condition::Condition;
use crate::program::{Atom, Literal, Rule, clash, is_same};
use senet_gdl::{Term, VarId};

impl Lowerer {
    /// Writes the rule with this head and these literals, unless it can never apply or is known.
    pub(super) fn emit(&mut self, head: &senet_gdl::Atom, literals: Vec<Condition>) -> Result<(), TooLarge> {
        let mut substitution = Substitution::default();
        for literal in &literals {
            if let Condition::Equal(left, right, _) = literal
                && !substitution.unify(left, right, &mut self.budget)?
            {
                return Ok(());
            }
        }
        if !substitution.is_finite() {
            return Ok(());
        }
        self.clause.begin_rule();
        let head = self.atom(head, &substitution)?;
        let mut body = Vec::with_capacity(literals.len());
        for literal in &literals {
            match literal {
                Condition::Holds(atom) if self.is_false_in_bodies(atom) => return Ok(()),
                Condition::Fails(atom, _) if self.is_false_in_bodies(atom) => {}
                Condition::Holds(atom) => body.push(Literal::Positive(self.atom(atom, &substitution)?)),
                Condition::Fails(atom, _) => body.push(Literal::Negative(self.atom(atom, &substitution)?)),
                Condition::Differ(left, right, span) => {
                    let (left, right) = (self.term(left, &substitution)?, self.term(right, &substitution)?);
                    if is_same(&left, &right) {
                        return Ok(());
                    }
                    if !clash(&left, &right) {
                        body.push(Literal::Distinct(left, right, *span));
                    }
                }
                Condition::Equal(..) => {}
                Condition::All(..) | Condition::Any(..) | Condition::NoValue(..) => {
                    unreachable!("connectives were split before")
                }
            }
        }
        let variables = self.clause.names.clone();
        let body = tests_after_bindings(body, variables.len());
        let (clause, span) = (self.clause.idx, self.clause.span);
        self.rules.add(Rule { head, body, variables, stratum: 0, clause, span });
        Ok(())
    }

    fn atom(&mut self, atom: &senet_gdl::Atom, substitution: &Substitution) -> Result<Atom, TooLarge> {
        let relation = self.relations.of(atom);
        let args = atom.args.iter().map(|arg| self.term(arg, substitution)).collect::<Result<_, _>>()?;
        Ok(Atom { relation, args, span: atom.span })
    }

    fn term(&mut self, term: &Term, substitution: &Substitution) -> Result<Term, TooLarge> {
        let Self { clause, budget, .. } = self;
        substitution.apply(term, &mut |old| clause.rename(old), budget)
    }
}

/// Moves each negative literal and `distinct` behind the positive literals that bind its
/// variables, and no further than needed.
fn tests_after_bindings(literals: Vec<Literal>, n_variables: usize) -> Vec<Literal> {
    let mut is_bound = vec![false; n_variables];
    let mut ordered = Vec::with_capacity(literals.len());
    // Tests that wait, how many variables each waits for, and who waits for a variable.
    let mut waiting: Vec<Option<(Literal, usize)>> = Vec::new();
    let mut waiting_for: HashMap<VarId, Vec<usize>> = HashMap::default();
    for literal in literals {
        if let Literal::Positive(atom) = &literal {
            let mut ready = Vec::new();
            atom.for_each_variable(&mut |variable, _| {
                if !std::mem::replace(&mut is_bound[variable.index()], true) {
                    for at in waiting_for.remove(&variable).unwrap_or_default() {
                        let (_, n_missing) = waiting[at].as_mut().expect("it waits for this variable");
                        *n_missing -= 1;
                        if *n_missing == 0 {
                            ready.push(at);
                        }
                    }
                }
            });
            ready.sort_unstable();
            ordered.push(literal);
            ordered.extend(ready.into_iter().map(|at| waiting[at].take().expect("it was waiting").0));
            continue;
        }
        let mut missing = Vec::new();
        literal.for_each_variable(&mut |variable, _| {
            if !is_bound[variable.index()] {
                missing.push(variable);
            }
        });
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            ordered.push(literal);
        } else {
            for &variable in &missing {
                waiting_for.entry(variable).or_default().push(waiting.len());
            }
            waiting.push(Some((literal, missing.len())));
        }
    }
    debug_assert!(waiting.iter().all(Option::is_none), "the safety check refuses unbound tests");
    ordered.extend(waiting.into_iter().flatten().map(|(literal, _)| literal));
    ordered
}
