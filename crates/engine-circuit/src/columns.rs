//! Propagation by columns: what changed is added to the counters of sixteen gates at once.

use crate::column_net::{Addition, Column, ColumnNet, GROUP, Read};
use crate::layout::Segment;
use crate::propagation::{NO_MOVE, Propagation};
use std::ops::Range;
use wide::u8x16;

/// The values of all gates for one state and the moves last played.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// By gate and answer: how many operands are off.
    counts: Vec<u8x16>,
    /// By gate: whether it was on when it was looked at.
    seen: Vec<u16>,
    /// The fluents that are on.
    state: Vec<u64>,
    /// The place of the guard that holds, or of none behind the guards.
    guard: usize,
    /// By role: the move that is on.
    moves: Vec<u32>,
    /// The loops that are on.
    loops: Vec<u64>,
    /// What loops become.
    requests: Vec<u64>,
    /// The legal moves of all roles.
    legal: Vec<u64>,
    /// The state after the moves last played.
    next: Vec<u64>,
    is_terminal: bool,
}

impl Propagation for Columns {
    type Net = ColumnNet;

    fn new(net: &ColumnNet) -> Columns {
        let layout = &net.layout;
        Columns {
            counts: net.counts.clone(),
            seen: vec![0; layout.first_answer / GROUP],
            state: vec![0; layout.n_fluents.div_ceil(64)],
            guard: layout.guards.len(),
            moves: vec![NO_MOVE; net.legal_words.len()],
            loops: vec![0; layout.n_loop_words],
            requests: vec![0; layout.n_loop_words],
            legal: vec![0; net.legal_words.last().map_or(0, |words| words.end)],
            next: vec![0; layout.n_fluents.div_ceil(64)],
            is_terminal: false,
        }
    }

    fn copy_from(&mut self, other: &Columns) {
        self.counts.copy_from_slice(&other.counts);
        self.seen.copy_from_slice(&other.seen);
        self.state.copy_from_slice(&other.state);
        self.guard = other.guard;
        self.moves.copy_from_slice(&other.moves);
        self.loops.copy_from_slice(&other.loops);
        self.legal.copy_from_slice(&other.legal);
        self.is_terminal = other.is_terminal;
    }

    #[inline(always)]
    fn state(&self) -> &[u64] {
        &self.state
    }

    #[inline(always)]
    fn enter(&mut self, net: &ColumnNet, state: &[u64]) {
        self.next.copy_from_slice(state);
        self.advance(net);
    }

    #[inline(always)]
    fn advance(&mut self, net: &ColumnNet) {
        let mut counters = Counters::new(net, &mut self.counts);
        for (word, (now, &to)) in self.state.iter_mut().zip(&self.next).enumerate() {
            let changed = std::mem::replace(now, to) ^ to;
            counters.flip_all(net.layout.first_fluent + 64 * word, changed, to);
        }
        let holds = |&fluent: &usize| self.state[fluent / 64] >> (fluent % 64) & 1 == 1;
        self.guard = net.layout.guards.iter().position(holds).unwrap_or(net.layout.guards.len());
        self.settle(net, &net.layout.state_segments[self.guard]);
        read(&self.counts, &net.legal[self.guard], &mut self.legal);
        let mut end = [0];
        read(&self.counts, &net.terminal, &mut end);
        self.is_terminal = end[0] & 1 == 1;
    }

    #[inline(always)]
    fn play(&mut self, net: &ColumnNet, role: usize, choice: usize) {
        let before = std::mem::replace(&mut self.moves[role], choice as u32);
        if before != choice as u32 {
            let mut counters = Counters::new(net, &mut self.counts);
            counters.flip(net.layout.first_move + choice, true);
            if before != NO_MOVE {
                counters.flip(net.layout.first_move + before as usize, false);
            }
        }
    }

    #[inline(always)]
    fn compute_next(&mut self, net: &ColumnNet) -> &[u64] {
        self.settle(net, &net.layout.next_segments[self.guard]);
        read(&self.counts, &net.next[self.guard], &mut self.next);
        &self.next
    }

    #[inline(always)]
    fn is_terminal(&self, _net: &ColumnNet) -> bool {
        self.is_terminal
    }

