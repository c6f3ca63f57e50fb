//! Leaves on an engine that plays one state at a time: a single playout each.

use super::evaluator::{Evaluator, Outcome};
use super::expansion::Expansions;
use super::tree::Successor;
use crate::Limit;
use senet_game::{Engine, GameError, MoveGenerator, MoveId, roles};
use std::sync::Arc;

/// What follows is computed for all joint moves if there are no more: a playout takes as long.
const MOST_SUCCESSORS: u64 = 48;
/// After so many moves of a playout the clock is looked at.
const MOVES_A_LOOK: u64 = 8;

pub(crate) struct OneState<E: Engine> {
    engine: Arc<E>,
    worker: E::Worker,
    generator: MoveGenerator,
    max_length: u64,
    moves: Vec<MoveId>,
    leaf: Option<(u32, E::State)>,
    /// What came of it.
    done: Option<u32>,
    is_finished: bool,
    goals: Vec<Option<u8>>,
    goal_sums: Vec<u32>,
}

impl<E: Engine> OneState<E> {
    pub(crate) fn new(engine: Arc<E>, seed: u64, max_length: u64) -> OneState<E> {
        OneState {
            worker: engine.worker(),
            generator: MoveGenerator::new(seed),
            max_length,
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
                self.engine.legals(&mut self.worker, state, role, &mut self.moves)?;
                self.moves.iter().for_each(|&id| expansions.add_move(at, role.index(), id));
            }
        }
        expansions.sort_moves(states.len());
        for (at, state) in states.iter().enumerate() {
            let n_joint = expansions.choices(at).n_joint();
            let n = Some(n_joint).filter(|n| *n <= MOST_SUCCESSORS).unwrap_or(0);
            expansions.add_position(n);
            for joint in 0..n {
                self.moves.clear();
                self.moves.extend(expansions.choices(at).joint(joint));
                let moves = std::mem::take(&mut self.moves);
                let successor = self.step(state, &moves);
                self.moves = moves;
                expansions.add_successor(&[], successor?.goals.as_deref());
            }
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
        let mut may_go_on = |length: u64| {
            length < self.max_length && (!length.is_multiple_of(MOVES_A_LOOK) || !limit.is_reached(0))
        };
        let Self { engine, worker, generator, goals, .. } = self;
        self.is_finished = match engine.playout(worker, &state, generator, &mut may_go_on, goals) {
            Ok(played) => played.is_over,
            Err(GameError::NoLegalMove { .. }) => false,
            Err(error) => return Err(error),
        };
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
