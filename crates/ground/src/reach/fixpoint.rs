//! Semi-naive evaluation: every combination of facts is looked at once.

use super::wake::{Todo, Users};
use crate::facts::{FactStore, Table, TableId, ViewId};
use crate::join::{self, Found, Plan, Purpose, Scratch, Sink, Window, plan};
use crate::limits::{Limits, Stopping};
use senet_analysis::RuleId;
use senet_rules::{Literal, Pattern, RelId, Rule};
use smallvec::SmallVec;

/// Planning the join of a longer body takes so long that the budget is looked at before.
const LONG: usize = 32;

/// A rule that waits for new facts.
pub(super) struct Waiting {
    pub(super) rule: Rule,
    head_table: TableId,
    pub(super) inputs: Vec<Input>,
    has_begun: bool,
    n_derived: usize,
    /// With more facts the relation is looked at.
    most: u32,
    outlook: Outlook,
}

/// How many facts a rule will derive, by an estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outlook {
    Few,
    /// Perhaps too many.
    Uncertain,
    /// Far too many.
    Hopeless,
}

/// More facts than this may be too many ...
const MANY: f64 = 1e6;
/// ... and more than this are not waited for.
const FAR_TOO_MANY: f64 = 4e6;

/// A positive literal of a waiting rule.
pub(super) struct Input {
    literal: usize,
    table: TableId,
    view: ViewId,
    /// How many rows of the table were used.
    seen: u32,
    /// How to join when this literal has new rows.
    planned: Option<Box<Planned>>,
}

struct Planned {
    plan: Plan,
    /// How many rows all inputs had then.
    n_rows: u64,
}

/// What stopped an evaluation.
pub(crate) struct Halt {
    pub(crate) stopping: Stopping,
    /// The relation whose facts were being derived.
    pub(crate) relation: RelId,
    /// The rules that derived most.
    pub(crate) busiest: Vec<(RuleId, usize)>,
}

impl Halt {
    pub(crate) fn at(stopping: Stopping, rule: &Rule) -> Halt {
        Halt { stopping, relation: rule.head.relation, busiest: vec![(rule.origin, 0)] }
    }
}

/// Facts are added so many at a time.
const BATCH: usize = 64;

/// Memory that rules use one after the other.
#[derive(Default)]
struct Work {
    plan: Plan,
    running: Running,
}

#[derive(Default)]
struct Running {
    found: Vec<u32>,
    scratch: Scratch,
}

struct Facts<'a> {
    table: TableId,
    n_derived: usize,
    /// With more facts the relation is looked at.
    most: u32,
    /// The facts that were found and not yet added.
    found: &'a mut Vec<u32>,
    n_found: usize,
}

impl Facts<'_> {
    fn add_all(&mut self, tables: &mut [Table], limits: &mut Limits) -> Result<(), Stopping> {
        if self.n_found == 0 {
            return Ok(());
        }
        let table = &mut tables[self.table.index()];
        let before = table.len();
        table.insert_all(self.found);
        let n_new = (table.len() - before) as usize;
        self.n_derived += n_new;
        limits.progress.facts += n_new;
        // The row, its number in the table, a view and an index.
        limits.add_memory(n_new * (self.found.len() / self.n_found * 8 + 32))?;
        self.found.clear();
        self.n_found = 0;
        if n_new > 0 && table.len() > self.most { Err(Stopping::Soft) } else { Ok(()) }
    }
}

/// Decides what happens to relations with many facts.
pub(crate) trait Watch {
    /// With more facts a relation is looked at.
    fn most(&self, store: &FactStore, relation: RelId) -> u32;

    /// How many facts it may have then; `None` to stop with [`Stopping::Soft`].
    fn look_at(&mut self, store: &mut FactStore, relation: RelId, outlook: Outlook) -> Option<u32>;
}

