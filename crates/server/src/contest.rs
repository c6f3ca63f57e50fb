//! A match between players of any kind, from the first message to the record.

use crate::ask::{AskError, ask};
use crate::round::{Place, Round};
use crate::thinker::Thinker;
use senet_engines::LoadError;
use senet_game::GameError;
use senet_protocol::{Message, Phase, Record, Referee, Reply, Settings, wire};
use senet_search::{Player, Rules};
use std::net::ToSocketAddrs;
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
    /// Whether players are told other names than those of the rulesheet.
    pub scramble: bool,
    /// Decides the random moves and the new names.
    pub seed: u64,
    /// A match that is longer has no end.
    pub most_steps: usize,
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
    /// Names that cannot be sent.
    #[error("the rules have names that are not ASCII: other players are sent them scrambled only")]
    NotAscii,
}

/// How long a player may take to hear that the match is over.
const GOODBYE: Duration = Duration::from_secs(1);

/// How long a player may take to say who it is.
const INFO_TIME: Duration = Duration::from_secs(2);

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
        while referee.phase() != Phase::Over {
            if watch(&referee).is_break() {
                referee.abort();
            }
            let (clock, grace) = match referee.phase() {
                Phase::Start => (self.start_clock, self.start_grace),
                Phase::Play => (self.play_clock, self.grace),
                Phase::Stop | Phase::Abort | Phase::Over => (Duration::ZERO, GOODBYE.max(self.grace)),
            };
            let round = Round { begin, sent_after: begin.elapsed(), clock, grace, rules: &sent_rules };
            let heard = round.ask_all(&referee, &mut places);
            referee.take(&heard, milliseconds_since_1970());
        }
        let _ = watch(&referee);
        Ok(referee.into_record())
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

/// Asks a player for its name. A host may have several addresses of which one answers; a player that says no name is
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
                let said = Reply::parse_info(answer.as_bytes()).name;
                let said = said.filter(|said| said.chars().all(|c| c.is_ascii_graphic()));
                let name = said.unwrap_or_else(|| address.clone());
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
