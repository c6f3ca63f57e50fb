//! The engine: programs made of a circuit, and the questions every engine answers.

use crate::batch::Batch;
use crate::compile::{RandomPlay, compile_given_moves, compile_random_play};
use crate::expander::Expander;
use crate::kernel::Level;
use crate::leaves::Leaves;
use crate::playouts::{Order, Outcome, look_at_start, play_unit, units};
use crate::program::Program;
use senet_circuit::{Circuit, States};
use senet_game::{Engine, GameError, MoveId, PlayoutOptions, PlayoutStatistics, RoleId};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// How many words of lanes work together: 1,024 lanes.
const WIDTH: usize = 16;

/// Plays a game in many lanes at once. One state at a time it answers too, but slowly.
pub struct LanesEngine {
    circuit: Arc<Circuit>,
    states: States,
    random_play: RandomPlay,
    /// For moves from outside: made when it is needed.
    given_moves: OnceLock<Program>,
    level: Level,
    width: usize,
}

impl LanesEngine {
    /// Makes the programs of a game, for the best this processor can do.
    pub fn new(circuit: Arc<Circuit>) -> Result<LanesEngine, GameError> {
        let random_play = compile_random_play(&circuit)?;
        Ok(LanesEngine {
            states: States::new(&circuit),
            circuit,
            random_play,
            given_moves: OnceLock::new(),
            level: Level::best(),
            width: WIDTH,
        })
    }

    /// Uses what another processor can do; `None` if this one cannot. What comes out stays the same.
    pub fn at_level(self, level: Level) -> Option<LanesEngine> {
        level.is_there().then_some(LanesEngine { level, ..self })
    }

    /// Lets 4, 8 or 16 words of 64 lanes work together. What comes out stays the same.
    pub fn with_width(self, width: usize) -> LanesEngine {
        LanesEngine { width, ..self }
    }

    /// What it uses of the processor.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The game as gates.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The states of the game.
    pub fn states(&self) -> &States {
        &self.states
    }

    /// How many operations a step of random play takes, goals not among them.
    pub fn n_operations(&self) -> usize {
        self.random_play.program.n_operations()
    }

    /// Lanes whose moves are given from outside; all begin in the initial state.
    pub fn batch(&self, n_lanes: usize) -> Batch {
        let mut batch = Batch::new(&self.circuit, self.given_moves(), self.level, n_lanes);
        batch.set_all(self.states.initial());
        batch
    }

    /// Lanes for random playouts from many positions, with the draws of a seed; playouts that are not over after so many
    /// moves are cut. The larger the game, the fewer lanes, so that nobody waits long for what comes out.
    pub fn leaves(&self, seed: u64, max_length: u64) -> Leaves {
        let RandomPlay { program, patience } = &self.random_play;
        let width = match program.n_operations() {
            ..=6_000 => WIDTH,
            _ => WIDTH / 2,
        };
        Leaves::new(program, *patience, self.level, width.min(self.width), seed, max_length)
    }

    /// Lanes that tell what follows moves.
    pub fn expander(&self) -> Expander {
        Expander::new(self.given_moves(), &self.circuit.signature().moves_of, self.level)
    }

    fn given_moves(&self) -> &Program {
        self.given_moves.get_or_init(|| compile_given_moves(&self.circuit))
    }

