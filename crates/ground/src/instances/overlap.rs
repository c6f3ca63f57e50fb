//! Instances that two rules share, as a test of the values of the later one.
//!
//! Rules that come from one rule with an `or`, or that give several reasons for one conclusion,
//! often differ only in static conditions. Whether the earlier one has an instance too is then a
//! question about a few values, and the later one leaves the instance out before it is built.

use crate::facts::{FactStore, shape_of};
use crate::join::{is_function, only_unknown};
use senet_rules::{Atom, Leaf, Literal, Pattern, Rule};
use senet_terms::Functor;

/// An instance of a rule is one of an earlier rule too if all of this holds. Everything is said
/// with the variables of the later rule.
pub(crate) struct Overlap {
    pub(crate) same: Vec<(Pattern, Pattern)>,
    /// Static conditions of the earlier rule.
    pub(crate) conditions: Vec<Literal>,
    /// Dynamic conditions of the later and of the earlier rule: the same set of atoms.
    pub(crate) sets: [Vec<Shaped>; 2],
}

/// An atom as the shape of its arguments and what is in the places of the shape.
#[derive(Clone)]
pub(crate) struct Shaped {
    pub(crate) shape: Vec<Functor>,
    pub(crate) leaves: Vec<Pattern>,
}

/// Why there is no test.
pub(crate) enum NoTest {
    /// No instance is one of both rules.
    Disjoint,
    /// The values of the later rule do not tell.
    Unclear,
}

/// A dynamic condition and whether it is positive.
type Dynamic<'a> = (&'a Atom, bool);

pub(crate) fn dynamic<'a>(store: &'a FactStore, rule: &'a Rule) -> impl Iterator<Item = Dynamic<'a>> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom)
            if !store.relations[atom.relation.index()].is_static() =>
        {
            Some((atom, literal.is_positive()))
        }
        _ => None,
    })
}

/// When instances of a rule are instances of an earlier one. `drops_negation`: negated atoms that
/// cannot hold are left out of instances.
pub(crate) fn overlap(
    store: &FactStore,
    rule: &Rule,
    earlier: &Rule,
    drops_negation: bool,
) -> Result<Overlap, NoTest> {
    let mut values = Values { of: vec![None; earlier.n_vars], same: Vec::new() };
    values.match_atoms(&earlier.head, &rule.head)?;
    let ours: Vec<Dynamic> = dynamic(store, rule).collect();
    let theirs: Vec<Dynamic> = dynamic(store, earlier).collect();
    // Different negated atoms make no difference where none of them can hold.
    if drops_negation && ours.iter().chain(&theirs).any(|(_, is_positive)| !is_positive) {
        return Err(NoTest::Unclear);
    }
    let n_partners = |own: Dynamic, others: &[Dynamic]| {
        others.iter().filter(|&&other| own.1 == other.1 && !clash(own.0, other.0)).count()
    };
    if ours.iter().any(|&our| n_partners(our, &theirs) == 0) {
        return Err(NoTest::Disjoint);
    }
    let (mut paired, mut rest) = (vec![false; ours.len()], Vec::new());
    for &their in &theirs {
        let mut partners = (0..ours.len()).filter(|&at| their.1 == ours[at].1 && !clash(their.0, ours[at].0));
        let partner = partners.next().ok_or(NoTest::Disjoint)?;
        if partners.next().is_some() || n_partners(ours[partner], &theirs) > 1 {
            rest.push(their);
            continue;
        }
        paired[partner] = true;
        values.match_atoms(their.0, ours[partner].0)?;
    }
    let others = ours.iter().zip(paired).filter(|(_, is_paired)| !is_paired);
    let sets = [
        others
            .map(|(our, _)| shaped(*our, &mut |var| Ok(Pattern::Var(var))))
            .collect::<Result<Vec<_>, _>>()?,
        rest.into_iter()
            .map(|their| shaped(their, &mut |var| values.value(var)))
            .collect::<Result<_, _>>()?,
    ];
    // Atoms are compared place by place.
    if sets[0].iter().chain(&sets[1]).any(|atom| atom.shape != sets[0][0].shape) {
        return Err(NoTest::Unclear);
    }
    values.follow(store, rule, earlier);
    let mut conditions = Vec::new();
    for literal in &earlier.body {
        let condition = match literal {
            Literal::Distinct(left, right) => Literal::Distinct(values.plain(left)?, values.plain(right)?),
            Literal::Positive(atom) | Literal::Negative(atom) => {
                if !store.relations[atom.relation.index()].is_static() {
                    continue;
                }
                let args = atom.args.iter().map(|arg| values.plain(arg)).collect::<Result<_, _>>()?;
                let atom = Atom { relation: atom.relation, args };
                if literal.is_positive() { Literal::Positive(atom) } else { Literal::Negative(atom) }
            }
        };
        // What the later rule asks as well holds.
        if !rule.body.contains(&condition) {
            conditions.push(condition);
        }
    }
    Ok(Overlap { same: values.same, conditions, sets })
}

