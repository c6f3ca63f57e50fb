//! Eviction: memory is bounded, and each step does a bounded amount of work.
//!
//! Nodes count their references: the moves that lead to them, and the root. A node is removed, and its place given to another,
//! when nothing refers to it; so no move ever leads to a wrong position. Nodes of visits under way stay, with their moves.
//!
//! When the tree is full, nodes without references are removed first, and then what they alone referred to. Where there are
//! none left, a hand goes round all nodes as in the clock algorithm (Corbató 1968) and takes the moves of those that are worth
//! the least, with their references. It takes them whether or not anything refers to the node, so that positions that lead
//! back to themselves do not keep each other alive. What is worth little is decided by how much the last lap of the hand freed.
//! What is proved of a position stays with its node.

use super::moves::Moves;
use super::tree::{Node, Tree};
use std::hash::Hash;

#[cfg(test)]
mod tests;

/// Work of a step: nodes to look at, references to take back. At 0.1 µs each, for two misses of the cache, half a
/// millisecond.
const WORK: usize = 4_096;
/// No step is more work than this, unless a position takes more than a megabyte.
#[cfg(test)]
const MOST_WORK: usize = 2 * WORK + 2 * super::moves::PART;
/// Work to remove a node, which has a state and an entry in the table.
const WORK_OF_REMOVAL: usize = 4;
/// To give back so many bytes is work, too: the system takes their pages away, and new ones have to be touched. A position
/// with hundreds of legal moves takes tens of kilobytes.
const BYTES_OF_WORK: usize = 256;
/// In a lap the hand should free between so many eighths of the memory. The rest is what proved to be worth enough; with less
/// than this for new positions, most of them would be removed before they are visited again.
const EIGHTHS_FREED: std::ops::Range<usize> = 4..6;
/// An age is so many paths for each node.
const PATHS_OF_AGE: u32 = 4;
/// All positions are worth less than this.
const MOST_THRESHOLD: u32 = 1 << 31;

/// What is to be removed next.
#[derive(Default)]
pub(super) struct Eviction {
    /// Nodes that lost their last reference. They may have a new one, or be removed already.
    unreferenced: Vec<u32>,
    /// Moves that were taken from their nodes, and refer to others still.
    discarded: Vec<Discarded>,
    /// The place the hand is at, and the shard of its moves.
    hand: (usize, usize),
    /// Bytes that were freed since the hand was at the first place.
    freed: usize,
    /// Moves of nodes that are worth less are taken.
    threshold: u32,
    /// What could not be removed when all was tried.
    least_bytes: usize,
}

/// Moves without a node.
struct Discarded {
    moves: Moves,
    /// What they counted for in the memory of the tree.
    bytes: usize,
    /// The first of them that still has its reference.
    next: usize,
}

impl Eviction {
    /// Another root: what could not be removed may be removed now.
    pub(super) fn begin_anew(&mut self) {
        self.least_bytes = 0;
    }
}

impl<S: Clone + Eq + Hash> Tree<S> {
    /// Whether the tree takes more than so much memory, and more than what could not be removed the last time.
    pub(crate) fn is_full(&self, most_bytes: usize) -> bool {
        let least = self.eviction.least_bytes;
        self.bytes > most_bytes.max(least + least / 4)
    }

    /// Evicts until the tree is not full or enough work is done for once.
    pub(crate) fn evict(&mut self, most_bytes: usize) {
        self.timed(|tree| tree.evict_in_step(most_bytes));
    }

    /// Returns the work that was done.
    fn evict_in_step(&mut self, most_bytes: usize) -> usize {
        let mut work = 0;
        while work < WORK && self.is_full(most_bytes) {
            work += if let Some(node) = self.eviction.unreferenced.pop() {
                self.remove_if_unreferenced(node)
            } else if let Some(discarded) = self.eviction.discarded.pop() {
                self.release_part(discarded)
            } else {
                self.move_hand()
            };
        }
        work
    }

    /// Takes the moves of a position away: what is known of them is lost, what is proved stays.
    pub(crate) fn forget_moves(&mut self, node: u32) {
        let node = &mut self.nodes[node as usize];
        if let Some(moves) = node.moves.take() {
            node.has_refuted = false;
            let bytes = moves.bytes();
            self.eviction.discarded.push(Discarded { moves, bytes, next: 0 });
        }
    }

