//! Operations on values, before they have slots: which are computed in which part of a step.

use crate::cover::Cover;
use crate::logic::{Gate, Logic};
use crate::network::Network;
use crate::shape::{Shape, VARIABLES, grows_with, negate_operand};
use rustc_hash::{FxHashMap, FxHashSet};
use senet_circuit::Wire;
use smallvec::SmallVec;

/// The parts of a step.
pub(crate) const TERMINAL: usize = 0;
pub(crate) const GOAL: usize = 1;
pub(crate) const LEGAL: usize = 2;
pub(crate) const NEXT: usize = 3;

/// An operation whose results are new values.
#[derive(Clone, Debug)]
pub(crate) struct ValueOperation {
    pub(crate) shape: Shape,
    pub(crate) operands: SmallVec<[u32; 4]>,
    pub(crate) results: SmallVec<[ValueResult; 1]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueResult {
    pub(crate) value: u32,
    /// The fluent that takes the value in the next state.
    pub(crate) next_fluent: Option<u32>,
}

/// Values and how they are computed. The first values are those from outside: fluents, moves, ranks, loops.
pub(crate) struct Flow {
    pub(crate) n_values: usize,
    pub(crate) n_given: usize,
    /// Operations by part, operands first.
    pub(crate) parts: [Vec<ValueOperation>; 4],
    pub(crate) terminal: u32,
    pub(crate) stuck: u32,
    pub(crate) legal: Vec<u32>,
    pub(crate) last_ranks: Vec<Vec<u32>>,
    pub(crate) goals: Vec<Vec<(Option<u8>, u32)>>,
    /// By loop: its value, and what it becomes. Those that nothing needs are left out.
    pub(crate) loops: Vec<(u32, u32)>,
    pub(crate) fluents: Vec<u32>,
    pub(crate) moves: Vec<u32>,
    pub(crate) ranks: Vec<Vec<u32>>,
    pub(crate) restarts_first: bool,
}

impl Flow {
    /// Values that are asked from outside.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = u32> + '_ {
        let goals = self.goals.iter().flatten().map(|&(_, value)| value);
        let ranks = self.last_ranks.iter().flatten();
        goals.chain(self.legal.iter().chain(ranks).copied()).chain([self.terminal, self.stuck])
    }
}

/// Distributes the operations that compute a network over the parts of a step.
pub(crate) fn distribute(network: &Network, cover: &Cover) -> Flow {
    let logic = &network.logic;
    let loops = &network.loops;
    let nodes = |wires: &mut dyn Iterator<Item = Wire>| wires.map(|wire| wire.node()).collect::<Vec<_>>();
    let roots = [
        nodes(&mut [network.terminal].into_iter()),
        nodes(&mut network.goals.iter().flatten().map(|&(_, wire)| wire)),
        nodes(
            &mut network
                .legal
                .iter()
                .copied()
                .chain(network.last_ranks.iter().flatten().copied())
                .chain([network.stuck]),
        ),
        nodes(&mut network.next.iter().copied()),
    ];
    let is_computed = |node: usize| is_computed(logic, cover, node);
    let cones: Vec<Vec<bool>> = roots.iter().map(|roots| cone(logic, cover, loops, roots)).collect();
    let n_shared = (0..logic.len())
        .filter(|&node| {
            is_computed(node) && cones[TERMINAL][node] && (cones[LEGAL][node] || cones[NEXT][node])
        })
        .count();
    let in_step = |node: usize| [TERMINAL, LEGAL, NEXT].iter().any(|&part| cones[part][node]);
    let n_all = (0..logic.len()).filter(|&node| is_computed(node) && in_step(node)).count();
    /// So much more may be computed twice to spare the step in which a lane notices that its match is over.
    const MOST_COMPUTED_TWICE: f64 = 0.02;
    let restarts_first = n_shared as f64 <= MOST_COMPUTED_TWICE * n_all as f64;

    let part_of = |node: usize| {
        let in_part = |part: usize| cones[part][node];
        let late = if in_part(LEGAL) { Some(LEGAL) } else { in_part(NEXT).then_some(NEXT) };
        let goal = in_part(GOAL).then_some(GOAL);
        match (in_part(TERMINAL), restarts_first) {
            (true, true) => Parts { first: Some(TERMINAL), again: late },
            (false, true) => Parts { first: goal, again: late },
            (true, false) => Parts { first: Some(TERMINAL), again: None },
            // Goals are not computed in every step.
            (false, false) if goal.is_some() && late.is_some() => {
                Parts { first: Some(TERMINAL), again: None }
            }
            (false, false) => Parts { first: goal.or(late), again: None },
        }
    };
    let mut maker = Maker::new(network, cover, (0..logic.len()).map(part_of).collect(), restarts_first);
    (0..logic.len()).filter(|&node| is_computed(node)).for_each(|node| maker.compute(node));
    maker.finish()
}

