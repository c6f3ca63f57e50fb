//! Conjunctions of many inputs and negation: a graph in which no gate occurs twice.

use crate::exclusive::{Exclusive, Operands, Reduced};
use crate::wire::Wire;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// How many inputs of each kind a net has. They come before the gates: the constant, fluents, moves, loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// State bits.
    pub n_fluents: usize,
    /// Move bits.
    pub n_moves: usize,
    /// Atoms that depend on themselves.
    pub n_loops: usize,
}

impl Inputs {
    /// How many nodes are no gates.
    pub fn len(self) -> usize {
        1 + self.n_fluents + self.n_moves + self.n_loops
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(self) -> bool {
        self.len() == 1
    }

    /// The node of a fluent.
    pub fn fluent(self, at: usize) -> usize {
        debug_assert!(at < self.n_fluents);
        1 + at
    }

    /// The node of a move.
    pub fn a_move(self, at: usize) -> usize {
        debug_assert!(at < self.n_moves);
        1 + self.n_fluents + at
    }

    /// The node of a loop.
    pub fn a_loop(self, at: usize) -> usize {
        debug_assert!(at < self.n_loops);
        1 + self.n_fluents + self.n_moves + at
    }

    /// Which loop a node is.
    pub fn loop_at(self, node: usize) -> Option<usize> {
        let first = 1 + self.n_fluents + self.n_moves;
        (first..self.len()).contains(&node).then(|| node - first)
    }

    /// Which move a node is.
    pub fn move_at(self, node: usize) -> Option<usize> {
        let first = 1 + self.n_fluents;
        (first..first + self.n_moves).contains(&node).then(|| node - first)
    }

    /// Which fluent a node is.
    pub fn fluent_at(self, node: usize) -> Option<usize> {
        (1..1 + self.n_fluents).contains(&node).then(|| node - 1)
    }
}

/// The graph. Operands of a gate have smaller numbers than the gate.
#[derive(Clone, Debug)]
pub struct Net {
    inputs: Inputs,
    /// Where the operands of each node begin, and one end more. Inputs have none.
    first: Vec<u32>,
    operands: Vec<Wire>,
    known: HashTable<u32>,
    exclusive: Exclusive,
}

impl Net {
    pub(crate) fn new(inputs: Inputs, exclusive: Exclusive) -> Net {
        Net {
            inputs,
            first: vec![0; inputs.len() + 1],
            operands: Vec::new(),
            known: HashTable::new(),
            exclusive,
        }
    }

    /// An empty net over the same inputs.
    pub(crate) fn emptied(&mut self) -> Net {
        let exclusive = std::mem::take(&mut self.exclusive);
        Net::new(self.inputs, exclusive)
    }

    /// What the net is over.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// How many nodes there are, inputs and gates.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether there are no gates.
    pub fn is_empty(&self) -> bool {
        self.n_gates() == 0
    }

    /// How many gates there are.
    pub fn n_gates(&self) -> usize {
        self.len() - self.inputs.len()
    }

    /// How many operands all gates have.
    pub fn n_operands(&self) -> usize {
        self.operands.len()
    }

    /// How many gates of two inputs say the same.
    pub fn n_binary_gates(&self) -> usize {
        self.n_operands() - self.n_gates()
    }

    /// The numbers of the gates.
    pub fn gates(&self) -> std::ops::Range<usize> {
        self.inputs.len()..self.len()
    }

    /// Of what a gate is the conjunction, in order. Empty for inputs.
    #[inline]
    pub fn operands(&self, node: usize) -> &[Wire] {
        &self.operands[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Whether all of the operands.
    pub(crate) fn and(&mut self, mut operands: Operands) -> Wire {
        loop {
            operands.sort_unstable();
            operands.dedup();
            if operands.first() == Some(&Wire::FALSE)
                || operands.windows(2).any(|pair| pair[0] == !pair[1] && !pair[0].is_negated())
            {
                return Wire::FALSE;
            }
            if operands.first() == Some(&Wire::TRUE) {
                operands.remove(0);
            }
            match self.exclusive.reduce(&mut operands) {
                Reduced::Same => break,
                Reduced::Fewer => {}
                Reduced::Never => return Wire::FALSE,
                Reduced::OneOf(members) => {
                    let wires = members.into_iter().map(|member| Wire::of(member as usize));
                    let one = self.or(wires);
                    operands.push(one);
                }
            }
        }
        match operands[..] {
            [] => Wire::TRUE,
            [only] => only,
            _ => self.gate(&operands),
        }
    }

    /// Whether one of the operands.
    pub(crate) fn or(&mut self, operands: impl IntoIterator<Item = Wire>) -> Wire {
        !self.and(operands.into_iter().map(|wire| !wire).collect())
    }

    fn gate(&mut self, operands: &[Wire]) -> Wire {
        let Net { first, operands: all, known, .. } = self;
        let of = |node: u32| &all[first[node as usize] as usize..first[node as usize + 1] as usize];
        let hash = hash_of(operands);
        if let Some(&node) = known.find(hash, |&node| of(node) == operands) {
            return Wire::of(node as usize);
        }
        let node = (first.len() - 1) as u32;
        all.extend_from_slice(operands);
        first.push(all.len() as u32);
        let of = |node: u32| &all[first[node as usize] as usize..first[node as usize + 1] as usize];
        known.insert_unique(hash, node, |&node| hash_of(of(node)));
        Wire::of(node as usize)
    }
}

fn hash_of(operands: &[Wire]) -> u64 {
    let mut hasher = FxHasher::default();
    operands.iter().for_each(|wire| hasher.write_u32(wire.code()));
    hasher.finish()
}
