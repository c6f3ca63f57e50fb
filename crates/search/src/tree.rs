//! The tree of UCT in flat arrays: states in the nodes, statistics of each role's moves, children by joint move.

use hashbrown::HashTable;
use senet_game::{MoveGenerator, MoveId};
use std::ops::Range;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// So many nodes are copied before the clock is looked at.
const NODES_A_LOOK: usize = 1 << 12;

/// The number of the root.
pub(crate) const ROOT: u32 = 0;

/// A position that was reached. Nodes are numbered as they are added: a child comes after its parent.
pub(crate) struct Node<S> {
    pub(crate) state: S,
    pub(crate) visits: u32,
    parent: u32,
    kind: Kind,
}

/// What is known of a node beside its state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A playout began there. Its moves are looked at when it is reached again.
    Leaf,
    /// The match is over: where the goals of the roles stand.
    End(u32),
    /// Moves have statistics: where the borders between the roles stand.
    Open(u32),
}

/// What a role knows of one of its moves in a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    pub(crate) id: MoveId,
    pub(crate) visits: u32,
    pub(crate) sum: u64,
    /// The child, where nobody else has a choice.
    child: u32,
}

impl Stat {
    fn new(id: MoveId) -> Stat {
        Stat { id, visits: 0, sum: 0, child: NONE }
    }

    /// The mean score of the role, 0 before the first visit.
    pub(crate) fn mean(&self) -> f64 {
        self.sum as f64 / f64::from(self.visits.max(1))
    }
}

/// The tree. Its size in bytes is counted as if each vector were half empty, which is the most that growing leaves.
pub(crate) struct Tree<S> {
    n_roles: usize,
    nodes: Vec<Node<S>>,
    /// By node: the place of each role's move among those of the parent.
    places: Vec<u32>,
    stats: Vec<Stat>,
    /// By open node: where the statistics of each role begin, and where those of the last one end.
    borders: Vec<u32>,
    /// By node that ends the match: the goals.
    goals: Vec<u8>,
    /// Children of nodes where several roles have a choice.
    joint: HashTable<u32>,
    state_bytes: usize,
}

impl<S> Tree<S> {
    /// A root alone.
    pub(crate) fn new(n_roles: usize, state: S, state_bytes: usize) -> Tree<S> {
        let mut tree = Tree::empty(n_roles);
        tree.push(state, state_bytes, NONE);
        tree.places.resize(n_roles, 0);
        tree
    }

