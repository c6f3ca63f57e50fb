//! Temporization: how long what was derived stays true.
//!
//! After Saffidine and Cazenave, *A Forward Chaining Based Game Description Language Compiler*, section 3.3. Their
//! Algorithm 1 binds a relation as soon as one of its rules is bound; here the label of a relation is the greatest of all
//! its rules, and `does` and the fluents that no frame rule keeps are ephemeral from the beginning.

use crate::program::{Atom, Literal, Program, Rule, is_same};
use crate::relations::{RelationId, reserved};
use senet_gdl::{Keyword, Symbol, Term, TermKind, VarId};

/// How long facts stay true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Temporal {
    /// The same in every position of every match.
    Permanent,
    /// Once true, true until the match is over.
    Persistent,
    /// True in one position, perhaps not in the next.
    Ephemeral,
}

/// Fluents that stay once they hold: those that fit a term, whose variables stand at one place each.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The term.
    pub fluent: Term,
    /// The names of its variables, by [`VarId`].
    pub variables: Vec<Symbol>,
}

/// The labels of a program.
#[derive(Clone, Debug)]
pub struct Temporization {
    of_relation: Vec<Temporal>,
    kept: Vec<Kept>,
}

impl Temporization {
    /// Labels the relations of a program.
    pub fn new(program: &Program) -> Temporization {
        let next = reserved(Keyword::Next);
        let kept = program.rules_of(next).iter().filter_map(kept_fluent).collect();
        let mut labels =
            Temporization { of_relation: vec![Temporal::Permanent; program.relations().len()], kept };
        labels.of_relation[reserved(Keyword::Does).index()] = Temporal::Ephemeral;
        labels.of_relation[next.index()] = Temporal::Ephemeral;
        // Labels only grow: a fixpoint is reached after as many rounds as there are relations, at most twice.
        loop {
            let mut has_grown = false;
            for rule in program.rules() {
                let label = rule.body.iter().map(|literal| labels.of_literal(literal)).max();
                let known = &mut labels.of_relation[rule.head.relation.index()];
                if label > Some(*known) {
                    *known = label.unwrap_or(*known);
                    has_grown = true;
                }
            }
            if !has_grown {
                return labels;
            }
        }
    }

    /// The label of a relation. That of `true` is [`Temporal::Ephemeral`]; see [`kept`](Self::kept).
    pub fn of(&self, relation: RelationId) -> Temporal {
        if relation == reserved(Keyword::True) {
            Temporal::Ephemeral
        } else {
            self.of_relation[relation.index()]
        }
    }

    /// The fluents that stay once they hold.
    pub fn kept(&self) -> &[Kept] {
        &self.kept
    }

    /// How long a condition holds.
    fn of_literal(&self, literal: &Literal) -> Temporal {
        match literal {
            Literal::Distinct(..) => Temporal::Permanent,
            Literal::Positive(atom) => self.of_atom(atom),
            Literal::Negative(atom) => match self.of_atom(atom) {
                Temporal::Permanent => Temporal::Permanent,
                Temporal::Persistent | Temporal::Ephemeral => Temporal::Ephemeral,
            },
        }
    }

    fn of_atom(&self, atom: &Atom) -> Temporal {
        if atom.relation != reserved(Keyword::True) {
            return self.of_relation[atom.relation.index()];
        }
        let is_kept = self.kept.iter().any(|kept| is_instance(&atom.args[0], &kept.fluent));
        // Rules for `true` add to every position.
        let by_rules = self.of_relation[atom.relation.index()];
        if is_kept { by_rules.max(Temporal::Persistent) } else { Temporal::Ephemeral }
    }
}

/// The fluents that a frame rule `(<= (next f) (true f))` keeps, if it is one: its variables stand at one place each.
fn kept_fluent(rule: &Rule) -> Option<Kept> {
    let [Literal::Positive(atom)] = &rule.body[..] else { return None };
    let next = &rule.head.args[0];
    let is_frame = atom.relation == reserved(Keyword::True) && is_same(next, &atom.args[0]);
    let is_kept = is_frame && has_distinct_variables(next, &mut Vec::new());
    is_kept.then(|| Kept { fluent: next.clone(), variables: rule.variables.clone() })
}

