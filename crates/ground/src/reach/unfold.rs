//! Unfolding: a static relation with too many facts is replaced by its definition where it is used.
//!
//! In sudoku `(exactlyOne ?z ?m1 … ?m9)` holds of a billion rows, but each of its rules says something about each
//! of its variables alone, and so they can be eliminated one by one where the definition is in the body.
//!
//! A body with nine such conditions on the same variables would become as many rules as there are ways to choose
//! nine definitions. So each of them is first put into an auxiliary relation of its own, with a copy of the
//! conditions on its variables. That is the same where the head determines the variables: in every state there is
//! one way at most to satisfy the copies.

use crate::facts::FactStore;
use crate::invariants::Dependency;
use crate::program::Kind;
use crate::split::add_auxiliary;
use hashbrown::HashSet;
use senet_rules::{Atom, Literal, Pattern, RelId, Rule, Substitution, VarSet};
use senet_terms::Functor;

/// A definition with more rules stays what it is.
const MOST_RULES: usize = 16;
/// Nor is a relation unfolded if that makes more rules.
const MOST_NEW_RULES: usize = 2000;
/// Relations with so many facts in a definition are unfolded too.
const LARGE: u32 = 10_000;
/// Whether a static relation is a function is found out by looking at all its facts, if they are not more.
const MOST_ROWS: u32 = 100_000;

/// The rules with relations unfolded: static ones by stratum, and dynamic ones.
pub(crate) struct Unfolded {
    pub(crate) relations: Vec<RelId>,
    pub(crate) static_rules: Vec<Vec<Rule>>,
    pub(crate) dynamic_rules: Vec<Rule>,
}

/// The rules in which relations are unfolded, and what is known of them.
#[derive(Clone, Copy)]
pub(crate) struct Unfolder<'a> {
    pub(crate) static_rules: &'a [Vec<Rule>],
    pub(crate) dynamic_rules: &'a [Rule],
    pub(crate) dependencies: &'a [Dependency],
    /// By relation: whether all its facts are there.
    pub(crate) is_evaluated: &'a [bool],
}

impl<'a> Unfolder<'a> {
    /// Unfolds a relation wherever it is used, if that is possible, and large ones in its definition with it.
    pub(crate) fn unfold(self, store: &mut FactStore, relation: RelId) -> Option<Unfolded> {
        let mut unfolded = self.unfold_one(store, relation)?;
        for literal in self.definition(relation).flat_map(|rule| &rule.body) {
            let Literal::Positive(atom) = literal else { continue };
            if unfolded.relations.contains(&atom.relation)
                || store.tables[store.table_of(atom).index()].len() < LARGE
            {
                continue;
            }
            let Unfolded { static_rules, dynamic_rules, .. } = &unfolded;
            let next = Unfolder { static_rules, dynamic_rules, ..self };
            if let Some(further) = next.unfold(store, atom.relation) {
                let relations = [unfolded.relations, further.relations].concat();
                unfolded = Unfolded { relations, ..further };
            }
        }
        Some(unfolded)
    }

    fn unfold_one(self, store: &mut FactStore, relation: RelId) -> Option<Unfolded> {
        if !self.can_unfold(store, relation) {
            return None;
        }
        let Unfolder { static_rules, dynamic_rules, dependencies, is_evaluated } = self;
        let dependencies: Vec<(Functor, &Dependency)> = dependencies
            .iter()
            .map(|dependency| (store.terms.functor(dependency.functor, dependency.arity), dependency))
            .collect();
        let definition = self.definition(relation).cloned().collect();
        let mut unfolding = Unfolding { store, dependencies, is_evaluated, relation, definition, n_new: 0 };
        let mut new_static = Vec::with_capacity(static_rules.len());
        for rules in static_rules {
            new_static.push(unfolding.unfold_all(rules)?);
        }
        let mut isolated = Vec::with_capacity(dynamic_rules.len());
        for rule in dynamic_rules {
            unfolding.isolate(rule, &mut isolated);
        }
        let dynamic_rules = unfolding.unfold_all(&isolated)?;
        let unfolded = Unfolded { relations: vec![relation], static_rules: new_static, dynamic_rules };
        (unfolding.n_new > 0).then_some(unfolded)
    }

