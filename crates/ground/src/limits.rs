//! Time and memory, checked where work is made.

use crate::options::{Budget, Progress};
use senet_ids::thread_cpu_time;
use std::time::Duration;

/// Why a join was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stopping {
    Time,
    Memory,
    Depth,
    /// A relation has more facts than were expected of it.
    Soft,
    Capacity(Capacity),
    /// A relation would be negated before it is complete.
    Negation,
}

/// What there may be too many of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Capacity {
    Atoms,
    Literals,
    Conditions,
}

impl Capacity {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Capacity::Atoms => "atoms",
            Capacity::Literals => "literals",
            Capacity::Conditions => "conditions in a rule",
        }
    }
}

/// Counts work and looks at the clock now and then.
pub(crate) struct Limits<'a> {
    watcher: &'a mut dyn FnMut(Progress),
    pub(crate) progress: Progress,
    end: Option<Duration>,
    memory: Option<usize>,
    /// The memory that was in use when it was last told.
    used: usize,
    ticks: u32,
}

const TICKS: u32 = 1 << 16;

impl<'a> Limits<'a> {
    pub(crate) fn new(budget: Budget, watcher: &'a mut dyn FnMut(Progress)) -> Limits<'a> {
        let end = budget.time.map(|time| thread_cpu_time() + time);
        let progress = Progress { step: "static facts", facts: 0, rules: 0 };
        Limits { watcher, progress, end, memory: budget.memory, used: 0, ticks: TICKS }
    }

    /// A small piece of work.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Stopping> {
        self.ticks -= 1;
        if self.ticks == 0 { self.check() } else { Ok(()) }
    }

    /// A large piece of work is about to be done.
    pub(crate) fn check_now(&mut self) -> Result<(), Stopping> {
        self.check()
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopping> {
        self.ticks = TICKS;
        (self.watcher)(self.progress);
        if self.end.is_some_and(|end| thread_cpu_time() > end) {
            return Err(Stopping::Time);
        }
        if self.memory.is_some_and(|memory| self.used > memory) {
            return Err(Stopping::Memory);
        }
        Ok(())
    }

    /// Tells that about so much more memory is in use.
    #[inline]
    pub(crate) fn add_memory(&mut self, bytes: usize) -> Result<(), Stopping> {
        self.use_memory(self.used + bytes)
    }

    /// Tells what there is now.
    pub(crate) fn recount(&mut self, bytes: usize, facts: usize) {
        self.used = bytes;
        self.progress.facts = facts;
    }

    /// Tells how much memory is in use.
    fn use_memory(&mut self, bytes: usize) -> Result<(), Stopping> {
        self.used = bytes;
        if self.memory.is_some_and(|memory| bytes > memory) { Err(Stopping::Memory) } else { Ok(()) }
    }
}
