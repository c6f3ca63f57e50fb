//! Operations by their shape.

use super::vector::{Vector, read_if_needed};
use crate::shape::{ODD, n_operands};

/// The slots of each of some operations.
///
/// # Safety
/// There are `len` times `n_slots` of them.
#[inline(always)]
unsafe fn operations<'s>(slots: *const u32, n_slots: usize, len: usize) -> impl Iterator<Item = &'s [u32]> {
    // SAFETY: as promised.
    (0..len).map(move |at| unsafe { std::slice::from_raw_parts(slots.add(at * n_slots), n_slots) })
}

/// Computes operations with one result.
///
/// # Safety
/// `slots` has the operands and the result of each operation: offsets of slots of `W` words in memory. The processor
/// has registers of this kind.
#[inline(always)]
pub(super) unsafe fn table<V: Vector, const TABLE: i32, const W: usize>(
    memory: *mut u8,
    slots: *const u32,
    len: usize,
) {
    let n_operands = n_operands(TABLE as u8);
    // SAFETY: as promised.
    for slots in unsafe { operations(slots, n_operands + 1, len) } {
        for first in (0..W).step_by(V::WORDS) {
            // SAFETY: as promised; these words are inside of the slots.
            unsafe {
                let place = |at: usize| memory.add(slots[at] as usize + first * 8);
                let a = read_if_needed::<V, TABLE>(0, || place(0));
                let b = read_if_needed::<V, TABLE>(1, || place(1));
                let c = read_if_needed::<V, TABLE>(2, || place(2));
                V::three::<TABLE>(a, b, c).write(place(n_operands));
            }
        }
    }
}

/// Computes operations with two results: whether an odd number of three operands is on, and a table of them.
///
/// # Safety
/// As for [`table`], with the two results of each operation.
#[inline(always)]
pub(super) unsafe fn sum<V: Vector, const CARRY: i32, const W: usize>(
    memory: *mut u8,
    slots: *const u32,
    len: usize,
) {
    const ODD_TABLE: i32 = ODD as i32;
    // SAFETY: as promised.
    for slots in unsafe { operations(slots, 5, len) } {
        for first in (0..W).step_by(V::WORDS) {
            // SAFETY: as promised; these words are inside of the slots.
            unsafe {
                let place = |at: usize| memory.add(slots[at] as usize + first * 8);
                let (a, b, c) = (V::read(place(0)), V::read(place(1)), V::read(place(2)));
                V::three::<ODD_TABLE>(a, b, c).write(place(3));
                V::three::<CARRY>(a, b, c).write(place(4));
            }
        }
    }
}

/// So many registers hold a slot at most.
const MOST_REGISTERS: usize = 4;

/// Computes folds of so many terms: what there is stays in registers.
///
/// # Safety
/// As for [`table`], with the two operands of each term after the first.
#[inline(always)]
pub(super) unsafe fn fold<V: Vector, const TABLE: i32, const W: usize>(
    memory: *mut u8,
    slots: *const u32,
    len: usize,
    n_terms: usize,
) {
    const { assert!(W <= MOST_REGISTERS * V::WORDS) };
    // SAFETY: as promised.
    for slots in unsafe { operations(slots, 2 * n_terms + 2, len) } {
        let place = |slot: u32, at: usize| {
            // SAFETY: as promised; these words are inside of the slot.
            unsafe { memory.add(slot as usize + at * V::WORDS * 8) }
        };
        let mut now = [V::zero(); MOST_REGISTERS];
        for at in 0..W / V::WORDS {
            // SAFETY: as promised.
            now[at] = unsafe { V::read(place(slots[0], at)) };
        }
        for term in 0..n_terms {
            // SAFETY: each term has two operands, after the first.
            let [one, other] = unsafe { *slots.as_ptr().add(1 + 2 * term).cast::<[u32; 2]>() };
            for at in 0..W / V::WORDS {
                // SAFETY: as promised.
                now[at] =
                    unsafe { V::three::<TABLE>(now[at], V::read(place(one, at)), V::read(place(other, at))) };
            }
        }
        for at in 0..W / V::WORDS {
            // SAFETY: as promised.
            unsafe { now[at].write(place(slots[2 * n_terms + 1], at)) };
        }
    }
}

