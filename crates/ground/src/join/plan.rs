//! Plans: the steps that join a body.

use crate::facts::{TableId, ViewId, Way};
use senet_rules::Leaf;
use senet_terms::Functor;

/// Place of a value while a body is joined: variables first, then constants and terms that are
/// built.
pub(crate) type Slot = u32;

/// Some of the values or columns of a plan, one behind the other.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Span {
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Span {
    #[inline]
    pub(crate) fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.first as usize..self.end as usize]
    }

    /// Everything from a place on.
    pub(super) fn since<T>(first: usize, all: &[T]) -> Span {
        Span { first: first as u32, end: all.len() as u32 }
    }

    pub(super) fn is_empty(self) -> bool {
        self.first == self.end
    }
}

/// A column of a view and the slot of its value.
pub(crate) type ColumnSlot = (u32, Slot);

/// A part of the work of a join.
#[derive(Debug)]
pub(crate) enum Step {
    /// Goes on with each row of a view that agrees with what is known.
    Rows(Rows),
    /// Goes on if a positive literal without unknowns holds.
    Holds { literal: usize, lookup: Lookup },
    /// Goes on if a literal without unknowns holds, or if it does not, in a view that is complete.
    Finds { literal: usize, lookup: Lookup, is_wanted: bool },
    /// Goes on if a static atom does not hold.
    Fails { table: TableId, args: Span },
    /// Goes on if two values differ.
    Differ(Slot, Slot),
    /// Puts together a term.
    Build { functor: Functor, args: Span, slot: Slot },
    /// Goes on if the head was not derived before.
    NewHead,
    /// Goes on unless all tests succeed and two sets of rows are the same.
    Unless { tests: Vec<Test>, sets: Box<[Vec<Span>; 2]> },
    /// Finds the number of the atom of a negative literal or of the head.
    Number { literal: usize, args: Span, lookup: Option<Lookup> },
}

/// A step that goes through rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) literal: usize,
    pub(crate) view: ViewId,
    /// The index to use and the values to look up.
    pub(crate) index: Option<(u32, Span)>,
    /// Columns that must have a value known before.
    pub(crate) known: Span,
    /// Columns that give a value.
    pub(crate) bind: Span,
    /// Columns that must agree with one bound just now.
    pub(crate) same: Span,
}

impl Step {
    /// About how often memory is looked at far away, or too often to say.
    pub(super) fn weight(&self) -> u32 {
        match self {
            Step::Rows(_) => 100,
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    pub(crate) view: ViewId,
    pub(crate) way: Way,
    pub(crate) key: Span,
}

/// How a rule is evaluated.
#[derive(Default, Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// Values of the slots before the first step.
    pub(crate) slots: Vec<u32>,
    /// The slots that steps use.
    pub(crate) args: Vec<Slot>,
    /// The columns that steps use.
    pub(crate) columns: Vec<ColumnSlot>,
    /// From this step on one success is enough.
    pub(crate) once_from: usize,
    /// Whether the same answer can be found more than once.
    pub(crate) repeats: bool,
    /// The arguments of the head.
    pub(crate) head: Span,
    /// An estimate of how often the last step succeeds.
    pub(crate) estimate: f64,
}

/// The purpose of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The facts that follow: dynamic negation is dropped, a head is needed once.
    Facts,
    /// The instances of the rule: each with the numbers of its dynamic atoms. Negated atoms that
    /// cannot hold may be kept.
    Instances { keeps_impossible: bool },
    /// The same for an auxiliary relation, which gets its facts at the same time.
    Auxiliary,
}

/// The number of a literal that stands for the head.
pub(crate) const HEAD: usize = usize::MAX;

impl Plan {
    pub(super) fn clear(&mut self, n_vars: usize) {
        self.steps.clear();
        self.slots.clear();
        self.slots.resize(n_vars, 0);
        self.args.clear();
        self.columns.clear();
    }

    /// A slot for a value that is not that of a variable.
    pub(super) fn new_slot(&mut self, value: u32) -> Slot {
        self.slots.push(value);
        self.slots.len() as Slot - 1
    }

    pub(super) fn slot_of_leaf(&mut self, leaf: Leaf) -> Slot {
        match leaf {
            Leaf::Var(var) => var,
            Leaf::Ground(term) => self.new_slot(term),
        }
    }
}
