//! Where the answers of the playing net are: words of bits behind the gates.

use crate::guard::Guards;
use senet_circuit::Circuit;
use std::ops::Range;

/// Where the legal moves of a role are.
#[derive(Clone, Debug)]
pub(crate) struct LegalWords {
    pub(crate) n_words: usize,
    /// The first word of the moves that are the same under all guards.
    pub(crate) free: usize,
    /// By guard: the first word of the other moves.
    pub(crate) guarded: Vec<usize>,
}

/// Words of answers, counted from the first.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    pub(crate) terminal: usize,
    /// By role.
    pub(crate) legal: Vec<LegalWords>,
    /// By guard, then without a guard: the first word of the next state.
    pub(crate) next: Vec<usize>,
    /// By block of loops: which words say what its loops become.
    pub(crate) blocks: Vec<Range<usize>>,
    /// The first word for loops: where the first block begins.
    pub(crate) first_loop: usize,
    pub(crate) n_words: usize,
}

impl Outputs {
    pub(crate) fn new(circuit: &Circuit, guards: &Guards) -> Outputs {
        let mut n_words = 0;
        let mut take = |n: usize| {
            n_words += n;
            n_words - n
        };
        let terminal = take(1);
        let legal = circuit.signature().moves_of.iter().map(|moves| {
            let n_words = moves.len().div_ceil(64);
            let guarded = guards.members.iter().map(|_| take(n_words)).collect();
            LegalWords { n_words, free: take(n_words), guarded }
        });
        let legal = legal.collect();
        let n_state_words = circuit.next().len().div_ceil(64);
        let n_guards = guards.members.len();
        let next = if guards.is_exactly_one {
            // There is always a guard: the last is never read.
            (0..n_guards).map(|_| take(n_state_words)).chain([0]).collect()
        } else {
            vec![take(n_state_words); n_guards + 1]
        };
        let first_loop = take(0);
        let blocks = circuit.blocks().iter().map(|loops| {
            let n = loops.len().div_ceil(64);
            let first = take(n);
            first..first + n
        });
        Outputs { terminal, legal, next, blocks: blocks.collect(), first_loop, n_words }
    }
}