/// Computes runs of operations with registers of some kind.
macro_rules! compute {
    (($runs:expr, $slots:expr, $memory:expr, $vector:ty)
        [$($table:literal)*] [$($sum:literal)*] [$($fold:literal)*]) => {{
        let mut slots: *const u32 = $slots.as_ptr();
        for &Run { shape, len, n_slots } in $runs {
            let len = len as usize;
            match shape.code() {
                $($table => table::<$vector, $table, W>($memory, slots, len),)*
                $($sum => sum::<$vector, { $sum - 256 }, W>($memory, slots, len),)*
                $($fold => {
                    let Shape::Fold { n_terms, .. } = shape else { unreachable!("its code says so") };
                    fold::<$vector, { $fold - 512 }, W>($memory, slots, len, n_terms as usize);
                })*
                _ => unreachable!("programs are checked before they run"),
            }
            slots = slots.add(n_slots as usize);
        }
    }};
}
pub(super) use compute;

#[cfg(test)]
mod tests {
    use crate::kernel::{Level, execute};
    use crate::program::Run;
    use crate::shape::{FOLDS, ODD, SUMS, Shape, TABLES};

    /// Computes one operation on the rows of a table, with operands in slots 0, 1, 2 and results from slot 5 on.
    fn results<const W: usize>(level: Level, shape: Shape, slots: &[u32]) -> Vec<u8> {
        let rows = [0b1010_1010_u64, 0b1100_1100, 0b1111_0000, 0b0110_1001, 0b0011_0101, 77, 77];
        let mut memory: Vec<u64> = rows.into_iter().flat_map(|it| [it; W]).collect();
        let offsets: Vec<u32> = slots.iter().map(|slot| slot * 8 * W as u32).collect();
        let runs = [Run { shape, len: 1, n_slots: slots.len() as u32 }];
        // SAFETY: the level is there, and there are seven slots of `W` words.
        unsafe { execute::<W>(level, memory.as_mut_ptr().cast(), &runs, &offsets) };
        let all_lanes = |slot: &[u64]| {
            assert!(slot.iter().all(|word| *word == slot[0]), "{shape:?} on {}", level.name());
            slot[0] as u8
        };
        memory[5 * W..].chunks(W).map(all_lanes).collect()
    }

    fn on_every_level(shape: Shape, slots: &[u32], check: impl Fn(Vec<u8>)) {
        let levels = [Level::Baseline, Level::Avx2, Level::Avx512];
        for level in levels.into_iter().filter(|level| level.is_there()) {
            check(results::<4>(level, shape, slots));
            check(results::<8>(level, shape, slots));
            check(results::<16>(level, shape, slots));
        }
    }

    #[test]
    fn every_table_is_computed() {
        for &table in TABLES {
            let shape = Shape::Table(table);
            let slots: Vec<u32> = (0..shape.n_operands() as u32).chain([5]).collect();
            on_every_level(shape, &slots, |found| assert_eq!(found[0], table));
        }
    }

    #[test]
    fn every_sum_is_computed() {
        for &carry in SUMS {
            let slots = [0, 1, 2, 5, 6];
            on_every_level(Shape::Sum(carry), &slots, |found| assert_eq!(found, [ODD, carry]));
        }
    }

    #[test]
    fn every_fold_is_computed() {
        for &table in FOLDS {
            let once = |row: usize| usize::from(table >> row & 1);
            let row_of = |row: usize, bits: [u8; 2]| {
                bits.iter()
                    .enumerate()
                    .fold(0, |all, (at, bits)| all | usize::from(bits >> row & 1) << (at + 1))
            };
            let expected = (0..8).fold(0, |all, row| {
                let first = once(row);
                let second = once(first | row_of(row, [0b0110_1001, 0b0011_0101]));
                all | (second as u8) << row
            });
            let shape = Shape::Fold { table, n_terms: 2 };
            on_every_level(shape, &[0, 1, 2, 3, 4, 5], |found| assert_eq!(found[0], expected));
        }
    }
}
