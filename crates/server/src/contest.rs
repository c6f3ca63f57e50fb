//! A match between players of any kind, from the first message to the record.

use crate::ask::{AskError, ask};
use crate::log::say;
use crate::round::{LONGEST_CLOCK, Place, Round};
use crate::thinker::Thinker;
use senet_game::GameError;
use senet_protocol::{Answer, Heard, Info, Message, Phase, Record, Referee, Reply, Settings, wire};
use senet_search::{Player, Rules, Stop};
use std::net::{SocketAddr, ToSocketAddrs};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// Who plays a role.
pub enum Seat {
    /// A player that answers over HTTP.
    Remote {
        /// Host and port.
        address: String,
    },
    /// A player of this process.
    Local {
        /// What it is called.
        name: String,
        /// The player.
        player: Box<dyn Player>,
        /// Whether the clocks are for it, too: people take their time.
        is_timed: bool,
    },
    /// The referee itself, at random.
    Dice,
}

/// A match that is to be played.
pub struct Contest {
    /// The game.
    pub rules: Arc<Rules>,
    /// The game's name.
    pub game: String,
    /// Who plays, in role order.
    pub seats: Vec<Seat>,
    /// How long players may think before the first move.
    pub start_clock: Duration,
    /// How much later the answer to START may still arrive.
    pub start_grace: Duration,
    /// How long players may think about each move.
    pub play_clock: Duration,
    /// How much later an answer may still arrive.
    pub grace: Duration,
    /// Whether players of this process think in the time of the others, too.
    pub ponder: bool,
    /// Whether players behind addresses are told other names than those of the rulesheet.
    pub scramble: bool,
    /// Decides the random moves and the new names.
    pub seed: u64,
    /// A match that is longer has no end.
    pub most_steps: usize,
    /// Ends the match at once when it is called, also while players think.
    pub left: Stop,
}

/// Why a match did not begin.
#[derive(Debug, Error)]
pub enum ContestError {
    /// The rules do not give a first position.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Nobody can be called there.
    #[error("there is no player at `{address}`: {error}")]
    Address {
        /// Host and port.
        address: String,
        /// Why.
        error: std::io::Error,
    },
    /// A player that does not take the match.
    #[error(
        "{player} is busy: it is in another match, or it cannot play these rules. Wait until it is free, or start it anew"
    )]
    Busy {
        /// Its name and address.
        player: String,
    },
    /// Names that cannot be sent.
    #[error("the rules have names that are not ASCII: other players are sent them scrambled only")]
    NotAscii,
}

/// How long a player may take to hear that the match is over.
const GOODBYE: Duration = Duration::from_secs(1);

/// How long a player may take to say who it is.
const INFO_TIME: Duration = Duration::from_secs(2);

/// How long a player may be busy before a match at least: one whose last referee died is free after its clock and a grace.
const LEAST_BUSY: Duration = Duration::from_secs(60);

/// What is waited beyond a clock: ours gives a silent referee 15 s. That the last match had clocks like this one is a guess.
const GRACE_OF_PLAYERS: Duration = Duration::from_secs(20);

/// How often a busy player is asked.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(500);

