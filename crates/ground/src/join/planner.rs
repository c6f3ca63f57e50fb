//! Makes plans: in which order a body is joined, and how each condition is met.

use super::literal_order::{Candidate, Column, best_order};
use super::plan::{ColumnSlot, HEAD, Lookup, Plan, Purpose, Rows, Slot, Span, Step, Test};
use super::static_functions::add_determined;
use crate::facts::{FactStore, ViewId};
use crate::instances::Overlap;
use senet_rules::{Atom, Leaf, Literal, Pattern, Rule, VarSet};
use smallvec::SmallVec;

struct Planner<'a> {
    store: &'a mut FactStore,
    purpose: Purpose,
    head: &'a Atom,
    head_vars: VarSet,
    body: &'a [Literal],
    plan: &'a mut Plan,
    bound: VarSet,
    /// Literals that are not yet in the plan, with their variables.
    open: SmallVec<[(usize, VarSet); 4]>,
    is_head_known: bool,
    once_from: Option<usize>,
    overlaps: &'a [Overlap],
    /// The variables that tell instances (or heads) apart, and those that follow from them.
    telling: VarSet,
}

/// Plans the join of the body of a rule; with `first` the positive literal to begin with. Instances
/// that overlap with earlier rules are left out. What was planned before is forgotten.
pub(crate) fn plan(
    store: &mut FactStore,
    rule: &Rule,
    purpose: Purpose,
    first: Option<usize>,
    overlaps: &[Overlap],
    plan: &mut Plan,
) {
    let Rule { head, body, n_vars, .. } = rule;
    let mut candidates: SmallVec<[Candidate; 6]> = SmallVec::new();
    let mut columns: SmallVec<[Column; 16]> = SmallVec::new();
    let mut open: SmallVec<[(usize, VarSet); 4]> = SmallVec::new();
    for (literal, condition) in body.iter().enumerate() {
        let Literal::Positive(atom) = condition else {
            open.push((literal, condition.vars()));
            continue;
        };
        let view = synced_view(store, atom);
        let (first, mut vars) = (columns.len(), VarSet::default());
        atom.for_each_leaf(&mut |leaf| {
            let is_repeated = matches!(leaf, Leaf::Var(var) if !vars.add(var));
            columns.push(Column::new(leaf, is_repeated));
        });
        candidates.push(Candidate { literal, view, columns: first..columns.len(), vars });
    }
    let (candidates, columns) = (candidates.as_slice(), columns.as_slice());
    let (order, estimate) = best_order(store, candidates, columns, first);
    let head_vars = head.vars();
    let mut telling = head_vars.clone();
    if purpose != Purpose::Facts {
        let conditions = candidates.iter().map(|it| (it.literal, &it.vars));
        for (literal, vars) in conditions.chain(open.iter().map(|(literal, vars)| (*literal, vars))) {
            if let Literal::Positive(atom) | Literal::Negative(atom) = &body[literal]
                && !store.relations[atom.relation.index()].is_static()
            {
                telling.extend(vars);
            }
        }
        if candidates.iter().any(|candidate| !candidate.vars.is_subset(&telling)) {
            add_determined(store, rule, &mut telling);
        }
    }
    plan.clear(*n_vars);
    let mut planner = Planner {
        store,
        purpose,
        head,
        head_vars,
        body,
        plan,
        bound: VarSet::default(),
        open,
        is_head_known: false,
        once_from: None,
        overlaps,
        telling,
    };
    planner.take_what_is_bound();
    for at in order {
        let candidate = &candidates[at];
        planner.join(candidate, &columns[candidate.columns.clone()], first);
        planner.take_what_is_bound();
    }
    planner.finish(estimate, first.is_some());
}

/// The view through which an atom looks at its table, with all rows.
fn synced_view(store: &mut FactStore, atom: &Atom) -> ViewId {
    let table = store.table_of(atom);
    let FactStore { views, tables, terms, .. } = store;
    let view = views.view(table, atom);
    views.sync(view, tables, terms);
    view
}