impl Sink for Facts<'_> {
    fn found(
        &mut self,
        tables: &mut [Table],
        limits: &mut Limits,
        found: &Found<'_>,
    ) -> Result<(), Stopping> {
        self.found.extend(found.head());
        self.n_found += 1;
        if self.n_found == BATCH { self.add_all(tables, limits) } else { Ok(()) }
    }

    fn number(&mut self, _: usize, _: &[u32], _: Option<u32>) -> Option<u32> {
        Some(0)
    }
}

/// Derives everything that follows by the rules. Dynamic negation is dropped: g(R).
pub(crate) fn saturate(
    store: &mut FactStore,
    limits: &mut Limits,
    rules: Vec<Rule>,
    mut watch: Option<&mut dyn Watch>,
) -> Result<(), Halt> {
    if rules.is_empty() {
        return Ok(());
    }
    let mut waiting: Vec<Waiting> = Vec::new();
    for rule in rules {
        if add_fact(store, &rule) {
            continue;
        }
        let most = watch.as_ref().map_or(u32::MAX, |watch| watch.most(store, rule.head.relation));
        waiting.push(wait(store, rule, most));
    }
    let users = Users::new(store, &waiting);
    let mut todo = Todo::all(waiting.len());
    let mut work = Work::default();
    while let Some(at) = todo.take_first() {
        let rule = &mut waiting[at];
        let before = store.tables[rule.head_table.index()].len();
        let mut fired = rule.fire(store, limits, &mut work);
        let relation = rule.rule.head.relation;
        while fired == Err(Stopping::Soft)
            && let Some(watch) = &mut watch
            && let Some(most) = watch.look_at(store, relation, waiting[at].outlook)
        {
            for other in waiting.iter_mut().filter(|other| other.rule.head.relation == relation) {
                other.most = most;
            }
            waiting[at].begin_again();
            fired = waiting[at].fire(store, limits, &mut work);
        }
        let head_table = waiting[at].head_table;
        if let Err(stopping) = fired {
            // The rule at work comes first, whether it has found something or not.
            let mut busiest = vec![(waiting[at].rule.origin, waiting[at].n_derived)];
            waiting.sort_by_key(|rule| std::cmp::Reverse(rule.n_derived));
            let counts = waiting.iter().map(|rule| (rule.rule.origin, rule.n_derived));
            let at_work = busiest[0];
            busiest.extend(counts.filter(|count| count.1 > 0 && *count != at_work).take(5));
            return Err(Halt { stopping, relation, busiest });
        }
        users.wake(store, head_table, before, &mut todo);
    }
    Ok(())
}

/// Stores a rule that is a fact without variables and nested terms to build. False if it is another.
pub(crate) fn add_fact(store: &mut FactStore, rule: &Rule) -> bool {
    if !rule.body.is_empty() || rule.n_vars > 0 {
        return false;
    }
    let row: Option<SmallVec<[u32; 8]>> = rule
        .head
        .args
        .iter()
        .map(|arg| if let Pattern::Ground(term) = arg { Some(*term) } else { None })
        .collect();
    let Some(row) = row else { return false };
    let table = store.table_of(&rule.head);
    store.tables[table.index()].insert(&row);
    true
}

fn wait(store: &mut FactStore, mut rule: Rule, most: u32) -> Waiting {
    let FactStore { relations, .. } = store;
    rule.body.retain(|literal| match literal {
        Literal::Negative(atom) => relations[atom.relation.index()].is_static(),
        _ => true,
    });
    let mut inputs = Vec::new();
    for (literal, condition) in rule.body.iter().enumerate() {
        let Literal::Positive(atom) = condition else { continue };
        let table = store.table_of(atom);
        let view = store.views.view(table, atom);
        inputs.push(Input { literal, table, view, seen: 0, planned: None });
    }
    let head_table = store.table_of(&rule.head);
    Waiting { rule, head_table, inputs, has_begun: false, n_derived: 0, most, outlook: Outlook::Few }
}

