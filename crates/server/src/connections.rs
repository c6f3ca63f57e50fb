//! The connections of a player: so many at a time, and those that say nothing make room for others.

use crate::bout::lock;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// How many are open at a time.
const MOST: usize = 64;

/// A connection.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    /// When it was accepted.
    pub(crate) arrival: Instant,
    /// Whether a whole request came over it.
    pub(crate) has_spoken: AtomicBool,
}

/// All connections that are open, the oldest first.
#[derive(Default)]
pub(crate) struct Connections(Mutex<Vec<Arc<Connection>>>);

impl Connections {
    /// Takes a connection in. If all places are taken, the oldest one that has not said a whole request is closed; where
    /// there is none, there is no place.
    pub(crate) fn admit(&self, stream: TcpStream) -> Option<Arc<Connection>> {
        let mut open = lock(&self.0);
        if open.len() >= MOST {
            let silent = open.iter().position(|other| !other.has_spoken.load(Ordering::Relaxed))?;
            // Whoever reads from it comes to its end.
            let _ = open.remove(silent).stream.shutdown(Shutdown::Both);
        }
        let connection =
            Arc::new(Connection { stream, arrival: Instant::now(), has_spoken: AtomicBool::new(false) });
        open.push(connection.clone());
        Some(connection)
    }

    /// Gives a place back.
    pub(crate) fn release(&self, connection: &Arc<Connection>) {
        lock(&self.0).retain(|other| !Arc::ptr_eq(other, connection));
    }
}
