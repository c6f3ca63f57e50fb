//! What a referee says.

use crate::text::{
    Elements, MAX_MESSAGE, Malformed, beginning, elements, inside, list, split_last_word, without_space,
};
use std::fmt;
use std::time::Duration;

/// What a referee says. Texts are kept as they were written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// Who are you, and are you free?
    Info,
    /// Rules to look at before a match.
    Preview {
        /// The clauses, one after the other.
        rules: String,
        /// How long to look.
        clock: Duration,
    },
    /// A match begins.
    Start {
        /// The name of the match.
        id: String,
        /// Who the player is in it.
        role: String,
        /// The clauses, one after the other.
        rules: String,
        /// How long to think before the first move.
        start_clock: Duration,
        /// How long to think about each move.
        play_clock: Duration,
    },
    /// What is your move?
    Play {
        /// The name of the match.
        id: String,
        /// The moves that led here, in role order; `None` in the first position. What no moves can be read of, such as the
        /// number of the turn, is there as one.
        moves: Option<Vec<String>>,
    },
    /// The match is over.
    Stop {
        /// The name of the match.
        id: String,
        /// The last moves; `None` if the first position was the last.
        moves: Option<Vec<String>>,
    },
    /// The match will not be finished.
    Abort {
        /// The name of the match.
        id: String,
    },
}

impl Message {
    /// Reads a message in any letter case and spacing. What follows it, and arguments nobody knows, are passed over;
    /// no message at all asks for information. The rules of a START may be cut off or have parentheses too many.
    pub fn parse(bytes: &[u8]) -> Result<Message, Malformed> {
        if bytes.len() > MAX_MESSAGE {
            return Err(Malformed::TooLong);
        }
        let text = String::from_utf8_lossy(bytes);
        Message::read(&text).or_else(|malformed| start_with_broken_rules(&text).ok_or(malformed))
    }

    fn read(text: &str) -> Result<Message, Malformed> {
        let Some(first) = elements(text).next().transpose()? else { return Ok(Message::Info) };
        let mut parts = Parts { message: "", rest: elements(inside(first).unwrap_or(text)) };
        let keyword = parts.rest.next().transpose()?.ok_or(Malformed::Empty)?;
        parts.message = match keyword.to_ascii_uppercase().as_str() {
            "INFO" => return Ok(Message::Info),
            "PREVIEW" => "PREVIEW",
            "START" => "START",
            "PLAY" => "PLAY",
            "STOP" => "STOP",
            "ABORT" => "ABORT",
            _ => return Err(Malformed::Unknown(beginning(keyword, 40))),
        };
        if parts.message == "PREVIEW" {
            return Ok(Message::Preview { rules: parts.rules()?, clock: parts.clock("clock")? });
        }
        let id = parts.next("match id")?.to_owned();
        Ok(match parts.message {
            "START" => Message::Start {
                id,
                role: parts.next("role")?.to_owned(),
                rules: parts.rules()?,
                start_clock: parts.clock("start clock")?,
                play_clock: parts.clock("play clock")?,
            },
            "PLAY" => Message::Play { id, moves: parts.moves()? },
            "STOP" => Message::Stop { id, moves: parts.moves()? },
            _ => Message::Abort { id },
        })
    }

    /// The name of the match it is about.
    pub fn id(&self) -> Option<&str> {
        match self {
            Message::Info | Message::Preview { .. } => None,
            Message::Start { id, .. }
            | Message::Play { id, .. }
            | Message::Stop { id, .. }
            | Message::Abort { id } => Some(id),
        }
    }
}

/// What has not been read of a message.
struct Parts<'a> {
    message: &'static str,
    rest: Elements<'a>,
}

