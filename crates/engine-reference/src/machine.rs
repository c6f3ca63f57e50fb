//! Goal-directed evaluation with tabling.
//!
//! Every call variant has a table. A rule at work is a [`Continuation`]: the
//! table it works for, the step it has reached and an environment. Continuations
//! wait on one explicit stack, so no rulesheet can exhaust the host's.
//!
//! A new call opens a [`Frame`]: its rules are worked off before its caller
//! goes on. When a frame has no work left its tables are complete, unless one of
//! them called an incomplete table of a frame below: then the frame joins the
//! one below and they are completed together. A rule that calls an incomplete
//! table is kept there as a consumer and goes on with every answer that comes.
//!
//! Negation is decided on completed tables only: see `negation`.

use crate::facts::Facts;
use crate::negation::Delayed;
use crate::program::*;
use crate::stop::{Limits, Stop};
use crate::table::{Consumer, TableId, Tables};
use crate::terms::{TermId, Terms, UNBOUND};
use crate::unify::{answers, are_unifiable, instantiate, instantiate_call, matches, may_match};

#[derive(Clone, Copy)]
pub(crate) struct Continuation {
    pub(crate) owner: TableId,
    pub(crate) step: StepId,
}

#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) first_work: usize,
    pub(crate) first_table: usize,
    pub(crate) first_delayed: usize,
    /// The lowest frame whose tables are waited for.
    pub(crate) lowest: usize,
}

/// Everything that can be looked up without evaluation.
struct Rows {
    of_relation: Vec<Facts>,
    of_shape: Vec<Facts>,
    fluents: Facts,
    moves: Facts,
}

impl Rows {
    fn of(&mut self, source: Source) -> &mut Facts {
        match source {
            Source::Relation(relation) => &mut self.of_relation[relation.index()],
            Source::Fluents(shape) => &mut self.of_shape[shape.index()],
            Source::AllFluents => &mut self.fluents,
            Source::Moves => &mut self.moves,
        }
    }
}

/// The memory of one thread: terms, facts, tables and the stacks of the evaluation.
pub(crate) struct Machine {
    pub(crate) terms: Terms,
    rows: Rows,
    pub(crate) tables: Tables,
    pub(crate) work: Vec<Continuation>,
    pub(crate) environments: Vec<TermId>,
    pub(crate) frames: Vec<Frame>,
    /// The tables of all frames.
    pub(crate) open: Vec<TableId>,
    pub(crate) delayed: Vec<Delayed>,
    /// The environment of the continuation at work.
    pub(crate) env: Vec<TermId>,
    pub(crate) known: Vec<TermId>,
    numbers: Vec<usize>,
    /// Values kept in answers and with consumers since the question was asked.
    pub(crate) n_kept: usize,
    /// Continuations taken since then.
    pub(crate) n_steps: u64,
    /// While what is possible is derived: the tables with what is certain.
    pub(crate) certain: Option<Tables>,
}

/// What became of a call.
pub(crate) enum Called {
    /// The table is complete, or can be consumed while it grows.
    Ready(TableId),
    /// Its rules have to be worked off first.
    Opened,
}