    fn can_unfold(self, store: &FactStore, relation: RelId) -> bool {
        let all = || self.static_rules.iter().flatten().chain(self.dynamic_rules);
        let is_negated =
            |literal: &Literal| matches!(literal, Literal::Negative(it) if it.relation == relation);
        store.relations[relation.index()].is_static()
            && self.definition(relation).count() <= MOST_RULES
            && self.definition(relation).any(|rule| !rule.body.is_empty())
            && !uses_itself(all(), relation)
            && !all().any(|rule| rule.body.iter().any(is_negated))
    }

    /// The rules that conclude a static relation.
    fn definition(self, relation: RelId) -> impl Iterator<Item = &'a Rule> {
        self.static_rules.iter().flatten().filter(move |rule| rule.head.relation == relation)
    }
}

/// One relation on its way out of all rules.
struct Unfolding<'a> {
    store: &'a mut FactStore,
    dependencies: Vec<(Functor, &'a Dependency)>,
    /// By relation: whether all its facts are there.
    is_evaluated: &'a [bool],
    relation: RelId,
    definition: Vec<Rule>,
    n_new: usize,
}

impl Unfolding<'_> {
    /// The rules without the relation and its definition; `None` if they become too many.
    fn unfold_all(&mut self, rules: &[Rule]) -> Option<Vec<Rule>> {
        let mut todo: Vec<Rule> = rules.iter().rev().cloned().collect();
        let mut done = Vec::with_capacity(rules.len());
        while let Some(rule) = todo.pop() {
            if rule.head.relation == self.relation {
                continue;
            }
            let Some(at) = rule.body.iter().position(|literal| self.is_use(literal)) else {
                done.push(rule);
                continue;
            };
            for definition in self.definition.iter().rev() {
                todo.extend(resolvent(self.store, &rule, at, definition));
                self.n_new += 1;
            }
            if self.n_new > MOST_NEW_RULES {
                return None;
            }
        }
        Some(done)
    }

    fn is_use(&self, literal: &Literal) -> bool {
        matches!(literal, Literal::Positive(atom) if atom.relation == self.relation)
    }

    /// Gives each use of the relation in a rule an auxiliary relation of its own, if there are several.
    fn isolate(&mut self, rule: &Rule, out: &mut Vec<Rule>) {
        let uses: Vec<usize> = (0..rule.body.len()).filter(|&at| self.is_use(&rule.body[at])).collect();
        let mut rule = rule.clone();
        if uses.len() > 1 {
            let order = self.determined(&rule);
            for at in uses {
                let Some(body) = needed(&rule, &order, at) else { continue };
                let mut vars = VarSet::default();
                body.iter().for_each(|literal| vars.extend(&literal.vars()));
                let kept: Vec<u32> = rule.head_vars().iter().filter(|&var| vars.contains(var)).collect();
                let relation = add_auxiliary(self.store, kept.len(), Some(Kind::Auxiliary), rule.origin);
                let head = Atom { relation, args: kept.into_iter().map(Pattern::Var).collect() };
                rule.body[at] = Literal::Positive(head.clone());
                out.push(rule.with(head, body));
            }
        }
        out.push(rule);
    }

    /// The conditions that have one solution at most for a head and what the conditions before them give.
    fn determined(&self, rule: &Rule) -> Vec<usize> {
        let mut order = Vec::new();
        let mut known = rule.head_vars();
        loop {
            let gives = |at: &usize| !rule.body[*at].vars().is_subset(&known);
            let next = (0..rule.body.len()).filter(gives).find(|&at| match &rule.body[at] {
                Literal::Positive(atom) => atom.relation != self.relation && self.has_one(atom, &known),
                _ => false,
            });
            let Some(next) = next else { return order };
            known.extend(&rule.body[next].vars());
            order.push(next);
        }
    }

    /// Whether an atom has one solution at most when some variables are known.
    fn has_one(&self, atom: &Atom, known: &VarSet) -> bool {
        let is_known = |arg: &Pattern| arg.all_vars(&|var| known.contains(var));
        match self.store.relations[atom.relation.index()].kind {
            Some(Kind::True) => {
                let Some((functor, args)) = atom.args[0].parts(&self.store.terms) else { return false };
                self.dependencies.iter().any(|(own, dependency)| {
                    *own == functor && dependency.key.iter().all(|&at| is_known(&args[at]))
                })
            }
            None if self.is_evaluated.get(atom.relation.index()) == Some(&true) => {
                let columns: Vec<usize> =
                    (0..atom.args.len()).filter(|&column| is_known(&atom.args[column])).collect();
                let table = &self.store.tables[self.store.table_of(atom).index()];
                let mut seen = HashSet::new();
                table.len() <= MOST_ROWS
                    && (0..table.len()).all(|at| {
                        let row = table.row(at);
                        seen.insert(columns.iter().map(|&column| row[column]).collect::<Vec<u32>>())
                    })
            }
            _ => false,
        }
    }
}

