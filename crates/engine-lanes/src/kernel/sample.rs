//! Ranks drawn uniformly for all lanes at once.

/// What decides the random bits of a draw, apart from the 64-lane group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    /// Which step, and which draw of the step.
    pub(crate) number: u64,
}

/// Words that are drawn together: with few bits there is room for more of them in registers, and one can be computed
/// while another waits.
const fn chunk(n_bits: usize, n_words: usize) -> usize {
    match (n_words, n_bits) {
        (16, ..=5) => 16,
        (16 | 8, _) => 8,
        _ => 4,
    }
}

/// Random words of some 64-lane groups: a function of the key of each group, the draw, and how many were drawn before.
struct Words<const N: usize> {
    low: [u64; N],
    high: [u64; N],
}

impl<const N: usize> Words<N> {
    #[inline(always)]
    fn new(keys: &[u64; N], draw: Draw) -> Self {
        let mut words = Words { low: [0; N], high: [0; N] };
        for at in 0..N {
            // The finaliser of splitmix64; its input differs for every group and draw.
            let mut mixed = keys[at].wrapping_add(draw.number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            words.low[at] = mixed ^ mixed >> 31;
            words.high[at] = keys[at] ^ mixed.rotate_left(32) | 1;
        }
        // The first words would show how the two halves were made.
        words.next();
        words
    }

    /// xorshift128+.
    #[inline(always)]
    fn next(&mut self) -> [u64; N] {
        let mut drawn = [0; N];
        for at in 0..N {
            let (mut first, second) = (self.low[at], self.high[at]);
            drawn[at] = first.wrapping_add(second);
            self.low[at] = second;
            first ^= first << 23;
            self.high[at] = first ^ second ^ first >> 18 ^ second >> 5;
        }
        drawn
    }
}

/// Draws a rank from 0 to the last one for each lane of a chunk: random bits are drawn again until they are no more
/// than the last rank, so that each is as likely as any other.
#[inline(always)]
fn draw<const BITS: usize, const N: usize>(
    last: &[[u64; N]; BITS],
    keys: &[u64; N],
    number: Draw,
) -> [[u64; N]; BITS] {
    let mut words = Words::new(keys, number);
    // Bits above the highest of the last rank are never drawn.
    let mut mask = *last;
    for bit in (0..BITS - 1).rev() {
        for at in 0..N {
            mask[bit][at] |= mask[bit + 1][at];
        }
    }
    let mut rank = [[0; N]; BITS];
    let mut pending = [!0_u64; N];
    loop {
        let mut is_above = [0; N];
        for bit in 0..BITS {
            let random = words.next();
            for at in 0..N {
                let tried = random[at] & mask[bit][at];
                rank[bit][at] = tried & pending[at] | rank[bit][at] & !pending[at];
                let limit = last[bit][at];
                is_above[at] = tried & !limit | is_above[at] & (tried | !limit);
            }
        }
        let mut any = 0;
        for at in 0..N {
            pending[at] &= is_above[at];
            any |= pending[at];
        }
        if any == 0 {
            return rank;
        }
    }
}

/// Draws the rank of one group of moves for all lanes.
///
/// # Safety
/// `last` and `rank` are the offsets of `BITS` slots of `W` words in memory.
#[inline(always)]
pub(super) unsafe fn sample_bits<const BITS: usize, const W: usize>(
    memory: *mut u8,
    last: &[u32],
    rank: &[u32],
    keys: &[u64],
    number: Draw,
) {
    for first in (0..W).step_by(chunk(BITS, W)) {
        // SAFETY: chunks are inside of the slots.
        unsafe {
            let memory = memory.add(first * 8);
            match chunk(BITS, W) {
                16 => sample_chunk::<BITS, 16>(memory, last, rank, &keys[first..], number),
                8 => sample_chunk::<BITS, 8>(memory, last, rank, &keys[first..], number),
                _ => sample_chunk::<BITS, 4>(memory, last, rank, &keys[first..], number),
            }
        }
    }
}

/// # Safety
/// `last` and `rank` are the offsets of slots with at least `N` words in memory.
#[inline(always)]
unsafe fn sample_chunk<const BITS: usize, const N: usize>(
    memory: *mut u8,
    last: &[u32],
    rank: &[u32],
    keys: &[u64],
    number: Draw,
) {
    let keys: &[u64; N] = keys[..N].try_into().expect("a key for each word");
    let mut limits = [[0; N]; BITS];
    for bit in 0..BITS {
        // SAFETY: as promised.
        limits[bit] = unsafe { memory.add(last[bit] as usize).cast::<[u64; N]>().read() };
    }
    let drawn = draw(&limits, keys, number);
    for bit in 0..BITS {
        // SAFETY: as promised.
        unsafe { memory.add(rank[bit] as usize).cast::<[u64; N]>().write(drawn[bit]) };
    }
}

/// The largest number of bits a rank has.
pub(crate) const MOST_BITS: usize = 20;

macro_rules! by_bits {
    ($n:expr, |$bits:ident| $body:expr; $($known:literal)*) => {
        match $n {
            0 => {}
            $($known => { const $bits: usize = $known; $body })*
            _ => unreachable!("there are fewer moves"),
        }
    };
}

pub(super) use by_bits;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Level, sample};

    /// Draws of ranks below `n` for 512 lanes each, on what this processor has.
    fn draws(level: Level, n: usize, n_draws: u64) -> Vec<u64> {
        const W: usize = 8;
        let n_bits = (usize::BITS - (n - 1).leading_zeros()) as usize;
        let mut memory = vec![[0_u64; W]; 2 * n_bits];
        for bit in 0..n_bits {
            memory[bit] = [((n as u64 - 1) >> bit & 1).wrapping_neg(); W];
        }
        let offsets =
            |first: usize| (first..first + n_bits).map(|slot| (slot * W * 8) as u32).collect::<Vec<_>>();
        let (last, rank) = (offsets(0), offsets(n_bits));
        let keys: Vec<u64> = (0..W as u64).map(|at| at.wrapping_mul(0x1234_5678_9abc_def1)).collect();
        let mut counts = vec![0; 1 << n_bits];
        for number in 0..n_draws {
            // SAFETY: the level is there, and there are `n_bits` slots for each.
            unsafe { sample::<W>(level, memory.as_mut_ptr().cast(), &last, &rank, &keys, Draw { number }) };
            for lane in 0..W * 64 {
                let bit = |at: usize| (memory[n_bits + at][lane / 64] >> (lane % 64) & 1) as usize;
                counts[(0..n_bits).fold(0, |rank, at| rank | bit(at) << at)] += 1;
            }
        }
        counts
    }

    #[test]
    fn every_rank_is_as_likely() {
        for n in [2, 3, 4, 5, 6, 7, 9, 10, 11, 22, 37, 155] {
            let n_draws = 40 * n as u64;
            let counts = draws(Level::best(), n, n_draws);
            assert!(counts[n..].iter().all(|&count| count == 0), "a rank of {n} that is not there");
            let expected = (n_draws * 512) as f64 / n as f64;
            let chi_square: f64 =
                counts[..n].iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
            // Four standard deviations above the mean, and some more where there are few ranks.
            let freedom = (n - 1) as f64;
            assert!(chi_square < freedom + 4.0 * (2.0 * freedom).sqrt() + 8.0, "{n} ranks: {chi_square}");
        }
    }

    #[test]
    fn neighbouring_draws_and_lanes_are_independent() {
        // Pairs of bits of one lane in two draws, and of two lanes in one draw.
        const W: usize = 4;
        let mut memory = [[!0_u64; W], [0; W]];
        let keys: Vec<u64> = (0..W as u64).collect();
        let mut before = [0; W];
        let (mut same_lane, mut same_draw) = (0, 0);
        for number in 0..2_000 {
            // SAFETY: baseline is there, and there are two slots of four words.
            unsafe {
                sample::<W>(Level::Baseline, memory.as_mut_ptr().cast(), &[0], &[32], &keys, Draw { number })
            };
            let now = memory[1];
            for at in 0..W {
                same_lane += (now[at] ^ before[at]).count_ones();
                same_draw += (now[at] ^ now[at].rotate_left(1)).count_ones();
            }
            before = now;
        }
        // 512,000 fair coins: 358 is a standard deviation.
        for count in [same_lane, same_draw] {
            assert!(count.abs_diff(256_000) < 1_500, "{count}");
        }
    }

    /// The ranks of one draw, each 64-lane group drawn by itself on no more than 64-bit words.
    fn word_by_word<const BITS: usize>(last: u64, keys: &[u64], number: u64) -> Vec<[u64; BITS]> {
        let limits: [[u64; 1]; BITS] = std::array::from_fn(|bit| [(last >> bit & 1).wrapping_neg()]);
        let alone = |&key: &u64| draw(&limits, &[key], Draw { number }).map(|[word]| word);
        keys.iter().map(alone).collect()
    }

    /// The ranks of one draw on a level, by 64-lane group.
    fn on_level<const BITS: usize, const W: usize>(
        level: Level,
        last: u64,
        keys: &[u64; W],
        number: u64,
    ) -> Vec<[u64; BITS]> {
        let limits: [[u64; W]; BITS] = std::array::from_fn(|bit| [(last >> bit & 1).wrapping_neg(); W]);
        let mut memory = limits.to_vec();
        memory.resize(2 * BITS, [0; W]);
        let offset = |slot: usize| (slot * W * 8) as u32;
        let limits: Vec<u32> = (0..BITS).map(offset).collect();
        let ranks: Vec<u32> = (BITS..2 * BITS).map(offset).collect();
        // SAFETY: the level is there, and there are `BITS` slots of `W` words for each.
        unsafe { sample::<W>(level, memory.as_mut_ptr().cast(), &limits, &ranks, keys, Draw { number }) };
        (0..W).map(|at| std::array::from_fn(|bit| memory[BITS + bit][at])).collect()
    }

    fn assert_draws_alike<const BITS: usize, const W: usize>(level: Level) {
        let keys: [u64; W] = std::array::from_fn(|at| (at as u64).wrapping_mul(0x1234_5678_9abc_def1));
        for last in [1 << (BITS - 1), (1 << BITS) - 1, (1 << BITS) - 2] {
            for number in 0..50 {
                let expected = word_by_word::<BITS>(last, &keys, number);
                let drawn = on_level::<BITS, W>(level, last, &keys, number);
                assert_eq!(drawn, expected, "{}, {W} words, ranks to {last}", level.name());
            }
        }
    }

    #[test]
    fn every_level_draws_the_same() {
        for level in [Level::Baseline, Level::Avx2, Level::Avx512] {
            if !level.is_there() {
                eprintln!("skipped: this processor has no {}", level.name());
                continue;
            }
            // Each number of words that are drawn together, with few bits and with many.
            assert_draws_alike::<2, 4>(level);
            assert_draws_alike::<5, 8>(level);
            assert_draws_alike::<5, 16>(level);
            assert_draws_alike::<6, 16>(level);
            assert_draws_alike::<9, 8>(level);
        }
    }
}
