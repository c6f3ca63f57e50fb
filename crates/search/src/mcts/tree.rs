//! Positions and what is known of them. Positions that are the same are one node, however they are reached; of ends
//! nothing matters but the goals, so that those with the same goals are one node too.

use super::back_up::Values;
use super::bounds::Outcomes;
use super::expansion::Expansion;
use super::moves::{Moves, Turn};
use super::priors::Priors;
use super::roles::Roles;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
/// Scores go from 0 to this.
pub(crate) const MOST: f32 = 100.0;

/// A position.
pub(crate) struct Node<S> {
    /// `None` where the match is over, and in places that are free for another.
    pub(crate) state: Option<S>,
    pub(crate) visits: u32,
    /// Visits under way.
    pub(crate) waiting: u32,
    /// Whether the match is over.
    pub(crate) is_over: bool,
    /// Whether something is proved of a move.
    pub(crate) has_refuted: bool,
    /// The version of the assumption of a constant sum with which the bounds of its arms were derived.
    pub(crate) version: u16,
    /// The last path it was on.
    pub(crate) path: u32,
    /// `None` until it is expanded.
    pub(crate) moves: Option<Moves>,
}

impl<S> Default for Node<S> {
    fn default() -> Self {
        Node {
            state: None,
            visits: 0,
            waiting: 0,
            is_over: false,
            has_refuted: false,
            version: 0,
            path: 0,
            moves: None,
        }
    }
}

/// A position that follows a joint move, and its goals if the match is over in it.
pub(crate) struct Successor<S> {
    pub(crate) state: S,
    pub(crate) goals: Option<Box<[u8]>>,
}

/// All positions.
pub(crate) struct Tree<S> {
    pub(crate) nodes: Vec<Node<S>>,
    /// By node and role: the mean, then the score it gets at least, then at most.
    numbers: Vec<f32>,
    /// Nodes with a part of their hash: the table grows without asking for states.
    table: HashTable<(u32, u32)>,
    /// By goals: the node of all ends with them.
    ends: FxHashMap<Box<[u8]>, u32>,
    free: Vec<u32>,
    pub(crate) root: u32,
    pub(crate) roles: Roles,
    pub(crate) priors: Priors,
    /// How much memory it takes, about.
    pub(crate) bytes: usize,
    /// How much was left when room was made the last time.
    pub(crate) least_bytes: usize,
    /// The number of the last path.
    pub(crate) path: u32,
    /// Bounds and means that are being computed.
    pub(crate) outcomes: Outcomes,
    pub(crate) values: Values,
}

impl<S: Clone + Eq + Hash> Tree<S> {
    pub(crate) fn new(roles: Roles, priors: Priors) -> Tree<S> {
        Tree {
            nodes: Vec::new(),
            numbers: Vec::new(),
            table: HashTable::new(),
            ends: FxHashMap::default(),
            free: Vec::new(),
            root: NONE,
            roles,
            priors,
            bytes: 0,
            least_bytes: 0,
            path: 0,
            outcomes: Outcomes::default(),
            values: Values::default(),
        }
    }

