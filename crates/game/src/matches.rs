//! One match, with a way back.

use crate::{Engine, GameError, MoveGenerator, MoveId, RoleId, roles};
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// A position as people and programs read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The facts, sorted bytewise.
    pub state: Vec<String>,
    /// Whether the match is over.
    pub terminal: bool,
    /// By role: the value, if there is exactly one.
    pub goals: Vec<Option<u8>>,
    /// By role: the legal moves, sorted bytewise. Empty for every role when the match is over.
    pub legal: Vec<Vec<String>>,
}

/// Why a match did not move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// The match is over.
    #[error("the match is over: no move can be played")]
    Terminal,
    /// A role of the game is missing.
    #[error("no move for {0}")]
    MissingMove(String),
    /// No such role.
    #[error("{0} is not a role of this game")]
    UnknownRole(String),
    /// The move is not legal here.
    #[error("{text} is not a legal move of {role} here")]
    IllegalMove {
        /// Who.
        role: String,
        /// The move as given.
        text: String,
    },
    /// There is nothing to take back.
    #[error("there is no move to take back")]
    NothingToUndo,
    /// The rules cannot answer.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl PlayError {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            PlayError::Terminal => "terminal",
            PlayError::MissingMove(_) => "missing-move",
            PlayError::UnknownRole(_) => "unknown-role",
            PlayError::IllegalMove { .. } => "illegal-move",
            PlayError::NothingToUndo => "nothing-to-undo",
            PlayError::Game(error) => error.code(),
        }
    }
}

/// A state with its value and the moves it allows, each beside its text.
struct Known<S> {
    state: S,
    terminal: bool,
    goals: Vec<Option<u8>>,
    legal: Vec<Vec<(String, MoveId)>>,
}

/// A match in progress: the one checked way for outsiders to play moves.
pub struct Match<E: Engine> {
    engine: Arc<E>,
    worker: E::Worker,
    history: Vec<Known<E::State>>,
}

impl<E: Engine> Match<E> {
    /// A match in its initial position.
    pub fn new(engine: Arc<E>) -> Result<Self, GameError> {
        Self::begin(engine, |engine, worker| engine.initial(worker))
    }

    /// A match that begins where exactly these facts hold.
    pub fn from_facts(engine: Arc<E>, facts: &[String]) -> Result<Self, GameError> {
        Self::begin(engine, |engine, worker| engine.state_of(worker, facts))
    }

    fn begin(
        engine: Arc<E>,
        state: impl FnOnce(&E, &mut E::Worker) -> Result<E::State, GameError>,
    ) -> Result<Self, GameError> {
        let mut worker = engine.worker();
        let state = state(&engine, &mut worker)?;
        let mut game = Self { engine, worker, history: Vec::new() };
        game.jump_to(state)?;
        Ok(game)
    }

    /// Begins again.
    pub fn restart(&mut self) -> Result<(), GameError> {
        let initial = self.engine.initial(&mut self.worker)?;
        self.jump_to(initial)
    }

    /// Continues from a position in which exactly these facts hold.
    pub fn set(&mut self, facts: &[String]) -> Result<(), GameError> {
        let state = self.engine.state_of(&mut self.worker, facts)?;
        self.jump_to(state)
    }

    /// Plays one move for each role, given as canonical text.
    pub fn play(&mut self, moves: &BTreeMap<String, String>) -> Result<(), PlayError> {
        let engine = self.engine.clone();
        let now = self.now();
        if now.terminal {
            return Err(PlayError::Terminal);
        }
        if let Some(role) = moves.keys().find(|role| !engine.role_names().contains(role)) {
            return Err(PlayError::UnknownRole(role.clone()));
        }
        let mut joint = Vec::new();
        for (role, legal) in engine.role_names().iter().zip(&now.legal) {
            let text = moves.get(role).ok_or_else(|| PlayError::MissingMove(role.clone()))?;
            let found = legal.binary_search_by(|(legal, _)| legal.as_str().cmp(text));
            let at = found.map_err(|_| PlayError::IllegalMove { role: role.clone(), text: text.clone() })?;
            joint.push(legal[at].1);
        }
        let state = now.state.clone();
        let next = engine.step(&mut self.worker, &state, &joint)?;
        let known = self.look_at(next)?;
        self.history.push(known);
        Ok(())
    }

    /// Takes the last joint move back.
    pub fn undo(&mut self) -> Result<(), PlayError> {
        if self.history.len() == 1 {
            return Err(PlayError::NothingToUndo);
        }
        self.history.pop();
        Ok(())
    }

    /// Draws a random legal move for a role, as text.
    pub fn random_move(&mut self, role: RoleId, generator: &mut MoveGenerator) -> Result<String, PlayError> {
        if self.now().terminal {
            return Err(PlayError::Terminal);
        }
        let mut moves = Vec::new();
        let state = self.now().state.clone();
        self.engine.legals(&mut self.worker, &state, role, &mut moves)?;
        match generator.choose(&moves) {
            Some(id) => Ok(self.engine.move_text(&mut self.worker, id)),
            None => Err(GameError::no_legal_move(&*self.engine, &mut self.worker, &state, role).into()),
        }
    }

    /// The position now.
    pub fn position(&mut self) -> Position {
        let Self { engine, worker, history } = self;
        let now = history.last().expect("a match always has a position");
        let texts = |moves: &Vec<(String, MoveId)>| moves.iter().map(|(text, _)| text.clone()).collect();
        Position {
            state: engine.facts(worker, &now.state),
            terminal: now.terminal,
            goals: now.goals.clone(),
            legal: now.legal.iter().map(texts).collect(),
        }
    }

    /// How many joint moves were played since the start, a restart or a set.
    pub fn moves_played(&self) -> usize {
        self.history.len() - 1
    }

    fn now(&self) -> &Known<E::State> {
        self.history.last().expect("a match always has a position")
    }

    fn jump_to(&mut self, state: E::State) -> Result<(), GameError> {
        let known = self.look_at(state)?;
        self.history.clear();
        self.history.push(known);
        Ok(())
    }

    fn look_at(&mut self, state: E::State) -> Result<Known<E::State>, GameError> {
        let terminal = self.engine.is_terminal(&mut self.worker, &state)?;
        let mut legal = vec![Vec::new(); self.engine.role_names().len()];
        if !terminal {
            let mut moves = Vec::new();
            for (role, texts) in roles(&*self.engine).zip(&mut legal) {
                self.engine.legals(&mut self.worker, &state, role, &mut moves)?;
                texts.extend(moves.iter().map(|&id| (self.engine.move_text(&mut self.worker, id), id)));
                texts.sort_unstable();
            }
        }
        let goals = roles(&*self.engine)
            .map(|role| self.engine.goal(&mut self.worker, &state, role))
            .collect::<Result<_, _>>()?;
        Ok(Known { state, terminal, goals, legal })
    }
}