    fn empty(n_roles: usize) -> Tree<S> {
        Tree {
            n_roles,
            nodes: Vec::new(),
            places: Vec::new(),
            stats: Vec::new(),
            borders: Vec::new(),
            goals: Vec::new(),
            joint: HashTable::new(),
            state_bytes: 0,
        }
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What it takes.
    pub(crate) fn bytes(&self) -> usize {
        let arrays = self.nodes.len() * (size_of::<Node<S>>() + 4 * self.n_roles)
            + self.stats.len() * size_of::<Stat>()
            + self.borders.len() * 4
            + self.goals.len()
            + self.joint.len() * 8;
        2 * arrays + self.state_bytes
    }

    pub(crate) fn node(&self, node: u32) -> &Node<S> {
        &self.nodes[node as usize]
    }

    pub(crate) fn kind(&self, node: u32) -> Kind {
        self.nodes[node as usize].kind
    }

    /// The goals at the end of a match.
    pub(crate) fn goals(&self, at: u32) -> &[u8] {
        &self.goals[at as usize..][..self.n_roles]
    }

    /// The places of the statistics of a role in an open node.
    pub(crate) fn stats_of(&self, open: u32, role: usize) -> Range<usize> {
        let borders = &self.borders[open as usize + role..];
        borders[0] as usize..borders[1] as usize
    }

    pub(crate) fn stat(&self, at: usize) -> &Stat {
        &self.stats[at]
    }

    /// Gives the moves of a leaf statistics; `moves` are those of all roles in order, `borders` where each role's begin and
    /// where the last one's end.
    pub(crate) fn open(&mut self, node: u32, moves: &[MoveId], borders: &[u32]) {
        let first = self.stats.len() as u32;
        self.nodes[node as usize].kind = Kind::Open(self.borders.len() as u32);
        self.borders.extend(borders.iter().map(|border| first + border));
        self.stats.extend(moves.iter().map(|&id| Stat::new(id)));
    }

    /// Marks a leaf as the end of the match.
    pub(crate) fn end(&mut self, node: u32, goals: impl Iterator<Item = u8>) {
        self.nodes[node as usize].kind = Kind::End(self.goals.len() as u32);
        self.goals.extend(goals);
    }

    /// The move of a role by UCT: one that was never tried, else the one with the highest upper confidence bound. Given as the
    /// place of its statistics.
    pub(crate) fn select(&self, open: u32, role: usize, c: f64, generator: &mut MoveGenerator) -> usize {
        let range = self.stats_of(open, role);
        if range.len() == 1 {
            return range.start;
        }
        let stats = &self.stats[range.clone()];
        let n_untried = stats.iter().filter(|stat| stat.visits == 0).count();
        if n_untried > 0 {
            let nth = generator.below(n_untried);
            let mut untried = range.filter(|&at| self.stats[at].visits == 0);
            return untried.nth(nth).expect("they were counted");
        }
        let tries: u32 = stats.iter().map(|stat| stat.visits).sum();
        let log = f64::from(tries).ln();
        let mut best = (f64::NEG_INFINITY, range.start);
        for (at, stat) in range.zip(stats) {
            let visits = f64::from(stat.visits);
            let bound = stat.sum as f64 / visits + c * (log / visits).sqrt();
            if bound > best.0 {
                best = (bound, at);
            }
        }
        best.1
    }

    /// The child by the moves of all roles, given as places of statistics of the parent.
    pub(crate) fn child(&self, parent: u32, open: u32, chosen: &[u32]) -> Option<u32> {
        let child = match self.only_chooser(open) {
            Some(role) => self.stats[chosen[role] as usize].child,
            None => {
                let places = chosen.iter().zip(&self.borders[open as usize..]).map(|(at, first)| at - first);
                let is_it = |&child: &u32| {
                    self.nodes[child as usize].parent == parent
                        && self.places_of(child).iter().copied().eq(places.clone())
                };
                self.joint.find(hash(parent, places.clone()), is_it).copied().unwrap_or(NONE)
            }
        };
        (child != NONE).then_some(child)
    }

    /// Adds a leaf as a child. The caller has looked that there is none.
    pub(crate) fn add(
        &mut self,
        parent: u32,
        open: u32,
        chosen: &[u32],
        state: S,
        state_bytes: usize,
    ) -> u32 {
        let child = self.push(state, state_bytes, parent);
        let borders = &self.borders[open as usize..];
        self.places.extend(chosen.iter().zip(borders).map(|(at, first)| at - first));
        self.link(child);
        child
    }

    /// Counts a playout that went through a node by these moves, and ended with these goals.
    pub(crate) fn count(&mut self, node: u32, chosen: &[u32], goals: &[u8]) {
        self.nodes[node as usize].visits += 1;
        for (&at, &goal) in chosen.iter().zip(goals) {
            let stat = &mut self.stats[at as usize];
            stat.visits += 1;
            stat.sum += u64::from(goal);
        }
    }

    /// Counts a playout that began in a leaf, or a visit of an end.
    pub(crate) fn visit(&mut self, node: u32) {
        self.nodes[node as usize].visits += 1;
    }

    /// A tree of a node and what can be reached from it. `goes_on` is asked again and again, with the size of what was kept
    /// so far; once it says no there is none.
    pub(crate) fn reroot(
        &self,
        root: u32,
        state_bytes: impl Fn(&S) -> usize,
        goes_on: impl Fn(usize) -> bool,
    ) -> Option<Tree<S>>
    where
        S: Clone,
    {
        let n_roles = self.n_roles;
        // By node its new number and 1, or 0. Memory that is 0 from the beginning is not touched at once.
        let mut numbers = vec![0_u32; self.nodes.len()];
        let mut kept = Tree::empty(n_roles);
        for (old, node) in self.nodes.iter().enumerate().skip(root as usize) {
            if old % NODES_A_LOOK == 0 && !goes_on(kept.bytes()) {
                return None;
            }
            let parent =
                if old == root as usize { NONE } else { numbers[node.parent as usize].wrapping_sub(1) };
            if old != root as usize && parent == NONE {
                continue;
            }
            let new = kept.push(node.state.clone(), state_bytes(&node.state), parent);
            kept.places.extend_from_slice(&self.places[old * n_roles..][..n_roles]);
            numbers[old] = new + 1;
            kept.nodes[new as usize].visits = node.visits;
            match node.kind {
                Kind::Leaf => {}
                Kind::End(at) => kept.end(new, self.goals[at as usize..][..n_roles].iter().copied()),
                Kind::Open(at) => {
                    let borders = &self.borders[at as usize..][..=n_roles];
                    let stats = &self.stats[borders[0] as usize..borders[n_roles] as usize];
                    kept.nodes[new as usize].kind = Kind::Open(kept.borders.len() as u32);
                    let first = kept.stats.len() as u32;
                    kept.borders.extend(borders.iter().map(|border| border - borders[0] + first));
                    kept.stats.extend(stats.iter().map(|stat| Stat { child: NONE, ..*stat }));
                }
            }
            if parent != NONE {
                kept.link(new);
            }
        }
        Some(kept)
    }

    /// The caller adds the places of the moves.
    fn push(&mut self, state: S, state_bytes: usize, parent: u32) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { state, visits: 0, parent, kind: Kind::Leaf });
        self.state_bytes += state_bytes;
        node
    }

    /// Lets the parent know its child.
    fn link(&mut self, child: u32) {
        let parent = self.nodes[child as usize].parent;
        let Kind::Open(open) = self.kind(parent) else { unreachable!("only open nodes have children") };
        match self.only_chooser(open) {
            Some(role) => {
                let place = self.places_of(child)[role];
                let at = self.borders[open as usize + role] + place;
                self.stats[at as usize].child = child;
            }
            None => {
                let (nodes, places, n_roles) = (&self.nodes, &self.places, self.n_roles);
                let key = |child: u32| {
                    let places = &places[child as usize * n_roles..][..n_roles];
                    hash(nodes[child as usize].parent, places.iter().copied())
                };
                self.joint.insert_unique(key(child), child, |&child| key(child));
            }
        }
    }

    fn places_of(&self, node: u32) -> &[u32] {
        &self.places[node as usize * self.n_roles..][..self.n_roles]
    }

    /// The one role that has more than one move, or any role if none has.
    fn only_chooser(&self, open: u32) -> Option<usize> {
        let borders = &self.borders[open as usize..][..=self.n_roles];
        let mut choosers = (0..self.n_roles).filter(|&role| borders[role + 1] - borders[role] > 1);
        match (choosers.next(), choosers.next()) {
            (Some(role), None) => Some(role),
            (None, _) => Some(0),
            (Some(_), Some(_)) => None,
        }
    }
}

