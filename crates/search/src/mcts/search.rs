//! The search: threads that share a tree.
//!
//! The tree is behind a lock. A thread takes it to go down to some leaves, which then wait for their results; it expands
//! and plays them out without the lock, and takes it again to tell the tree.

use super::evaluator::{Evaluator, Outcome};
use super::parameters::Parameters;
use super::select::{End, Taste, Visit};
use super::tree::{Arm, MOST, Tree, Turn};
use crate::Limit;
use senet_game::{GameError, MoveGenerator};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many ways down may end in known positions before the clock is looked at.
const MOST_KNOWN: usize = 64;
/// A thread has a leaf more under way for so many visits of the root.
const VISITS_A_LEAF: u32 = 4;
/// So many leaves may be under way from the beginning: a new position has to try all its moves anyway.
const FEWEST_LEAVES: usize = 8;
/// A part of the leaves under way is played to the end before others take their lanes. Where playouts take less time than
/// the tree does, lanes may rest until all are.
const SHARE_DONE: usize = 8;
const FEWEST_OF_SMALL: usize = 32;

/// How a search thinks.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) taste: Taste,
    /// The fewest playouts of a leaf, and the most.
    pub(crate) playouts: (usize, usize),
    pub(crate) most_bytes: usize,
    /// Who thinks: when its score is proved, there is nothing to think about.
    pub(crate) role: usize,
}

impl Plan {
    pub(crate) fn new(parameters: &Parameters, role: usize, c: f32, playouts: (usize, usize)) -> Plan {
        let most_bytes = parameters.memory.saturating_mul(1 << 20);
        Plan { taste: Taste::new(parameters, c), playouts, most_bytes, role }
    }
}

impl Plan {
    /// Whether the score of the root is proved, and a move is known that gets it.
    fn is_decided<S: Clone + Eq + Hash>(&self, tree: &Tree<S>) -> bool {
        let (root, role) = (tree.root, self.role);
        let Some(moves) = &tree.nodes[root as usize].moves else { return false };
        let gets_it = |arm: &Arm| arm.low >= tree.lows(root)[role];
        let has_move = moves.turn != Turn::Free(role) || moves.arms[moves.arms_of(role)].iter().any(gets_it);
        self.taste.proofs && tree.is_proved(root, role) && has_move
    }
}

/// What was done for a move.
#[derive(Default, Debug)]
pub(crate) struct Effort {
    /// Playouts, and ways down that needed none.
    pub(crate) playouts: AtomicU64,
    /// Positions that were played out.
    pub(crate) leaves: AtomicU64,
    /// Moves of the longest way down.
    pub(crate) depth: AtomicU64,
}

