//! Evaluation by what changed, with goals computed when they are asked.

use crate::evaluator::{Evaluator, goal_sections, goal_values, only_goal};
use crate::event_net::EventNet;
use crate::events::Events;
use crate::straight::{Straight, set};
use senet_circuit::Circuit;
use std::sync::Arc;

/// What all threads share.
pub(crate) struct EventProgram {
    net: EventNet,
    /// The initial state, no moves played.
    initial: Events,
    /// Goals: a section for each role.
    goals: Straight,
    /// What goals are computed from: sources of the net, and slots.
    given: Vec<(usize, usize)>,
    goal_values: Vec<Vec<Option<u8>>>,
}

impl EventProgram {
    pub(crate) fn new(circuit: &Circuit, initial: &[u64]) -> EventProgram {
        let net = EventNet::new(circuit);
        let mut events = Events::new(&net);
        events.enter(&net, initial);
        events.settle_next(&net);
        let goals = Straight::new(circuit, &goal_sections(circuit), |node| net.source_of[node].is_some());
        let given = goals.given().iter().map(|&(node, slot)| {
            let source = net.source_of[node].expect("only sources are given");
            (source as usize, slot)
        });
        EventProgram {
            given: given.collect(),
            goals,
            initial: events,
            goal_values: goal_values(circuit),
            net,
        }
    }
}

/// The memory of one thread.
pub(crate) struct EventEvaluator {
    program: Arc<EventProgram>,
    events: Events,
    goal_values: Vec<u8>,
    /// Roles whose goals were computed for this state.
    n_goals_known: usize,
}

impl EventEvaluator {
    pub(crate) fn new(program: Arc<EventProgram>) -> EventEvaluator {
        EventEvaluator {
            events: program.initial.clone(),
            goal_values: program.goals.values(),
            n_goals_known: 0,
            program,
        }
    }
}

impl Evaluator for EventEvaluator {
    fn restart(&mut self) {
        self.events.copy_from(&self.program.initial);
        self.n_goals_known = 0;
    }

    fn enter(&mut self, state: &[u64]) {
        if self.events.state() != state {
            self.events.enter(&self.program.net, state);
            self.n_goals_known = 0;
        }
    }

    fn state(&self) -> &[u64] {
        self.events.state()
    }

    #[inline]
    fn is_terminal(&self) -> bool {
        self.events.is_terminal(&self.program.net)
    }

    #[inline]
    fn legal(&self, role: usize) -> (&[u64], &[u64]) {
        self.events.legal(&self.program.net, role)
    }

    #[inline]
    fn play(&mut self, role: usize, choice: usize) {
        self.events.play(&self.program.net, role, choice);
    }

    #[inline]
    fn compute_next(&mut self) -> &[u64] {
        self.events.settle_next(&self.program.net);
        self.events.next(&self.program.net)
    }

    #[inline]
    fn advance(&mut self) {
        self.events.advance(&self.program.net);
        self.n_goals_known = 0;
    }

    fn goal(&mut self, role: usize) -> Option<u8> {
        let program = &*self.program;
        if self.n_goals_known == 0 {
            for &(source, slot) in &program.given {
                set(&mut self.goal_values, slot, self.events.is_on(&program.net, source));
            }
        }
        while self.n_goals_known <= role {
            program.goals.compute(self.n_goals_known, &mut self.goal_values);
            self.n_goals_known += 1;
        }
        only_goal(&program.goals, role, &self.goal_values, &program.goal_values[role])
    }
}
