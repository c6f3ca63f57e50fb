//! Words that are computed together.

use crate::shape::depends;

/// What a register holds: some words of lanes.
pub(super) trait Vector: Copy {
    const WORDS: usize;

    fn zero() -> Self;

    /// # Safety
    /// There are so many words at the place; the processor has such registers.
    unsafe fn read(place: *const u8) -> Self;

    /// # Safety
    /// There is room for so many words at the place; the processor has such registers.
    unsafe fn write(self, place: *mut u8);

    /// The value of a table.
    ///
    /// # Safety
    /// The processor has such registers.
    unsafe fn three<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self;
}

/// Words that any processor can hold.
impl Vector for [u64; 4] {
    const WORDS: usize = 4;

    #[inline(always)]
    fn zero() -> Self {
        [0; 4]
    }

    #[inline(always)]
    unsafe fn read(place: *const u8) -> Self {
        // SAFETY: as promised; slots are aligned to words.
        unsafe { place.cast::<Self>().read() }
    }

    #[inline(always)]
    unsafe fn write(self, place: *mut u8) {
        // SAFETY: as promised; slots are aligned to words.
        unsafe { place.cast::<Self>().write(self) }
    }

    #[inline(always)]
    unsafe fn three<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        let mut result = [0; 4];
        for at in 0..4 {
            result[at] = three(TABLE as u8, a[at], b[at], c[at]);
        }
        result
    }
}

/// Registers of 512 bits: AVX-512 has all tables as one instruction.
#[cfg(target_arch = "x86_64")]
impl Vector for std::arch::x86_64::__m512i {
    const WORDS: usize = 8;

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: all bits off is a value of this type.
        unsafe { std::mem::zeroed() }
    }

    #[inline(always)]
    unsafe fn read(place: *const u8) -> Self {
        // SAFETY: as promised.
        unsafe { std::arch::x86_64::_mm512_loadu_si512(place.cast()) }
    }

    #[inline(always)]
    unsafe fn write(self, place: *mut u8) {
        // SAFETY: as promised.
        unsafe { std::arch::x86_64::_mm512_storeu_si512(place.cast(), self) }
    }

    #[inline(always)]
    unsafe fn three<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as promised.
        unsafe { std::arch::x86_64::_mm512_ternarylogic_epi64::<TABLE>(c, b, a) }
    }
}

/// Reads an operand if the table depends on it.
///
/// # Safety
/// As for [`Vector::read`].
#[inline(always)]
pub(super) unsafe fn read_if_needed<V: Vector, const TABLE: i32>(
    at: usize,
    place: impl Fn() -> *const u8,
) -> V {
    if depends(TABLE as u8, at) {
        // SAFETY: as promised.
        unsafe { V::read(place()) }
    } else {
        V::zero()
    }
}

/// A function of two operands: bit `i` of the table is the value where operand `j` is bit `j` of `i`.
#[inline(always)]
fn two(table: u8, a: u64, b: u64) -> u64 {
    match table & 15 {
        0 => 0,
        1 => !(a | b),
        2 => a & !b,
        3 => !b,
        4 => !a & b,
        5 => !a,
        6 => a ^ b,
        7 => !(a & b),
        8 => a & b,
        9 => !(a ^ b),
        10 => a,
        11 => a | !b,
        12 => b,
        13 => !a | b,
        14 => a | b,
        _ => !0,
    }
}

/// A function of three operands.
#[inline(always)]
fn three(table: u8, a: u64, b: u64, c: u64) -> u64 {
    let (off, on) = (table & 15, table >> 4);
    if off == on {
        two(off, a, b)
    } else if off == !on & 15 {
        two(off, a, b) ^ c
    } else if off == 0 {
        two(on, a, b) & c
    } else if on == 0 {
        two(off, a, b) & !c
    } else if off == 15 {
        two(on, a, b) | !c
    } else if on == 15 {
        two(off, a, b) | c
    } else if off & on == off {
        two(off, a, b) | two(on, a, b) & c
    } else if off & on == on {
        two(on, a, b) | two(off, a, b) & !c
    } else {
        two(off, a, b) ^ two(off ^ on, a, b) & c
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_what_is_computed() {
        let (a, b, c) = (0b1010_1010, 0b1100_1100, 0b1111_0000);
        for table in 0..=255 {
            assert_eq!(three(table, a, b, c) & 255, u64::from(table));
        }
    }
}
