//! What an engine is wanted for.

/// What an engine is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// One state at a time, as in a match or a search.
    OneState,
    /// Random playouts by the thousand.
    ManyPlayouts,
}
