//! Rules without functions, as far as that goes: a relation for each shape of its arguments.
//!
//! `(true (cell ?x ?y ?c))` becomes a relation of three columns. Terms that may grow without end stay whole.

use crate::domain::Constants;
use senet_rules::{Lifetime, RelId};
use senet_terms::Functor;

use crate::domain::Shape;

senet_ids::define_id! {
    /// A relation of columns.
    pub(crate) struct FlatId;
}

/// What stands in a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    /// One of some constants.
    Constants(Constants),
    /// Any term.
    Open,
}

/// A relation whose arguments have certain shapes.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) source: RelId,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) columns: Vec<Column>,
    pub(crate) lifetime: Lifetime,
}

/// What a rule says about a column.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operand {
    /// A variable.
    Var(u32),
    /// A term without variables.
    Term(u32),
    /// A term that is put together.
    Build(Functor, Vec<Operand>),
}

impl Operand {
    pub(crate) fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Operand::Var(var) => visit(*var),
            Operand::Term(_) => {}
            Operand::Build(_, args) => args.iter().for_each(|arg| arg.for_each_var(visit)),
        }
    }
}

/// A relation applied to columns.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub(crate) relation: FlatId,
    pub(crate) columns: Vec<Operand>,
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) enum Literal {
    Positive(Atom),
    Negative(Atom),
    /// Two rows of operands differ somewhere.
    Differ(Vec<(Operand, Operand)>),
    /// Nothing to look at.
    Always,
}

impl Literal {
    pub(crate) fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.columns.iter().for_each(|column| column.for_each_var(visit));
            }
            Literal::Differ(pairs) => pairs.iter().for_each(|(left, right)| {
                left.for_each_var(visit);
                right.for_each_var(visit);
            }),
            Literal::Always => {}
        }
    }
}

/// A rule over columns. Its literals stand where those of its source stand.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The rule it was made of.
    pub(crate) source: usize,
    pub(crate) head: Atom,
    pub(crate) body: Vec<Literal>,
    /// What its variables are called.
    pub(crate) vars: Vec<String>,
}

/// Rules that run one after the other, or again and again.
#[derive(Clone, Default, Debug)]
pub(crate) struct Group {
    pub(crate) once: Vec<Rule>,
    /// With the literals to which new facts come.
    pub(crate) repeated: Vec<(Rule, Vec<usize>)>,
}

impl Group {
    fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.once.iter().chain(self.repeated.iter().map(|(rule, _)| rule))
    }
}

/// Relations that use each other, or one relation.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// Whose facts are derived here.
    pub(crate) heads: Vec<RelId>,
    /// Whether they never change.
    pub(crate) is_permanent: bool,
    /// By stratum.
    pub(crate) groups: Vec<Group>,
}

impl Stage {
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.groups.iter().flat_map(Group::rules)
    }
}

/// The game over columns.
#[derive(Clone, Debug)]
pub(crate) struct Flat {
    /// By [`FlatId`].
    pub(crate) relations: Vec<Relation>,
    pub(crate) stages: Vec<Stage>,
    /// The fluents of each shape: in the position, and in the next one.
    pub(crate) fluents: Vec<(FlatId, FlatId)>,
    /// The moves of each shape: legal, and played.
    pub(crate) moves: Vec<(FlatId, FlatId)>,
    pub(crate) goals: Vec<FlatId>,
    pub(crate) terminal: Option<FlatId>,
    /// Facts that never change.
    pub(crate) permanent: Vec<(FlatId, Vec<Vec<u32>>)>,
    /// The fluents of the initial position.
    pub(crate) initial: Vec<(FlatId, Vec<u32>)>,
}
