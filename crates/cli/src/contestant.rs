//! SPEC on the command line: who plays a role.

use anyhow::{Result, anyhow, bail, ensure};
use senet_game::derived_seed;
use senet_search::{Spec, SpecError};
use senet_server::Seat;
use std::fmt;
use std::str::FromStr;

/// Where players listen if nobody says otherwise.
pub(crate) const USUAL_PORT: u16 = 9147;

/// Who plays a role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Contestant {
    /// A player that answers over HTTP, by host and port.
    Remote(String),
    /// A player of this program.
    Strategy(Spec),
    /// Whoever sits at the terminal.
    Human,
}

impl FromStr for Contestant {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Contestant> {
        if text == "human" {
            return Ok(Contestant::Human);
        }
        if let Some(place) = text.strip_prefix("http://") {
            return read_place(place).map(Contestant::Remote);
        }
        text.parse().map(Contestant::Strategy).map_err(|error| with_other_players(text, error))
    }
}

/// Host and port of a player, the usual port if there is none.
fn read_place(place: &str) -> Result<String> {
    let place = place.trim_end_matches('/');
    if let Some((place, _)) = place.split_once(['/', '?', '#']) {
        bail!("players are called by host and port, without a path: http://{place}");
    }
    // Colons within brackets are those of an address.
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (place, None),
    };
    ensure!(!host.is_empty(), "there is no host in it: write http://HOST:PORT");
    let is_port = |text: &str| text.parse::<u16>().is_ok_and(|port| port > 0);
    match port {
        Some(port) if !is_port(port) => bail!("`{port}` is no port: ports are numbers from 1 to 65535"),
        Some(_) => Ok(place.to_owned()),
        None => Ok(format!("{host}:{USUAL_PORT}")),
    }
}

/// What else could have been meant where there is no such strategy.
fn with_other_players(text: &str, error: SpecError) -> anyhow::Error {
    let SpecError::UnknownStrategy(_) = error else { return error.into() };
    let is_place = |text: &str| text.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    match text.strip_prefix("https://") {
        Some(place) => anyhow!("players are called over HTTP without encryption: write http://{place}"),
        None if is_place(text) => anyhow!("{error}; or write http://{text} for the player there"),
        None => anyhow!("{error}; or write http://HOST:PORT for a player over HTTP, or `human`"),
    }
}

/// A strategy, where nobody else can play.
pub(crate) fn read_strategy(text: &str) -> Result<Spec> {
    let of_others = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) || text == "human";
    ensure!(
        !of_others,
        "`senet match` is for players over HTTP and people: there it is `--role NAME={text}`"
    );
    Ok(text.parse::<Spec>()?)
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Remote(address) => write!(f, "http://{address}"),
            Contestant::Strategy(spec) => spec.fmt(f),
            Contestant::Human => f.write_str("human"),
        }
    }
}

impl Contestant {
    /// A seat for a player of a match that has a seed, unless it is a person.
    pub(crate) fn seat(&self, seed: u64, role: usize) -> Result<Seat> {
        match self {
            Contestant::Remote(address) => Ok(Seat::Remote { address: address.clone() }),
            Contestant::Strategy(spec) => Ok(Seat::Local {
                name: spec.to_string(),
                player: spec.player(seed_of_role(seed, role)),
                is_timed: true,
            }),
            Contestant::Human => bail!("a person plays in `senet match` and `senet play` only"),
        }
    }
}

/// A player behind an address plays one role at a time: a second START of the same match finds it busy.
pub(crate) fn check_addresses<'a>(players: impl IntoIterator<Item = &'a Contestant>) -> Result<()> {
    let mut taken = Vec::new();
    for player in players {
        let Contestant::Remote(address) = player else { continue };
        ensure!(
            !taken.contains(&address),
            "{player} cannot play twice, for one player plays one role: start another with `senet player --port N` \
             and name its address"
        );
        taken.push(address);
    }
    Ok(())
}

/// What decides the draws of a strategy in a match that has a seed. The first draws of a seed are the referee's.
pub(crate) fn seed_of_role(seed: u64, role: usize) -> u64 {
    derived_seed(seed, 1 + role as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_addresses_strategies_and_people() {
        let read = |text: &str| text.parse::<Contestant>().expect("a player").to_string();
        assert_eq!(read("http://localhost/"), "http://localhost:9147");
        assert_eq!(read("http://[::1]:80"), "http://[::1]:80");
        assert_eq!(read("http://[::1]"), "http://[::1]:9147");
        assert_eq!(read("human"), "human");
        assert_eq!(read("random"), "random");
    }

    #[test]
    fn what_is_no_player_is_told_what_could_be_meant() {
        let error = |text: &str| text.parse::<Contestant>().expect_err(text).to_string();
        for (text, expected) in [
            ("localhost:9147", "or write http://localhost:9147 for the player there"),
            ("perfect", "or write http://HOST:PORT for a player over HTTP, or `human`"),
            ("https://x", "write http://x"),
            ("http://localhost:99999", "`99999` is no port: ports are numbers from 1 to 65535"),
            ("http://localhost:", "`` is no port"),
            ("http://localhost:0", "`0` is no port"),
            ("http://localhost:9147/play", "without a path: http://localhost:9147"),
            ("http://", "write http://HOST:PORT"),
            ("mcts:speed=1", "the strategy `mcts` has no option `speed=1`"),
        ] {
            assert!(error(text).contains(expected), "{}", error(text));
        }
        assert!(error("localhost:9147").starts_with("there is no strategy `localhost`: choose one of "));
    }

    #[test]
    fn an_address_plays_one_role() {
        let check = |specs: [&str; 3]| {
            let players = specs.map(|spec| spec.parse::<Contestant>().expect("a player"));
            check_addresses(&players).map_err(|error| error.to_string())
        };
        assert_eq!(check(["http://a", "random", "random"]), Ok(()));
        assert_eq!(check(["http://a:1", "http://a:2", "http://b:1"]), Ok(()));
        let error = check(["http://a", "random", "http://a:9147/"]).expect_err("the same twice");
        assert!(
            error.starts_with("http://a:9147 cannot play twice, for one player plays one role"),
            "{error}"
        );
    }

    #[test]
    fn others_than_strategies_play_in_matches() {
        assert_eq!(read_strategy("uct:c=40").expect("a strategy").to_string(), "uct:c=40");
        for text in ["http://localhost:9147", "human"] {
            let error = read_strategy(text).expect_err(text).to_string();
            assert!(error.starts_with("`senet match` is for players over HTTP and people"), "{error}");
        }
    }
}
