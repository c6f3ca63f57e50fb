//! The player: it begins with the engine that is ready, and moves to lanes when they are.

use super::brain::{Brain, TreeBrain};
use super::evaluator::Evaluator;
use super::many_lanes::ManyLanes;
use super::one_state::OneState;
use super::parameters::Parameters;
use super::search::Plan;
use crate::disposal::drop_elsewhere;
use crate::rules::{First, Gates};
use crate::{Assignment, Choice, Limit, Player, SearchError};
use senet_circuit::Circuit;
use senet_engine_circuit::CircuitEngine;
use senet_engine_lanes::LanesEngine;
use senet_game::{Engine, derived_seed};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Playouts for a move if nothing else limits them.
const USUAL_PLAYOUTS: u64 = 10_000;
/// Exploration with single playouts, whose scores are far apart; with means of many, which are not; and with means in
/// small games, whose trees have so many visits that the search would lose itself in one line.
const C_OF_SINGLES: f32 = 32.0;
const C_OF_MEANS: f32 = 10.0;
const C_OF_SMALL: f32 = 15.0;
/// Operations of a playout's step for which eight lanes take as long as the tree takes for a leaf, times eight.
const OPERATIONS_OF_LEAF: usize = 20_000;
/// Leaves have so many playouts at most: a word of lanes.
const MOST_PLAYOUTS: usize = 64;
/// On gates, the clock is looked at after so many moves.
pub(crate) const MOVES_A_LOOK: u64 = 8;
/// A part of the start clock may pass until lanes are there.
const WAIT: f64 = 0.7;

/// A search on the first engine looks up after so long whether a better one is there; later if its playouts take longer.
const LOOK_UP: Duration = Duration::from_millis(100);

/// On what it thinks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    First,
    Gates,
    Lanes,
}

/// Monte-Carlo tree search.
pub struct Mcts {
    parameters: Parameters,
    seed: u64,
    now: Option<Now>,
}

struct Now {
    assignment: Assignment,
    /// Joint moves so far.
    history: Vec<Vec<String>>,
    brain: Box<dyn Brain>,
    ground: Ground,
}

impl Mcts {
    /// A player that thinks as told; what it draws at random is a function of the seed.
    pub fn new(parameters: Parameters, seed: u64) -> Mcts {
        Mcts { parameters, seed, now: None }
    }

    /// How many playouts, and positions they began in, were made for the position.
    pub fn counts(&self) -> (u64, u64) {
        self.now.as_ref().map_or((0, 0), |now| now.brain.counts())
    }

    /// By role: its moves in the position, and how often it should play each.
    pub fn strategies(&mut self) -> Vec<Vec<(String, f32)>> {
        self.now.as_mut().map_or_else(Vec::new, |now| now.brain.strategies())
    }

    fn limit(&self, limit: &Limit) -> Limit {
        let own = self.parameters.playouts;
        let most = limit.playouts.into_iter().chain(own).min();
        match (most, limit.deadline) {
            (None, None) => limit.clone().with_playouts(USUAL_PLAYOUTS),
            _ => Limit { playouts: most, ..limit.clone() },
        }
    }

    /// The best there is to think on now.
    fn best_ground(&self, assignment: &Assignment) -> Ground {
        let rules = &assignment.rules;
        let has_lanes = self.parameters.batch && matches!(rules.lanes().get(), Some(Ok(_)));
        // Whoever wants lanes waits for them, unless there are none.
        let wants_gates = !self.parameters.batch || matches!(rules.lanes().get(), Some(Err(_)));
        if has_lanes {
            Ground::Lanes
        } else if wants_gates && matches!(rules.gates().get(), Some(Ok(_))) {
            Ground::Gates
        } else {
            Ground::First
        }
    }

    fn brain(&self, assignment: &Assignment, ground: Ground) -> Result<Box<dyn Brain>, SearchError> {
        let (rules, role) = (&assignment.rules, assignment.role.index());
        let (parameters, seed) = (&self.parameters, self.seed);
        Ok(match ground {
            Ground::First => match rules.first() {
                First::Forward(engine) => {
                    Box::new(on_one_state(parameters, engine.clone(), None, role, seed, 1)?)
                }
                First::Reference(engine) => {
                    Box::new(on_one_state(parameters, engine.clone(), None, role, seed, 1)?)
                }
            },
            Ground::Gates => match rules.gates().get() {
                Some(Ok(gates)) => {
                    let circuit = Some(&*gates.circuit);
                    Box::new(on_one_state(
                        parameters,
                        gates.engine.clone(),
                        circuit,
                        role,
                        seed,
                        MOVES_A_LOOK,
                    )?)
                }
                _ => self.brain(assignment, Ground::First)?,
            },
            Ground::Lanes => match (rules.gates().get(), rules.lanes().get()) {
                (Some(Ok(gates)), Some(Ok(lanes))) => {
                    Box::new(on_lanes(parameters, gates, lanes, role, seed)?)
                }
                _ => self.brain(assignment, Ground::Gates)?,
            },
        })
    }

