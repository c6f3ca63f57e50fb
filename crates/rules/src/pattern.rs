//! Terms with variables.

use senet_terms::{Functor, Terms};

/// A leaf of a pattern, with functions taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// A variable, by its number in the rule.
    Var(u32),
    /// A term without variables.
    Ground(u32),
}

impl Leaf {
    /// The term, by the values of variables.
    #[inline]
    pub fn value(self, values: &[u32]) -> u32 {
        match self {
            Leaf::Var(var) => values[var as usize],
            Leaf::Ground(term) => term,
        }
    }

    /// Whether the term is known, by what is known of variables.
    pub fn is_known(self, is_bound: &[bool]) -> bool {
        match self {
            Leaf::Var(var) => is_bound[var as usize],
            Leaf::Ground(_) => true,
        }
    }
}

/// A term with variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// A variable, by its number in the rule.
    Var(u32),
    /// A term without variables.
    Ground(u32),
    /// A function of patterns, not all ground.
    App(Functor, Vec<Pattern>),
}

impl Pattern {
    /// A function of patterns, ground if they are.
    pub fn apply(terms: &mut Terms, functor: Functor, args: Vec<Pattern>) -> Pattern {
        let ground = args.iter().map(|arg| match arg {
            Pattern::Ground(term) => Some(*term),
            Pattern::Var(_) | Pattern::App(..) => None,
        });
        match ground.collect::<Option<Vec<u32>>>() {
            Some(ground) => Pattern::Ground(terms.intern(functor, &ground)),
            None => Pattern::App(functor, args),
        }
    }

    /// The term, by the values of variables; functions are put together.
    pub fn value(&self, values: &[u32], terms: &mut Terms) -> u32 {
        match self {
            Pattern::Var(var) => values[*var as usize],
            Pattern::Ground(term) => *term,
            Pattern::App(functor, args) => {
                let args: Vec<u32> = args.iter().map(|arg| arg.value(values, terms)).collect();
                terms.intern(*functor, &args)
            }
        }
    }

    /// Visits variables as they are written.
    pub fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Var(var) => visit(*var),
            Pattern::Ground(_) => {}
            Pattern::App(_, args) => args.iter().for_each(|arg| arg.for_each_var(visit)),
        }
    }

    /// Visits variables and ground terms as they are written.
    pub fn for_each_leaf(&self, visit: &mut impl FnMut(Leaf)) {
        match self {
            Pattern::Var(var) => visit(Leaf::Var(*var)),
            Pattern::Ground(term) => visit(Leaf::Ground(*term)),
            Pattern::App(_, args) => args.iter().for_each(|arg| arg.for_each_leaf(visit)),
        }
    }

    /// Whether all variables pass a test, as when they are known.
    pub fn all_vars(&self, passes: &impl Fn(u32) -> bool) -> bool {
        match self {
            Pattern::Var(var) => passes(*var),
            Pattern::Ground(_) => true,
            Pattern::App(_, args) => args.iter().all(|arg| arg.all_vars(passes)),
        }
    }

    /// The pattern with its variables replaced.
    pub fn map_vars(&self, map: &mut impl FnMut(u32) -> Pattern) -> Pattern {
        match self {
            Pattern::Var(var) => map(*var),
            Pattern::Ground(term) => Pattern::Ground(*term),
            Pattern::App(functor, args) => {
                Pattern::App(*functor, args.iter().map(|arg| arg.map_vars(map)).collect())
            }
        }
    }

    /// The pattern with functions of ground terms as ground terms.
    pub fn with_ground_parts(self, terms: &mut Terms) -> Pattern {
        let Pattern::App(functor, args) = self else { return self };
        let args = args.into_iter().map(|arg| arg.with_ground_parts(terms)).collect();
        Pattern::apply(terms, functor, args)
    }

    /// The functor of a compound term, ground or not.
    pub fn functor(&self, terms: &Terms) -> Option<Functor> {
        match self {
            Pattern::App(functor, _) => Some(*functor),
            Pattern::Ground(term) => terms.compound(*term).map(|(functor, _)| functor),
            Pattern::Var(_) => None,
        }
    }

    /// The functor and the arguments of a compound term, ground or not.
    pub fn parts(&self, terms: &Terms) -> Option<(Functor, Vec<Pattern>)> {
        match self {
            Pattern::App(functor, args) => Some((*functor, args.clone())),
            Pattern::Ground(term) => {
                let (functor, args) = terms.compound(*term)?;
                Some((functor, args.iter().map(|&arg| Pattern::Ground(arg)).collect()))
            }
            Pattern::Var(_) => None,
        }
    }
}

impl From<Leaf> for Pattern {
    fn from(leaf: Leaf) -> Pattern {
        match leaf {
            Leaf::Var(var) => Pattern::Var(var),
            Leaf::Ground(term) => Pattern::Ground(term),
        }
    }
}

/// Whether each pattern is another variable.
pub fn are_different_variables(patterns: &[Pattern]) -> bool {
    let is_new_variable =
        |(at, arg): (usize, &Pattern)| matches!(arg, Pattern::Var(_)) && !patterns[..at].contains(arg);
    patterns.iter().enumerate().all(is_new_variable)
}
