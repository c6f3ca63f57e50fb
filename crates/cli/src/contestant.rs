//! SPEC on the command line: who plays a role.

use anyhow::{Result, bail};
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
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Contestant, SpecError> {
        if text == "human" {
            return Ok(Contestant::Human);
        }
        let Some(place) = text.strip_prefix("http://") else { return text.parse().map(Contestant::Strategy) };
        let place = place.trim_end_matches('/');
        let has_port = place.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let place = if has_port { place.to_owned() } else { format!("{place}:{USUAL_PORT}") };
        Ok(Contestant::Remote(place))
    }
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
                // The first draws of a seed are the referee's.
                player: spec.player(derived_seed(seed, 1 + role as u64)),
                is_timed: true,
            }),
            Contestant::Human => bail!("a person plays in `senet match` and `senet play` only"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_addresses_strategies_and_people() {
        let read = |text: &str| text.parse::<Contestant>().map(|read| read.to_string());
        assert_eq!(read("http://localhost/").as_deref(), Ok("http://localhost:9147"));
        assert_eq!(read("http://[::1]:80").as_deref(), Ok("http://[::1]:80"));
        assert_eq!(read("human").as_deref(), Ok("human"));
        assert_eq!(read("random").as_deref(), Ok("random"));
        assert!(read("https://x").expect_err("no strategy").to_string().starts_with("there is no strategy"));
    }
}
