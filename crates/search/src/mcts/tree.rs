//! Positions and what is known of them. Positions that are the same are one node, however they are reached; of ends
//! nothing matters but the goals, so that those with the same goals are one node too.
//!
//! The tree grows in small steps: nodes are in segments that stay where they are, and the transposition table splits one
//! shard at a time. No step takes longer because the tree is large.

use super::back_up::Values;
use super::bounds::Outcomes;
use super::eviction::Eviction;
use super::expansion::Expansion;
use super::moves::{Moves, Turn};
use super::priors::Priors;
use super::roles::Roles;
use crate::disposal::dispose;
use crate::segments::{Rows, Segments};
use crate::table::Table;
use rustc_hash::FxBuildHasher;
use senet_ids::thread_cpu_time;
use std::hash::{BuildHasher, Hash};
use std::time::Duration;

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
    /// References to it: moves that lead to it, and the root. In a free place: the next free place.
    pub(super) references: u32,
    /// Whether the match is over.
    pub(crate) is_over: bool,
    /// Whether something is proved of a move.
    pub(crate) has_refuted: bool,
    /// Whether its bounds may rest on a rounded average over chance.
    pub(crate) is_rounded: bool,
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
            references: 0,
            is_over: false,
            has_refuted: false,
            is_rounded: false,
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
    pub(crate) nodes: Segments<Node<S>>,
    /// By node: the means of all roles, then the scores they get at least, then at most.
    numbers: Rows<f32>,
    /// Nodes with a part of their hash: the table grows without asking for states.
    table: Table<(u32, u32)>,
    /// The last place that became free, and how many are free.
    free: (u32, usize),
    pub(crate) root: u32,
    pub(crate) roles: Roles,
    pub(crate) priors: Priors,
    /// How much memory it takes, about.
    pub(crate) bytes: usize,
    pub(super) eviction: Eviction,
    /// The longest step of growth or eviction for this root, in processor time.
    pub(crate) longest_pause: Duration,
    /// The number of the last path.
    pub(crate) path: u32,
    /// Bounds and means that are being computed.
    pub(crate) outcomes: Outcomes,
    pub(crate) values: Values,
}

impl<S: Clone + Eq + Hash> Tree<S> {
    /// An empty tree that grows to about so many bytes.
    pub(crate) fn new(roles: Roles, priors: Priors, most_bytes: usize) -> Tree<S> {
        let mut tree = Tree {
            nodes: Segments::default(),
            numbers: Rows::new(3 * roles.len()),
            table: Table::default(),
            free: (NONE, 0),
            root: NONE,
            roles,
            priors,
            bytes: 0,
            eviction: Eviction::default(),
            longest_pause: Duration::ZERO,
            path: 0,
            outcomes: Outcomes::default(),
            values: Values::default(),
        };
        let most = (most_bytes / tree.node_bytes()).min(NONE as usize);
        tree.nodes.reserve(most);
        tree.numbers.reserve(most);
        tree.table.reserve(most);
        tree
    }

    pub(crate) fn n_roles(&self) -> usize {
        self.roles.len()
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - self.free.1
    }

    /// By role the means, then the lows, then the highs.
    #[inline]
    pub(crate) fn numbers(&self, node: u32) -> &[f32] {
        self.numbers.row(node as usize)
    }

    /// By role: the mean of the scores.
    #[inline]
    pub(crate) fn means(&self, node: u32) -> &[f32] {
        &self.numbers.row(node as usize)[..self.n_roles()]
    }

    pub(crate) fn means_mut(&mut self, node: u32) -> &mut [f32] {
        let n_roles = self.n_roles();
        &mut self.numbers.row_mut(node as usize)[..n_roles]
    }

    /// By role: the proved lower bound of its score, see [`super::bounds`].
    #[inline]
    pub(crate) fn lows(&self, node: u32) -> &[f32] {
        let n_roles = self.n_roles();
        &self.numbers.row(node as usize)[n_roles..2 * n_roles]
    }

    /// By role: the proved upper bound of its score.
    #[inline]
    pub(crate) fn highs(&self, node: u32) -> &[f32] {
        &self.numbers.row(node as usize)[2 * self.n_roles()..]
    }

    /// By role the lows, then by role the highs.
    pub(crate) fn bounds(&self, node: u32) -> &[f32] {
        &self.numbers.row(node as usize)[self.n_roles()..]
    }

    /// By role the lows, then by role the highs.
    pub(crate) fn bounds_mut(&mut self, node: u32) -> &mut [f32] {
        let n_roles = self.n_roles();
        &mut self.numbers.row_mut(node as usize)[n_roles..]
    }