fn has_distinct_variables(term: &Term, seen: &mut Vec<VarId>) -> bool {
    match &term.kind {
        TermKind::Constant(_) => true,
        TermKind::Function(_, args) => args.iter().all(|arg| has_distinct_variables(arg, seen)),
        TermKind::Variable(var) if seen.contains(var) => false,
        TermKind::Variable(var) => {
            seen.push(*var);
            true
        }
    }
}

/// Whether every fluent that fits a term fits a pattern whose variables stand at one place each.
fn is_instance(term: &Term, pattern: &Term) -> bool {
    match (&term.kind, &pattern.kind) {
        (_, TermKind::Variable(_)) => true,
        (TermKind::Constant(left), TermKind::Constant(right)) => left == right,
        (TermKind::Function(left, left_args), TermKind::Function(right, right_args)) => {
            left == right
                && left_args.len() == right_args.len()
                && left_args.iter().zip(right_args).all(|(left, right)| is_instance(left, right))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<(String, Temporal)> {
        let description = senet_gdl::parse(text);
        let program = crate::analyze(&description, false).program.expect("the rules are right");
        let labels = Temporization::new(&program);
        let relations = program.relations().iter().enumerate();
        let named = relations.filter(|(_, relation)| relation.keyword.is_none() && relation.is_defined);
        let label = |(at, relation): (usize, &crate::Relation)| {
            (program.symbols().name(relation.name).to_owned(), labels.of(RelationId::new(at)))
        };
        named.map(label).collect()
    }

    #[test]
    fn labels_are_the_greatest_of_all_rules() {
        let found = labels(
            "(role robot) (init (cell 1 b)) (succ 1 2) (legal robot (mark 1))
             (<= (next (cell ?c x)) (true (cell ?c x)))
             (<= (next (cell ?c b)) (true (cell ?c b)) (not (does robot (mark ?c))))
             (<= (next (cell ?c x)) (does robot (mark ?c)))
             (<= (line x) (true (cell 1 x)) (true (cell 2 x)))
             (<= (two ?c ?d) (succ ?c ?d) (not (succ ?d ?c)))
             (<= open (true (cell ?c b)))
             (<= won (line x)) (<= won (two ?c ?d) (line x))
             (<= lost (not (line x)))
             (<= mixed (succ 1 2)) (<= mixed open)
             (<= (any ?p) (true (cell 1 ?p)))
             (<= terminal won) (<= (goal robot 100) won) (<= (goal robot 0) (not won))",
        );
        let label = |name: &str| found.iter().find(|it| it.0 == name).map(|it| it.1);
        use Temporal::{Ephemeral, Permanent, Persistent};
        let expected = [
            ("succ", Permanent),
            ("two", Permanent),
            ("line", Persistent),
            ("won", Persistent),
            ("open", Ephemeral),
            ("lost", Ephemeral),
            ("mixed", Ephemeral),
            ("any", Ephemeral),
        ];
        for (name, expected) in expected {
            assert_eq!(label(name), Some(expected), "{name}");
        }
    }

    #[test]
    fn a_frame_rule_with_conditions_keeps_nothing() {
        let found = labels(
            "(role robot) (init (at a a)) (legal robot go) (good a)
             (<= (next (at ?x ?x)) (true (at ?x ?x)))
             (<= (next (on ?x)) (true (on ?x)) (good ?x))
             (<= same (true (at a b))) (<= lit (true (on a)))
             (<= terminal same) (<= (goal robot 100) lit) (<= (goal robot 0) (not lit))",
        );
        let label = |name: &str| found.iter().find(|it| it.0 == name).map(|it| it.1);
        assert_eq!(label("same"), Some(Temporal::Ephemeral));
        assert_eq!(label("lit"), Some(Temporal::Ephemeral));
    }
}
