//! Drawing one of the legal moves, as gates: counts go up a tree of moves, the drawn rank goes down.

use crate::logic::{BlockKind, Logic};
use senet_circuit::Wire;

/// Larger trees are halved.
const MOST_SHAPES: usize = 512;

/// Moves to draw from.
pub(crate) enum Tree {
    /// Nothing to count.
    Leaf,
    /// Three or seven moves that are counted, and picked, in one go.
    Block(Vec<Wire>),
    Node {
        left: Box<Tree>,
        /// A move between the two sides: it enters the sums as the carry.
        middle: Option<Wire>,
        right: Box<Tree>,
        /// How many moves of the left side are legal.
        n_left: Vec<Wire>,
    },
}

/// What a block costs: its operands and results, where an operation of a tree has four.
fn block_cost(n_leaves: usize) -> Option<u32> {
    let n_slots = |kind: BlockKind| kind.n_operands() + kind.n_results();
    match n_leaves {
        3 => Some((5 + n_slots(BlockKind::Pick3)) as u32),
        7 => Some((n_slots(BlockKind::Count7) + n_slots(BlockKind::Pick7)) as u32),
        _ => None,
    }
}

/// How trees of each size are divided with the fewest operations.
struct Shapes {
    /// By number of leaves: the cost, the size of the left side, whether there is a move in the middle. Nothing on
    /// the left means a block.
    best: Vec<(u32, usize, bool)>,
}

