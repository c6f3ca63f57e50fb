//! Positions and what follows them, each in a lane of its own.

use crate::kernel::Level;
use crate::machine::Machine;
use crate::program::Program;
use crate::transpose::transpose;
use senet_game::MoveId;
use std::ops::Range;

/// Words of lanes that work together.
const WORDS: usize = 8;

/// Tells the legal moves of many positions, and what follows many moves, at once.
pub struct Expander {
    machine: Machine<WORDS>,
    terminal: u32,
    goals: Vec<Vec<(Option<u8>, u32)>>,
    legal: Vec<u32>,
    moves: Vec<u32>,
    moves_of: Vec<Range<usize>>,
    n_fluents: usize,
    /// By lane: its state.
    states: Vec<u64>,
    /// By lane: its goals by role, where the match is over.
    ends: Vec<u8>,
}

/// What follows a joint move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Successor<'a> {
    /// Which of the joint moves.
    pub at: usize,
    /// The position.
    pub state: &'a [u64],
    /// If the match is over in it, its goals by role: 0 where the rules give not exactly one.
    pub goals: Option<&'a [u8]>,
}

impl Expander {
    /// How many lanes there are: of more than that, some come after the others.
    pub const N_LANES: usize = WORDS * 64;

    pub(crate) fn new(program: &Program, moves_of: &[Range<usize>], level: Level) -> Expander {
        Expander {
            machine: Machine::new(program, level),
            terminal: program.terminal,
            goals: program.goals.clone(),
            legal: program.legal.clone(),
            moves: program.moves.clone(),
            moves_of: moves_of.to_vec(),
            n_fluents: program.n_fluents,
            states: vec![0; Self::N_LANES * program.n_fluents.div_ceil(64)],
            ends: vec![0; Self::N_LANES * program.goals.len()],
        }
    }

    /// How many words a state has.
    pub fn n_words(&self) -> usize {
        self.n_fluents.div_ceil(64)
    }

