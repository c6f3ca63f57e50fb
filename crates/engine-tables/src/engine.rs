//! The engine: positions and moves around the machine.

use crate::build::build;
use crate::machine::Machine;
use crate::playouts::{GivenUp, is_terminal, legal, playouts, sort};
use crate::program::{Figures, Options, Program};
use crate::saturate::Halt;
use senet_analysis::Stratification;
use senet_game::{Engine, GameError, MoveId, PlayoutOptions, PlayoutStatistics, RoleId};
use senet_gdl::{Interner, parse_term};
use senet_rules::Lifetime;
use std::sync::Arc;

/// Why a game cannot be played with tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Declined {
    /// No order was proved in which negated relations are complete before they are asked.
    Negation,
    /// A rule has more conditions than a join can nest.
    LongRule,
    /// The instances of a relation have no end, or are too many.
    Unbounded {
        /// The relation.
        relation: String,
        /// What was too much.
        what: String,
    },
}

/// A join goes as deep as a body is long.
const MOST_CONDITIONS: usize = 1000;

/// A game, ready to be asked.
pub struct TablesEngine {
    names: Interner,
    program: Program,
    figures: Figures,
    role_names: Vec<String>,
}

/// A position: the places of the fluents that hold, sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State(Arc<[u32]>);

/// The memory of one thread.
pub struct Worker {
    machine: Machine,
    /// The position that the machine holds; `None` if an evaluation was given up half-way.
    position: Option<State>,
    has_moves: bool,
}

impl TablesEngine {
    /// Numbers relations and makes tables.
    pub fn new(program: &senet_analysis::Program, options: Options) -> Result<TablesEngine, Declined> {
        if program.stratification() == Stratification::Unproved {
            return Err(Declined::Negation);
        }
        if program.rules().iter().any(|rule| rule.body.len() > MOST_CONDITIONS) {
            return Err(Declined::LongRule);
        }
        let names = program.symbols().clone();
        let (program, figures) = build(program, options)
            .map_err(|(relation, stop)| Declined::Unbounded { relation, what: stop.what() })?;
        let role_names = program.roles.iter().map(|&role| program.terms.text(&names, role)).collect();
        Ok(TablesEngine { names, program, figures, role_names })
    }

    /// What the game took to be made ready and takes to be played.
    pub fn statistics(&self) -> &Figures {
        &self.figures
    }

    /// Makes the machine hold a position and no moves.
    fn enter(&self, worker: &mut Worker, state: &State) {
        if worker.position.as_ref() == Some(state) {
            if std::mem::take(&mut worker.has_moves) {
                worker.machine.forget(&self.program, Lifetime::Move);
            }
            return;
        }
        worker.machine.enter(&self.program, &state.0);
        worker.position = Some(state.clone());
        worker.has_moves = false;
    }

    fn derive(&self, worker: &mut Worker, needed: &[usize]) -> Result<(), GameError> {
        worker.machine.derive(&self.program, needed).map_err(|halt| {
            worker.position = None;
            self.unbounded(halt)
        })
    }

    fn unbounded(&self, halt: Halt) -> GameError {
        let relation = self.program.rule_set.relations[halt.relation.index()].name.clone();
        GameError::Unbounded { relation, what: halt.stop.what() }
    }

    /// The only value of a role in the derived position, if it is a number from 0 to 100.
    fn goal_of(&self, machine: &mut Machine, role: usize) -> Option<u8> {
        let goal = self.program.rule_set.keywords.goal;
        let mut values = None;
        let mut args = Vec::new();
        for list in self.program.lists_of(goal) {
            for &place in machine.base.items(list) {
                args.clear();
                self.program.instance(&mut machine.scratch.terms, goal, place, &mut args);
                if args[0] == self.program.roles[role] {
                    if values.is_some() {
                        return None;
                    }
                    values = Some(args[1]);
                }
            }
        }
        senet_gdl::goal_value(&machine.scratch.terms.text(&self.names, values?))
    }

    fn state(mut places: Vec<u32>) -> State {
        places.sort_unstable();
        places.dedup();
        State(places.into())
    }

    fn texts(&self, machine: &mut Machine, places: &[u32]) -> Vec<String> {
        let mut args = Vec::new();
        for &place in places {
            let fluents = self.program.rule_set.keywords.fluents;
            self.program.instance(&mut machine.scratch.terms, fluents, place, &mut args);
        }
        let mut facts: Vec<String> =
            args.into_iter().map(|term| machine.scratch.terms.text(&self.names, term)).collect();
        facts.sort_unstable();
        facts
    }
}

impl Engine for TablesEngine {
    type State = State;
    type Worker = Worker;

