//! What an engine is wanted for.

/// What an engine is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A match, which is to begin at once: an engine that is ready may become a faster one while it is played.
    Match,
    /// One state at a time, as in a search.
    OneState,
    /// Random playouts by the thousand.
    ManyPlayouts,
}
