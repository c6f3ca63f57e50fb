//! Lanes whose moves are given from outside: many games side by side.

use crate::kernel::Level;
use crate::machine::Machine;
use crate::program::Program;
use senet_circuit::Circuit;
use senet_game::{MoveId, RoleId};
use std::ops::Range;

/// Words of lanes that work together.
const WORDS: usize = 4;
const LANES_OF_BLOCK: usize = WORDS * 64;

/// What of a block is known of its state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    State,
    Terminal,
    Legal,
}

struct Block {
    machine: Machine<WORDS>,
    known: Known,
    /// Kept apart: legal moves may lie where it was computed.
    is_terminal: [u64; WORDS],
}

impl Block {
    fn know(&mut self, wanted: Known, terminal: u32) {
        if self.known < Known::Terminal && wanted >= Known::Terminal {
            self.machine.compute_terminal();
            self.is_terminal = *self.machine.slot(terminal);
            self.known = Known::Terminal;
        }
        if self.known < Known::Legal && wanted == Known::Legal {
            self.machine.compute_legal();
            self.known = Known::Legal;
        }
    }
}

/// Many games side by side, each lane in a state of its own. Answers come as bits, one a lane, 64 in a word.
pub struct Batch {
    blocks: Vec<Block>,
    n_lanes: usize,
    terminal: u32,
    goals: Vec<Vec<(Option<u8>, u32)>>,
    legal: Vec<u32>,
    moves: Vec<u32>,
    moves_of: Vec<Range<usize>>,
    n_fluents: usize,
    /// The state of all lanes, if they have one in common.
    common: Option<Box<[u64]>>,
}

impl Batch {
    pub(crate) fn new(circuit: &Circuit, program: &Program, level: Level, n_lanes: usize) -> Batch {
        let block =
            |_| Block { machine: Machine::new(program, level), known: Known::State, is_terminal: [0; WORDS] };
        Batch {
            blocks: (0..n_lanes.div_ceil(LANES_OF_BLOCK)).map(block).collect(),
            n_lanes,
            terminal: program.terminal,
            goals: program.goals.clone(),
            legal: program.legal.clone(),
            moves: program.moves.clone(),
            moves_of: circuit.signature().moves_of.clone(),
            n_fluents: program.n_fluents,
            common: None,
        }
    }

    /// How many lanes there are.
    pub fn n_lanes(&self) -> usize {
        self.n_lanes
    }

    /// Puts all lanes into a state.
    pub fn set_all(&mut self, state: &[u64]) {
        if self.common.as_deref() == Some(state) {
            return;
        }
        self.common = Some(state.into());
        for block in &mut self.blocks {
            block.machine.restart(state, &[!0; WORDS]);
            block.known = Known::State;
        }
    }

    /// Puts a lane into a state.
    pub fn set(&mut self, lane: usize, state: &[u64]) {
        self.common = None;
        let mut lanes = [0; WORDS];
        lanes[lane / 64 % WORDS] = 1 << (lane % 64);
        let block = &mut self.blocks[lane / LANES_OF_BLOCK];
        block.machine.restart(state, &lanes);
        block.known = Known::State;
    }

    /// The state of a lane.
    pub fn state(&self, lane: usize) -> Vec<u64> {
        let mut state = vec![0; self.n_fluents.div_ceil(64)];
        for fluent in 0..self.n_fluents {
            state[fluent / 64] |= u64::from(self.bit(lane, fluent as u32)) << (fluent % 64);
        }
        state
    }

    /// Whether each match is over: 64 lanes a word.
    pub fn terminal(&mut self) -> Vec<u64> {
        self.know(Known::Terminal);
        let words = self.blocks.iter().flat_map(|block| block.is_terminal);
        words.take(self.n_lanes.div_ceil(64)).collect()
    }

    /// Whether the match of a lane is over.
    pub fn is_terminal(&mut self, lane: usize) -> bool {
        assert!(lane < self.n_lanes);
        let block = &mut self.blocks[lane / LANES_OF_BLOCK];
        block.know(Known::Terminal, self.terminal);
        block.is_terminal[lane / 64 % WORDS] >> (lane % 64) & 1 == 1
    }

    /// In which lanes a move is legal: 64 lanes a word.
    pub fn legal(&mut self, id: MoveId) -> Vec<u64> {
        self.know(Known::Legal);
        self.words(self.legal[id.index()])
    }

    /// The legal moves of a role in a lane, in source order.
    pub fn legal_moves(&mut self, lane: usize, role: RoleId) -> impl Iterator<Item = MoveId> + '_ {
        self.know(Known::Legal);
        let batch = &*self;
        let is_legal = move |&at: &usize| batch.bit(lane, batch.legal[at]);
        batch.moves_of[role.index()].clone().filter(is_legal).map(MoveId::new)
    }

    /// What a lane is worth to a role: `None` unless there is exactly one number from 0 to 100.
    pub fn goal(&mut self, lane: usize, role: RoleId) -> Option<u8> {
        let block = &mut self.blocks[lane / LANES_OF_BLOCK];
        // Legal moves may lie where goals are computed: both begin with what the end of a match takes.
        block.known = Known::State;
        block.know(Known::Terminal, self.terminal);
        block.machine.compute_goals();
        let mut values = self.goals[role.index()].iter().filter(|&&(_, slot)| self.bit(lane, slot));
        match (values.next(), values.next()) {
            (Some(&(value, _)), None) => value,
            _ => None,
        }
    }

    /// Plays one move of each role in every lane: `moves` gives those of a lane. Trusts the caller that they are legal.
    /// What becomes of a lane whose match is over means nothing until it is set again.
    pub fn step<'m>(&mut self, moves: impl Fn(usize) -> &'m [MoveId]) {
        self.know(Known::Legal);
        self.common = None;
        for (at, block) in self.blocks.iter_mut().enumerate() {
            self.moves.iter().for_each(|&slot| *block.machine.slot_mut(slot) = [0; WORDS]);
            let first = at * LANES_OF_BLOCK;
            for lane in first..(first + LANES_OF_BLOCK).min(self.n_lanes) {
                for id in moves(lane) {
                    block.machine.slot_mut(self.moves[id.index()])[lane / 64 % WORDS] |= 1 << (lane % 64);
                }
            }
            block.machine.compute_next();
            block.known = Known::State;
        }
    }

    fn know(&mut self, wanted: Known) {
        self.blocks.iter_mut().for_each(|block| block.know(wanted, self.terminal));
    }

    fn words(&self, slot: u32) -> Vec<u64> {
        let words = self.blocks.iter().flat_map(|block| block.machine.slot(slot));
        words.copied().take(self.n_lanes.div_ceil(64)).collect()
    }

    fn bit(&self, lane: usize, slot: u32) -> bool {
        assert!(lane < self.n_lanes);
        let word = self.blocks[lane / LANES_OF_BLOCK].machine.slot(slot)[lane / 64 % WORDS];
        word >> (lane % 64) & 1 == 1
    }
}