/// Whether a node is computed by an operation of its own, or is the first result of a block.
fn is_computed(logic: &Logic, cover: &Cover, node: usize) -> bool {
    cover.operation(node).is_some() || matches!(logic.gate(node), Gate::Part { result: 0, .. })
}

/// In which part of a step a node is computed, and in which once more, for the state after the restart.
#[derive(Clone, Copy, Debug)]
struct Parts {
    first: Option<usize>,
    again: Option<usize>,
}

/// The nodes that are computed for some others, loops with what they become.
fn cone(logic: &Logic, cover: &Cover, loops: &[(Wire, Wire)], roots: &[usize]) -> Vec<bool> {
    let becomes: FxHashMap<usize, usize> =
        loops.iter().map(|(value, new)| (value.node(), new.node())).collect();
    let mut is_in = vec![false; logic.len()];
    let mut waiting = roots.to_vec();
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut is_in[node], true) {
            if let Some(cut) = cover.operation(node) {
                waiting.extend(cut.leaves().iter().map(|&leaf| leaf as usize));
            } else if let Gate::Part { block, .. } = logic.gate(node) {
                let block = &logic.blocks()[block as usize];
                waiting.extend(block.operands.iter().map(|wire| wire.node()));
                waiting.extend(block.first..block.first + block.kind.n_results());
            }
            waiting.extend(becomes.get(&node));
        }
    }
    is_in
}

struct Maker<'n> {
    network: &'n Network,
    cover: &'n Cover,
    parts_of: Vec<Parts>,
    restarts_first: bool,
    /// By node: its value in the first two parts, and in the last two.
    value: [Vec<Option<u32>>; 2],
    /// By node: whether its value is kept negated.
    is_negated: Vec<bool>,
    parts: [Vec<ValueOperation>; 4],
    n_values: u32,
    n_given: usize,
    fluents: Vec<u32>,
    moves: Vec<u32>,
    ranks: Vec<Vec<u32>>,
    loop_values: [Vec<u32>; 2],
    /// By value and part: its negation.
    negations: FxHashMap<(u32, usize), u32>,
}