/// How many bits a number below or equal to `most` has.
fn n_bits(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

impl Shapes {
    fn new(n_leaves: usize) -> Shapes {
        let mut best = vec![(0, 0, false); 2];
        for n in 2..=n_leaves.min(MOST_SHAPES) {
            let cost_of = |left: usize, has_middle: bool| {
                let right = n - left - usize::from(has_middle);
                let (wide_left, wide_right, wide) = (n_bits(left), n_bits(right), n_bits(n - 1));
                let adders = 2 * wide_left.max(wide_right);
                let borrows = wide * (1 + usize::from(has_middle));
                let n_operations = adders + borrows + wide_right + 2;
                best[left].0 + best[right].0 + 4 * n_operations as u32
            };
            let plain = (1..n).map(|left| (cost_of(left, false), left, false));
            let with_middle = (1..n.saturating_sub(1)).map(|left| (cost_of(left, true), left, true));
            let block = block_cost(n).map(|cost| (cost, 0, false));
            best.push(plain.chain(with_middle).chain(block).min().expect("two leaves can be divided"));
        }
        Shapes { best }
    }

    fn divide(&self, n: usize) -> (usize, bool) {
        match self.best.get(n) {
            Some(&(_, left, has_middle)) => (left, has_middle),
            None => ((n - 1) / 2, n % 2 == 1),
        }
    }
}

/// The tree over some moves, and how many of them are legal.
pub(crate) fn count(logic: &mut Logic, leaves: &[Wire]) -> (Tree, Vec<Wire>) {
    let shapes = Shapes::new(leaves.len());
    count_within(logic, &shapes, leaves)
}

fn count_within(logic: &mut Logic, shapes: &Shapes, leaves: &[Wire]) -> (Tree, Vec<Wire>) {
    if let [leaf] = leaves {
        return (Tree::Leaf, vec![*leaf]);
    }
    let (mut n_left, mut has_middle) = shapes.divide(leaves.len());
    if n_left == 0 {
        // What is never or always on is no operand: gates need not be computed for it.
        if leaves.iter().all(|leaf| leaf.node() != 0) {
            let n_legal = match *leaves {
                [a, b, c] => vec![logic.xor([a, b, c]), logic.majority([a, b, c])],
                _ => logic.block(BlockKind::Count7, leaves.to_vec()),
            };
            return (Tree::Block(leaves.to_vec()), n_legal);
        }
        (n_left, has_middle) = (leaves.len() / 2, true);
    }
    let (first, rest) = leaves.split_at(n_left);
    let (middle, last) = if has_middle { (Some(rest[0]), &rest[1..]) } else { (None, rest) };
    let (left, n_left) = count_within(logic, shapes, first);
    let (right, n_right) = count_within(logic, shapes, last);
    let mut carry = middle.unwrap_or(Wire::FALSE);
    let bit = |number: &[Wire], at: usize| number.get(at).copied().unwrap_or(Wire::FALSE);
    let mut sum = Vec::new();
    for at in 0..n_left.len().max(n_right.len()) {
        let operands = [bit(&n_left, at), bit(&n_right, at), carry];
        sum.push(logic.xor(operands));
        carry = logic.majority(operands);
    }
    if sum.len() < n_bits(leaves.len()) {
        sum.push(carry);
    }
    sum.truncate(n_bits(leaves.len()));
    (Tree::Node { left: Box::new(left), middle, right: Box::new(right), n_left }, sum)
}

/// A number less one, and whether it was zero.
pub(crate) fn minus_one(logic: &mut Logic, number: &[Wire]) -> (Vec<Wire>, Wire) {
    let mut borrow = Wire::TRUE;
    let mut less = Vec::with_capacity(number.len());
    for &bit in number {
        less.push(logic.xor([bit, borrow, Wire::FALSE]));
        borrow = logic.and(!bit, borrow);
    }
    (less, borrow)
}

/// By move: whether it is the one of a rank among the legal ones.
pub(crate) fn select(logic: &mut Logic, tree: &Tree, rank: &[Wire]) -> Vec<Wire> {
    let mut selected = Vec::new();
    select_within(logic, tree, Wire::TRUE, rank, &mut selected);
    selected
}

fn select_within(logic: &mut Logic, tree: &Tree, is_here: Wire, rank: &[Wire], selected: &mut Vec<Wire>) {
    let (left, middle, right, n_left) = match tree {
        Tree::Leaf => return selected.push(is_here),
        Tree::Block(leaves) => return selected.extend(pick(logic, leaves, is_here, rank)),
        Tree::Node { left, middle, right, n_left } => (left, middle, right, n_left),
    };
    let bit = |number: &[Wire], at: usize| number.get(at).copied().unwrap_or(Wire::FALSE);
    let n_right = right.n_leaves();
    // rank - n_left - middle: what is left of it is the rank on the right side; a borrow means it is not there.
    let (mut borrow, mut rank_right) = (middle.unwrap_or(Wire::FALSE), Vec::new());
    let mut borrow_left = Wire::FALSE;
    for at in 0..rank.len().max(n_left.len()) {
        let (own, counted) = (bit(rank, at), bit(n_left, at));
        if at < n_bits(n_right - 1) {
            rank_right.push(logic.xor([own, counted, borrow]));
        }
        borrow = logic.majority([!own, counted, borrow]);
        borrow_left = logic.majority([!own, counted, borrow_left]);
    }
    let is_left = logic.and(is_here, borrow_left);
    let is_right = logic.and(is_here, !borrow);
    let n_low = n_bits(left.n_leaves() - 1).min(rank.len());
    select_within(logic, left, is_left, &rank[..n_low], selected);
    if middle.is_some() {
        let is_between = logic.and(borrow, !borrow_left);
        selected.push(logic.and(is_here, is_between));
    }
    select_within(logic, right, is_right, &rank_right, selected);
}

/// By leaf of a block: whether it is the one of a rank.
fn pick(logic: &mut Logic, leaves: &[Wire], is_here: Wire, rank: &[Wire]) -> Vec<Wire> {
    let others = &leaves[..leaves.len() - 1];
    let mut operands = vec![is_here];
    operands.extend_from_slice(rank);
    operands.extend_from_slice(others);
    let kind = if leaves.len() == 3 { BlockKind::Pick3 } else { BlockKind::Pick7 };
    if operands.len() == kind.n_operands() && operands.iter().all(|wire| wire.node() != 0) {
        return logic.block(kind, operands);
    }
    // With something that is never or always on gates are simpler.
    let middle = leaves.len() / 2;
    let sides = [&leaves[..middle], &leaves[middle + 1..]];
    let [(left, n_left), (right, _)] = sides.map(|side| match *side {
        [leaf] => (Tree::Leaf, vec![leaf]),
        [a, b, c] => (Tree::Block(side.to_vec()), vec![logic.xor([a, b, c]), logic.majority([a, b, c])]),
        _ => unreachable!("blocks have three or seven leaves"),
    });
    let tree =
        Tree::Node { left: Box::new(left), middle: Some(leaves[middle]), right: Box::new(right), n_left };
    let mut selected = Vec::new();
    select_within(logic, &tree, is_here, rank, &mut selected);
    selected
}

impl Tree {
    fn n_leaves(&self) -> usize {
        match self {
            Tree::Leaf => 1,
            Tree::Block(leaves) => leaves.len(),
            Tree::Node { left, middle, right, .. } => {
                left.n_leaves() + usize::from(middle.is_some()) + right.n_leaves()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Gate;

    fn value(logic: &Logic, wire: Wire, inputs: &[bool]) -> bool {
        let mut is_on = vec![false; logic.len()];
        for node in 1..logic.len() {
            let of = |wire: Wire| is_on[wire.node()] != wire.is_negated();
            is_on[node] = match logic.gate(node) {
                Gate::Input => inputs[node - 1],
                Gate::And(wires) => wires.into_iter().all(of),
                Gate::Xor(wires) => wires.into_iter().filter(|&wire| of(wire)).count() % 2 == 1,
                Gate::Majority(wires) => wires.into_iter().filter(|&wire| of(wire)).count() > 1,
                Gate::Part { block, result } => {
                    let block = &logic.blocks()[block as usize];
                    let values: Vec<bool> = block.operands.iter().map(|&wire| of(wire)).collect();
                    block.kind.result(&values, result.into())
                }
            };
        }
        is_on[wire.node()] != wire.is_negated()
    }

    /// For sets of legal moves of many sizes, and every rank: the move of that rank is selected and no other.
    #[test]
    fn a_rank_selects_the_legal_move_of_that_rank() {
        let mut seed = 1_u64;
        for n_moves in [2, 3, 5, 7, 8, 13, 15, 31, 40] {
            let mut logic = Logic::new();
            let leaves: Vec<Wire> = (0..n_moves).map(|_| logic.input()).collect();
            let (tree, n_legal) = count(&mut logic, &leaves);
            let (last, is_none) = minus_one(&mut logic, &n_legal);
            let rank: Vec<Wire> = (0..n_bits(n_moves - 1)).map(|_| logic.input()).collect();
            let first_rank = rank[0].node();
            let selected = select(&mut logic, &tree, &rank);
            assert_eq!(selected.len(), n_moves);
            for _ in 0..6 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let mut inputs = vec![false; logic.len()];
                let legal: Vec<usize> =
                    (0..n_moves).filter(|at| seed >> (at % 60) & 1 == 1 || *at == 1).collect();
                legal.iter().for_each(|&at| inputs[leaves[at].node() - 1] = true);
                let number = |wires: &[Wire], inputs: &[bool]| {
                    let bits = wires.iter().enumerate();
                    bits.fold(0, |number, (bit, &wire)| {
                        number | usize::from(value(&logic, wire, inputs)) << bit
                    })
                };
                assert_eq!(number(&last, &inputs), legal.len() - 1);
                assert!(!value(&logic, is_none, &inputs));
                for (rank_now, &wanted) in legal.iter().enumerate() {
                    (0..rank.len()).for_each(|bit| inputs[first_rank - 1 + bit] = rank_now >> bit & 1 == 1);
                    let chosen: Vec<usize> =
                        (0..n_moves).filter(|&at| value(&logic, selected[at], &inputs)).collect();
                    assert_eq!(chosen, [wanted]);
                }
            }
            assert!(value(&logic, is_none, &vec![false; logic.len()]));
        }
    }
}