    #[inline(always)]
    fn legal(&self, net: &ColumnNet, role: usize) -> (&[u64], &[u64]) {
        let words = &self.legal[net.legal_words[role].clone()];
        (words, words)
    }
}

impl Columns {
    #[inline(always)]
    fn settle(&mut self, net: &ColumnNet, segments: &[Segment]) {
        for segment in segments {
            match segment {
                Segment::Gates(groups) => {
                    Counters::new(net, &mut self.counts).sweep(&mut self.seen, groups.clone());
                }
                Segment::Block(block) => self.settle_block(net, *block),
            }
        }
    }

    /// Computes the loops of a block from nothing: the least that their definitions allow.
    fn settle_block(&mut self, net: &ColumnNet, block: usize) {
        let (requests, block) = (&net.requests[block], &net.layout.blocks[block]);
        let words = block.first_loop_word..block.first_loop_word + block.requests.len();
        self.requests.fill(0);
        loop {
            let mut counters = Counters::new(net, &mut self.counts);
            for word in words.clone() {
                let to = self.requests[word];
                let changed = std::mem::replace(&mut self.loops[word], to) ^ to;
                counters.flip_all(net.layout.first_loop + 64 * word, changed, to);
            }
            counters.sweep(&mut self.seen, block.gates.clone());
            read(&self.counts, requests, &mut self.requests);
            if self.requests[words.clone()] == self.loops[words.clone()] {
                break;
            }
        }
    }
}

/// Counters and what changes them. All are slices of their own: what is written into one does not move another.
struct Counters<'n> {
    columns: &'n [Column],
    additions: &'n [Addition],
    counts: &'n mut [u8x16],
}

impl<'n> Counters<'n> {
    #[inline(always)]
    fn new(net: &'n ColumnNet, counts: &'n mut [u8x16]) -> Counters<'n> {
        Counters { columns: &net.columns, additions: &net.additions, counts }
    }

    /// Looks at the gates of these groups that changed, in order. Gates of the same group do not change each other.
    #[inline(always)]
    fn sweep(&mut self, seen: &mut [u16], groups: Range<usize>) {
        let mut rest = groups;
        while let Some((group, on)) = self.next_changed(seen, &mut rest) {
            let changed = std::mem::replace(&mut seen[group], on) ^ on;
            self.flip_all(GROUP * group, u64::from(changed), u64::from(on));
        }
    }

    /// The next of these groups that is not as it was seen, and which of its gates are on.
    #[inline(always)]
    fn next_changed(&self, seen: &[u16], rest: &mut Range<usize>) -> Option<(usize, u16)> {
        let both = self.counts[rest.clone()].iter().zip(&seen[rest.clone()]);
        for (at, (&counts, &seen)) in both.enumerate() {
            let on = on(counts);
            if on != seen {
                let group = rest.start + at;
                rest.start = group + 1;
                return Some((group, on));
            }
        }
        None
    }

    /// Flips sources that changed; `to` says what they are now.
    #[inline(always)]
    fn flip_all(&mut self, first: usize, mut changed: u64, to: u64) {
        while changed != 0 {
            let bit = changed.trailing_zeros();
            changed &= changed - 1;
            self.flip(first + bit as usize, to >> bit & 1 == 1);
        }
    }

    /// Adds the column of a source, or takes it away.
    #[inline(always)]
    fn flip(&mut self, source: usize, is_on: bool) {
        let Column { first, end } = self.columns[source];
        let sign = u8x16::splat(if is_on { 0 } else { u8::MAX });
        for addition in &self.additions[first as usize..end as usize] {
            self.counts[addition.group as usize] += (addition.to_counts ^ sign) - sign;
        }
    }
}

/// Which of these counters are zero.
#[inline(always)]
fn on(counts: u8x16) -> u16 {
    counts.simd_eq(u8x16::splat(0)).to_bitmask() as u16
}

/// Puts answers into words.
#[inline(always)]
fn read(counts: &[u8x16], reads: &[Read], words: &mut [u64]) {
    words.fill(0);
    for read in reads {
        let groups = &counts[read.group as usize..][..64 / GROUP];
        let on = groups.iter().rev().fold(0, |word, &group| word << GROUP | u64::from(on(group)));
        words[read.word as usize] |= on ^ read.inverted;
    }
}
