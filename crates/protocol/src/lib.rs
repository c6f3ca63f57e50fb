//! What referees and players of general game playing say to each other, without the wire between them.
//!
//! [`Message`]s and [`Reply`]s are read from anything that makes sense and written in one form. [`Session`] is the
//! memory of a player, [`Referee`] runs a match and writes its [`Record`]; both are plain data: what arrives goes in,
//! what is to be done comes out.
//!
//! ```
//! use senet_protocol::{Message, Reply};
//!
//! let message = Message::parse(b"(play Match.7 ((MARK 2 3) (noop)))")?;
//! assert_eq!(message.to_string(), "( PLAY Match.7 (( MARK 2 3 ) ( noop ) ) )");
//! assert_eq!(Reply::parse_move(b"( Mark 2  2 ) (taunt hah)")?, "(mark 2 2)");
//! # Ok::<(), senet_protocol::Malformed>(())
//! ```

mod text;
mod message;
mod reply;
mod session;
mod renaming;
mod record;
mod report;
mod referee;
mod replay;

pub use message::Message;
pub use record::{Exchange, Record, RecordError, Thoughts};
pub use referee::{Answer, Heard, Phase, Referee, Settings};
pub use renaming::Renaming;
pub use replay::{ReplayError, Walk};
pub use reply::{Info, Reply};
pub use session::{Action, Session};
pub use text::{ListEnd, MAX_MESSAGE, Malformed, wire};
