//! In which order a body is joined, and how each condition is met.

use crate::determined::add_determined;
use crate::overlap::Overlap;
use crate::rule::{Atom, Literal, Pattern, Relation, Rule, VarSet};
use crate::table::{Table, TableId};
use crate::terms::{Functor, Terms};
use crate::view::{ViewId, Views, Way};

/// Place of a value while a body is joined: variables first, then constants and terms that are built.
pub(crate) type Slot = u32;

/// What all joins work on.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) terms: Terms,
    pub(crate) tables: Vec<Table>,
    pub(crate) views: Views,
    pub(crate) relations: Vec<Relation>,
}

impl Store {
    pub(crate) fn table_of(&self, atom: &Atom) -> TableId {
        self.relations[atom.relation.index()].table
    }

    pub(crate) fn bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(Table::bytes).sum();
        self.terms.bytes() + tables + self.views.bytes()
    }

    pub(crate) fn n_facts(&self) -> usize {
        self.tables.iter().map(|table| table.len() as usize).sum()
    }
}

/// A part of the work of a join.
#[derive(Debug)]
pub(crate) enum Step {
    /// Goes on with each row of a view that agrees with what is known.
    Rows {
        literal: usize,
        view: ViewId,
        /// The index to use and the values to look up.
        index: Option<(usize, Vec<Slot>)>,
        /// Columns that must have a value known before.
        known: Vec<(usize, Slot)>,
        /// Columns that give a value.
        bind: Vec<(usize, Slot)>,
        /// Columns that must agree with one bound just now.
        same: Vec<(usize, Slot)>,
    },
    /// Goes on if a positive literal without unknowns holds.
    Holds { literal: usize, table: TableId, args: Vec<Slot> },
    /// Goes on if a literal without unknowns holds, or if it does not, in a view that is complete.
    Finds { literal: usize, lookup: Lookup, is_wanted: bool },
    /// Goes on if a static atom does not hold.
    Fails { table: TableId, args: Vec<Slot> },
    /// Goes on if two values differ.
    Differ(Slot, Slot),
    /// Puts together a term.
    Build { functor: Functor, args: Vec<Slot>, slot: Slot },
    /// Goes on if the head was not derived before.
    NewHead,
    /// Goes on unless all tests succeed and two sets of rows are the same.
    Unless { tests: Vec<Test>, ours: Vec<Vec<Slot>>, theirs: Vec<Vec<Slot>> },
    /// Finds the number of the atom of a negative literal or of the head.
    Number { literal: usize, args: Vec<Slot>, lookup: Option<Lookup> },
}

impl Step {
    /// About how often memory is looked at far away, or too often to say.
    fn weight(&self) -> u32 {
        match self {
            Step::Rows { .. } => 100,
            Step::Holds { .. } | Step::Fails { .. } | Step::Finds { .. } | Step::Build { .. } => 1,
            _ => 0,
        }
    }
}

/// A question about known values.
#[derive(Debug)]
pub(crate) enum Test {
    Same { left: Slot, right: Slot, is_wanted: bool },
    Finds { lookup: Lookup, is_wanted: bool },
}

/// Where a whole row is looked up.
#[derive(Debug)]
pub(crate) struct Lookup {
    pub(crate) view: ViewId,
    pub(crate) way: Way,
    pub(crate) key: Vec<Slot>,
}

/// How a rule is evaluated.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// Values of the slots before the first step.
    pub(crate) slots: Vec<u32>,
    /// From this step on one success is enough.
    pub(crate) once_from: usize,
    /// Whether the same answer can be found more than once.
    pub(crate) repeats: bool,
    /// The arguments of the head.
    pub(crate) head: Vec<Slot>,
    /// An estimate of how often the last step succeeds.
    pub(crate) estimate: f64,
}

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The facts that follow: dynamic negation is dropped, a head is needed once.
    Facts,
    /// The instances of the rule: each with the numbers of its dynamic atoms. Negated atoms that cannot hold may be
    /// kept.
    Instances { keeps_underived: bool },
    /// The same for an auxiliary relation, which gets its facts at the same time.
    Auxiliary,
}