impl Machine {
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            terms: program.terms.clone(),
            rows: Rows {
                of_relation: program.relations.iter().map(|relation| relation.facts.clone()).collect(),
                of_shape: program.shapes.iter().map(|&(_, arity)| Facts::new(arity)).collect(),
                fluents: Facts::new(1),
                moves: Facts::new(2),
            },
            tables: Tables::default(),
            work: Vec::new(),
            environments: Vec::new(),
            frames: Vec::new(),
            open: Vec::new(),
            delayed: Vec::new(),
            env: Vec::new(),
            known: Vec::new(),
            numbers: Vec::new(),
            n_kept: 0,
            n_steps: 0,
            certain: None,
        }
    }

    /// Makes exactly these fluents hold.
    pub(crate) fn set_fluents(&mut self, program: &Program, fluents: impl Iterator<Item = TermId>) {
        self.set_moves(std::iter::empty());
        self.tables.forget(Lifetime::Position);
        self.rows.of_shape.iter_mut().for_each(Facts::clear);
        self.rows.fluents.clear();
        for fluent in fluents {
            self.rows.fluents.insert(&[fluent]);
            let shape = (self.terms.symbol(fluent), self.terms.args(fluent).len());
            if let Some(&id) = program.shape_ids.get(&shape) {
                self.rows.of_shape[id.index()].insert(self.terms.args(fluent));
            }
        }
    }

    /// Makes exactly these moves be played.
    pub(crate) fn set_moves(&mut self, moves: impl Iterator<Item = [TermId; 2]>) {
        self.tables.forget(Lifetime::Move);
        self.rows.moves.clear();
        for row in moves {
            self.rows.moves.insert(&row);
        }
    }

    /// Evaluates a call and returns its complete table.
    pub(crate) fn solve(
        &mut self,
        program: &Program,
        relation: RelationId,
        call: &[TermId],
    ) -> Result<TableId, Stop> {
        self.n_kept = 0;
        self.n_steps = 0;
        let lifetime = program.relations[relation.index()].lifetime;
        if let Some(table) = self.tables.find(lifetime, relation, call) {
            return Ok(table);
        }
        let n_variables = call.iter().filter(|&&term| !self.terms.is_ground(term)).count();
        let table = self.open_table(program, relation, call, n_variables);
        while let Some(frame) = self.frames.last().copied() {
            self.advance(program, frame)?;
        }
        Ok(table)
    }

    /// Takes one continuation of the last frame, or finishes the frame.
    pub(crate) fn advance(&mut self, program: &Program, frame: Frame) -> Result<(), Stop> {
        if self.work.len() > frame.first_work {
            self.work_on_last(program)
        } else {
            self.finish(program, frame)
        }
    }

    fn open_table(
        &mut self,
        program: &Program,
        relation_id: RelationId,
        call: &[TermId],
        n_variables: usize,
    ) -> TableId {
        let relation = &program.relations[relation_id.index()];
        let table = self.tables.create(&self.terms, relation.lifetime, relation_id, call, n_variables);
        self.tables[table].place = self.open.len();
        self.frames.push(Frame {
            first_work: self.work.len(),
            first_table: self.open.len(),
            first_delayed: self.delayed.len(),
            lowest: self.frames.len(),
        });
        self.open.push(table);
        let mut mask = 0;
        for (column, &term) in call.iter().enumerate().take(64) {
            mask |= u64::from(self.terms.is_ground(term)) << column;
        }
        let Self { terms, rows, tables, .. } = self;
        let known_answers = &mut tables[table].answers;
        let mut values = vec![UNBOUND; n_variables];
        rows.of(Source::Relation(relation_id)).for_each_candidate(
            mask,
            |column| call[column],
            |row| {
                values.fill(UNBOUND);
                if call.iter().zip(row).all(|(&call, &ground)| answers(terms, call, ground, &mut values)) {
                    known_answers.insert(&values);
                }
            },
        );
        for &id in &relation.rules {
            let rule = &program.rules[id.index()];
            let env_start = self.environments.len();
            self.environments.resize(env_start + rule.n_variables, UNBOUND);
            let env = &mut self.environments[env_start..];
            let mut pairs = rule.head.iter().zip(call);
            if pairs.all(|(pattern, &call)| may_match(&self.terms, pattern, call, env)) {
                self.work.push(Continuation { owner: table, step: rule.first });
            } else {
                self.environments.truncate(env_start);
            }
        }
        table
    }

    fn work_on_last(&mut self, program: &Program) -> Result<(), Stop> {
        let continuation = self.work.pop().expect("the caller saw work");
        self.n_steps += 1;
        self.check_sizes(continuation.owner)?;
        let width = program.rules[program.steps[continuation.step.index()].rule.index()].n_variables;
        let env_start = self.environments.len() - width;
        self.env.clear();
        self.env.extend_from_slice(&self.environments[env_start..]);
        self.environments.truncate(env_start);
        let owner = &self.tables[continuation.owner];
        if owner.ground && owner.answers.len() > 0 {
            return Ok(());
        }
        self.take_steps(program, continuation)
    }

    /// Takes steps until the continuation ends, divides or has to wait.
    fn take_steps(&mut self, program: &Program, continuation: Continuation) -> Result<(), Stop> {
        let Continuation { owner, step: mut id } = continuation;
        loop {
            let step = &program.steps[id.index()];
            let goes_on = match &step.action {
                Action::Look(source, arguments) => self.look(*source, arguments, owner, step.next),
                Action::LookInVain(source, arguments) => {
                    self.instantiate_all(&arguments.patterns, step.rule)?;
                    !self.rows.of(*source).contains(&self.known)
                }
                Action::Call(relation, arguments) => {
                    self.call_relation(program, *relation, arguments, owner, id, step.next)?
                }
                Action::CallInVain(relation, arguments) => {
                    self.call_in_vain(program, *relation, arguments, owner, id)?
                }
                Action::Distinct(left, right) => {
                    self.instantiate(left, step.rule)? != self.instantiate(right, step.rule)?
                }
                Action::Equal(left, right) => self.equate(left, right, step.rule)?,
                Action::AllEqual(sides) => {
                    self.instantiate_open(sides, owner, self.tables[owner].relation)?;
                    are_unifiable(&self.terms, &self.known)
                }
                Action::Fork(branches) => {
                    for &branch in branches {
                        if self.environments.len() > Limits::WAITING {
                            break;
                        }
                        self.environments.extend_from_slice(&self.env);
                        self.work.push(Continuation { owner, step: branch });
                    }
                    false
                }
                Action::Conclude => return self.conclude(program, owner, step.rule),
                Action::Fail => false,
            };
            if !goes_on {
                return Ok(());
            }
            id = step.next;
        }
    }

    /// Whether the continuation goes on by itself; it does when there is nothing left to bind.
    fn look(&mut self, source: Source, arguments: &Arguments, owner: TableId, next: StepId) -> bool {
        self.known.clear();
        let mut mask = 0;
        for (column, pattern) in arguments.patterns.iter().enumerate() {
            match instantiate(&mut self.terms, pattern, &self.env) {
                Ok(term) => {
                    self.known.push(term);
                    if column < 64 {
                        mask |= 1 << column;
                    }
                }
                Err(_) => self.known.push(UNBOUND),
            }
        }
        let Self { terms, rows, known, env, environments, work, .. } = self;
        let facts = rows.of(source);
        if !known.contains(&UNBOUND) {
            return facts.contains(known);
        }
        facts.for_each_candidate(
            mask,
            |column| known[column],
            |row| {
                let env_start = environments.len();
                if env_start > Limits::WAITING {
                    return;
                }
                environments.extend_from_slice(env);
                let new_env = &mut environments[env_start..];
                let mut pairs = arguments.patterns.iter().zip(row);
                if pairs.all(|(pattern, &term)| matches(terms, pattern, term, new_env)) {
                    work.push(Continuation { owner, step: next });
                } else {
                    environments.truncate(env_start);
                }
            },
        );
        false
    }

    fn instantiate(&mut self, pattern: &Pattern, rule: RuleId) -> Result<TermId, Stop> {
        instantiate(&mut self.terms, pattern, &self.env).map_err(|variable| Stop::Unsafe { rule, variable })
    }

    pub(crate) fn instantiate_all(&mut self, patterns: &[Pattern], rule: RuleId) -> Result<(), Stop> {
        self.known.clear();
        for pattern in patterns {
            let term = self.instantiate(pattern, rule)?;
            self.known.push(term);
        }
        Ok(())
    }

    fn equate(&mut self, left: &Pattern, right: &Pattern, rule: RuleId) -> Result<bool, Stop> {
        let (known, other) = match instantiate(&mut self.terms, left, &self.env) {
            Ok(term) => (term, right),
            Err(_) => (self.instantiate(right, rule)?, left),
        };
        Ok(matches(&self.terms, other, known, &mut self.env))
    }

    /// Fills `known` with the terms of patterns whose unbound variables are numbered anew; says how many these are.
    fn instantiate_open(
        &mut self,
        arguments: &Arguments,
        owner: TableId,
        relation: RelationId,
    ) -> Result<usize, Stop> {
        self.numbers.resize(self.numbers.len().max(self.env.len()), 0);
        let mut n_variables = 0;
        for &variable in &arguments.variables {
            if self.env[variable] == UNBOUND {
                self.numbers[variable] = n_variables;
                n_variables += 1;
            }
        }
        if n_variables > Terms::MOST_VARIABLES {
            let what = format!("a question has over {} unknowns", Terms::MOST_VARIABLES);
            return Err(Stop::Unbounded { asked_by: owner, relation, what });
        }
        self.known.clear();
        for pattern in &arguments.patterns {
            let term = instantiate_call(&mut self.terms, pattern, &self.env, &self.numbers);
            self.known.push(term);
        }
        Ok(n_variables)
    }

    fn call_relation(
        &mut self,
        program: &Program,
        relation: RelationId,
        arguments: &Arguments,
        owner: TableId,
        step: StepId,
        next: StepId,
    ) -> Result<bool, Stop> {
        let n_variables = self.instantiate_open(arguments, owner, relation)?;
        let Called::Ready(table) = self.call(program, relation, n_variables, owner, step)? else {
            return Ok(false);
        };
        let Self { tables, env, environments, work, n_kept, .. } = self;
        let table = &mut tables[table];
        let n_answers = table.answers.len();
        if table.ground && n_answers > 0 {
            return Ok(true);
        }
        if !table.complete {
            let env_start = table.environments.len();
            table.environments.extend_from_slice(env);
            *n_kept += env.len();
            table.consumers.push(Consumer { owner, step, env_start });
        }
        if table.complete && n_answers == 1 {
            bind(env, &arguments.variables, table.answers.row(0));
            return Ok(true);
        }
        for answer in 0..n_answers {
            let env_start = environments.len();
            if env_start > Limits::WAITING {
                break;
            }
            environments.extend_from_slice(env);
            bind(&mut environments[env_start..], &arguments.variables, table.answers.row(answer));
            work.push(Continuation { owner, step: next });
        }
        Ok(false)
    }

    /// Finds the table of the call in `known`. A new call is opened, and the
    /// continuation put back below it to be taken up again afterwards.
    pub(crate) fn call(
        &mut self,
        program: &Program,
        relation: RelationId,
        n_variables: usize,
        owner: TableId,
        step: StepId,
    ) -> Result<Called, Stop> {
        let lifetime = program.relations[relation.index()].lifetime;
        if let Some(table) = self.tables.find(lifetime, relation, &self.known) {
            if !self.tables[table].complete {
                let place = self.tables[table].place;
                let frame = self.frames.partition_point(|frame| frame.first_table <= place) - 1;
                let top = self.frames.last_mut().expect("a frame is at work");
                top.lowest = top.lowest.min(frame);
            }
            return Ok(Called::Ready(table));
        }
        self.check_terms(owner, relation)?;
        self.environments.extend_from_slice(&self.env);
        self.work.push(Continuation { owner, step });
        let call = std::mem::take(&mut self.known);
        self.open_table(program, relation, &call, n_variables);
        self.known = call;
        Ok(Called::Opened)
    }

    fn conclude(&mut self, program: &Program, owner: TableId, rule: RuleId) -> Result<(), Stop> {
        self.instantiate_all(&program.rules[rule.index()].head, rule)?;
        let Self { terms, tables, known, env, environments, work, .. } = self;
        let table = &mut tables[owner];
        let n_variables = table.answers.width();
        env.clear();
        env.resize(n_variables, UNBOUND);
        if !table.call.iter().zip(&*known).all(|(&call, &ground)| answers(terms, call, ground, env)) {
            return Ok(());
        }
        if !table.answers.insert(env) {
            return Ok(());
        }
        for &Consumer { owner, step, env_start } in &table.consumers {
            let step = &program.steps[step.index()];
            let Action::Call(_, arguments) = &step.action else { unreachable!("consumers wait at calls") };
            let width = program.rules[step.rule.index()].n_variables;
            let new_start = environments.len();
            if new_start > Limits::WAITING {
                break;
            }
            environments.extend_from_slice(&table.environments[env_start..][..width]);
            bind(&mut environments[new_start..], &arguments.variables, env);
            work.push(Continuation { owner, step: step.next });
        }
        self.n_kept += 1 + n_variables;
        self.check_terms(owner, self.tables[owner].relation)
    }

    /// A frame without work: joins the one below, decides delayed negations, or is complete.
    fn finish(&mut self, program: &Program, frame: Frame) -> Result<(), Stop> {
        let index = self.frames.len() - 1;
        if frame.lowest < index {
            self.frames.pop();
            let below = self.frames.last_mut().expect("a lower frame was waited for");
            below.lowest = below.lowest.min(frame.lowest);
            return Ok(());
        }
        if self.delayed.len() > frame.first_delayed {
            return self.decide_delayed(program, frame);
        }
        for table in self.open.drain(frame.first_table..) {
            let table = &mut self.tables[table];
            table.complete = true;
            table.consumers.clear();
            table.environments.clear();
        }
        self.frames.pop();
        Ok(())
    }
}

/// Gives the unbound ones of `variables` their values, in order.
fn bind(env: &mut [TermId], variables: &[usize], values: &[TermId]) {
    let mut values = values.iter();
    for &variable in variables {
        if env[variable] == UNBOUND {
            env[variable] = *values.next().expect("a value for each unbound variable");
        }
    }
}
