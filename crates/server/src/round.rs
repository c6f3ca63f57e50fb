//! One message to everybody: all players are asked at once, and none is waited for longer than its clock.

use crate::ask::{AskError, ask};
use crate::bout::thoughts;
use crate::thinker::{Done, Thinker};
use senet_game::RoleId;
use senet_protocol::{Answer, Heard, Message, Referee, Thoughts};
use senet_search::{Assignment, Choice, Rules};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// An endless clock is a day.
const LONGEST_CLOCK: Duration = Duration::from_secs(86_400);

/// A seat that can be asked.
pub(crate) enum Place {
    Remote { address: SocketAddr, name: String },
    Local { thinker: Thinker, is_timed: bool },
    Dice,
}

/// A question that was asked.
enum Asked<'scope> {
    Remote(thread::ScopedJoinHandle<'scope, Heard>),
    Ready(Receiver<Done<()>>),
    Move(Receiver<Done<Choice>>),
}

/// One message to everybody.
pub(crate) struct Round<'a> {
    pub(crate) begin: Instant,
    pub(crate) sent_after: Duration,
    pub(crate) clock: Duration,
    pub(crate) grace: Duration,
    pub(crate) rules: &'a Arc<Rules>,
}

impl Round<'_> {
    fn clock_end(&self) -> Instant {
        self.begin + self.sent_after + self.clock.min(LONGEST_CLOCK)
    }

    fn deadline(&self) -> Instant {
        self.clock_end() + self.grace
    }

    pub(crate) fn ask_all(&self, referee: &Referee, places: &mut [Place]) -> Vec<Option<Heard>> {
        thread::scope(|scope| {
            let mut asked = Vec::new();
            for (role, place) in places.iter_mut().enumerate() {
                let is_timed = !matches!(place, Place::Local { is_timed: false, .. });
                let message = referee.message(RoleId::new(role));
                let question = match (message, place) {
                    (Some(message), Place::Remote { address, name }) => {
                        let (address, name) = (*address, name.as_str());
                        Some(Asked::Remote(scope.spawn(move || self.ask_remote(address, name, &message))))
                    }
                    (Some(message), Place::Local { thinker, .. }) => {
                        self.ask_local(referee, RoleId::new(role), &message, thinker, is_timed)
                    }
                    (_, Place::Dice) | (None, _) => None,
                };
                asked.push((question, is_timed));
            }
            let heard = asked.into_iter().map(|(question, is_timed)| {
                Some(match question? {
                    Asked::Remote(thread) => thread.join().unwrap_or_else(|_| {
                        self.heard(None, Answer::Broken("asking panicked".to_owned()), Duration::ZERO)
                    }),
                    Asked::Ready(done) => self.wait_for(&done, is_timed, |()| ("ready".to_owned(), None)),
                    Asked::Move(done) => self.wait_for(&done, is_timed, |choice| {
                        let thoughts = thoughts(&choice.report);
                        (choice.text, Some(thoughts))
                    }),
                })
            });
            heard.collect()
        })
    }

    fn ask_remote(&self, address: SocketAddr, name: &str, message: &Message) -> Heard {
        let sent = message.to_string();
        // The clock runs from the arrival of the message: that this machine is busy is not the player's fault.
        let begin = Instant::now();
        let deadline = begin + self.clock.min(LONGEST_CLOCK) + self.grace;
        let answer = match ask(address, name, &sent, deadline) {
            Ok(text) => Answer::Text(text),
            Err(AskError::Late) => Answer::Late,
            Err(AskError::Broken(why)) => Answer::Broken(why),
        };
        self.heard(Some(sent), answer, begin.elapsed())
    }

    fn ask_local<'scope>(
        &self,
        referee: &Referee,
        role: RoleId,
        message: &Message,
        thinker: &mut Thinker,
        is_timed: bool,
    ) -> Option<Asked<'scope>> {
        let until = is_timed.then(|| self.clock_end());
        match message {
            Message::Start { .. } => {
                let assignment = Assignment { rules: self.rules.clone(), role };
                Some(Asked::Ready(thinker.start(assignment, until)))
            }
            Message::Play { .. } => {
                let moves = referee.last_moves().into_iter().collect();
                Some(Asked::Move(thinker.turn(moves, until, None)))
            }
            _ => {
                thinker.end();
                None
            }
        }
    }

    fn wait_for<T>(
        &self,
        done: &Receiver<Done<T>>,
        is_timed: bool,
        text: impl FnOnce(T) -> (String, Option<Thoughts>),
    ) -> Heard {
        let received = match is_timed {
            true => done.recv_timeout(self.deadline().saturating_duration_since(Instant::now())),
            false => done.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(Done { result: Ok(result), took }) => {
                let (text, thoughts) = text(result);
                Heard { thoughts, ..self.heard(None, Answer::Text(text), took) }
            }
            Ok(Done { result: Err(error), took }) => self.heard(None, Answer::Broken(error), took),
            Err(RecvTimeoutError::Timeout) => self.heard(None, Answer::Late, self.clock + self.grace),
            Err(RecvTimeoutError::Disconnected) => {
                self.heard(None, Answer::Broken("the player panicked".to_owned()), Duration::ZERO)
            }
        }
    }

    fn heard(&self, sent: Option<String>, answer: Answer, round_trip: Duration) -> Heard {
        Heard { answer, sent, sent_after: self.sent_after, round_trip, thoughts: None }
    }
}
