//! How long the playouts of all lanes are, bit by bit.

/// Ages of playouts in steps, and sums over the lengths of those that are over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ages<const W: usize> {
    /// Bit by bit, as many as the oldest ever needed.
    bits: Vec<[u64; W]>,
    /// Of each bit with itself and each lower one: how many lengths have both, by word of lanes.
    n_both: Vec<[u64; W]>,
}

impl<const W: usize> Ages<W> {
    /// A step passes.
    #[inline(always)]
    pub(super) fn grow(&mut self) {
        let mut carry = [!0; W];
        for bit in &mut self.bits {
            for at in 0..W {
                let sum = bit[at] ^ carry[at];
                carry[at] &= bit[at];
                bit[at] = sum;
            }
        }
        if carry != [0; W] {
            self.bits.push(carry);
            self.n_both.resize(self.n_both.len() + self.bits.len(), [0; W]);
        }
    }

    /// Lets playouts begin.
    #[inline(always)]
    pub(super) fn begin(&mut self, lanes: &[u64; W]) {
        for bit in &mut self.bits {
            for at in 0..W {
                bit[at] &= !lanes[at];
            }
        }
    }

    /// Counts the lengths of playouts that are over now. The square of a sum of powers of two is the sum of the
    /// products of each two of them, so it is enough to know how many lengths have each two bits.
    #[inline(always)]
    pub(super) fn note(&mut self, lanes: &[u64; W]) {
        let mut counts = self.n_both.iter_mut();
        for (last, bit) in self.bits.iter().enumerate() {
            let mut on = [0; W];
            for at in 0..W {
                on[at] = bit[at] & lanes[at];
            }
            for (other, count) in self.bits[..=last].iter().zip(&mut counts) {
                // In a place of its own: else the compiler fears that it is one of the bits.
                let mut sum = *count;
                for at in 0..W {
                    sum[at] += u64::from((on[at] & other[at]).count_ones());
                }
                *count = sum;
            }
        }
    }

    /// The sum of the squares of the lengths that were counted.
    pub(crate) fn squares(&self) -> u128 {
        let pairs = (0..self.bits.len()).flat_map(|bit| (0..=bit).map(move |other| (bit, other)));
        let product = |((bit, other), count): ((usize, usize), &[u64; W])| {
            let n: u64 = count.iter().sum();
            u128::from(n) << (bit + other + usize::from(bit != other))
        };
        pairs.zip(&self.n_both).map(product).sum()
    }

    /// The age of a lane.
    pub(crate) fn of(&self, word: usize, lane: u32) -> u64 {
        let bits = self.bits.iter().enumerate();
        bits.fold(0, |age, (bit, lanes)| age | (lanes[word] >> lane & 1) << bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_summed_as_one_by_one() {
        let mut ages = Ages::<4>::default();
        let mut began = [0_u64; 256];
        let (mut seed, mut squares) = (9_u64, 0_u128);
        for step in 0..5_000_u64 {
            let mut lanes = [0_u64; 4];
            for word in &mut lanes {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *word = seed & seed >> 17 & seed >> 31 & seed >> 40;
            }
            for (lane, began) in began.iter_mut().enumerate() {
                assert_eq!(ages.of(lane / 64, (lane % 64) as u32), step - *began);
                if step - *began > 900 {
                    lanes[lane / 64] |= 1 << (lane % 64);
                }
                if lanes[lane / 64] >> (lane % 64) & 1 == 1 {
                    squares += u128::from(step - *began).pow(2);
                    *began = step;
                }
            }
            ages.note(&lanes);
            ages.begin(&lanes);
            ages.grow();
        }
        assert_eq!(ages.squares(), squares);
    }
}
