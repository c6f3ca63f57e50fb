//! Rules over relations in a context.

use crate::pattern::{Leaf, Pattern, are_different_variables};
use crate::var_set::VarSet;
use senet_analysis::RuleId;
use senet_gdl::Symbol;
use std::collections::BTreeMap;

senet_ids::define_id! {
    /// A relation in a context, or one made beside those of the program.
    pub struct RelId;
}

/// A relation applied to patterns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// Which relation.
    pub relation: RelId,
    /// To what it is applied.
    pub args: Vec<Pattern>,
}

impl Atom {
    /// Whether each argument is another variable.
    pub fn has_different_variables(&self) -> bool {
        are_different_variables(&self.args)
    }

    /// Visits variables as they are written.
    pub fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        self.args.iter().for_each(|arg| arg.for_each_var(visit));
    }

    /// Visits variables and ground terms as they are written.
    pub fn for_each_leaf(&self, visit: &mut impl FnMut(Leaf)) {
        self.args.iter().for_each(|arg| arg.for_each_leaf(visit));
    }

    /// Variables and ground terms as they are written.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::with_capacity(self.args.len());
        self.for_each_leaf(&mut |leaf| leaves.push(leaf));
        leaves
    }

    /// The variables that occur.
    pub fn vars(&self) -> VarSet {
        let mut vars = VarSet::default();
        self.for_each_var(&mut |var| vars.insert(var));
        vars
    }

    /// The atom with other arguments in the place of its own.
    pub fn map_args(&self, map: &mut impl FnMut(&Pattern) -> Pattern) -> Atom {
        Atom { relation: self.relation, args: self.args.iter().map(map).collect() }
    }
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold.
    Negative(Atom),
    /// The two terms differ.
    Distinct(Pattern, Pattern),
}

impl Literal {
    /// Visits variables as they are written.
    pub fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.for_each_var(visit),
            Literal::Distinct(left, right) => {
                left.for_each_var(visit);
                right.for_each_var(visit);
            }
        }
    }

    /// Whether all variables pass a test, as when they are known.
    pub fn all_vars(&self, passes: &impl Fn(u32) -> bool) -> bool {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.args.iter().all(|arg| arg.all_vars(passes))
            }
            Literal::Distinct(left, right) => left.all_vars(passes) && right.all_vars(passes),
        }
    }

    /// The variables that occur.
    pub fn vars(&self) -> VarSet {
        let mut vars = VarSet::default();
        self.for_each_var(&mut |var| vars.insert(var));
        vars
    }

    /// Whether it says that an atom holds, and so binds variables.
    pub fn is_positive(&self) -> bool {
        matches!(self, Literal::Positive(_))
    }

    /// Whether it binds nothing and waits until its variables are known.
    pub fn is_test(&self) -> bool {
        !self.is_positive()
    }

    /// The atom that holds or does not.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    /// The literal with other terms in the place of its own.
    pub fn map_terms(&self, map: &mut impl FnMut(&Pattern) -> Pattern) -> Literal {
        match self {
            Literal::Positive(atom) => Literal::Positive(atom.map_args(map)),
            Literal::Negative(atom) => Literal::Negative(atom.map_args(map)),
            Literal::Distinct(left, right) => Literal::Distinct(map(left), map(right)),
        }
    }
}

/// A rule, or a fact if the body is empty.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The conclusion.
    pub head: Atom,
    /// From what, in the order of the source.
    pub body: Vec<Literal>,
    /// Variables have the numbers below this.
    pub n_vars: usize,
    /// The names of variables in the source, by their number.
    ///
    /// Rules that are never shown need none.
    pub variables: Vec<Symbol>,
    /// The rule of the program it was made of.
    pub origin: RuleId,
    /// Rules of lower strata are complete before this one runs.
    pub stratum: usize,
}

impl Rule {
    /// A rule with the same variables, origin and stratum.
    pub fn with(&self, head: Atom, body: Vec<Literal>) -> Rule {
        let &Rule { n_vars, ref variables, origin, stratum, .. } = self;
        Rule { head, body, n_vars, variables: variables.clone(), origin, stratum }
    }

    /// The variables of the head.
    pub fn head_vars(&self) -> VarSet {
        self.head.vars()
    }

    /// The atoms of the body that hold or do not.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> + Clone {
        self.body.iter().filter_map(Literal::atom)
    }

    /// Replaces all terms of the rule.
    pub fn map_terms(&mut self, map: &mut impl FnMut(&Pattern) -> Pattern) {
        self.head = self.head.map_args(map);
        self.body = self.body.iter().map(|literal| literal.map_terms(map)).collect();
    }

    /// Numbers the variables anew; `names` are those of the old numbers.
    pub fn renumber_variables(&mut self, names: &[Symbol]) {
        let mut numbers = BTreeMap::new();
        let mut variables = Vec::new();
        let mut number = |var: u32| {
            let number = *numbers.entry(var).or_insert_with(|| {
                variables.push(names[var as usize]);
                variables.len() as u32 - 1
            });
            Pattern::Var(number)
        };
        self.map_terms(&mut |term| term.map_vars(&mut number));
        self.n_vars = variables.len();
        self.variables = variables;
    }
}
