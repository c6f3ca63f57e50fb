//! Demand: which relations with many facts are derived for what is asked only.
//!
//! This is what tabling does with calls, by magic sets ([`senet_rules::demand`]): for a relation p
//! asked with some columns known, a relation holds the values with which p is asked. The rules of p
//! apply where there is demand; every rule that uses p gives rise to demand.

use crate::facts::FactStore;
use crate::options::Mode;
use crate::program::Kind;
use crate::split::add_auxiliary;
use senet_rules::demand::{Asked, asking_rule, known_columns};
use senet_rules::{Atom, Literal, Pattern, RelId, Rule, VarSet, add_users};

/// The relations that are derived on demand.
#[derive(Clone, Default)]
pub(crate) struct Demand {
    members: Vec<Asked>,
    /// Those that were put on demand for their own sake, and whether those that use them were as
    /// well.
    roots: Vec<(RelId, bool)>,
    /// Those that are derived as a whole, because demand did not help.
    whole: Vec<RelId>,
    /// The relations that were put on demand or derived as a whole after all, each as often as that
    /// happened.
    changes: Vec<RelId>,
    n_failures: usize,
    /// Whether dynamic relations are always derived as a whole.
    is_for_statics: bool,
    /// The relations that must be complete before anything is asked: roles and what holds first.
    given: Vec<RelId>,
}

impl Demand {
    /// The paper's instances are those of whole dynamic relations.
    pub(crate) fn new(mode: Mode, given: [RelId; 2]) -> Demand {
        Demand { is_for_statics: mode == Mode::Paper, given: given.to_vec(), ..Demand::default() }
    }

    fn may_ask(&self, store: &FactStore, relation: RelId) -> bool {
        can_be_asked(store, relation)
            && !self.whole.contains(&relation)
            && (!self.is_for_statics || store.relations[relation.index()].is_static())
    }

    pub(crate) fn contains(&self, relation: RelId) -> bool {
        self.members.iter().any(|member| member.relation == relation)
    }

    pub(crate) fn relations(&self) -> impl Iterator<Item = RelId> {
        self.members.iter().map(|member| member.relation)
    }

    /// The relation of the game that has many facts if this one has: the one whose questions it
    /// holds, or the one it is a part of.
    pub(crate) fn behind(&self, store: &FactStore, rules: &[&Rule], relation: RelId) -> RelId {
        if let Some(member) = self.members.iter().find(|member| member.questions == relation) {
            return member.relation;
        }
        let origin = store.relations[relation.index()].part_of;
        let rule = origin.and_then(|origin| rules.iter().find(|rule| rule.origin == origin));
        rule.map_or(relation, |rule| rule.head.relation)
    }

    /// Whether a relation holds questions.
    pub(crate) fn is_asked(&self, relation: RelId) -> bool {
        self.members.iter().any(|member| member.questions == relation)
    }

    fn get(&self, relation: RelId) -> Option<&Asked> {
        self.members.iter().find(|member| member.relation == relation)
    }

    /// Puts a relation on demand if that makes a difference and does not reach through a negation;
    /// if need be, and if that is allowed, together with those that hand questions on to it.
    /// `rules` are all rules of the game.
    pub(crate) fn add(
        &mut self,
        store: &mut FactStore,
        rules: &[&Rule],
        relation: RelId,
        with_askers: bool,
    ) -> bool {
        self.whole.retain(|it| *it != relation);
        let is_added = self.put_on_demand(store, rules, relation, false)
            || with_askers && self.put_on_demand(store, rules, relation, true);
        if is_added {
            self.changes.push(relation);
        }
        is_added
    }

    fn put_on_demand(
        &mut self,
        store: &mut FactStore,
        rules: &[&Rule],
        relation: RelId,
        with_askers: bool,
    ) -> bool {
        if self.contains(relation) || !self.may_ask(store, relation) {
            return false;
        }
        let mut all: Vec<RelId> = self.relations().collect();
        all.push(relation);
        if with_askers {
            let askers = askers(store, rules, relation).into_iter();
            let is_new = |it: &RelId| *it != relation && !self.contains(*it) && self.may_ask(store, *it);
            all.extend(askers.filter(is_new));
        }
        let is_added = self.ask(store, rules, relation, all);
        if is_added {
            self.roots.push((relation, with_askers));
        }
        is_added
    }

    /// Has a relation derived as a whole that was on demand.
    pub(crate) fn give_up(&mut self, store: &mut FactStore, rules: &[&Rule], relation: RelId) {
        self.whole.push(relation);
        self.n_failures += 1;
        self.changes.push(relation);
        self.members.clear();
        for (root, with_askers) in std::mem::take(&mut self.roots) {
            self.put_on_demand(store, rules, root, with_askers);
        }
    }

    /// How often demand did not help.
    pub(crate) fn n_failures(&self) -> usize {
        self.n_failures
    }

    /// How often it was decided anew how to derive a relation.
    pub(crate) fn n_changes(&self, relation: RelId) -> usize {
        self.changes.iter().filter(|&&it| it == relation).count()
    }

    /// Puts these relations on demand, as far as columns are known, if that includes the one that
    /// matters.
    fn ask(
        &mut self,
        store: &mut FactStore,
        rules: &[&Rule],
        relation: RelId,
        mut wanted: Vec<RelId>,
    ) -> bool {
        wanted.retain(|it| !self.given.contains(it));
        let arity = |relation: RelId| store.relations[relation.index()].arity;
        let columns =
            known_columns(rules, wanted, arity, known_before, |atom, known| known.extend(&atom.vars()));
        let wanted: Vec<RelId> = columns.iter().map(|&(relation, _)| relation).collect();
        if !wanted.contains(&relation) || is_negated_late(store, rules, &wanted) {
            return false;
        }
        let is_late = late(store, rules, &wanted);
        if self.given.iter().any(|given| is_late[given.index()]) {
            return false;
        }
        let mut members = Vec::with_capacity(columns.len());
        for (relation, known) in columns {
            let Some(rule) = rules.iter().find(|rule| rule.head.relation == relation) else { continue };
            let questions = add_auxiliary(store, known.len(), None, rule.origin);
            members.push(Asked { relation, known, questions });
        }
        self.members = members;
        true
    }

