//! A relation for each `or` of a rule that would otherwise become too many rules, and for each `not` with
//! variables of its own.

use super::{Lowerer, TooLarge, expand};
use crate::condition::{Condition, all};
use crate::{HashMap, HashSet};
use senet_gdl::{Atom, Span, Symbol, Term, TermKind, VarId};
use std::borrow::Cow;

impl Lowerer {
    /// Writes one rule for a conjunction in which a relation stands for each `or`, and the negation of a
    /// relation for each `not` with variables of its own.
    pub(super) fn with_auxiliaries<'a>(
        &mut self,
        head: Cow<'a, Atom>,
        conjuncts: Vec<Condition<'a>>,
    ) -> Result<(), TooLarge> {
        let n_users = count_users(&head, &conjuncts);
        let mut guards = Guards::default();
        let mut slots: Vec<Option<Condition<'a>>> = Vec::with_capacity(conjuncts.len());
        let mut disjunctions: Vec<Disjunction<'a>> = Vec::new();
        for conjunct in conjuncts {
            match conjunct {
                Condition::Any(branches, span) => {
                    disjunctions.push(Disjunction { slot: slots.len(), branches, span, is_negated: false });
                    slots.push(None);
                }
                Condition::NoValue(inner, _, span) => {
                    let branches = vec![*inner];
                    disjunctions.push(Disjunction { slot: slots.len(), branches, span, is_negated: true });
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
            for disjunction in disjunctions {
                match self.auxiliary(&head, &disjunction, &n_users, &guards)? {
                    Some(atom) => {
                        let literal = if disjunction.is_negated {
                            Condition::Fails(Cow::Owned(atom), disjunction.span)
                        } else {
                            Condition::Holds(Cow::Owned(atom))
                        };
                        guards.add(&literal);
                        slots[disjunction.slot] = Some(literal);
                    }
                    None => postponed.push(disjunction),
                }
            }
            if postponed.len() == n_before && !self.add_values(&head, &postponed, &n_users, &mut guards)? {
                return Err(TooLarge);
            }
            disjunctions = postponed;
        }
        self.emit(&head, slots.into_iter().map(|slot| slot.expect("every slot was filled")).collect())
    }

    /// Defines a relation for an `or` or a `not`, on the variables it shares with the rest of its rule.
    /// `None` if a branch needs a variable that nothing binds yet.
    fn auxiliary<'a>(
        &mut self,
        head: &Atom,
        disjunction: &Disjunction<'a>,
        n_users: &HashMap<VarId, usize>,
        guards: &Guards<'a>,
    ) -> Result<Option<Atom>, TooLarge> {
        let args = disjunction.shared(n_users);
        let mut atom = Atom { relation: head.relation, args, span: disjunction.span };
        let mut bodies = Vec::with_capacity(disjunction.branches.len());
        for branch in &disjunction.branches {
            match self.guarded(&atom, branch, guards)? {
                Some(body) => bodies.push(body),
                None => return Ok(None),
            }
        }
        atom.relation = self.auxiliary_name(if disjunction.is_negated { "some" } else { "or" }, head);
        self.relations.intern(atom.relation, atom.args.len());
        for body in bodies {
            self.conjunction(Cow::Owned(atom.clone()), body)?;
        }
        Ok(Some(atom))
    }

    /// Makes a guard for every shared variable that has none: a relation that holds for all values
    /// which some positive literal or equality may give it. Such a variable occurs in branches of several
    /// `or`s, and where no branch taken mentions it any value will do, so there is one value more.
    /// Says whether there was such a variable.
    fn add_values<'a>(
        &mut self,
        head: &Atom,
        disjunctions: &[Disjunction<'a>],
        n_users: &HashMap<VarId, usize>,
        guards: &mut Guards<'a>,
    ) -> Result<bool, TooLarge> {
        let mut literals: HashMap<VarId, Vec<&Condition<'a>>> = HashMap::default();
        for disjunction in disjunctions.iter().filter(|disjunction| !disjunction.is_negated) {
            self.budget.work(disjunction.branches.iter().map(|branch| expand::size(branch).written).sum())?;
            disjunction.branches.iter().for_each(|branch| note_literals(branch, &mut literals));
        }
        let mut added = Vec::new();
        for disjunction in disjunctions {
            for arg in disjunction.shared(n_users) {
                let TermKind::Variable(variable) = arg.kind else { continue };
                if guards.by_variable.contains_key(&variable) {
                    continue;
                }
                let relation = self.auxiliary_name("value", head);
                self.relations.intern(relation, 1);
                let atom = Atom { relation, args: vec![arg.clone()], span: disjunction.span };
                for literal in literals.get(&variable).into_iter().flatten() {
                    if matches!(literal, Condition::Holds(_)) {
                        self.emit(&atom, vec![(*literal).clone()])?;
                    }
                }
                let any_other = Term { kind: TermKind::Constant(relation), span: arg.span };
                self.emit(&Atom { args: vec![any_other], ..atom.clone() }, Vec::new())?;
                guards.add(&Condition::Holds(Cow::Owned(atom.clone())));
                added.push((variable, atom, guards.conditions.len() - 1));
            }
        }
        // Variables without guards may be equal to each other, so each has its relation by now.
        for (variable, atom, own) in &added {
            let equalities = literals.get(variable).into_iter().flatten();
            for equality in equalities.filter(|literal| matches!(literal, Condition::Equal(..))) {
                let mut conjuncts = vec![(*equality).clone()];
                equality.for_each_variable(&mut |other, _| {
                    let guard = guards.of(other).find(|(at, _)| other != *variable && at != own);
                    conjuncts.extend(guard.map(|(_, guard)| guard.clone()));
                });
                let body = all(conjuncts.into_iter(), equality.span());
                if self.clause.binder.unbound(atom, &body).is_empty() {
                    self.emit(atom, body.into_conjuncts())?;
                }
            }
        }
        Ok(!added.is_empty())
    }

    fn auxiliary_name(&mut self, kind: &str, head: &Atom) -> Symbol {
        self.n_auxiliaries += 1;
        let owner = self.symbols.name(head.relation);
        let owner = owner.split_once(" in ").map_or(owner, |(_, owner)| owner);
        let name = format!("{kind}_{} in {owner}", self.n_auxiliaries);
        self.symbols.intern(&name)
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
            let mut wanted = unbound;
            while let Some(variable) = wanted.pop() {
                let binding = guards.of(variable).find(|(at, _)| !used.contains(at));
                if let Some((at, guard)) = binding {
                    used.insert(at);
                    conjuncts.push(guard.clone());
                    if matches!(guard, Condition::Equal(..)) {
                        // It binds one side only by the other.
                        guard.for_each_variable(&mut |other, _| wanted.push(other));
                    }
                }
            }
            if conjuncts.len() == n_before {
                return Ok(None);
            }
        }
    }
}

