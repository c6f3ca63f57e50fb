//! Rules over tables: what joins work on.

mod var_set;
mod substitution;

pub(crate) use substitution::{Substitution, parts};
pub(crate) use var_set::VarSet;

use senet_analysis::RuleId;
use senet_terms::Functor;

senet_ids::define_id! {
    /// A relation of the program, a variant of one, or an auxiliary one.
    pub(crate) struct RelId;
}

/// What is in a place of a shape: terms that are taken apart are not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf {
    Var(u32),
    Ground(u32),
}

/// A term with variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pattern {
    Var(u32),
    Ground(u32),
    App(Functor, Vec<Pattern>),
}

impl Pattern {
    pub(crate) fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Var(var) => visit(*var),
            Pattern::Ground(_) => {}
            Pattern::App(_, args) => args.iter().for_each(|arg| arg.for_each_var(visit)),
        }
    }

    pub(crate) fn for_each_leaf(&self, visit: &mut impl FnMut(Leaf)) {
        match self {
            Pattern::Var(var) => visit(Leaf::Var(*var)),
            Pattern::Ground(term) => visit(Leaf::Ground(*term)),
            Pattern::App(_, args) => args.iter().for_each(|arg| arg.for_each_leaf(visit)),
        }
    }

    /// The pattern with its variables replaced.
    pub(crate) fn map_vars(&self, map: &mut impl FnMut(u32) -> Pattern) -> Pattern {
        match self {
            Pattern::Var(var) => map(*var),
            Pattern::Ground(term) => Pattern::Ground(*term),
            Pattern::App(functor, args) => {
                Pattern::App(*functor, args.iter().map(|arg| arg.map_vars(map)).collect())
            }
        }
    }
}

/// A relation applied to patterns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Atom {
    pub(crate) relation: RelId,
    pub(crate) args: Vec<Pattern>,
}

impl Atom {
    pub(crate) fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        self.args.iter().for_each(|arg| arg.for_each_var(visit));
    }

    /// The variables and ground terms, in the order of the text.
    pub(crate) fn for_each_leaf(&self, visit: &mut impl FnMut(Leaf)) {
        self.args.iter().for_each(|arg| arg.for_each_leaf(visit));
    }

    pub(crate) fn vars(&self) -> VarSet {
        let mut vars = VarSet::default();
        self.for_each_var(&mut |var| vars.insert(var));
        vars
    }
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Literal {
    Positive(Atom),
    Negative(Atom),
    Distinct(Pattern, Pattern),
}

impl Literal {
    pub(crate) fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.for_each_var(visit),
            Literal::Distinct(left, right) => {
                left.for_each_var(visit);
                right.for_each_var(visit);
            }
        }
    }

    pub(crate) fn vars(&self) -> VarSet {
        let mut vars = VarSet::default();
        self.for_each_var(&mut |var| vars.insert(var));
        vars
    }

    pub(crate) fn is_positive(&self) -> bool {
        matches!(self, Literal::Positive(_))
    }
}

/// A rule, or a fact if the body is empty.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) head: Atom,
    pub(crate) body: Vec<Literal>,
    pub(crate) n_vars: u32,
    pub(crate) origin: RuleId,
    pub(crate) stratum: u32,
}

impl Rule {
    pub(crate) fn head_vars(&self) -> VarSet {
        self.head.vars()
    }
}
