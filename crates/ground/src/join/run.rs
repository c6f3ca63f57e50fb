//! Joins: runs a plan and tells what it finds.

use super::plan::{ColumnSlot, HEAD, Lookup, Plan, Rows, Slot, Span, Step, Test};
use crate::facts::{FactStore, Table, View, Views, Way};
use crate::limits::{Limits, Stopping};
use senet_terms::Terms;

/// Terms may not nest deeper: nothing that is written is near, and every endless growth gets there.
const MAX_DEPTH: u16 = 1000;

/// The rows of a literal that may be used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Rows of the view.
    pub(crate) first: u32,
    pub(crate) end: u32,
    /// Rows of the table.
    pub(crate) end_fact: u32,
}

impl Window {
    pub(crate) const ALL: Window = Window { first: 0, end: u32::MAX, end_fact: u32::MAX };
}

/// What is done with what a join finds.
pub(crate) trait Sink {
    /// Called with the values and the numbers of the atoms.
    fn found(&mut self, tables: &mut [Table], limits: &mut Limits, found: &Found<'_>)
    -> Result<(), Stopping>;

    /// The number of the atom of a negative dynamic literal, or of the head, by its row in the table if it is
    /// there. `None` if nothing can be found.
    fn number(&mut self, literal: usize, args: &[u32], row: Option<u32>) -> Option<u32>;
}

/// One answer of a join.
pub(crate) struct Found<'a> {
    head: &'a [Slot],
    slots: &'a [u32],
    /// By literal: the row of the table of a positive one, the number of a negative one.
    pub(crate) numbers: &'a [u32],
    /// What [`Sink::number`] said for the head.
    pub(crate) head_number: u32,
}

impl Found<'_> {
    /// The values of the head.
    #[inline]
    pub(crate) fn head(&self) -> impl ExactSizeIterator<Item = u32> {
        self.head.iter().map(|&slot| self.slots[slot as usize])
    }
}

/// Memory that joins use one after the other.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The rows that may be used, by literal of the body.
    pub(crate) windows: Vec<Window>,
    slots: Vec<u32>,
    numbers: Vec<u32>,
    row: Vec<u32>,
}

impl Scratch {
    /// All rows of so many literals may be used.
    pub(crate) fn open_windows(&mut self, n_literals: usize) {
        self.windows.clear();
        self.windows.resize(n_literals, Window::ALL);
    }
}

/// A running join.
struct Join<'a, 'l, S> {
    plan: &'a Plan,
    windows: &'a [Window],
    terms: &'a mut Terms,
    tables: &'a mut [Table],
    head_table: usize,
    views: &'a Views,
    limits: &'a mut Limits<'l>,
    sink: &'a mut S,
    slots: &'a mut [u32],
    numbers: &'a mut [u32],
    head_number: u32,
    row: &'a mut Vec<u32>,
}

/// A step that goes through rows.
struct RowsStep<'a> {
    literal: usize,
    view: &'a View,
    known: &'a [ColumnSlot],
    bind: &'a [ColumnSlot],
    same: &'a [ColumnSlot],
}

/// Runs a plan.
pub(crate) fn run<S: Sink>(
    store: &mut FactStore,
    plan: &Plan,
    head_table: usize,
    scratch: &mut Scratch,
    limits: &mut Limits,
    sink: &mut S,
) -> Result<(), Stopping> {
    let Scratch { windows, slots, numbers, row } = scratch;
    slots.clear();
    slots.extend_from_slice(&plan.slots);
    numbers.clear();
    numbers.resize(windows.len(), 0);
    let mut join = Join {
        plan,
        windows,
        terms: &mut store.terms,
        tables: &mut store.tables,
        head_table,
        views: &store.views,
        limits,
        sink,
        slots,
        numbers,
        head_number: 0,
        row,
    };
    join.descend(0)?;
    Ok(())
}

impl<S: Sink> Join<'_, '_, S> {
    /// Does the steps from `at` on; says whether something was found.
    fn descend(&mut self, mut at: usize) -> Result<bool, Stopping> {
        let plan = self.plan;
        loop {
            let Some(step) = plan.steps.get(at) else {
                self.found()?;
                return Ok(true);
            };
            let is_passed = match step {
                Step::Rows(step) => return self.rows(at, step),
                Step::Finds { literal, lookup, is_wanted } => match self.look_up(lookup) {
                    Some(row) => {
                        self.numbers[*literal] = row;
                        *is_wanted
                    }
                    None => !*is_wanted,
                },
                Step::Differ(left, right) => self.slots[*left as usize] != self.slots[*right as usize],
                Step::Unless { tests, sets } => {
                    !(tests.iter().all(|test| self.passes(test)) && self.are_same_sets(sets))
                }
                Step::Number { literal, args, lookup } => {
                    let row = lookup.as_ref().and_then(|lookup| self.look_up(lookup));
                    self.take_row(*args);
                    match self.sink.number(*literal, self.row, row) {
                        Some(number) if *literal == HEAD => {
                            self.head_number = number;
                            true
                        }
                        Some(number) => {
                            self.numbers[*literal] = number;
                            true
                        }
                        None => false,
                    }
                }
                Step::Holds { literal, lookup } => match self.look_up(lookup) {
                    Some(row) => {
                        self.numbers[*literal] = row;
                        row < self.windows[*literal].end_fact
                    }
                    None => false,
                },
                Step::Fails { table, args } => {
                    self.take_row(*args);
                    self.tables[table.index()].find(self.row).is_none()
                }
                Step::Build { functor, args, slot } => {
                    self.take_row(*args);
                    let n_terms = self.terms.n_terms();
                    let term = self.terms.intern(*functor, self.row);
                    if self.terms.n_terms() > n_terms {
                        self.limits.add_memory(self.row.len() * 8 + 32)?;
                    }
                    if self.terms.depth(term) > MAX_DEPTH {
                        return Err(Stopping::Depth);
                    }
                    self.slots[*slot as usize] = term;
                    true
                }
                Step::NewHead => {
                    self.take_row(plan.head);
                    self.tables[self.head_table].find(self.row).is_none()
                }
            };
            if !is_passed {
                return Ok(false);
            }
            at += 1;
        }
    }

