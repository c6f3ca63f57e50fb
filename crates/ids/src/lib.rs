//! Typed dense ids, the name interner, and the clock of a thread.
//!
//! Everything in Senet that is counted gets an id type of its own: a `u32`
//! that indexes a vector and cannot be mistaken for another kind of index.

mod clock;
mod interner;

pub use clock::thread_cpu_time;
pub use interner::{Interner, Symbol};

/// Declares a dense id: a `u32` newtype that indexes vectors.
///
/// ```
/// senet_ids::define_id! {
///     /// A square of the board.
///     pub struct SquareId;
/// }
/// let square = SquareId::new(3);
/// assert_eq!(square.index(), 3);
/// ```
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $visibility struct $name(u32);

        #[allow(dead_code)] // Not every id uses both directions.
        impl $name {
            /// The id of the `index`-th thing.
            #[inline]
            $visibility fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 things of one kind"))
            }

            /// The place of this thing in its vector.
            #[inline]
            $visibility fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