impl Waiting {
    fn begin_again(&mut self) {
        self.has_begun = false;
        self.inputs.iter_mut().for_each(|input| input.seen = 0);
    }

    /// Derives what follows from facts that came since last time.
    fn fire(&mut self, store: &mut FactStore, limits: &mut Limits, work: &mut Work) -> Result<(), Stopping> {
        let ends: SmallVec<[u32; 8]> =
            self.inputs.iter().map(|input| store.tables[input.table.index()].len()).collect();
        if !self.has_begun {
            if ends.contains(&0) {
                return Ok(());
            }
            self.has_begun = true;
            plan(store, &self.rule, Purpose::Facts, None, &[], &mut work.plan);
            self.outlook = match work.plan.estimate {
                rows if rows > FAR_TOO_MANY && is_all_in_head(&self.rule) => Outlook::Hopeless,
                rows if rows > MANY => Outlook::Uncertain,
                _ => Outlook::Few,
            };
            self.inputs.iter_mut().zip(&ends).for_each(|(input, &end)| input.seen = end);
            return self.run(store, limits, &mut work.running, &work.plan, None);
        }
        for (at, end) in ends.into_iter().enumerate() {
            if end > self.inputs[at].seen {
                self.fire_input(store, limits, &mut work.running, at, end)?;
                self.inputs[at].seen = end;
            }
        }
        Ok(())
    }

    fn fire_input(
        &mut self,
        store: &mut FactStore,
        limits: &mut Limits,
        work: &mut Running,
        at: usize,
        end: u32,
    ) -> Result<(), Stopping> {
        let Input { view, seen, literal, .. } = self.inputs[at];
        let FactStore { views, tables, terms, .. } = store;
        views.sync(view, tables, terms);
        let (from, to) = (views.get(view).first_from(seen), views.get(view).first_from(end));
        if from == to {
            return Ok(());
        }
        let size: u64 = self.inputs.iter().map(|input| u64::from(tables[input.table.index()].len())).sum();
        let known = self.inputs[at].planned.take().filter(|known| size <= known.n_rows * 4);
        let known = match known {
            Some(known) => known,
            None => {
                if self.rule.body.len() > LONG {
                    limits.check_now()?;
                }
                let mut new = Box::new(Planned { plan: Plan::default(), n_rows: size });
                plan(store, &self.rule, Purpose::Facts, Some(literal), &[], &mut new.plan);
                new
            }
        };
        let result = self.run(store, limits, work, &known.plan, Some((at, end)));
        self.inputs[at].planned = Some(known);
        result
    }

    /// Joins the rows seen of every literal; of one only those that are new.
    fn run(
        &mut self,
        store: &mut FactStore,
        limits: &mut Limits,
        work: &mut Running,
        plan: &Plan,
        new: Option<(usize, u32)>,
    ) -> Result<(), Stopping> {
        let Running { found, scratch } = work;
        scratch.open_windows(self.rule.body.len());
        for (at, input) in self.inputs.iter().enumerate() {
            let FactStore { views, tables, terms, .. } = store;
            views.sync(input.view, tables, terms);
            let view = views.get(input.view);
            scratch.windows[input.literal] = match new {
                Some((new, end)) if new == at => {
                    Window { first: view.first_from(input.seen), end: view.first_from(end), end_fact: end }
                }
                _ => Window { first: 0, end: view.first_from(input.seen), end_fact: input.seen },
            };
        }
        found.clear();
        let mut facts = Facts { table: self.head_table, n_derived: 0, most: self.most, found, n_found: 0 };
        let result = join::run(store, plan, self.head_table.index(), scratch, limits, &mut facts)
            .and_then(|()| facts.add_all(&mut store.tables, limits));
        self.n_derived += facts.n_derived;
        result
    }
}

/// Whether each answer is a fact of its own.
fn is_all_in_head(rule: &Rule) -> bool {
    let head = rule.head_vars();
    rule.body.iter().all(|literal| literal.vars().is_subset(&head))
}