/// The number of a literal that stands for the head.
pub(crate) const HEAD: usize = usize::MAX;

/// A positive literal as the planner sees it.
struct Candidate {
    literal: usize,
    view: ViewId,
    leaves: Vec<Pattern>,
    vars: VarSet,
}

struct Planner<'a> {
    store: &'a mut Store,
    purpose: Purpose,
    head: &'a Atom,
    body: &'a [Literal],
    steps: Vec<Step>,
    slots: Vec<u32>,
    bound: VarSet,
    /// Literals that are not yet in the plan.
    open: Vec<usize>,
    is_head_known: bool,
    once_from: Option<usize>,
    overlaps: &'a [Overlap],
    /// The variables that tell instances (or heads) apart, and those that follow from them.
    telling: VarSet,
}

/// Plans the join of the body of a rule; with `first` the positive literal to begin with. Instances that overlap with
/// earlier rules are left out.
pub(crate) fn plan(
    store: &mut Store,
    rule: &Rule,
    purpose: Purpose,
    first: Option<usize>,
    overlaps: &[Overlap],
) -> Plan {
    let Rule { head, body, n_vars, .. } = rule;
    let mut candidates = Vec::new();
    for (literal, condition) in body.iter().enumerate() {
        let Literal::Positive(atom) = condition else { continue };
        let table = store.table_of(atom);
        let (view, leaves) = store.views.view(table, atom);
        let Store { views, tables, terms, .. } = store;
        views.sync(view, tables, terms);
        candidates.push(Candidate { literal, view, leaves, vars: condition.vars() });
    }
    let (order, estimate) = best_order(store, candidates, first);
    let mut telling = VarSet::default();
    head.for_each_var(&mut |var| telling.insert(var));
    if purpose != Purpose::Facts {
        for literal in body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal
                && !store.relations[atom.relation.index()].is_static()
            {
                telling.extend(&literal.vars());
            }
        }
        add_determined(store, rule, &mut telling);
    }
    let open = (0..body.len()).filter(|&at| !body[at].is_positive()).collect();
    let mut planner = Planner {
        store,
        purpose,
        head,
        body,
        steps: Vec::new(),
        slots: vec![0; *n_vars as usize],
        bound: VarSet::default(),
        open,
        is_head_known: false,
        once_from: None,
        overlaps,
        telling,
    };
    planner.take_what_is_bound();
    for candidate in order {
        planner.join(candidate, first);
        planner.take_what_is_bound();
    }
    planner.finish(estimate, first.is_some())
}

