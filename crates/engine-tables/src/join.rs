//! First-order joins: literals are met one after the other, each by looking at the columns that are known.

use crate::facts::{Facts, FormId, whole};
use rustc_hash::FxHashSet;
use senet_ids::thread_cpu_time;
use senet_rules::{Atom, Leaf, Literal, Pattern};
use senet_terms::Terms;
use std::ops::Range;
use std::time::Duration;

/// Terms may not nest deeper: nothing that is written is near, and every endless growth gets there.
pub(crate) const MOST_DEPTH: u16 = 64;
/// Limits are looked at so often.
const ROWS_BETWEEN_LOOKS: u64 = 1 << 12;

/// Combinations are remembered up to so many.
const MOST_REMEMBERED: usize = 2_000_000;

/// Why nothing more is joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Depth,
    Time,
    Facts,
    Memory,
}

impl Stop {
    pub(crate) fn what(self) -> String {
        match self {
            Stop::Depth => format!("terms nest deeper than {MOST_DEPTH}"),
            Stop::Time => "the time there was for it is used up".to_owned(),
            Stop::Facts => "there are too many facts".to_owned(),
            Stop::Memory => "the tables are too large".to_owned(),
        }
    }
}

/// When to give up, by the processor time of the thread.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) deadline: Option<Duration>,
    pub(crate) n_rows: u64,
    pub(crate) most_rows: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { deadline: None, n_rows: 0, most_rows: u64::MAX }
    }
}

impl Limits {
    pub(crate) fn until(deadline: Option<Duration>) -> Limits {
        Limits { deadline, ..Limits::default() }
    }

    fn count_row(&mut self) -> Result<(), Stop> {
        self.n_rows += 1;
        if self.n_rows.is_multiple_of(ROWS_BETWEEN_LOOKS)
            && (self.n_rows > self.most_rows
                || self.deadline.is_some_and(|deadline| thread_cpu_time() > deadline))
        {
            return Err(Stop::Time);
        }
        Ok(())
    }
}

/// A column of a form, and what it has to be.
type Column = (u32, Leaf);

#[derive(Clone, Debug)]
enum Step {
    /// Goes on with each row that agrees with what is known.
    Rows {
        form: FormId,
        index: Option<usize>,
        key: Vec<Leaf>,
        is_trigger: bool,
        bind: Vec<(u32, u32)>,
        same: Vec<Column>,
    },
    /// Goes on if a row is there, or if it is not.
    Holds { form: FormId, key: Vec<Leaf>, is_wanted: bool },
    /// Goes on if two terms differ.
    Differ(Pattern, Pattern),
    /// Goes on if a fact is not known yet.
    Unknown(FormId, Vec<Pattern>),
    /// Goes on if the variables that still matter were not the same before.
    Fresh { vars: Vec<u32>, set: usize },
}

/// Literals in the order in which they are met.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    steps: Vec<Step>,
    /// From this step on one success is enough.
    once_from: usize,
    /// The variables of the trigger that matter, if not all do.
    of_trigger: Option<Vec<u32>>,
    n_sets: usize,
}

/// Is called with the values of variables.
type Found<'f> = dyn FnMut(&[u32], &mut Facts, &mut Terms) -> Result<(), Stop> + 'f;

/// What a trigger already gave to the variables that matter.
pub(crate) type Seen = FxHashSet<Box<[u32]>>;

/// What a join is made of.
pub(crate) struct Question<'a> {
    pub(crate) literals: Vec<&'a Literal>,
    /// By variable: whether it is known beforehand.
    pub(crate) is_bound: Vec<bool>,
    /// By variable: whether its value is wanted.
    pub(crate) is_wanted: Vec<bool>,
    /// The literal of which only some rows are gone through.
    pub(crate) trigger: Option<usize>,
    /// What is to be found, if only what is not known yet matters.
    pub(crate) head: Option<&'a Atom>,
}

impl Question<'_> {
    /// The variables of a literal that others have or that are wanted; `None` if all are.
    fn matters_of(&self, literal: usize) -> Option<Vec<u32>> {
        let mut matters = self.is_wanted.clone();
        for other in (0..self.literals.len()).filter(|&other| other != literal) {
            self.literals[other].for_each_var(&mut |var| matters[var as usize] = true);
        }
        let (mut vars, mut is_all) = (Vec::new(), true);
        self.literals[literal].for_each_var(&mut |var| match matters[var as usize] {
            true => vars.push(var),
            false => is_all = false,
        });
        (!is_all).then_some(vars)
    }
}

