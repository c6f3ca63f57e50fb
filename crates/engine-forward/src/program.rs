//! The rules made ready: planned by what holds in the first positions of a random match.

use crate::machine::{Halt, Machine};
use crate::sizes::Sizes;
use crate::stages::Stages;
use crate::terms::source_order;
use crate::view::{Views, facts};
use senet_analysis::Program as Checked;
use senet_game::MoveGenerator;
use senet_languages::mini::{Lifetime, Literal, Mini};
use std::time::{Duration, Instant};

/// So many positions are looked at, if there is the time.
const MOST_POSITIONS: u32 = 40;
const MOST_TIME: Duration = Duration::from_millis(5);

/// What all threads share.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) mini: Mini,
    pub(crate) stages: Stages,
    pub(crate) for_terminal: Vec<usize>,
    pub(crate) for_legal: Vec<usize>,
    pub(crate) for_goal: Vec<usize>,
    pub(crate) for_next: Vec<usize>,
    /// The roles in order.
    pub(crate) roles: Vec<u32>,
    /// The fluents of the initial position.
    pub(crate) initial: Vec<u32>,
    /// By which literals were ordered.
    pub(crate) sizes: Sizes,
}

impl Program {
    /// The program, and a machine that has the permanent facts. If something is not bounded, the machine tells names.
    pub(crate) fn new(
        checked: &Checked,
        time: Option<Duration>,
    ) -> Result<(Program, Machine), (Box<Mini>, Halt)> {
        let mini = Mini::new(checked);
        let mut views = Views::new(&mini.relations);
        for atom in mini.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom) {
            views.of_atom(atom);
        }
        let stages = Stages::new(&mini);
        let mut machine = Machine::new(mini.terms.clone(), views, mini.keywords);
        machine.scratch.deadline = time.map(|time| Instant::now() + time);
        let needed = |relation| stages.needed_for(&mini, relation);
        let mut program = Program {
            for_terminal: needed(mini.keywords.terminal),
            for_legal: needed(mini.keywords.legal),
            for_goal: needed(mini.keywords.goal),
            for_next: needed(mini.keywords.next),
            roles: Vec::new(),
            initial: Vec::new(),
            sizes: Sizes::default(),
            stages,
            mini,
        };
        let mut planner = Planner { program: &mut program, machine, sizes: Sizes::default() };
        match planner.plan(checked) {
            Ok(permanent) => {
                program.sizes = planner.sizes;
                Ok((program, permanent))
            }
            Err(halt) => Err((Box::new(program.mini), halt)),
        }
    }
}

struct Planner<'p> {
    program: &'p mut Program,
    machine: Machine,
    sizes: Sizes,
}

impl Planner<'_> {
    /// Plans all rules; gives a machine that has the permanent facts.
    fn plan(&mut self, checked: &Checked) -> Result<Machine, Halt> {
        self.plan_and_run(Lifetime::Match)?;
        self.find_roles_and_fluents(checked);
        self.machine.enter(&self.program.stages, self.program.initial.iter().copied());
        self.plan_and_run(Lifetime::Position)?;
        let mut generator = MoveGenerator::new(0);
        self.play(&mut generator);
        self.plan_and_run(Lifetime::Move)?;
        self.look_at_positions(&mut generator)?;
        for at in 0..self.program.stages.len() {
            if self.program.stages.get(at).lifetime != Lifetime::Match {
                let Program { stages, mini, .. } = &mut *self.program;
                stages.plan(at, &mini.rules, &mut self.machine.views, &self.sizes);
            }
        }
        self.machine.enter(&self.program.stages, std::iter::empty());
        self.machine.scratch.deadline = None;
        Ok(self.machine.clone())
    }

    /// Plans and runs stage after stage: each by the sizes of what it uses.
    fn plan_and_run(&mut self, lifetime: Lifetime) -> Result<(), Halt> {
        let Planner { program: Program { stages, mini, .. }, machine, sizes } = self;
        for at in 0..stages.len() {
            if stages.get(at).lifetime == lifetime {
                for atom in stages.rules(at).flat_map(|rule| &mini.rules[rule].body).filter_map(Literal::atom)
                {
                    let view = machine.views.of_atom(atom);
                    machine.views.sync(view, &machine.terms);
                    sizes.measure(&machine.views, view);
                }
                stages.plan(at, &mini.rules, &mut machine.views, sizes);
                machine.run(stages, at)?;
            }
        }
        Ok(())
    }

    fn find_roles_and_fluents(&mut self, checked: &Checked) {
        let Machine { views, terms, .. } = &self.machine;
        let keywords = self.program.mini.keywords;
        let column =
            |relation| (0..views[facts(relation)].len()).map(move |row| views[facts(relation)].row(row)[0]);
        self.program.initial = column(keywords.init).collect();
        // Facts in the order of the source; roles given by rules follow in source order.
        let written: Vec<_> = checked.role_facts().iter().map(senet_game::portable).collect();
        let mut roles: Vec<u32> = column(keywords.role).collect();
        let place = |role: u32| {
            let role = crate::terms::export(terms, role);
            written.iter().position(|it| *it == role).unwrap_or(usize::MAX)
        };
        roles.sort_by(|&left, &right| {
            place(left).cmp(&place(right)).then_with(|| source_order(terms, left, right))
        });
        self.program.roles = roles;
    }

    /// Plays a random legal move of each role that has one.
    fn play(&mut self, generator: &mut MoveGenerator) {
        for &role in &self.program.roles {
            let legal = &self.machine.views[facts(self.program.mini.keywords.legal)];
            let moves: Vec<u32> = (0..legal.len())
                .map(|row| legal.row(row))
                .filter(|row| row[0] == role)
                .map(|row| row[1])
                .collect();
            if !moves.is_empty() {
                self.machine.play(role, moves[generator.below(moves.len())]);
            }
        }
    }

    /// Goes through positions of random matches and looks how large relations are.
    fn look_at_positions(&mut self, generator: &mut MoveGenerator) -> Result<(), Halt> {
        let start = Instant::now();
        let all: Vec<usize> = (0..self.program.stages.len()).collect();
        let of = |program: &Program, lifetime| {
            let here = all.iter().copied().filter(|&at| program.stages.get(at).lifetime == lifetime);
            here.collect::<Vec<usize>>()
        };
        let (position, play) = (of(self.program, Lifetime::Position), of(self.program, Lifetime::Move));
        for _ in 0..MOST_POSITIONS {
            for view in self.machine.views.ids() {
                self.machine.views.sync(view, &self.machine.terms);
                self.sizes.measure(&self.machine.views, view);
            }
            if start.elapsed() > MOST_TIME {
                break;
            }
            let stages = &self.program.stages;
            let is_over = self.machine.views[facts(self.program.mini.keywords.terminal)].len() > 0;
            if is_over {
                self.machine.enter(stages, self.program.initial.iter().copied());
            } else {
                self.machine.advance(stages);
            }
            self.machine.derive(stages, &position)?;
            self.play(generator);
            self.machine.derive(&self.program.stages, &play)?;
        }
        Ok(())
    }
}
