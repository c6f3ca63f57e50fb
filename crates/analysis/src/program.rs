//! Checked rules, ready to be grounded or run.

use crate::relations::{RelationId, reserved};
use senet_gdl::{Interner, Keyword, Span, Symbol, Term, TermKind, VarId};
use std::fmt::Write as _;

senet_ids::define_id! {
    /// A rule of a program.
    pub struct RuleId;
}

/// What the truth of a relation depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dependence {
    /// Nothing that changes: the same in every position.
    Static,
    /// The position, through `true`, or what is derived for each position: `legal`, `goal` or `terminal`.
    State,
    /// The moves, through `does`, and perhaps the position.
    Move,
}

/// How negation was shown to be well-founded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stratification {
    /// No relation depends on its own negation.
    BetweenRelations,
    /// Some relation does, but its rules conclude different constants and can be put in order.
    BySplitting,
    /// Only an order between ground atoms can exist, and none was proved: a position may turn out
    /// to have an atom that depends on its own negation.
    Unproved,
}

/// A name with a number of arguments, and what is known about it.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The name. That of an auxiliary relation has spaces in it, so it differs from every name of
    /// the rulesheet.
    pub name: Symbol,
    /// The number of arguments.
    pub arity: usize,
    /// The reserved word it is.
    pub keyword: Option<Keyword>,
    /// Whether it stands for an `or` of the rulesheet, or for what a `not` negates.
    pub is_auxiliary: bool,
    /// Whether some rule concludes it.
    pub is_defined: bool,
    /// Whether its rules use it again, directly or through others.
    pub is_recursive: bool,
    /// What it depends on.
    pub dependence: Dependence,
    /// The last stratum that has a rule for it.
    pub stratum: usize,
}

/// A relation applied to terms.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Where it is written.
    pub span: Span,
}

/// A condition of a rule.
#[derive(Clone, Debug)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold.
    Negative(Atom),
    /// The two terms are different.
    Distinct(Term, Term, Span),
}

/// A rule, or a fact if the body is empty.
///
/// Every variable of the head, of a negative literal and of `distinct` also occurs in a positive
/// literal, and for the latter two in an earlier one.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it concludes.
    pub head: Atom,
    /// From what; otherwise in the order of the rulesheet.
    pub body: Vec<Literal>,
    /// The names of its variables, by [`VarId`].
    pub variables: Vec<Symbol>,
    /// The stratum in which it is evaluated.
    pub stratum: usize,
    /// The clause it comes from, counted from zero.
    pub clause: usize,
    /// Where that clause is written.
    pub span: Span,
}

/// A checked rulesheet: rules without `or`, `and` and equality, in strata.
///
/// Only [`analyze`](crate::analyze) makes one. Where a rulesheet breaks the specification and was
/// accepted all the same, this is what it means:
///
/// - `init` and `next` are false in bodies; conditions on them are already gone;
/// - while `role`, `init`, `base` and `input` are derived, no `true` and no `does` holds;
/// - while `legal`, `goal` and `terminal` are derived, no `does` holds;
/// - rules for `true` and `does` add to the position and to the moves;
/// - `next`, `init`, `base` and `input` with another number of arguments are relations like any other;
/// - a `not` whose variable occurs nowhere else negates a relation that holds if some value fits;
/// - a relation without rules is false.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) symbols: Interner,
    pub(crate) relations: Vec<Relation>,
    pub(crate) rules: Vec<Rule>,
    /// Where the rules of each relation begin, and one end more.
    pub(crate) first_rule: Vec<usize>,
    pub(crate) strata: Vec<Vec<RuleId>>,
    pub(crate) stratification: Stratification,
    pub(crate) role_facts: Vec<Term>,
    pub(crate) has_role_rules: bool,
}

impl Program {
    /// The names of the rulesheet, numbered as there, followed by those of auxiliary relations.
    pub fn symbols(&self) -> &Interner {
        &self.symbols
    }

    /// The relations, by [`RelationId`]. Reserved ones come first whether they occur or not.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// One relation.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// The relation that a reserved word names; `None` for a connective.
    pub fn reserved(&self, keyword: Keyword) -> Option<RelationId> {
        (!keyword.is_connective()).then(|| reserved(keyword))
    }

    /// The rules, by [`RuleId`]: those for one relation together, in the order of the rulesheet.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// One rule.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// The rules that conclude a relation.
    pub fn rules_of(&self, relation: RelationId) -> &[Rule] {
        &self.rules[self.first_rule[relation.index()]..self.first_rule[relation.index() + 1]]
    }

