//! Runs a plan: facts that hold lead to the facts that follow.

use crate::plan::{Plan, Rows, Span, Step};
use crate::view::{Views, facts};
use senet_terms::Terms;
use std::ops::Range;
use std::time::Instant;

/// Terms may not nest deeper: nothing that is written is near, and every endless growth gets there.
const MOST_DEPTH: u16 = 1000;
/// Rows that may be looked at for one question.
const MOST_ROWS: u64 = 1 << 31;
/// Limits are looked at so often.
const ROWS_BETWEEN_LOOKS: u64 = 1 << 16;
/// Facts that may be derived in one position.
const MOST_FACTS: usize = 1 << 25;

/// Why nothing more is derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stopping {
    Depth,
    Rows,
    Facts,
    Time,
}

impl Stopping {
    pub(crate) fn what(self) -> String {
        match self {
            Stopping::Depth => format!("terms nest deeper than {MOST_DEPTH}"),
            Stopping::Rows => format!("over {MOST_ROWS} facts were looked at for one question"),
            Stopping::Facts => format!("over {MOST_FACTS} facts follow from one position"),
            Stopping::Time => "the time there was for it is used up".to_owned(),
        }
    }
}

/// What plans use one after the other.
#[derive(Clone, Default, Debug)]
pub(crate) struct Scratch {
    slots: Vec<u32>,
    row: Vec<u32>,
    /// Rows that were looked at for this question.
    pub(crate) n_rows: u64,
    /// Facts that were derived in this position.
    pub(crate) n_facts: usize,
    /// When it is too late.
    pub(crate) deadline: Option<Instant>,
}

struct Join<'a> {
    plan: &'a Plan,
    window: Range<u32>,
    terms: &'a mut Terms,
    views: &'a mut Views,
    slots: &'a mut [u32],
    row: &'a mut Vec<u32>,
    n_rows: &'a mut u64,
    n_facts: &'a mut usize,
    deadline: Option<Instant>,
}

/// Runs a plan. The trigger goes through the rows of the window.
pub(crate) fn run(
    plan: &Plan,
    window: Range<u32>,
    terms: &mut Terms,
    views: &mut Views,
    scratch: &mut Scratch,
) -> Result<(), Stopping> {
    let Scratch { slots, row, n_rows, n_facts, deadline } = scratch;
    slots.clear();
    slots.extend_from_slice(&plan.slots);
    let deadline = *deadline;
    let mut join = Join { plan, window, terms, views, slots, row, n_rows, n_facts, deadline };
    join.descend(0)?;
    Ok(())
}

/// What is in some slots.
#[inline(always)]
fn values<'a>(plan: &'a Plan, slots: &'a [u32], args: Span) -> impl Iterator<Item = u32> + Clone + use<'a> {
    args.of(&plan.args).iter().map(|&slot| slots[slot as usize])
}

impl Join<'_> {
    /// Does the steps from `at` on; says whether the head was reached.
    fn descend(&mut self, mut at: usize) -> Result<bool, Stopping> {
        let plan = self.plan;
        loop {
            let is_passed = match plan.steps.get(at) {
                None => {
                    self.conclude()?;
                    return Ok(true);
                }
                Some(Step::Rows(rows)) => return self.rows(at, rows),
                Some(Step::Holds { view, key, is_wanted }) => {
                    self.views.sync(*view, self.terms);
                    self.views[*view].contains(values(plan, self.slots, *key)) == *is_wanted
                }
                Some(Step::Differ(left, right)) => self.slots[*left as usize] != self.slots[*right as usize],
                Some(Step::Build { functor, args, slot }) => {
                    self.row.clear();
                    self.row.extend(values(plan, self.slots, *args));
                    let term = self.terms.intern(*functor, self.row);
                    if self.terms.depth(term) > MOST_DEPTH {
                        return Err(Stopping::Depth);
                    }
                    self.slots[*slot as usize] = term;
                    true
                }
                Some(Step::NewHead) => {
                    !self.views[facts(plan.head)].contains(values(plan, self.slots, plan.head_args))
                }
            };
            if !is_passed {
                return Ok(false);
            }
            at += 1;
        }
    }

    #[inline(always)]
    fn conclude(&mut self) -> Result<(), Stopping> {
        let row = values(self.plan, self.slots, self.plan.head_args);
        if self.views[facts(self.plan.head)].insert(row) {
            *self.n_facts += 1;
            if *self.n_facts > MOST_FACTS {
                return Err(Stopping::Facts);
            }
        }
        Ok(())
    }

    fn rows(&mut self, at: usize, rows: &Rows) -> Result<bool, Stopping> {
        self.views.sync(rows.view, self.terms);
        let is_once = at >= self.plan.once_from;
        let mut is_found = false;
        if let Some((index, key)) = rows.index {
            let index = index as usize;
            let key = values(self.plan, self.slots, key);
            let mut next = self.views[rows.view].newest(index, key);
            while let Some(row) = next {
                if self.takes(rows, row)? {
                    is_found |= self.descend(at + 1)?;
                    if is_found && is_once {
                        return Ok(true);
                    }
                }
                // Only now: while rows were added the chains may have been made anew.
                next = self.views[rows.view].older(index, row);
            }
            return Ok(is_found);
        }
        let window = if rows.is_trigger { self.window.clone() } else { 0..self.views[rows.view].len() };
        for row in window {
            if self.takes(rows, row)? {
                is_found |= self.descend(at + 1)?;
                if is_found && is_once {
                    return Ok(true);
                }
            }
        }
        Ok(is_found)
    }

    #[cold]
    fn look_at_limits(&self) -> Result<(), Stopping> {
        if *self.n_rows > MOST_ROWS {
            return Err(Stopping::Rows);
        }
        match self.deadline {
            Some(deadline) if Instant::now() > deadline => Err(Stopping::Time),
            _ => Ok(()),
        }
    }

    /// Binds what a row gives; says whether it agrees with what is known and with itself.
    #[inline(always)]
    fn takes(&mut self, rows: &Rows, row: u32) -> Result<bool, Stopping> {
        *self.n_rows += 1;
        if (*self.n_rows).is_multiple_of(ROWS_BETWEEN_LOOKS) {
            self.look_at_limits()?;
        }
        let columns = &self.plan.columns;
        let values = self.views[rows.view].row(row);
        let slots = &mut *self.slots;
        if rows
            .known
            .of(columns)
            .iter()
            .any(|&(column, slot)| slots[slot as usize] != values[column as usize])
        {
            return Ok(false);
        }
        for &(column, slot) in rows.bind.of(columns) {
            slots[slot as usize] = values[column as usize];
        }
        Ok(rows
            .same
            .of(columns)
            .iter()
            .all(|&(column, slot)| slots[slot as usize] == values[column as usize]))
    }
}
