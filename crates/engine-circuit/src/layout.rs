//! The numbers of gates and sources: what both kinds of nets have in common.
//!
//! Gates, then answers, have one number each: the place of their counter. Gates that are looked at together fill units
//! of a fixed size. Sources are numbered too: gates by their number, then fluents, moves and loops.

use crate::outputs::Outputs;
use crate::plan::{Part, Plan};
use crate::schedule::{When, schedule};
use senet_circuit::{Circuit, Wire};
use std::cmp::Reverse;
use std::ops::Range;

/// How gates are packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    /// How many gates a unit has.
    pub(crate) unit: usize,
    /// Whether no gate of a unit is an operand of another.
    pub(crate) is_independent: bool,
}

/// What is looked at together.
#[derive(Clone, Debug)]
pub(crate) enum Segment {
    /// The gates of these units.
    Gates(Range<usize>),
    /// A block of loops, by its place in [`Layout::blocks`].
    Block(usize),
}

/// A block of loops.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The units of its gates.
    pub(crate) gates: Range<usize>,
    /// The words of answers that say what the loops become.
    pub(crate) requests: Range<usize>,
    /// The first of as many words with the loops themselves.
    pub(crate) first_loop_word: usize,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// By guard, then without a guard: what legal moves and the end need.
    pub(crate) state_segments: Vec<Vec<Segment>>,
    /// By guard, then without a guard: what the next state needs beside that.
    pub(crate) next_segments: Vec<Vec<Segment>>,
    pub(crate) blocks: Vec<Block>,
    /// The number of the first answer: as many gates have places before it.
    pub(crate) first_answer: usize,
    /// Gates and answers with places that are not used.
    pub(crate) n_counters: usize,
    pub(crate) first_fluent: usize,
    pub(crate) first_move: usize,
    pub(crate) first_loop: usize,
    pub(crate) n_sources: usize,
    pub(crate) n_fluents: usize,
    pub(crate) n_loop_words: usize,
    /// The answers, in words of 64 counted from the first.
    pub(crate) outputs: Outputs,
    /// Fluents of which always one holds; may be empty.
    pub(crate) guards: Vec<usize>,
}

/// A gate or an answer: its number and its operands, which are sources with a mark for negation.
pub(crate) struct Counted {
    pub(crate) number: usize,
    pub(crate) operands: Vec<(usize, bool)>,
}

impl Counted {
    /// How many operands are off when all sources are.
    pub(crate) fn n_off(&self) -> usize {
        self.operands.iter().filter(|(_, is_negated)| !is_negated).count()
    }
}

/// A net before it has its form.
pub(crate) struct Laid {
    pub(crate) layout: Layout,
    pub(crate) counted: Vec<Counted>,
    /// Answers, by number, that are the negation of the conjunction, or on without any.
    pub(crate) inverted: Vec<usize>,
    pub(crate) plan: Plan,
    pub(crate) scheduled: Vec<(When, Part)>,
    /// By node of the plan.
    pub(crate) source_of: Vec<Option<u32>>,
}

impl Laid {
    pub(crate) fn new(circuit: &Circuit, packing: Packing) -> Laid {
        let plan = Plan::new(circuit);
        let inputs = circuit.net().inputs();
        let scheduled = schedule(&plan);
        let mut places = Places {
            packing,
            plan: &plan,
            source_of: vec![None; plan.gates.len()],
            n_units: 0,
            blocks: Vec::new(),
        };
        let segments: Vec<(When, Segment)> =
            scheduled.iter().map(|(when, part)| (*when, places.take(part))).collect();
        let Places { mut source_of, n_units, blocks, .. } = places;
        let segments_for = |is_for_next: bool| {
            let guards = (0..plan.guards.len()).map(Some).chain([None]);
            let of = |guard: Option<usize>| {
                let here = segments.iter().filter(|(when, _)| {
                    when.is_for_next == is_for_next && (when.guard.is_none() || when.guard == guard)
                });
                here.map(|(_, segment)| segment.clone()).collect()
            };
            guards.map(of).collect::<Vec<Vec<Segment>>>()
        };
        let first_answer = packing.unit * n_units;
        let first_fluent = first_answer;
        let first_move = first_fluent + inputs.n_fluents;
        let first_loop = first_move + inputs.n_moves;
        let fluents = (0..inputs.n_fluents).map(|at| (inputs.fluent(at), first_fluent + at));
        let moves = (0..inputs.n_moves).map(|at| (inputs.a_move(at), first_move + at));
        let loops = circuit.blocks().iter().zip(&plan.outputs.blocks).flat_map(|(loops, words)| {
            let first = first_loop + 64 * (words.start - plan.outputs.first_loop);
            loops.clone().enumerate().map(move |(at, of)| (inputs.a_loop(of), first + at))
        });
        for (node, source) in fluents.chain(moves).chain(loops) {
            source_of[node] = Some(source as u32);
        }
        let n_loop_words = plan.outputs.n_words - plan.outputs.first_loop;
        let layout = Layout {
            state_segments: segments_for(false),
            next_segments: segments_for(true),
            blocks,
            first_answer,
            n_counters: first_answer + 64 * plan.outputs.n_words,
            first_fluent,
            first_move,
            first_loop,
            n_sources: first_loop + 64 * n_loop_words,
            n_fluents: inputs.n_fluents,
            n_loop_words,
            outputs: plan.outputs.clone(),
            guards: plan.guards.clone(),
        };
        let negated = plan.sinks.iter().filter(|sink| sink.is_negated).map(|sink| sink.bit);
        let inverted = negated.chain(plan.always.iter().copied()).map(|bit| first_answer + bit).collect();
        let counted = counted(&plan, &scheduled, &source_of, first_answer);
        Laid { layout, counted, inverted, plan, scheduled, source_of }
    }
}

