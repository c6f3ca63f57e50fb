//! The engine: positions and moves around the evaluator.

use crate::compile::compile;
use crate::machine::Machine;
use crate::program::{Program, RelationId};
use crate::registry::{export, import};
use crate::stop::Limits;
use crate::table::TableId;
use crate::terms::TermId;
use senet_game::{Engine, GameError, Known, MoveId, Registry, RoleId, portable};
use senet_gdl::{Description, Interner, LineIndex, goal_value, parse_term};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A game, ready to be asked.
pub struct ReferenceEngine {
    program: Program,
    roles: Vec<String>,
    shared: RwLock<Shared>,
}

/// What workers add to as they meet new terms.
struct Shared {
    /// The names of the rulesheet, then those that came from outside.
    names: Interner,
    registry: Registry,
}

/// A position: the numbers of the fluents that hold, sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State(Arc<[u32]>);

/// The memory of one thread.
pub struct Worker {
    machine: Machine,
    known: Known<TermId>,
    role_terms: Vec<TermId>,
    /// The position that the machine holds.
    position: Option<State>,
    /// Whether the machine holds moves.
    has_moves: bool,
    /// An evaluation was given up half-way.
    spoilt: bool,
}

impl ReferenceEngine {
    /// Compiles the rules and finds the roles. Rules with syntax errors are refused: a part of them is missing.
    pub fn new(description: &Description) -> Result<Self, GameError> {
        if let Some(first) = description.findings().first() {
            let text = &description.text;
            let (line, column) = LineIndex::new(text).line_column(text, first.primary.span.start);
            return Err(GameError::Syntax(format!("{line}:{column}: {} ({})", first.message, first.code.id)));
        }
        let program = compile(description);
        let shared =
            RwLock::new(Shared { names: description.symbols.clone(), registry: Registry::default() });
        let mut engine = Self { program, roles: Vec::new(), shared };
        let mut worker = engine.worker();
        let role = engine.program.keywords.role;
        let open = worker.machine.terms.variable(0);
        let table = engine.solve(&mut worker, role, &[open])?;
        let answers = &worker.machine.tables[table].answers;
        // Facts are answers in the order of the source; roles given by rules follow in source order.
        let n_facts = engine.program.relations[role.index()].facts.len();
        let mut roles: Vec<_> = (0..answers.len()).map(|row| answers.row(row)[0]).collect();
        roles[n_facts..].sort_by(|&left, &right| worker.machine.terms.source_order(left, right));
        engine.roles = roles.iter().map(|&role| engine.text(&worker, role)).collect();
        Ok(engine)
    }

    fn shared(&self) -> RwLockReadGuard<'_, Shared> {
        self.shared.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn shared_mut(&self) -> RwLockWriteGuard<'_, Shared> {
        self.shared.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn text(&self, worker: &Worker, term: TermId) -> String {
        let mut out = String::new();
        worker.machine.terms.write(&mut out, term, &self.shared().names);
        out
    }

    fn solve(
        &self,
        worker: &mut Worker,
        relation: RelationId,
        call: &[TermId],
    ) -> Result<TableId, GameError> {
        worker.spoilt = true;
        let solved = worker.machine.solve(&self.program, relation, call);
        let table =
            solved.map_err(|stop| worker.machine.explain(&self.program, &self.shared().names, stop))?;
        worker.spoilt = false;
        Ok(table)
    }

    /// The answers to a call whose last argument is open.
    fn answers(
        &self,
        worker: &mut Worker,
        relation: RelationId,
        first: Option<TermId>,
    ) -> Result<Vec<TermId>, GameError> {
        let open = worker.machine.terms.variable(0);
        let call: Vec<_> = first.into_iter().chain([open]).collect();
        let table = self.solve(worker, relation, &call)?;
        let answers = &worker.machine.tables[table].answers;
        Ok((0..answers.len()).map(|row| answers.row(row)[0]).collect())
    }

    fn number(&self, worker: &mut Worker, term: TermId) -> u32 {
        worker.known.number(term).unwrap_or_else(|| {
            let number = self.shared_mut().registry.number(export(&worker.machine.terms, term));
            worker.known.note(number, term);
            number
        })
    }

    fn term(&self, worker: &mut Worker, number: u32) -> TermId {
        worker.known.term(number).unwrap_or_else(|| {
            let term = import(&mut worker.machine.terms, self.shared().registry.term(number));
            worker.known.note(number, term);
            term
        })
    }

