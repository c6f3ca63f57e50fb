//! The playing net in flat arrays.
//!
//! Gates, then answers, have one number each: the place of their counter and of their bit. The bit of a gate says that it
//! changed and has not been looked at; the bit of an answer is the answer. Both change when the counter of operands
//! that are off reaches or leaves zero, so a gate that changes back costs nothing more.

use crate::monotone::{Touch, touches};
use crate::outputs::Outputs;
use crate::plan::{Part, Plan};
use crate::schedule::{When, schedule};
use senet_circuit::{Circuit, Wire};
use std::ops::Range;

/// What is looked at together.
#[derive(Clone, Debug)]
pub(crate) enum Segment {
    /// The gates of these words.
    Gates(Range<usize>),
    /// A block of loops, by its place in [`EventNet::blocks`].
    Block(usize),
}

/// A block of loops.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The words of its gates.
    pub(crate) gates: Range<usize>,
    /// The words that say what the loops become.
    pub(crate) requests: Range<usize>,
    /// The first of as many words with the loops themselves.
    pub(crate) first_loop_word: usize,
}

/// Gates, and who counts whom. Sources are numbered too: gates by their number, then fluents, moves and loops.
#[derive(Clone, Debug)]
pub(crate) struct EventNet {
    /// By source: where the gates begin that have it as an operand, and one end more.
    pub(crate) first: Vec<u32>,
    /// The gates: twice the number, and one more where the operand is the negation of the source. Those come last.
    pub(crate) fanout: Vec<u32>,
    /// By gate and answer: how many operands are off when all sources are.
    pub(crate) counts: Vec<u8>,
    /// The bits when all sources are off and nothing was looked at.
    pub(crate) bits: Vec<u64>,
    /// By guard, then without a guard: what legal moves and the end need.
    pub(crate) state_segments: Vec<Vec<Segment>>,
    /// By guard, then without a guard: what the next state needs beside that.
    pub(crate) next_segments: Vec<Vec<Segment>>,
    pub(crate) blocks: Vec<Block>,
    /// By source: where its touches begin, and one end more. Empty in a net without blocks.
    pub(crate) first_touch: Vec<u32>,
    pub(crate) touches: Vec<Touch>,
    pub(crate) first_fluent: usize,
    pub(crate) first_move: usize,
    pub(crate) first_loop: usize,
    pub(crate) n_fluents: usize,
    /// Where the answers begin, in words.
    pub(crate) first_answer: usize,
    /// The answers, counted from there.
    pub(crate) outputs: Outputs,
    /// Fluents of which always one holds; may be empty.
    pub(crate) guards: Vec<usize>,
    /// By node of the circuit: its source, if the state tells its value.
    pub(crate) source_of: Vec<Option<u32>>,
}

impl EventNet {
    pub(crate) fn new(circuit: &Circuit) -> EventNet {
        let plan = Plan::new(circuit);
        let inputs = circuit.net().inputs();
        let scheduled = schedule(&plan);
        let mut places = Places { source_of: vec![None; plan.gates.len()], n_words: 0, blocks: Vec::new() };
        let segments: Vec<(When, Segment)> =
            scheduled.iter().map(|(when, part)| (*when, places.take(part, &plan.outputs))).collect();
        let Places { mut source_of, n_words: first_answer, mut blocks } = places;
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

        let first_fluent = 64 * first_answer;
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
        blocks.iter_mut().for_each(|block| {
            block.first_loop_word = block.requests.start - plan.outputs.first_loop;
            block.requests = block.requests.start + first_answer..block.requests.end + first_answer;
        });
        let n_loop_words = plan.outputs.n_words - plan.outputs.first_loop;
        let n_sources = first_loop + 64 * n_loop_words;

        let mut net = EventNet {
            first: Vec::new(),
            fanout: Vec::new(),
            counts: vec![0; 64 * (first_answer + plan.outputs.n_words)],
            bits: vec![0; first_answer + plan.outputs.n_words],
            state_segments: segments_for(false),
            next_segments: segments_for(true),
            blocks,
            first_touch: Vec::new(),
            touches: Vec::new(),
            first_fluent,
            first_move,
            first_loop,
            n_fluents: inputs.n_fluents,
            first_answer,
            outputs: plan.outputs.clone(),
            guards: plan.guards.clone(),
            source_of: Vec::new(),
        };
        net.connect(&plan, &scheduled, &source_of, n_sources);
        (net.first_touch, net.touches) = touches(circuit, &plan, &scheduled, &source_of, n_sources);
        let always_known = net.always_known();
        let is_of_state = |source: u32| {
            (first_fluent..first_move).contains(&(source as usize))
                || always_known.iter().any(|sources| sources.contains(&(source as usize)))
        };
        source_of.truncate(circuit.net().len());
        net.source_of = source_of.into_iter().map(|source| source.filter(|&it| is_of_state(it))).collect();
        net
    }

