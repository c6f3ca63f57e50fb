//! A question to a player.

use crate::http::{Response, read_response, request_head};
use crate::incoming::ReadError;
use crate::timed::Timed;
use senet_protocol::Thoughts;
use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;
use thiserror::Error;

/// Answers are words and moves. A longer one is none.
const LONGEST_ANSWER: usize = 1 << 20;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AskError {
    /// Nothing came in time.
    #[error("no answer in time")]
    Late,
    /// No connection, or what came over it was no answer.
    #[error("{0}")]
    Broken(String),
}

/// Sends a message to a player and waits for the answer until the deadline: for all of it, however slowly it comes.
pub fn ask(
    address: SocketAddr,
    receiver: &str,
    message: &str,
    deadline: Instant,
) -> Result<String, AskError> {
    exchange(address, receiver, message, false, deadline).map(|(answer, _)| answer)
}

/// Asks for a move, and for what the search says of it.
pub(crate) fn ask_for_move(
    address: SocketAddr,
    receiver: &str,
    message: &str,
    deadline: Instant,
) -> Result<(String, Option<Thoughts>), AskError> {
    exchange(address, receiver, message, true, deadline)
}

fn exchange(
    address: SocketAddr,
    receiver: &str,
    message: &str,
    wants_report: bool,
    deadline: Instant,
) -> Result<(String, Option<Thoughts>), AskError> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(AskError::Late);
    }
    let stream = TcpStream::connect_timeout(&address, left).map_err(|error| match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => AskError::Late,
        _ => AskError::Broken(error.to_string()),
    })?;
    // Otherwise the system may hold the end of a message back.
    let _ = stream.set_nodelay(true);
    let request = request_head(receiver, message.len(), wants_report) + message;
    let written = Timed { stream: &stream, deadline }.write_all(request.as_bytes());
    match read_response(&stream, deadline, LONGEST_ANSWER) {
        Ok(Response { body, report }) => {
            let thoughts = report.filter(|_| wants_report).and_then(|line| Thoughts::from_line(&line));
            Ok((String::from_utf8_lossy(&body).trim().to_owned(), thoughts))
        }
        Err(ReadError::Late) => Err(AskError::Late),
        // A player that refuses a message early may answer before it was sent; one that is gone did not.
        Err(error) => Err(AskError::Broken(match written {
            Err(written) => written.to_string(),
            Ok(()) => error.to_string(),
        })),
    }
}
