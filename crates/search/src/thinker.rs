//! What players that think have in common: clocks, and the engine they think with.
//!
//! A search begins on the engine that is ready and moves to gates when they are there; the position is carried over by
//! playing the moves of the match once more.

use crate::disposal::drop_elsewhere;
use crate::{Assignment, Choice, First, Gates, Limit, Player, SearchError};
use senet_game::{Engine, RoleId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a search on the first engine looks whether gates are there. Less often if its playouts take longer.
const SLICE: Duration = Duration::from_millis(20);

/// Makes the searches of one player.
pub(crate) trait Strategy: Send + 'static {
    /// A search from the initial position.
    fn search<E: Engine>(&self, engine: Arc<E>, role: RoleId) -> Result<Box<dyn Search>, SearchError>;

    /// The same on gates.
    fn search_on_gates(&self, gates: &Gates, role: RoleId) -> Result<Box<dyn Search>, SearchError> {
        self.search(gates.engine.clone(), role)
    }

    /// The most playouts for a move. Whoever counts them does not think in the time of the others: what is found out then
    /// depends on nothing but the seed.
    fn most_playouts(&self) -> Option<u64>;

    /// Whether it thinks before the first move and in the time of the others.
    fn thinks_ahead(&self) -> bool;
}

/// What is known of the position of a match, and of those that may follow.
pub(crate) trait Search: Send {
    /// Finds out more until the limit, or until there is nothing to be found out.
    fn think(&mut self, limit: &Limit) -> Result<(), SearchError>;

    /// Whether there is nothing to be found out.
    fn is_settled(&self) -> bool;

    /// How many playouts were made since the last joint move.
    fn playouts(&self) -> u64;

    /// The best move as far as it is known.
    fn choice(&mut self) -> Result<Choice, SearchError>;

    /// Goes on by a joint move.
    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError>;

    /// Joint moves to the end of the match that are not to be lost, if it has some.
    fn line(&mut self) -> Vec<Vec<String>> {
        Vec::new()
    }

    /// Learns the line of a search on another engine.
    fn learn(&mut self, line: &[Vec<String>]) -> Result<(), SearchError> {
        let _ = line;
        Ok(())
    }
}

/// A player that thinks.
pub(crate) struct Thinker<S> {
    strategy: S,
    now: Option<Now>,
}

/// A match.
struct Now {
    assignment: Assignment,
    search: Box<dyn Search>,
    /// Whether gates are still hoped for.
    waits: bool,
    /// How long it thinks until it looks for them again.
    slice: Duration,
    /// The joint moves so far.
    played: Vec<Vec<String>>,
}

impl<S: Strategy> Thinker<S> {
    pub(crate) fn new(strategy: S) -> Thinker<S> {
        Thinker { strategy, now: None }
    }

    fn think(&mut self, limit: &Limit) -> Result<(), SearchError> {
        let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        if limit.deadline.is_none() {
            // Nobody is in a hurry: what is found out then depends on nothing but the seed.
            let patience = Limit { playouts: None, ..limit.clone() };
            now.assignment.rules.gates().wait(&patience);
        }
        let mut given = limit.playouts;
        let begin = Instant::now();
        loop {
            if limit.has_time_to_begin_anew(begin.elapsed()) {
                now.move_to_gates(&self.strategy);
            }
            let before = now.search.playouts();
            // What another search made before the gates were there is gone with it, and does not count.
            let own = self.strategy.most_playouts().map(|most| most.saturating_sub(before));
            let limit = Limit { playouts: given.into_iter().chain(own).min(), ..limit.clone() };
            let part = if now.waits { limit.part(now.slice) } else { limit.clone() };
            now.search.think(&part)?;
            let made = now.search.playouts().saturating_sub(before);
            if made == 0 {
                now.slice = now.slice.saturating_mul(2);
            }
            given = given.map(|most| most.saturating_sub(made));
            if now.search.is_settled() || limit.is_reached(made) {
                return Ok(());
            }
        }
    }
}

impl Limit {
    /// The next little while of it.
    fn part(&self, slice: Duration) -> Limit {
        let time = self.time_left().map_or(slice, |left| left.min(slice));
        Limit { deadline: Limit::after(time).deadline, ..self.clone() }
    }
}

impl Now {
    fn new(strategy: &impl Strategy, assignment: Assignment) -> Result<Now, SearchError> {
        let Assignment { rules, role } = &assignment;
        rules.gates();
        let search = match rules.first() {
            First::Forward(engine) => strategy.search(engine.clone(), *role)?,
            First::Reference(engine) => strategy.search(engine.clone(), *role)?,
        };
        Ok(Now { search, waits: true, slice: SLICE, played: Vec::new(), assignment })
    }

    /// Moves to gates if they are there, and if they can follow the match.
    fn move_to_gates(&mut self, strategy: &impl Strategy) {
        if !self.waits {
            return;
        }
        let Some(gates) = self.assignment.rules.gates().get() else { return };
        self.waits = false;
        let Ok(gates) = gates else { return };
        let search = strategy.search_on_gates(gates, self.assignment.role).and_then(|mut search| {
            self.played.iter().try_for_each(|joint| search.observe(joint))?;
            Ok(search)
        });
        if let Ok(mut search) = search {
            // What it cannot follow it does without.
            let _ = search.learn(&self.search.line());
            drop_elsewhere(std::mem::replace(&mut self.search, search));
        }
    }
}

impl<S: Strategy> Player for Thinker<S> {
    fn start(&mut self, assignment: Assignment, limit: &Limit) -> Result<(), SearchError> {
        let now = self.now.insert(Now::new(&self.strategy, assignment)?);
        now.move_to_gates(&self.strategy);
        // A start that nothing ends is not one to think in.
        let ends =
            limit.deadline.is_some() || limit.playouts.is_some() || self.strategy.most_playouts().is_some();
        if self.strategy.thinks_ahead() && ends { self.think(limit) } else { Ok(()) }
    }

    fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
        let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        limit.update_reserve(|| now.search.choice().ok());
        self.think(limit)?;
        self.now.as_mut().ok_or(SearchError::NoMatch)?.search.choice()
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        now.search.observe(joint)?;
        now.played.push(joint.to_vec());
        now.move_to_gates(&self.strategy);
        Ok(())
    }

    fn ponder(&mut self, limit: &Limit) -> Result<(), SearchError> {
        let ponders = self.strategy.thinks_ahead() && self.strategy.most_playouts().is_none();
        if ponders { self.think(limit) } else { Ok(()) }
    }

    fn stop(&mut self) {
        self.now = None;
    }
}