/// What the variables of the earlier rule stand for.
struct Values {
    of: Vec<Option<Pattern>>,
    /// What must be the same besides.
    same: Vec<(Pattern, Pattern)>,
}

impl Values {
    fn match_atoms(&mut self, their: &Atom, our: &Atom) -> Result<(), NoTest> {
        their.args.iter().zip(&our.args).try_for_each(|(their, our)| self.match_patterns(their, our))
    }

    fn match_patterns(&mut self, their: &Pattern, our: &Pattern) -> Result<(), NoTest> {
        match (their, our) {
            (Pattern::App(their, their_args), Pattern::App(our, our_args)) => {
                if their != our {
                    return Err(NoTest::Disjoint);
                }
                let mut pairs = their_args.iter().zip(our_args);
                pairs.try_for_each(|(their, our)| self.match_patterns(their, our))
            }
            // Terms are not built and not taken apart for this.
            (Pattern::App(..), _) | (_, Pattern::App(..)) => Err(NoTest::Unclear),
            (Pattern::Ground(their), Pattern::Ground(our)) => {
                if their == our {
                    Ok(())
                } else {
                    Err(NoTest::Disjoint)
                }
            }
            (Pattern::Ground(_), Pattern::Var(_)) => {
                self.same.push((their.clone(), our.clone()));
                Ok(())
            }
            (Pattern::Var(var), _) => {
                match &self.of[*var as usize] {
                    None => self.of[*var as usize] = Some(our.clone()),
                    Some(known) if known == our => {}
                    Some(Pattern::Ground(_)) if matches!(our, Pattern::Ground(_)) => {
                        return Err(NoTest::Disjoint);
                    }
                    Some(known) => self.same.push((known.clone(), our.clone())),
                }
                Ok(())
            }
        }
    }

    /// Where both rules ask a static function for the value of the same arguments they get the
    /// same.
    fn follow(&mut self, store: &FactStore, rule: &Rule, earlier: &Rule) {
        let is_same = |values: &Values, their: &Pattern, our: &Pattern| matches!(values.plain(their), Ok(value) if value == *our);
        loop {
            let found = earlier.body.iter().find_map(|literal| {
                let Literal::Positive(their) = literal else { return None };
                let (column, var) = only_unknown(their, |var| self.of[var as usize].is_some())?;
                let our = rule.body.iter().find_map(|literal| match literal {
                    Literal::Positive(our) if our.relation == their.relation => {
                        let mut others = (0..our.args.len()).filter(|&at| at != column);
                        others.all(|at| is_same(self, &their.args[at], &our.args[at])).then_some(our)
                    }
                    _ => None,
                })?;
                let is_plain = !matches!(our.args[column], Pattern::App(..));
                (is_plain && is_function(store, their, column)).then(|| (var, our.args[column].clone()))
            });
            match found {
                Some((var, value)) => self.of[var as usize] = Some(value),
                None => return,
            }
        }
    }

    fn value(&self, var: u32) -> Result<Pattern, NoTest> {
        self.of[var as usize].clone().ok_or(NoTest::Unclear)
    }

    /// What a pattern without terms to build stands for.
    fn plain(&self, pattern: &Pattern) -> Result<Pattern, NoTest> {
        match pattern {
            Pattern::Var(var) => self.value(*var),
            Pattern::Ground(term) => Ok(Pattern::Ground(*term)),
            Pattern::App(..) => Err(NoTest::Unclear),
        }
    }
}

fn shaped(
    (atom, is_positive): Dynamic,
    value: &mut impl FnMut(u32) -> Result<Pattern, NoTest>,
) -> Result<Shaped, NoTest> {
    // A set does not say which of its atoms are negated.
    if !is_positive {
        return Err(NoTest::Unclear);
    }
    let mut shape = shape_of(atom);
    shape.push(atom.relation.index() as Functor);
    let mut leaves = Vec::with_capacity(shape.len());
    atom.for_each_leaf(&mut |leaf| {
        leaves.push(match leaf {
            Leaf::Var(var) => value(var),
            Leaf::Ground(term) => Ok(Pattern::Ground(term)),
        });
    });
    Ok(Shaped { shape, leaves: leaves.into_iter().collect::<Result<_, _>>()? })
}

/// Whether constants keep two atoms apart.
pub(crate) fn clash(left: &Atom, right: &Atom) -> bool {
    left.relation != right.relation || left.args.iter().zip(&right.args).any(|(l, r)| patterns_clash(l, r))
}

fn patterns_clash(left: &Pattern, right: &Pattern) -> bool {
    match (left, right) {
        (Pattern::Ground(left), Pattern::Ground(right)) => left != right,
        (Pattern::App(left, left_args), Pattern::App(right, right_args)) => {
            left != right || left_args.iter().zip(right_args).any(|(left, right)| patterns_clash(left, right))
        }
        // A ground compound term beside a pattern: taken to agree.
        _ => false,
    }
}
