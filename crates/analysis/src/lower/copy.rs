//! Plain clauses, which are rules as they stand.

use super::Lowerer;
use crate::program::{Atom, Literal, Rule, clash, is_same};
use senet_gdl::{Clause, Formula};

impl Lowerer {
    /// Writes the rule for a plain clause, unless it can never apply or is known. The numbers of its variables
    /// stay: they are in the order of the text, and a test that is left out has no first occurrence.
    pub(super) fn copy(&mut self, clause_idx: usize, clause: &Clause) {
        let mut body = Vec::with_capacity(clause.body.len());
        for formula in &clause.body {
            match formula {
                Formula::Atom(atom) if self.is_false_in_bodies(atom) => return,
                Formula::Atom(atom) => body.push(Literal::Positive(self.copied(atom))),
                Formula::Not(inner, _) => {
                    let Formula::Atom(atom) = &**inner else { unreachable!("only atoms are negated") };
                    if !self.is_false_in_bodies(atom) {
                        body.push(Literal::Negative(self.copied(atom)));
                    }
                }
                Formula::Distinct(left, right, _) if is_same(left, right) => return,
                Formula::Distinct(left, right, span) => {
                    if !clash(left, right) {
                        body.push(Literal::Distinct(left.clone(), right.clone(), *span));
                    }
                }
                Formula::Or(..) | Formula::And(..) => unreachable!("a plain body has literals only"),
            }
        }
        self.rules.add(Rule {
            head: self.copied(&clause.head),
            body,
            variables: clause.variables.clone(),
            stratum: 0,
            clause: clause_idx,
            span: clause.span,
        });
    }

    fn copied(&self, atom: &senet_gdl::Atom) -> Atom {
        Atom { relation: self.relations.of(atom), args: atom.args.clone(), span: atom.span }
    }
}
