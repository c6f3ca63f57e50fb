//! Clauses that need no closer look: their variables are bound in order, and they are rules as they stand.

use senet_gdl::{Atom, Clause, Formula, Term};

/// Tells plain clauses from others.
#[derive(Default)]
pub(crate) struct PlainTest {
    /// The variables of the clause looked at that are bound so far.
    is_bound: Vec<bool>,
}

impl PlainTest {
    /// Whether the body has literals only, every variable of a negation or a `distinct` occurs in a positive
    /// literal before it, and every variable of the head in any positive literal. Most clauses are like that.
    pub(crate) fn is_plain(&mut self, clause: &Clause) -> bool {
        self.is_bound.clear();
        self.is_bound.resize(clause.variables.len(), false);
        for formula in &clause.body {
            let is_fine = match formula {
                Formula::Atom(atom) => {
                    atom.for_each_variable(&mut |variable, _| self.is_bound[variable.index()] = true);
                    true
                }
                Formula::Distinct(left, right, _) => self.binds_term(left) && self.binds_term(right),
                Formula::Not(inner, _) => match &**inner {
                    Formula::Atom(atom) => self.binds_atom(atom),
                    _ => false,
                },
                Formula::Or(..) | Formula::And(..) => false,
            };
            if !is_fine {
                return false;
            }
        }
        self.binds_atom(&clause.head)
    }

    fn binds_atom(&self, atom: &Atom) -> bool {
        atom.args.iter().all(|arg| self.binds_term(arg))
    }

    fn binds_term(&self, term: &Term) -> bool {
        let mut is_bound = true;
        term.for_each_variable(&mut |variable, _| is_bound &= self.is_bound[variable.index()]);
        is_bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_come_after_what_binds_their_variables() {
        for (clause, expected) in [
            ("(p (f a))", true),
            ("(p ?x)", false),
            ("(<= p (not q))", true),
            ("(<= (p ?x) (q ?y (f ?x)) (not (r ?y)) (distinct ?x (g ?y)))", true),
            ("(<= (p ?x) (not (r ?x)) (q ?x))", false),
            ("(<= (p ?x) (distinct ?x a) (q ?x))", false),
            ("(<= (p ?x) (q ?y))", false),
            ("(<= p (and q r))", false),
            ("(<= p (or q r))", false),
            ("(<= p (not (not q)))", false),
            ("(<= p (not (distinct a b)))", false),
        ] {
            let description = senet_gdl::parse(clause);
            assert_eq!(PlainTest::default().is_plain(&description.clauses[0]), expected, "{clause}");
        }
    }
}