    /// The legal moves of positions: `found(at, role, id)` is called for each of the position `at`, for each position by
    /// role and in source order.
    pub fn legal_moves<'s>(
        &mut self,
        n_states: usize,
        state: impl Fn(usize) -> &'s [u64],
        mut found: impl FnMut(usize, usize, MoveId),
    ) {
        for first in (0..n_states).step_by(Self::N_LANES) {
            let n_lanes = (n_states - first).min(Self::N_LANES);
            self.enter(n_lanes, |lane| state(first + lane));
            self.machine.compute_terminal();
            self.machine.compute_legal();
            for (role, moves) in self.moves_of.iter().enumerate() {
                for id in moves.clone() {
                    let legal = self.machine.slot(self.legal[id]);
                    for lane in lanes(legal, n_lanes) {
                        found(first + lane, role, MoveId::new(id));
                    }
                }
            }
        }
    }

    /// What follows joint moves: `joint(at)` gives the position and the move of each role. Trusts the caller that the
    /// moves are legal and the positions not over.
    pub fn step<'s>(
        &mut self,
        n_joint: usize,
        joint: impl Fn(usize) -> (&'s [u64], &'s [MoveId]),
        mut found: impl FnMut(Successor<'_>),
    ) {
        let (n_words, n_roles) = (self.n_words(), self.goals.len());
        let (mut states, mut ends) = (std::mem::take(&mut self.states), std::mem::take(&mut self.ends));
        for first in (0..n_joint).step_by(Self::N_LANES) {
            let n_lanes = (n_joint - first).min(Self::N_LANES);
            self.enter(n_lanes, |lane| joint(first + lane).0);
            // What legal moves have in common with the next state is computed with them.
            self.machine.compute_terminal();
            self.machine.compute_legal();
            for &slot in &self.moves {
                *self.machine.slot_mut(slot) = [0; WORDS];
            }
            for lane in 0..n_lanes {
                for id in joint(first + lane).1 {
                    self.machine.slot_mut(self.moves[id.index()])[lane / 64] |= 1 << (lane % 64);
                }
            }
            self.machine.compute_next();
            self.read(n_lanes, &mut states);
            self.machine.compute_terminal();
            let terminal = *self.machine.slot(self.terminal);
            if lanes(&terminal, n_lanes).next().is_some() {
                self.machine.compute_goals();
                self.read_goals(n_lanes, &terminal, &mut ends);
            }
            for lane in 0..n_lanes {
                let is_over = terminal[lane / 64] >> (lane % 64) & 1 == 1;
                found(Successor {
                    at: first + lane,
                    state: &states[lane * n_words..(lane + 1) * n_words],
                    goals: is_over.then(|| &ends[lane * n_roles..(lane + 1) * n_roles]),
                });
            }
        }
        (self.states, self.ends) = (states, ends);
    }

    /// Puts states into lanes, the first one into the others.
    fn enter<'s>(&mut self, n_lanes: usize, state: impl Fn(usize) -> &'s [u64]) {
        for group in 0..n_lanes.div_ceil(64) {
            let lanes = group * 64..(group * 64 + 64).min(n_lanes);
            for word in 0..self.n_words() {
                let mut block = [state(0)[word]; 64];
                for (row, lane) in block.iter_mut().zip(lanes.clone()) {
                    *row = state(lane)[word];
                }
                transpose(&mut block);
                let fluents = word * 64..(word * 64 + 64).min(self.n_fluents);
                for (bits, fluent) in block.iter().zip(fluents) {
                    self.machine.slot_mut(fluent as u32)[group] = *bits;
                }
            }
        }
    }

    /// Reads the states of lanes.
    fn read(&self, n_lanes: usize, states: &mut [u64]) {
        let n_words = self.n_words();
        for group in 0..n_lanes.div_ceil(64) {
            for word in 0..n_words {
                let mut block = [0; 64];
                let fluents = word * 64..(word * 64 + 64).min(self.n_fluents);
                for (bits, fluent) in block.iter_mut().zip(fluents) {
                    *bits = self.machine.slot(fluent as u32)[group];
                }
                transpose(&mut block);
                let lanes = group * 64..(group * 64 + 64).min(n_lanes);
                for (row, lane) in block.iter().zip(lanes) {
                    states[lane * n_words + word] = *row;
                }
            }
        }
    }

    /// Reads the goals of lanes whose match is over.
    fn read_goals(&self, n_lanes: usize, terminal: &[u64; WORDS], found: &mut [u8]) {
        let n_roles = self.goals.len();
        for (role, goals) in self.goals.iter().enumerate() {
            for lane in lanes(terminal, n_lanes) {
                found[lane * n_roles + role] = 0;
            }
            let (mut once, mut twice) = ([0; WORDS], [0; WORDS]);
            for &(_, slot) in goals {
                let holds = self.machine.slot(slot);
                for at in 0..WORDS {
                    twice[at] |= once[at] & holds[at];
                    once[at] |= holds[at];
                }
            }
            for &(value, slot) in goals {
                let holds = self.machine.slot(slot);
                let only = std::array::from_fn(|at| holds[at] & !twice[at] & terminal[at]);
                for lane in lanes(&only, n_lanes) {
                    found[lane * n_roles + role] = value.unwrap_or(0);
                }
            }
        }
    }
}

/// The lanes that are on, of so many.
fn lanes(words: &[u64; WORDS], n_lanes: usize) -> impl Iterator<Item = usize> {
    let (words, n_words) = (*words, n_lanes.div_ceil(64));
    (0..n_words).flat_map(move |at| {
        let mut word = words[at];
        // Of the last word, some may not count.
        if at == n_words - 1 {
            word &= u64::MAX >> (n_words * 64 - n_lanes);
        }
        std::iter::from_fn(move || {
            (word != 0).then(|| {
                let lane = word.trailing_zeros() as usize;
                word &= word - 1;
                at * 64 + lane
            })
        })
    })
}
