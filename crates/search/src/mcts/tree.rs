//! Positions and what is known of them. Positions that are the same are one node, however they are reached.

use super::priors::Priors;
use super::roles::Roles;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use senet_game::MoveId;
use std::hash::{BuildHasher, Hash};

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
/// Scores go from 0 to this.
pub(crate) const MOST: f32 = 100.0;
/// Positions with more joint moves than this remember only those that were tried.
pub(crate) const MOST_CHILDREN: u64 = 4_096;

/// A position.
pub(crate) struct Node<S> {
    /// `None` if the place is free for another.
    pub(crate) state: Option<S>,
    pub(crate) visits: u32,
    /// Visits under way.
    pub(crate) waiting: u32,
    /// Whether the match is over.
    pub(crate) is_over: bool,
    /// The last path it was on.
    pub(crate) path: u32,
    /// `None` until it is expanded.
    pub(crate) moves: Option<Box<Moves<S>>>,
}

/// The legal moves of a position.
pub(crate) struct Moves<S> {
    /// By role: the place of its first move, and at the end the number of all.
    pub(crate) firsts: Box<[u32]>,
    pub(crate) arms: Box<[Arm]>,
    pub(crate) turn: Turn,
    pub(crate) children: Children,
    /// By joint move, if what follows is known: positions that have no node, because nobody went there yet.
    pub(crate) unborn: Box<[Option<S>]>,
    /// By move, where some role is not free: how likely it is. 0 for those of free roles.
    pub(crate) chances: Box<[f32]>,
    /// By move, where several free roles choose at once.
    pub(crate) regrets: Box<[Regret]>,
}

/// A move of a role, and what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub(crate) id: MoveId,
    pub(crate) visits: u32,
    pub(crate) waiting: u32,
    /// What it was worth to its role on average.
    pub(crate) mean: f32,
    /// By how much it is expected to change the score of its role: see [`Priors`].
    pub(crate) prior: f32,
    /// Where nobody else chooses: what its role gets at least, and at most.
    pub(crate) low: f32,
    pub(crate) high: f32,
}

/// How much better a move would have been, and how often it was to be played.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Regret {
    pub(crate) sum: f32,
    pub(crate) average: f32,
}

/// Who has a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// Everybody has one move.
    Nobody,
    /// One role, which is free to choose.
    Free(usize),
    /// One role, which is not.
    Chance(usize),
    /// Several roles, of which one at most is free.
    AgainstChance(Option<usize>),
    /// Several free roles, and others perhaps.
    Together,
}

/// The positions that follow joint moves, by the number of the joint move.
pub(crate) enum Children {
    All(Box<[u32]>),
    Tried(FxHashMap<u64, u32>),
}

impl Children {
    pub(crate) fn get(&self, joint: u64) -> u32 {
        match self {
            Children::All(all) => all[joint as usize],
            Children::Tried(tried) => tried.get(&joint).copied().unwrap_or(NONE),
        }
    }

    pub(crate) fn set(&mut self, joint: u64, child: u32) {
        match self {
            Children::All(all) => all[joint as usize] = child,
            Children::Tried(tried) => {
                tried.insert(joint, child);
            }
        }
    }

    pub(crate) fn known(&self) -> impl Iterator<Item = u32> + '_ {
        let (all, tried) = match self {
            Children::All(all) => (&all[..], None),
            Children::Tried(tried) => (&[][..], Some(tried.values())),
        };
        all.iter().chain(tried.into_iter().flatten()).copied().filter(|&child| child != NONE)
    }
}

impl<S> Moves<S> {
    /// How many moves a role has.
    pub(crate) fn count(&self, role: usize) -> usize {
        (self.firsts[role + 1] - self.firsts[role]) as usize
    }

    /// How many joint moves there are.
    pub(crate) fn n_joint(&self) -> u64 {
        (0..self.firsts.len() - 1).fold(1, |n, role| n.saturating_mul(self.count(role) as u64))
    }

    /// The places of the moves of a role.
    pub(crate) fn arms_of(&self, role: usize) -> std::ops::Range<usize> {
        self.firsts[role] as usize..self.firsts[role + 1] as usize
    }

