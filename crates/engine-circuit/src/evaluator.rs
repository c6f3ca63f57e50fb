//! A game at one state: the playing net, and goals computed when they are asked.

use crate::goals::{Ends, Goals, MOST_ENDS};
use crate::propagation::{Net, Propagation};
use senet_circuit::Circuit;
use senet_game::PlayoutStatistics;
use std::sync::Arc;

/// What all threads share.
pub(crate) struct Program<P: Propagation> {
    net: P::Net,
    /// The initial state, no moves played.
    initial: P,
    goals: Goals,
}

impl<P: Propagation> Program<P> {
    pub(crate) fn new(circuit: &Circuit, initial: &[u64]) -> Program<P> {
        let net = P::Net::new(circuit);
        let mut values = P::new(&net);
        values.enter(&net, initial);
        values.compute_next(&net);
        Program { goals: Goals::new(circuit), initial: values, net }
    }
}

/// The memory of one thread.
pub(crate) struct Evaluator<P: Propagation> {
    program: Arc<Program<P>>,
    values: P,
    /// The state it is in, if its goals were asked.
    here: Ends,
    /// Ends of playouts whose goals were not yet looked at.
    ends: Ends,
}

impl<P: Propagation> Evaluator<P> {
    pub(crate) fn new(program: Arc<Program<P>>) -> Evaluator<P> {
        let (values, ends) = (program.initial.clone(), program.goals.ends());
        Evaluator { values, here: ends.clone(), ends, program }
    }

    /// Goes to the initial state.
    pub(crate) fn restart(&mut self) {
        self.values.copy_from(&self.program.initial);
        self.leave();
    }

    /// Goes to a state.
    pub(crate) fn enter(&mut self, state: &[u64]) {
        if self.values.state() != state {
            self.values.enter(&self.program.net, state);
            self.leave();
        }
    }

    /// The state it is in.
    pub(crate) fn state(&self) -> &[u64] {
        self.values.state()
    }

    /// Whether the state ends the match.
    #[inline(always)]
    pub(crate) fn is_terminal(&self) -> bool {
        self.values.is_terminal(&self.program.net)
    }

    /// The legal moves of a role as bits in words: a move is legal that is on in the one or the other.
    #[inline(always)]
    pub(crate) fn legal(&self, role: usize) -> (&[u64], &[u64]) {
        self.values.legal(&self.program.net, role)
    }

    /// Plays a move of a role; moves are numbered over all roles.
    #[inline(always)]
    pub(crate) fn play(&mut self, role: usize, choice: usize) {
        self.values.play(&self.program.net, role, choice);
    }

    /// Computes the state after the moves that were played by all roles.
    #[inline(always)]
    pub(crate) fn compute_next(&mut self) -> &[u64] {
        self.values.compute_next(&self.program.net)
    }

    /// Goes to the state that was computed.
    #[inline(always)]
    pub(crate) fn advance(&mut self) {
        self.values.advance(&self.program.net);
        self.leave();
    }

    /// What the state is worth to a role: the only value that holds.
    pub(crate) fn goal(&mut self, role: usize) -> Option<u8> {
        let goals = &self.program.goals;
        if self.here.len() == 0 {
            goals.add(&mut self.here, self.values.state());
        }
        goals.of_role(&mut self.here, role).find(|(_, holds)| *holds != 0).and_then(|(value, _)| value)
    }

    #[inline(always)]
    fn leave(&mut self) {
        if self.here.len() > 0 {
            self.program.goals.clear(&mut self.here);
        }
    }

    /// Forgets ends that were not counted because a playout failed.
    pub(crate) fn forget_ends(&mut self) {
        self.program.goals.clear(&mut self.ends);
    }

    /// Remembers that a playout ended here.
    pub(crate) fn end(&mut self, statistics: &mut PlayoutStatistics) {
        self.program.goals.add(&mut self.ends, self.values.state());
        if self.ends.len() == MOST_ENDS {
            self.count_goals(statistics);
        }
    }

    /// Counts what roles got in the playouts that ended.
    pub(crate) fn count_goals(&mut self, statistics: &mut PlayoutStatistics) {
        let goals = &self.program.goals;
        if self.ends.len() > 0 {
            for role in 0..goals.n_roles() {
                for (value, states) in goals.of_role(&mut self.ends, role) {
                    if let Some(value) = value {
                        statistics.add_goals(role, value, u64::from(states.count_ones()));
                    }
                }
            }
        }
        self.forget_ends();
    }
}
