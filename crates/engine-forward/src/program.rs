//! The rules made ready: planned by what holds in the first positions of a random match.

use crate::machine::{Halt, Machine};
use crate::sizes::Sizes;
use crate::stages::Stages;
use crate::terms::source_order;
use crate::view::{Views, facts};
use senet_analysis::Program as Checked;
use senet_game::MoveGenerator;
use senet_gdl::{Interner, Symbol};
use senet_languages::mini::{Lifetime, Literal, Mini, RelId};
use senet_languages::shapes::{Shapes, split};
use std::time::{Duration, Instant};

/// So many positions are looked at, if there is the time.
const MOST_POSITIONS: u32 = 40;
const MOST_TIME: Duration = Duration::from_millis(5);

/// What all threads share.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) mini: Mini,
    pub(crate) shapes: Shapes,
    pub(crate) stages: Stages,
    pub(crate) for_terminal: Vec<usize>,
    pub(crate) for_legal: Vec<usize>,
    pub(crate) for_goal: Vec<usize>,
    pub(crate) for_next: Vec<usize>,
    /// The roles in order.
    pub(crate) roles: Vec<u32>,
    /// The fluents of the initial position.
    pub(crate) initial: Vec<u32>,
    /// By constant: the number from 0 to 100 that it is.
    goal_values: Vec<Option<u8>>,
}

impl Program {
    /// The program, and a machine that has the permanent facts. If something is not bounded, the machine tells names.
    pub(crate) fn new(
        checked: &Checked,
        time: Option<Duration>,
    ) -> Result<(Program, Machine), (Box<Mini>, Halt)> {
        let mut mini = Mini::new(checked);
        let shapes = split(&mut mini);
        let mut views = Views::new(&mini.relations);
        for atom in mini.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom) {
            views.of_atom(atom);
        }
        let stages = Stages::new(&mini);
        let mut machine = Machine::new(mini.terms.clone(), views, shapes.clone());
        machine.scratch.deadline = time.map(|time| Instant::now() + time);
        let needed = |relations: &[RelId]| stages.needed_for(&mini, relations);
        let legal: Vec<RelId> = shapes.moves.iter().map(|shape| shape.legal).collect();
        let next: Vec<RelId> = shapes.fluents.iter().map(|shape| shape.next).collect();
        let mut program = Program {
            for_terminal: needed(&[mini.keywords.terminal]),
            for_legal: needed(&legal),
            for_goal: needed(&[mini.keywords.goal]),
            for_next: needed(&next),
            goal_values: goal_values(checked.symbols()),
            shapes,
            roles: Vec::new(),
            initial: Vec::new(),
            stages,
            mini,
        };
        let mut planner = Planner { program: &mut program, machine, sizes: Sizes::default() };
        match planner.plan(checked) {
            Ok(permanent) => Ok((program, permanent)),
            Err(halt) => Err((Box::new(program.mini), halt)),
        }
    }
}

impl Program {
    /// The only value of a role, if it is a number from 0 to 100.
    pub(crate) fn goal(&self, machine: &Machine, role: u32) -> Option<u8> {
        let goals = &machine.views[facts(self.mini.keywords.goal)];
        let mut values =
            (0..goals.len()).map(|row| goals.row(row)).filter(|row| row[0] == role).map(|row| row[1]);
        match (values.next(), values.next()) {
            (Some(value), None) => self.goal_values.get(value as usize).copied().flatten(),
            _ => None,
        }
    }
}

fn goal_values(names: &Interner) -> Vec<Option<u8>> {
    let value = |name: &str| {
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        name.parse().ok().filter(|&value| is_number && value <= 100)
    };
    (0..names.len()).map(|at| value(names.name(Symbol::new(at)))).collect()
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
        self.program.initial = self.machine.fluents(|shape| shape.init);
        let Machine { views, terms, .. } = &self.machine;
        let of_role = &views[facts(self.program.mini.keywords.role)];
        // Facts in the order of the source; roles given by rules follow in source order.
        let written: Vec<_> = checked.role_facts().iter().map(senet_game::portable).collect();
        let mut roles: Vec<u32> = (0..of_role.len()).map(|row| of_role.row(row)[0]).collect();
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
            let moves = self.machine.legal_moves(role);
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
