//! What a player answers.

use crate::text::{Malformed, beginning, elements, inside};
use std::fmt;

/// What a player answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// To INFO.
    Info {
        /// The player's name, one word.
        name: String,
        /// Whether it could begin a match.
        is_available: bool,
    },
    /// To START and PREVIEW.
    Ready,
    /// To START during another match, and to messages about a match it does not play.
    Busy,
    /// To STOP.
    Done,
    /// To ABORT.
    Aborted,
    /// To PLAY: the move as it is sent.
    Move(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Info { name, is_available } => {
                let status = if *is_available { "available" } else { "busy" };
                write!(f, "( ( name {name} ) ( status {status} ) )")
            }
            Reply::Ready => f.write_str("ready"),
            Reply::Busy => f.write_str("busy"),
            Reply::Done => f.write_str("done"),
            Reply::Aborted => f.write_str("aborted"),
            Reply::Move(text) => f.write_str(text),
        }
    }
}

/// What a player says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Its name, if it says it.
    pub name: Option<String>,
    /// `available` or `busy`, in lower case; other words are other players' own.
    pub status: Option<String>,
}

impl Reply {
    /// Reads the answer to INFO: a list of pairs, or one word, which is the status.
    pub fn parse_info(bytes: &[u8]) -> Info {
        let text = String::from_utf8_lossy(bytes);
        let mut info = Info::default();
        let Some(Ok(first)) = elements(&text).next() else { return info };
        let Some(pairs) = inside(first) else {
            info.status = Some(first.to_ascii_lowercase());
            return info;
        };
        for pair in elements(pairs).map_while(Result::ok).filter_map(inside) {
            let mut words = elements(pair).map_while(Result::ok);
            let (Some(key), Some(value)) = (words.next(), words.next()) else { continue };
            match key.to_ascii_lowercase().as_str() {
                "name" => info.name = Some(beginning(value, 100)),
                "status" => info.status = Some(value.to_ascii_lowercase()),
                _ => {}
            }
        }
        info
    }

    /// Reads the answer to PLAY, as canonical text. What follows the move, such as an explanation, is passed over.
    pub fn parse_move(bytes: &[u8]) -> Result<String, Malformed> {
        let text = String::from_utf8_lossy(bytes);
        let first = elements(&text).next().ok_or(Malformed::Empty)??;
        senet_gdl::canonical(first).map_err(|error| Malformed::Move(beginning(&error.to_string(), 100)))
    }

    /// Whether an answer is this word, in any letter case.
    pub fn is_word(bytes: &[u8], word: &str) -> bool {
        let text = String::from_utf8_lossy(bytes);
        matches!(elements(&text).next(), Some(Ok(first)) if first.eq_ignore_ascii_case(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_have_one_form() {
        let info = Reply::Info { name: "Senet".into(), is_available: true };
        assert_eq!(info.to_string(), "( ( name Senet ) ( status available ) )");
        let words = [Reply::Ready, Reply::Busy, Reply::Done, Reply::Aborted].map(|reply| reply.to_string());
        assert_eq!(words, ["ready", "busy", "done", "aborted"]);
    }

    #[test]
    fn information_is_a_list_or_a_word() {
        let info = |name: Option<&str>, status: Option<&str>| Info {
            name: name.map(str::to_owned),
            status: status.map(str::to_owned),
        };
        for (text, expected) in [
            ("( ( name Random ) ( status available ) )", info(Some("Random"), Some("available"))),
            ("((NAME R)(STATUS BUSY)(mood good))", info(Some("R"), Some("busy"))),
            ("Ready", info(None, Some("ready"))),
            ("((name))", info(None, None)),
            ("", info(None, None)),
            (")", info(None, None)),
            ("((name a) (status", info(None, None)),
        ] {
            assert_eq!(Reply::parse_info(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_move_is_the_first_term() {
        let read = |text: &str| Reply::parse_move(text.as_bytes());
        assert_eq!(read(" ( MARK 2  2 ) (explanation (best)) (taunt ha)").unwrap(), "(mark 2 2)");
        assert_eq!(read("(noop)").unwrap(), "noop");
        assert_eq!(read("NOOP)))").unwrap(), "noop");
        assert_eq!(read(""), Err(Malformed::Empty));
        assert_eq!(read("(mark 2"), Err(Malformed::Unclosed));
        for odd in ["()", "(mark ?x)", "((a) b)", "\u{fffd}"] {
            assert!(matches!(read(odd), Err(Malformed::Move(_))), "{odd}");
        }
        assert!(Reply::is_word(b" READY ", "ready") && !Reply::is_word(b"(ready)", "ready"));
    }
}
