//! A game under test.

#![allow(dead_code, unreachable_pub)] // Each test file uses its own part.

use senet_engine_reference::{ReferenceEngine, State, Worker};
use senet_game::{Engine, GameError, PlayoutOptions, PlayoutStatistics, RoleId, playouts};

/// A game and the position it is in.
pub struct Game {
    engine: ReferenceEngine,
    worker: Worker,
    state: State,
}

fn load(text: &str) -> Result<ReferenceEngine, GameError> {
    let description = senet_gdl::parse(text);
    assert_eq!(description.findings(), []);
    ReferenceEngine::new(&description)
}

/// Why there is no such game.
pub fn error_of(text: &str) -> GameError {
    load(text).err().expect("the game should be refused")
}

/// Why the first role's moves cannot be told.
pub fn legal_error_of(text: &str) -> GameError {
    let mut game = Game::new(text);
    let role = game.roles()[0].clone();
    game.try_legal(&role).expect_err("the rules should not be answerable")
}

impl Game {
    /// The game in its initial position.
    pub fn new(text: &str) -> Self {
        Self::try_new(text).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn try_new(text: &str) -> Result<Self, GameError> {
        let engine = load(text)?;
        let mut worker = engine.worker();
        let state = engine.initial(&mut worker)?;
        Ok(Self { engine, worker, state })
    }

    pub fn roles(&self) -> Vec<String> {
        self.engine.role_names().to_vec()
    }

    fn role(&self, name: &str) -> RoleId {
        RoleId::new(self.engine.role_names().iter().position(|role| role == name).expect("a role"))
    }

    pub fn facts(&mut self) -> Vec<String> {
        self.engine.facts(&mut self.worker, &self.state)
    }

    pub fn try_terminal(&mut self) -> Result<bool, GameError> {
        self.engine.is_terminal(&mut self.worker, &self.state)
    }

    pub fn terminal(&mut self) -> bool {
        self.try_terminal().unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn try_goal(&mut self, role: &str) -> Result<Option<u8>, GameError> {
        let role = self.role(role);
        self.engine.goal(&mut self.worker, &self.state, role)
    }

    pub fn goal(&mut self, role: &str) -> Option<u8> {
        self.try_goal(role).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The legal moves, sorted bytewise.
    pub fn try_legal(&mut self, role: &str) -> Result<Vec<String>, GameError> {
        let role = self.role(role);
        let mut moves = Vec::new();
        self.engine.legals(&mut self.worker, &self.state, role, &mut moves)?;
        let mut texts: Vec<_> =
            moves.into_iter().map(|id| self.engine.move_text(&mut self.worker, id)).collect();
        texts.sort_unstable();
        Ok(texts)
    }

    pub fn legal(&mut self, role: &str) -> Vec<String> {
        self.try_legal(role).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Plays a legal move for each role in order.
    pub fn play(&mut self, joint: &[&str]) {
        let mut ids = Vec::new();
        for (role, &text) in joint.iter().enumerate() {
            let mut moves = Vec::new();
            self.engine
                .legals(&mut self.worker, &self.state, RoleId::new(role), &mut moves)
                .unwrap_or_else(|error| panic!("{error}"));
            let found = moves.into_iter().find(|&id| self.engine.move_text(&mut self.worker, id) == text);
            ids.push(found.unwrap_or_else(|| panic!("{text} is not legal")));
        }
        assert_eq!(ids.len(), self.roles().len());
        self.state =
            self.engine.step(&mut self.worker, &self.state, &ids).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Continues where exactly these facts hold.
    pub fn set(&mut self, facts: &[&str]) {
        let facts: Vec<_> = facts.iter().map(|&fact| fact.to_owned()).collect();
        self.state = self.engine.state_of(&mut self.worker, &facts).unwrap_or_else(|error| panic!("{error}"));
    }

    pub fn playout(&mut self) -> Result<PlayoutStatistics, GameError> {
        playouts(&self.engine, &mut self.worker, PlayoutOptions::new(1, 0))
    }
}
