//! The rules as the evaluator reads them: each clause is a small graph of
//! steps, taken in the order of the source, with tests moved behind the
//! conditions that bind their variables.

use crate::facts::Facts;
use crate::terms::{TermId, Terms};
use rustc_hash::FxHashMap;
use senet_gdl::{Keyword, Symbol};
use std::sync::Arc;

senet_ids::define_id! {
    /// A relation: a name with an arity.
    pub(crate) struct RelationId;
}

senet_ids::define_id! {
    /// A fact with variables or a rule.
    pub(crate) struct RuleId;
}

senet_ids::define_id! {
    /// A step of a rule.
    pub(crate) struct StepId;
}

senet_ids::define_id! {
    /// A name and arity that fluents have in some condition.
    pub(crate) struct ShapeId;
}

/// A term of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Variable(usize),
    Ground(TermId),
    Apply(Symbol, Box<[Pattern]>),
}

/// The arguments of a condition.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    pub(crate) patterns: Box<[Pattern]>,
    /// Each variable once, in the order of first occurrence.
    pub(crate) variables: Box<[usize]>,
}

/// Rows that need no evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The ground facts of a relation that has no rules.
    Relation(RelationId),
    /// The arguments of the fluents of one shape that hold.
    Fluents(ShapeId),
    /// All fluents that hold.
    AllFluents,
    /// Roles and their moves.
    Moves,
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Continue with every row that matches.
    Look(Source, Arguments),
    /// Continue if no row matches.
    LookInVain(Source, Arguments),
    /// Continue with every answer of the relation.
    Call(RelationId, Arguments),
    /// Continue if the relation has no answer.
    CallInVain(RelationId, Arguments),
    /// Continue if the terms are different.
    Distinct(Pattern, Pattern),
    /// Continue if the terms can be made equal.
    Equal(Pattern, Pattern),
    /// Continue if each two terms that follow each other can be made equal, all at once.
    AllEqual(Arguments),
    /// Continue in every branch.
    Fork(Box<[StepId]>),
    /// The head holds.
    Conclude,
    /// Nothing follows.
    Fail,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) action: Action,
    pub(crate) next: StepId,
    pub(crate) rule: RuleId,
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) head: Box<[Pattern]>,
    pub(crate) n_variables: usize,
    pub(crate) variable_names: Box<[Symbol]>,
    pub(crate) first: StepId,
    pub(crate) text: Arc<str>,
}

/// How long the answers of a relation stay true.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Lifetime {
    /// The match: it depends on neither `true` nor `does`.
    Match,
    /// One position: it depends on `true`.
    Position,
    /// One joint move: it depends on `does`.
    Move,
}

#[derive(Clone)]
pub(crate) struct Relation {
    pub(crate) name: Symbol,
    pub(crate) facts: Facts,
    pub(crate) rules: Vec<RuleId>,
    pub(crate) lifetime: Lifetime,
    /// It stands for what is below a `not` of a rule for the relation of this name.
    pub(crate) is_below_not: bool,
}

/// Everything about the rules that does not change.
pub(crate) struct Program {
    pub(crate) relations: Vec<Relation>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) steps: Vec<Step>,
    pub(crate) shapes: Vec<(Symbol, usize)>,
    pub(crate) shape_ids: FxHashMap<(Symbol, usize), ShapeId>,
    /// The ground terms of the rules.
    pub(crate) terms: Terms,
    pub(crate) keywords: Keywords,
}

/// The relations a game asks about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keywords {
    pub(crate) role: RelationId,
    pub(crate) init: RelationId,
    pub(crate) legal: RelationId,
    pub(crate) next: RelationId,
    pub(crate) goal: RelationId,
    pub(crate) terminal: RelationId,
}

impl Keywords {
    pub(crate) fn new(mut relation: impl FnMut(Keyword) -> RelationId) -> Self {
        Self {
            role: relation(Keyword::Role),
            init: relation(Keyword::Init),
            legal: relation(Keyword::Legal),
            next: relation(Keyword::Next),
            goal: relation(Keyword::Goal),
            terminal: relation(Keyword::Terminal),
        }
    }
}
