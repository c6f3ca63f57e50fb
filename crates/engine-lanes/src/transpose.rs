//! States bit by bit, and states word by word.

/// Exchanges rows and columns: bit `j` of word `i` becomes bit `i` of word `j`. In each round, squares of half the size
/// change places across the diagonal.
pub(crate) fn transpose(words: &mut [u64; 64]) {
    fn round<const HALF: usize>(words: &mut [u64; 64], low: u64) {
        for rows in words.chunks_exact_mut(2 * HALF) {
            let (above, below) = rows.split_at_mut(HALF);
            for at in 0..HALF {
                let exchanged = (above[at] >> HALF ^ below[at]) & low;
                above[at] ^= exchanged << HALF;
                below[at] ^= exchanged;
            }
        }
    }
    round::<32>(words, 0x0000_0000_ffff_ffff);
    round::<16>(words, 0x0000_ffff_0000_ffff);
    round::<8>(words, 0x00ff_00ff_00ff_00ff);
    round::<4>(words, 0x0f0f_0f0f_0f0f_0f0f);
    round::<2>(words, 0x3333_3333_3333_3333);
    round::<1>(words, 0x5555_5555_5555_5555);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let mut seed = 3_u64;
        let words: [u64; 64] = std::array::from_fn(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed ^ seed >> 31
        });
        let mut turned = words;
        transpose(&mut turned);
        for row in 0..64 {
            for column in 0..64 {
                assert_eq!(turned[column] >> row & 1, words[row] >> column & 1, "{row} {column}");
            }
        }
        transpose(&mut turned);
        assert_eq!(turned, words);
    }
}
