//! Rules and shapes as text, for comments.

use crate::domain::Shape;
use crate::flat::Relation;
use senet_engine_forward::Outline;
use senet_rules::{Atom, Literal, Pattern, Rule};

/// A rule in MINI-GDL.
pub(crate) fn rule(outline: &Outline, rule: &Rule) -> String {
    let head = atom(outline, rule, &rule.head);
    if rule.body.is_empty() {
        return head;
    }
    let literal = |literal: &Literal| match literal {
        Literal::Positive(it) => atom(outline, rule, it),
        Literal::Negative(it) => format!("(not {})", atom(outline, rule, it)),
        Literal::Distinct(left, right) => {
            format!("(distinct {} {})", pattern(outline, rule, left), pattern(outline, rule, right))
        }
    };
    let body: Vec<String> = rule.body.iter().map(literal).collect();
    format!("(<= {head} {})", body.join(" "))
}

fn atom(outline: &Outline, rule: &Rule, atom: &Atom) -> String {
    let name = &outline.rule_set().relations[atom.relation.index()].name;
    applied(name, atom.args.iter().map(|arg| pattern(outline, rule, arg)))
}

fn pattern(outline: &Outline, rule: &Rule, it: &Pattern) -> String {
    match it {
        Pattern::Var(var) => variable(outline.names.name(rule.variables[*var as usize])),
        Pattern::Ground(term) => self::term(outline, *term),
        Pattern::App(functor, args) => {
            applied(&function(outline, *functor), args.iter().map(|arg| pattern(outline, rule, arg)))
        }
    }
}

fn variable(name: &str) -> String {
    if name.starts_with('?') { name.to_owned() } else { format!("?{name}") }
}

/// The text of a term.
pub(crate) fn term(outline: &Outline, term: u32) -> String {
    outline.terms.text(outline.names, term)
}

/// The name of a function.
pub(crate) fn function(outline: &Outline, functor: u32) -> String {
    outline.names.name(outline.terms.name_and_arity(functor).0).to_owned()
}

/// What a relation looks like, a mark in each column.
pub(crate) fn relation(outline: &Outline, it: &Relation, mark: &str) -> String {
    let name = &outline.rule_set().relations[it.source.index()].name;
    applied(name, it.shapes.iter().map(|it| shape(outline, it, mark)))
}

/// What a term looks like, a mark in each column.
pub(crate) fn shape(outline: &Outline, it: &Shape, mark: &str) -> String {
    match it {
        Shape::Constant | Shape::Open => mark.to_owned(),
        Shape::Function(functor, args) => {
            applied(&function(outline, *functor), args.iter().map(|arg| shape(outline, arg, mark)))
        }
    }
}

fn applied(name: &str, args: impl Iterator<Item = String>) -> String {
    let args: Vec<String> = args.collect();
    if args.is_empty() { name.to_owned() } else { format!("({name} {})", args.join(" ")) }
}
