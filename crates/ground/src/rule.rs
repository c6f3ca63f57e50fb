//! Rules over tables: what joins work on.

use crate::program::Kind;
use crate::table::TableId;
use crate::terms::Functor;
use senet_analysis::RuleId;
use senet_ids::Symbol;

senet_ids::define_id! {
    /// A relation of the program, a variant of one, or an auxiliary one.
    pub(crate) struct RelId;
}

/// A relation as the grounder sees it.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) name: Symbol,
    pub(crate) arity: usize,
    pub(crate) table: TableId,
    /// What its atoms are for in the ground program; `None` for a static relation, which is not in it.
    pub(crate) kind: Option<Kind>,
    /// The rule it is a part of, if it is not a relation of the program.
    pub(crate) part_of: Option<RuleId>,
}

impl Relation {
    pub(crate) fn is_static(&self) -> bool {
        self.kind.is_none()
    }
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
        let mut vars = VarSet::default();
        self.head.for_each_var(&mut |var| vars.insert(var));
        vars
    }
}

/// A set of variables of one rule.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct VarSet {
    // Almost every rule has less than 64 variables.
    low: u64,
    high: Vec<u64>,
}

impl VarSet {
    pub(crate) fn insert(&mut self, var: u32) {
        if var < 64 {
            self.low |= 1 << var;
            return;
        }
        let word = (var / 64 - 1) as usize;
        if self.high.len() <= word {
            self.high.resize(word + 1, 0);
        }
        self.high[word] |= 1 << (var % 64);
    }

    pub(crate) fn contains(&self, var: u32) -> bool {
        if var < 64 {
            return self.low >> var & 1 == 1;
        }
        self.high.get((var / 64 - 1) as usize).is_some_and(|word| word >> (var % 64) & 1 == 1)
    }

    pub(crate) fn extend(&mut self, other: &VarSet) {
        self.low |= other.low;
        if self.high.len() < other.high.len() {
            self.high.resize(other.high.len(), 0);
        }
        self.high.iter_mut().zip(&other.high).for_each(|(own, other)| *own |= other);
    }

    pub(crate) fn is_subset(&self, other: &VarSet) -> bool {
        self.low & !other.low == 0
            && self.high.iter().enumerate().all(|(at, word)| word & !other.high.get(at).unwrap_or(&0) == 0)
    }

    pub(crate) fn len(&self) -> u32 {
        self.low.count_ones() + self.high.iter().map(|word| word.count_ones()).sum::<u32>()
    }

    fn word(&self, at: usize) -> u64 {
        if at == 0 { self.low } else { self.high.get(at - 1).copied().unwrap_or(0) }
    }

    /// How many of these variables are in another set and not in a third one.
    pub(crate) fn count_common(&self, others: &VarSet, without: &VarSet) -> u32 {
        let words = 0..=self.high.len();
        words.map(|at| (self.word(at) & others.word(at) & !without.word(at)).count_ones()).sum()
    }

    /// How many of these variables are not in another set.
    pub(crate) fn count_without(&self, without: &VarSet) -> u32 {
        (0..=self.high.len()).map(|at| (self.word(at) & !without.word(at)).count_ones()).sum()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (mut at, mut word) = (0, self.low);
        std::iter::from_fn(move || {
            while word == 0 {
                word = *self.high.get(at)?;
                at += 1;
            }
            let bit = word.trailing_zeros();
            word &= word - 1;
            Some(at as u32 * 64 + bit)
        })
    }
}
