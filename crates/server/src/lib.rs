//! Players and referees over HTTP, as the games of general game playing are played between machines.
//!
//! Everything is a thread that waits: a connection, a search, a question to one player. No wait is without an end, and
//! none of them waits for another one longer than the clock that was given.

mod timed;
mod incoming;
mod http;
mod ask;
mod thinker;
mod log;
mod due;
mod bout;
mod connections;
mod endpoint;
mod round;
mod contest;

pub use ask::{AskError, ask};
pub use contest::{Contest, ContestError, Seat, match_id, milliseconds_since_1970};
pub use endpoint::{Endpoint, Maker, Notice, Options};
