//! The memory of a player: which match it is in, and what a message asks of it.

use crate::{Message, Reply};
use std::time::{Duration, Instant};

/// What a player knows of its matches: one at a time. Messages go in, what is to be done comes out.
#[derive(Clone, Debug)]
pub struct Session {
    name: String,
    grace: Duration,
    current: Option<Current>,
}

/// Nobody is waited for longer: an endless clock is a day.
const LONGEST: Duration = Duration::from_secs(86_400);

#[derive(Clone, Debug)]
struct Current {
    id: String,
    play_clock: Duration,
    /// When the player is free for other matches.
    silent_at: Instant,
}

/// What a message asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing but an answer.
    Answer(Reply),
    /// Take a match on; whatever was played before is over. Answer `ready` within the start clock.
    Begin {
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
    /// Follow these moves, if any, and answer with a move within the play clock.
    Choose {
        /// The moves that led to the position, in role order.
        moves: Option<Vec<String>>,
        /// How long.
        play_clock: Duration,
    },
    /// The match is over: answer `done`.
    End {
        /// The last moves, in role order.
        moves: Option<Vec<String>>,
    },
    /// The match is over before its end: answer `aborted`.
    Abandon,
}

impl Session {
    /// A player without a match. When no message comes for so much longer than the clock, it is free for another match; it
    /// keeps the one it has until another begins, for somebody may only have taken their time.
    pub fn new(name: &str, grace: Duration) -> Session {
        let is_plain = |c: char| c.is_ascii_graphic() && !"();".contains(c);
        let name: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        let name = if name.is_empty() { "Senet".to_owned() } else { name };
        Session { name, grace: grace.min(LONGEST), current: None }
    }