impl Planner<'_> {
    fn slot(&mut self, pattern: &Pattern) -> Slot {
        match pattern {
            Pattern::Var(var) => *var,
            Pattern::Ground(term) => {
                self.slots.push(*term);
                self.slots.len() as Slot - 1
            }
            Pattern::App(functor, args) => {
                let args = args.iter().map(|arg| self.slot(arg)).collect();
                self.slots.push(0);
                let slot = self.slots.len() as Slot - 1;
                self.steps.push(Step::Build { functor: *functor, args, slot });
                slot
            }
        }
    }

    fn slots_of(&mut self, args: &[Pattern]) -> Vec<Slot> {
        args.iter().map(|arg| self.slot(arg)).collect()
    }

    /// How to look up a whole row of an atom, if its table is complete.
    fn lookup(&mut self, atom: &Atom) -> Option<Lookup> {
        if self.purpose == Purpose::Facts {
            return None;
        }
        let table = self.store.table_of(atom);
        let (view, leaves) = self.store.views.view(table, atom);
        let Store { views, tables, terms, .. } = &mut *self.store;
        views.sync(view, tables, terms);
        let way = views.lookup(view, tables, terms.len());
        Some(Lookup { view, way, key: self.slots_of(&leaves) })
    }

    fn join(&mut self, candidate: Candidate, first: Option<usize>) {
        let Candidate { literal, view, leaves, vars } = candidate;
        let Literal::Positive(atom) = &self.body[literal] else { unreachable!("only atoms are joined") };
        if vars.is_subset(&self.bound) && first != Some(literal) {
            if let Some(lookup) = self.lookup(atom) {
                self.steps.push(Step::Finds { literal, lookup, is_wanted: true });
                return;
            }
            let table = self.store.table_of(atom);
            let args = self.slots_of(&atom.args);
            self.steps.push(Step::Holds { literal, table, args });
            return;
        }
        let (mut known, mut bind, mut same) = (Vec::new(), Vec::new(), Vec::new());
        let before = self.bound.clone();
        for (column, leaf) in leaves.iter().enumerate() {
            match leaf {
                Pattern::Var(var) if !before.contains(*var) => {
                    if self.bound.contains(*var) {
                        same.push((column, *var));
                    } else {
                        self.bound.insert(*var);
                        bind.push((column, *var));
                    }
                }
                leaf => known.push((column, self.slot(leaf))),
            }
        }
        // A window of new rows is scanned: an index would lead to the old ones as well.
        let mut index = None;
        if !known.is_empty() && first != Some(literal) {
            let columns: Vec<usize> = known.iter().map(|&(column, _)| column).collect();
            let Store { views, tables, .. } = &mut *self.store;
            let is_first = !self.steps.iter().any(|step| matches!(step, Step::Rows { .. }));
            let found = match is_first {
                true => views.index_for_once(view, tables, &columns),
                false => Some(views.index(view, tables, &columns)),
            };
            index = found.map(|index| (index, known.drain(..).map(|(_, slot)| slot).collect()));
        }
        self.steps.push(Step::Rows { literal, view, index, known, bind, same });
    }

    /// Everything that can be decided now is decided before the next join.
    fn take_what_is_bound(&mut self) {
        let mut at = 0;
        while at < self.open.len() {
            let literal = self.open[at];
            if !self.body[literal].vars().is_subset(&self.bound) {
                at += 1;
                continue;
            }
            self.open.remove(at);
            match &self.body[literal] {
                Literal::Distinct(left, right) => {
                    let (left, right) = (self.slot(left), self.slot(right));
                    self.steps.push(Step::Differ(left, right));
                }
                Literal::Negative(atom) => {
                    let table = self.store.table_of(atom);
                    let is_static = self.store.relations[atom.relation.index()].is_static();
                    if is_static && let Some(lookup) = self.lookup(atom) {
                        self.steps.push(Step::Finds { literal, lookup, is_wanted: false });
                    } else if is_static {
                        let args = self.slots_of(&atom.args);
                        self.steps.push(Step::Fails { table, args });
                    } else if let Some(lookup) = self.lookup(atom) {
                        let keeps = self.purpose == Purpose::Instances { keeps_underived: true };
                        let args = if keeps { self.slots_of(&atom.args) } else { Vec::new() };
                        self.steps.push(Step::Number { literal, args, lookup: Some(lookup) });
                    }
                }
                Literal::Positive(_) => unreachable!("positive literals are joined"),
            }
        }
        let mut head_vars = VarSet::default();
        self.head.for_each_var(&mut |var| head_vars.insert(var));
        if !self.is_head_known && head_vars.is_subset(&self.bound) {
            self.is_head_known = true;
            let is_growing = self.purpose == Purpose::Auxiliary;
            let lookup = if is_growing { None } else { self.lookup(self.head) };
            let args = if lookup.is_some() { Vec::new() } else { self.slots_of(&self.head.args) };
            self.steps.push(Step::Number { literal: HEAD, args, lookup });
            if self.purpose == Purpose::Facts {
                self.steps.push(Step::NewHead);
            }
        }
        if self.once_from.is_none() && self.telling.is_subset(&self.bound) {
            self.leave_out_overlaps();
            self.once_from = Some(self.steps.len());
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
            self.steps.push(Step::Unless { tests, ours, theirs });
        }
    }

    fn finish(mut self, estimate: f64, is_for_new_rows: bool) -> Plan {
        let at = self.steps.iter().position(|step| matches!(step, Step::Number { literal: HEAD, .. }));
        let at = at.expect("the variables of a head are bound by the body");
        let Step::Number { args, .. } = &mut self.steps[at] else { unreachable!("just found") };
        // The facts are numbered when they are stored: only their arguments are needed here.
        let head = if self.purpose == Purpose::Facts { std::mem::take(args) } else { args.clone() };
        let mut once_from = self.once_from.unwrap_or(self.steps.len());
        if self.purpose == Purpose::Facts {
            self.steps.remove(at);
            once_from -= usize::from(once_from > at);
        }
        // Storing a fact looks for it anyway: to look before is worth it where more work follows. Of what new rows
        // of a recursive relation give most is ruled out by the other conditions.
        let least = if is_for_new_rows { 3 } else { 1 };
        if let Some(at) = self.steps.iter().position(|step| matches!(step, Step::NewHead))
            && self.steps[at..].iter().map(Step::weight).sum::<u32>() < least
        {
            self.steps.remove(at);
            once_from -= usize::from(once_from > at);
        }
        let telling = &self.telling;
        let repeats = self.steps[..once_from].iter().any(|step| match step {
            Step::Rows { bind, .. } => bind.iter().any(|&(_, slot)| !telling.contains(slot)),
            _ => false,
        });
        Plan { steps: self.steps, slots: self.slots, once_from, repeats, head, estimate }
    }
}

