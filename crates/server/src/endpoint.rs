//! The player that referees call.

use crate::bout::{Bout, lock, plain};
use crate::connections::{Connection, Connections};
use crate::due::{Clock, Delays, Due};
use crate::http::{Request, read_request, write_response};
use crate::incoming::ReadError;
use crate::timed::Timed;
use senet_game::derived_seed;
use senet_protocol::{Action, Message, Reply, Session, Thoughts};
use senet_search::Player;
use std::fmt::Display;
use std::io::{self, Read};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Makes a player of a seed.
pub type Maker = Arc<dyn Fn(u64) -> Box<dyn Player> + Send + Sync>;

/// Is told in a line when a match begins and when it ends.
pub type Notice = Arc<dyn Fn(&str) + Send + Sync>;

/// How a player behaves towards referees.
#[derive(Clone)]
pub struct Options {
    /// What it is called.
    pub name: String,
    /// Makes the player of each match.
    pub player: Maker,
    /// Decides what players draw at random; each match has its own draws.
    pub seed: u64,
    /// How long before the end of a clock the answer leaves. `None`: as long as answers need to arrive, by measurement.
    pub margin: Option<Duration>,
    /// Whether it thinks in the opponents' time.
    pub ponder: bool,
    /// How much longer than its clock a referee may be silent before the player is free for another match.
    pub grace: Duration,
    /// How long the arrival of one message may take.
    pub request_time: Duration,
    /// The folder for the logs of matches.
    pub log: Option<PathBuf>,
    /// Who is told of each match.
    pub notice: Option<Notice>,
    /// Who is told of errors and warnings in the rules of a match: of all at once, each on a line of its own.
    pub warning: Option<Notice>,
}

impl Options {
    /// The usual ones.
    pub fn new(name: &str, player: Maker) -> Options {
        Options {
            name: name.to_owned(),
            player,
            seed: 0,
            margin: None,
            ponder: true,
            grace: Duration::from_secs(15),
            request_time: Duration::from_secs(10),
            log: None,
            notice: None,
            warning: None,
        }
    }
}

/// How long a player waits for a referee to close a connection after the answer.
const GOODBYE: Duration = Duration::from_secs(1);

/// A player that listens.
pub struct Endpoint {
    listener: TcpListener,
    desk: Arc<Desk>,
}

/// What all connections share.
struct Desk {
    options: Options,
    seats: Mutex<Seats>,
    connections: Connections,
    delays: Arc<Delays>,
}

struct Seats {
    session: Session,
    bout: Option<Arc<Bout>>,
    n_matches: u64,
}

impl Endpoint {
    /// Begins to listen. Connections wait until [`run`](Endpoint::run).
    pub fn bind(address: impl ToSocketAddrs, options: Options) -> io::Result<Endpoint> {
        let session = Session::new(&options.name, options.grace);
        let desk = Desk {
            options,
            seats: Mutex::new(Seats { session, bout: None, n_matches: 0 }),
            connections: Connections::default(),
            delays: Arc::default(),
        };
        Ok(Endpoint { listener: TcpListener::bind(address)?, desk: Arc::new(desk) })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers, for ever.
    pub fn run(self) -> ! {
        loop {
            // A connection that was closed before it was accepted is no reason to stop, and neither are too many files.
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            let Some(connection) = self.desk.connections.admit(stream) else { continue };
            let leaving = Leaving { desk: self.desk.clone(), connection };
            // Where no thread can be begun, the connection is closed.
            let _ = thread::Builder::new().spawn(move || {
                // A connection that breaks is the referee's affair.
                let _ = leaving.desk.serve(&leaving.connection);
            });
        }
    }
}

/// Gives the place of a connection back, even if serving it panics.
struct Leaving {
    desk: Arc<Desk>,
    connection: Arc<Connection>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.desk.connections.release(&self.connection);
    }
}

/// What is said to somebody who makes no sense. Only ASCII is sent.
fn refusal(why: &dyn Display) -> String {
    plain(&format!("this is no message: {why}"))
}

/// Waits until the other side has read the answer and closes: closing first would take the answer away from one that is
/// still sending.
fn wait_for_goodbye(stream: &TcpStream, deadline: Instant) {
    let mut rest = Timed { stream, deadline };
    let mut piece = [0; 16 << 10];
    while rest.read(&mut piece).is_ok_and(|n| n > 0) {}
}