/// Thinks until the limit is reached or the score of the root is proved.
pub(crate) fn think<S: Clone + Eq + Hash + Send>(
    tree: &mut Tree<S>,
    evaluators: &mut [Box<dyn Evaluator<S>>],
    generators: &mut [MoveGenerator],
    plan: &Plan,
    limit: &Limit,
) -> Result<Effort, GameError> {
    let effort = Effort::default();
    let is_over = AtomicBool::new(false);
    let tree = Mutex::new(tree);
    let mut threads: Vec<_> = evaluators
        .iter_mut()
        .zip(generators)
        .map(|(evaluator, generator)| Thread {
            tree: &tree,
            evaluator: &mut **evaluator,
            generator,
            plan,
            effort: &effort,
            is_over: &is_over,
            limit,
            visits: Vec::new(),
            free: Vec::new(),
            chosen: Vec::new(),
            put_off: Vec::new(),
            n_playing: 0,
        })
        .collect();
    let result = match &mut threads[..] {
        [only] => only.work(),
        threads => std::thread::scope(|scope| {
            let handles: Vec<_> =
                threads.iter_mut().map(|thread| scope.spawn(move || thread.work())).collect();
            let join = |handle: std::thread::ScopedJoinHandle<'_, Result<(), GameError>>| match handle.join()
            {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            let results: Vec<_> = handles.into_iter().map(join).collect();
            results.into_iter().collect()
        }),
    };
    drop(threads);
    result.map(|()| effort)
}

/// A leaf under way.
struct Ticket<S> {
    visit: Visit,
    state: Option<S>,
}

struct Thread<'a, 't, S> {
    tree: &'a Mutex<&'t mut Tree<S>>,
    evaluator: &'a mut dyn Evaluator<S>,
    generator: &'a mut MoveGenerator,
    plan: &'a Plan,
    effort: &'a Effort,
    is_over: &'a AtomicBool,
    limit: &'a Limit,
    /// By ticket.
    visits: Vec<Ticket<S>>,
    free: Vec<u32>,
    /// Tickets of leaves that are to be expanded.
    chosen: Vec<u32>,
    /// Tickets of leaves for which there was no room.
    put_off: Vec<u32>,
    n_playing: usize,
}

impl<'t, S: Clone + Eq + Hash + Send> Thread<'_, 't, S> {
    fn lock<'a>(tree: &'a Mutex<&'t mut Tree<S>>) -> MutexGuard<'a, &'t mut Tree<S>> {
        tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&mut self) -> Result<(), GameError> {
        let result = self.work_until_over();
        self.is_over.store(true, Relaxed);
        let mut tree = Self::lock(self.tree);
        for ticket in 0..self.visits.len() as u32 {
            if !self.free.contains(&ticket) {
                tree.give_up(&self.visits[ticket as usize].visit);
            }
        }
        drop(tree);
        self.evaluator.clear();
        result
    }

    fn work_until_over(&mut self) -> Result<(), GameError> {
        let mut scores = Vec::new();
        while !self.is_over.load(Relaxed) {
            let mut tree = Self::lock(self.tree);
            if self.plan.is_decided(&tree) || self.limit.is_reached(self.effort.playouts.load(Relaxed)) {
                return Ok(());
            }
            tree.recycle(self.plan.most_bytes);
            let n_done = self.effort.playouts.load(Relaxed);
            let n_playouts = self.go_down(&mut tree, &mut scores)?;
            drop(tree);
            self.expand_chosen(&mut scores, n_playouts)?;
            if self.n_playing == 0 {
                // All leaves are those of other threads.
                if self.effort.playouts.load(Relaxed) == n_done {
                    std::thread::yield_now();
                }
                continue;
            }
            let share = if self.plan.playouts.0 >= FEWEST_OF_SMALL { 1 } else { SHARE_DONE };
            self.evaluator.play((self.n_playing / share).max(1), self.limit)?;
            self.go_up(&mut scores);
        }
        Ok(())
    }

    /// Goes down to leaves until enough are under way. Returns how many playouts each is to have.
    fn go_down(&mut self, tree: &mut Tree<S>, scores: &mut Vec<f32>) -> Result<usize, GameError> {
        let (fewest, most) = self.plan.playouts;
        let n_lanes = self.evaluator.n_lanes();
        let root = &tree.nodes[tree.root as usize];
        let n_wanted = (root.visits / VISITS_A_LEAF) as usize;
        let n_wanted = n_wanted.max(FEWEST_LEAVES).min(n_lanes / fewest);
        let n_playouts = (n_lanes / n_wanted).next_power_of_two().clamp(fewest, most);
        let n_wanted = n_wanted.min(n_lanes / n_playouts);
        let mut n_known = 0;
        while self.n_playing + self.put_off.len() + self.chosen.len() < n_wanted && n_known < MOST_KNOWN {
            let ticket = self.new_ticket();
            let visit = &mut self.visits[ticket as usize].visit;
            let evaluator = &mut *self.evaluator;
            let mut step = |state: &S, ids: &[_]| evaluator.step(state, ids);
            let end = tree.select(&self.plan.taste, self.generator, visit, &mut step)?;
            self.effort.depth.fetch_max(visit.steps.len() as u64, Relaxed);
            match end {
                End::Leaf => {
                    self.visits[ticket as usize].state = tree.nodes[visit.leaf as usize].state.clone();
                    self.chosen.push(ticket);
                }
                End::Known => {
                    tree.scores(visit.leaf, scores);
                    tree.back_up(visit, scores, self.plan.taste.proofs);
                    self.free.push(ticket);
                    self.effort.playouts.fetch_add(1, Relaxed);
                    n_known += 1;
                    if self.plan.is_decided(tree) {
                        break;
                    }
                }
                End::Busy => {
                    tree.give_up(visit);
                    self.free.push(ticket);
                    break;
                }
            }
        }
        Ok(n_playouts)
    }

    fn new_ticket(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.visits.push(Ticket { visit: Visit::default(), state: None });
            self.visits.len() as u32 - 1
        })
    }

    /// Gives the chosen leaves their moves, and lets those play whose scores are not known by that.
    fn expand_chosen(&mut self, scores: &mut Vec<f32>, n_playouts: usize) -> Result<(), GameError> {
        if !self.chosen.is_empty() {
            let state =
                |&ticket: &u32| self.visits[ticket as usize].state.take().expect("a leaf has a state");
            let states: Vec<S> = self.chosen.iter().map(state).collect();
            let expansions = self.evaluator.expand(&states)?;
            let mut tree = Self::lock(self.tree);
            let were_rivals = tree.roles.are_rivals();
            for ((&ticket, state), expansion) in self.chosen.iter().zip(states).zip(expansions) {
                let Ticket { visit, state: place } = &mut self.visits[ticket as usize];
                let leaf = visit.leaf;
                let has_ends = tree.expand(leaf, &expansion.moves, expansion.successors);
                if has_ends && self.plan.taste.proofs {
                    tree.tighten(leaf);
                }
                if tree.nodes[leaf as usize].is_over || self.plan.taste.proofs && tree.is_settled(leaf) {
                    tree.scores(leaf, scores);
                    tree.back_up(visit, scores, self.plan.taste.proofs);
                    self.effort.playouts.fetch_add(1, Relaxed);
                    self.free.push(ticket);
                } else {
                    *place = Some(state);
                    self.put_off.push(ticket);
                }
            }
            self.chosen.clear();
            if were_rivals && !tree.roles.are_rivals() {
                tree.doubt_everything();
            }
        }
        let (visits, evaluator, n_playing) = (&self.visits, &mut self.evaluator, &mut self.n_playing);
        self.put_off.retain(|&ticket| {
            let state = visits[ticket as usize].state.as_ref().expect("a leaf has a state");
            let has_room = evaluator.put(ticket, state, n_playouts);
            *n_playing += usize::from(has_room);
            !has_room
        });
        Ok(())
    }

    /// Tells the tree what came of leaves.
    fn go_up(&mut self, scores: &mut Vec<f32>) {
        let mut tree = Self::lock(self.tree);
        let were_rivals = tree.roles.are_rivals();
        let (visits, free, n_playing) = (&self.visits, &mut self.free, &mut self.n_playing);
        let (effort, proofs) = (self.effort, self.plan.taste.proofs);
        self.evaluator.take(&mut |outcome: Outcome<'_>| {
            let n_roles = tree.n_roles();
            let is_free = |role: &usize| !tree.roles.is_chance(*role);
            let sum = (0..n_roles).filter(is_free).map(|role| outcome.goal_sums[role]).sum();
            tree.roles.note_sum(sum, outcome.finished);
            scores.clear();
            let mean = |&sum: &u32| match outcome.finished {
                // Nothing is known of it.
                0 => MOST / 2.0,
                n => sum as f32 / n as f32,
            };
            scores.extend(outcome.goal_sums.iter().map(mean));
            tree.back_up(&visits[outcome.ticket as usize].visit, scores, proofs);
            free.push(outcome.ticket);
            *n_playing -= 1;
            effort.playouts.fetch_add(u64::from(outcome.finished + outcome.cut), Relaxed);
            effort.leaves.fetch_add(1, Relaxed);
        });
        if were_rivals && !tree.roles.are_rivals() {
            tree.doubt_everything();
        }
    }
}