impl<'a> Parts<'a> {
    fn next(&mut self, part: &'static str) -> Result<&'a str, Malformed> {
        self.rest.next().transpose()?.ok_or(Malformed::Missing { message: self.message, part })
    }

    fn rules(&mut self) -> Result<String, Malformed> {
        let rules = inside(self.next("rules")?);
        rules.map(str::to_owned).ok_or(Malformed::Missing { message: self.message, part: "rules" })
    }

    fn clock(&mut self, part: &'static str) -> Result<Duration, Malformed> {
        let text = self.next(part)?;
        seconds(text).ok_or_else(|| Malformed::Clock(beginning(text, 40)))
    }

    fn moves(&mut self) -> Result<Option<Vec<String>>, Malformed> {
        let Some(element) = self.rest.next().transpose()? else { return Ok(None) };
        match inside(element) {
            Some(moves) => {
                let moves: Vec<_> =
                    elements(moves).map(|text| text.map(str::to_owned)).collect::<Result<_, _>>()?;
                Ok(Some(moves).filter(|moves| !moves.is_empty()))
            }
            None if element.eq_ignore_ascii_case("nil") => Ok(None),
            // Some send what a player perceives, or the number of the turn: nobody can follow that, and it is a message all
            // the same.
            None => Ok(Some(vec![element.to_owned()])),
        }
    }
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// A START whose rules do not end where their parentheses say: in the middle of a clause or a comment, or because there are
/// too many parentheses. The rules are all between the role and the two clocks at the end of the message.
fn start_with_broken_rules(text: &str) -> Option<Message> {
    let mut front = elements(without_space(text).strip_prefix('(')?);
    if !front.next()?.ok()?.eq_ignore_ascii_case("START") {
        return None;
    }
    let (id, role) = (front.next()?.ok()?.to_owned(), front.next()?.ok()?.to_owned());
    let rules = without_space(front.rest()).strip_prefix('(')?;
    let (rules, play_clock) = split_last_word(rules.trim_end().strip_suffix(')')?)?;
    let (rules, start_clock) = split_last_word(rules)?;
    let rules = rules.trim_end().strip_suffix(')')?.to_owned();
    let (start_clock, play_clock) = (seconds(start_clock)?, seconds(play_clock)?);
    Some(Message::Start { id, role, rules, start_clock, play_clock })
}

/// The one form in which messages are sent.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = |moves: &Option<Vec<String>>| match moves {
            Some(moves) => list(moves.iter().map(String::as_str)),
            None => "NIL".to_owned(),
        };
        // Rules that cannot be read to the end are sent as far as they can.
        let clauses = |rules: &str| list(elements(rules).map_while(Result::ok));
        match self {
            Message::Info => f.write_str("( INFO )"),
            Message::Preview { rules, clock } => {
                write!(f, "( PREVIEW {} {} )", clauses(rules), clock.as_secs_f64())
            }
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let (start_clock, play_clock) = (start_clock.as_secs_f64(), play_clock.as_secs_f64());
                write!(f, "( START {id} {role} {} {start_clock} {play_clock})", clauses(rules))
            }
            Message::Play { id, moves: last } => write!(f, "( PLAY {id} {} )", moves(last)),
            Message::Stop { id, moves: last } => write!(f, "( STOP {id} {} )", moves(last)),
            Message::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Message {
        Message::parse(text.as_bytes()).unwrap_or_else(|malformed| panic!("{text}: {malformed}"))
    }

    fn refused(text: &str) -> String {
        Message::parse(text.as_bytes()).expect_err(text).to_string()
    }

