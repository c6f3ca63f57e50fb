//! Matches that are over: their goals are counted, their lanes begin again.

/// Counts of what was seen at the ends of matches, by role and value.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// By role: how often each of its values was the only one.
    pub(crate) goals: Vec<Vec<u64>>,
}

/// Counts the goals of lanes.
///
/// # Safety
/// The goals are offsets of slots of `W` words in memory.
#[inline(always)]
pub(super) unsafe fn count_goals<const W: usize>(
    memory: *const u8,
    goals: &[Vec<u32>],
    over: &[u64; W],
    tally: &mut Tally,
) {
    for (wires, counts) in goals.iter().zip(&mut tally.goals) {
        let (mut once, mut twice) = ([0_u64; W], [0_u64; W]);
        for &wire in wires {
            // SAFETY: as promised.
            let holds = unsafe { memory.add(wire as usize).cast::<[u64; W]>().read() };
            for at in 0..W {
                twice[at] |= once[at] & holds[at];
                once[at] |= holds[at];
            }
        }
        for (&wire, count) in wires.iter().zip(counts) {
            // SAFETY: as promised.
            let holds = unsafe { memory.add(wire as usize).cast::<[u64; W]>().read() };
            let mut n = 0;
            for at in 0..W {
                n += u64::from((holds[at] & !twice[at] & over[at]).count_ones());
            }
            *count += n;
        }
    }
}

/// Puts lanes back to the start, fluent by fluent.
///
/// # Safety
/// The fluents are offsets of slots of `W` words in memory.
#[inline(always)]
pub(super) unsafe fn begin_again<const W: usize>(
    memory: *mut u8,
    fluents: &[u32],
    start: &[u64],
    lanes: &[u64; W],
) {
    for (word, fluents) in start.iter().zip(fluents.chunks(64)) {
        for (bit, &fluent) in fluents.iter().enumerate() {
            // SAFETY: as promised.
            let slot = unsafe { &mut *memory.add(fluent as usize).cast::<[u64; W]>() };
            let on = (word >> bit & 1).wrapping_neg();
            for at in 0..W {
                slot[at] = slot[at] & !lanes[at] | on & lanes[at];
            }
        }
    }
}
