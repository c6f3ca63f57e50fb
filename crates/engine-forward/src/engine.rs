//! The engine: positions and moves around the machine.

use crate::choice::make;
use crate::machine::{Halt, Machine};
use crate::outline::Outline;
use crate::planner::Planned;
use crate::playouts::{GivenUp, playout, playouts};
use crate::program::{Keep, Program};
use crate::sizes::Sizes;
use crate::terms::{export, import};
use crate::view::facts;
use senet_analysis::Stratification;
use senet_game::{
    Engine, GameError, Known, MoveGenerator, MoveId, PlayedOut, PlayoutOptions, PlayoutStatistics, Registry,
    RoleId, portable,
};
use senet_gdl::{Interner, parse_term};
use senet_rules::RuleSet;
use senet_rules::shapes::{Shapes, split};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

/// Why a game cannot be played forward.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Declined {
    /// No order was proved in which negated relations are complete before they are asked.
    Negation,
    /// A rule has more conditions than a join can nest.
    LongRule,
    /// The rules do not come to an end.
    Game(GameError),
}

/// A join goes as deep as a body is long.
const MOST_CONDITIONS: usize = 1000;

/// How to make the engine.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The time there is for it.
    pub time: Option<Duration>,
    /// Whether permanent and persistent facts are kept from position to position.
    pub temporization: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { time: None, temporization: true }
    }
}

/// A game, ready to be asked.
pub struct ForwardEngine {
    names: Interner,
    program: Program,
    /// Has the permanent facts.
    permanent: Machine,
    /// By which literals were ordered.
    sizes: Sizes,
    role_names: Vec<String>,
    shared: RwLock<Registry>,
}

/// A position: the numbers of the fluents that hold, sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State(Arc<[u32]>);

/// The memory of one thread.
pub struct Worker {
    machine: Machine,
    known: Known<u32>,
    /// The position that the machine holds; `None` if an evaluation was given up half-way.
    position: Option<State>,
    has_moves: bool,
}

impl ForwardEngine {
    /// Plans the rules and derives the permanent facts.
    pub fn new(program: &senet_analysis::Program, options: Options) -> Result<ForwardEngine, Declined> {
        let keep = if options.temporization { Keep::Persistent } else { Keep::Nothing };
        ForwardEngine::with_rules(program, options.time, keep, split)
    }

    pub(crate) fn with_rules(
        program: &senet_analysis::Program,
        time: Option<Duration>,
        keep: Keep,
        shapes: impl FnOnce(&mut RuleSet) -> Shapes,
    ) -> Result<ForwardEngine, Declined> {
        check(program)?;
        let names = program.symbols().clone();
        let Planned { program, permanent, sizes } = make(program, time, keep, shapes)
            .map_err(|(rule_set, halt)| Declined::Game(unbounded(&rule_set, halt)))?;
        let role_names = program.roles.iter().map(|&role| permanent.terms.text(&names, role)).collect();
        Ok(ForwardEngine { names, program, permanent, sizes, role_names, shared: RwLock::default() })
    }

    pub(crate) fn outline(&self) -> Outline<'_> {
        let Machine { terms, views, .. } = &self.permanent;
        Outline::new(&self.names, &self.program, terms, views.clone(), self.sizes.clone())
    }

    fn shared_mut(&self) -> RwLockWriteGuard<'_, Registry> {
        self.shared.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, worker: &mut Worker, term: u32) -> u32 {
        worker.known.number(term).unwrap_or_else(|| {
            let number = self.shared_mut().number(export(&worker.machine.terms, term));
            worker.known.note(number, term);
            number
        })
    }

    fn term(&self, worker: &mut Worker, number: u32) -> u32 {
        worker.known.term(number).unwrap_or_else(|| {
            let shared = self.shared.read().unwrap_or_else(PoisonError::into_inner);
            let term = import(&mut worker.machine.terms, shared.term(number));
            worker.known.note(number, term);
            term
        })
    }

    fn state(&self, worker: &mut Worker, fluents: &[u32]) -> State {
        let mut numbers: Vec<u32> = fluents.iter().map(|&fluent| self.number(worker, fluent)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        State(numbers.into())
    }

    /// Makes the machine hold a position and no moves.
    fn enter(&self, worker: &mut Worker, state: &State) {
        if worker.position.as_ref() == Some(state) {
            if std::mem::take(&mut worker.has_moves) {
                worker.machine.forget_moves(&self.program.stages);
            }
            return;
        }
        let fluents: Vec<u32> = state.0.iter().map(|&number| self.term(worker, number)).collect();
        worker.machine.enter(&self.program.stages, fluents.into_iter());
        worker.position = Some(state.clone());
        worker.has_moves = false;
    }

    /// Why a playout was given up in the position that the machine holds.
    fn error(&self, worker: &mut Worker, given_up: GivenUp) -> GameError {
        match given_up {
            GivenUp::Halt(halt) => unbounded(&self.program.rule_set, halt),
            GivenUp::NoMove { role } => {
                let terms = worker.machine.fluents(|shape| shape.now);
                let mut facts: Vec<String> =
                    terms.into_iter().map(|term| worker.machine.terms.text(&self.names, term)).collect();
                facts.sort_unstable();
                GameError::NoLegalMove { role: self.role_names[role].clone(), facts }
            }
        }
    }

    fn derive(&self, worker: &mut Worker, needed: &[usize]) -> Result<(), GameError> {
        worker.machine.derive(&self.program.stages, needed).map_err(|halt| {
            worker.position = None;
            unbounded(&self.program.rule_set, halt)
        })
    }
}

