//! Bodies with negation pushed down to the atoms.

use crate::scopes::Scopes;
use senet_gdl::{Atom, Formula, Span, Term, TermKind, VarId};
use std::borrow::Cow;

/// A condition in which only atoms are negated. `All` and `Any` never directly contain their own
/// kind, and never exactly one part. No part of `All` means true, no part of `Any` false; what is
/// false is never a part of anything.
#[derive(Clone, Debug)]
pub(crate) enum Condition<'a> {
    Holds(Cow<'a, Atom>),
    Fails(Cow<'a, Atom>, Span),
    Differ(&'a Term, &'a Term, Span),
    Equal(&'a Term, &'a Term, Span),
    /// No values make the condition true, see [`Scopes`]. The variables, in order, have their values from
    /// elsewhere.
    NoValue(Box<Condition<'a>>, Vec<VarId>, Span),
    All(Vec<Condition<'a>>, Span),
    Any(Vec<Condition<'a>>, Span),
}

impl<'a> Condition<'a> {
    /// The conjunction of the conditions of a rule.
    pub(crate) fn of_body(body: &'a [Formula], span: Span, scopes: &Scopes) -> Self {
        all(body.iter().map(|formula| normal(formula, false, None, scopes)), span)
    }

    pub(crate) fn span(&self) -> Span {
        match self {
            Condition::Holds(atom) => atom.span,
            Condition::Fails(_, span)
            | Condition::Differ(_, _, span)
            | Condition::Equal(_, _, span)
            | Condition::NoValue(_, _, span)
            | Condition::All(_, span)
            | Condition::Any(_, span) => *span,
        }
    }

    /// The parts of a conjunction.
    pub(crate) fn into_conjuncts(self) -> Vec<Condition<'a>> {
        match self {
            Condition::All(parts, _) => parts,
            single => vec![single],
        }
    }

    pub(crate) fn for_each_variable(&self, visit: &mut impl FnMut(VarId, Span)) {
        match self {
            Condition::Holds(atom) => atom.for_each_variable(visit),
            Condition::Fails(atom, _) => atom.for_each_variable(visit),
            Condition::Differ(left, right, _) | Condition::Equal(left, right, _) => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
            Condition::NoValue(inner, _, _) => inner.for_each_variable(visit),
            Condition::All(parts, _) | Condition::Any(parts, _) => {
                parts.iter().for_each(|part| part.for_each_variable(visit));
            }
        }
    }

    /// Calls `visit` with the variables that need a value before a test is taken.
    pub(crate) fn for_each_needed(&self, visit: &mut impl FnMut(VarId, Span)) {
        match self {
            Condition::Fails(..) | Condition::Differ(..) => self.for_each_variable(visit),
            Condition::NoValue(inner, shared, _) => inner.for_each_variable(&mut |variable, span| {
                if shared.binary_search(&variable).is_ok() {
                    visit(variable, span);
                }
            }),
            _ => {}
        }
    }
}

fn normal<'a>(
    formula: &'a Formula,
    negated: bool,
    enclosing_not: Option<Span>,
    scopes: &Scopes,
) -> Condition<'a> {
    match formula {
        Formula::Atom(atom) if negated => {
            Condition::Fails(Cow::Borrowed(atom), enclosing_not.unwrap_or(atom.span))
        }
        Formula::Atom(atom) => Condition::Holds(Cow::Borrowed(atom)),
        Formula::Distinct(left, right, span) if negated => equal(left, right, enclosing_not.unwrap_or(*span)),
        Formula::Distinct(left, right, span) => Condition::Differ(left, right, *span),
        Formula::Not(inner, span) if !negated && scopes.has(*span) => {
            no_value(normal(inner, false, None, scopes), scopes.shared(inner, *span), *span)
        }
        Formula::Not(inner, span) => normal(inner, !negated, Some(*span), scopes),
        Formula::And(parts, span) | Formula::Or(parts, span) => {
            let is_all = matches!(formula, Formula::And(..)) != negated;
            let parts = parts.iter().map(|part| normal(part, negated, None, scopes));
            if is_all { all(parts, *span) } else { any(parts, *span) }
        }
    }
}

/// That no values make a condition true.
fn no_value(inner: Condition<'_>, shared: Vec<VarId>, span: Span) -> Condition<'_> {
    match inner {
        Condition::All(parts, _) if parts.is_empty() => Condition::Any(parts, span),
        Condition::Any(parts, _) if parts.is_empty() => Condition::All(parts, span),
        inner => Condition::NoValue(Box::new(inner), shared, span),
    }
}

pub(crate) fn all<'a>(parts: impl Iterator<Item = Condition<'a>>, span: Span) -> Condition<'a> {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Condition::All(inner, _) => flat.extend(inner),
            Condition::Any(inner, _) if inner.is_empty() => return Condition::Any(inner, span),
            part => flat.push(part),
        }
    }
    single(flat).unwrap_or_else(|flat| Condition::All(flat, span))
}

fn any<'a>(parts: impl Iterator<Item = Condition<'a>>, span: Span) -> Condition<'a> {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Condition::Any(inner, _) => flat.extend(inner),
            part => flat.push(part),
        }
    }
    single(flat).unwrap_or_else(|flat| Condition::Any(flat, span))
}

fn single(mut parts: Vec<Condition<'_>>) -> Result<Condition<'_>, Vec<Condition<'_>>> {
    if parts.len() == 1 { Ok(parts.pop().expect("there is one")) } else { Err(parts) }
}

