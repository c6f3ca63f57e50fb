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

/// What is on in tables of three operands.
const ODD_OF_THREE: i32 = ODD as i32;
const MAJORITY: i32 = 0b1110_1000;
/// The borrow of the first less the two others.
const BORROW: i32 = 0b1101_0100;
/// The first alone; the first but not the second; the first and the third without the second.
const ONLY_FIRST: i32 = 0b0000_0010;
const FIRST_NOT_SECOND: i32 = 0b0010_0010;
const FIRST_AND_THIRD_NOT_SECOND: i32 = 0b0010_0000;
const FIRST_AND_SECOND: i32 = 0b1000_1000;

/// Counts seven bits.
///
/// # Safety
/// As for [`table`], with the three results of each operation.
#[inline(always)]
pub(super) unsafe fn count7<V: Vector, const W: usize>(memory: *mut u8, slots: *const u32, len: usize) {
    // SAFETY: as promised.
    for slots in unsafe { operations(slots, 10, len) } {
        for first in (0..W).step_by(V::WORDS) {
            // SAFETY: as promised; these words are inside of the slots.
            unsafe {
                let place = |at: usize| memory.add(slots[at] as usize + first * 8);
                let read = |at: usize| V::read(place(at));
                let sum = |a, b, c| (V::three::<ODD_OF_THREE>(a, b, c), V::three::<MAJORITY>(a, b, c));
                let (left, carry_left) = sum(read(0), read(1), read(2));
                let (right, carry_right) = sum(read(4), read(5), read(6));
                let (ones, carry) = sum(left, read(3), right);
                let (twos, fours) = sum(carry_left, carry, carry_right);
                ones.write(place(7));
                twos.write(place(8));
                fours.write(place(9));
            }
        }
    }
}

/// Which of three is the one of a rank: those before the first that is off are counted off.
///
/// # Safety
/// The processor has registers of this kind.
#[inline(always)]
unsafe fn pick_of_three<V: Vector>(is_here: V, rank: [V; 2], one: V, other: V) -> [V; 3] {
    // SAFETY: as promised.
    unsafe {
        let is_one =
            V::three::<FIRST_AND_SECOND>(is_here, V::three::<ONLY_FIRST>(one, rank[0], rank[1]), one);
        let is_below = V::three::<BORROW>(rank[0], one, other);
        let is_among = V::three::<FIRST_AND_THIRD_NOT_SECOND>(is_here, rank[1], is_below);
        let is_other = V::three::<FIRST_NOT_SECOND>(is_among, is_one, is_one);
        let is_last = V::three::<FIRST_NOT_SECOND>(is_here, is_among, is_among);
        [is_one, is_other, is_last]
    }
}

/// Picks one of three.
///
/// # Safety
/// As for [`table`], with the three results of each operation.
#[inline(always)]
pub(super) unsafe fn pick3<V: Vector, const W: usize>(memory: *mut u8, slots: *const u32, len: usize) {
    // SAFETY: as promised.
    for slots in unsafe { operations(slots, 8, len) } {
        for first in (0..W).step_by(V::WORDS) {
            // SAFETY: as promised; these words are inside of the slots.
            unsafe {
                let place = |at: usize| memory.add(slots[at] as usize + first * 8);
                let read = |at: usize| V::read(place(at));
                let picked = pick_of_three(read(0), [read(1), read(2)], read(3), read(4));
                (0..3).for_each(|at| picked[at].write(place(5 + at)));
            }
        }
    }
}