    fn name(&self) -> &'static str {
        "tables"
    }

    fn role_names(&self) -> &[String] {
        &self.role_names
    }

    fn worker(&self) -> Worker {
        Worker { machine: Machine::new(&self.program), position: None, has_moves: false }
    }

    fn initial(&self, _worker: &mut Worker) -> Result<State, GameError> {
        Ok(TablesEngine::state(self.program.initial.clone()))
    }

    fn is_terminal(&self, worker: &mut Worker, state: &State) -> Result<bool, GameError> {
        self.enter(worker, state);
        self.derive(worker, &self.program.for_terminal)?;
        Ok(is_terminal(&self.program, &worker.machine))
    }

    fn goal(&self, worker: &mut Worker, state: &State, role: RoleId) -> Result<Option<u8>, GameError> {
        self.enter(worker, state);
        self.derive(worker, &self.program.for_goal)?;
        Ok(self.goal_of(&mut worker.machine, role.index()))
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
        let mut places = Vec::new();
        legal(&self.program, &mut worker.machine, role.index(), &mut places);
        sort(&self.program, &mut worker.machine, &mut places);
        moves.clear();
        moves.extend(places.into_iter().map(|place| MoveId::new(place as usize)));
        Ok(())
    }

    fn step(&self, worker: &mut Worker, state: &State, moves: &[MoveId]) -> Result<State, GameError> {
        self.enter(worker, state);
        for choice in moves {
            let played = self.program.played(choice.index() as u32);
            worker.machine.base.write(&self.program.layout, played);
        }
        worker.has_moves = true;
        self.derive(worker, &self.program.for_next)?;
        let lists = self.program.lists_of(self.program.rule_set.keywords.next);
        let next = lists.flat_map(|list| worker.machine.base.items(list));
        Ok(TablesEngine::state(next.copied().map(self.program.fluent()).collect()))
    }

    fn move_text(&self, worker: &mut Worker, id: MoveId) -> String {
        let mut args = Vec::new();
        let (terms, legal) = (&mut worker.machine.scratch.terms, self.program.rule_set.keywords.legal);
        self.program.instance(terms, legal, id.index() as u32, &mut args);
        terms.text(&self.names, args[1])
    }

    fn facts(&self, worker: &mut Worker, state: &State) -> Vec<String> {
        self.texts(&mut worker.machine, &state.0)
    }

    fn state_bytes(&self, state: &State) -> usize {
        size_of_val(state) + size_of_val(&*state.0)
    }

    fn state_of(&self, worker: &mut Worker, facts: &[String]) -> Result<State, GameError> {
        let mut names = self.names.clone();
        let mut places = Vec::new();
        for fact in facts {
            let term = parse_term(fact, &mut names)
                .map_err(|error| GameError::BadState(format!("`{fact}` is not a fact: {error}")))?;
            if names.len() > self.names.len() {
                let name = names.name(senet_gdl::Symbol::new(self.names.len()));
                return Err(GameError::BadState(format!("`{fact}`: the rules have no name `{name}`")));
            }
            let terms = &mut worker.machine.scratch.terms;
            let term = terms.read(&term);
            let place = self.program.place(self.program.rule_set.keywords.fluents, terms, &[term]);
            places.push(place.ok_or_else(|| GameError::BadState(format!("`{fact}` can never hold")))?);
        }
        Ok(TablesEngine::state(places))
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        let figures = &self.figures;
        vec![
            ("gdl_seconds", figures.gdl.as_secs_f64()),
            ("optimise_seconds", figures.optimise.as_secs_f64()),
            ("ground_seconds", figures.ground.as_secs_f64()),
            ("table_bytes", figures.tables as f64),
            ("knowledge_base_bytes", figures.knowledge_base as f64),
            ("rules", figures.rules as f64),
            ("rules_without_tables", figures.without_tables.len() as f64),
        ]
    }

    fn remarks(&self) -> Vec<String> {
        let Figures { tables, knowledge_base, rules, without_tables, .. } = &self.figures;
        let kilobytes = |bytes: usize| bytes as f64 / 1000.0;
        let (tables, base) = (kilobytes(*tables), kilobytes(*knowledge_base));
        let mut remarks = vec![format!("{tables:.1} kB of reference tables, {base:.1} kB of knowledge base")];
        if !without_tables.is_empty() {
            let names = without_tables.join(", ");
            remarks.push(format!("{} of {rules} rules without tables: {names}", without_tables.len()));
        }
        remarks
    }

    fn playouts(&self, worker: &mut Worker, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        worker.position = None;
        let machine = &mut worker.machine;
        let goal = |machine: &mut Machine, role| self.goal_of(machine, role);
        let played = playouts(&self.program, machine, options, goal);
        played.map_err(|given_up| match given_up {
            GivenUp::Halt(halt) => self.unbounded(halt),
            GivenUp::NoMove { role } => {
                let lists = self.program.lists_of(self.program.rule_set.keywords.fluents);
                let places: Vec<u32> = lists.flat_map(|list| machine.base.items(list)).copied().collect();
                GameError::NoLegalMove {
                    role: self.role_names[role].clone(),
                    facts: self.texts(machine, &places),
                }
            }
        })
    }
}