/// An equality, taken apart until each part equates a variable with a term.
fn equal<'a>(left: &'a Term, right: &'a Term, span: Span) -> Condition<'a> {
    let mut pending = vec![(left, right)];
    let mut parts = Vec::new();
    while let Some((left, right)) = pending.pop() {
        match (&left.kind, &right.kind) {
            (TermKind::Variable(left), TermKind::Variable(right)) if left == right => {}
            (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => {
                parts.push(Condition::Equal(left, right, span));
            }
            (TermKind::Constant(left), TermKind::Constant(right)) if left == right => {}
            (TermKind::Function(left, left_args), TermKind::Function(right, right_args))
                if left == right && left_args.len() == right_args.len() =>
            {
                pending.extend(left_args.iter().zip(right_args).rev());
            }
            _ => return Condition::Any(Vec::new(), span),
        }
    }
    all(parts.into_iter(), span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_gdl::Description;

    fn show(description: &Description, condition: &Condition) -> String {
        let clause = &description.clauses[0];
        let list = |name: &str, parts: &[Condition]| {
            let parts: String = parts.iter().map(|part| format!(" {}", show(description, part))).collect();
            format!("({name}{parts})")
        };
        match condition {
            Condition::Holds(atom) => description.show_atom(clause, atom),
            Condition::Fails(atom, _) => format!("-{}", description.show_atom(clause, atom)),
            Condition::Differ(left, right, _) => {
                format!("{}!={}", description.show_term(clause, left), description.show_term(clause, right))
            }
            Condition::Equal(left, right, _) => {
                format!("{}={}", description.show_term(clause, left), description.show_term(clause, right))
            }
            Condition::NoValue(inner, _, _) => format!("no{}", list("", std::slice::from_ref(inner))),
            Condition::All(parts, _) => list("all", parts),
            Condition::Any(parts, _) => list("any", parts),
        }
    }

    fn normal_form(body: &str) -> String {
        let description = senet_gdl::parse(&format!("(<= h {body})"));
        let clause = &description.clauses[0];
        show(&description, &Condition::of_body(&clause.body, clause.span, &Scopes::of(clause)))
    }

    #[test]
    fn negation_moves_down_to_the_atoms() {
        for (body, expected) in [
            ("(not (or a b))", "(all -a -b)"),
            ("(not (and a b))", "(any -a -b)"),
            ("(not (not a))", "a"),
            ("(not (not (not a)))", "-a"),
            ("(not (or a (and b (not c))))", "(all -a (any -b c))"),
            ("(not (distinct ?x b))", "?x=b"),
            ("(not (or (distinct ?x b) (not (distinct ?x c))))", "(all ?x=b ?x!=c)"),
        ] {
            assert_eq!(normal_form(body), expected, "{body}");
        }
    }

    #[test]
    fn a_variable_of_one_not_only_stays_below_it() {
        for (body, expected) in [
            ("(not (p ?x))", "no( (p ?x))"),
            ("(q ?y) (not (p ?x ?y))", "(all (q ?y) no( (p ?x ?y)))"),
            ("(not (or (p ?x) (q ?x)))", "no( (any (p ?x) (q ?x)))"),
            ("(not (and (p ?x) (not (q ?x))))", "no( (all (p ?x) -(q ?x)))"),
            ("(not (and (p ?x) (not (q ?y))))", "no( (all (p ?x) no( (q ?y))))"),
            ("(not (and (p ?x) (distinct ?x a)))", "no( (all (p ?x) ?x!=a))"),
            ("(not (and (p ?x) (not (distinct ?x (f ?y)))))", "no( (all (p ?x) ?x=(f ?y)))"),
            ("(or a (not (p ?x)))", "(any a no( (p ?x)))"),
            ("(not (and (p ?x) (or)))", "(all)"),
            // De Morgan binds the variable, or it stands in several places.
            ("(not (not (p ?x)))", "(p ?x)"),
            ("(not (or (p ?x) (not (q ?x))))", "(all -(p ?x) (q ?x))"),
            ("(not (p ?x)) (not (q ?x))", "(all -(p ?x) -(q ?x))"),
            ("(not (p ?x)) (q ?x)", "(all -(p ?x) (q ?x))"),
        ] {
            assert_eq!(normal_form(body), expected, "{body}");
        }
    }

    #[test]
    fn nested_connectives_are_flattened() {
        for (body, expected) in [
            ("a (and b (and c d)) e", "(all a b c d e)"),
            ("(or a (or b c) (or))", "(any a b c)"),
            ("(or (or (or a)))", "a"),
            ("(or)", "(any)"),
            ("a (or) b", "(any)"),
            ("(or a (and b (or)))", "a"),
            ("(and)", "(all)"),
            ("", "(all)"),
        ] {
            assert_eq!(normal_form(body), expected, "{body}");
        }
    }

    #[test]
    fn equalities_are_taken_apart() {
        for (body, expected) in [
            ("(not (distinct (f ?x b) (f a ?y)))", "(all ?x=a b=?y)"),
            ("(not (distinct (f ?x) (g ?x)))", "(any)"),
            ("(not (distinct (f a) (f a)))", "(all)"),
            ("(not (distinct ?x ?x))", "(all)"),
        ] {
            assert_eq!(normal_form(body), expected, "{body}");
        }
    }
}