    /// Thinks on the best engine there is, which may come in the meantime.
    fn think(&mut self, limit: &Limit) -> Result<(), SearchError> {
        let (begin, mut look_up) = (Instant::now(), LOOK_UP);
        loop {
            if limit.has_time_to_begin_anew(begin.elapsed()) {
                self.grow()?;
            }
            let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
            let rules = &now.assignment.rules;
            let is_coming = match self.parameters.batch {
                true => rules.lanes().get().is_none(),
                false => rules.gates().get().is_none(),
            };
            let (true, None, Some(time)) = (is_coming, limit.playouts, limit.time_left()) else {
                return now.brain.think(limit);
            };
            let part = Limit { deadline: Limit::after(time.min(look_up)).deadline, ..limit.clone() };
            let before = now.brain.counts();
            now.brain.think(&part)?;
            if now.brain.counts() == before {
                look_up = look_up.saturating_mul(2);
            }
            let is_idle = now.brain.counts() == before && !part.is_reached(0);
            if limit.is_reached(0) || is_idle {
                return Ok(());
            }
        }
    }

    /// Moves to a better engine if it is there: what was thought is lost, what was played is not.
    fn grow(&mut self) -> Result<(), SearchError> {
        let Some(now) = &self.now else { return Err(SearchError::NoMatch) };
        let best = self.best_ground(&now.assignment);
        if best > now.ground {
            let brain = self.brain(&now.assignment, best).and_then(|mut brain| {
                now.history.iter().try_for_each(|joint| brain.follow(joint))?;
                Ok(brain)
            });
            let now = self.now.as_mut().expect("there is a match");
            now.ground = best;
            // One that cannot follow the match is of no use.
            if let Ok(brain) = brain {
                drop_elsewhere(std::mem::replace(&mut now.brain, brain));
            }
        }
        Ok(())
    }
}

/// A tree on an engine of one state.
pub(crate) fn on_one_state<E: Engine>(
    parameters: &Parameters,
    engine: Arc<E>,
    circuit: Option<&Circuit>,
    role: usize,
    seed: u64,
    moves_a_look: u64,
) -> Result<TreeBrain<E>, SearchError> {
    let evaluator = |thread: usize| -> Box<dyn Evaluator<E::State>> {
        Box::new(OneState::new(engine.clone(), seed_of(seed, thread), parameters.length, moves_a_look))
    };
    let evaluators = (0..parameters.threads).map(evaluator).collect();
    let plan = Plan::new(parameters, role, C_OF_SINGLES, (1, 1));
    let name = engine.name();
    TreeBrain::new(engine, circuit, evaluators, plan, parameters, seed, name)
}

/// A tree on lanes.
pub(crate) fn on_lanes(
    parameters: &Parameters,
    gates: &Gates,
    lanes: &LanesEngine,
    role: usize,
    seed: u64,
) -> Result<TreeBrain<CircuitEngine>, SearchError> {
    let evaluator = |thread: usize| -> Box<dyn Evaluator<Box<[u64]>>> {
        Box::new(ManyLanes::new(lanes, seed_of(seed, thread), parameters.length))
    };
    let evaluators = (0..parameters.threads).map(evaluator).collect();
    let balanced = OPERATIONS_OF_LEAF / lanes.n_operations().max(1);
    let fewest = parameters.lanes.unwrap_or(balanced.next_power_of_two().clamp(8, MOST_PLAYOUTS));
    let mut plan = Plan::new(parameters, role, C_OF_MEANS, (fewest, MOST_PLAYOUTS));
    if plan.is_small() && parameters.c.is_none() {
        plan.taste.c = C_OF_SMALL;
    }
    TreeBrain::new(gates.engine.clone(), Some(&gates.circuit), evaluators, plan, parameters, seed, "lanes")
}

/// Each thread draws for itself.
fn seed_of(seed: u64, thread: usize) -> u64 {
    derived_seed(!seed, thread as u64)
}

impl Player for Mcts {
    fn start(&mut self, assignment: Assignment, limit: &Limit) -> Result<(), SearchError> {
        let rules = assignment.rules.clone();
        if let Some(model) = self.parameters.models.iter().find(|it| !rules.role_names().contains(&it.role)) {
            return Err(SearchError::NoSuchRole(model.role.clone()));
        }
        let wait = match limit.time_left() {
            Some(time) => Limit::after(time.mul_f64(WAIT)).with_stop(limit.stop.clone()),
            None => Limit::default().with_stop(limit.stop.clone()),
        };
        if self.parameters.batch {
            rules.lanes().wait(&wait);
        } else {
            rules.gates().wait(&wait);
        }
        let ground = self.best_ground(&assignment);
        let brain = self.brain(&assignment, ground)?;
        self.now = Some(Now { assignment, history: Vec::new(), brain, ground });
        if limit.deadline.is_some() { self.ponder(limit) } else { Ok(()) }
    }

    fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
        // A better engine may begin from nothing.
        self.now.as_mut().ok_or(SearchError::NoMatch)?.brain.update_reserve(limit);
        let thought = self.think(&self.limit(limit));
        let choice = self.now.as_mut().ok_or(SearchError::NoMatch)?.brain.choose();
        // What went wrong on the way says more than that there is no move.
        choice.map_err(|error| thought.err().unwrap_or(error))
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        now.brain.follow(joint)?;
        now.history.push(joint.to_vec());
        Ok(())
    }

    fn ponder(&mut self, limit: &Limit) -> Result<(), SearchError> {
        // Whoever counts playouts counts those of moves.
        if self.parameters.playouts.is_some() {
            return Ok(());
        }
        self.think(limit)
    }

    fn stop(&mut self) {
        self.now = None;
    }
}
