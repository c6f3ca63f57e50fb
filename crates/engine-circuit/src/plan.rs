//! The playing net before it is laid out: which gates are counted, in which order, and what they answer.

use crate::guard::Guards;
use crate::inline::inline;
use crate::outputs::Outputs;
use crate::specialise::Specialiser;
use rustc_hash::FxHashMap;
use senet_circuit::{Circuit, Step, Wire, steps};

/// Counters are bytes.
const WIDEST: usize = 250;

/// Gates that are computed together.
pub(crate) enum Part {
    /// In order, each after its operands.
    Gates(Vec<usize>),
    /// A block of loops and the gates between them, in order.
    Block { block: usize, gates: Vec<usize> },
}

/// A gate that is an answer: it changes a bit instead of other gates.
pub(crate) struct Sink {
    /// The place of the bit among the answers.
    pub(crate) bit: usize,
    pub(crate) operands: Vec<Wire>,
    /// Whether the answer is the negation of the conjunction.
    pub(crate) is_negated: bool,
    pub(crate) needed_by: NeededBy,
}

/// When an answer is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NeededBy {
    /// To know the end or legal moves; under one guard, or always.
    State(Option<usize>),
    /// To know the next state; under one guard, or always.
    Next(Option<usize>),
    /// For the loops of a block.
    Block(usize),
}

/// The playing net: all but the goals.
pub(crate) struct Plan {
    /// By node: its operands. The nodes of the circuit come first, with other operands where gates were joined.
    pub(crate) gates: Vec<Vec<Wire>>,
    /// All gates in order.
    pub(crate) parts: Vec<Part>,
    pub(crate) sinks: Vec<Sink>,
    /// Answers that are always on.
    pub(crate) always: Vec<usize>,
    pub(crate) outputs: Outputs,
    pub(crate) guards: Vec<usize>,
    /// By node that is a loop: its block.
    pub(crate) block_of: FxHashMap<usize, usize>,
}

impl Plan {
    pub(crate) fn new(circuit: &Circuit) -> Plan {
        let guards = Guards::new(circuit);
        let mut plan = Plan {
            gates: Vec::new(),
            parts: parts(circuit),
            sinks: Vec::new(),
            always: Vec::new(),
            outputs: Outputs::new(circuit, &guards),
            guards: guards.members.clone(),
            block_of: FxHashMap::default(),
        };
        plan.add_sink(64 * plan.outputs.terminal, circuit.terminal(), NeededBy::State(None));
        plan.add_loops(circuit);
        plan.specialise(circuit, &guards);
        inline(&mut plan);
        plan.split_wide_gates();
        plan
    }

    fn add_loops(&mut self, circuit: &Circuit) {
        let blocks = self.parts.iter().filter_map(|part| match part {
            Part::Block { block, .. } => Some(*block),
            Part::Gates(_) => None,
        });
        for block in blocks.collect::<Vec<_>>() {
            for (at, loop_at) in circuit.blocks()[block].clone().enumerate() {
                let bit = 64 * self.outputs.blocks[block].start + at;
                self.block_of.insert(circuit.net().inputs().a_loop(loop_at), block);
                self.add_sink(bit, circuit.loops()[loop_at], NeededBy::Block(block));
            }
        }
    }