    /// A rule of a relation on demand applies only where there is demand.
    pub(crate) fn restrict(&self, rule: &mut Rule) {
        if let Some(member) = self.get(rule.head.relation) {
            rule.body.insert(0, Literal::Positive(member.question(&rule.head)));
        }
    }

    /// The demand that a rule gives rise to, for some relations.
    pub(crate) fn questions(&self, rule: &Rule, is_wanted: impl Fn(RelId) -> bool, out: &mut Vec<Rule>) {
        for (at, literal) in rule.body.iter().enumerate() {
            let Some(atom) = literal.atom() else { continue };
            let Some(member) = self.get(atom.relation).filter(|member| is_wanted(member.relation)) else {
                continue;
            };
            // Of the relations on demand those that come before have been asked already.
            let others = rule.body.iter().enumerate().filter(|&(other, literal)| {
                other != at
                    && match literal {
                        Literal::Positive(atom) => other < at || !self.contains(atom.relation),
                        Literal::Negative(atom) => !self.contains(atom.relation),
                        Literal::Distinct(..) => true,
                    }
            });
            let mut body: Vec<Literal> = others.map(|(_, literal)| literal.clone()).collect();
            if let Some(asked) = self.get(rule.head.relation) {
                body.insert(0, Literal::Positive(asked.question(&rule.head)));
            }
            out.extend(asking_rule(rule, member.question(atom), keep_safe(body)));
        }
    }
}

/// Leaves out conditions on variables that nothing binds any more: what is asked may be more.
fn keep_safe(mut body: Vec<Literal>) -> Vec<Literal> {
    let mut bound = VarSet::default();
    for literal in body.iter().filter(|literal| literal.is_positive()) {
        bound.extend(&literal.vars());
    }
    body.retain(|literal| literal.is_positive() || literal.vars().is_subset(&bound));
    body
}

/// Whether a relation is asked by other relations with constants only, and so for little.
pub(crate) fn is_asked_with_constants(rules: &[&Rule], relation: RelId) -> bool {
    let others = rules.iter().filter(|rule| rule.head.relation != relation);
    let mut uses = others.flat_map(|rule| {
        let is_use = move |literal: &&Literal| literal.atom().is_some_and(|atom| atom.relation == relation);
        rule.body.iter().filter(is_use).map(move |literal| (rule, literal))
    });
    uses.all(|(rule, literal)| {
        let own = literal.vars();
        let is_apart = |other: &Literal| other == literal || !other.vars().intersects(&own);
        let is_constant = |arg: &Pattern| matches!(arg, Pattern::Ground(_));
        rule.body.iter().all(is_apart) && literal.atom().is_some_and(|atom| atom.args.iter().any(is_constant))
    })
}

/// Whether a relation is only there for other rules.
fn can_be_asked(store: &FactStore, relation: RelId) -> bool {
    let relation = &store.relations[relation.index()];
    matches!(relation.kind, None | Some(Kind::Derived)) && relation.part_of.is_none()
}

/// A relation and those that use it, directly or through others.
fn askers(store: &FactStore, rules: &[&Rule], relation: RelId) -> Vec<RelId> {
    let mut found = vec![relation];
    let mut at = 0;
    while at < found.len() {
        for rule in rules {
            let head = rule.head.relation;
            let asks = |atom: &Atom| atom.relation == found[at];
            if !found.contains(&head) && can_be_asked(store, head) && rule.atoms().any(asks) {
                found.push(head);
            }
        }
        at += 1;
    }
    found
}

/// The variables that are known before a rule asks: conditions that ask nothing may come first, in
/// any order.
fn known_before(rule: &Rule, wanted: &[RelId]) -> VarSet {
    let mut known = VarSet::default();
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal
            && !wanted.contains(&atom.relation)
        {
            known.extend(&literal.vars());
        }
    }
    known
}

/// Whether a static relation that would be derived late, because it is on demand or uses one that
/// is, occurs negated: its complement would be asked before it is complete.
fn is_negated_late(store: &FactStore, rules: &[&Rule], wanted: &[RelId]) -> bool {
    let is_late = late(store, rules, wanted);
    rules.iter().flat_map(|rule| &rule.body).any(|literal| match literal {
        Literal::Negative(atom) => is_late[atom.relation.index()],
        _ => false,
    })
}

/// The static relations that use one of these, and these.
fn late(store: &FactStore, rules: &[&Rule], wanted: &[RelId]) -> Vec<bool> {
    let is_static = |relation: RelId| store.relations[relation.index()].is_static();
    let mut is_late = vec![false; store.relations.len()];
    wanted.iter().filter(|&&it| is_static(it)).for_each(|relation| is_late[relation.index()] = true);
    add_users(rules.iter().copied().filter(|rule| is_static(rule.head.relation)), &mut is_late);
    is_late
}

impl Demand {
    /// The static relations that are derived together with the dynamic ones.
    pub(crate) fn late(&self, store: &FactStore, rules: &[&Rule]) -> Vec<bool> {
        let wanted: Vec<RelId> = self.relations().collect();
        late(store, rules, &wanted)
    }
}
