//! Propagation by lists: each gate that uses what changed is counted by itself.

use crate::layout::Segment;
use crate::list_net::ListNet;
use crate::propagation::{NO_MOVE, Propagation};

/// A source of the block changed so that loops can only come on.
const RISEN: u8 = 1;
/// A source of the block changed so that loops may go off.
const FALLEN: u8 = 2;
/// Of so many gates that use a source, changed or not, each is written: that is faster than guessing which changed. Of
/// more, most do not change.
const SHORT: usize = 48;

/// The values of all gates for one state and the moves last played.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    /// By gate and answer: how many operands are off.
    counts: Vec<u8>,
    /// By gate: whether it changed and was not looked at. By answer: the answer.
    bits: Vec<u64>,
    /// The fluents that are on.
    state: Vec<u64>,
    /// The place of the guard that holds, or of none behind the guards.
    guard: usize,
    /// By role: the move that is on.
    moves: Vec<u32>,
    /// The loops that are on.
    loops: Vec<u64>,
    /// By block: how its sources changed.
    touched: Vec<u8>,
    /// Gates and loops of a block that came on.
    waiting: Vec<u32>,
    /// The state that is being entered.
    next: Vec<u64>,
}

impl Propagation for Lists {
    type Net = ListNet;

    fn new(net: &ListNet) -> Lists {
        let layout = &net.layout;
        Lists {
            counts: net.counts.clone(),
            bits: net.bits.clone(),
            state: vec![0; layout.n_fluents.div_ceil(64)],
            guard: layout.guards.len(),
            moves: vec![NO_MOVE; layout.outputs.legal.len()],
            loops: vec![0; layout.n_loop_words],
            touched: vec![RISEN; layout.blocks.len()],
            waiting: Vec::new(),
            next: vec![0; layout.n_fluents.div_ceil(64)],
        }
    }

    fn copy_from(&mut self, other: &Lists) {
        self.counts.copy_from_slice(&other.counts);
        self.bits.copy_from_slice(&other.bits);
        self.state.copy_from_slice(&other.state);
        self.guard = other.guard;
        self.moves.copy_from_slice(&other.moves);
        self.loops.copy_from_slice(&other.loops);
        self.touched.copy_from_slice(&other.touched);
    }

    #[inline(always)]
    fn state(&self) -> &[u64] {
        &self.state
    }

    #[inline(always)]
    fn enter(&mut self, net: &ListNet, state: &[u64]) {
        self.next.copy_from_slice(state);
        self.go_to_next(net);
    }

    #[inline(always)]
    fn advance(&mut self, net: &ListNet) {
        // Fluents change the answers at once: all answers are read before the first changes.
        let words = self.next_words(net);
        self.next.copy_from_slice(&self.bits[words]);
        self.go_to_next(net);
    }

    #[inline(always)]
    fn play(&mut self, net: &ListNet, role: usize, choice: usize) {
        let before = std::mem::replace(&mut self.moves[role], choice as u32);
        if before != choice as u32 {
            self.flip(net, net.layout.first_move + choice, true);
            if before != NO_MOVE {
                self.flip(net, net.layout.first_move + before as usize, false);
            }
        }
    }

    #[inline(always)]
    fn compute_next(&mut self, net: &ListNet) -> &[u64] {
        self.settle(net, &net.layout.next_segments[self.guard]);
        let words = self.next_words(net);
        &self.bits[words]
    }

    #[inline(always)]
    fn is_terminal(&self, net: &ListNet) -> bool {
        self.bits[net.layout.first_answer / 64 + net.layout.outputs.terminal] & 1 == 1
    }

    #[inline(always)]
    fn legal(&self, net: &ListNet, role: usize) -> (&[u64], &[u64]) {
        let words = &net.layout.outputs.legal[role];
        let from = |first: usize| {
            let first = net.layout.first_answer / 64 + first;
            &self.bits[first..first + words.n_words]
        };
        let free = from(words.free);
        (free, words.guarded.get(self.guard).map_or(free, |&first| from(first)))
    }
}

impl Lists {
    /// The words of the state after the moves that were played.
    #[inline(always)]
    fn next_words(&self, net: &ListNet) -> std::ops::Range<usize> {
        let first = net.layout.first_answer / 64 + net.layout.outputs.next[self.guard];
        first..first + self.state.len()
    }

    #[inline(always)]
    fn go_to_next(&mut self, net: &ListNet) {
        for word in 0..self.state.len() {
            self.change_fluents(net, word, self.next[word]);
        }
        let holds = |&fluent: &usize| self.state[fluent / 64] >> (fluent % 64) & 1 == 1;
        self.guard = net.layout.guards.iter().position(holds).unwrap_or(net.layout.guards.len());
        self.settle(net, &net.layout.state_segments[self.guard]);
    }

    #[inline(always)]
    fn change_fluents(&mut self, net: &ListNet, word: usize, to: u64) {
        let mut changed = std::mem::replace(&mut self.state[word], to) ^ to;
        while changed != 0 {
            let bit = changed.trailing_zeros();
            changed &= changed - 1;
            self.flip(net, net.layout.first_fluent + 64 * word + bit as usize, to >> bit & 1 == 1);
        }
    }