    /// What a message asks for that arrived at this moment.
    pub fn receive(&mut self, message: Message, now: Instant) -> Action {
        let is_available = self.current.is_none() || self.is_silent(now);
        let is_known = message.id().is_some_and(|id| self.is_playing(id));
        match message {
            Message::Info => Action::Answer(Reply::Info { name: self.name.clone(), is_available }),
            Message::Preview { .. } => Action::Answer(Reply::Ready),
            Message::Start { .. } if !is_available => Action::Answer(Reply::Busy),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let silent_at = self.silent_after(start_clock, now);
                self.current = Some(Current { id: id.clone(), play_clock, silent_at });
                Action::Begin { id, role, rules, start_clock, play_clock }
            }
            _ if !is_known => Action::Answer(Reply::Busy),
            Message::Play { moves, .. } => {
                let play_clock = self.current.as_ref().map_or(Duration::ZERO, |current| current.play_clock);
                let silent_at = self.silent_after(play_clock, now);
                self.current.iter_mut().for_each(|current| current.silent_at = silent_at);
                Action::Choose { moves, play_clock }
            }
            Message::Stop { moves, .. } => {
                self.current = None;
                Action::End { moves }
            }
            Message::Abort { .. } => {
                self.current = None;
                Action::Abandon
            }
        }
    }

    /// Whether it is in this match.
    pub fn is_playing(&self, id: &str) -> bool {
        self.current.as_ref().is_some_and(|current| current.id == id)
    }

    /// Whether the referee has been silent for longer than the clocks allow.
    pub fn is_silent(&self, now: Instant) -> bool {
        self.silent_at().is_some_and(|silent_at| now > silent_at)
    }

    /// When the player is free for another match, if no message comes before.
    pub fn silent_at(&self) -> Option<Instant> {
        self.current.as_ref().map(|current| current.silent_at)
    }

    /// Leaves the match, if it is still this one: the rules cannot be played.
    pub fn leave(&mut self, id: &str) {
        if self.is_playing(id) {
            self.current = None;
        }
    }

    fn silent_after(&self, clock: Duration, now: Instant) -> Instant {
        now + clock.min(LONGEST) + self.grace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "(start m1 x ((role x)) 10 2)";

    fn receive(session: &mut Session, text: &str, now: Instant) -> Action {
        session.receive(Message::parse(text.as_bytes()).expect("a message"), now)
    }

    fn answer(session: &mut Session, text: &str, now: Instant) -> String {
        match receive(session, text, now) {
            Action::Answer(reply) => reply.to_string(),
            Action::Begin { .. } => "begin".to_owned(),
            Action::Choose { moves, .. } => format!("choose {}", moves.unwrap_or_default().join(" ")),
            Action::End { moves } => format!("end {}", moves.unwrap_or_default().join(" ")),
            Action::Abandon => "abandon".to_owned(),
        }
    }

    #[test]
    fn a_match_from_start_to_stop() {
        let now = Instant::now();
        let mut session = Session::new("Two Words", Duration::from_secs(5));
        let mut say = |text: &str| answer(&mut session, text, now);
        assert_eq!(say("( INFO )"), "( ( name Two-Words ) ( status available ) )");
        assert_eq!(say("(play m1 nil)"), "busy");
        assert_eq!(say("(abort m1)"), "busy");
        assert_eq!(say("(preview ((role x)) 3)"), "ready");
        assert_eq!(say(START), "begin");
        assert_eq!(say(START), "busy");
        assert_eq!(say("(start m2 x ((role x)) 10 2)"), "busy");
        assert_eq!(say("(info)"), "( ( name Two-Words ) ( status busy ) )");
        assert_eq!(say("(play M1 nil)"), "busy", "ids have their letter case");
        assert_eq!(say("(play m1 nil)"), "choose ");
        assert_eq!(say("(play m1 (a))"), "choose a");
        assert_eq!(say("(stop m1 (b))"), "end b");
        assert_eq!(say("(stop m1 (b))"), "busy");
        assert_eq!(say(START), "begin");
        assert_eq!(say("(abort m1)"), "abandon");
        assert_eq!(say(START), "begin");
    }

    #[test]
    fn a_silent_referee_is_left_when_another_one_calls() {
        let begin = Instant::now();
        let after = |seconds: u64| begin + Duration::from_secs(seconds);
        let mut session = Session::new("", Duration::from_secs(5));
        assert_eq!(answer(&mut session, START, begin), "begin");
        assert_eq!(answer(&mut session, "(start m2 x ((role x)) 10 2)", after(15)), "busy");
        assert_eq!(answer(&mut session, "(play m1 nil)", after(15)), "choose ");
        assert!(!session.is_silent(after(22)) && session.is_silent(after(23)));
        assert_eq!(answer(&mut session, "(info)", after(23)), "( ( name Senet ) ( status available ) )");
        assert_eq!(answer(&mut session, "(play m1 (a))", after(99)), "choose a", "somebody took their time");
        assert_eq!(answer(&mut session, "(start m2 x () 1 1)", after(99)), "busy");
        assert_eq!(answer(&mut session, "(start m2 x () 1e19 1e19)", after(107)), "begin");
        assert_eq!(answer(&mut session, "(play m1 (a))", after(107)), "busy");
        session.leave("m1");
        assert!(session.is_playing("m2"));
        session.leave("m2");
        assert!(!session.is_playing("m2"));
        assert_eq!(session.silent_at(), None);
    }

    #[test]
    fn an_endless_clock_is_a_day() {
        let begin = Instant::now();
        let after = |seconds: u64| begin + Duration::from_secs(seconds);
        let mut session = Session::new("", Duration::from_secs(5));
        assert_eq!(answer(&mut session, "(start m1 x () 1e19 1e9)", begin), "begin");
        assert_eq!(answer(&mut session, START, after(86_405)), "busy");
        assert_eq!(answer(&mut session, "(play m1 nil)", after(86_406)), "choose ");
        assert_eq!(answer(&mut session, START, after(2 * 86_400)), "busy");
        assert_eq!(answer(&mut session, START, after(3 * 86_400)), "begin", "its referee died");
    }
}
