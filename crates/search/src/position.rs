//! Where a match stands, on an engine of one kind.

use crate::SearchError;
use senet_game::{Engine, GameError, MoveId, PlayError, RoleId, roles};
use std::sync::Arc;

/// The position of a match, and the worker that answers questions about this and any other position.
pub(crate) struct Position<E: Engine> {
    pub(crate) engine: Arc<E>,
    pub(crate) worker: E::Worker,
    pub(crate) state: E::State,
}

impl<E: Engine> Position<E> {
    /// The initial one.
    pub(crate) fn new(engine: Arc<E>) -> Result<Self, GameError> {
        let mut worker = engine.worker();
        let state = engine.initial(&mut worker)?;
        Ok(Position { engine, worker, state })
    }

    pub(crate) fn n_roles(&self) -> usize {
        self.engine.role_names().len()
    }

    /// The legal moves of a role, of which there is at least one.
    pub(crate) fn legal(&mut self, role: RoleId) -> Result<Vec<MoveId>, SearchError> {
        if self.engine.is_terminal(&mut self.worker, &self.state)? {
            return Err(PlayError::Terminal.into());
        }
        let mut moves = Vec::new();
        self.engine.legals(&mut self.worker, &self.state, role, &mut moves)?;
        match moves.is_empty() {
            false => Ok(moves),
            true => Err(GameError::no_legal_move(&*self.engine, &mut self.worker, &self.state, role).into()),
        }
    }

    /// The text of a move.
    pub(crate) fn text(&mut self, id: MoveId) -> String {
        self.engine.move_text(&mut self.worker, id)
    }

    /// For each role the place of its move among its legal moves, and the move.
    pub(crate) fn find(&mut self, joint: &[String]) -> Result<Vec<(u32, MoveId)>, SearchError> {
        let mut found = Vec::new();
        for role in roles(&*self.engine) {
            let name = || self.engine.role_names()[role.index()].clone();
            let Some(text) = joint.get(role.index()) else {
                return Err(PlayError::MissingMove(name()).into());
            };
            let illegal = PlayError::IllegalMove { role: name(), text: text.clone() };
            let legal = self.legal(role)?;
            let place = legal.iter().position(|&id| self.text(id) == *text).ok_or(illegal)?;
            found.push((place as u32, legal[place]));
        }
        Ok(found)
    }

    /// Goes on by a joint move of [`find`](Self::find).
    pub(crate) fn advance(&mut self, joint: &[(u32, MoveId)]) -> Result<(), GameError> {
        let moves: Vec<MoveId> = joint.iter().map(|&(_, id)| id).collect();
        self.state = self.engine.step(&mut self.worker, &self.state, &moves)?;
        Ok(())
    }
}
