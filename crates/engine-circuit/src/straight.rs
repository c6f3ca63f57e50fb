//! Straight-line evaluation: every gate is computed, one after the other, without asking what changed; for 64 states at
//! once, each of which is a bit of every word.

use senet_circuit::{Circuit, Step, Wire, steps};

/// Gates with the same number of operands, computed one after the other.
#[derive(Clone, Debug)]
struct Run {
    n_operands: usize,
    n_gates: usize,
    first_slot: usize,
    first_operand: usize,
}

#[derive(Clone, Debug)]
enum Part {
    Runs(Vec<Run>),
    /// Loops begin off; the gates are computed until no loop comes on: the slot of each loop and what it becomes.
    Block {
        runs: Vec<Run>,
        loops: Vec<(usize, u32)>,
    },
}

#[derive(Clone, Debug)]
struct Section {
    parts: Vec<Part>,
    /// What is asked: places in the values.
    outputs: Vec<u32>,
}

/// Gates in order, in sections of which each uses what those before computed. A slot has two words: the value and its
/// negation.
#[derive(Clone, Debug)]
pub(crate) struct Straight {
    /// Nodes of the circuit whose values are given, and their slots.
    given: Vec<(usize, usize)>,
    sections: Vec<Section>,
    operands: Vec<u32>,
    n_slots: usize,
}

impl Straight {
    /// What is needed for some wires, section by section. `is_given` tells of which nodes the value will be given.
    pub(crate) fn new(circuit: &Circuit, asked: &[Vec<Wire>], is_given: impl Fn(usize) -> bool) -> Straight {
        let net = circuit.net();
        let mut builder = Builder {
            circuit,
            slot_of: vec![None; net.len()],
            straight: Straight { given: Vec::new(), sections: Vec::new(), operands: Vec::new(), n_slots: 1 },
        };
        builder.slot_of[0] = Some(0);
        let all = asked.iter().flatten().copied();
        let needed = Needed::new(circuit, all, &is_given);
        for node in (1..net.len()).filter(|&node| needed.is_given[node]) {
            let slot = builder.slot(node);
            builder.straight.given.push((node, slot));
        }
        for section in asked {
            let (steps, blocks) = steps(circuit, section.iter().copied());
            let mut parts = Vec::new();
            let mut gates = Vec::new();
            for step in steps {
                match step {
                    Step::Gate(gate) => gates.push(gate),
                    Step::Block(block) => {
                        let inside = blocks[block].as_ref().map_or(&[][..], |cyclic| &cyclic.gates);
                        let mut loops = circuit.blocks()[block].clone();
                        if !needed.is_computed[net.inputs().a_loop(loops.start)] {
                            gates.extend_from_slice(inside);
                        } else if loops.all(|it| builder.slot_of[net.inputs().a_loop(it)].is_none()) {
                            parts.push(builder.runs(&std::mem::take(&mut gates), &needed));
                            parts.push(builder.block(block, inside, &needed));
                        }
                    }
                }
            }
            parts.push(builder.runs(&gates, &needed));
            let outputs = section.iter().map(|&wire| builder.place(wire)).collect();
            builder.straight.sections.push(Section { parts, outputs });
        }
        builder.straight
    }

    /// Nodes of the circuit whose values are given, and where: a slot for [`set`].
    pub(crate) fn given(&self) -> &[(usize, usize)] {
        &self.given
    }

    /// Values with nothing on.
    pub(crate) fn values(&self) -> Vec<u64> {
        [0, u64::MAX].repeat(self.n_slots)
    }

