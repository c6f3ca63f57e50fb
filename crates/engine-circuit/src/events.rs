//! One state in the playing net: what changes is propagated, the rest stays.

use crate::event_net::{EventNet, Segment};

/// A source of the block changed so that loops can only come on.
const RISEN: u8 = 1;
/// A source of the block changed so that loops may go off.
const FALLEN: u8 = 2;
/// Of so many gates that use a source, changed or not, each is written: that is faster than guessing which changed. Of
/// more, most do not change.
const SHORT: usize = 48;
/// A role that has not moved.
const NO_MOVE: u32 = u32::MAX;

/// The values of all gates for one state and the moves last played.
#[derive(Clone, Debug)]
pub(crate) struct Events {
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

impl Events {
    /// The state in which nothing holds, and no moves.
    pub(crate) fn new(net: &EventNet) -> Events {
        Events {
            counts: net.counts.clone(),
            bits: net.bits.clone(),
            state: vec![0; net.n_fluents.div_ceil(64)],
            guard: net.guards.len(),
            moves: vec![NO_MOVE; net.outputs.legal.len()],
            loops: vec![0; net.outputs.n_words - net.outputs.first_loop],
            touched: vec![RISEN; net.blocks.len()],
            waiting: Vec::new(),
            next: vec![0; net.n_fluents.div_ceil(64)],
        }
    }

    /// Becomes the same as another of the same net.
    pub(crate) fn copy_from(&mut self, other: &Events) {
        self.counts.copy_from_slice(&other.counts);
        self.bits.copy_from_slice(&other.bits);
        self.state.copy_from_slice(&other.state);
        self.guard = other.guard;
        self.moves.copy_from_slice(&other.moves);
        self.loops.copy_from_slice(&other.loops);
        self.touched.copy_from_slice(&other.touched);
    }

    /// The state whose values these are.
    pub(crate) fn state(&self) -> &[u64] {
        &self.state
    }

    /// Goes to a state.
    pub(crate) fn enter(&mut self, net: &EventNet, state: &[u64]) {
        self.next.copy_from_slice(state);
        self.go_to_next(net);
    }

    /// Goes to the state after the moves that were played.
    pub(crate) fn advance(&mut self, net: &EventNet) {
        // Fluents change the answers at once: all answers are read before the first changes.
        let first = net.first_answer + net.outputs.next[self.guard];
        self.next.copy_from_slice(&self.bits[first..first + self.state.len()]);
        self.go_to_next(net);
    }

    #[inline]
    fn go_to_next(&mut self, net: &EventNet) {
        for word in 0..self.state.len() {
            self.change_fluents(net, word, self.next[word]);
        }
        let holds = |&fluent: &usize| self.state[fluent / 64] >> (fluent % 64) & 1 == 1;
        self.guard = net.guards.iter().position(holds).unwrap_or(net.guards.len());
        self.settle(net, &net.state_segments[self.guard]);
    }

    /// Plays the move of a role. Moves are numbered over all roles.
    #[inline]
    pub(crate) fn play(&mut self, net: &EventNet, role: usize, choice: usize) {
        let before = std::mem::replace(&mut self.moves[role], choice as u32);
        if before != choice as u32 {
            self.flip(net, net.first_move + choice, true);
            if before != NO_MOVE {
                self.flip(net, net.first_move + before as usize, false);
            }
        }
    }

    /// After the moves of all roles: computes the next state.
    pub(crate) fn settle_next(&mut self, net: &EventNet) {
        self.settle(net, &net.next_segments[self.guard]);
    }