    /// The numbers of the rules that conclude a relation.
    pub fn rule_ids_of(&self, relation: RelationId) -> impl Iterator<Item = RuleId> + use<> {
        (self.first_rule[relation.index()]..self.first_rule[relation.index() + 1]).map(RuleId::new)
    }

    /// The rules by stratum. Rules of one stratum negate only what earlier strata conclude, except
    /// where the stratification is [`Unproved`](Stratification::Unproved).
    pub fn strata(&self) -> &[Vec<RuleId>] {
        &self.strata
    }

    /// How negation was shown to be well-founded.
    pub fn stratification(&self) -> Stratification {
        self.stratification
    }

    /// The roles given by facts, in their order. They are all roles unless
    /// [`has_role_rules`](Self::has_role_rules).
    pub fn role_facts(&self) -> &[Term] {
        &self.role_facts
    }

    /// Whether roles are also given by rules with conditions; these roles come after the facts.
    pub fn has_role_rules(&self) -> bool {
        self.has_role_rules
    }

    /// The text of a rule, in GDL but for the names of auxiliary relations.
    pub fn show_rule(&self, rule: &Rule) -> String {
        let mut out = String::new();
        if rule.body.is_empty() {
            self.write_atom(&mut out, rule, &rule.head);
            return out;
        }
        out.push_str("(<= ");
        self.write_atom(&mut out, rule, &rule.head);
        for literal in &rule.body {
            out.push(' ');
            match literal {
                Literal::Positive(atom) => self.write_atom(&mut out, rule, atom),
                Literal::Negative(atom) => {
                    out.push_str("(not ");
                    self.write_atom(&mut out, rule, atom);
                    out.push(')');
                }
                Literal::Distinct(left, right, _) => {
                    out.push_str("(distinct ");
                    senet_gdl::write_term(&mut out, left, &self.symbols, &rule.variables);
                    out.push(' ');
                    senet_gdl::write_term(&mut out, right, &self.symbols, &rule.variables);
                    out.push(')');
                }
            }
        }
        out.push(')');
        out
    }

    /// All rules by stratum, a rule a line.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for (number, stratum) in self.strata.iter().enumerate() {
            let _ = writeln!(out, "; stratum {number}");
            for &rule in stratum {
                out.push_str(&self.show_rule(self.rule(rule)));
                out.push('\n');
            }
        }
        out
    }

    fn write_atom(&self, out: &mut String, rule: &Rule, atom: &Atom) {
        let name = self.symbols.name(self.relation(atom.relation).name);
        if atom.args.is_empty() {
            out.push_str(name);
            return;
        }
        out.push('(');
        out.push_str(name);
        for arg in &atom.args {
            out.push(' ');
            senet_gdl::write_term(out, arg, &self.symbols, &rule.variables);
        }
        out.push(')');
    }
}

impl Atom {
    /// Calls `visit` with every variable occurrence.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId, Span)) {
        self.args.iter().for_each(|arg| arg.for_each_variable(visit));
    }
}

impl Literal {
    /// The atom of a positive or negative literal.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    /// Calls `visit` with every variable occurrence.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId, Span)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.for_each_variable(visit),
            Literal::Distinct(left, right, _) => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
        }
    }
}

/// Whether no choice of values makes the terms equal because names at one place differ. The
/// variables of the two terms are taken to be unrelated.
pub(crate) fn clash(left: &Term, right: &Term) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => false,
        (TermKind::Constant(left), TermKind::Constant(right)) => left != right,
        (TermKind::Function(left, left_args), TermKind::Function(right, right_args)) => {
            left != right
                || left_args.len() != right_args.len()
                || left_args.iter().zip(right_args).any(|(left, right)| clash(left, right))
        }
        _ => true,
    }
}

/// Whether the terms are written with the same names and variables.
pub(crate) fn is_same(left: &Term, right: &Term) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Variable(left), TermKind::Variable(right)) => left == right,
        (TermKind::Constant(left), TermKind::Constant(right)) => left == right,
        (TermKind::Function(left, left_args), TermKind::Function(right, right_args)) => {
            left == right
                && left_args.len() == right_args.len()
                && left_args.iter().zip(right_args).all(|(left, right)| is_same(left, right))
        }
        _ => false,
    }
}