impl Join {
    pub(crate) fn new(question: &Question<'_>, facts: &mut Facts, terms: &Terms) -> Join {
        let mut planner = Planner {
            question,
            facts,
            is_bound: question.is_bound.clone(),
            open: (0..question.literals.len()).filter(|&at| question.trigger != Some(at)).collect(),
            n_over: 0,
            join: Join { steps: Vec::new(), once_from: usize::MAX, of_trigger: None, n_sets: 0 },
        };
        for literal in &question.literals {
            if let Some(atom) = literal.atom() {
                let form = planner.facts.of_atom(atom);
                planner.facts.sync(form, terms);
            }
        }
        planner.take_what_is_known();
        if let Some(trigger) = question.trigger {
            planner.rows(trigger, true);
            planner.join.of_trigger = question.matters_of(trigger);
            planner.take_what_is_known();
        }
        planner.forget_what_is_over();
        while let Some(next) = planner.cheapest() {
            planner.open.retain(|&open| open != next);
            planner.rows(next, false);
            planner.take_what_is_known();
            planner.forget_what_is_over();
        }
        planner.join
    }

    /// Calls back with the values of the variables; the trigger goes through the rows of the window.
    pub(crate) fn run(
        &self,
        slots: &mut [u32],
        (window, seen): (Range<u32>, &mut Seen),
        (facts, terms, limits): (&mut Facts, &mut Terms, &mut Limits),
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        for step in &self.steps {
            if let Step::Rows { form, .. } | Step::Holds { form, .. } = step {
                facts.sync(*form, terms);
            }
        }
        let sets = vec![Seen::default(); self.n_sets];
        let mut run = Run { join: self, window, seen, sets, facts, terms, limits, found, key: Vec::new() };
        run.descend(0, slots)?;
        Ok(())
    }
}

struct Planner<'a, 'q> {
    question: &'q Question<'a>,
    facts: &'q mut Facts,
    is_bound: Vec<bool>,
    open: Vec<usize>,
    /// How many bound variables do not matter any more.
    n_over: usize,
    join: Join,
}

impl Planner<'_, '_> {
    /// Everything that can be decided now is decided before more rows are gone through.
    fn take_what_is_known(&mut self) {
        let question = self.question;
        let mut still_open = Vec::new();
        for at in std::mem::take(&mut self.open) {
            let literal = question.literals[at];
            if !literal.all_vars(&|var| self.is_bound[var as usize]) {
                still_open.push(at);
                continue;
            }
            self.join.steps.push(match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => Step::Holds {
                    form: self.facts.of_atom(atom),
                    key: atom.leaves(),
                    is_wanted: matches!(literal, Literal::Positive(_)),
                },
                Literal::Distinct(left, right) => Step::Differ(left.clone(), right.clone()),
            });
        }
        self.open = still_open;
        let is_all = question.is_wanted.iter().zip(&self.is_bound).all(|(&wanted, &bound)| bound || !wanted);
        if is_all && self.join.once_from == usize::MAX {
            if let Some(head) = question.head.filter(|_| !self.open.is_empty()) {
                self.join.steps.push(Step::Unknown(whole(head.relation), head.args.clone()));
            }
            self.join.once_from = self.join.steps.len();
        }
    }

    /// Where variables do not matter any more, what follows is done once for those that do.
    fn forget_what_is_over(&mut self) {
        let question = self.question;
        let mut matters = question.is_wanted.clone();
        for &at in &self.open {
            question.literals[at].for_each_var(&mut |var| matters[var as usize] = true);
        }
        let bound = |var: &usize| self.is_bound[*var] && !question.is_bound[*var];
        let (live, over): (Vec<usize>, Vec<usize>) =
            (0..self.is_bound.len()).filter(bound).partition(|&var| matters[var]);
        let has_rows = self.open.iter().any(|&at| matches!(question.literals[at], Literal::Positive(_)));
        if over.len() > self.n_over && has_rows {
            self.n_over = over.len();
            let vars = live.into_iter().map(|var| var as u32).collect();
            self.join.steps.push(Step::Fresh { vars, set: self.join.n_sets });
            self.join.n_sets += 1;
        }
    }

    /// The literal with the fewest rows for what is known; one that nothing is known of comes last.
    fn cheapest(&mut self) -> Option<usize> {
        let question = self.question;
        let mut best: Option<(bool, f64, usize)> = None;
        let is_first = !self.is_bound.contains(&true);
        for &at in &self.open {
            let Literal::Positive(atom) = question.literals[at] else { continue };
            let form = self.facts.of_atom(atom);
            let leaves = atom.leaves();
            let known: Vec<usize> =
                (0..leaves.len()).filter(|&column| leaves[column].is_known(&self.is_bound)).collect();
            let is_open = |var: u32| !self.is_bound[var as usize];
            let is_apart = !is_first && atom.args.iter().all(|arg| arg.all_vars(&is_open));
            let rows = self.facts[form].fan_out(known.into_iter());
            if best.is_none_or(|(is_worse, least, _)| (is_apart, rows) < (is_worse, least)) {
                best = Some((is_apart, rows, at));
            }
        }
        best.map(|(.., at)| at)
    }

    fn rows(&mut self, literal: usize, is_trigger: bool) {
        let Literal::Positive(atom) = self.question.literals[literal] else {
            unreachable!("only positive literals have rows")
        };
        let form = self.facts.of_atom(atom);
        let (mut columns, mut key, mut bind, mut same) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (column, leaf) in (0_u32..).zip(atom.leaves()) {
            match leaf {
                Leaf::Var(var) if !leaf.is_known(&self.is_bound) => {
                    if bind.iter().any(|&(_, bound)| bound == var) {
                        same.push((column, leaf));
                    } else {
                        bind.push((column, var));
                    }
                }
                Leaf::Var(_) | Leaf::Ground(_) => {
                    columns.push(column);
                    key.push(leaf);
                }
            }
        }
        for &(_, var) in &bind {
            self.is_bound[var as usize] = true;
        }
        let index = (!columns.is_empty() && !is_trigger).then(|| self.facts.index(form, &columns));
        if is_trigger {
            same.extend(columns.into_iter().zip(std::mem::take(&mut key)));
        }
        self.join.steps.push(Step::Rows { form, index, key, is_trigger, bind, same });
    }
}