    /// The sources beside fluents that the state tells under every guard: gates and loops.
    fn always_known(&self) -> Vec<Range<usize>> {
        let mut known = Vec::new();
        for segment in self.state_segments.last().into_iter().flatten() {
            match segment {
                Segment::Gates(words) => known.push(64 * words.start..64 * words.end),
                Segment::Block(block) => {
                    let block = &self.blocks[*block];
                    let first = self.first_loop + 64 * block.first_loop_word;
                    known.push(64 * block.gates.start..64 * block.gates.end);
                    known.push(first..first + 64 * block.requests.len());
                }
            }
        }
        known
    }

    fn connect(
        &mut self,
        plan: &Plan,
        scheduled: &[(When, Part)],
        source_of: &[Option<u32>],
        n_sources: usize,
    ) {
        let first_answer = 64 * self.first_answer;
        let gates = scheduled.iter().flat_map(|(_, part)| {
            let (Part::Gates(gates) | Part::Block { gates, .. }) = part;
            gates.iter().map(|&gate| {
                let number = source_of[gate].expect("gates have places");
                (number, &plan.gates[gate])
            })
        });
        let sinks = plan.sinks.iter().map(|sink| ((first_answer + sink.bit) as u32, &sink.operands));
        let counted: Vec<(u32, &Vec<Wire>)> = gates.chain(sinks).collect();
        let list_of = |wire: &Wire| source_of[wire.node()].expect("operands have places") as usize;
        let mut first = vec![0_u32; n_sources + 2];
        for wire in counted.iter().flat_map(|(_, operands)| operands.iter()) {
            first[list_of(wire) + 2] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        self.fanout = vec![0; *first.last().expect("there is an end") as usize];
        for &(number, operands) in &counted {
            for wire in operands {
                let place = &mut first[list_of(wire) + 1];
                self.fanout[*place as usize] = 2 * number + u32::from(wire.is_negated());
                *place += 1;
            }
            let n_off = operands.iter().filter(|wire| !wire.is_negated()).count();
            self.counts[number as usize] = n_off as u8;
            // All gates count as off before they are looked at.
            self.bits[number as usize / 64] ^= u64::from(n_off == 0) << (number % 64);
        }
        first.pop();
        for list in first.windows(2) {
            let list = &mut self.fanout[list[0] as usize..list[1] as usize];
            list.sort_unstable_by_key(|entry| (entry & 1, *entry));
        }
        self.first = first;
        let negated = plan.sinks.iter().filter(|sink| sink.is_negated).map(|sink| sink.bit);
        for bit in negated.chain(plan.always.iter().copied()) {
            self.bits[self.first_answer + bit / 64] ^= 1 << (bit % 64);
        }
    }
}

/// Gives gates their numbers. Each part begins with a word of its own.
struct Places {
    source_of: Vec<Option<u32>>,
    n_words: usize,
    blocks: Vec<Block>,
}

impl Places {
    fn take(&mut self, part: &Part, outputs: &Outputs) -> Segment {
        let (Part::Gates(gates) | Part::Block { gates, .. }) = part;
        let first = self.n_words;
        for (at, &gate) in gates.iter().enumerate() {
            self.source_of[gate] = Some((64 * first + at) as u32);
        }
        self.n_words += gates.len().div_ceil(64);
        let words = first..self.n_words;
        match part {
            Part::Gates(_) => Segment::Gates(words),
            Part::Block { block, .. } => {
                let requests = outputs.blocks[*block].clone();
                self.blocks.push(Block { gates: words, requests, first_loop_word: 0 });
                Segment::Block(self.blocks.len() - 1)
            }
        }
    }
}