impl Contest {
    /// Plays the match. `watch` sees it after each step, and may end it; the record is whole at any of them.
    pub fn play(self, watch: &mut dyn FnMut(&Referee) -> ControlFlow<()>) -> Result<Record, ContestError> {
        let (mut places, players) = seated(self.seats, longest_busy(self.start_clock, self.play_clock))?;
        let settings = Settings {
            match_id: match_id(&self.game),
            game: self.game,
            players,
            addresses: places.iter().map(Place::address).collect(),
            start_clock: self.start_clock,
            start_grace: self.start_grace.min(LONGEST_CLOCK),
            play_clock: self.play_clock,
            grace: self.grace.min(LONGEST_CLOCK),
            scramble: self.scramble,
            seed: self.seed,
            most_steps: self.most_steps,
        };
        let begin = Instant::now();
        let mut referee = Referee::new(
            self.rules.description(),
            self.rules.engine().clone(),
            settings,
            milliseconds_since_1970(),
        )?;
        let sent = referee.sent_rules();
        let is_remote = |place: &Place| matches!(place, Place::Remote { .. });
        if places.iter().any(is_remote) && !wire(&sent.to_text(), &sent.symbols).is_ascii() {
            return Err(ContestError::NotAscii);
        }
        let mut busy = None;
        while referee.phase() != Phase::Over {
            if watch(&referee).is_break() {
                referee.abort();
            }
            let phase = referee.phase();
            let (clock, grace, left) = match phase {
                Phase::Start => (self.start_clock, self.start_grace, self.left.clone()),
                Phase::Play => (self.play_clock, self.grace, self.left.clone()),
                Phase::Stop | Phase::Abort | Phase::Over => {
                    (Duration::ZERO, GOODBYE.max(self.grace), Stop::default())
                }
            };
            let (sent_after, ponder) = (begin.elapsed(), self.ponder);
            let round = Round { begin, sent_after, clock, grace, ponder, left, rules: &self.rules };
            let Some(heard) = round.ask_all(&referee, &mut places) else {
                referee.abort();
                continue;
            };
            referee.take(&heard, milliseconds_since_1970());
            if phase == Phase::Start {
                busy = first_busy(&places, &heard);
            }
            if busy.is_some() {
                // Those who took the match are told.
                referee.abort();
            }
        }
        let _ = watch(&referee);
        match busy {
            Some(player) => Err(ContestError::Busy { player }),
            None => Ok(referee.into_record()),
        }
    }
}

/// A player that answers START with `busy`. It would do so to every PLAY: that is no match.
fn first_busy(places: &[Place], heard: &[Option<Heard>]) -> Option<String> {
    places.iter().zip(heard).find_map(|(place, heard)| match (place, heard) {
        (Place::Remote { address, name }, Some(Heard { answer: Answer::Text(text), .. }))
            if Reply::is_word(text.as_bytes(), "busy") =>
        {
            Some(called(name, *address))
        }
        _ => None,
    })
}

fn called(name: &str, address: SocketAddr) -> String {
    match name == address.to_string() {
        true => format!("the player at http://{address}"),
        false => format!("the player {name} at http://{address}"),
    }
}

/// How long a player with these clocks is waited for that may have been left alone in a match.
fn longest_busy(start_clock: Duration, play_clock: Duration) -> Duration {
    LEAST_BUSY.max(start_clock.max(play_clock).min(LONGEST_CLOCK) + GRACE_OF_PLAYERS)
}

/// Gives each player of this process a thread, and finds the others.
fn seated(seats: Vec<Seat>, longest_busy: Duration) -> Result<(Vec<Place>, Vec<String>), ContestError> {
    let found = thread::scope(|scope| {
        let find = |seat: Seat| match seat {
            Seat::Local { name, player, is_timed } => {
                Found::Here((Place::Local { thinker: Thinker::new(player), is_timed }, name))
            }
            Seat::Dice => Found::Here((Place::Dice, "random".to_owned())),
            Seat::Remote { address } => Found::There(scope.spawn(move || find_remote(address, longest_busy))),
        };
        // All are looked for before one is waited for.
        let found: Vec<Found> = seats.into_iter().map(find).collect();
        let seated = found.into_iter().map(|found| match found {
            Found::Here(seated) => Ok(seated),
            Found::There(seated) => seated.join().expect("looking for a player does not panic"),
        });
        seated.collect::<Result<Vec<_>, _>>()
    })?;
    Ok(found.into_iter().unzip())
}

/// A seat, or the search for one.
enum Found<'scope> {
    Here((Place, String)),
    There(thread::ScopedJoinHandle<'scope, Result<(Place, String), ContestError>>),
}

/// Looks for the player behind a host and a port.
fn find_remote(address: String, longest_busy: Duration) -> Result<(Place, String), ContestError> {
    let found: std::io::Result<Vec<SocketAddr>> = address.to_socket_addrs().map(Iterator::collect);
    let error = match found {
        Ok(addresses) => match find_among(&addresses, &address, longest_busy)? {
            Some(found) => return Ok(found),
            None => std::io::ErrorKind::NotFound.into(),
        },
        Err(error) => error,
    };
    Err(ContestError::Address { address, error })
}

