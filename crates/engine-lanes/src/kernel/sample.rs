//! Ranks drawn uniformly for all lanes at once.

/// What decides the random bits of a draw, apart from the 64-lane group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    /// Which step, and which draw of the step.
    pub(crate) number: u64,
}

/// Words that are drawn together.
const CHUNK: usize = 8;

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
    if W < CHUNK {
        // SAFETY: as promised.
        unsafe { sample_chunk::<BITS, 4>(memory, last, rank, keys, number) };
        return;
    }
    for chunk in 0..W / CHUNK {
        // SAFETY: chunks are inside of the slots.
        unsafe {
            let memory = memory.add(chunk * CHUNK * 8);
            sample_chunk::<BITS, CHUNK>(memory, last, rank, &keys[chunk * CHUNK..], number);
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