/// Picks one of seven: of the first three, the one in the middle, or of the last three.
///
/// # Safety
/// As for [`table`], with the seven results of each operation.
#[inline(always)]
pub(super) unsafe fn pick7<V: Vector, const W: usize>(memory: *mut u8, slots: *const u32, len: usize) {
    // SAFETY: as promised.
    for slots in unsafe { operations(slots, 17, len) } {
        for first in (0..W).step_by(V::WORDS) {
            // SAFETY: as promised; these words are inside of the slots.
            unsafe {
                let place = |at: usize| memory.add(slots[at] as usize + first * 8);
                let read = |at: usize| V::read(place(at));
                let (is_here, rank) = (read(0), [read(1), read(2), read(3)]);
                let leaves: [V; 6] = [read(4), read(5), read(6), read(7), read(8), read(9)];
                let ones = V::three::<ODD_OF_THREE>(leaves[0], leaves[1], leaves[2]);
                let twos = V::three::<MAJORITY>(leaves[0], leaves[1], leaves[2]);
                let middle = leaves[3];
                // Below the number on the left, and below that with the one in the middle.
                let below_left =
                    V::three::<BORROW>(rank[1], V::three::<FIRST_NOT_SECOND>(ones, rank[0], ones), twos);
                let borrow = V::three::<BORROW>(rank[0], ones, middle);
                let below_middle = V::three::<BORROW>(rank[1], borrow, twos);
                let is_left = V::three::<FIRST_AND_THIRD_NOT_SECOND>(is_here, rank[2], below_left);
                let is_before = V::three::<FIRST_AND_THIRD_NOT_SECOND>(is_here, rank[2], below_middle);
                let is_middle = V::three::<FIRST_NOT_SECOND>(is_before, is_left, is_left);
                let is_right = V::three::<FIRST_NOT_SECOND>(is_here, is_before, is_before);
                let right_rank = [
                    V::three::<ODD_OF_THREE>(rank[0], ones, middle),
                    V::three::<ODD_OF_THREE>(rank[1], twos, borrow),
                ];
                let left = pick_of_three(is_left, [rank[0], rank[1]], leaves[0], leaves[1]);
                let right = pick_of_three(is_right, right_rank, leaves[4], leaves[5]);
                (0..3).for_each(|at| left[at].write(place(10 + at)));
                is_middle.write(place(13));
                (0..3).for_each(|at| right[at].write(place(14 + at)));
            }
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
                768 => count7::<$vector, W>($memory, slots, len),
                769 => pick3::<$vector, W>($memory, slots, len),
                770 => pick7::<$vector, W>($memory, slots, len),
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
    use crate::logic::BlockKind;
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

    fn check_block<const W: usize>(level: Level, kind: BlockKind) {
        let (n_operands, n_results) = (kind.n_operands(), kind.n_results());
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed ^ seed >> 29
        };
        let mut memory: Vec<u64> = (0..(n_operands + n_results) * W).map(|_| random()).collect();
        let before = memory.clone();
        let n_slots = (n_operands + n_results) as u32;
        let offsets: Vec<u32> = (0..n_slots).map(|slot| slot * 8 * W as u32).collect();
        let runs = [Run { shape: Shape::Block(kind), len: 1, n_slots }];
        // SAFETY: the level is there, and there are so many slots of `W` words.
        unsafe { execute::<W>(level, memory.as_mut_ptr().cast(), &runs, &offsets) };
        for lane in 0..W * 64 {
            let bit = |words: &[u64], slot: usize| words[slot * W + lane / 64] >> (lane % 64) & 1 == 1;
            let operands: Vec<bool> = (0..n_operands).map(|slot| bit(&before, slot)).collect();
            // A rank beyond what is there is never asked for.
            let n_bits = n_operands.ilog2() as usize;
            let rank = (0..n_bits).fold(0, |rank, at| rank | usize::from(operands[1 + at]) << at);
            let n_on = operands[1 + n_bits..].iter().filter(|&&on| on).count();
            if kind != BlockKind::Count7 && rank > n_on {
                continue;
            }
            for result in 0..n_results {
                let found = bit(&memory, n_operands + result);
                assert_eq!(
                    found,
                    kind.result(&operands, result),
                    "{kind:?} on {}: {operands:?}",
                    level.name()
                );
            }
        }
    }

    #[test]
    fn every_block_is_computed() {
        let levels = [Level::Baseline, Level::Avx2, Level::Avx512];
        for level in levels.into_iter().filter(|level| level.is_there()) {
            for kind in [BlockKind::Count7, BlockKind::Pick3, BlockKind::Pick7] {
                check_block::<4>(level, kind);
                check_block::<8>(level, kind);
                check_block::<16>(level, kind);
            }
        }
    }
}