impl Desk {
    fn serve(self: &Arc<Desk>, connection: &Connection) -> io::Result<()> {
        let Connection { stream, arrival, has_spoken } = connection;
        let _ = stream.set_nodelay(true);
        let request = read_request(stream, *arrival + self.options.request_time);
        has_spoken.store(request.is_ok(), Ordering::Relaxed);
        let mut ready_at = None;
        let mut report = None;
        let (status, body) = match request {
            Ok(Request::Options) => ("200 OK", String::new()),
            Ok(Request::Message { bytes, wants_report }) => match Message::parse(&bytes) {
                Ok(message) => {
                    // An engine that panics loses a match, not the player.
                    let answer = || self.answer(message, &bytes, *arrival, &mut ready_at);
                    let (reply, thoughts) =
                        catch_unwind(AssertUnwindSafe(answer)).unwrap_or((Reply::Busy, None));
                    report = thoughts.filter(|_| wants_report).and_then(|thoughts| thoughts.to_line());
                    ("200 OK", reply.to_string())
                }
                Err(malformed) => ("400 Bad Request", refusal(&malformed)),
            },
            Err(ReadError::Io(error)) => return Err(error),
            Err(error @ ReadError::TooLong(_)) => ("413 Payload Too Large", refusal(&error)),
            Err(error @ ReadError::Late) => ("408 Request Timeout", refusal(&error)),
            Err(error) => ("400 Bad Request", refusal(&error)),
        };
        let answered = Instant::now();
        write_response(stream, answered + self.options.request_time, status, report.as_deref(), &body)?;
        stream.shutdown(Shutdown::Write)?;
        wait_for_goodbye(stream, answered + GOODBYE);
        if let Some(ready_at) = ready_at {
            self.delays.note_way(ready_at.elapsed());
        }
        Ok(())
    }

    fn due(&self, arrival: Instant, clock: Clock, silent_at: Option<Instant>) -> Due {
        let due = match self.options.margin {
            Some(margin) => Due::with_margin(arrival, clock, margin),
            None => Due::measured(arrival, clock, &self.delays),
        };
        due.pondering_until(silent_at.filter(|_| self.options.ponder))
    }

    /// The reply to a message, and what the search says of a move; and since when there was nothing more to wait for, if a
    /// clock waits for the reply.
    fn answer(
        self: &Arc<Desk>,
        message: Message,
        bytes: &[u8],
        arrival: Instant,
        ready_at: &mut Option<Instant>,
    ) -> (Reply, Option<Thoughts>) {
        let mut seats = lock(&self.seats);
        let action = seats.session.receive(message, arrival);
        let silent_at = seats.session.silent_at();
        let text = String::from_utf8_lossy(bytes);
        let reply = match action {
            Action::Answer(reply) => reply,
            Action::Begin { id, role, rules, start_clock, play_clock } => {
                let seed = derived_seed(self.options.seed, seats.n_matches);
                seats.n_matches += 1;
                // The match is taken already: it is left if nobody can be made who plays it.
                let make = || Bout::new((self.options.player)(seed), &self.options, &id, &role);
                let made = catch_unwind(AssertUnwindSafe(make)).ok();
                let before = std::mem::replace(&mut seats.bout, made.clone());
                if made.is_none() {
                    seats.session.leave(&id);
                }
                drop(seats);
                if let Some(before) = before {
                    before.note("given up: no message came");
                    before.tell("is given up: no message came, and another match begins");
                    before.abandon();
                }
                let Some(bout) = made else { return (Reply::Busy, None) };
                bout.log("received", &text);
                let (start, play) = (start_clock.as_secs_f64(), play_clock.as_secs_f64());
                bout.tell(&format!("begins: {role}, {start} s before the first move, {play} s for each"));
                let due = self.due(arrival, Clock::Start(start_clock), silent_at);
                let begin = || bout.begin(rules, role, derived_seed(seed, u64::MAX), &due);
                let is_playable = catch_unwind(AssertUnwindSafe(begin)).unwrap_or(false);
                let reply = if is_playable { Reply::Ready } else { Reply::Busy };
                if !is_playable {
                    self.leave(&bout, &id);
                }
                *ready_at = Some(Instant::now());
                bout.log("sent", &reply.to_string());
                reply
            }
            Action::Choose { moves, play_clock } => {
                let bout = seats.bout.clone();
                drop(seats);
                let Some(bout) = bout else { return (Reply::Busy, None) };
                bout.log("received", &text);
                let due = self.due(arrival, Clock::Play(play_clock), silent_at);
                let (reply, thoughts) = match bout.choose(moves, &due) {
                    Some(answer) => {
                        *ready_at = Some(answer.ready_at);
                        (Reply::Move(answer.text), answer.thoughts)
                    }
                    None => (Reply::Busy, None),
                };
                bout.log("sent", &reply.to_string());
                return (reply, thoughts);
            }
            Action::End { moves } => {
                let bout = seats.bout.take();
                drop(seats);
                if let Some(bout) = bout {
                    bout.log("received", &text);
                    bout.finish(moves);
                    bout.log("sent", &Reply::Done.to_string());
                    bout.finish_log();
                }
                Reply::Done
            }
            Action::Abandon => {
                let bout = seats.bout.take();
                drop(seats);
                if let Some(bout) = bout {
                    bout.log("received", &text);
                    bout.tell("is aborted by the referee");
                    bout.abandon();
                    bout.log("sent", &Reply::Aborted.to_string());
                    bout.finish_log();
                }
                Reply::Aborted
            }
        };
        (reply, None)
    }

    /// Leaves a match, if it is still the one that is played.
    fn leave(&self, bout: &Arc<Bout>, id: &str) {
        let mut seats = lock(&self.seats);
        if seats.bout.as_ref().is_some_and(|current| Arc::ptr_eq(current, bout)) {
            seats.bout = None;
            seats.session.leave(id);
        }
        drop(seats);
        bout.abandon();
    }
}
