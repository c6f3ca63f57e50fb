//! What operations compute.

use crate::logic::BlockKind;

/// What an operation computes of its operands. In a table, bit `i` is the value where operand `j` is bit `j` of `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Shape {
    /// One result of at most three operands.
    Table(u8),
    /// Two results of three operands: whether an odd number is on, and a carry or a borrow, by its table.
    Sum(u8),
    /// The first operand, and again and again the table of what there is and two more operands.
    Fold { table: u8, n_terms: u32 },
    /// A block.
    Block(BlockKind),
}

impl Shape {
    pub(crate) fn n_operands(self) -> usize {
        match self {
            Shape::Table(table) => n_operands(table),
            Shape::Sum(_) => 3,
            Shape::Fold { n_terms, .. } => 1 + 2 * n_terms as usize,
            Shape::Block(kind) => kind.n_operands(),
        }
    }

    pub(crate) fn n_results(self) -> usize {
        match self {
            Shape::Table(_) | Shape::Fold { .. } => 1,
            Shape::Sum(_) => 2,
            Shape::Block(kind) => kind.n_results(),
        }
    }

    /// How many slots an operation has: its operands and results.
    pub(crate) fn n_slots(self) -> usize {
        self.n_operands() + self.n_results()
    }

    /// How many tables are looked up.
    pub(crate) fn n_tables(self) -> usize {
        match self {
            Shape::Table(_) => 1,
            Shape::Sum(_) => 2,
            Shape::Fold { n_terms, .. } => n_terms as usize,
            Shape::Block(BlockKind::Count7) => 8,
            Shape::Block(BlockKind::Pick3) => 6,
            Shape::Block(BlockKind::Pick7) => 24,
        }
    }

    /// A number for each shape, but for the number of terms: one jump leads to its loop.
    pub(crate) const fn code(self) -> u16 {
        let (kind, table) = match self {
            Shape::Table(table) => (0, table),
            Shape::Sum(table) => (1, table),
            Shape::Fold { table, .. } => (2, table),
            Shape::Block(kind) => (3, kind as u8),
        };
        kind << 8 | table as u16
    }

    /// Whether the loops know it.
    pub(crate) fn is_known(self) -> bool {
        match self {
            Shape::Table(table) => TABLES.contains(&table),
            Shape::Sum(table) => SUMS.contains(&table),
            Shape::Fold { table, .. } => FOLDS.contains(&table),
            Shape::Block(_) => true,
        }
    }
}

/// The table of each operand.
pub(crate) const VARIABLES: [u8; 3] = [0b1010_1010, 0b1100_1100, 0b1111_0000];
/// Whether an odd number of three operands is on.
pub(crate) const ODD: u8 = 0b1001_0110;

/// Whether a table depends on an operand.
pub(crate) const fn depends(table: u8, at: usize) -> bool {
    (table & VARIABLES[at]) >> (1 << at) != table & !VARIABLES[at]
}

/// How many operands a table has: the first ones.
pub(crate) const fn n_operands(table: u8) -> usize {
    if depends(table, 2) {
        3
    } else if depends(table, 1) {
        2
    } else {
        depends(table, 0) as usize
    }
}

/// Whether no row of a table changes from on to off with an operand.
pub(crate) const fn grows_with(table: u8, at: usize) -> bool {
    table & !VARIABLES[at] & !((table & VARIABLES[at]) >> (1 << at)) == 0
}

/// The table where an operand is given negated.
pub(crate) const fn negate_operand(table: u8, at: usize) -> u8 {
    let shift = 1 << at;
    (table & VARIABLES[at]) >> shift | (table & !VARIABLES[at]) << shift
}

/// The table where operand `j` is at place `places[j]`.
pub(crate) fn permuted(table: u8, places: [usize; 3]) -> u8 {
    (0..8).fold(0, |all, row: usize| {
        let source = (0..3).fold(0, |source, at| source | (row >> places[at] & 1) << at);
        all | (table >> source & 1) << row
    })
}

/// The smallest table that differs in the order of the first `n` operands only, and their places in it.
pub(crate) fn in_order(table: u8, n: usize) -> (u8, [usize; 3]) {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let n_orders = [1, 1, 2, 6][n];
    let tables = ORDERS[..n_orders].iter().map(|&places| (permuted(table, places), places));
    tables.min().expect("there is an order")
}

/// Calls a macro with the codes of all shapes: the tables of operations with one result, the smallest of those that
/// differ in the order of operands only; those of carries and borrows, and 256; those of folds, which only grow with the
/// first operand, and 512.
macro_rules! with_tables {
    ($then:ident $arguments:tt) => {
        $then! {
            $arguments
            [0 1 2 6 7 8 9 11 14 17 22 23 24 25 26 27 30 31 34 40 41 42 43 44 45 46 47 61 62 85 102 104 105 106 107 110
             111 119 126 127 128 129 130 131 134 135 136 137 138 139 142 143 150 151 152 153 154 155 158 159 168 169 170
             171 172 173 174 187 188 189 190 191 232 233 234 235 238 239 254 255]
            [398 488]
            [514 520 523 526 552 554 555 556 558 559 574 640 642 643 650 651 652 654 655 680 683 684 686 700 702 703
             706 712 714 715 718 744 746 747 748 751 766]
        }
    };
}
pub(crate) use with_tables;

macro_rules! list_tables {
    (() [$($table:literal)*] [$($sum:literal)*] [$($fold:literal)*]) => {
        /// The tables of operations with one result.
        pub(crate) const TABLES: &[u8] = &[$($table),*];
        /// The tables of carries and borrows.
        pub(crate) const SUMS: &[u8] = &[$(($sum - 256) as u8),*];
        /// The tables of folds.
        pub(crate) const FOLDS: &[u8] = &[$(($fold - 512) as u8),*];
    };
}
with_tables!(list_tables());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tables_are_listed_but_for_the_order_of_operands() {
        let (mut tables, mut folds) = (Vec::new(), Vec::new());
        for table in 0..=255_u8 {
            let n = n_operands(table);
            if (0..n).all(|at| depends(table, at)) {
                tables.push(in_order(table, n).0);
            }
            if n == 3 && (0..3).all(|at| depends(table, at)) && grows_with(table, 0) {
                folds.push(table.min(permuted(table, [0, 2, 1])));
            }
        }
        for (mut found, listed) in [(tables, TABLES), (folds, FOLDS)] {
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, listed);
        }
    }
}