struct Run<'a> {
    join: &'a Join,
    window: Range<u32>,
    seen: &'a mut Seen,
    sets: Vec<Seen>,
    facts: &'a mut Facts,
    terms: &'a mut Terms,
    limits: &'a mut Limits,
    found: &'a mut Found<'a>,
    key: Vec<u32>,
}

impl Run<'_> {
    fn take_key(&mut self, key: &[Leaf], slots: &[u32]) {
        self.key.clear();
        self.key.extend(key.iter().map(|leaf| leaf.value(slots)));
    }

    /// Does the steps from `at` on; says whether the end was reached.
    fn descend(&mut self, at: usize, slots: &mut [u32]) -> Result<bool, Stop> {
        let join = self.join;
        match join.steps.get(at) {
            None => {
                (self.found)(slots, self.facts, self.terms)?;
                Ok(true)
            }
            Some(Step::Differ(left, right)) => {
                let is_passed = left.value(slots, self.terms) != right.value(slots, self.terms);
                if is_passed { self.descend(at + 1, slots) } else { Ok(false) }
            }
            Some(Step::Fresh { vars, set }) => {
                let set = &mut self.sets[*set];
                let is_new = set.len() > MOST_REMEMBERED
                    || set.insert(vars.iter().map(|&var| slots[var as usize]).collect());
                if is_new { self.descend(at + 1, slots) } else { Ok(false) }
            }
            Some(Step::Unknown(form, args)) => {
                self.key.clear();
                self.key.extend(args.iter().map(|arg| arg.value(slots, self.terms)));
                if self.facts[*form].find(&self.key).is_none() {
                    self.descend(at + 1, slots)
                } else {
                    Ok(false)
                }
            }
            Some(Step::Holds { form, key, is_wanted }) => {
                self.take_key(key, slots);
                let is_passed = self.facts[*form].find(&self.key).is_some() == *is_wanted;
                if is_passed { self.descend(at + 1, slots) } else { Ok(false) }
            }
            Some(Step::Rows { form, index, key, is_trigger, bind, same }) => {
                let is_once = at >= join.once_from;
                let mut is_found = false;
                if let Some(index) = *index {
                    self.take_key(key, slots);
                    let mut next = self.facts[*form].newest(index, &self.key);
                    while let Some(row) = next {
                        next = self.facts[*form].older(index, row);
                        is_found |= self.take(at, *form, row, (*is_trigger, bind, same), slots)?;
                        if is_found && is_once {
                            break;
                        }
                    }
                    return Ok(is_found);
                }
                let rows = if *is_trigger { self.window.clone() } else { 0..self.facts[*form].len() };
                for row in rows {
                    is_found |= self.take(at, *form, row, (*is_trigger, bind, same), slots)?;
                    if is_found && is_once {
                        break;
                    }
                }
                Ok(is_found)
            }
        }
    }

    /// Whether a row of the trigger gives what no row before gave.
    fn is_new(&mut self, slots: &[u32]) -> bool {
        let Some(vars) = &self.join.of_trigger else { return true };
        self.seen.insert(vars.iter().map(|&var| slots[var as usize]).collect())
    }

    fn take(
        &mut self,
        at: usize,
        form: FormId,
        row: u32,
        (is_trigger, bind, same): (bool, &[(u32, u32)], &[Column]),
        slots: &mut [u32],
    ) -> Result<bool, Stop> {
        self.limits.count_row()?;
        let values = self.facts[form].row(row);
        for &(column, var) in bind {
            slots[var as usize] = values[column as usize];
        }
        if same.iter().any(|&(column, leaf)| leaf.value(slots) != values[column as usize]) {
            return Ok(false);
        }
        if is_trigger && !self.is_new(slots) {
            return Ok(false);
        }
        self.descend(at + 1, slots)
    }
}