    /// Tells the gates that use a source that it changed.
    #[inline(always)]
    fn flip(&mut self, net: &ListNet, source: usize, is_on: bool) {
        let gates = &net.fanout[net.first[source] as usize..net.first[source + 1] as usize];
        // Slices of their own: what is written into one does not move the other.
        let (counts, bits) = (&mut self.counts[..], &mut self.bits[..]);
        if gates.len() > SHORT {
            let (plain, negated) = gates.split_at(gates.partition_point(|entry| entry & 1 == 0));
            count_all(counts, bits, plain, is_on);
            count_all(counts, bits, negated, !is_on);
        } else {
            for &entry in gates {
                let (gate, has_changed) = count(counts, entry, is_on);
                bits[gate / 64] ^= u64::from(has_changed) << (gate % 64);
            }
        }
        if !net.first_touch.is_empty() {
            self.touch(net, source, is_on);
        }
    }

    fn touch(&mut self, net: &ListNet, source: usize, is_on: bool) {
        for touch in &net.touches[net.first_touch[source] as usize..net.first_touch[source + 1] as usize] {
            let rises = if is_on { touch.rises_when_on } else { touch.rises_when_off };
            self.touched[touch.block as usize] |= if rises { RISEN } else { FALLEN };
        }
    }

    #[inline(always)]
    fn settle(&mut self, net: &ListNet, segments: &[Segment]) {
        for segment in segments {
            match segment {
                Segment::Gates(words) => self.sweep(net, words.clone()),
                Segment::Block(block) => self.settle_block(net, *block),
            }
        }
    }

    /// Looks at the gates of these words that changed, in order.
    #[inline(always)]
    fn sweep(&mut self, net: &ListNet, words: std::ops::Range<usize>) {
        for word in words {
            // Gates of the same word may change each other: the word is read again for each.
            while self.bits[word] != 0 {
                let changed = self.bits[word];
                let gate = 64 * word + changed.trailing_zeros() as usize;
                self.bits[word] = changed & (changed - 1);
                self.flip(net, gate, self.counts[gate] == 0);
            }
        }
    }

    /// Computes the loops of a block: the least that their definitions allow.
    fn settle_block(&mut self, net: &ListNet, block: usize) {
        let touched = std::mem::take(&mut self.touched[block]);
        if touched == 0 {
            return;
        }
        let block = &net.layout.blocks[block];
        let first_request = net.layout.first_answer / 64 + block.requests.start;
        let n_words = block.requests.len();
        if touched & FALLEN != 0 {
            for word in block.first_loop_word..block.first_loop_word + n_words {
                let mut on = std::mem::take(&mut self.loops[word]);
                while on != 0 {
                    let source = net.layout.first_loop + 64 * word + on.trailing_zeros() as usize;
                    on &= on - 1;
                    self.flip(net, source, false);
                }
            }
        }
        self.sweep(net, block.gates.clone());
        for at in 0..n_words {
            let mut wanted = self.bits[first_request + at] & !self.loops[block.first_loop_word + at];
            while wanted != 0 {
                self.waiting.push(64 * (first_request + at) as u32 + wanted.trailing_zeros());
                wanted &= wanted - 1;
            }
        }
        // From here on every gate and loop of the block changes once at most: the order does not matter.
        let gates = 64 * block.gates.start as u32..64 * block.gates.end as u32;
        let requests = 64 * first_request as u32..64 * (first_request + n_words) as u32;
        while let Some(number) = self.waiting.pop() {
            if gates.contains(&number) {
                self.bits[number as usize / 64] ^= 1 << (number % 64);
                let is_on = self.counts[number as usize] == 0;
                self.rise(net, number as usize, is_on, &gates, &requests);
            } else {
                let at = (number - requests.start) as usize + 64 * block.first_loop_word;
                self.loops[at / 64] |= 1 << (at % 64);
                self.rise(net, net.layout.first_loop + at, true, &gates, &requests);
            }
        }
    }

    /// Like [`Self::flip`], and remembers what changed in the block.
    fn rise(
        &mut self,
        net: &ListNet,
        source: usize,
        is_on: bool,
        gates: &std::ops::Range<u32>,
        requests: &std::ops::Range<u32>,
    ) {
        for &entry in &net.fanout[net.first[source] as usize..net.first[source + 1] as usize] {
            let (gate, has_changed) = count(&mut self.counts, entry, is_on);
            if has_changed {
                self.bits[gate / 64] ^= 1 << (gate % 64);
                let gate = gate as u32;
                if gates.contains(&gate) || requests.contains(&gate) {
                    self.waiting.push(gate);
                }
            }
        }
        self.touch(net, source, is_on);
    }
}

/// Counts an operand that came on or went off; whether the gate changed by that.
#[inline(always)]
fn count(counts: &mut [u8], entry: u32, is_on: bool) -> (usize, bool) {
    let gate = (entry >> 1) as usize;
    let operand = u8::from(is_on) ^ (entry & 1) as u8;
    let count = &mut counts[gate];
    *count = count.wrapping_add(1).wrapping_sub(2 * operand);
    // Changed: none is off now, or one is off and was the first.
    (gate, *count ^ operand == 1)
}

/// Counts the same operand of many gates.
#[inline(always)]
fn count_all(counts: &mut [u8], bits: &mut [u64], entries: &[u32], is_on: bool) {
    let (step, edge) = if is_on { (u8::MAX, 0) } else { (1, 1) };
    for &entry in entries {
        let gate = (entry >> 1) as usize;
        let count = &mut counts[gate];
        *count = count.wrapping_add(step);
        if *count == edge {
            bits[gate / 64] ^= 1 << (gate % 64);
        }
    }
}
