//! The playing net with a column for each source: what it adds to the counters when it comes on.
//!
//! Counters are grouped by sixteen. A column has the groups in which it is not zero, so that one addition counts an
//! operand of up to sixteen gates, and one comparison tells which of sixteen gates are on.

use crate::layout::{Laid, Layout, Packing};
use crate::propagation::Net;
use senet_circuit::Circuit;
use std::ops::Range;
use wide::u8x16;

/// How many counters a group has.
pub(crate) const GROUP: usize = 16;

/// The additions of a source.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Column {
    pub(crate) first: u32,
    pub(crate) end: u32,
}

/// What is added to a group of counters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addition {
    pub(crate) group: u32,
    pub(crate) to_counts: u8x16,
}

/// Where a word of answers is and where it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    /// The first of its groups.
    pub(crate) group: u32,
    /// The word of the reader.
    pub(crate) word: u32,
    /// Which answers are the negation of what is counted.
    pub(crate) inverted: u64,
}

/// Gates, and what changes their counters.
#[derive(Clone, Debug)]
pub(crate) struct ColumnNet {
    pub(crate) layout: Layout,
    /// By source: its column, a part of the additions.
    pub(crate) columns: Vec<Column>,
    pub(crate) additions: Vec<Addition>,
    /// How many operands are off when all sources are.
    pub(crate) counts: Vec<u8x16>,
    /// Whether the match is over.
    pub(crate) terminal: Vec<Read>,
    /// By guard, then without a guard: the legal moves of all roles.
    pub(crate) legal: Vec<Vec<Read>>,
    /// By role: the words of its legal moves.
    pub(crate) legal_words: Vec<Range<usize>>,
    /// By guard, then without a guard: the next state.
    pub(crate) next: Vec<Vec<Read>>,
    /// By block of loops: what its loops become.
    pub(crate) requests: Vec<Vec<Read>>,
}

impl Net for ColumnNet {
    fn new(circuit: &Circuit) -> ColumnNet {
        let laid = Laid::new(circuit, Packing { unit: GROUP, is_independent: true });
        let reader = Reader::new(&laid);
        let outputs = &laid.layout.outputs;
        let mut n_legal_words = 0;
        let legal_words = outputs.legal.iter().map(|words| {
            n_legal_words += words.n_words;
            n_legal_words - words.n_words..n_legal_words
        });
        let legal_words: Vec<Range<usize>> = legal_words.collect();
        let legal = (0..=laid.layout.guards.len()).map(|guard| {
            let mut reads = Vec::new();
            for (words, to) in outputs.legal.iter().zip(&legal_words) {
                for &first in words.guarded.get(guard).into_iter().chain([&words.free]) {
                    reads.extend(reader.reads(first, words.n_words, to.start));
                }
            }
            reads
        });
        let n_state_words = laid.layout.n_fluents.div_ceil(64);
        let next = outputs.next.iter().map(|&first| reader.reads(first, n_state_words, 0));
        let requests = laid
            .layout
            .blocks
            .iter()
            .map(|block| reader.reads(block.requests.start, block.requests.len(), block.first_loop_word));
        let (columns, additions) = columns(&laid);
        ColumnNet {
            columns,
            additions,
            counts: counts(&laid),
            terminal: reader.reads(outputs.terminal, 1, 0),
            legal: legal.collect(),
            next: next.collect(),
            requests: requests.collect(),
            legal_words,
            layout: laid.layout,
        }
    }
}

/// The counters when all sources are off. Places that are not used are never on.
fn counts(laid: &Laid) -> Vec<u8x16> {
    let mut counts = vec![1; laid.layout.n_counters];
    for counted in &laid.counted {
        counts[counted.number] = counted.n_off() as u8;
    }
    let (groups, _) = counts.as_chunks::<GROUP>();
    groups.iter().map(|&group| u8x16::new(group)).collect()
}

/// By source: its column; and the additions of all columns.
fn columns(laid: &Laid) -> (Vec<Column>, Vec<Addition>) {
    let entries = laid.counted.iter().flat_map(|counted| {
        let of = |&(source, is_negated): &(usize, bool)| (source, counted.number, is_negated);
        counted.operands.iter().map(of)
    });
    let mut entries: Vec<(usize, usize, bool)> = entries.collect();
    entries.sort_unstable();
    let (mut columns, mut additions) = (vec![Column::default(); laid.layout.n_sources], Vec::new());
    for column in entries.chunk_by(|left, right| left.0 == right.0) {
        let first = additions.len() as u32;
        for same in column.chunk_by(|left, right| left.1 / GROUP == right.1 / GROUP) {
            let mut to_counts = [0_u8; GROUP];
            for &(_, number, is_negated) in same {
                let count = &mut to_counts[number % GROUP];
                *count = if is_negated { count.wrapping_add(1) } else { count.wrapping_sub(1) };
            }
            additions.push(Addition { group: (same[0].1 / GROUP) as u32, to_counts: u8x16::new(to_counts) });
        }
        columns[column[0].0] = Column { first, end: additions.len() as u32 };
    }
    (columns, additions)
}

/// Finds answers.
struct Reader {
    /// The group of the first answer.
    first: usize,
    /// By word of answers: whether there are any, and which are inverted.
    is_used: Vec<bool>,
    inverted: Vec<u64>,
}

impl Reader {
    fn new(laid: &Laid) -> Reader {
        let first_answer = laid.layout.first_answer;
        let n_words = laid.layout.outputs.n_words;
        let mut reader =
            Reader { first: first_answer / GROUP, is_used: vec![false; n_words], inverted: vec![0; n_words] };
        for number in laid.counted.iter().map(|counted| counted.number) {
            if number >= first_answer {
                reader.is_used[(number - first_answer) / 64] = true;
            }
        }
        for bit in laid.inverted.iter().map(|number| number - first_answer) {
            reader.is_used[bit / 64] = true;
            reader.inverted[bit / 64] ^= 1 << (bit % 64);
        }
        reader
    }

    /// Those of some words that have answers.
    fn reads(&self, first: usize, n_words: usize, to: usize) -> Vec<Read> {
        let here = (0..n_words).filter(|at| self.is_used[first + at]);
        let read = |at: usize| Read {
            group: (self.first + (first + at) * 64 / GROUP) as u32,
            word: (to + at) as u32,
            inverted: self.inverted[first + at],
        };
        here.map(read).collect()
    }
}