    /// Computes a section; those before it must have been computed for this state.
    pub(crate) fn compute(&self, section: usize, values: &mut [u64]) {
        for part in &self.sections[section].parts {
            match part {
                Part::Runs(runs) => self.run(runs, values),
                Part::Block { runs, loops } => {
                    loops.iter().for_each(|&(slot, _)| set(values, slot, 0));
                    loop {
                        self.run(runs, values);
                        let mut has_changed = false;
                        for &(slot, becomes) in loops {
                            let to = values[becomes as usize];
                            has_changed |= to != values[2 * slot];
                            set(values, slot, to);
                        }
                        if !has_changed {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// What was asked in a section: a word for each wire.
    pub(crate) fn outputs<'v>(
        &self,
        section: usize,
        values: &'v [u64],
    ) -> impl Iterator<Item = u64> + Clone + use<'v, '_> {
        self.sections[section].outputs.iter().map(|&place| values[place as usize])
    }

    fn run(&self, runs: &[Run], values: &mut [u64]) {
        for run in runs {
            let operands = &self.operands[run.first_operand..][..run.n_gates * run.n_operands];
            match run.n_operands {
                2 => run_of::<2>(operands, run.first_slot, values),
                3 => run_of::<3>(operands, run.first_slot, values),
                4 => run_of::<4>(operands, run.first_slot, values),
                5 => run_of::<5>(operands, run.first_slot, values),
                6 => run_of::<6>(operands, run.first_slot, values),
                n => {
                    for (at, operands) in operands.chunks_exact(n).enumerate() {
                        let value =
                            operands.iter().fold(u64::MAX, |value, &place| value & values[place as usize]);
                        set(values, run.first_slot + at, value);
                    }
                }
            }
        }
    }
}

#[inline]
fn run_of<const N: usize>(operands: &[u32], first_slot: usize, values: &mut [u64]) {
    let (operands, _) = operands.as_chunks::<N>();
    for (at, operands) in operands.iter().enumerate() {
        let value = operands.iter().fold(u64::MAX, |value, &place| value & values[place as usize]);
        set(values, first_slot + at, value);
    }
}

/// Sets the value of a slot.
#[inline]
pub(crate) fn set(values: &mut [u64], slot: usize, value: u64) {
    values[2 * slot..2 * slot + 2].copy_from_slice(&[value, !value]);
}

/// What has to be computed, and what of it is given.
struct Needed {
    is_computed: Vec<bool>,
    is_given: Vec<bool>,
}

impl Needed {
    fn new(circuit: &Circuit, asked: impl Iterator<Item = Wire>, is_given: impl Fn(usize) -> bool) -> Needed {
        let (net, inputs) = (circuit.net(), circuit.net().inputs());
        let block_of = |at: usize| circuit.blocks().iter().find(|loops| loops.contains(&at));
        let mut needed = Needed { is_computed: vec![false; net.len()], is_given: vec![false; net.len()] };
        let mut waiting: Vec<usize> = asked.map(Wire::node).collect();
        while let Some(node) = waiting.pop() {
            if needed.is_computed[node] || needed.is_given[node] || node == 0 {
                continue;
            }
            if is_given(node) {
                needed.is_given[node] = true;
                continue;
            }
            needed.is_computed[node] = true;
            waiting.extend(net.operands(node).iter().map(|wire| wire.node()));
            if let Some(loops) = inputs.loop_at(node).and_then(block_of) {
                waiting.extend(loops.clone().map(|it| inputs.a_loop(it)));
                waiting.extend(loops.clone().map(|it| circuit.loops()[it].node()));
            }
        }
        needed
    }
}

struct Builder<'c> {
    circuit: &'c Circuit,
    slot_of: Vec<Option<usize>>,
    straight: Straight,
}

impl Builder<'_> {
    fn slot(&mut self, node: usize) -> usize {
        let slot = self.straight.n_slots;
        self.straight.n_slots += 1;
        self.slot_of[node] = Some(slot);
        slot
    }

    fn place(&self, wire: Wire) -> u32 {
        let slot = self.slot_of[wire.node()].expect("operands are computed first");
        (2 * slot + usize::from(wire.is_negated())) as u32
    }

    /// The gates in order of depth, those of the same width together.
    fn runs(&mut self, gates: &[usize], needed: &Needed) -> Part {
        let net = self.circuit.net();
        let mut depth_of = vec![0_u32; net.len()];
        let mut keyed = Vec::new();
        for &gate in gates.iter().filter(|&&gate| needed.is_computed[gate] && self.slot_of[gate].is_none()) {
            let depth = net.operands(gate).iter().map(|wire| depth_of[wire.node()]).max().unwrap_or(0) + 1;
            depth_of[gate] = depth;
            keyed.push((depth, net.operands(gate).len(), gate));
        }
        keyed.sort_unstable();
        let mut runs = Vec::new();
        for run in keyed.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
            let (first_slot, first_operand) = (self.straight.n_slots, self.straight.operands.len());
            for &(_, _, gate) in run {
                let places: Vec<u32> = net.operands(gate).iter().map(|&wire| self.place(wire)).collect();
                self.straight.operands.extend(places);
                self.slot(gate);
            }
            runs.push(Run { n_operands: run[0].1, n_gates: run.len(), first_slot, first_operand });
        }
        Part::Runs(runs)
    }

    fn block(&mut self, block: usize, gates: &[usize], needed: &Needed) -> Part {
        let loops = self.circuit.blocks()[block].clone();
        let inputs = self.circuit.net().inputs();
        let slots: Vec<usize> = loops.clone().map(|it| self.slot(inputs.a_loop(it))).collect();
        let Part::Runs(runs) = self.runs(gates, needed) else { unreachable!("runs are made") };
        let becomes = loops.map(|it| self.place(self.circuit.loops()[it]));
        let loops = slots.into_iter().zip(becomes).collect();
        Part::Block { runs, loops }
    }
}
