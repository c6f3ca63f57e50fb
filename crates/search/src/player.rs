//! What anybody does who plays.

use crate::{Limit, Rules};
use senet_engines::LoadError;
use senet_game::{GameError, PlayError, RoleId};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// What a player is told when a match begins.
#[derive(Clone)]
pub struct Assignment {
    /// The game.
    pub rules: Arc<Rules>,
    /// Who the player is in it.
    pub role: RoleId,
}

/// A move, and what was thought of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move in canonical text. It is legal.
    pub text: String,
    /// The thoughts.
    pub report: Report,
}

/// What a search found out about a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The engine that was asked.
    pub engine: Option<&'static str>,
    /// How many playouts were made for this move.
    pub playouts: u64,
    /// How many positions are kept.
    pub nodes: u64,
    /// The most moves a playout went within the tree.
    pub depth: u32,
    /// What the player expects to get, from 0 to 100.
    pub value: Option<f64>,
    /// Whether the value is proved: nobody can change it.
    pub is_proved: bool,
    /// The longest step by which the tree grew or evicted positions, in processor time.
    pub longest_pause: Option<Duration>,
    /// The expected joint moves from here on, each in role order.
    pub line: Vec<Vec<String>>,
}

/// Why a player cannot go on.
#[derive(Debug, Error)]
pub enum SearchError {
    /// No engine plays the game.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The rules cannot answer.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A joint move that cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A policy is given for a role that is not there.
    #[error("there is no role `{0}`, whose policy is given")]
    NoSuchRole(String),
    /// Asked for a move before a match began or after it ended.
    #[error("there is no match to play")]
    NoMatch,
}

/// Somebody who plays. One match at a time: [`start`](Player::start), then for each position
/// [`choose`](Player::choose) and [`observe`](Player::observe), then [`stop`](Player::stop).
pub trait Player: Send {
    /// Takes a match on. It may think until the limit.
    fn start(&mut self, assignment: Assignment, limit: &Limit) -> Result<(), SearchError>;

    /// A legal move for the position, before the limit is passed. A player that thinks keeps its best move so far in the
    /// reserve of the limit, from the beginning.
    fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError>;

    /// Follows a joint move, given as canonical text in role order. It is the truth, whatever was chosen.
    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError>;

    /// Thinks while the others do, until the limit. Most have nothing to think about.
    fn ponder(&mut self, limit: &Limit) -> Result<(), SearchError> {
        let _ = limit;
        Ok(())
    }

    /// The match is over.
    fn stop(&mut self) {}
}