    /// Legal moves and the next state, for each guard apart where it matters.
    fn specialise(&mut self, circuit: &Circuit, guards: &Guards) {
        let n_nodes = circuit.net().len();
        let order = self.parts.iter().filter_map(|part| match part {
            Part::Gates(gates) => Some(gates),
            Part::Block { .. } => None,
        });
        let order: Vec<usize> = order.flatten().copied().collect();
        let mut specialiser = Specialiser::new(circuit);
        let by_guard = (0..guards.members.len()).map(|guard| {
            let known = guards.known(circuit, guard);
            specialiser.specialise(&order, &known, n_nodes)
        });
        let by_guard: Vec<Vec<Wire>> = by_guard.collect();
        self.gates = specialiser.gates;
        self.parts.push(Part::Gates((n_nodes..self.gates.len()).collect()));

        let under = |guard: usize, wire: Wire| by_guard[guard][wire.node()].negated_if(wire.is_negated());
        for (role, moves) in circuit.signature().moves_of.iter().enumerate() {
            for (at, &wire) in circuit.legal()[moves.clone()].iter().enumerate() {
                let words = self.outputs.legal[role].clone();
                if let Some(guard) = guards.of(wire) {
                    let (bit, wire) = (64 * words.guarded[guard] + at, under(guard, wire));
                    self.add_sink(bit, wire, NeededBy::State(Some(guard)));
                } else if !guards.is_exactly_one || (0..by_guard.len()).all(|it| under(it, wire) == wire) {
                    self.add_sink(64 * words.free + at, wire, NeededBy::State(None));
                } else {
                    for (guard, first) in words.guarded.iter().enumerate() {
                        let wire = under(guard, wire);
                        self.add_sink(64 * first + at, wire, NeededBy::State(Some(guard)));
                    }
                }
            }
        }
        for (at, &wire) in circuit.next().iter().enumerate() {
            if guards.is_exactly_one {
                for guard in 0..by_guard.len() {
                    let bit = 64 * self.outputs.next[guard] + at;
                    self.add_sink(bit, under(guard, wire), NeededBy::Next(Some(guard)));
                }
            } else {
                self.add_sink(64 * self.outputs.next[0] + at, wire, NeededBy::Next(None));
            }
        }
    }

    fn add_sink(&mut self, bit: usize, wire: Wire, needed_by: NeededBy) {
        match wire {
            Wire::FALSE => {}
            Wire::TRUE => self.always.push(bit),
            _ => self.sinks.push(Sink {
                bit,
                operands: vec![wire.positive()],
                is_negated: wire.is_negated(),
                needed_by,
            }),
        }
    }

    fn split_wide_gates(&mut self) {
        for part in &mut self.parts {
            let (Part::Gates(of_part) | Part::Block { gates: of_part, .. }) = part;
            let before = std::mem::take(of_part);
            for gate in before {
                let mut operands = std::mem::take(&mut self.gates[gate]);
                split(&mut self.gates, &mut operands, of_part);
                self.gates[gate] = operands;
                of_part.push(gate);
            }
        }
        for sink in &mut self.sinks {
            let mut added = Vec::new();
            split(&mut self.gates, &mut sink.operands, &mut added);
            let of_block = |part: &&mut Part| match part {
                Part::Block { block, .. } => NeededBy::Block(*block) == sink.needed_by,
                Part::Gates(_) => false,
            };
            match self.parts.iter_mut().find(of_block) {
                Some(Part::Block { gates, .. }) => gates.append(&mut added),
                _ if added.is_empty() => {}
                _ => self.parts.push(Part::Gates(added)),
            }
        }
    }
}

/// Makes gates of the operands until they fit into one.
fn split(gates: &mut Vec<Vec<Wire>>, operands: &mut Vec<Wire>, added: &mut Vec<usize>) {
    while operands.len() > WIDEST {
        let parts = operands.chunks(WIDEST).map(|chunk| {
            if let [only] = chunk {
                return *only;
            }
            gates.push(chunk.to_vec());
            added.push(gates.len() - 1);
            Wire::of(gates.len() - 1)
        });
        *operands = parts.collect();
    }
}

/// What moves, the end and the next state need, in order.
fn parts(circuit: &Circuit) -> Vec<Part> {
    let asked = circuit.legal().iter().copied().chain([circuit.terminal()]);
    let (steps, blocks) = steps(circuit, asked.chain(circuit.next().iter().copied()));
    let mut parts: Vec<Part> = Vec::new();
    for step in steps {
        match (step, parts.last_mut()) {
            (Step::Gate(gate), Some(Part::Gates(gates))) => gates.push(gate),
            (Step::Gate(gate), _) => parts.push(Part::Gates(vec![gate])),
            (Step::Block(block), _) => {
                let gates = blocks[block].as_ref().map_or_else(Vec::new, |cyclic| cyclic.gates.clone());
                parts.push(Part::Block { block, gates });
            }
        }
    }
    parts
}
