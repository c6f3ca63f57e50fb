//! The playing net with a list of the gates that use a source, in flat arrays.
//!
//! The bit of a gate says that it changed and has not been looked at; the bit of an answer is the answer. Both change
//! when the counter of operands that are off reaches or leaves zero, so a gate that changes back costs nothing more.

use crate::layout::{Laid, Layout, Packing};
use crate::monotone::{Touch, touches};
use crate::propagation::Net;
use senet_circuit::Circuit;

/// Gates, and who counts whom.
#[derive(Clone, Debug)]
pub(crate) struct ListNet {
    pub(crate) layout: Layout,
    /// By source: where the gates begin that have it as an operand, and one end more.
    pub(crate) first: Vec<u32>,
    /// The gates: twice the number, and one more where the operand is the negation of the source. Those come last.
    pub(crate) fanout: Vec<u32>,
    /// By gate and answer: how many operands are off when all sources are.
    pub(crate) counts: Vec<u8>,
    /// The bits when all sources are off and nothing was looked at.
    pub(crate) bits: Vec<u64>,
    /// By source: where its touches begin, and one end more. Empty in a net without blocks.
    pub(crate) first_touch: Vec<u32>,
    pub(crate) touches: Vec<Touch>,
}

impl Net for ListNet {
    fn new(circuit: &Circuit) -> ListNet {
        let laid = Laid::new(circuit, Packing { unit: 64, is_independent: false });
        let Layout { n_counters, n_sources, .. } = laid.layout;
        let (first_touch, touches) = touches(circuit, &laid);
        let mut net = ListNet {
            first: Vec::new(),
            fanout: Vec::new(),
            counts: vec![0; n_counters],
            bits: vec![0; n_counters / 64],
            first_touch,
            touches,
            layout: laid.layout,
        };
        let mut first = vec![0_u32; n_sources + 2];
        for (source, _) in laid.counted.iter().flat_map(|counted| &counted.operands) {
            first[source + 2] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        net.fanout = vec![0; *first.last().expect("there is an end") as usize];
        for counted in &laid.counted {
            let number = counted.number;
            for &(source, is_negated) in &counted.operands {
                let place = &mut first[source + 1];
                net.fanout[*place as usize] = 2 * number as u32 + u32::from(is_negated);
                *place += 1;
            }
            net.counts[number] = counted.n_off() as u8;
            // All gates count as off before they are looked at.
            net.bits[number / 64] ^= u64::from(counted.n_off() == 0) << (number % 64);
        }
        first.pop();
        for list in first.windows(2) {
            let list = &mut net.fanout[list[0] as usize..list[1] as usize];
            list.sort_unstable_by_key(|entry| (entry & 1, *entry));
        }
        net.first = first;
        for number in laid.inverted {
            net.bits[number / 64] ^= 1 << (number % 64);
        }
        net
    }
}
