//! Equalities to a substitution.

use super::{Budget, TooLarge};
use crate::HashMap;
use senet_gdl::{MAX_DEPTH, Term, TermKind, VarId};

/// What each variable stands for. Terms may mention variables that stand for others.
#[derive(Default)]
pub(crate) struct Substitution<'a> {
    bindings: HashMap<VarId, &'a Term>,
}

impl<'a> Substitution<'a> {
    /// Makes two terms equal; says whether that is possible so far.
    pub(crate) fn unify(
        &mut self,
        left: &'a Term,
        right: &'a Term,
        budget: &mut Budget,
    ) -> Result<bool, TooLarge> {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.walk(left, budget)?, self.walk(right, budget)?);
            match (&left.kind, &right.kind) {
                (TermKind::Variable(one), TermKind::Variable(other)) if one == other => {}
                (TermKind::Variable(variable), _) => {
                    self.bindings.insert(*variable, right);
                }
                (_, TermKind::Variable(variable)) => {
                    self.bindings.insert(*variable, left);
                }
                (TermKind::Constant(one), TermKind::Constant(other)) if one == other => {}
                (TermKind::Function(one, left), TermKind::Function(other, right))
                    if one == other && left.len() == right.len() =>
                {
                    pending.extend(left.iter().zip(right));
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The term that a variable stands for in the end, one level deep.
    fn walk<'t>(&self, mut term: &'t Term, budget: &mut Budget) -> Result<&'t Term, TooLarge>
    where
        'a: 't,
    {
        loop {
            budget.work(1)?;
            match &term.kind {
                TermKind::Variable(variable) => match self.bindings.get(variable) {
                    Some(value) => term = value,
                    None => return Ok(term),
                },
                _ => return Ok(term),
            }
        }
    }

    /// Whether no variable stands for a term that contains itself.
    pub(crate) fn is_finite(&self) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            Open,
            Done,
        }
        let mut marks: HashMap<VarId, Mark> = HashMap::default();
        for &start in self.bindings.keys() {
            let mut pending = vec![(start, false)];
            while let Some((variable, is_left)) = pending.pop() {
                if is_left {
                    marks.insert(variable, Mark::Done);
                    continue;
                }
                if marks.contains_key(&variable) {
                    continue;
                }
                let Some(value) = self.bindings.get(&variable) else { continue };
                marks.insert(variable, Mark::Open);
                pending.push((variable, true));
                let mut is_cyclic = false;
                value.for_each_variable(&mut |inner, _| {
                    is_cyclic |= marks.get(&inner) == Some(&Mark::Open);
                    pending.push((inner, false));
                });
                if is_cyclic {
                    return false;
                }
            }
        }
        true
    }

    /// The term with every variable replaced by what it stands for; those that stand for
    /// themselves are renamed by `rename`.
    pub(crate) fn apply(
        &self,
        term: &Term,
        rename: &mut impl FnMut(VarId) -> VarId,
        budget: &mut Budget,
    ) -> Result<Term, TooLarge> {
        self.apply_below(term, 0, rename, budget)
    }

    fn apply_below(
        &self,
        term: &Term,
        depth: usize,
        rename: &mut impl FnMut(VarId) -> VarId,
        budget: &mut Budget,
    ) -> Result<Term, TooLarge> {
        budget.nodes(1)?;
        if depth > MAX_DEPTH {
            return Err(TooLarge);
        }
        let end = self.walk(term, budget)?;
        let kind = match &end.kind {
            TermKind::Variable(variable) => TermKind::Variable(rename(*variable)),
            TermKind::Constant(symbol) => TermKind::Constant(*symbol),
            TermKind::Function(symbol, args) => {
                let args = args.iter().map(|arg| self.apply_below(arg, depth + 1, rename, budget));
                TermKind::Function(*symbol, args.collect::<Result<_, _>>()?)
            }
        };
        Ok(Term { kind, span: term.span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first argument of the clause after making the others pairwise equal.
    fn solve(clause: &str) -> Option<String> {
        let description = senet_gdl::parse(clause);
        let clause = &description.clauses[0];
        let (result, pairs) = clause.head.args.split_first().unwrap();
        let mut substitution = Substitution::default();
        let mut budget = Budget::new(1_000);
        for pair in pairs.chunks(2) {
            if !substitution.unify(&pair[0], &pair[1], &mut budget).unwrap() {
                return None;
            }
        }
        if !substitution.is_finite() {
            return None;
        }
        let term = substitution.apply(result, &mut |variable| variable, &mut budget).unwrap();
        Some(description.show_term(clause, &term))
    }

    #[test]
    fn variables_are_replaced() {
        for (clause, expected) in [
            ("(p (f ?x ?y) ?x a ?y ?x)", Some("(f a a)")),
            ("(p ?x ?x (f ?y) ?y ?z ?z b)", Some("(f b)")),
            ("(p ?x (f ?x a) (f b ?y))", Some("b")),
            ("(p ?x ?x a ?x b)", None),
            ("(p ?x (f ?x) (g ?x))", None),
            ("(p ?x (f ?x) (f ?x ?x))", None),
        ] {
            assert_eq!(solve(clause).as_deref(), expected, "{clause}");
        }
    }

    #[test]
    fn a_variable_inside_its_own_value_has_no_solution() {
        assert_eq!(solve("(p ?x ?x (f ?x))"), None);
        assert_eq!(solve("(p ?x ?x (f ?y) ?y (g ?z a) ?z ?x)"), None);
        assert_eq!(solve("(p ?x ?x (f ?y ?z ?y) ?z ?y)").as_deref(), Some("(f ?y ?y ?y)"));
    }
}
