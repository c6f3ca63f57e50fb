//! Rules are planned by what holds in the first positions of random matches.

use crate::machine::{Halt, Machine};
use crate::program::Program;
use crate::sizes::Sizes;
use crate::view::{Views, facts};
use senet_game::MoveGenerator;
use senet_gdl::Term;
use senet_rules::{Lifetime, Literal, RuleSet, sort_roles};
use std::time::{Duration, Instant};

/// So many positions are looked at, if there is the time.
const MOST_POSITIONS: u32 = 40;
pub(crate) const MOST_TIME: Duration = Duration::from_millis(5);

/// How long planning may take.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    /// So long positions are looked at.
    pub(crate) measuring: Duration,
    /// So long a relation of the first position may take.
    pub(crate) relation: Option<Duration>,
    pub(crate) deadline: Option<Instant>,
}

/// A program that can be run.
pub(crate) struct Planned {
    pub(crate) program: Program,
    /// Has the permanent facts.
    pub(crate) permanent: Machine,
    pub(crate) sizes: Sizes,
}

/// Why there is nothing to run: the rules, and what was given up.
pub(crate) type Failure = (Box<RuleSet>, Halt);

/// Plans a program while its first positions are evaluated.
pub(crate) fn plan(mut program: Program, role_facts: &[Term], times: Times) -> Result<Planned, Failure> {
    let mut views = Views::new(&program.rule_set.relations, &program.persistent, program.n_constants);
    for atom in program.rule_set.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom) {
        views.of_atom(atom);
    }
    let mut machine =
        Machine::new(program.rule_set.terms.clone(), views, program.shapes.clone(), program.ends);
    machine.scratch.deadline = times.deadline;
    let generator = MoveGenerator::new(0);
    let mut planner = Planner { program: &mut program, machine, sizes: Sizes::default(), generator };
    match planner.plan(role_facts, times) {
        Ok(()) => {
            let Planner { machine: permanent, sizes, .. } = planner;
            Ok(Planned { program, permanent, sizes })
        }
        Err(halt) => Err((Box::new(program.rule_set), halt)),
    }
}

impl Planned {
    /// The seconds that a position of a random match takes.
    pub(crate) fn seconds_a_position(&mut self) -> Result<f64, Halt> {
        let Planned { program, permanent, sizes } = self;
        let machine = permanent.clone();
        let generator = MoveGenerator::new(1);
        let mut planner = Planner { program, machine, sizes: std::mem::take(sizes), generator };
        let start = Instant::now();
        planner.machine.enter(&planner.program.stages, planner.program.initial.iter().copied());
        let mut n_positions = 0;
        while n_positions < MOST_POSITIONS && start.elapsed() < MOST_TIME {
            planner.play_on()?;
            n_positions += 1;
        }
        *sizes = planner.sizes;
        Ok(start.elapsed().as_secs_f64() / f64::from(n_positions))
    }
}

struct Planner<'p> {
    program: &'p mut Program,
    machine: Machine,
    sizes: Sizes,
    generator: MoveGenerator,
}