/// An `or` among other conditions, or what stands below a `not` with variables of its own.
struct Disjunction<'a> {
    /// Its place among them.
    slot: usize,
    branches: Vec<Condition<'a>>,
    span: Span,
    is_negated: bool,
}

impl Disjunction<'_> {
    /// The variables that also occur outside, in the order of the text.
    fn shared(&self, n_users: &HashMap<VarId, usize>) -> Vec<Term> {
        let mut shared = Vec::new();
        let mut seen = HashSet::default();
        for branch in &self.branches {
            branch.for_each_variable(&mut |variable, span| {
                if n_users[&variable] > 1 && seen.insert(variable) {
                    shared.push(Term { kind: TermKind::Variable(variable), span });
                }
            });
        }
        shared
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

/// The positive literals and equalities in which each variable occurs.
fn note_literals<'c, 'a>(
    condition: &'c Condition<'a>,
    literals: &mut HashMap<VarId, Vec<&'c Condition<'a>>>,
) {
    match condition {
        Condition::All(parts, _) | Condition::Any(parts, _) => {
            parts.iter().for_each(|part| note_literals(part, literals));
        }
        Condition::Holds(_) | Condition::Equal(..) => {
            condition
                .for_each_variable(&mut |variable, _| literals.entry(variable).or_default().push(condition));
        }
        _ => {}
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