    #[test]
    fn the_form_of_referees_is_read_and_written() {
        for text in [
            "( INFO )",
            "( PREVIEW (( role x ) ( <= terminal ( not open ) ) ) 2 )",
            "( START Test.bad.1 oplayer (( role xplayer ) ( <= terminal ( not open ) ) ) 4 2)",
            "( PLAY Test.bad.1 NIL )",
            "( PLAY Test.bad.1 (( mark 2 3 ) noop ) )",
            "( STOP Test.bad.1 (noop ( mark 3 1 ) ) )",
            "( STOP Test.bad.1 NIL )",
            "( ABORT Test.bad.1 )",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
    }

    #[test]
    fn other_forms_are_read_as_well() {
        assert_eq!(read(""), Message::Info);
        assert_eq!(read(" \r\n"), Message::Info);
        assert_eq!(read("Info"), Message::Info);
        assert_eq!(read("(info)garbage ) )"), Message::Info);
        let play = Message::Play { id: "M".into(), moves: Some(vec!["(MARK 2 2)".into(), "(noop)".into()]) };
        assert_eq!(read("(Play M((MARK 2 2)(noop))extra)"), play);
        assert_eq!(read("play M ()"), Message::Play { id: "M".into(), moves: None });
        assert_eq!(read("stop M (; (a)\n)"), Message::Stop { id: "M".into(), moves: None });
        assert_eq!(read("(stop M)"), Message::Stop { id: "M".into(), moves: None });
        assert_eq!(read("(STOP M nil)"), Message::Stop { id: "M".into(), moves: None });
        let turn = Some(vec!["3".to_owned()]);
        assert_eq!(
            read("(play M 3 (mark 2 2) ((sees x)))"),
            Message::Play { id: "M".into(), moves: turn.clone() }
        );
        assert_eq!(read("(stop M 3)"), Message::Stop { id: "M".into(), moves: turn });
        let Message::Start { rules, start_clock, play_clock, .. } =
            read("(start m x ((role x) ; )\n (role y)) 10 0.5 extra (1 2))")
        else {
            panic!("it is a START")
        };
        assert_eq!(rules, "(role x) ; )\n (role y)");
        assert_eq!((start_clock, play_clock), (Duration::from_secs(10), Duration::from_millis(500)));
    }

    /// The rules of a START for `x` with clocks of 10 and 5 seconds.
    fn rules_of_start(text: &str) -> String {
        match read(text) {
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let clocks = [start_clock, play_clock].map(|clock| clock.as_secs());
                assert_eq!((&*id, &*role, clocks), ("m.1", "x", [10, 5]), "{text}");
                rules
            }
            other => panic!("{text} is read as {other}"),
        }
    }

    #[test]
    fn broken_rules_of_a_start_are_all_between_the_role_and_the_clocks() {
        for rules in [
            "(role x) (<= (legal x",
            "(role x) (<= (legal x a) (true (",
            "(role x",
            "(",
            "(role x) ; a comment",
            "(role x) ; a (comment",
            "; a comment of 3 4 words)",
            "(role x)) (legal x a)",
            "(role x)) (legal x a)) 3",
            ")",
            "(role x) (<= (legal x) 7 8",
            "; é (\n(role x)\n  (legal ",
            &"(".repeat(2_000),
        ] {
            assert_eq!(rules_of_start(&format!("(START m.1 x ({rules}) 10 5)")), rules);
            assert_eq!(rules_of_start(&format!(" ( start m.1\nx\n({rules})\n10 \t 5 )\r\n")), rules);
        }
    }

    #[test]
    fn a_start_without_its_own_end_is_no_message() {
        assert_eq!(refused("(start m x ((role x)"), "a parenthesis is never closed");
        assert_eq!(refused("(start m x ((role x) 10 5"), "a parenthesis is never closed");
        assert_eq!(refused("(start m x ((role x) 10)"), "a parenthesis is never closed");
        assert_eq!(refused("(start m x ((role x) ten 5)"), "a parenthesis is never closed");
        assert_eq!(refused("(play m ((a)"), "a parenthesis is never closed");
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(refused("(bid 3)"), "`bid` is no message");
        assert_eq!(refused("()"), "it is empty");
        assert_eq!(refused("(play"), "a parenthesis is never closed");
        assert_eq!(refused(")"), "a parenthesis closes nothing");
        assert_eq!(refused("(play)"), "PLAY has no match id");
        assert_eq!(refused("(start m x rules 1 1)"), "START has no rules");
        assert_eq!(refused("(start m x () 1)"), "START has no play clock");
        assert_eq!(refused("(start m x () -1 1)"), "`-1` is no number of seconds");
        assert_eq!(refused("(start m x () 1 NaN)"), "`NaN` is no number of seconds");
        assert_eq!(refused("(start m x () 1e300 1)"), "`1e300` is no number of seconds");
        assert_eq!(Message::parse(&vec![b' '; MAX_MESSAGE + 1]), Err(Malformed::TooLong));
    }

    proptest! {
        /// Anything is read or refused, and what is written is read as the same.
        #[test]
        fn writing_and_reading_agree(text in "[ ()a-bA-B;?\n]{0,60}|\\((play|stop|abort|start|preview)[ ()a-b1;]{0,60}\\)") {
            if let Ok(message) = Message::parse(text.as_bytes()) {
                let written = message.to_string();
                let again = Message::parse(written.as_bytes());
                prop_assert_eq!(again.map(|again| again.to_string()), Ok(written));
            }
        }
    }
}