impl<'n> Maker<'n> {
    fn new(network: &'n Network, cover: &'n Cover, parts_of: Vec<Parts>, restarts_first: bool) -> Maker<'n> {
        let n_nodes = network.logic.len();
        let mut maker = Maker {
            network,
            cover,
            parts_of,
            restarts_first,
            value: [vec![None; n_nodes], vec![None; n_nodes]],
            is_negated: vec![false; n_nodes],
            parts: Default::default(),
            n_values: 0,
            n_given: 0,
            fluents: Vec::new(),
            moves: Vec::new(),
            ranks: Vec::new(),
            loop_values: Default::default(),
            negations: FxHashMap::default(),
        };
        maker.fluents = maker.given(&network.fluents);
        maker.moves = maker.given(&network.moves);
        maker.ranks = network.ranks.iter().map(|rank| maker.given(rank)).collect();
        let loops: Vec<Wire> = network.loops.iter().map(|&(value, _)| value).collect();
        let again = maker.given(&loops);
        let first =
            if restarts_first { loops.iter().map(|_| maker.new_value()).collect() } else { again.clone() };
        loops.iter().zip(&first).for_each(|(wire, &value)| maker.value[0][wire.node()] = Some(value));
        maker.loop_values = [first, again];
        maker.n_given = maker.n_values as usize;
        maker.choose_signs();
        maker
    }

    fn given(&mut self, wires: &[Wire]) -> Vec<u32> {
        wires
            .iter()
            .map(|wire| {
                let value = self.new_value();
                self.value.iter_mut().for_each(|values| values[wire.node()] = Some(value));
                value
            })
            .collect()
    }

    fn new_value(&mut self) -> u32 {
        self.n_values += 1;
        self.n_values - 1
    }

    /// Nodes of which only the negation is asked from outside are kept negated. A node that one operation alone reads is
    /// kept so that what that operation keeps grows with it: chains of operations then have the same table throughout.
    fn choose_signs(&mut self) {
        let n_nodes = self.is_negated.len();
        let mut asked = vec![[false; 2]; n_nodes];
        let outputs = self.network.outputs();
        outputs.iter().for_each(|wire| asked[wire.node()][usize::from(wire.is_negated())] = true);
        let mut readers: Vec<(u32, u32)> = vec![(0, 0); n_nodes];
        for node in 0..n_nodes {
            if let Some(cut) = self.cover.operation(node) {
                let leaves = cut.leaves().iter().zip(0..);
                leaves.for_each(|(&leaf, at)| readers[leaf as usize] = (node as u32, at));
            }
        }
        for node in (0..n_nodes).filter(|&node| self.cover.operation(node).is_some()).rev() {
            let [plain, negated] = asked[node];
            self.is_negated[node] = if plain || negated {
                negated && !plain
            } else {
                let (reader, at) = readers[node];
                self.cover.n_uses(node) == 1 && self.shrinks_with(reader as usize, at as usize)
            };
        }
    }

    /// Whether the value that is kept of a node shrinks where a leaf grows.
    fn shrinks_with(&self, node: usize, leaf: usize) -> bool {
        let cut = self.cover.operation(node).expect("it reads the leaf");
        grows_with(if self.is_negated[node] { cut.table } else { !cut.table }, leaf)
    }

    fn compute(&mut self, node: usize) {
        let Parts { first, again } = self.parts_of[node];
        for (time, part) in [(0, first), (1, again)] {
            let Some(part) = part else { continue };
            let values = match self.network.logic.gate(node) {
                Gate::Part { block, .. } => self.block(block as usize, part, time),
                _ => SmallVec::from_elem(self.operation(node, part, time), 1),
            };
            for (at, value) in values.into_iter().enumerate() {
                self.value[time][node + at] = Some(value);
                if !self.restarts_first {
                    self.value[1][node + at] = Some(value);
                }
            }
        }
    }

    fn operation(&mut self, node: usize, part: usize, time: usize) -> u32 {
        let cut = self.cover.operation(node).expect("only what is computed");
        let mut table = cut.table;
        let mut operands = SmallVec::new();
        for (at, &leaf) in cut.leaves().iter().enumerate() {
            if self.is_negated[leaf as usize] {
                table = negate_operand(table, at);
            }
            operands.push(self.value[time][leaf as usize].expect("operands come first"));
        }
        if self.is_negated[node] {
            table = !table;
        }
        self.push(part, Shape::Table(table), operands)[0]
    }

    fn block(&mut self, block: usize, part: usize, time: usize) -> SmallVec<[u32; 1]> {
        let block = &self.network.logic.blocks()[block];
        let operands = block.operands.iter().map(|&wire| self.wire(wire, part, time)).collect();
        self.push(part, Shape::Block(block.kind), operands)
    }

    /// The value of a wire; where it is kept the other way round, is constant or from outside and negated, it is computed.
    fn output(&mut self, wire: Wire, part: usize) -> u32 {
        self.wire(wire, part, usize::from(part >= LEGAL))
    }

    fn wire(&mut self, wire: Wire, part: usize, time: usize) -> u32 {
        if wire.node() == 0 {
            let table = if wire.is_negated() { 255 } else { 0 };
            return self.push(part, Shape::Table(table), SmallVec::new())[0];
        }
        let value = self.value[time][wire.node()].expect("outputs are computed");
        if wire.is_negated() == self.is_negated[wire.node()] {
            return value;
        }
        // Goals are not computed in every step; whatever comes after legal moves is.
        let known = [part, if part == NEXT { LEGAL } else { part }];
        if let Some(&negated) = known.iter().find_map(|&part| self.negations.get(&(value, part))) {
            return negated;
        }
        let negated = self.push(part, Shape::Table(!VARIABLES[0]), SmallVec::from_elem(value, 1))[0];
        self.negations.insert((value, part), negated);
        negated
    }

    fn copy(&mut self, part: usize, value: u32) -> u32 {
        self.push(part, Shape::Table(VARIABLES[0]), SmallVec::from_elem(value, 1))[0]
    }

    fn push(&mut self, part: usize, shape: Shape, operands: SmallVec<[u32; 4]>) -> SmallVec<[u32; 1]> {
        let values: SmallVec<[u32; 1]> = (0..shape.n_results()).map(|_| self.new_value()).collect();
        let results = values.iter().map(|&value| ValueResult { value, next_fluent: None }).collect();
        self.parts[part].push(ValueOperation { shape, operands, results });
        values
    }

    fn finish(mut self) -> Flow {
        let network = self.network;
        let terminal = self.output(network.terminal, TERMINAL);
        let goals = network.goals.iter().map(|goals| {
            goals.iter().map(|&(value, wire)| (value, self.output(wire, GOAL))).collect::<Vec<_>>()
        });
        let goals = goals.collect();
        let legal = network.legal.iter().map(|&wire| self.output(wire, LEGAL)).collect();
        let last_ranks = network
            .last_ranks
            .iter()
            .map(|rank| rank.iter().map(|&wire| self.output(wire, LEGAL)).collect())
            .collect();
        let stuck = self.output(network.stuck, LEGAL);
        let next: Vec<u32> = network.next.iter().map(|&wire| self.output(wire, NEXT)).collect();
        let loops = self.used_loops();
        self.assign_next(&next);
        Flow {
            n_values: self.n_values as usize,
            n_given: self.n_given,
            terminal,
            stuck,
            legal,
            last_ranks,
            goals,
            loops,
            fluents: self.fluents,
            moves: self.moves,
            ranks: self.ranks,
            parts: self.parts,
            restarts_first: self.restarts_first,
        }
    }

    /// Says which operation gives each fluent its next value; one that is shared, or computed early, is copied.
    fn assign_next(&mut self, next: &[u32]) {
        let mut producer: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        for (at, operation) in self.parts[NEXT].iter().enumerate() {
            let results = operation.results.iter().enumerate();
            producer.extend(results.map(|(place, result)| (result.value, (at, place))));
        }
        for (fluent, &value) in next.iter().enumerate() {
            if value == self.fluents[fluent] {
                continue;
            }
            let is_free =
                |&(at, place): &(usize, usize)| self.parts[NEXT][at].results[place].next_fluent.is_none();
            let (at, place) = producer.get(&value).copied().filter(is_free).unwrap_or_else(|| {
                self.copy(NEXT, value);
                (self.parts[NEXT].len() - 1, 0)
            });
            self.parts[NEXT][at].results[place].next_fluent = Some(fluent as u32);
        }
    }

    fn used_loops(&mut self) -> Vec<(u32, u32)> {
        let mut used = Vec::new();
        let results_of =
            |part: &Vec<ValueOperation>| part.iter().flat_map(|it| &it.results).map(|it| it.value).collect();
        let results: Vec<FxHashSet<u32>> = self.parts.iter().map(results_of).collect();
        for (at, &(value, new)) in self.network.loops.iter().enumerate() {
            let Parts { first, again } = self.parts_of[value.node()];
            for (time, part) in [(0, first), (1, again)] {
                if let Some(part) = part {
                    let n_before = self.n_values;
                    let mut becomes = self.wire(new, part, time);
                    if becomes < n_before && !results[part].contains(&becomes) {
                        becomes = self.copy(part, becomes);
                    }
                    used.push((self.loop_values[time][at], becomes));
                }
            }
        }
        used
    }
}
