//! What flows between gates.

/// The value of a node or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wire(u32);

impl Wire {
    /// Never on.
    pub const FALSE: Wire = Wire(0);
    /// Always on.
    pub const TRUE: Wire = Wire(1);

    /// The value of a node.
    #[inline]
    pub fn of(node: usize) -> Wire {
        debug_assert!(node < 1 << 31);
        Wire((node as u32) << 1)
    }

    /// The node whose value or negation it is.
    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The same, negated if asked.
    #[inline]
    pub fn negated_if(self, negated: bool) -> Wire {
        Wire(self.0 ^ u32::from(negated))
    }

    /// Without its negation.
    #[inline]
    pub fn positive(self) -> Wire {
        Wire(self.0 & !1)
    }

    /// A number for arrays: twice the node, and one more for a negation.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) fn code(self) -> u32 {
        self.0
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;

    #[inline]
    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}
