//! Evaluation of everything for every state: faster where nearly everything changes.

use crate::evaluator::{Evaluator, goal_sections, goal_values, only_goal};
use crate::straight::{Asked, Straight, set};
use senet_circuit::Circuit;
use std::ops::Range;
use std::sync::Arc;

/// What all threads share. The sections: the end, the legal moves of each role, the next state, the goals of each role.
pub(crate) struct StraightProgram {
    program: Straight,
    n_roles: usize,
    /// The slots of fluents and moves that matter.
    fluent_slots: Vec<(usize, usize)>,
    move_slots: Vec<Option<usize>>,
    /// By role: the words of its legal moves.
    legal_words: Vec<Range<usize>>,
    initial: Vec<u64>,
    goal_values: Vec<Vec<Option<u8>>>,
}

impl StraightProgram {
    pub(crate) fn new(circuit: &Circuit, initial: &[u64]) -> StraightProgram {
        let (net, moves_of) = (circuit.net(), &circuit.signature().moves_of);
        let inputs = net.inputs();
        let arriving = |wires| Asked { wires, is_for_every_state: true };
        let mut asked = vec![arriving(vec![circuit.terminal()])];
        asked.extend(moves_of.iter().map(|moves| arriving(circuit.legal()[moves.clone()].to_vec())));
        // Goals are asked where the match is over: there is no next state then.
        asked.push(Asked { wires: circuit.next().to_vec(), is_for_every_state: false });
        asked.extend(goal_sections(circuit));
        let is_given = |node: usize| inputs.fluent_at(node).is_some() || inputs.move_at(node).is_some();
        let program = Straight::new(circuit, &asked, is_given);
        let given = program.given().iter();
        let fluent_slots =
            given.filter_map(|&(node, slot)| inputs.fluent_at(node).map(|at| (at, slot))).collect();
        let mut move_slots = vec![None; inputs.n_moves];
        for &(node, slot) in program.given() {
            if let Some(at) = inputs.move_at(node) {
                move_slots[at] = Some(slot);
            }
        }
        let mut n_words = 0;
        let legal_words = moves_of.iter().map(|moves| {
            n_words += moves.len().div_ceil(64);
            n_words - moves.len().div_ceil(64)..n_words
        });
        StraightProgram {
            legal_words: legal_words.collect(),
            n_roles: moves_of.len(),
            fluent_slots,
            move_slots,
            initial: initial.to_vec(),
            goal_values: goal_values(circuit),
            program,
        }
    }

    fn section_of_next(&self) -> usize {
        1 + self.n_roles
    }
}

/// The memory of one thread.
pub(crate) struct StraightEvaluator {
    program: Arc<StraightProgram>,
    values: Vec<u8>,
    state: Vec<u64>,
    next: Vec<u64>,
    legal: Vec<u64>,
    /// By role: the move that is on.
    moves: Vec<Option<usize>>,
    /// Roles whose goals were computed for this state.
    n_goals_known: usize,
}

impl StraightEvaluator {
    pub(crate) fn new(program: Arc<StraightProgram>) -> StraightEvaluator {
        let mut evaluator = StraightEvaluator {
            values: program.program.values(),
            state: program.initial.clone(),
            next: program.initial.clone(),
            legal: vec![0; program.legal_words.last().map_or(0, |words| words.end)],
            moves: vec![None; program.n_roles],
            n_goals_known: 0,
            program,
        };
        evaluator.arrive();
        evaluator
    }

    fn arrive(&mut self) {
        let StraightProgram { program, fluent_slots, legal_words, .. } = &*self.program;
        for &(fluent, slot) in fluent_slots {
            set(&mut self.values, slot, self.state[fluent / 64] >> (fluent % 64) & 1 == 1);
        }
        program.compute(0, &mut self.values);
        for (role, words) in legal_words.iter().enumerate() {
            program.compute(1 + role, &mut self.values);
            program.pack(1 + role, &self.values, &mut self.legal[words.clone()]);
        }
        self.n_goals_known = 0;
    }
}

impl Evaluator for StraightEvaluator {
    fn restart(&mut self) {
        self.state.copy_from_slice(&self.program.initial);
        self.arrive();
    }

    fn enter(&mut self, state: &[u64]) {
        if self.state != state {
            self.state.copy_from_slice(state);
            self.arrive();
        }
    }

    fn state(&self) -> &[u64] {
        &self.state
    }

    fn is_terminal(&self) -> bool {
        self.program.program.outputs(0, &self.values).next() == Some(true)
    }

    fn legal(&self, role: usize) -> (&[u64], &[u64]) {
        let words = &self.legal[self.program.legal_words[role].clone()];
        (words, words)
    }

    fn play(&mut self, role: usize, choice: usize) {
        let before = self.moves[role].replace(choice);
        for (choice, is_on) in before.map(|before| (before, false)).into_iter().chain([(choice, true)]) {
            if let Some(slot) = self.program.move_slots[choice] {
                set(&mut self.values, slot, is_on);
            }
        }
    }

    fn compute_next(&mut self) -> &[u64] {
        let section = self.program.section_of_next();
        self.program.program.compute(section, &mut self.values);
        self.program.program.pack(section, &self.values, &mut self.next);
        &self.next
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.state, &mut self.next);
        self.arrive();
    }

    fn goal(&mut self, role: usize) -> Option<u8> {
        let StraightProgram { program, goal_values, .. } = &*self.program;
        let first = self.program.section_of_next() + 1;
        while self.n_goals_known <= role {
            program.compute(first + self.n_goals_known, &mut self.values);
            self.n_goals_known += 1;
        }
        only_goal(program, first + role, &self.values, &goal_values[role])
    }
}