    /// By how much the number of a joint move grows with the next move of a role.
    pub(crate) fn stride(&self, role: usize) -> u64 {
        (0..role).fold(1, |n, role| n * self.count(role) as u64)
    }

    /// Which of its moves a role plays in a joint move.
    pub(crate) fn choice(&self, joint: u64, role: usize) -> usize {
        (joint / self.stride(role) % self.count(role) as u64) as usize
    }

    /// The moves of a joint move.
    pub(crate) fn ids(&self, joint: u64) -> impl Iterator<Item = MoveId> + '_ {
        let mut rest = joint;
        (0..self.firsts.len() - 1).map(move |role| {
            let count = self.count(role) as u64;
            let choice = rest % count;
            rest /= count;
            self.arms[self.firsts[role] as usize + choice as usize].id
        })
    }

    fn bytes(&self, state_bytes: usize) -> usize {
        let children = match &self.children {
            Children::All(all) => 4 * all.len(),
            Children::Tried(_) => 4_096,
        };
        size_of::<Moves<S>>()
            + 4 * self.firsts.len()
            + size_of::<Arm>() * self.arms.len()
            + children
            + (size_of::<Option<S>>() + state_bytes) * self.unborn.len()
            + 4 * self.chances.len()
            + size_of::<Regret>() * self.regrets.len()
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
    table: HashTable<u32>,
    free: Vec<u32>,
    pub(crate) root: u32,
    pub(crate) roles: Roles,
    pub(crate) priors: Priors,
    /// How much memory it takes, about.
    pub(crate) bytes: usize,
    /// The number of the last path.
    pub(crate) path: u32,
    /// Bounds that are being computed.
    pub(crate) scratch: Vec<f32>,
}

impl<S: Clone + Eq + Hash> Tree<S> {
    pub(crate) fn new(roles: Roles, priors: Priors) -> Tree<S> {
        Tree {
            nodes: Vec::new(),
            numbers: Vec::new(),
            table: HashTable::new(),
            free: Vec::new(),
            root: NONE,
            roles,
            priors,
            bytes: 0,
            path: 0,
            scratch: Vec::new(),
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

    /// By role: the score it gets at least, against all others.
    pub(crate) fn lows(&self, node: u32) -> &[f32] {
        let first = self.first(node) + self.n_roles();
        &self.numbers[first..first + self.n_roles()]
    }

    /// By role: the score it gets at most.
    pub(crate) fn highs(&self, node: u32) -> &[f32] {
        let first = self.first(node) + 2 * self.n_roles();
        &self.numbers[first..first + self.n_roles()]
    }

    /// By role the lows, then by role the highs.
    pub(crate) fn bounds_mut(&mut self, node: u32) -> &mut [f32] {
        let (first, n_roles) = (self.first(node), self.n_roles());
        &mut self.numbers[first + n_roles..first + 3 * n_roles]
    }

    /// Whether the score of a role is proved.
    pub(crate) fn is_proved(&self, node: u32, role: usize) -> bool {
        self.lows(node)[role] >= self.highs(node)[role]
    }

    /// Whether the scores of all roles are proved, those of chance aside.
    pub(crate) fn is_settled(&self, node: u32) -> bool {
        (0..self.n_roles()).all(|role| self.is_proved(node, role) || self.roles.is_chance(role))
    }

    /// The node of a position.
    pub(crate) fn enter(&mut self, successor: Successor<S>) -> u32 {
        let Successor { state, goals } = successor;
        let hash = FxBuildHasher.hash_one(&state);
        let nodes = &self.nodes;
        let same = |&node: &u32| nodes[node as usize].state.as_ref() == Some(&state);
        if let Some(&node) = self.table.find(hash, same) {
            return node;
        }
        self.bytes += self.node_bytes(&state);
        let node = Node {
            state: Some(state),
            visits: 0,
            waiting: 0,
            is_over: goals.is_some(),
            path: 0,
            moves: None,
        };
        let at = match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.numbers.resize(self.nodes.len() * 3 * self.n_roles(), 0.0);
                self.nodes.len() as u32 - 1
            }
        };
        if let Some(goals) = &goals {
            self.roles.note_end(goals);
        }
        let n_roles = self.n_roles();
        let first = self.first(at);
        for role in 0..n_roles {
            let goal = goals.as_ref().map(|goals| f32::from(goals[role]));
            self.numbers[first + role] = goal.unwrap_or(MOST / 2.0);
            self.numbers[first + n_roles + role] = goal.unwrap_or(0.0);
            self.numbers[first + 2 * n_roles + role] = goal.unwrap_or(MOST);
        }
        let nodes = &self.nodes;
        let state = |node: u32| nodes[node as usize].state.as_ref().expect("only positions are in the table");
        self.table.insert_unique(hash, at, |&node| FxBuildHasher.hash_one(state(node)));
        at
    }

