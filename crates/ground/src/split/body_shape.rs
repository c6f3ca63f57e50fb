//! What matters of the conditions of a body for splitting it, and the parts it has.

use super::{MOST_CONDITIONS, Which, is_static};
use crate::facts::FactStore;
use senet_rules::{Literal, Rule, VarSet};
use smallvec::SmallVec;

/// Some conditions of a body.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Conditions(u128);

const _: () = assert!(MOST_CONDITIONS <= u128::BITS as usize);

impl Conditions {
    #[inline]
    pub(crate) fn contains(self, at: usize) -> bool {
        self.0 >> at & 1 == 1
    }

    #[inline]
    fn insert(&mut self, at: usize) {
        self.0 |= 1 << at;
    }

    fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let at = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                at
            })
        })
    }
}

/// Conditions to be given a name.
#[derive(Clone)]
pub(crate) struct Part {
    /// What is replaced.
    pub(crate) replaced: Conditions,
    /// Conditions that say which values variables of negative ones may have.
    pub(crate) binding: SmallVec<[usize; 2]>,
    pub(crate) vars: VarSet,
    /// The variables of the part that the rest or the head uses.
    pub(crate) kept: VarSet,
}

impl Part {
    /// All conditions of the rule that gives the part its name.
    pub(crate) fn members(&self) -> impl Iterator<Item = usize> {
        self.replaced.iter().chain(self.binding.iter().copied())
    }
}

/// What matters of the conditions of a body for splitting it.
#[derive(Clone)]
pub(crate) struct BodyShape {
    head: VarSet,
    conditions: SmallVec<[Condition; 8]>,
}

#[derive(Clone)]
struct Condition {
    vars: VarSet,
    is_positive: bool,
    is_allowed: bool,
    is_static: bool,
}

impl BodyShape {
    pub(crate) fn new(store: &FactStore, rule: &Rule, which: Which) -> BodyShape {
        let conditions = rule.body.iter().map(|literal| {
            let is_static = is_static(store, literal);
            Condition {
                vars: literal.vars(),
                is_positive: literal.is_positive(),
                is_allowed: which == Which::All || is_static,
                is_static,
            }
        });
        BodyShape { head: rule.head_vars(), conditions: conditions.collect() }
    }

    pub(crate) fn all_vars(&self) -> VarSet {
        let mut all = self.head.clone();
        self.conditions.iter().for_each(|it| all.extend(&it.vars));
        all
    }

    /// The variables that the head does not need.
    pub(crate) fn inner_vars(&self) -> SmallVec<[u32; 8]> {
        self.all_vars().iter().filter(|&var| !self.head.contains(var)).collect()
    }

    pub(crate) fn has_inner_vars(&self) -> bool {
        self.conditions.iter().any(|it| !it.vars.is_subset(&self.head))
    }

    /// The conditions in which a variable occurs.
    fn conditions_on(&self, var: u32) -> Conditions {
        let mut found = Conditions::default();
        for (at, condition) in self.conditions.iter().enumerate() {
            if condition.vars.contains(var) {
                found.insert(at);
            }
        }
        found
    }

    pub(crate) fn part_of(&self, var: u32) -> Option<Part> {
        self.part(self.conditions_on(var))
    }

    /// The conditions that are connected with a variable by variables that the head does not need;
    /// their variables are added to those that were reached.
    fn component_of(&self, var: u32, reached: &mut VarSet) -> Conditions {
        let mut members = Conditions::default();
        let mut own = VarSet::default();
        own.insert(var);
        loop {
            let mut has_grown = false;
            for (at, condition) in self.conditions.iter().enumerate() {
                if !members.contains(at) && condition.vars.count_common(&own, &self.head) > 0 {
                    members.insert(at);
                    own.extend(&condition.vars);
                    has_grown = true;
                }
            }
            if !has_grown {
                reached.extend(&own);
                return members;
            }
        }
    }

    /// Parts that ground rules show something of, each of fewer variables than the rule.
    pub(crate) fn parts(&self) -> SmallVec<[Part; 4]> {
        let n_vars = self.all_vars().len();
        let mut parts = SmallVec::new();
        let mut tried: SmallVec<[Conditions; 8]> = SmallVec::new();
        let mut reached = VarSet::default();
        for var in self.inner_vars() {
            let component = (!reached.contains(var)).then(|| self.component_of(var, &mut reached));
            for conditions in std::iter::once(self.conditions_on(var)).chain(component) {
                if tried.contains(&conditions) {
                    continue;
                }
                tried.push(conditions);
                let Some(part) = self.part(conditions) else { continue };
                // Static conditions show in no ground rule: there is nothing to save.
                let is_shown = part.members().any(|at| !self.conditions[at].is_static);
                if is_shown && part.vars.len() < n_vars {
                    parts.push(part);
                }
            }
        }
        parts
    }

    /// Conditions with what is needed to bind the variables of negative ones. `None` if these are
    /// all conditions, or some that may not be named.
    fn part(&self, replaced: Conditions) -> Option<Part> {
        if replaced.len() == self.conditions.len() {
            return None;
        }
        let (mut wanted, mut given, mut rest) = (VarSet::default(), VarSet::default(), self.head.clone());
        for (at, condition) in self.conditions.iter().enumerate() {
            if !replaced.contains(at) {
                rest.extend(&condition.vars);
                continue;
            }
            if !condition.is_allowed {
                return None;
            }
            wanted.extend(&condition.vars);
            if condition.is_positive {
                given.extend(&condition.vars);
            }
        }
        let mut binding = SmallVec::new();
        while !wanted.is_subset(&given) {
            // The condition that adds the fewest variables.
            let missing = |it: &Condition| it.vars.count_common(&wanted, &given);
            let extra = |it: &Condition| it.vars.count_without(&wanted);
            let others = self.conditions.iter().enumerate().filter(|&(at, it)| {
                it.is_positive && it.is_allowed && !replaced.contains(at) && missing(it) > 0
            });
            let (at, found) = others.min_by_key(|(_, it)| (extra(it), u32::MAX - missing(it)))?;
            given.extend(&found.vars);
            binding.push(at);
        }
        let mut kept = wanted.clone();
        kept.intersect(&rest);
        Some(Part { replaced, binding, vars: wanted, kept })
    }

    /// Whether a part has one dynamic condition, on the relation of the head, and keeps as many
    /// variables as that has.
    pub(crate) fn renames(&self, rule: &Rule, part: &Part) -> bool {
        let mut dynamic = part.replaced.iter().filter(|&at| !self.conditions[at].is_static);
        let (Some(at), None) = (dynamic.next(), dynamic.next()) else { return false };
        let is_recursive =
            matches!(&rule.body[at], Literal::Positive(it) if it.relation == rule.head.relation);
        is_recursive && part.kept.len() >= self.conditions[at].vars.len()
    }

    /// Whether the name of a part has more arguments than each of its conditions and the head: most
    /// likely more facts too.
    pub(crate) fn is_wider(&self, part: &Part) -> bool {
        let n_kept = part.kept.len();
        n_kept > self.head.len() && part.members().all(|at| n_kept > self.conditions[at].vars.len())
    }

    /// The shape after a part was named.
    pub(crate) fn replace(&mut self, part: &Part) {
        let mut at = 0;
        self.conditions.retain(|_| {
            at += 1;
            !part.replaced.contains(at - 1)
        });
        let vars = part.kept.clone();
        self.conditions.push(Condition { vars, is_positive: true, is_allowed: true, is_static: false });
    }
}
