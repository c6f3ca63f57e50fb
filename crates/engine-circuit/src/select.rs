//! Moves as bits: how many there are, and which is the n-th.

/// How many moves are on in the one or the other.
#[inline(always)]
pub(crate) fn count((left, right): (&[u64], &[u64])) -> usize {
    left.iter().zip(right).map(|(left, right)| (left | right).count_ones() as usize).sum()
}

/// The place of the `n`-th of them, which there is.
#[inline(always)]
pub(crate) fn select((left, right): (&[u64], &[u64]), mut n: usize) -> usize {
    for (at, (left, right)) in left.iter().zip(right).enumerate() {
        let mut word = left | right;
        let here = word.count_ones() as usize;
        if n < here {
            for _ in 0..n {
                word &= word - 1;
            }
            return 64 * at + word.trailing_zeros() as usize;
        }
        n -= here;
    }
    unreachable!("only as many moves are asked as there are")
}

/// The places of all of them, in order.
pub(crate) fn places<'w>((left, right): (&'w [u64], &'w [u64])) -> impl Iterator<Item = usize> + use<'w> {
    let words = left.iter().zip(right).map(|(left, right)| left | right);
    words.enumerate().flat_map(|(at, word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let place = (rest != 0).then(|| 64 * at + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            place
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_move_is_the_nth_place() {
        let words = (&[0b1010, 0, 1 << 63][..], &[0b1100, 1, 0][..]);
        let all: Vec<usize> = places(words).collect();
        assert_eq!(all, [1, 2, 3, 64, 191]);
        assert_eq!(count(words), 5);
        assert_eq!((0..5).map(|n| select(words, n)).collect::<Vec<_>>(), all);
    }
}
