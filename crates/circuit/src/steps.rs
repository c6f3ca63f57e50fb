//! In which order gates are computed.

use crate::circuit::Circuit;
use crate::wire::Wire;

/// The next thing to compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A gate whose operands are known.
    Gate(usize),
    /// A block of loops, by its number: see [`Cyclic`].
    Block(usize),
}

/// What is computed again and again until the loops of a block stay the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cyclic {
    /// The gates that depend on the loops of the block and on which these depend, in order.
    pub gates: Vec<usize>,
}

/// What has to be computed for some wires, in order.
pub fn steps(circuit: &Circuit, asked: impl IntoIterator<Item = Wire>) -> (Vec<Step>, Vec<Option<Cyclic>>) {
    let mut order = Order {
        circuit,
        is_done: vec![false; circuit.net().len()],
        steps: Vec::new(),
        blocks: vec![None; circuit.blocks().len()],
    };
    let block_of = block_of(circuit);
    asked.into_iter().for_each(|wire| order.visit(wire.node(), &block_of));
    (order.steps, order.blocks)
}

/// By loop: its block.
fn block_of(circuit: &Circuit) -> Vec<usize> {
    let blocks = circuit.blocks().iter().enumerate();
    blocks.flat_map(|(at, loops)| loops.clone().map(move |_| at)).collect()
}

struct Order<'c> {
    circuit: &'c Circuit,
    is_done: Vec<bool>,
    steps: Vec<Step>,
    blocks: Vec<Option<Cyclic>>,
}

impl Order<'_> {
    fn visit(&mut self, root: usize, block_of: &[usize]) {
        let net = self.circuit.net();
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if self.is_done[node] {
                path.pop();
            } else if let Some(at) = net.inputs().loop_at(node) {
                // What the block needs from outside comes first.
                let block = block_of[at];
                let gates = self.gates_of_block(block);
                let is_inside = |wire: &Wire| {
                    gates.binary_search(&wire.node()).is_ok() || is_loop_of(self.circuit, block, wire.node())
                };
                let outside =
                    gates.iter().flat_map(|&gate| net.operands(gate)).filter(|wire| !is_inside(wire));
                let defined = self.circuit.blocks()[block].clone().map(|it| &self.circuit.loops()[it]);
                let defined = defined.filter(|wire| !is_inside(wire));
                let missing: Vec<usize> = outside
                    .chain(defined)
                    .map(|wire| wire.node())
                    .filter(|&node| !self.is_done[node] && needs_computing(self.circuit, node))
                    .collect();
                if missing.is_empty() {
                    path.pop();
                    let loops = self.circuit.blocks()[block].clone();
                    loops.for_each(|it| self.is_done[net.inputs().a_loop(it)] = true);
                    gates.iter().for_each(|&gate| self.is_done[gate] = true);
                    self.steps.push(Step::Block(block));
                    self.blocks[block] = Some(Cyclic { gates });
                } else {
                    path.extend(missing.into_iter().map(|node| (node, 0)));
                }
            } else if let Some(operand) = net.operands(node).get(*next) {
                *next += 1;
                path.push((operand.node(), 0));
            } else {
                self.is_done[node] = true;
                if !net.operands(node).is_empty() {
                    self.steps.push(Step::Gate(node));
                }
                path.pop();
            }
        }
    }

    /// The gates between the loops of a block, in order.
    fn gates_of_block(&self, block: usize) -> Vec<usize> {
        let (net, loops) = (self.circuit.net(), &self.circuit.blocks()[block]);
        let mut cone = Vec::new();
        let mut is_seen = rustc_hash::FxHashSet::default();
        let mut waiting: Vec<usize> = loops.clone().map(|at| self.circuit.loops()[at].node()).collect();
        while let Some(node) = waiting.pop() {
            let is_open = !self.is_done[node] && !net.operands(node).is_empty();
            if is_open && is_seen.insert(node) {
                cone.push(node);
                waiting.extend(net.operands(node).iter().map(|wire| wire.node()));
            }
        }
        cone.sort_unstable();
        let mut inside: Vec<usize> = Vec::new();
        for gate in cone {
            let is_inside = |wire: &Wire| {
                is_loop_of(self.circuit, block, wire.node()) || inside.binary_search(&wire.node()).is_ok()
            };
            if net.operands(gate).iter().any(is_inside) {
                inside.push(gate);
            }
        }
        inside
    }
}

fn is_loop_of(circuit: &Circuit, block: usize, node: usize) -> bool {
    circuit.net().inputs().loop_at(node).is_some_and(|at| circuit.blocks()[block].contains(&at))
}

fn needs_computing(circuit: &Circuit, node: usize) -> bool {
    let net = circuit.net();
    !net.operands(node).is_empty() || net.inputs().loop_at(node).is_some()
}