    fn rows(&mut self, at: usize, step: &Rows) -> Result<bool, Stopping> {
        let columns = self.plan.columns.as_slice();
        let rows = RowsStep {
            literal: step.literal,
            view: self.views.get(step.view),
            known: step.known.of(columns),
            bind: step.bind.of(columns),
            same: step.same.of(columns),
        };
        match step.index {
            Some((index, key)) => self.indexed_rows(at, &rows, index as usize, key.of(&self.plan.args)),
            None => self.all_rows(at, &rows),
        }
    }

    /// Goes on with the rows that an index gives.
    fn indexed_rows(
        &mut self,
        at: usize,
        rows: &RowsStep<'_>,
        index: usize,
        key: &[Slot],
    ) -> Result<bool, Stopping> {
        let window = self.windows[rows.literal];
        let is_once = at >= self.plan.once_from;
        let mut is_found = false;
        let index = &rows.view.indexes[index];
        let slots = &self.slots;
        let mut next = index.newest(rows.view, self.tables, key.iter().map(|&slot| slots[slot as usize]));
        while let Some(row) = next {
            next = index.older(row);
            if row >= window.end {
                continue;
            }
            if row < window.first {
                break;
            }
            if self.takes(rows, row)? {
                is_found |= self.go_on(at)?;
                if is_found && is_once {
                    return Ok(true);
                }
            }
        }
        Ok(is_found)
    }

    /// Goes on with all rows of the window.
    fn all_rows(&mut self, at: usize, rows: &RowsStep<'_>) -> Result<bool, Stopping> {
        let window = self.windows[rows.literal];
        let is_once = at >= self.plan.once_from;
        let mut is_found = false;
        for row in window.first..window.end.min(rows.view.len()) {
            if self.takes(rows, row)? {
                is_found |= self.go_on(at)?;
                if is_found && is_once {
                    return Ok(true);
                }
            }
        }
        Ok(is_found)
    }

    /// Does the steps after `at`.
    #[inline]
    fn go_on(&mut self, at: usize) -> Result<bool, Stopping> {
        if at + 1 < self.plan.steps.len() {
            return self.descend(at + 1);
        }
        self.found()?;
        Ok(true)
    }

    /// Binds what a row gives; says whether it agrees with what is known and with itself.
    #[inline(always)]
    fn takes(&mut self, rows: &RowsStep<'_>, row: u32) -> Result<bool, Stopping> {
        self.limits.tick()?;
        let values = rows.view.row(self.tables, row);
        let slots = &mut *self.slots;
        if rows.known.iter().any(|&(column, slot)| slots[slot as usize] != values[column as usize]) {
            return Ok(false);
        }
        for &(column, slot) in rows.bind {
            slots[slot as usize] = values[column as usize];
        }
        self.numbers[rows.literal] = rows.view.fact(row);
        Ok(rows.same.iter().all(|&(column, slot)| slots[slot as usize] == values[column as usize]))
    }

    /// The row of the table that is asked for.
    #[inline(always)]
    fn look_up(&self, lookup: &Lookup) -> Option<u32> {
        let view = self.views.get(lookup.view);
        let key = lookup.key.of(&self.plan.args).iter().map(|&slot| self.slots[slot as usize]);
        match lookup.way {
            Way::Direct => match &view.direct {
                Some(direct) => direct.find(key),
                // The table has grown beyond the places there were.
                None => self.tables[view.table.index()].find_values(key),
            },
            Way::Index(index) => {
                view.indexes[index as usize].newest(view, self.tables, key).map(|row| view.fact(row))
            }
            Way::Table => self.tables[view.table.index()].find_values(key),
        }
    }

    fn passes(&self, test: &Test) -> bool {
        match test {
            Test::Same { left, right, is_wanted } => {
                (self.slots[*left as usize] == self.slots[*right as usize]) == *is_wanted
            }
            Test::Finds { lookup, is_wanted } => self.look_up(lookup).is_some() == *is_wanted,
        }
    }

    fn are_same_sets(&self, [ours, theirs]: &[Vec<Span>; 2]) -> bool {
        let values = |row: Span| row.of(&self.plan.args).iter().map(|&slot| self.slots[slot as usize]);
        let has = |rows: &[Span], row: Span| rows.iter().any(|&it| values(it).eq(values(row)));
        ours.iter().all(|&row| has(theirs, row)) && theirs.iter().all(|&row| has(ours, row))
    }

    #[inline]
    fn take_row(&mut self, args: Span) {
        self.row.clear();
        let slots = &*self.slots;
        self.row.extend(args.of(&self.plan.args).iter().map(|&slot| slots[slot as usize]));
    }

    fn found(&mut self) -> Result<(), Stopping> {
        let Join { plan, slots, numbers, head_number, .. } = self;
        let found = Found { head: plan.head.of(&plan.args), slots, numbers, head_number: *head_number };
        self.sink.found(self.tables, self.limits, &found)
    }
}
