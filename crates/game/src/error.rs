//! What can go wrong in a game whose rules were accepted.

use crate::{Engine, RoleId};
use thiserror::Error;

/// The rules cannot answer a question about a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameError {
    /// The text of the rules has syntax errors: a part of them is missing.
    #[error("the rules cannot be read as a whole: {0}")]
    Syntax(String),
    /// A position that is not terminal leaves a role without a move.
    #[error("{role} has no legal move and the match is not over, in the position {}", facts.join(" "))]
    NoLegalMove {
        /// The role.
        role: String,
        /// The position.
        facts: Vec<String>,
    },
    /// Atoms depend on their own negation in this position.
    #[error("the rules contradict themselves here: {}", cycle.join(" depends on "))]
    NegativeCycle {
        /// The atoms of the cycle in order, `not` before those that are negated; the last is the first again.
        cycle: Vec<String>,
    },
    /// A variable that no condition binds had to be known.
    #[error("the variable `{variable}` is not bound when it is needed in: {clause}")]
    Unsafe {
        /// The variable.
        variable: String,
        /// The clause.
        clause: String,
    },
    /// A relation has more answers, or larger terms, than can be handled.
    #[error("`{relation}` is too large or does not come to an end: {what}")]
    Unbounded {
        /// The relation being derived when the limit was reached.
        relation: String,
        /// Which limit.
        what: String,
    },
    /// A position from outside that this engine cannot represent.
    #[error("{0}")]
    BadState(String),
}

impl GameError {
    /// A role that cannot move in a position.
    pub fn no_legal_move<E: Engine>(
        engine: &E,
        worker: &mut E::Worker,
        state: &E::State,
        role: RoleId,
    ) -> Self {
        GameError::NoLegalMove {
            role: engine.role_names()[role.index()].clone(),
            facts: engine.facts(worker, state),
        }
    }

    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            GameError::NoLegalMove { .. } => "no-legal-move",
            GameError::NegativeCycle { .. } => "negative-cycle",
            GameError::Syntax(_) => "syntax",
            GameError::Unsafe { .. } => "unsafe-variable",
            GameError::Unbounded { .. } => "unbounded",
            GameError::BadState(_) => "bad-state",
        }
    }
}
