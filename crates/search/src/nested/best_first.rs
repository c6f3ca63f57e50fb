//! Best-first search with transpositions: the shallowest positions first, or those that are worth most already.

use super::puzzle::{Care, Puzzle};
use super::reached::Reached;
use senet_game::{Engine, GameError, MoveId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which position is looked at next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The one after the fewest moves.
    Shallow,
    /// The one with the highest goal, after the fewest moves.
    Promising,
}

struct Node<S> {
    state: S,
    parent: u32,
    id: MoveId,
    depth: u32,
}

/// The positions that were reached, each by the fewest moves known.
pub(crate) struct BestFirst<S> {
    pub(crate) order: Order,
    pub(crate) care: Care,
    memory: usize,
    bytes: usize,
    nodes: Vec<Node<S>>,
    /// With the goal, the depth and the number of a node.
    open: BinaryHeap<(u8, Reverse<u32>, Reverse<u32>)>,
    reached: Reached,
    /// The least and the greatest goal on the way.
    values: (u8, u8),
    legal: Vec<MoveId>,
}

/// How far it goes without a promise.
const MOST_BLIND: usize = 10_000;

const NONE: u32 = u32::MAX;

/// Beside its state: what a node takes in all collections, which may be half empty.
const NODE_BYTES: usize = 2 * (16 + 12 + 16);

impl<S: Clone> BestFirst<S> {
    pub(crate) fn new<E: Engine<State = S>>(
        puzzle: &Puzzle<E>,
        order: Order,
        care: Care,
        memory: usize,
    ) -> BestFirst<S> {
        let mut search = BestFirst {
            order,
            care,
            memory,
            bytes: 0,
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            reached: Reached::default(),
            values: (u8::MAX, 0),
            legal: Vec::new(),
        };
        search.add(
            puzzle,
            Node { state: puzzle.root.state.clone(), parent: NONE, id: MoveId::new(0), depth: 0 },
            0,
        );
        search
    }

    /// Whether everything was looked at.
    pub(crate) fn is_through(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether there is no room to go on.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes >= self.memory
    }

    /// How many positions are kept.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is more promising than anything else, as far as it went: then the shallowest come first here too.
    pub(crate) fn is_blind(&self) -> bool {
        self.order == Order::Promising && self.nodes.len() > MOST_BLIND && self.values.0 == self.values.1
    }

    /// Looks at one position: all its moves.
    pub(crate) fn work<E: Engine<State = S>>(&mut self, puzzle: &mut Puzzle<E>) -> Result<(), GameError> {
        let Some((_, _, Reverse(parent))) = self.open.pop() else { return Ok(()) };
        let Node { state, depth, .. } = &self.nodes[parent as usize];
        let (state, depth) = (state.clone(), *depth);
        if self.reached.depth(puzzle.key(&state, self.care)).is_some_and(|least| least < depth) {
            return Ok(());
        }
        let mut legal = std::mem::take(&mut self.legal);
        puzzle.legal(&state, &mut legal)?;
        for &id in &legal {
            // Where the rules cannot go on, there is nothing to be found.
            let Ok(next) = puzzle.step(&state, id) else { continue };
            let key = puzzle.key(&next, self.care);
            if self.reached.depth(key).is_some_and(|least| least <= depth + 1) {
                continue;
            }
            let Ok(is_over) = puzzle.is_over(&next) else { continue };
            if is_over {
                let value = puzzle.value(&next).unwrap_or(0);
                puzzle.note(value, || self.line(parent, id));
                continue;
            }
            let value = match self.order {
                Order::Shallow => 0,
                Order::Promising => puzzle.value(&next).unwrap_or(0),
            };
            self.values = (self.values.0.min(value), self.values.1.max(value));
            self.add(puzzle, Node { state: next, parent, id, depth: depth + 1 }, value);
        }
        self.legal = legal;
        Ok(())
    }

    fn add<E: Engine<State = S>>(&mut self, puzzle: &Puzzle<E>, node: Node<S>, value: u8) {
        self.bytes += NODE_BYTES + puzzle.root.engine.state_bytes(&node.state);
        self.reached.insert(puzzle.key(&node.state, self.care), node.depth);
        self.open.push((value, Reverse(node.depth), Reverse(self.nodes.len() as u32)));
        self.nodes.push(node);
    }

    /// The moves to a node and one more.
    fn line(&self, mut node: u32, last: MoveId) -> Vec<MoveId> {
        let mut line = vec![last];
        while self.nodes[node as usize].parent != NONE {
            line.push(self.nodes[node as usize].id);
            node = self.nodes[node as usize].parent;
        }
        line.reverse();
        line
    }
}