/// How many rows of a view agree with the bound columns, by its distinct counts.
fn matches(store: &Store, candidate: &Candidate, bound: &VarSet) -> f64 {
    let view = store.views.get(candidate.view);
    let mut estimate = f64::from(view.len());
    let mut seen = VarSet::default();
    for (column, leaf) in candidate.leaves.iter().enumerate() {
        let is_fixed = match leaf {
            Pattern::Var(var) => {
                let is_fixed = bound.contains(*var) || seen.contains(*var);
                seen.insert(*var);
                is_fixed
            }
            _ => true,
        };
        if is_fixed {
            estimate /= f64::from(view.distinct(&store.tables, column, store.terms.len()));
        }
    }
    estimate
}

/// The order with the fewest rows looked at, by estimates: the best greedy one over all beginnings.
fn best_order(store: &Store, candidates: Vec<Candidate>, first: Option<usize>) -> (Vec<Candidate>, f64) {
    /// With more literals only the smallest beginnings are tried.
    const BEGINNINGS: usize = 8;
    /// The order of longer bodies is found from one beginning.
    const LONG: usize = 32;
    let n = candidates.len();
    let most = if n > LONG { 1 } else { BEGINNINGS };
    let mut beginnings: Vec<usize> = match first {
        Some(first) => {
            vec![candidates.iter().position(|it| it.literal == first).expect("a positive literal")]
        }
        None => (0..n).collect(),
    };
    let none = VarSet::default();
    if beginnings.len() > most {
        let size = |&at: &usize| matches(store, &candidates[at], &none);
        beginnings.sort_by(|left, right| size(left).total_cmp(&size(right)));
        beginnings.truncate(most);
    }
    let mut best: Option<(f64, f64, Vec<usize>)> = None;
    for beginning in beginnings {
        let mut order = vec![beginning];
        let mut bound = candidates[beginning].vars.clone();
        let mut rows = matches(store, &candidates[beginning], &none);
        let mut cost = rows;
        while order.len() < n {
            let open = (0..n).filter(|at| !order.contains(at));
            let (next, factor) = open
                .map(|at| (at, matches(store, &candidates[at], &bound)))
                .min_by(|left, right| left.1.total_cmp(&right.1))
                .expect("some literal is left");
            rows *= factor;
            cost += rows;
            bound.extend(&candidates[next].vars);
            order.push(next);
        }
        if best.as_ref().is_none_or(|(known, ..)| cost < *known) {
            best = Some((cost, rows, order));
        }
    }
    let (_, rows, order) = best.unwrap_or((0.0, 1.0, Vec::new()));
    let mut candidates: Vec<_> = candidates.into_iter().map(Some).collect();
    let order = order.into_iter().map(|at| candidates[at].take().expect("each literal once")).collect();
    (order, rows)
}
