//! A match between players of any kind, from the first message to the record.

use crate::ask::{AskError, ask};
use crate::round::{Place, Round};
use crate::thinker::Thinker;
use senet_engines::LoadError;
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
    /// Whether players are told other names than those of the rulesheet.
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
    /// The scrambled rules have no engine.
    #[error(transparent)]
    Load(#[from] LoadError),
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

/// How long a player may be busy before a match. One whose last referee died is free after the clock and a grace.
const LONGEST_BUSY: Duration = Duration::from_secs(60);

/// How often a busy player is asked.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(500);

impl Contest {
    /// Plays the match. `watch` sees it after each step, and may end it; the record is whole at any of them.
    pub fn play(self, watch: &mut dyn FnMut(&Referee) -> ControlFlow<()>) -> Result<Record, ContestError> {
        let (mut places, players) = seated(self.seats)?;
        let settings = Settings {
            match_id: match_id(&self.game),
            game: self.game,
            players,
            start_clock: self.start_clock,
            play_clock: self.play_clock,
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
        let sent_rules = match self.scramble {
            true => Rules::new(referee.sent_rules().clone())?,
            false => self.rules.clone(),
        };
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
            let round = Round { begin, sent_after, clock, grace, ponder, left, rules: &sent_rules };
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

/// Gives each player of this process a thread, and finds the others.
fn seated(seats: Vec<Seat>) -> Result<(Vec<Place>, Vec<String>), ContestError> {
    let found = thread::scope(|scope| {
        let find = |seat: Seat| match seat {
            Seat::Local { name, player, is_timed } => {
                Found::Here((Place::Local { thinker: Thinker::new(player), is_timed }, name))
            }
            Seat::Dice => Found::Here((Place::Dice, "random".to_owned())),
            Seat::Remote { address } => Found::There(scope.spawn(|| find_remote(address))),
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

/// Asks a player for its name, and waits until it is free. A host may have several addresses of which one answers; a player that says no name is
/// called by its address.
fn find_remote(address: String) -> Result<(Place, String), ContestError> {
    let addresses = match address.to_socket_addrs() {
        Ok(addresses) => addresses.collect::<Vec<_>>(),
        Err(error) => return Err(ContestError::Address { address, error }),
    };
    let Some(&first) = addresses.first() else {
        return Err(ContestError::Address { address, error: std::io::ErrorKind::NotFound.into() });
    };
    let info = Message::Info.to_string();
    for candidate in addresses {
        match ask(candidate, &address, &info, Instant::now() + INFO_TIME) {
            Ok(answer) => {
                let info = wait_until_free(candidate, &address, Reply::parse_info(answer.as_bytes()))?;
                let name = name_of(&info, &address);
                return Ok((Place::Remote { address: candidate, name: name.clone() }, name));
            }
            Err(AskError::Late) => {
                return Ok((Place::Remote { address: candidate, name: address.clone() }, address));
            }
            Err(AskError::Broken(_)) => {}
        }
    }
    Ok((Place::Remote { address: first, name: address.clone() }, address))
}

fn name_of(info: &Info, address: &str) -> String {
    let said = info.name.as_ref().filter(|said| said.chars().all(|c| c.is_ascii_graphic()));
    said.map_or(address, String::as_str).to_owned()
}

/// Asks again until a player does not say that it is busy. What it says then, or said last if it does not answer any more.
fn wait_until_free(candidate: SocketAddr, address: &str, mut info: Info) -> Result<Info, ContestError> {
    let is_busy = |info: &Info| info.status.as_deref() == Some("busy");
    if !is_busy(&info) {
        return Ok(info);
    }
    let player = called(&name_of(&info, address), candidate);
    eprintln!("note: {player} is busy: waiting up to {} s until it is free", LONGEST_BUSY.as_secs());
    let begin = Instant::now();
    while is_busy(&info) {
        if begin.elapsed() > LONGEST_BUSY {
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