fn hash(parent: u32, places: impl Iterator<Item = u32>) -> u64 {
    let mix = |hash: u64, part: u32| {
        let product = u128::from(hash ^ u64::from(part)) * 0x9e37_79b9_7f4a_7c15;
        (product >> 64) as u64 ^ product as u64
    };
    places.fold(mix(0x243f_6a88_85a3_08d3, parent), mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(n: usize) -> Vec<MoveId> {
        (0..n).map(MoveId::new).collect()
    }

    /// Two roles with two and three moves, all six children.
    fn tree() -> Tree<&'static str> {
        let mut tree = Tree::new(2, "root", 4);
        tree.open(ROOT, &ids(5), &[0, 2, 5]);
        for (own, name) in ["a", "b"].iter().enumerate() {
            for other in 0..3 {
                let state = ["a0", "a1", "a2", "b0", "b1", "b2"][own * 3 + other];
                assert!(state.starts_with(name));
                let chosen = [own as u32, 2 + other as u32];
                assert_eq!(tree.child(ROOT, 0, &chosen), None);
                let child = tree.add(ROOT, 0, &chosen, state, 2);
                tree.visit(child);
                tree.count(ROOT, &chosen, &[100, 0]);
            }
        }
        tree
    }

    #[test]
    fn children_are_found_by_joint_moves() {
        let tree = tree();
        assert_eq!(tree.node(tree.child(ROOT, 0, &[1, 3]).expect("it was added")).state, "b1");
        assert_eq!(tree.node(ROOT).visits, 6);
        assert_eq!((tree.stat(1).visits, tree.stat(3).visits), (3, 2));
        assert_eq!((tree.stat(1).mean(), tree.stat(3).mean()), (100.0, 0.0));
    }

    #[test]
    fn a_new_root_keeps_what_is_below_it() {
        let mut tree = tree();
        let before = tree.bytes();
        let root = tree.child(ROOT, 0, &[1, 3]).expect("it was added");
        tree.open(root, &ids(4), &[0, 3, 4]);
        let Kind::Open(open) = tree.kind(root) else { panic!("it was opened") };
        let first = tree.stats_of(open, 0).start as u32;
        let child = tree.add(root, open, &[first + 2, first + 3], "b1-2", 4);
        tree.end(child, [70, 30].into_iter());
        tree.count(root, &[first + 2, first + 3], &[70, 30]);
        let tree = tree.reroot(root, |state| state.len(), |_| true).expect("it goes on");
        assert_eq!((tree.len(), tree.node(ROOT).state, tree.node(ROOT).visits), (2, "b1", 2));
        assert!(tree.bytes() < before);
        let Kind::Open(open) = tree.kind(ROOT) else { panic!("it was open") };
        assert_eq!(tree.stat(tree.stats_of(open, 0).start + 2).mean(), 70.0);
        let child = tree.child(ROOT, open, &[2, 3]).expect("it was kept");
        let Kind::End(at) = tree.kind(child) else { panic!("it was an end") };
        assert_eq!(tree.goals(at), [70, 30]);
    }

    #[test]
    fn what_was_never_tried_comes_first() {
        let mut tree = Tree::new(1, (), 0);
        tree.open(ROOT, &ids(3), &[0, 3]);
        let mut generator = MoveGenerator::new(1);
        let mut tried = [false; 3];
        for _ in 0..3 {
            let at = tree.select(0, 0, 50.0, &mut generator);
            assert!(!std::mem::replace(&mut tried[at], true));
            tree.count(ROOT, &[at as u32], &[if at == 1 { 100 } else { 0 }]);
        }
        assert_eq!(tree.select(0, 0, 50.0, &mut generator), 1);
        (0..40).for_each(|_| tree.count(ROOT, &[1], &[0]));
        assert_ne!(tree.select(0, 0, 50.0, &mut generator), 1);
    }
}
