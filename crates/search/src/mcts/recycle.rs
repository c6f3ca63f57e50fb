//! Memory is bounded: the least visited positions make room.

use super::tree::Tree;
use std::hash::Hash;
use std::time::Duration;

/// What a position costs when room is made, about.
const TIME_A_NODE: Duration = Duration::from_nanos(300);

impl<S: Clone + Eq + Hash> Tree<S> {
    /// Whether the tree takes more than so much memory, and more than what could not be given up the last time.
    pub(crate) fn is_full(&self, most_bytes: usize) -> bool {
        self.bytes > most_bytes.max(self.least_bytes + self.least_bytes / 4)
    }

    /// How much memory the tree may take: no more than what can be gone through in half of the clock, if there is one.
    pub(crate) fn most_bytes(&self, most_bytes: usize, clock: Option<Duration>) -> usize {
        let Some(clock) = clock else { return most_bytes };
        let most_nodes = clock.as_nanos() / (2 * TIME_A_NODE.as_nanos());
        let bytes_a_node = self.bytes / self.len().max(1);
        most_bytes.min(usize::try_from(most_nodes).unwrap_or(usize::MAX).saturating_mul(bytes_a_node))
    }

    /// How long it takes to make room, about.
    pub(crate) fn time_to_recycle(&self) -> Duration {
        TIME_A_NODE * self.nodes.len() as u32
    }

    /// Makes room: positions that were visited the least lose their moves, so that about half of the memory is kept; what
    /// nobody leads to any more is taken away. Visits under way lose nothing.
    pub(crate) fn recycle(&mut self, most_bytes: usize) {
        self.keep_reachable();
        let mut fewest = self.fewest_visits(most_bytes / 2);
        while self.bytes > most_bytes / 2 && fewest < u32::MAX {
            for node in 0..self.nodes.len() as u32 {
                let it = &self.nodes[node as usize];
                if it.visits < fewest && it.waiting == 0 && node != self.root {
                    self.forget_moves(node);
                } else if let Some(mut moves) = self.nodes[node as usize].moves.take() {
                    self.bytes -= moves.bytes();
                    moves.forget_tried(|child| {
                        let child = &self.nodes[child as usize];
                        child.visits >= fewest || child.waiting > 0
                    });
                    self.bytes += moves.bytes();
                    self.nodes[node as usize].moves = Some(moves);
                }
            }
            self.keep_reachable();
            fewest = fewest.saturating_mul(2);
        }
        self.least_bytes = self.bytes;
    }

    /// How many visits a position needs to keep its moves, so that those which do take no more than so much memory. More than
    /// one in any case.
    fn fewest_visits(&self, bytes: usize) -> u32 {
        let mut by_digits = [0; 33];
        for node in &self.nodes {
            if let Some(moves) = &node.moves {
                by_digits[(u32::BITS - node.visits.leading_zeros()) as usize] +=
                    self.node_bytes() + moves.bytes();
            }
        }
        let mut sum = 0;
        for digits in (0..=32).rev() {
            sum += by_digits[digits];
            if sum > bytes {
                return 1_u32.checked_shl(digits as u32).unwrap_or(u32::MAX).max(2);
            }
        }
        2
    }

    /// Takes away all positions to which nothing leads from the root or from a visit under way.
    pub(crate) fn keep_reachable(&mut self) {
        let mut is_kept = vec![false; self.nodes.len()];
        let waits = |node: &u32| self.nodes[*node as usize].waiting > 0;
        let mut queue: Vec<u32> = (0..self.nodes.len() as u32).filter(waits).chain([self.root]).collect();
        queue.iter().for_each(|&node| is_kept[node as usize] = true);
        while let Some(node) = queue.pop() {
            let Some(moves) = &self.nodes[node as usize].moves else { continue };
            for child in moves.children() {
                if !std::mem::replace(&mut is_kept[child as usize], true) {
                    queue.push(child);
                }
            }
        }
        for node in 0..self.nodes.len() as u32 {
            if !is_kept[node as usize] {
                self.remove(node);
            }
        }
    }
}