impl Planner<'_> {
    fn slot(&mut self, pattern: &Pattern) -> Slot {
        match pattern {
            Pattern::Var(var) => *var,
            Pattern::Ground(term) => self.plan.new_slot(*term),
            Pattern::App(functor, args) => {
                let args = self.slots_of(args);
                let slot = self.plan.new_slot(0);
                self.plan.steps.push(Step::Build { functor: *functor, args, slot });
                slot
            }
        }
    }

    fn slots_of(&mut self, args: &[Pattern]) -> Span {
        let first = self.plan.args.len();
        let end = first + args.len();
        // The arguments of terms to build come behind.
        self.plan.args.resize(end, 0);
        for (place, arg) in (first..end).zip(args) {
            self.plan.args[place] = self.slot(arg);
        }
        Span { first: first as u32, end: end as u32 }
    }

    /// How to look up a whole row of an atom, if its table is complete.
    fn lookup(&mut self, atom: &Atom) -> Option<Lookup> {
        if self.purpose == Purpose::Facts {
            return None;
        }
        let view = synced_view(self.store, atom);
        Some(self.lookup_in(view, atom))
    }

    fn lookup_in(&mut self, view: ViewId, atom: &Atom) -> Lookup {
        let FactStore { views, tables, terms, .. } = &mut *self.store;
        let way = views.lookup(view, tables, terms.n_terms());
        let plan = &mut *self.plan;
        let first = plan.args.len();
        atom.for_each_leaf(&mut |leaf| {
            let slot = plan.slot_of_leaf(leaf);
            plan.args.push(slot);
        });
        Lookup { view, way, key: Span::since(first, &plan.args) }
    }

    fn join(&mut self, candidate: &Candidate, columns: &[Column], first: Option<usize>) {
        let &Candidate { literal, view, ref vars, .. } = candidate;
        if vars.is_subset(&self.bound) && first != Some(literal) {
            let body = self.body;
            let Literal::Positive(atom) = &body[literal] else { unreachable!("only atoms are joined") };
            let step = if self.purpose == Purpose::Facts {
                let FactStore { views, tables, terms, .. } = &mut *self.store;
                let way = views.growing_lookup(view, tables, terms.n_terms());
                Step::Holds { literal, lookup: Lookup { view, way, key: self.slots_of(&atom.args) } }
            } else {
                Step::Finds { literal, lookup: self.lookup_in(view, atom), is_wanted: true }
            };
            self.plan.steps.push(step);
            return;
        }
        let (known, bind, same) = self.divide(columns);
        // A window of new rows is scanned: an index would lead to the old ones as well.
        let mut index = None;
        if !known.is_empty() && first != Some(literal) {
            let known = known.of(&self.plan.columns);
            let columns: SmallVec<[u32; 8]> = known.iter().map(|&(column, _)| column).collect();
            let FactStore { views, tables, terms, .. } = &mut *self.store;
            let is_first = !self.plan.steps.iter().any(|step| matches!(step, Step::Rows(_)));
            let found = match is_first {
                true => views.index_for_once(view, tables, terms.n_terms(), &columns),
                false => Some(views.index(view, tables, terms.n_terms(), &columns)),
            };
            if let Some(found) = found {
                let first = self.plan.args.len();
                self.plan.args.extend(known.iter().map(|&(_, slot)| slot));
                index = Some((found as u32, Span::since(first, &self.plan.args)));
            }
        }
        let known = if index.is_some() { Span::default() } else { known };
        self.plan.steps.push(Step::Rows(Rows { literal, view, index, known, bind, same }));
    }

    /// The columns of a view that are known before, those that give a value, and those that must
    /// agree with one. Afterwards all are bound.
    fn divide(&mut self, columns: &[Column]) -> (Span, Span, Span) {
        let plan = &mut *self.plan;
        let is_known = |leaf: Leaf, before: &VarSet| match leaf {
            Leaf::Var(var) => before.contains(var),
            Leaf::Ground(_) => true,
        };
        let first = plan.columns.len();
        for (column, leaf) in (0..).zip(columns.iter().map(|column| column.leaf)) {
            if is_known(leaf, &self.bound) {
                let slot = plan.slot_of_leaf(leaf);
                plan.columns.push((column, slot));
            }
        }
        let known = Span::since(first, &plan.columns);
        let first = plan.columns.len();
        let mut same: SmallVec<[ColumnSlot; 4]> = SmallVec::new();
        let mut new = VarSet::default();
        for (column, leaf) in (0..).zip(columns.iter().map(|column| column.leaf)) {
            match leaf {
                Leaf::Var(var) if new.contains(var) => same.push((column, var)),
                Leaf::Var(var) if !self.bound.contains(var) => {
                    new.insert(var);
                    plan.columns.push((column, var));
                }
                _ => {}
            }
        }
        self.bound.extend(&new);
        let bind = Span::since(first, &plan.columns);
        let first = plan.columns.len();
        plan.columns.extend_from_slice(&same);
        (known, bind, Span::since(first, &plan.columns))
    }

    /// Everything that can be decided now is decided before the next join.
    fn take_what_is_bound(&mut self) {
        let mut at = 0;
        while at < self.open.len() {
            if !self.open[at].1.is_subset(&self.bound) {
                at += 1;
                continue;
            }
            let (literal, _) = self.open.remove(at);
            self.take(literal);
        }
        if !self.is_head_known && self.head_vars.is_subset(&self.bound) {
            self.is_head_known = true;
            let is_growing = self.purpose == Purpose::Auxiliary;
            let lookup = if is_growing { None } else { self.lookup(self.head) };
            let args = if lookup.is_some() { Span::default() } else { self.slots_of(&self.head.args) };
            self.plan.head = args;
            // Facts are numbered when they are stored.
            self.plan.steps.push(match self.purpose {
                Purpose::Facts => Step::NewHead,
                _ => Step::Number { literal: HEAD, args, lookup },
            });
        }
        if self.once_from.is_none() && self.telling.is_subset(&self.bound) {
            self.leave_out_overlaps();
            self.once_from = Some(self.plan.steps.len());
        }
    }

    /// Decides a condition that binds nothing.
    fn take(&mut self, literal: usize) {
        let body = self.body;
        match &body[literal] {
            Literal::Distinct(left, right) => {
                let (left, right) = (self.slot(left), self.slot(right));
                self.plan.steps.push(Step::Differ(left, right));
            }
            Literal::Negative(atom) => {
                let table = self.store.table_of(atom);
                let is_static = self.store.relations[atom.relation.index()].is_static();
                let step = if is_static && let Some(lookup) = self.lookup(atom) {
                    Step::Finds { literal, lookup, is_wanted: false }
                } else if is_static {
                    Step::Fails { table, args: self.slots_of(&atom.args) }
                } else if let Some(lookup) = self.lookup(atom) {
                    let keeps = self.purpose == Purpose::Instances { keeps_impossible: true };
                    let args = if keeps { self.slots_of(&atom.args) } else { Span::default() };
                    Step::Number { literal, args, lookup: Some(lookup) }
                } else {
                    return;
                };
                self.plan.steps.push(step);
            }
            Literal::Positive(_) => unreachable!("positive literals are joined"),
        }
    }

    /// Whether an earlier rule has an instance is known as soon as the instance is.
    fn leave_out_overlaps(&mut self) {
        for Overlap { same, conditions, sets } in self.overlaps {
            let mut tests = Vec::with_capacity(same.len() + conditions.len());
            for (left, right) in same {
                let (left, right) = (self.slot(left), self.slot(right));
                tests.push(Test::Same { left, right, is_wanted: true });
            }
            for condition in conditions {
                tests.push(match condition {
                    Literal::Distinct(left, right) => {
                        let (left, right) = (self.slot(left), self.slot(right));
                        Test::Same { left, right, is_wanted: false }
                    }
                    Literal::Positive(atom) | Literal::Negative(atom) => {
                        let lookup = self.lookup(atom).expect("static relations are complete");
                        Test::Finds { lookup, is_wanted: condition.is_positive() }
                    }
                });
            }
            let [ours, theirs] = sets;
            let ours = ours.iter().map(|atom| self.slots_of(&atom.leaves)).collect();
            let theirs = theirs.iter().map(|atom| self.slots_of(&atom.leaves)).collect();
            self.plan.steps.push(Step::Unless { tests, sets: Box::new([ours, theirs]) });
        }
    }

    fn finish(self, estimate: f64, is_for_new_rows: bool) {
        assert!(self.is_head_known, "the variables of a head are bound by the body");
        let plan = self.plan;
        plan.once_from = self.once_from.unwrap_or(plan.steps.len());
        // Storing a fact looks for it anyway: to look before is worth it where more work follows.
        // Of what new rows of a recursive relation give most is ruled out by the other conditions.
        let least = if is_for_new_rows { 3 } else { 1 };
        if let Some(at) = plan.steps.iter().position(|step| matches!(step, Step::NewHead))
            && plan.steps[at..].iter().map(Step::weight).sum::<u32>() < least
        {
            plan.steps.remove(at);
            plan.once_from -= usize::from(plan.once_from > at);
        }
        let telling = &self.telling;
        plan.repeats = plan.steps[..plan.once_from].iter().any(|step| match step {
            Step::Rows(rows) => rows.bind.of(&plan.columns).iter().any(|&(_, slot)| !telling.contains(slot)),
            _ => false,
        });
        plan.estimate = estimate;
    }
}