    /// Random playouts from a state.
    pub fn playouts_from(
        &self,
        state: &[u64],
        options: PlayoutOptions,
    ) -> Result<PlayoutStatistics, GameError> {
        let order = Order {
            program: &self.random_play.program,
            start: state,
            patience: self.random_play.patience,
            seed: options.seed,
            max_length: options.max_length,
            level: self.level,
        };
        if let Some(goals) = look_at_start(&order) {
            return Ok(self.without_moves(&goals, options.count));
        }
        if options.max_length == 0 {
            let cut = options.count;
            return Ok(PlayoutStatistics { cut, ..PlayoutStatistics::new(self.role_names().len()) });
        }
        let units = units(options.count);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut outcome = Outcome::default();
            while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
                outcome.merge(play_unit(&order, self.width, unit));
            }
            outcome
        };
        let outcome = if options.threads <= 1 {
            work()
        } else {
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..options.threads).map(|_| scope.spawn(work)).collect();
                let mut outcome = Outcome::default();
                for thread in threads {
                    outcome.merge(thread.join().expect("playing does not panic"));
                }
                outcome
            })
        };
        match &outcome.stuck {
            Some(state) => Err(self.no_legal_move(state)),
            None => Ok(self.statistics(&outcome)),
        }
    }

    /// Playouts that end where they begin; `holding` tells by role which goals hold there.
    fn without_moves(&self, holding: &[Vec<usize>], count: u64) -> PlayoutStatistics {
        let goals = &self.random_play.program.goals;
        let once = |(goals, holding): (&Vec<(Option<u8>, u32)>, &Vec<usize>)| {
            let is_only = |at: usize| u64::from(holding.len() == 1 && holding[0] == at);
            (0..goals.len()).map(|at| count * is_only(at)).collect()
        };
        let goals = goals.iter().zip(holding).map(once).collect();
        self.statistics(&Outcome { playouts: count, goals, ..Outcome::default() })
    }

    fn statistics(&self, outcome: &Outcome) -> PlayoutStatistics {
        let mut statistics = PlayoutStatistics::new(self.role_names().len());
        statistics.playouts = outcome.playouts;
        statistics.cut = outcome.cut;
        statistics.states = outcome.states;
        statistics.finished_states = outcome.finished_states;
        statistics.length_squares = outcome.length_squares;
        for (role, (counts, goals)) in outcome.goals.iter().zip(&self.random_play.program.goals).enumerate() {
            for (&count, (value, _)) in counts.iter().zip(goals) {
                if let Some(value) = value.map(u64::from) {
                    statistics.goal_counts[role] += count;
                    statistics.goal_sums[role] += value * count;
                    statistics.goal_squares[role] += value * value * count;
                }
            }
        }
        statistics
    }

    fn no_legal_move(&self, state: &[u64]) -> GameError {
        let mut batch = self.batch(1);
        batch.set_all(state);
        let role = (0..self.role_names().len())
            .find(|&role| batch.legal_moves(0, RoleId::new(role)).next().is_none());
        GameError::NoLegalMove {
            role: self.role_names()[role.unwrap_or(0)].clone(),
            facts: self.states.facts(state),
        }
    }
}

impl Engine for LanesEngine {
    type State = Box<[u64]>;
    type Worker = Batch;

    fn name(&self) -> &'static str {
        "lanes"
    }

    fn role_names(&self) -> &[String] {
        &self.circuit.signature().role_names
    }

    fn worker(&self) -> Batch {
        self.batch(1)
    }

    fn initial(&self, _: &mut Batch) -> Result<Self::State, GameError> {
        Ok(self.states.initial().into())
    }

    fn is_terminal(&self, batch: &mut Batch, state: &Self::State) -> Result<bool, GameError> {
        batch.set_all(state);
        Ok(batch.is_terminal(0))
    }

    fn goal(&self, batch: &mut Batch, state: &Self::State, role: RoleId) -> Result<Option<u8>, GameError> {
        batch.set_all(state);
        Ok(batch.goal(0, role))
    }

    fn legals(
        &self,
        batch: &mut Batch,
        state: &Self::State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), GameError> {
        batch.set_all(state);
        moves.clear();
        moves.extend(batch.legal_moves(0, role));
        Ok(())
    }

    fn step(
        &self,
        batch: &mut Batch,
        state: &Self::State,
        moves: &[MoveId],
    ) -> Result<Self::State, GameError> {
        batch.set_all(state);
        batch.step(|_| moves);
        Ok(batch.state(0).into())
    }

    fn move_text(&self, _: &mut Batch, id: MoveId) -> String {
        self.circuit.signature().moves[id.index()].text.clone()
    }

    fn facts(&self, _: &mut Batch, state: &Self::State) -> Vec<String> {
        self.states.facts(state)
    }

    fn state_bytes(&self, state: &Self::State) -> usize {
        size_of_val(state) + size_of_val(&**state)
    }

    fn state_of(&self, _: &mut Batch, facts: &[String]) -> Result<Self::State, GameError> {
        self.states.read(facts).map(Into::into).map_err(GameError::BadState)
    }

    fn playouts(&self, _: &mut Batch, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        self.all_playouts(PlayoutOptions { threads: 1, ..options })
    }

    fn all_playouts(&self, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        self.playouts_from(self.states.initial(), options)
    }

    fn n_gates(&self) -> Option<usize> {
        Some(self.n_operations())
    }

    fn level_name(&self) -> Option<&'static str> {
        Some(self.level.name())
    }

    fn n_side_by_side(&self) -> u64 {
        self.width as u64 * 64
    }
}