    fn state(&self, worker: &mut Worker, fluents: &[TermId]) -> State {
        let mut numbers: Vec<_> = fluents.iter().map(|&fluent| self.number(worker, fluent)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        State(numbers.into())
    }

    /// Makes the machine hold a position and no moves.
    fn enter(&self, worker: &mut Worker, state: &State) {
        if worker.spoilt || worker.machine.terms.size() > Limits::TERMS_TO_KEEP {
            *worker = self.worker();
        }
        if worker.position.as_ref() == Some(state) {
            if worker.has_moves {
                worker.machine.set_moves(std::iter::empty());
                worker.has_moves = false;
            }
            return;
        }
        let fluents: Vec<_> = state.0.iter().map(|&number| self.term(worker, number)).collect();
        worker.machine.set_fluents(&self.program, fluents.into_iter());
        worker.position = Some(state.clone());
        worker.has_moves = false;
    }
}

impl Engine for ReferenceEngine {
    type State = State;
    type Worker = Worker;

    fn name(&self) -> &'static str {
        "reference"
    }

    fn role_names(&self) -> &[String] {
        &self.roles
    }

    fn worker(&self) -> Worker {
        let mut machine = Machine::new(&self.program);
        let mut names = self.shared().names.clone();
        let role_terms = self
            .roles
            .iter()
            .map(|role| {
                let term = parse_term(role, &mut names).expect("roles were written by the engine itself");
                import(&mut machine.terms, &portable(&term))
            })
            .collect();
        Worker {
            machine,
            known: Known::default(),
            role_terms,
            position: None,
            has_moves: false,
            spoilt: false,
        }
    }

    fn initial(&self, worker: &mut Worker) -> Result<State, GameError> {
        // Nothing holds before the start: `true` and `does` are empty.
        self.enter(worker, &State(Arc::new([])));
        let fluents = self.answers(worker, self.program.keywords.init, None)?;
        Ok(self.state(worker, &fluents))
    }

    fn is_terminal(&self, worker: &mut Worker, state: &State) -> Result<bool, GameError> {
        self.enter(worker, state);
        let table = self.solve(worker, self.program.keywords.terminal, &[])?;
        Ok(worker.machine.tables[table].answers.len() > 0)
    }

    fn goal(&self, worker: &mut Worker, state: &State, role: RoleId) -> Result<Option<u8>, GameError> {
        self.enter(worker, state);
        let role = worker.role_terms[role.index()];
        let values = self.answers(worker, self.program.keywords.goal, Some(role))?;
        let [value] = values[..] else { return Ok(None) };
        Ok(goal_value(&self.text(worker, value)))
    }

    fn legals(
        &self,
        worker: &mut Worker,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), GameError> {
        self.enter(worker, state);
        let role = worker.role_terms[role.index()];
        let mut terms = self.answers(worker, self.program.keywords.legal, Some(role))?;
        terms.sort_unstable_by(|&left, &right| worker.machine.terms.source_order(left, right));
        moves.clear();
        moves.extend(terms.into_iter().map(|term| MoveId::new(self.number(worker, term) as usize)));
        Ok(())
    }

    fn step(&self, worker: &mut Worker, state: &State, moves: &[MoveId]) -> Result<State, GameError> {
        self.enter(worker, state);
        let rows: Vec<_> = moves
            .iter()
            .enumerate()
            .map(|(role, &id)| [worker.role_terms[role], self.term(worker, id.index() as u32)])
            .collect();
        worker.machine.set_moves(rows.into_iter());
        worker.has_moves = true;
        let fluents = self.answers(worker, self.program.keywords.next, None)?;
        Ok(self.state(worker, &fluents))
    }

    fn move_text(&self, worker: &mut Worker, id: MoveId) -> String {
        let term = self.term(worker, id.index() as u32);
        self.text(worker, term)
    }

    fn facts(&self, worker: &mut Worker, state: &State) -> Vec<String> {
        let mut facts: Vec<_> = state
            .0
            .iter()
            .map(|&number| {
                let term = self.term(worker, number);
                self.text(worker, term)
            })
            .collect();
        facts.sort_unstable();
        facts
    }

    fn state_bytes(&self, state: &State) -> usize {
        size_of_val(state) + size_of_val(&*state.0)
    }

    fn state_of(&self, _worker: &mut Worker, facts: &[String]) -> Result<State, GameError> {
        let mut shared = self.shared_mut();
        let Shared { names, registry } = &mut *shared;
        let mut numbers = Vec::new();
        for fact in facts {
            let term = parse_term(fact, names)
                .map_err(|error| GameError::BadState(format!("`{fact}` is not a fact: {error}")))?;
            numbers.push(registry.number(portable(&term)));
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(State(numbers.into()))
    }
}
