//! Gates of two and three inputs, as lanes compute them.

use rustc_hash::FxHashMap;
use senet_circuit::Wire;

/// What a gate computes of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    /// A value from outside.
    Input,
    And([Wire; 2]),
    /// Whether an odd number is on.
    Xor([Wire; 3]),
    /// Whether at least two are on.
    Majority([Wire; 3]),
    /// A result of a block.
    Part {
        block: u32,
        result: u8,
    },
}

/// What is computed in one go, with several results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum BlockKind {
    /// How many of seven are on, in three bits.
    Count7,
    /// Whether to pick at all, the two bits of a rank, and two of three that may be picked: which of the three is
    /// the one of the rank among those that are on. If it is none of the two, it is the third.
    Pick3,
    /// The same with the three bits of a rank and six of seven.
    Pick7,
}

impl BlockKind {
    pub(crate) const fn n_operands(self) -> usize {
        match self {
            BlockKind::Count7 => 7,
            BlockKind::Pick3 => 5,
            BlockKind::Pick7 => 10,
        }
    }

    pub(crate) const fn n_results(self) -> usize {
        match self {
            BlockKind::Count7 | BlockKind::Pick3 => 3,
            BlockKind::Pick7 => 7,
        }
    }

    /// A result, as it is meant.
    #[cfg(test)]
    pub(crate) fn result(self, operands: &[bool], result: usize) -> bool {
        let n_bits = match self {
            BlockKind::Count7 => return operands.iter().filter(|&&on| on).count() >> result & 1 == 1,
            BlockKind::Pick3 => 2,
            BlockKind::Pick7 => 3,
        };
        let rank = (0..n_bits).fold(0, |rank, bit| rank | usize::from(operands[1 + bit]) << bit);
        let leaves = &operands[1 + n_bits..];
        let of_rank = (0..leaves.len()).filter(|&at| leaves[at]).nth(rank);
        operands[0] && of_rank.unwrap_or(leaves.len()) == result
    }
}

/// A block and its operands.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    pub(crate) operands: Vec<Wire>,
    /// The node of its first result; the others follow.
    pub(crate) first: usize,
}

/// A graph in which no gate occurs twice; operands have smaller numbers. Node 0 is never on.
#[derive(Clone, Debug)]
pub(crate) struct Logic {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
    blocks: Vec<Block>,
}

impl Logic {
    pub(crate) fn new() -> Logic {
        Logic { gates: vec![Gate::Input], known: FxHashMap::default(), blocks: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn gate(&self, node: usize) -> Gate {
        self.gates[node]
    }

    pub(crate) fn input(&mut self) -> Wire {
        self.gates.push(Gate::Input);
        Wire::of(self.gates.len() - 1)
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The results of a block.
    pub(crate) fn block(&mut self, kind: BlockKind, operands: Vec<Wire>) -> Vec<Wire> {
        assert_eq!(operands.len(), kind.n_operands());
        let (block, first) = (self.blocks.len() as u32, self.gates.len());
        self.blocks.push(Block { kind, operands, first });
        self.gates.extend((0..kind.n_results() as u8).map(|result| Gate::Part { block, result }));
        (first..self.gates.len()).map(Wire::of).collect()
    }

    fn add(&mut self, gate: Gate) -> Wire {
        let next = self.gates.len() as u32;
        let node = *self.known.entry(gate).or_insert(next);
        if node == next {
            self.gates.push(gate);
        }
        Wire::of(node as usize)
    }

    pub(crate) fn and(&mut self, left: Wire, right: Wire) -> Wire {
        let (low, high) = if left < right { (left, right) } else { (right, left) };
        match low {
            Wire::FALSE => return Wire::FALSE,
            Wire::TRUE => return high,
            _ if low == high => return low,
            _ if low == !high => return Wire::FALSE,
            _ => {}
        }
        if let Gate::And(inner) = self.gate(high.node())
            && inner.contains(&low)
        {
            // a and (a and b) is a and b; a and not (a and b) is a and not b.
            let other = if inner[0] == low { inner[1] } else { inner[0] };
            return if high.is_negated() { self.and(low, !other) } else { high };
        }
        self.add(Gate::And([low, high]))
    }

    pub(crate) fn or(&mut self, left: Wire, right: Wire) -> Wire {
        !self.and(!left, !right)
    }

    pub(crate) fn all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        wires.into_iter().fold(Wire::TRUE, |all, wire| self.and(all, wire))
    }

    /// `yes` where `choice` is on, `no` elsewhere.
    pub(crate) fn mux(&mut self, choice: Wire, yes: Wire, no: Wire) -> Wire {
        let yes = self.and(choice, yes);
        let no = self.and(!choice, no);
        self.or(yes, no)
    }

    pub(crate) fn xor(&mut self, wires: [Wire; 3]) -> Wire {
        let is_negated = wires.iter().filter(|wire| wire.is_negated()).count() % 2 == 1;
        let mut wires = wires.map(Wire::positive);
        wires.sort_unstable();
        let [a, b, c] = wires;
        let positive = if a == b {
            c
        } else if b == c {
            a
        } else {
            self.add(Gate::Xor(wires))
        };
        positive.negated_if(is_negated)
    }

    pub(crate) fn majority(&mut self, mut wires: [Wire; 3]) -> Wire {
        wires.sort_unstable();
        let [a, b, c] = wires;
        if a == b || a == Wire::FALSE {
            return if a == b { a } else { self.and(b, c) };
        }
        if a == Wire::TRUE {
            return self.or(b, c);
        }
        if b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let is_negated = wires.iter().filter(|wire| wire.is_negated()).count() > 1;
        let mut wires = wires.map(|wire| wire.negated_if(is_negated));
        wires.sort_unstable();
        self.add(Gate::Majority(wires)).negated_if(is_negated)
    }
}
