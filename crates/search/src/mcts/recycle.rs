//! Memory is bounded: the least visited positions make room.

use super::tree::Tree;
use std::hash::Hash;

impl<S: Clone + Eq + Hash> Tree<S> {
    /// Makes room if the tree takes more than so much memory: positions that were visited the least lose their moves, so
    /// that about half the memory is kept; what nobody leads to any more is taken away. Visits under way lose nothing.
    pub(crate) fn recycle(&mut self, most_bytes: usize) {
        if self.bytes <= most_bytes {
            return;
        }
        self.keep_reachable();
        let mut fewest = 2;
        while self.bytes > most_bytes / 2 {
            for node in 0..self.nodes.len() as u32 {
                let it = &self.nodes[node as usize];
                if it.visits < fewest && it.waiting == 0 && node != self.root {
                    self.forget_moves(node);
                }
            }
            self.keep_reachable();
            // Nothing is left but what has to stay.
            if fewest > 1 << 30 {
                return;
            }
            fewest *= 2;
        }
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
