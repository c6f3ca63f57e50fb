//! A relation for each `or` of a rule that would otherwise become too many rules.

use super::{Lowerer, TooLarge, expand};
use crate::condition::{Condition, all};
use crate::{HashMap, HashSet};
use senet_gdl::{Atom, Span, Term, TermKind, VarId};
use std::borrow::Cow;

impl Lowerer {
    /// Writes one rule for a conjunction in which a relation stands for each `or`.
    pub(super) fn with_auxiliaries<'a>(
        &mut self,
        head: Cow<'a, Atom>,
        conjuncts: Vec<Condition<'a>>,
    ) -> Result<(), TooLarge> {
        let n_users = count_users(&head, &conjuncts);
        let mut guards = Guards::default();
        let mut slots: Vec<Option<Condition<'a>>> = Vec::with_capacity(conjuncts.len());
        let mut disjunctions = Vec::new();
        for conjunct in conjuncts {
            match conjunct {
                Condition::Any(branches, span) => {
                    disjunctions.push((slots.len(), branches, span));
                    slots.push(None);
                }
                literal => {
                    guards.add(&literal);
                    slots.push(Some(literal));
                }
            }
        }
        // An `or` may test variables that only another `or` binds, so that one has to come first.
        while !disjunctions.is_empty() {
            let n_before = disjunctions.len();
            let mut postponed = Vec::new();
            for (slot, branches, span) in disjunctions {
                match self.auxiliary(&head, &branches, span, &n_users, &guards)? {
                    Some(atom) => {
                        let literal = Condition::Holds(Cow::Owned(atom));
                        guards.add(&literal);
                        slots[slot] = Some(literal);
                    }
                    None => postponed.push((slot, branches, span)),
                }
            }
            if postponed.len() == n_before {
                return Err(TooLarge);
            }
            disjunctions = postponed;
        }
        self.emit(&head, slots.into_iter().map(|slot| slot.expect("every slot was filled")).collect())
    }

    /// Defines a relation for an `or`, on the variables it shares with the rest of its rule.
    /// `None` if a branch needs a variable that nothing binds yet.
    fn auxiliary<'a>(
        &mut self,
        head: &Atom,
        branches: &[Condition<'a>],
        span: Span,
        n_users: &HashMap<VarId, usize>,
        guards: &Guards<'a>,
    ) -> Result<Option<Atom>, TooLarge> {
        let mut shared = Vec::new();
        let mut seen = HashSet::default();
        for branch in branches {
            branch.for_each_variable(&mut |variable, at| {
                if seen.insert(variable) && n_users[&variable] > 1 {
                    shared.push(Term { kind: TermKind::Variable(variable), span: at });
                }
            });
        }
        let mut atom = Atom { relation: head.relation, args: shared, span };
        let mut bodies = Vec::with_capacity(branches.len());
        for branch in branches {
            match self.guarded(&atom, branch, guards)? {
                Some(body) => bodies.push(body),
                None => return Ok(None),
            }
        }
        self.n_auxiliaries += 1;
        let owner = self.symbols.name(head.relation);
        let owner = owner.split_once(" in ").map_or(owner, |(_, owner)| owner);
        let name = format!("or_{} in {owner}", self.n_auxiliaries);
        atom.relation = self.symbols.intern(&name);
        self.relations.intern(atom.relation, atom.args.len());
        for body in bodies {
            self.conjunction(Cow::Owned(atom.clone()), body)?;
        }
        Ok(Some(atom))
    }

    /// A branch together with as many conditions from around the `or` as make it safe by itself.
    /// They hold wherever the `or` is asked about, so they change nothing.
    fn guarded<'a>(
        &mut self,
        head: &Atom,
        branch: &Condition<'a>,
        guards: &Guards<'a>,
    ) -> Result<Option<Condition<'a>>, TooLarge> {
        let mut conjuncts = branch.clone().into_conjuncts();
        let mut used = HashSet::default();
        loop {
            let body = all(conjuncts.into_iter(), branch.span());
            self.budget.work(head.args.len() + 4 * expand::size(&body).written)?;
            let unbound = self.clause.binder.unbound(head, &body);
            if unbound.is_empty() {
                return Ok(Some(body));
            }
            conjuncts = body.into_conjuncts();
            let n_before = conjuncts.len();
            for variable in unbound {
                let binding = guards.of(variable).find(|(at, _)| !used.contains(at));
                if let Some((at, guard)) = binding {
                    used.insert(at);
                    conjuncts.push(guard.clone());
                }
            }
            if conjuncts.len() == n_before {
                return Ok(None);
            }
        }
    }
}

/// The conditions of a rule that bind variables, to be repeated where they are needed.
#[derive(Default)]
struct Guards<'a> {
    conditions: Vec<Condition<'a>>,
    by_variable: HashMap<VarId, Vec<usize>>,
}

impl<'a> Guards<'a> {
    fn add(&mut self, condition: &Condition<'a>) {
        if !matches!(condition, Condition::Holds(_) | Condition::Equal(..)) {
            return;
        }
        let at = self.conditions.len();
        let by_variable = &mut self.by_variable;
        condition.for_each_variable(&mut |variable, _| {
            let binding = by_variable.entry(variable).or_default();
            if binding.last() != Some(&at) {
                binding.push(at);
            }
        });
        self.conditions.push(condition.clone());
    }

    /// What may bind a variable, atoms before equalities.
    fn of(&self, variable: VarId) -> impl Iterator<Item = (usize, &Condition<'a>)> {
        let all = self.by_variable.get(&variable).into_iter().flatten();
        let all = all.map(|&at| (at, &self.conditions[at]));
        let is_atom = |(_, guard): &(usize, &Condition)| matches!(guard, Condition::Holds(_));
        all.clone().filter(is_atom).chain(all.filter(move |guard| !is_atom(guard)))
    }
}

/// In how many of the conjuncts and the head each variable occurs.
fn count_users(head: &Atom, conjuncts: &[Condition]) -> HashMap<VarId, usize> {
    let mut last_user: HashMap<VarId, usize> = HashMap::default();
    let mut n_users = HashMap::default();
    let mut note = |user: usize, variable: VarId| {
        if last_user.insert(variable, user) != Some(user) {
            *n_users.entry(variable).or_default() += 1;
        }
    };
    head.for_each_variable(&mut |variable, _| note(conjuncts.len(), variable));
    for (user, conjunct) in conjuncts.iter().enumerate() {
        conjunct.for_each_variable(&mut |variable, _| note(user, variable));
    }
    n_users
}