fn counted(
    plan: &Plan,
    scheduled: &[(When, Part)],
    source_of: &[Option<u32>],
    first_answer: usize,
) -> Vec<Counted> {
    let source = |node: usize| source_of[node].expect("operands come before gates") as usize;
    let counted = |number: usize, operands: &[Wire]| Counted {
        number,
        operands: operands.iter().map(|wire| (source(wire.node()), wire.is_negated())).collect(),
    };
    let gates = scheduled.iter().flat_map(|(_, part)| {
        let (Part::Gates(gates) | Part::Block { gates, .. }) = part;
        gates.iter().map(|&gate| counted(source(gate), &plan.gates[gate]))
    });
    let sinks = plan.sinks.iter().map(|sink| counted(first_answer + sink.bit, &sink.operands));
    gates.chain(sinks).collect()
}

/// Gives gates their numbers. Each part begins with 64 numbers of its own.
struct Places<'p> {
    packing: Packing,
    plan: &'p Plan,
    source_of: Vec<Option<u32>>,
    n_units: usize,
    blocks: Vec<Block>,
}

impl Places<'_> {
    fn take(&mut self, part: &Part) -> Segment {
        let (Part::Gates(gates) | Part::Block { gates, .. }) = part;
        let first = self.n_units;
        self.fill_units(gates);
        let units = first..self.n_units;
        self.n_units = self.n_units.next_multiple_of(64 / self.packing.unit);
        match part {
            Part::Gates(_) => Segment::Gates(units),
            Part::Block { block, .. } => {
                let requests = self.plan.outputs.blocks[*block].clone();
                let first_loop_word = requests.start - self.plan.outputs.first_loop;
                self.blocks.push(Block { gates: units, requests, first_loop_word });
                Segment::Block(self.blocks.len() - 1)
            }
        }
    }

    fn fill_units(&mut self, gates: &[usize]) {
        let Packing { unit, is_independent } = self.packing;
        let ordered = if is_independent { by_depth(self.plan, gates) } else { gates.to_vec() };
        let mut free = Range::<usize>::default();
        for gate in ordered {
            let is_here = |wire: &Wire| {
                self.source_of[wire.node()].is_some_and(|number| number as usize / unit + 1 == self.n_units)
            };
            if free.is_empty() || is_independent && self.plan.gates[gate].iter().any(is_here) {
                free = unit * self.n_units..unit * (self.n_units + 1);
                self.n_units += 1;
            }
            self.source_of[gate] = free.next().map(|number| number as u32);
        }
    }
}

/// The gates so that those of the same depth follow each other, and among them those with the same operands: first the
/// operands that most gates have.
fn by_depth(plan: &Plan, gates: &[usize]) -> Vec<usize> {
    let mut depth_of = vec![0_u32; plan.gates.len()];
    let mut n_uses = vec![0_u32; plan.gates.len()];
    for &gate in gates {
        for wire in &plan.gates[gate] {
            depth_of[gate] = depth_of[gate].max(depth_of[wire.node()] + 1);
            n_uses[wire.node()] += 1;
        }
    }
    let operands = |gate: usize| {
        let mut nodes: Vec<_> =
            plan.gates[gate].iter().map(|wire| (Reverse(n_uses[wire.node()]), wire.node())).collect();
        nodes.sort_unstable();
        nodes
    };
    let mut ordered = gates.to_vec();
    ordered.sort_by_cached_key(|&gate| (depth_of[gate], operands(gate)));
    ordered
}
