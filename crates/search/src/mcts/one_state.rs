//! Leaves on an engine that plays one state at a time: a single playout each.

use super::evaluator::{Evaluator, Expansion, Outcome, for_each_joint, n_joint};
use super::tree::Successor;
use senet_game::{Engine, GameError, MoveGenerator, MoveId, roles};
use std::sync::Arc;

/// What follows is computed for all joint moves if there are no more: a playout takes as long.
const MOST_SUCCESSORS: u64 = 48;

pub(crate) struct OneState<E: Engine> {
    engine: Arc<E>,
    worker: E::Worker,
    generator: MoveGenerator,
    max_length: u64,
    leaf: Option<(u32, E::State)>,
    /// What came of it.
    done: Option<u32>,
    is_finished: bool,
    goals: Vec<u32>,
}

impl<E: Engine> OneState<E> {
    pub(crate) fn new(engine: Arc<E>, seed: u64, max_length: u64) -> OneState<E> {
        OneState {
            worker: engine.worker(),
            generator: MoveGenerator::new(seed),
            max_length,
            leaf: None,
            done: None,
            is_finished: false,
            goals: vec![0; engine.role_names().len()],
            engine,
        }
    }

    fn moves(&mut self, state: &E::State) -> Result<Vec<Vec<MoveId>>, GameError> {
        let mut all = Vec::new();
        for role in roles(&*self.engine) {
            let mut moves = Vec::new();
            self.engine.legals(&mut self.worker, state, role, &mut moves)?;
            all.push(moves);
        }
        Ok(all)
    }

    /// Plays to the end; says whether it came to one.
    fn play_out(&mut self, mut state: E::State) -> Result<bool, GameError> {
        let (mut moves, mut joint) = (Vec::new(), Vec::new());
        for _ in 0..self.max_length {
            if self.engine.is_terminal(&mut self.worker, &state)? {
                for role in roles(&*self.engine) {
                    let goal = self.engine.goal(&mut self.worker, &state, role)?;
                    self.goals[role.index()] = u32::from(goal.unwrap_or(0));
                }
                return Ok(true);
            }
            joint.clear();
            for role in roles(&*self.engine) {
                self.engine.legals(&mut self.worker, &state, role, &mut moves)?;
                match self.generator.choose(&moves) {
                    Some(id) => joint.push(id),
                    None => return Ok(false),
                }
            }
            state = self.engine.step(&mut self.worker, &state, &joint)?;
        }
        Ok(false)
    }
}

impl<E: Engine> Evaluator<E::State> for OneState<E> {
    fn n_lanes(&self) -> usize {
        1
    }

    fn expand(&mut self, states: &[E::State]) -> Result<Vec<Expansion<E::State>>, GameError> {
        let mut expansions = Vec::new();
        for state in states {
            let moves = self.moves(state)?;
            let mut successors = Vec::new();
            if (1..=MOST_SUCCESSORS).contains(&n_joint(&moves)) {
                let mut failed = None;
                for_each_joint(&moves, |joint| match self.step(state, joint) {
                    Ok(successor) => successors.push(successor),
                    Err(error) => failed = Some(error),
                });
                if let Some(error) = failed {
                    return Err(error);
                }
            }
            expansions.push(Expansion { moves, successors });
        }
        Ok(expansions)
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

    fn play(&mut self, _: usize) -> Result<(), GameError> {
        if let Some((ticket, state)) = self.leaf.take() {
            self.is_finished = self.play_out(state)?;
            self.done = Some(ticket);
        }
        Ok(())
    }

    fn take(&mut self, each: &mut dyn FnMut(Outcome<'_>)) {
        if let Some(ticket) = self.done.take() {
            let finished = u32::from(self.is_finished);
            each(Outcome { ticket, finished, cut: 1 - finished, goal_sums: &self.goals });
        }
    }

    fn clear(&mut self) {
        (self.leaf, self.done) = (None, None);
    }
}
