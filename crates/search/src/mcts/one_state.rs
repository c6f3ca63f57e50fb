//! Leaves on an engine that plays one state at a time: a single playout each.

use super::evaluator::{Evaluator, Outcome};
use super::expansion::Expansions;
use super::tree::Successor;
use crate::Limit;
use senet_game::{Engine, GameError, MoveGenerator, MoveId, roles};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What follows is computed for all joint moves if there are no more: a playout takes as long.
const MOST_SUCCESSORS: u64 = 48;
/// If that takes longer on an engine that may be slow, it is not done again.
const MOST_TIME: Duration = Duration::from_millis(20);

pub(crate) struct OneState<E: Engine> {
    engine: Arc<E>,
    worker: E::Worker,
    generator: MoveGenerator,
    max_length: u64,
    /// After so many moves of a playout the clock is looked at. On engines that may be slow after each.
    moves_a_look: u64,
    /// Whether it takes long to compute what follows.
    is_slow: bool,
    moves: Vec<MoveId>,
    leaf: Option<(u32, E::State)>,
    /// What came of it.
    done: Option<u32>,
    is_finished: bool,
    goals: Vec<Option<u8>>,
    goal_sums: Vec<u32>,
}

impl<E: Engine> OneState<E> {
    pub(crate) fn new(engine: Arc<E>, seed: u64, max_length: u64, moves_a_look: u64) -> OneState<E> {
        OneState {
            worker: engine.worker(),
            generator: MoveGenerator::new(seed),
            max_length,
            moves_a_look,
            is_slow: false,
            moves: Vec::new(),
            leaf: None,
            done: None,
            is_finished: false,
            goals: Vec::new(),
            goal_sums: Vec::new(),
            engine,
        }
    }
}

impl<E: Engine> Evaluator<E::State> for OneState<E> {
    fn n_lanes(&self) -> usize {
        1
    }

    fn expand(&mut self, states: &[&E::State], expansions: &mut Expansions) -> Result<(), GameError> {
        expansions.clear(self.engine.role_names().len(), 0);
        for (at, state) in states.iter().enumerate() {
            for role in roles(&*self.engine) {
                self.moves.clear();
                // Where the rules cannot answer the match cannot go on.
                if self.engine.legals(&mut self.worker, state, role, &mut self.moves).is_err() {
                    self.moves.clear();
                }
                self.moves.iter().for_each(|&id| expansions.add_move(at, role.index(), id));
            }
        }
        expansions.sort_moves(states.len());
        for (at, state) in states.iter().enumerate() {
            let n_joint = expansions.choices(at).n_joint();
            let n = Some(n_joint).filter(|n| *n <= MOST_SUCCESSORS && !self.is_slow).unwrap_or(0);
            let begin = Instant::now();
            let mut ends = Vec::with_capacity(n as usize);
            for joint in 0..n {
                let moves: Vec<MoveId> = expansions.choices(at).joint(joint).collect();
                let Ok(successor) = self.step(state, &moves) else {
                    ends.clear();
                    break;
                };
                ends.push(successor.goals);
                if self.moves_a_look == 1 && begin.elapsed() > MOST_TIME {
                    self.is_slow = true;
                    ends.clear();
                    break;
                }
            }
            expansions.add_position(ends.len() as u64);
            ends.iter().for_each(|goals| expansions.add_successor(&[], goals.as_deref()));
        }
        Ok(())
    }

    fn step(&mut self, state: &E::State, ids: &[MoveId]) -> Result<Successor<E::State>, GameError> {
        let state = self.engine.step(&mut self.worker, state, ids)?;
        let goals = if self.engine.is_terminal(&mut self.worker, &state)? {
            let goal = |role| Ok(self.engine.goal(&mut self.worker, &state, role)?.unwrap_or(0));
            Some(roles(&*self.engine).map(goal).collect::<Result<_, GameError>>()?)
        } else {
            None
        };
        Ok(Successor { state, goals })
    }

    fn put(&mut self, ticket: u32, state: &E::State, _: usize) -> bool {
        let has_room = self.leaf.is_none() && self.done.is_none();
        if has_room {
            self.leaf = Some((ticket, state.clone()));
        }
        has_room
    }

    fn play(&mut self, _: usize, limit: &Limit) -> Result<(), GameError> {
        let Some((ticket, state)) = self.leaf.take() else { return Ok(()) };
        let mut is_late = false;
        let mut may_go_on = |length: u64| {
            is_late = length.is_multiple_of(self.moves_a_look) && limit.is_reached(0);
            length < self.max_length && !is_late
        };
        let Self { engine, worker, generator, goals, .. } = self;
        goals.clear();
        self.is_finished = match engine.playout(worker, &state, generator, &mut may_go_on, goals) {
            Ok(played) => played.is_over,
            // Nothing is known of a position from which the rules do not lead to an end.
            Err(_) => false,
        };
        // Nothing came of it.
        if is_late && !self.is_finished {
            return Ok(());
        }
        self.goals.resize(self.engine.role_names().len(), None);
        self.goal_sums.clear();
        self.goal_sums.extend(self.goals.iter().map(|goal| u32::from(goal.unwrap_or(0))));
        self.done = Some(ticket);
        Ok(())
    }

    fn take(&mut self, each: &mut dyn FnMut(Outcome<'_>)) {
        if let Some(ticket) = self.done.take() {
            let finished = u32::from(self.is_finished);
            each(Outcome { ticket, finished, cut: 1 - finished, goal_sums: &self.goal_sums });
        }
    }

    fn clear(&mut self) {
        (self.leaf, self.done) = (None, None);
    }
}