/// Says why a game cannot be played forward, as far as its rules tell.
pub(crate) fn check(program: &senet_analysis::Program) -> Result<(), Declined> {
    if program.stratification() == Stratification::Unproved {
        return Err(Declined::Negation);
    }
    if program.rules().iter().any(|rule| rule.body.len() > MOST_CONDITIONS) {
        return Err(Declined::LongRule);
    }
    Ok(())
}

pub(crate) fn unbounded(rule_set: &RuleSet, halt: Halt) -> GameError {
    let relation = rule_set.relations[halt.relation.index()].name.clone();
    GameError::Unbounded { relation, what: halt.stopping.what() }
}

impl Engine for ForwardEngine {
    type State = State;
    type Worker = Worker;

    fn name(&self) -> &'static str {
        "forward"
    }

    fn role_names(&self) -> &[String] {
        &self.role_names
    }

    fn worker(&self) -> Worker {
        Worker { machine: self.permanent.clone(), known: Known::default(), position: None, has_moves: false }
    }

    fn initial(&self, worker: &mut Worker) -> Result<State, GameError> {
        Ok(self.state(worker, &self.program.initial))
    }

    fn is_terminal(&self, worker: &mut Worker, state: &State) -> Result<bool, GameError> {
        self.enter(worker, state);
        self.derive(worker, &self.program.for_terminal)?;
        Ok(worker.machine.views[facts(self.program.rule_set.keywords.terminal)].len() > 0)
    }

    fn goal(&self, worker: &mut Worker, state: &State, role: RoleId) -> Result<Option<u8>, GameError> {
        self.enter(worker, state);
        self.derive(worker, &self.program.for_goal)?;
        Ok(self.program.goal(&worker.machine, self.program.roles[role.index()]))
    }

    fn legals(
        &self,
        worker: &mut Worker,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), GameError> {
        self.enter(worker, state);
        self.derive(worker, &self.program.for_legal)?;
        let mut terms = worker.machine.legal_moves(self.program.roles[role.index()]);
        terms.sort_unstable_by(|&left, &right| worker.machine.terms.source_order(left, right));
        moves.clear();
        moves.extend(terms.into_iter().map(|term| MoveId::new(self.number(worker, term) as usize)));
        Ok(())
    }

    fn step(&self, worker: &mut Worker, state: &State, moves: &[MoveId]) -> Result<State, GameError> {
        self.enter(worker, state);
        for (&role, choice) in self.program.roles.iter().zip(moves) {
            let choice = self.term(worker, choice.index() as u32);
            worker.machine.play(role, choice);
        }
        worker.has_moves = true;
        self.derive(worker, &self.program.for_next)?;
        let fluents = worker.machine.next_fluents();
        Ok(self.state(worker, &fluents))
    }

    fn move_text(&self, worker: &mut Worker, id: MoveId) -> String {
        let term = self.term(worker, id.index() as u32);
        worker.machine.terms.text(&self.names, term)
    }

    fn facts(&self, worker: &mut Worker, state: &State) -> Vec<String> {
        let terms: Vec<u32> = state.0.iter().map(|&number| self.term(worker, number)).collect();
        let mut facts: Vec<String> =
            terms.into_iter().map(|term| worker.machine.terms.text(&self.names, term)).collect();
        facts.sort_unstable();
        facts
    }

    fn state_of(&self, _worker: &mut Worker, facts: &[String]) -> Result<State, GameError> {
        let mut names = self.names.clone();
        let mut numbers = Vec::new();
        for fact in facts {
            let term = parse_term(fact, &mut names)
                .map_err(|error| GameError::BadState(format!("`{fact}` is not a fact: {error}")))?;
            if names.len() > self.names.len() {
                let name = names.name(senet_gdl::Symbol::new(self.names.len()));
                return Err(GameError::BadState(format!("`{fact}`: the rules have no name `{name}`")));
            }
            numbers.push(self.shared_mut().number(portable(&term)));
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(State(numbers.into()))
    }

    fn state_bytes(&self, state: &State) -> usize {
        size_of_val(state) + size_of_val(&*state.0)
    }

    fn playout(
        &self,
        worker: &mut Worker,
        state: &State,
        generator: &mut MoveGenerator,
        may_go_on: &mut dyn FnMut(u64) -> bool,
        goals: &mut Vec<Option<u8>>,
    ) -> Result<PlayedOut, GameError> {
        self.enter(worker, state);
        worker.position = None;
        let played =
            playout(&self.program, &mut worker.machine, generator, may_go_on, &mut Vec::new(), goals);
        played.map_err(|given_up| self.error(worker, given_up))
    }

    fn playouts(&self, worker: &mut Worker, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        worker.position = None;
        let played = playouts(&self.program, &mut worker.machine, options);
        played.map_err(|given_up| self.error(worker, given_up))
    }
}
