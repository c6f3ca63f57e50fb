//! Operations by their table.

use crate::program::Operation;

/// Words that are computed together.
const CHUNK: usize = 4;

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
pub(super) fn three(table: u8, a: u64, b: u64, c: u64) -> u64 {
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

/// Whether a table depends on an operand.
pub(super) const fn depends(table: u8, at: usize) -> bool {
    let on: u8 = [0b1010_1010, 0b1100_1100, 0b1111_0000][at];
    (table & on) >> (1 << at) != table & !on
}

/// Computes operations with one table, for words in chunks that any processor can hold.
///
/// # Safety
/// Every offset of the operations is that of a slot of `W` words in memory.
#[inline(always)]
pub(super) unsafe fn portable<const TABLE: u8, const W: usize>(memory: *mut u8, operations: &[Operation]) {
    for operation in operations {
        for chunk in 0..W / CHUNK {
            let at = |offset: u32| {
                // SAFETY: the offset is that of a slot, and chunks are inside of it.
                unsafe { memory.add(offset as usize).cast::<[u64; CHUNK]>().add(chunk) }
            };
            let read = |operand: usize| {
                if depends(TABLE, operand) {
                    // SAFETY: as above; slots are aligned to words.
                    unsafe { at(operation.operands[operand]).read() }
                } else {
                    [0; CHUNK]
                }
            };
            let (a, b, c) = (read(0), read(1), read(2));
            let mut result = [0; CHUNK];
            for lane in 0..CHUNK {
                result[lane] = three(TABLE, a[lane], b[lane], c[lane]);
            }
            // SAFETY: as above.
            unsafe { at(operation.result).write(result) };
        }
    }
}

/// Computes operations with one table in registers of 512 bits.
///
/// # Safety
/// As for [`portable`]; the processor has AVX-512, and `W` is a multiple of 8.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn wide<const TABLE: u8, const IMMEDIATE: i32, const W: usize>(
    memory: *mut u8,
    operations: &[Operation],
) {
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_setzero_si512, _mm512_storeu_si512, _mm512_ternarylogic_epi64,
    };
    for operation in operations {
        for chunk in 0..W / 8 {
            // SAFETY: the offset is that of a slot, and chunks of eight words are inside of it.
            let at = |offset: u32| unsafe { memory.add(offset as usize + chunk * 64) };
            let read = |operand: usize| {
                if depends(TABLE, operand) {
                    // SAFETY: as above.
                    unsafe { _mm512_loadu_si512(at(operation.operands[operand]).cast()) }
                } else {
                    _mm512_setzero_si512()
                }
            };
            let (a, b, c) = (read(0), read(1), read(2));
            let result = _mm512_ternarylogic_epi64::<IMMEDIATE>(c, b, a);
            // SAFETY: as above.
            unsafe { _mm512_storeu_si512(at(operation.result).cast(), result) };
        }
    }
}

/// Calls `$one::<TABLE, …>` for each run with its operations.
macro_rules! by_table {
    ($runs:expr, $operations:expr, |$table:ident, $some:ident| $body:expr; $($known:literal)*) => {{
        let mut rest: &[Operation] = $operations;
        for &$crate::program::Run { table, len } in $runs {
            let ($some, others) = rest.split_at(len as usize);
            rest = others;
            match table {
                $($known => { const $table: u8 = $known; $body })*
                _ => unreachable!("programs are checked before they run"),
            }
        }
    }};
}

/// [`by_table`] for all tables there are.
macro_rules! by_any_table {
    ($runs:expr, $operations:expr, |$table:ident, $some:ident| $body:expr) => {
        $crate::kernel::tables::by_table!($runs, $operations, |$table, $some| $body;
            0 1 2 3 6 7 8 9 10 11 14 15 22 23 24 25 26 27 30 31 40 41 42 43 44 45 46 47 60 61 62 63 104 105 106 107 110
            111 126 127 128 129 130 131 134 135 136 137 138 139 142 143 150 151 152 153 154 155 158 159 168 169 170 171
            172 173 174 175 188 189 190 191 232 233 234 235 238 239 254 255)
    };
}

pub(super) use {by_any_table, by_table};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Run, TABLES};

    #[test]
    fn tables_say_what_is_computed() {
        let (a, b, c) = (0b1010_1010, 0b1100_1100, 0b1111_0000);
        for table in 0..=255 {
            assert_eq!(three(table, a, b, c) & 255, u64::from(table));
        }
    }

    #[test]
    fn every_known_table_is_executed() {
        for table in TABLES {
            let mut memory: Vec<u64> =
                [0b1010_1010_u64, 0b1100_1100, 0b1111_0000, 77].into_iter().flat_map(|it| [it; 4]).collect();
            let operations = [Operation { operands: [0, 32, 64], result: 96 }];
            let runs = [Run { table, len: 1 }];
            let memory_start = memory.as_mut_ptr().cast();
            // SAFETY: the slots have four words each and there are four of them.
            by_any_table!(&runs, &operations, |TABLE, some| unsafe {
                portable::<TABLE, 4>(memory_start, some)
            });
            assert!(memory[12..].iter().all(|&word| word & 255 == u64::from(table)));
        }
    }
}