/// Asks a player for its name, and waits until it is free. A host may have several addresses of which one answers; where
/// none does, one that takes its time may still be a player. One that says no name is called by its address.
fn find_among(
    addresses: &[SocketAddr],
    host: &str,
    longest_busy: Duration,
) -> Result<Option<(Place, String)>, ContestError> {
    let seat = |address, name: String| Some((Place::Remote { address, name: name.clone() }, name));
    let info = Message::Info.to_string();
    let mut late = None;
    for &candidate in addresses {
        match ask(candidate, host, &info, Instant::now() + INFO_TIME) {
            Ok(answer) => {
                let info = Reply::parse_info(answer.as_bytes());
                let info = wait_until_free(candidate, host, info, longest_busy)?;
                return Ok(seat(candidate, name_of(&info, host)));
            }
            Err(AskError::Late) => late = late.or(Some(candidate)),
            Err(AskError::Broken(_)) => {}
        }
    }
    let likeliest = late.or_else(|| addresses.first().copied());
    Ok(likeliest.and_then(|address| seat(address, host.to_owned())))
}

fn name_of(info: &Info, address: &str) -> String {
    let said = info.name.as_ref().filter(|said| said.chars().all(|c| c.is_ascii_graphic()));
    said.map_or(address, String::as_str).to_owned()
}

/// Asks again until a player does not say that it is busy. What it says then, or said last if it does not answer any more.
fn wait_until_free(
    candidate: SocketAddr,
    address: &str,
    mut info: Info,
    longest: Duration,
) -> Result<Info, ContestError> {
    let is_busy = |info: &Info| info.status.as_deref() == Some("busy");
    if !is_busy(&info) {
        return Ok(info);
    }
    let player = called(&name_of(&info, address), candidate);
    say(&format!("{player} is busy: waiting up to {} s until it is free", longest.as_secs()));
    let begin = Instant::now();
    while is_busy(&info) {
        if begin.elapsed() > longest {
            return Err(ContestError::Busy { player });
        }
        thread::sleep(BETWEEN_QUESTIONS);
        match ask(candidate, address, &Message::Info.to_string(), Instant::now() + INFO_TIME) {
            Ok(answer) => info = Reply::parse_info(answer.as_bytes()),
            Err(_) => break,
        }
    }
    Ok(info)
}

/// A name for a match that begins now.
pub fn match_id(game: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
    let game: String = game.chars().filter(is_plain).take(60).collect();
    format!("Senet.{game}.{}", milliseconds_since_1970())
}

/// The time as records have it.
pub fn milliseconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    #[test]
    fn a_player_left_alone_is_waited_for_longer_than_its_clock() {
        let seconds = Duration::from_secs;
        assert_eq!(longest_busy(seconds(10), seconds(5)), seconds(60));
        assert_eq!(longest_busy(seconds(90), seconds(5)), seconds(110));
        assert_eq!(longest_busy(seconds(10), seconds(45)), seconds(65));
        assert_eq!(longest_busy(Duration::MAX, seconds(5)), seconds(86_420));
    }

    #[test]
    fn the_address_that_answers_is_taken_before_one_that_does_not() {
        let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
        let good = TcpListener::bind("127.0.0.1:0").expect("a port");
        let nobody = TcpListener::bind("127.0.0.1:0").and_then(|gone| gone.local_addr()).expect("a port");
        let [silent_address, good_address] = [&silent, &good].map(|it| it.local_addr().expect("an address"));
        thread::spawn(move || {
            for stream in good.incoming() {
                let mut stream = stream.expect("a connection");
                let _ = stream.read(&mut [0; 1000]);
                let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n((name Good))");
            }
        });
        let find = |addresses: &[SocketAddr]| {
            let found = find_among(addresses, "host:1", Duration::ZERO).expect("it is not busy");
            found.map(|(place, name)| (place.address(), name))
        };
        let found = |address: SocketAddr, name: &str| Some((Some(address.to_string()), name.to_owned()));
        assert_eq!(find(&[silent_address, nobody, good_address]), found(good_address, "Good"));
        assert_eq!(find(&[nobody, silent_address]), found(silent_address, "host:1"));
        assert_eq!(find(&[nobody]), found(nobody, "host:1"));
        assert_eq!(find(&[]), None);
    }
}
