//! A fast hash for rows of numbers.

use std::sync::OnceLock;

/// Drawn once a process, so that no rulesheet can be written to make rows collide.
#[inline]
fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| {
        use std::hash::BuildHasher;
        foldhash::fast::RandomState::default().hash_one(0x5e_4e7u64) | 1
    })
}

#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// The hash of a row of a kind.
#[inline]
pub fn hash_row(kind: u32, row: &[u32]) -> u64 {
    hash_values(kind, row.iter().copied())
}

/// The hash of the row of these values.
#[inline]
pub fn hash_values(kind: u32, values: impl Iterator<Item = u32>) -> u64 {
    hash_from(seed() ^ u64::from(kind), values)
}

/// A hash that is the same in every run.
#[inline]
pub fn constant_hash(values: impl Iterator<Item = u32>) -> u64 {
    hash_from(0x2545_f491_4f6c_dd1d, values)
}

#[inline]
fn hash_from(mut hash: u64, mut values: impl Iterator<Item = u32>) -> u64 {
    // Two at a time: each multiplication waits for the one before.
    while let Some(first) = values.next() {
        let second = values.next().unwrap_or(0);
        hash = fold(hash ^ u64::from(first) ^ u64::from(second) << 32, 0x9e37_79b9_7f4a_7c15);
    }
    fold(hash, 0xd6e8_feb8_6659_fd93)
}