/// A condition with those of the determined ones that its variables need; `None` if that is not enough.
fn needed(rule: &Rule, order: &[usize], at: usize) -> Option<Vec<Literal>> {
    let head = rule.head_vars();
    let mut wanted = rule.body[at].vars();
    let mut body = vec![rule.body[at].clone()];
    let mut given = head.clone();
    for (place, &other) in order.iter().enumerate().rev() {
        let vars = rule.body[other].vars();
        // What this condition is the first to give.
        let mut before = head.clone();
        order[..place].iter().for_each(|&earlier| before.extend(&rule.body[earlier].vars()));
        if vars.iter().any(|var| wanted.contains(var) && !before.contains(var)) {
            wanted.extend(&vars);
            given.extend(&vars);
            body.push(rule.body[other].clone());
        }
    }
    wanted.is_subset(&given).then_some(body)
}

/// The rule with a condition replaced by the body of a rule that concludes it.
fn resolvent(store: &mut FactStore, rule: &Rule, at: usize, definition: &Rule) -> Option<Rule> {
    let Literal::Positive(used) = &rule.body[at] else { return None };
    let offset = rule.n_vars as u32;
    let mut rename = |pattern: &Pattern| pattern.map_vars(&mut |var| Pattern::Var(var + offset));
    let mut values = Substitution::new(rule.n_vars + definition.n_vars);
    for (used, given) in used.args.iter().zip(&definition.head.args) {
        values.unify(&rename(given), used, &store.terms).ok()?;
    }
    let mut body = rule.body.clone();
    body.splice(at..=at, definition.body.iter().map(|literal| literal.map_terms(&mut rename)));
    let mut new = Rule { body, n_vars: rule.n_vars + definition.n_vars, ..rule.clone() };
    values.apply(&mut new, &mut store.terms);
    let is_false = |literal: &Literal| matches!(literal, Literal::Distinct(left, right) if left == right);
    (!new.body.iter().any(is_false)).then_some(new)
}

/// Whether a relation depends on itself.
fn uses_itself<'r>(rules: impl Iterator<Item = &'r Rule>, relation: RelId) -> bool {
    let rules: Vec<&Rule> = rules.collect();
    let mut found = vec![relation];
    let mut at = 0;
    while at < found.len() {
        let user = found[at];
        for rule in rules.iter().filter(|rule| rule.head.relation == user) {
            for atom in rule.atoms() {
                if atom.relation == relation {
                    return true;
                }
                if !found.contains(&atom.relation) {
                    found.push(atom.relation);
                }
            }
        }
        at += 1;
    }
    false
}