    fn node_bytes(&self, _: &S) -> usize {
        size_of::<Node<S>>() + 12 * self.n_roles() + 16 + self.roles.state_bytes
    }

    /// Gives a position its moves, by role, and the positions that follow them by joint move, if they are known. Those in
    /// which the match is over are entered; says whether there are any.
    pub(crate) fn expand(&mut self, node: u32, moves: &[Vec<MoveId>], successors: Vec<Successor<S>>) -> bool {
        if self.nodes[node as usize].moves.is_some() {
            return true;
        }
        if moves.iter().any(Vec::is_empty) {
            // The rules end here without saying so: nobody gets anything.
            self.nodes[node as usize].is_over = true;
            self.bounds_mut(node).fill(0.0);
            self.means_mut(node).fill(0.0);
            return false;
        }
        let mut firsts = vec![0];
        let mut arms = Vec::with_capacity(moves.iter().map(Vec::len).sum());
        for ids in moves {
            let arm = |&id| Arm { id, visits: 0, waiting: 0, mean: 0.0, prior: 0.0, low: 0.0, high: MOST };
            arms.extend(ids.iter().map(arm));
            firsts.push(arms.len() as u32);
        }
        let turn = self.roles.turn(moves);
        let has_chance = matches!(turn, Turn::Chance(_) | Turn::AgainstChance(_) | Turn::Together);
        let chances = if has_chance { self.roles.chances(moves) } else { Box::default() };
        let regrets = if turn == Turn::Together { vec![Regret::default(); arms.len()] } else { Vec::new() };
        let n_joint = moves.iter().fold(1_u64, |n, ids| n.saturating_mul(ids.len() as u64));
        let mut children = if n_joint <= MOST_CHILDREN {
            Children::All(vec![NONE; n_joint as usize].into())
        } else {
            Children::Tried(FxHashMap::default())
        };
        let mut unborn = Vec::with_capacity(successors.len());
        let mut has_ends = false;
        for (joint, successor) in successors.into_iter().enumerate() {
            if successor.goals.is_some() {
                has_ends = true;
                children.set(joint as u64, self.enter(successor));
                unborn.push(None);
            } else {
                unborn.push(Some(successor.state));
            }
        }
        let (firsts, arms, unborn, regrets) = (firsts.into(), arms.into(), unborn.into(), regrets.into());
        let moves = Moves { firsts, arms, turn, children, unborn, chances, regrets };
        self.bytes += moves.bytes(self.roles.state_bytes);
        self.nodes[node as usize].moves = Some(Box::new(moves));
        has_ends
    }

    /// Takes the moves of a position away: what is known of them is lost, what is proved stays.
    pub(crate) fn forget_moves(&mut self, node: u32) {
        if let Some(moves) = self.nodes[node as usize].moves.take() {
            self.bytes -= moves.bytes(self.roles.state_bytes);
        }
    }

    /// Takes a position away.
    pub(crate) fn remove(&mut self, node: u32) {
        self.forget_moves(node);
        let Some(state) = self.nodes[node as usize].state.take() else { return };
        self.bytes -= self.node_bytes(&state);
        let hash = FxBuildHasher.hash_one(&state);
        if let Ok(entry) = self.table.find_entry(hash, |&other| other == node) {
            entry.remove();
        }
        self.free.push(node);
    }
}
