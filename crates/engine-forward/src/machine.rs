//! The facts of one position, and the moves last played.

use crate::join::{Scratch, Stopping, run};
use crate::stages::{Stage, Stages};
use crate::view::{Views, facts};
use senet_ground::Terms;
use senet_languages::mini::{Keywords, Lifetime, RelId};

/// What is derived was given up in the stage of a relation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halt {
    pub(crate) relation: RelId,
    pub(crate) stopping: Stopping,
}

/// The memory of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) terms: Terms,
    pub(crate) views: Views,
    keywords: Keywords,
    /// By stage: whether its facts are known.
    is_done: Vec<bool>,
    /// How many facts triggered rules have seen.
    cursors: Vec<u32>,
    pub(crate) scratch: Scratch,
    /// The position that comes next.
    fluents: Vec<u32>,
}

impl Machine {
    pub(crate) fn new(terms: Terms, views: Views, keywords: Keywords) -> Machine {
        Machine {
            terms,
            views,
            keywords,
            is_done: Vec::new(),
            cursors: Vec::new(),
            scratch: Scratch::default(),
            fluents: Vec::new(),
        }
    }

    /// Goes to the position in which these fluents hold.
    pub(crate) fn enter(&mut self, stages: &Stages, fluents: impl Iterator<Item = u32>) {
        self.forget(stages, Lifetime::Position);
        let view = &mut self.views[facts(self.keywords.fluents)];
        fluents.for_each(|fluent| {
            view.insert(&[fluent]);
        });
    }

    /// Goes to the position that was derived.
    pub(crate) fn advance(&mut self, stages: &Stages) {
        let mut fluents = std::mem::take(&mut self.fluents);
        fluents.clear();
        let next = &self.views[facts(self.keywords.next)];
        fluents.extend((0..next.len()).map(|row| next.row(row)[0]));
        self.enter(stages, fluents.iter().copied());
        self.fluents = fluents;
    }

    /// Takes back the moves.
    pub(crate) fn forget_moves(&mut self, stages: &Stages) {
        self.forget(stages, Lifetime::Move);
    }

    /// Plays the move of a role.
    pub(crate) fn play(&mut self, role: u32, choice: u32) {
        self.views[facts(self.keywords.moves)].insert(&[role, choice]);
    }

    fn forget(&mut self, stages: &Stages, lifetime: Lifetime) {
        self.views.clear(lifetime);
        self.is_done.resize(stages.len(), false);
        for (at, is_done) in self.is_done.iter_mut().enumerate() {
            *is_done &= stages.get(at).lifetime < lifetime;
        }
        if lifetime == Lifetime::Position {
            self.scratch.n_facts = 0;
        }
    }

    /// Derives the facts of some stages, in order, unless they are known.
    pub(crate) fn derive(&mut self, stages: &Stages, needed: &[usize]) -> Result<(), Halt> {
        self.scratch.n_rows = 0;
        for &at in needed {
            if !self.is_done[at] {
                self.run(stages, at)?;
            }
        }
        Ok(())
    }

    /// Derives the facts of a stage.
    pub(crate) fn run(&mut self, stages: &Stages, at: usize) -> Result<(), Halt> {
        self.is_done.resize(stages.len(), false);
        self.cursors.resize(stages.n_cursors, 0);
        let stage = stages.get(at);
        self.saturate(stage).map_err(|stopping| Halt { relation: stage.relation(), stopping })?;
        self.is_done[at] = true;
        Ok(())
    }

    fn saturate(&mut self, stage: &Stage) -> Result<(), Stopping> {
        let Machine { terms, views, scratch, cursors, .. } = self;
        for (once, triggered) in stage.groups() {
            for plan in once {
                run(plan, 0..0, terms, views, scratch)?;
            }
            triggered.iter().for_each(|rule| cursors[rule.cursor] = 0);
            let mut has_new = !triggered.is_empty();
            while has_new {
                has_new = false;
                for rule in triggered {
                    views.sync(rule.view, terms);
                    let (first, end) = (cursors[rule.cursor], views[rule.view].len());
                    if first < end {
                        has_new = true;
                        cursors[rule.cursor] = end;
                        run(&rule.plan, first..end, terms, views, scratch)?;
                    }
                }
            }
        }
        Ok(())
    }
}
