//! The facts of one position, and the moves last played.

use crate::join::{Scratch, Stopping, run};
use crate::stages::{Stage, Stages};
use crate::view::{View, ViewId, Views, facts};
use senet_rules::shapes::{FluentShape, Shapes};
use senet_rules::{Lifetime, RelId};
use senet_terms::Terms;
use smallvec::SmallVec;
use std::sync::Arc;

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
    shapes: Arc<Shapes>,
    /// By relation: whether its facts are the fluents that hold now.
    is_now: Vec<bool>,
    /// What a new position ends: permanent facts too if nothing is known of how long facts stay.
    ends: Lifetime,
    /// By stage: whether its facts are known.
    is_done: Vec<bool>,
    /// How many facts triggered rules have seen.
    cursors: Vec<u32>,
    pub(crate) scratch: Scratch,
}

impl Machine {
    pub(crate) fn new(terms: Terms, views: Views, shapes: Shapes, ends: Lifetime) -> Machine {
        let n_relations = views.ids().len();
        let is_now = |relation| shapes.fluents.iter().any(|shape| shape.now == RelId::new(relation));
        Machine {
            terms,
            views,
            is_now: (0..n_relations).map(is_now).collect(),
            shapes: Arc::new(shapes),
            ends,
            is_done: Vec::new(),
            cursors: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Goes to the position in which these fluents hold. Of a fluent without shape no rule can speak.
    pub(crate) fn enter(&mut self, stages: &Stages, fluents: impl Iterator<Item = u32>) {
        self.forget(stages, self.ends, |_, _| false);
        self.cursors.fill(0);
        let Machine { terms, views, shapes, .. } = self;
        for fluent in fluents {
            for shape in &shapes.fluents {
                if let Some(columns) = shape.top.columns(terms, &fluent) {
                    views[facts(shape.now)].insert(columns.iter().copied());
                    break;
                }
            }
        }
    }

    /// Goes to the position that was derived. Of fluents that stay only new ones were.
    pub(crate) fn advance(&mut self, stages: &Stages) {
        for shape in &self.shapes.fluents {
            if self.views[facts(shape.now)].is_persistent {
                self.views.append(shape.now, shape.next);
            } else {
                self.views.take_over(shape.now, shape.next);
            }
        }
        let is_now = std::mem::take(&mut self.is_now);
        self.forget(stages, self.ends, |id, view| {
            view.is_persistent || is_now.get(id.index()) == Some(&true)
        });
        self.is_now = is_now;
    }

    /// The fluents of the position that was derived.
    pub(crate) fn next_fluents(&mut self) -> Vec<u32> {
        let mut fluents = self.fluents(|shape| shape.next);
        let Machine { terms, views, shapes, .. } = self;
        for shape in &shapes.fluents {
            let view = &views[facts(shape.now)];
            if view.is_persistent {
                fluents.extend((0..view.len()).map(|row| shape.top.term(terms, view.row(row))));
            }
        }
        fluents
    }

    /// The fluents of relations of each shape.
    pub(crate) fn fluents(&mut self, relation: impl Fn(&FluentShape) -> RelId) -> Vec<u32> {
        let Machine { terms, views, shapes, .. } = self;
        let mut fluents = Vec::new();
        for shape in &shapes.fluents {
            let view = &views[facts(relation(shape))];
            fluents.extend((0..view.len()).map(|row| shape.top.term(terms, view.row(row))));
        }
        fluents
    }

    /// The legal moves of a role.
    pub(crate) fn legal_moves(&mut self, role: u32) -> Vec<u32> {
        let Machine { terms, views, shapes, .. } = self;
        let mut moves = Vec::new();
        for shape in &shapes.moves {
            let legal = &views[facts(shape.legal)];
            let rows = (0..legal.len()).map(|row| legal.row(row)).filter(|row| row[0] == role);
            moves.extend(rows.map(|row| shape.top.term(terms, &row[1..])));
        }
        moves
    }

    /// Plays the move of a role. Of a move without shape no rule can speak.
    pub(crate) fn play(&mut self, role: u32, choice: u32) {
        let Machine { terms, views, shapes, .. } = self;
        for shape in &shapes.moves {
            if let Some(columns) = shape.top.columns(terms, &choice) {
                let row: SmallVec<[u32; 8]> = std::iter::once(role).chain(columns.iter().copied()).collect();
                views[facts(shape.does)].insert(row.iter().copied());
                break;
            }
        }
    }

    /// Takes back the moves.
    pub(crate) fn forget_moves(&mut self, stages: &Stages) {
        self.forget(stages, Lifetime::Move, |_, _| false);
    }

    fn forget(&mut self, stages: &Stages, lifetime: Lifetime, is_kept: impl Fn(ViewId, &View) -> bool) {
        self.views.clear(lifetime, is_kept);
        self.is_done.resize(stages.len(), false);
        for (at, is_done) in self.is_done.iter_mut().enumerate() {
            *is_done &= stages.get(at).lifetime < lifetime;
        }
        if lifetime <= Lifetime::Position {
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
            // What persistent facts led to in positions before is still there.
            let is_continued = stage.is_persistent && std::mem::replace(&mut cursors[stage.cursor], 1) == 1;
            if !is_continued {
                for plan in once {
                    run(plan, 0..0, terms, views, scratch)?;
                }
                triggered.iter().for_each(|rule| cursors[rule.cursor] = 0);
            }
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