    /// The state after the moves that were played.
    pub(crate) fn next<'v>(&'v self, net: &EventNet) -> &'v [u64] {
        let first = net.first_answer + net.outputs.next[self.guard];
        &self.bits[first..first + self.state.len()]
    }

    #[inline]
    pub(crate) fn is_terminal(&self, net: &EventNet) -> bool {
        self.bits[net.first_answer + net.outputs.terminal] & 1 == 1
    }

    /// The legal moves of a role in words: what is on in the one or the other is legal.
    #[inline]
    pub(crate) fn legal(&self, net: &EventNet, role: usize) -> (&[u64], &[u64]) {
        let words = &net.outputs.legal[role];
        let from = |first: usize| {
            let first = net.first_answer + first;
            &self.bits[first..first + words.n_words]
        };
        let free = from(words.free);
        (free, words.guarded.get(self.guard).map_or(free, |&first| from(first)))
    }

    /// Whether a source is on that the state tells: a gate, a fluent or a loop.
    #[inline]
    pub(crate) fn is_on(&self, net: &EventNet, source: usize) -> bool {
        let is_on = |words: &[u64], at: usize| words[at / 64] >> (at % 64) & 1 == 1;
        if source < net.first_fluent {
            self.counts[source] == 0
        } else if source < net.first_loop {
            is_on(&self.state, source - net.first_fluent)
        } else {
            is_on(&self.loops, source - net.first_loop)
        }
    }

    #[inline]
    fn change_fluents(&mut self, net: &EventNet, word: usize, to: u64) {
        let mut changed = std::mem::replace(&mut self.state[word], to) ^ to;
        while changed != 0 {
            let bit = changed.trailing_zeros();
            changed &= changed - 1;
            self.flip(net, net.first_fluent + 64 * word + bit as usize, to >> bit & 1 == 1);
        }
    }

    /// Tells the gates that use a source that it changed.
    #[inline]
    fn flip(&mut self, net: &EventNet, source: usize, is_on: bool) {
        let gates = &net.fanout[net.first[source] as usize..net.first[source + 1] as usize];
        if gates.len() > SHORT {
            let (plain, negated) = gates.split_at(gates.partition_point(|entry| entry & 1 == 0));
            self.count_all(plain, is_on);
            self.count_all(negated, !is_on);
        } else {
            for &entry in gates {
                let (gate, has_changed) = self.count(entry, is_on);
                self.bits[gate / 64] ^= u64::from(has_changed) << (gate % 64);
            }
        }
        if !net.first_touch.is_empty() {
            self.touch(net, source, is_on);
        }
    }

    /// Counts an operand that came on or went off; whether the gate changed by that.
    #[inline]
    fn count(&mut self, entry: u32, is_on: bool) -> (usize, bool) {
        let gate = (entry >> 1) as usize;
        let operand = u8::from(is_on) ^ (entry & 1) as u8;
        let count = &mut self.counts[gate];
        *count = count.wrapping_add(1).wrapping_sub(2 * operand);
        // Changed: none is off now, or one is off and was the first.
        (gate, *count ^ operand == 1)
    }

    /// Counts the same operand of many gates.
    fn count_all(&mut self, entries: &[u32], is_on: bool) {
        let (step, edge) = if is_on { (u8::MAX, 0) } else { (1, 1) };
        for &entry in entries {
            let gate = (entry >> 1) as usize;
            let count = &mut self.counts[gate];
            *count = count.wrapping_add(step);
            if *count == edge {
                self.bits[gate / 64] ^= 1 << (gate % 64);
            }
        }
    }

    fn touch(&mut self, net: &EventNet, source: usize, is_on: bool) {
        for touch in &net.touches[net.first_touch[source] as usize..net.first_touch[source + 1] as usize] {
            let rises = if is_on { touch.rises_when_on } else { touch.rises_when_off };
            self.touched[touch.block as usize] |= if rises { RISEN } else { FALLEN };
        }
    }

    fn settle(&mut self, net: &EventNet, segments: &[Segment]) {
        for segment in segments {
            match segment {
                Segment::Gates(words) => self.sweep(net, words.clone()),
                Segment::Block(block) => self.settle_block(net, *block),
            }
        }
    }

    /// Looks at the gates of these words that changed, in order.
    #[inline]
    fn sweep(&mut self, net: &EventNet, words: std::ops::Range<usize>) {
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
    fn settle_block(&mut self, net: &EventNet, block: usize) {
        let touched = std::mem::take(&mut self.touched[block]);
        if touched == 0 {
            return;
        }
        let block = &net.blocks[block];
        let n_words = block.requests.len();
        if touched & FALLEN != 0 {
            for word in block.first_loop_word..block.first_loop_word + n_words {
                let mut on = std::mem::take(&mut self.loops[word]);
                while on != 0 {
                    let source = net.first_loop + 64 * word + on.trailing_zeros() as usize;
                    on &= on - 1;
                    self.flip(net, source, false);
                }
            }
        }
        self.sweep(net, block.gates.clone());
        for at in 0..n_words {
            let mut wanted = self.bits[block.requests.start + at] & !self.loops[block.first_loop_word + at];
            while wanted != 0 {
                self.waiting.push(64 * (block.requests.start + at) as u32 + wanted.trailing_zeros());
                wanted &= wanted - 1;
            }
        }
        // From here on every gate and loop of the block changes once at most: the order does not matter.
        let gates = 64 * block.gates.start as u32..64 * block.gates.end as u32;
        let requests = 64 * block.requests.start as u32..64 * block.requests.end as u32;
        while let Some(number) = self.waiting.pop() {
            if gates.contains(&number) {
                self.bits[number as usize / 64] ^= 1 << (number % 64);
                let is_on = self.counts[number as usize] == 0;
                self.rise(net, number as usize, is_on, &gates, &requests);
            } else {
                let at = (number - requests.start) as usize + 64 * block.first_loop_word;
                self.loops[at / 64] |= 1 << (at % 64);
                self.rise(net, net.first_loop + at, true, &gates, &requests);
            }
        }
    }

    /// Like [`Self::flip`], and remembers what changed in the block.
    fn rise(
        &mut self,
        net: &EventNet,
        source: usize,
        is_on: bool,
        gates: &std::ops::Range<u32>,
        requests: &std::ops::Range<u32>,
    ) {
        for &entry in &net.fanout[net.first[source] as usize..net.first[source + 1] as usize] {
            let (gate, has_changed) = self.count(entry, is_on);
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