impl Planner<'_> {
    /// Plans all rules; leaves a machine that has the permanent facts.
    fn plan(&mut self, role_facts: &[Term], times: Times) -> Result<(), Halt> {
        self.plan_and_run(Lifetime::Match, times)?;
        self.program.initial = self.machine.fluents(|shape| shape.init);
        self.find_roles(role_facts);
        self.machine.enter(&self.program.stages, self.program.initial.iter().copied());
        if self.program.ends == Lifetime::Match {
            self.plan_and_run(Lifetime::Match, times)?;
        }
        self.plan_and_run(Lifetime::Position, times)?;
        self.play();
        self.plan_and_run(Lifetime::Move, times)?;
        self.look_at_positions(times.measuring)?;
        for at in 0..self.program.stages.len() {
            if self.program.stages.get(at).lifetime != Lifetime::Match {
                let Program { stages, rule_set, .. } = &mut *self.program;
                stages.plan(at, &rule_set.rules, &mut self.machine.views, &mut self.sizes);
            }
        }
        self.machine.enter(&self.program.stages, std::iter::empty());
        self.machine.scratch.deadline = None;
        Ok(())
    }

    /// Plans and runs stage after stage: each by the sizes of what it uses.
    fn plan_and_run(&mut self, lifetime: Lifetime, times: Times) -> Result<(), Halt> {
        let Planner { program: Program { stages, rule_set, .. }, machine, sizes, .. } = self;
        for at in 0..stages.len() {
            if stages.get(at).lifetime == lifetime {
                for atom in
                    stages.rules(at).flat_map(|rule| &rule_set.rules[rule].body).filter_map(Literal::atom)
                {
                    let view = machine.views.of_atom(atom);
                    machine.views.sync(view, &machine.terms);
                    sizes.measure(&machine.views, view);
                }
                stages.plan(at, &rule_set.rules, &mut machine.views, sizes);
                // What is derived once may take long.
                let patience = times.relation.filter(|_| lifetime != Lifetime::Match);
                let end = patience.map(|patience| Instant::now() + patience);
                machine.scratch.deadline = times.deadline.into_iter().chain(end).min();
                machine.run(stages, at)?;
                machine.scratch.deadline = times.deadline;
            }
        }
        Ok(())
    }

    /// Facts in the order of the source; roles given by rules follow in source order.
    fn find_roles(&mut self, role_facts: &[Term]) {
        let Machine { views, terms, .. } = &mut self.machine;
        let of_role = &views[facts(self.program.rule_set.keywords.role)];
        self.program.roles = (0..of_role.len()).map(|row| of_role.row(row)[0]).collect();
        sort_roles(&mut self.program.roles, role_facts, terms);
    }

    /// Plays a random legal move of each role that has one.
    fn play(&mut self) {
        for &role in &self.program.roles {
            let moves = self.machine.legal_moves(role);
            if !moves.is_empty() {
                self.machine.play(role, moves[self.generator.below(moves.len())]);
            }
        }
    }

    /// Goes to the next position of a random match, or begins another.
    fn go_on(&mut self) {
        let stages = &self.program.stages;
        let is_over = self.machine.views[facts(self.program.rule_set.keywords.terminal)].len() > 0;
        if is_over {
            self.machine.enter(stages, self.program.initial.iter().copied());
        } else {
            self.machine.advance(stages);
        }
    }

    /// Derives what is asked in a position while a match is played, and goes on.
    fn play_on(&mut self) -> Result<(), Halt> {
        let Program { stages, rule_set, for_terminal, for_legal, for_goal, .. } = &*self.program;
        self.machine.derive(stages, for_terminal)?;
        if self.machine.views[facts(rule_set.keywords.terminal)].len() > 0 {
            self.machine.derive(stages, for_goal)?;
        } else {
            self.machine.derive(stages, for_legal)?;
            self.play();
            self.machine.derive(&self.program.stages, &self.program.for_next)?;
        }
        self.go_on();
        Ok(())
    }

    /// Derives what is asked in a position, goals too, and plays.
    fn evaluate(&mut self) -> Result<(), Halt> {
        let Program { stages, for_terminal, for_legal, for_goal, .. } = &*self.program;
        for needed in [for_terminal, for_legal, for_goal] {
            self.machine.derive(stages, needed)?;
        }
        self.play();
        self.machine.derive(&self.program.stages, &self.program.for_next)
    }

    /// Goes through positions of random matches and looks how large relations are.
    fn look_at_positions(&mut self, measuring: Duration) -> Result<(), Halt> {
        let start = Instant::now();
        for _ in 0..MOST_POSITIONS {
            for view in self.machine.views.ids() {
                self.machine.views.sync(view, &self.machine.terms);
                self.sizes.measure(&self.machine.views, view);
            }
            if start.elapsed() > measuring {
                break;
            }
            self.go_on();
            self.evaluate()?;
        }
        Ok(())
    }
}