    pub(crate) fn n_roles(&self) -> usize {
        self.roles.len()
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    fn first(&self, node: u32) -> usize {
        node as usize * 3 * self.n_roles()
    }

    /// By role: the mean of the scores.
    pub(crate) fn means(&self, node: u32) -> &[f32] {
        let first = self.first(node);
        &self.numbers[first..first + self.n_roles()]
    }

    pub(crate) fn means_mut(&mut self, node: u32) -> &mut [f32] {
        let (first, n_roles) = (self.first(node), self.n_roles());
        &mut self.numbers[first..first + n_roles]
    }

    /// By role: the proved lower bound of its score, see [`super::bounds`].
    pub(crate) fn lows(&self, node: u32) -> &[f32] {
        let first = self.first(node) + self.n_roles();
        &self.numbers[first..first + self.n_roles()]
    }

    /// By role: the proved upper bound of its score.
    pub(crate) fn highs(&self, node: u32) -> &[f32] {
        let first = self.first(node) + 2 * self.n_roles();
        &self.numbers[first..first + self.n_roles()]
    }

    /// By role the lows, then by role the highs.
    pub(crate) fn bounds(&self, node: u32) -> &[f32] {
        let (first, n_roles) = (self.first(node), self.n_roles());
        &self.numbers[first + n_roles..first + 3 * n_roles]
    }

    /// By role the lows, then by role the highs.
    pub(crate) fn bounds_mut(&mut self, node: u32) -> &mut [f32] {
        let (first, n_roles) = (self.first(node), self.n_roles());
        &mut self.numbers[first + n_roles..first + 3 * n_roles]
    }

    /// The node of what follows a joint move.
    pub(crate) fn enter(&mut self, successor: Successor<S>) -> u32 {
        match successor.goals {
            Some(goals) => self.enter_end(&goals),
            None => self.enter_position(successor.state),
        }
    }

    /// The node of a position in which the match goes on.
    fn enter_position(&mut self, state: S) -> u32 {
        let hash = part_of_hash(&state);
        let nodes = &self.nodes;
        let same = |&(node, other): &(u32, u32)| {
            other == hash && nodes[node as usize].state.as_ref() == Some(&state)
        };
        if let Some(&(node, _)) = self.table.find(spread(hash), same) {
            return node;
        }
        self.bytes += self.node_bytes();
        let at = self.place(Node { state: Some(state), ..Node::default() });
        self.means_mut(at).fill(MOST / 2.0);
        self.forget_bounds(at);
        self.table.insert_unique(spread(hash), (at, hash), |&(_, hash)| spread(hash));
        at
    }

    /// The node of the ends with some goals.
    fn enter_end(&mut self, goals: &[u8]) -> u32 {
        if let Some(&node) = self.ends.get(goals) {
            return node;
        }
        self.roles.note_end(goals);
        self.bytes += self.node_bytes();
        let at = self.place(Node { is_over: true, ..Node::default() });
        let first = self.first(at);
        let values = goals.iter().cycle().map(|&goal| f32::from(goal));
        self.numbers[first..]
            .iter_mut()
            .take(3 * goals.len())
            .zip(values)
            .for_each(|(number, goal)| *number = goal);
        self.ends.insert(goals.into(), at);
        at
    }

    fn place(&mut self, node: Node<S>) -> u32 {
        if let Some(at) = self.free.pop() {
            self.nodes[at as usize] = node;
            return at;
        }
        self.nodes.push(node);
        self.numbers.resize(self.nodes.len() * 3 * self.n_roles(), 0.0);
        self.nodes.len() as u32 - 1
    }

    pub(crate) fn node_bytes(&self) -> usize {
        size_of::<Node<S>>() + 12 * self.n_roles() + 16 + self.roles.state_bytes
    }

    /// Gives a position its moves, and the ends that follow; says whether there are any.
    pub(crate) fn expand(&mut self, node: u32, expansion: &Expansion<'_>) -> bool {
        if self.nodes[node as usize].moves.is_some() {
            return true;
        }
        let choices = expansion.choices;
        if choices.n_joint() == 0 {
            // The rules end here without saying so: nobody gets anything.
            self.nodes[node as usize].is_over = true;
            self.bounds_mut(node).fill(0.0);
            self.means_mut(node).fill(0.0);
            self.roles.note_end(&vec![0; self.roles.len()]);
            return false;
        }
        let turn = self.roles.turn(choices);
        let has_chance = !matches!(turn, Turn::Nobody | Turn::Free(_));
        let chances = if has_chance { self.roles.chances(choices) } else { Box::default() };
        let mut moves = Moves::new(turn, chances, expansion);
        let mut has_ends = false;
        for (joint, goals) in expansion.ends() {
            has_ends = true;
            moves.set_child(joint, self.enter_end(goals));
        }
        self.bytes += moves.bytes();
        self.nodes[node as usize].moves = Some(moves);
        self.nodes[node as usize].version = self.roles.version;
        has_ends
    }

    /// Takes the moves of a position away: what is known of them is lost, what is proved stays.
    pub(crate) fn forget_moves(&mut self, node: u32) {
        if let Some(moves) = self.nodes[node as usize].moves.take() {
            self.bytes -= moves.bytes();
            self.nodes[node as usize].has_refuted = false;
        }
    }

    /// Takes a position away.
    pub(crate) fn remove(&mut self, node: u32) {
        self.forget_moves(node);
        // Those of ends stay: there are few.
        let Some(state) = self.nodes[node as usize].state.take() else { return };
        self.bytes -= self.node_bytes();
        let hash = spread(part_of_hash(&state));
        if let Ok(entry) = self.table.find_entry(hash, |&(other, _)| other == node) {
            entry.remove();
        }
        self.free.push(node);
    }
}

fn part_of_hash(state: &impl Hash) -> u32 {
    (FxBuildHasher.hash_one(state) >> 32) as u32
}

/// A hash whose first and last bits depend on the whole part.
fn spread(part: u32) -> u64 {
    u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(part)
}