    /// The node of what follows a joint move. It has one reference more, which the caller has to keep.
    pub(crate) fn enter(&mut self, successor: Successor<S>) -> u32 {
        let node = match successor.goals {
            Some(goals) => self.enter_end(&goals),
            None => self.enter_position(successor.state),
        };
        self.hold(node);
        node
    }

    /// Adds a reference to a node.
    pub(crate) fn hold(&mut self, node: u32) {
        self.nodes[node as usize].references += 1;
    }

    /// Goes on to another root, which has a reference for that.
    pub(crate) fn go_to(&mut self, root: u32) {
        let before = std::mem::replace(&mut self.root, root);
        if before != NONE {
            self.release(before);
        }
        self.eviction.begin_anew();
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
        let at = self.place(Node { state: Some(state), ..Node::default() }, hash);
        self.means_mut(at).fill(MOST / 2.0);
        self.forget_bounds(at);
        at
    }

    /// The node of the ends with some goals.
    fn enter_end(&mut self, goals: &[u8]) -> u32 {
        let hash = part_of_hash(&goals);
        let same = |&(node, other): &(u32, u32)| {
            other == hash
                && self.is_end(node)
                && self.lows(node).iter().zip(goals).all(|(&low, &goal)| low == f32::from(goal))
        };
        if let Some(&(node, _)) = self.table.find(spread(hash), same) {
            return node;
        }
        self.roles.note_end(goals);
        let at = self.place(Node { is_over: true, ..Node::default() }, hash);
        let values = goals.iter().cycle().map(|&goal| f32::from(goal));
        self.numbers.row_mut(at as usize).iter_mut().zip(values).for_each(|(number, goal)| *number = goal);
        at
    }

    /// Whether a node stands for all ends with its goals.
    fn is_end(&self, node: u32) -> bool {
        let node = &self.nodes[node as usize];
        node.is_over && node.state.is_none()
    }

    /// Gives a node a place, and notes it in the table.
    fn place(&mut self, node: Node<S>, hash: u32) -> u32 {
        self.bytes += self.node_bytes();
        if self.table.is_full() {
            self.timed(|tree| tree.table.grow(spread_of));
        }
        let at = if self.free.0 == NONE {
            if self.nodes.is_full() {
                self.timed(|tree| {
                    tree.nodes.grow();
                    tree.numbers.grow_to(tree.nodes.len() + 1);
                });
            }
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        } else {
            let at = self.free.0;
            let place = &mut self.nodes[at as usize];
            self.free = (place.references, self.free.1 - 1);
            *place = node;
            at
        };
        self.table.insert(spread(hash), (at, hash), spread_of);
        at
    }

    /// Does a step of growth or eviction, and notes how long it takes.
    pub(super) fn timed<R>(&mut self, step: impl FnOnce(&mut Self) -> R) -> R {
        let begin = thread_cpu_time();
        let result = step(self);
        self.longest_pause = self.longest_pause.max(thread_cpu_time().saturating_sub(begin));
        result
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
            let end = self.enter_end(goals);
            self.hold(end);
            moves.set_child(joint, end);
        }
        self.bytes += moves.bytes();
        self.nodes[node as usize].moves = Some(moves);
        self.nodes[node as usize].version = self.roles.version;
        has_ends
    }

    /// Removes a node to which nothing refers. Its moves are discarded.
    pub(super) fn remove(&mut self, node: u32) {
        self.forget_moves(node);
        let hash = match &self.nodes[node as usize].state {
            Some(state) => part_of_hash(state),
            None => {
                let goals: Vec<u8> = self.lows(node).iter().map(|&goal| goal as u8).collect();
                part_of_hash(&&goals[..])
            }
        };
        self.table.remove(spread(hash), |&(other, _)| other == node);
        self.bytes -= self.node_bytes();
        self.nodes[node as usize] = Node { references: self.free.0, ..Node::default() };
        self.free = (node, self.free.1 + 1);
    }
}

impl<S: Send + 'static> Tree<S> {
    /// Empties the tree, on another thread if that takes long.
    pub(crate) fn dispose(&mut self) {
        let eviction = std::mem::take(&mut self.eviction);
        let tables = (std::mem::take(&mut self.numbers), std::mem::take(&mut self.table));
        dispose((std::mem::take(&mut self.nodes), tables, eviction), self.bytes);
    }
}

fn part_of_hash(state: &impl Hash) -> u32 {
    (FxBuildHasher.hash_one(state) >> 32) as u32
}

/// A hash whose first, middle and last bits depend on the whole part.
fn spread(part: u32) -> u64 {
    u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(part)
}

fn spread_of(&(_, part): &(u32, u32)) -> u64 {
    spread(part)
}
