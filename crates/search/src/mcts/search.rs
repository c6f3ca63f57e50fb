//! The search: threads that share a tree.
//!
//! The tree is behind a lock. A thread takes it to go down to some leaves, which then wait for their results; it expands
//! and plays them out without the lock, and takes it again to tell the tree.

use super::evaluator::{Evaluator, Outcome};
use super::expansion::Expansions;
use super::moves::Moves;
use super::parameters::Parameters;
use super::select::{End, Taste, Visit};
use super::tree::{MOST, Successor, Tree};
use crate::{Choice, Limit};
use senet_game::{GameError, MoveGenerator};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many ways down may end in known positions before the clock is looked at.
const MOST_KNOWN: usize = 64;
/// So many may lead to leaves that are under way already before no more are looked for.
const MOST_BUSY: usize = 16;
/// A thread has a leaf more under way for so many visits of the root.
const VISITS_A_LEAF: u32 = 4;
/// So many leaves may be under way from the beginning: a new position has to try all its moves anyway.
const FEWEST_LEAVES: usize = 8;
/// A part of the leaves under way is played to the end before others take their lanes. Where playouts take less time than
/// the tree does, lanes may rest until all are.
const SHARE_DONE: usize = 8;
/// This part of the memory is for leaves while the tree evicts what it can, a step at a time: the search goes on meanwhile.
const SHARE_IN_RESERVE: usize = 16;
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
    /// Whether playouts take less time than the tree does.
    pub(crate) fn is_small(&self) -> bool {
        self.playouts.0 >= FEWEST_OF_SMALL
    }

    /// Whether the score of the root is proved, and a move is known that gets it. If it is settled only by the
    /// assumption of a constant sum, the search goes on without that assumption.
    fn is_decided<S: Clone + Eq + Hash>(&self, tree: &mut Tree<S>) -> bool {
        let (root, role) = (tree.root, self.role);
        if !self.taste.proofs || !tree.is_closed(root, role) {
            return false;
        }
        if !tree.is_proved(root, role) {
            tree.roles.set_aside_assumption();
            return false;
        }
        tree.has_move_for_score(root, role)
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

/// The best choice of the tree, after the effort of the search that is under way.
pub(crate) type Present<'a, S> = &'a (dyn Fn(&Tree<S>, &Effort) -> Option<Choice> + Sync);

/// Thinks until the limit is reached or the score of the root is proved. Keeps the best choice so far in reserve, if the
/// limit has one.
pub(crate) fn think<S: Clone + Eq + Hash + Send>(
    tree: &mut Tree<S>,
    evaluators: &mut [Box<dyn Evaluator<S>>],
    generators: &mut [MoveGenerator],
    plan: &Plan,
    limit: &Limit,
    present: Present<'_, S>,
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
            present,
            visits: Vec::new(),
            free: Vec::new(),
            chosen: Vec::new(),
            put_off: Vec::new(),
            busy: Vec::new(),
            expansions: Expansions::default(),
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
    /// How many times it was given lanes, and is not done yet.
    n_parts: u32,
    /// What came of it so far.
    finished: u32,
    goal_sums: Vec<u32>,
}

impl<S> Ticket<S> {
    fn new(n_roles: usize) -> Ticket<S> {
        let visit = Visit::default();
        Ticket { visit, state: None, n_parts: 0, finished: 0, goal_sums: vec![0; n_roles] }
    }

    /// Adds what came of a part; says whether it was the last one.
    fn add(&mut self, outcome: &Outcome<'_>) -> bool {
        self.finished += outcome.finished;
        self.goal_sums.iter_mut().zip(outcome.goal_sums).for_each(|(sum, more)| *sum += more);
        self.n_parts -= 1;
        self.n_parts == 0
    }

    /// By role, what it is worth.
    fn scores(&mut self, scores: &mut Vec<f32>) {
        scores.clear();
        let finished = std::mem::take(&mut self.finished);
        scores.extend(self.goal_sums.iter_mut().map(|sum| match (std::mem::take(sum), finished) {
            // Nothing is known of it.
            (_, 0) => MOST / 2.0,
            (sum, n) => sum as f32 / n as f32,
        }));
    }

    fn state(&self) -> &S {
        self.state.as_ref().expect("a leaf has a state")
    }
}

struct Thread<'a, 't, S> {
    tree: &'a Mutex<&'t mut Tree<S>>,
    evaluator: &'a mut dyn Evaluator<S>,
    generator: &'a mut MoveGenerator,
    plan: &'a Plan,
    effort: &'a Effort,
    is_over: &'a AtomicBool,
    limit: &'a Limit,
    present: Present<'a, S>,
    /// By ticket.
    visits: Vec<Ticket<S>>,
    free: Vec<u32>,
    /// Tickets of leaves that are to be expanded.
    chosen: Vec<u32>,
    /// Tickets of leaves for which there was no room.
    put_off: Vec<u32>,
    /// Tickets of ways down that led to leaves under way.
    busy: Vec<u32>,
    expansions: Expansions,
    /// Parts of leaves that are at play.
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
            if self.plan.is_decided(&mut tree) || self.limit.is_reached(self.effort.playouts.load(Relaxed)) {
                return Ok(());
            }
            self.limit.update_reserve(|| (self.present)(&tree, self.effort));
            let most_bytes = self.plan.most_bytes;
            let usual_bytes = most_bytes - most_bytes / SHARE_IN_RESERVE;
            if tree.is_full(usual_bytes) {
                tree.evict(usual_bytes);
                // There is no room for leaves at all: the clock is looked at before the next step.
                if tree.is_full(most_bytes) {
                    continue;
                }
            }
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
            let share = if self.plan.is_small() { 1 } else { SHARE_DONE };
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
        let (mut n_known, n_roles) = (0, tree.n_roles());
        while self.n_playing + self.put_off.len() + self.chosen.len() < n_wanted
            && n_known < MOST_KNOWN
            && self.busy.len() < MOST_BUSY
        {
            let ticket = self.new_ticket(n_roles);
            let Ticket { visit, state, .. } = &mut self.visits[ticket as usize];
            let evaluator = &mut *self.evaluator;
            let mut step =
                |state: &S, moves: &Moves, joint: u64| match evaluator.unpack(moves.packed(joint)) {
                    Some(state) => Ok(Successor { state, goals: None }),
                    // Where the rules cannot answer there is nothing to be had for anybody.
                    None => Ok(evaluator.step(state, &moves.ids(joint).collect::<Vec<_>>()).unwrap_or_else(
                        |_| Successor { state: state.clone(), goals: Some(vec![0; n_roles].into()) },
                    )),
                };
            let end = tree.select(&self.plan.taste, self.generator, visit, &mut step)?;
            self.effort.depth.fetch_max(visit.steps.len() as u64, Relaxed);
            match end {
                End::Leaf => {
                    state.clone_from(&tree.nodes[visit.leaf as usize].state);
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
                // As long as it waits, the next goes another way.
                End::Busy => self.busy.push(ticket),
            }
        }
        for ticket in self.busy.drain(..) {
            tree.give_up(&self.visits[ticket as usize].visit);
            self.free.push(ticket);
        }
        tree.forget_refuted_bounds();
        Ok(n_playouts)
    }

    fn new_ticket(&mut self, n_roles: usize) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.visits.push(Ticket::new(n_roles));
            self.visits.len() as u32 - 1
        })
    }

    /// Gives the chosen leaves their moves, and lets those play whose scores are not known by that.
    fn expand_chosen(&mut self, scores: &mut Vec<f32>, n_playouts: usize) -> Result<(), GameError> {
        if !self.chosen.is_empty() {
            let state = |&ticket: &u32| self.visits[ticket as usize].state();
            let states: Vec<&S> = self.chosen.iter().map(state).collect();
            self.evaluator.expand(&states, &mut self.expansions)?;
            let mut tree = Self::lock(self.tree);
            for (at, &ticket) in self.chosen.iter().enumerate() {
                let visit = &self.visits[ticket as usize].visit;
                let leaf = visit.leaf;
                let has_ends = tree.expand(leaf, &self.expansions.get(at));
                if has_ends && self.plan.taste.proofs {
                    tree.tighten(leaf);
                }
                if tree.nodes[leaf as usize].is_over || self.plan.taste.proofs && tree.is_settled(leaf) {
                    tree.scores(leaf, scores);
                    tree.back_up(visit, scores, self.plan.taste.proofs);
                    self.effort.playouts.fetch_add(1, Relaxed);
                    self.free.push(ticket);
                } else {
                    self.put_off.push(ticket);
                }
            }
            self.chosen.clear();
            tree.forget_refuted_bounds();
        }
        self.let_play(n_playouts);
        Ok(())
    }

    /// Gives lanes to the leaves that were put off, as far as there are any.
    fn let_play(&mut self, n_playouts: usize) {
        let n_lanes = self.put_off.len().max(1) * n_playouts;
        // Small ones play to the end before others begin: lanes that are left over play more of the same. They cost no
        // time; whoever counts playouts has better use for them.
        let has_rounds = self.plan.is_small() && self.limit.playouts.is_none();
        let n_rounds = if has_rounds { (self.evaluator.n_lanes() / n_lanes).max(1) } else { 1 };
        for _ in 0..n_rounds {
            for &ticket in &self.put_off {
                let it = &mut self.visits[ticket as usize];
                let has_room = self.evaluator.put(ticket, it.state(), n_playouts);
                it.n_parts += u32::from(has_room);
                self.n_playing += usize::from(has_room);
            }
        }
        self.put_off.retain(|&ticket| self.visits[ticket as usize].n_parts == 0);
    }

    /// Tells the tree what came of leaves.
    fn go_up(&mut self, scores: &mut Vec<f32>) {
        let mut tree = Self::lock(self.tree);
        let (visits, free, n_playing) = (&mut self.visits, &mut self.free, &mut self.n_playing);
        let (effort, proofs) = (self.effort, self.plan.taste.proofs);
        self.evaluator.take(&mut |outcome: Outcome<'_>| {
            let is_free = |role: &usize| !tree.roles.is_chance(*role);
            let sum = (0..tree.n_roles()).filter(is_free).map(|role| outcome.goal_sums[role]).sum();
            tree.roles.note_sum(sum, outcome.finished);
            effort.playouts.fetch_add(u64::from(outcome.finished + outcome.cut), Relaxed);
            *n_playing -= 1;
            let ticket = &mut visits[outcome.ticket as usize];
            if ticket.add(&outcome) {
                ticket.scores(scores);
                tree.back_up(&ticket.visit, scores, proofs);
                free.push(outcome.ticket);
                effort.leaves.fetch_add(1, Relaxed);
            }
        });
        tree.forget_refuted_bounds();
    }
}
