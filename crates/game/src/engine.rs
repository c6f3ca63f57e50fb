//! The questions every engine answers.

use crate::{GameError, MoveGenerator, PlayedOut, PlayoutOptions, PlayoutStatistics};
use std::hash::Hash;

senet_ids::define_id! {
    /// A role, numbered in the order of the rulesheet.
    pub struct RoleId;
}

senet_ids::define_id! {
    /// A move of one engine. Engines number moves as they meet them: compare
    /// moves of different engines by their text.
    pub struct MoveId;
}

/// A game that can be played. Shared between threads; each thread has a worker.
pub trait Engine: Send + Sync + 'static {
    /// A position. Positions are equal when the same facts hold.
    type State: Clone + Eq + Hash + Send + Sync;
    /// The memory one thread needs to answer questions.
    type Worker: Send;

    /// The name under which `--engine` asks for this engine.
    fn name(&self) -> &'static str;

    /// The roles in the order of the rulesheet.
    fn role_names(&self) -> &[String];

    /// Memory for one thread.
    fn worker(&self) -> Self::Worker;

    /// The position in which a match begins.
    fn initial(&self, worker: &mut Self::Worker) -> Result<Self::State, GameError>;

    /// Whether the match is over.
    fn is_terminal(&self, worker: &mut Self::Worker, state: &Self::State) -> Result<bool, GameError>;

    /// What the position is worth to a role: `None` unless the rules give exactly one integer from 0 to 100.
    fn goal(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        role: RoleId,
    ) -> Result<Option<u8>, GameError>;

    /// Replaces `moves` by the legal moves of a role, in source order.
    fn legals(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), GameError>;

    /// The position after one move of each role. Trusts the caller that they
    /// are legal; outsiders go through [`crate::Match::play`].
    fn step(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        moves: &[MoveId],
    ) -> Result<Self::State, GameError>;

    /// The canonical text of a move.
    fn move_text(&self, worker: &mut Self::Worker, id: MoveId) -> String;

    /// The facts of a position in canonical text, sorted bytewise.
    fn facts(&self, worker: &mut Self::Worker, state: &Self::State) -> Vec<String>;

    /// The position in which exactly these facts hold. They may be any terms:
    /// an engine that cannot represent them says so.
    fn state_of(&self, worker: &mut Self::Worker, facts: &[String]) -> Result<Self::State, GameError>;

    /// How many bytes a state takes, for those who keep many.
    fn state_bytes(&self, state: &Self::State) -> usize;

    /// One random match from a state on, to its end or to where `may_go_on` says no: see [`playout`](crate::playout), which
    /// an engine with a faster way to the same answer replaces.
    fn playout(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        generator: &mut MoveGenerator,
        may_go_on: &mut dyn FnMut(u64) -> bool,
        goals: &mut Vec<Option<u8>>,
    ) -> Result<PlayedOut, GameError>
    where
        Self: Sized,
    {
        crate::playout(self, worker, state, generator, may_go_on, goals)
    }

    /// Random matches from the initial position on one thread, one state at a time, with the draws of one generator: see
    /// [`playouts`](crate::playouts), which an engine with a faster way to the same answer replaces.
    fn playouts(
        &self,
        worker: &mut Self::Worker,
        options: PlayoutOptions,
    ) -> Result<PlayoutStatistics, GameError>
    where
        Self: Sized,
    {
        crate::playouts(self, worker, options)
    }

    /// Random matches from the initial position on the threads of the options: see
    /// [`playouts_in_chunks`](crate::playouts_in_chunks), which an engine that plays many matches at once replaces.
    /// What comes out is a function of the other options; with one thread all work is done on the calling one.
    fn all_playouts(&self, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError>
    where
        Self: Sized,
    {
        crate::playouts_in_chunks(self, options)
    }

    /// How many playouts run at once on one thread: fewer take as long.
    fn n_side_by_side(&self) -> u64 {
        1
    }

    /// How many gates a state takes, if the engine is made of gates.
    fn n_gates(&self) -> Option<usize> {
        None
    }

    /// The instruction set it plays with, if it can play with several.
    fn level_name(&self) -> Option<&'static str> {
        None
    }

    /// What making and keeping the engine takes, by name: for those who compare engines.
    fn figures(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// What people may want to know of how the game is played, in lines.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The roles of an engine in order.
pub fn roles<E: Engine>(engine: &E) -> impl Iterator<Item = RoleId> + use<E> {
    (0..engine.role_names().len()).map(RoleId::new)
}