    /// Takes a reference to a node back.
    pub(super) fn release(&mut self, node: u32) {
        let references = &mut self.nodes[node as usize].references;
        *references -= 1;
        if *references == 0 {
            self.eviction.unreferenced.push(node);
        }
    }

    fn remove_if_unreferenced(&mut self, at: u32) -> usize {
        let node = &self.nodes[at as usize];
        if node.is_free() || node.references > 0 || node.waiting > 0 {
            return 1;
        }
        self.remove(at);
        self.eviction.freed += self.node_bytes();
        WORK_OF_REMOVAL
    }

    /// Takes the references of some discarded moves back.
    fn release_part(&mut self, mut discarded: Discarded) -> usize {
        let mut work = 1;
        let has_more = discarded.moves.take_part(&mut discarded.next, |child| {
            work += 1;
            self.release(child);
        });
        if has_more {
            self.eviction.discarded.push(discarded);
        } else {
            self.bytes -= discarded.bytes;
            self.eviction.freed += discarded.bytes;
            work += discarded.bytes / BYTES_OF_WORK;
        }
        work
    }

    /// Looks at the node under the hand, or a part of its moves.
    fn move_hand(&mut self) -> usize {
        let (at, shard) = self.eviction.hand;
        if at >= self.nodes.len() {
            self.end_lap();
            return 1;
        }
        self.eviction.hand = (at + 1, 0);
        let node = &self.nodes[at];
        if node.is_free() {
            return 1;
        }
        if node.references == 0 {
            return self.remove_if_unreferenced(at as u32);
        }
        let Some(moves) = &node.moves else { return 1 };
        let can_be_taken = node.waiting == 0 && at as u32 != self.root;
        if can_be_taken && self.worth(node) < self.eviction.threshold() {
            self.forget_moves(at as u32);
            return 1;
        }
        if shard >= moves.n_shards() {
            return 1;
        }
        self.eviction.hand = (at, shard + 1);
        self.forget_tried(at, shard)
    }

    /// Forgets what follows moves if it is worth little, in a shard of those that remember only what was tried.
    fn forget_tried(&mut self, at: usize, shard: usize) -> usize {
        let Some(mut moves) = self.nodes[at].moves.take() else { return 1 };
        let (mut work, mut forgotten) = (1, Vec::new());
        let bytes = moves.bytes();
        moves.retain_tried(shard, |child| {
            let node = &self.nodes[child as usize];
            let is_kept = node.waiting > 0 || self.worth(node) >= self.eviction.threshold();
            work += 1;
            if !is_kept {
                forgotten.push(child);
            }
            is_kept
        });
        let freed = bytes - moves.bytes();
        self.bytes -= freed;
        self.eviction.freed += freed;
        self.nodes[at].moves = Some(moves);
        forgotten.into_iter().for_each(|child| self.release(child));
        work
    }

    /// What a node is worth to the search: its visits, halved for each age that passed since the last one. Positions that are
    /// not visited any more are worth nothing after a while, in cycles too.
    fn worth(&self, node: &Node<S>) -> u32 {
        let paths_of_age = (self.nodes.len() as u32).saturating_mul(PATHS_OF_AGE);
        let age = self.path.wrapping_sub(node.path) / paths_of_age;
        node.visits.min(MOST_THRESHOLD - 1).checked_shr(age).unwrap_or(0)
    }

    /// Decides what is worth little in the next lap.
    fn end_lap(&mut self) {
        let freed = std::mem::take(&mut self.eviction.freed);
        let threshold = self.eviction.threshold();
        let eighth = self.bytes / 8;
        if freed == 0 && threshold == MOST_THRESHOLD {
            self.eviction.least_bytes = self.bytes;
        }
        self.eviction.threshold = match freed {
            _ if freed < EIGHTHS_FREED.start * eighth => MOST_THRESHOLD.min(threshold.saturating_mul(2)),
            _ if freed >= EIGHTHS_FREED.end * eighth => threshold / 2,
            _ => threshold,
        };
        self.eviction.hand = (0, 0);
    }
}

impl Eviction {
    /// Positions that were visited once are worth little in any case.
    fn threshold(&self) -> u32 {
        self.threshold.max(2)
    }
}

impl<S> Node<S> {
    /// Whether its place is free for another.
    pub(super) fn is_free(&self) -> bool {
        self.state.is_none() && !self.is_over
    }
}
