//! Ary's player of the qualifying phase: playouts from each first move until time is up, then the best mean of its own score.
//!
//! Mehat and Cazenave, "An Account of a Participation to the 2007 General Game Playing Competition". As there, the scores of
//! the others do not count, and the time before the first move is not used.

use crate::playout::playout;
use crate::position::Position;
use crate::thinker::{Search, Strategy};
use crate::{Choice, Limit, Report, SearchError};
use senet_game::{Engine, MoveGenerator, MoveId, RoleId, roles};
use std::sync::Arc;

/// Plain Monte-Carlo.
#[derive(Clone, Debug)]
pub(crate) struct MonteCarlo {
    pub(crate) playouts: Option<u64>,
    pub(crate) seed: u64,
}

impl Strategy for MonteCarlo {
    fn search<E: Engine>(&self, engine: Arc<E>, role: RoleId) -> Result<Box<dyn Search>, SearchError> {
        let mut search = MonteCarloSearch {
            position: Position::new(engine)?,
            role,
            generator: MoveGenerator::new(self.seed),
            moves: Vec::new(),
            is_opened: false,
            playouts: 0,
            goals: Vec::new(),
        };
        search.forget();
        Ok(Box::new(search))
    }

    fn most_playouts(&self) -> Option<u64> {
        self.playouts
    }

    fn thinks_ahead(&self) -> bool {
        false
    }
}

struct MonteCarloSearch<E: Engine> {
    position: Position<E>,
    role: RoleId,
    generator: MoveGenerator,
    /// The moves of the position, once it was looked at.
    moves: Vec<FirstMove>,
    is_opened: bool,
    playouts: u64,
    goals: Vec<Option<u8>>,
}

/// A legal move and the counter that is associated with it.
struct FirstMove {
    id: MoveId,
    playouts: u64,
    sum: u64,
}

impl FirstMove {
    fn mean(&self) -> f64 {
        self.sum as f64 / self.playouts.max(1) as f64
    }
}

impl<E: Engine> MonteCarloSearch<E> {
    fn forget(&mut self) {
        (self.playouts, self.is_opened) = (0, false);
        self.moves.clear();
    }

    fn open(&mut self) -> Result<(), SearchError> {
        if !self.is_opened {
            let legal = self.position.legal(self.role)?;
            self.moves.extend(legal.into_iter().map(|id| FirstMove { id, playouts: 0, sum: 0 }));
            self.is_opened = true;
        }
        Ok(())
    }

    /// The position after a first move of ours and random moves of the others.
    fn after(&mut self, own: MoveId) -> Result<E::State, SearchError> {
        let mut joint = Vec::new();
        for role in roles(&*self.position.engine) {
            joint.push(match role == self.role {
                true => own,
                false => {
                    let legal = self.position.legal(role)?;
                    legal[self.generator.below(legal.len())]
                }
            });
        }
        let Position { engine, worker, state } = &mut self.position;
        Ok(engine.step(worker, state, &joint)?)
    }
}

impl<E: Engine> Search for MonteCarloSearch<E> {
    fn think(&mut self, limit: &Limit) -> Result<(), SearchError> {
        self.open()?;
        let already = self.playouts;
        while !self.is_settled() && !limit.is_reached(self.playouts - already) {
            limit.update_reserve(|| self.choice().ok());
            let at = (self.playouts % self.moves.len() as u64) as usize;
            // A move after which the rules cannot go on is worth nothing.
            let mut goal = None;
            if let Ok(state) = self.after(self.moves[at].id) {
                let goals = &mut self.goals;
                if playout(&mut self.position, &state, &mut self.generator, limit, goals).is_none() {
                    break;
                }
                goal = goals[self.role.index()];
            }
            self.moves[at].playouts += 1;
            self.moves[at].sum += u64::from(goal.unwrap_or(0));
            self.playouts += 1;
        }
        Ok(())
    }

    /// A single move needs no thought.
    fn is_settled(&self) -> bool {
        self.is_opened && self.moves.len() == 1
    }

    fn playouts(&self) -> u64 {
        self.playouts
    }

    fn choice(&mut self) -> Result<Choice, SearchError> {
        self.open()?;
        let best = self.moves.iter().rev().max_by(|left, right| left.mean().total_cmp(&right.mean()));
        let best = best.expect("there is a legal move");
        let value = (best.playouts > 0).then(|| best.mean());
        let report = Report {
            engine: Some(self.position.engine.name()),
            playouts: self.playouts,
            nodes: 1,
            depth: 1,
            value,
            ..Report::default()
        };
        let id = best.id;
        Ok(Choice { text: self.position.text(id), report })
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        let joint = self.position.find(joint)?;
        self.position.advance(&joint)?;
        self.forget();
        Ok(())
    }
}
