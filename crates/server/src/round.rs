//! One message to everybody: all players are asked at once, and none is waited for longer than its clock.

use crate::ask::{AskError, ask, ask_for_move};
use crate::bout::thoughts;
use crate::thinker::{Done, Thinker, only_waits};
use senet_game::RoleId;
use senet_protocol::{Answer, Heard, Message, Referee, Thoughts};
use senet_search::{Assignment, Choice, Reserve, Rules, Stop};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// An endless clock is a day.
pub(crate) const LONGEST_CLOCK: Duration = Duration::from_secs(86_400);

/// How often somebody who waits for an answer looks whether the match was left.
const GLANCE: Duration = Duration::from_millis(50);

/// What a player of this process needs to answer when thinking is over.
const ANSWERING: Duration = Duration::from_millis(50);

/// A seat that can be asked.
pub(crate) enum Place {
    Remote { address: SocketAddr, name: String },
    Local { thinker: Thinker, is_timed: bool },
    Dice,
}

impl Place {
    /// Where it is called, if it is elsewhere.
    pub(crate) fn address(&self) -> Option<String> {
        match self {
            Place::Remote { address, .. } => Some(address.to_string()),
            Place::Local { .. } | Place::Dice => None,
        }
    }
}

/// A question that was asked.
enum Asked {
    Remote(Receiver<Heard>),
    Ready(Receiver<Done<()>>),
    /// A move, and the best one so far.
    Move(Receiver<Done<Choice>>, Reserve),
}

/// One message to everybody.
pub(crate) struct Round<'a> {
    pub(crate) begin: Instant,
    pub(crate) sent_after: Duration,
    pub(crate) clock: Duration,
    pub(crate) grace: Duration,
    /// Whether players of this process think in the time of the others.
    pub(crate) ponder: bool,
    /// Ends the waiting.
    pub(crate) left: Stop,
    /// Those of the rulesheet: players of this process are not told other names.
    pub(crate) rules: &'a Arc<Rules>,
}

impl Round<'_> {
    fn clock_end(&self) -> Instant {
        self.begin + self.sent_after + self.clock.min(LONGEST_CLOCK)
    }

    fn deadline(&self) -> Instant {
        self.clock_end() + self.grace.min(LONGEST_CLOCK)
    }

    /// When players of this process stop thinking: at the end of the clock, or before, where the grace is too short to answer.
    fn think_until(&self) -> Instant {
        self.clock_end() - ANSWERING.saturating_sub(self.grace).min(self.clock / 4)
    }

    /// What all players answered; `None` if the match was left meanwhile.
    pub(crate) fn ask_all(&self, referee: &Referee, places: &mut [Place]) -> Option<Vec<Option<Heard>>> {
        let mut asked = Vec::new();
        for (role, place) in places.iter_mut().enumerate() {
            let is_timed = !matches!(place, Place::Local { is_timed: false, .. });
            let message = referee.message(RoleId::new(role));
            let question = match (message, place) {
                (Some(message), Place::Remote { address, name }) => {
                    Some(Asked::Remote(self.ask_remote(*address, name.clone(), &message)))
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
                Asked::Remote(heard) => self.receive(&heard, None).unwrap_or_else(|_| {
                    self.heard(Answer::Broken("asking panicked".to_owned()), Duration::ZERO)
                }),
                Asked::Ready(done) => self.wait_for(&done, is_timed, |()| ("ready".to_owned(), None)),
                Asked::Move(done, reserve) => self.wait_for_move(&done, &reserve, is_timed),
            })
        });
        let heard = heard.collect();
        (!self.left.is_called()).then_some(heard)
    }

    /// Asks from a thread of its own, which is not waited for when the match is left: it ends with the clock.
    fn ask_remote(&self, address: SocketAddr, name: String, message: &Message) -> Receiver<Heard> {
        let sent = message.to_string();
        let time = self.clock.min(LONGEST_CLOCK) + self.grace.min(LONGEST_CLOCK);
        let sent_after = self.sent_after;
        let is_play = matches!(message, Message::Play { .. });
        let (answers, heard) = mpsc::channel();
        thread::spawn(move || {
            // The clock runs from the arrival of the message: that this machine is busy is not the player's fault.
            let begin = Instant::now();
            let deadline = begin + time;
            let answer = match is_play {
                true => ask_for_move(address, &name, &sent, deadline),
                false => ask(address, &name, &sent, deadline).map(|text| (text, None)),
            };
            let (answer, thoughts) = match answer {
                Ok((text, thoughts)) => (Answer::Text(text), thoughts),
                Err(AskError::Late) => (Answer::Late, None),
                Err(AskError::Broken(why)) => (Answer::Broken(why), None),
            };
            let heard = heard_of(Some(sent), answer, sent_after, begin.elapsed());
            // Nobody may be waiting any more.
            let _ = answers.send(Heard { thoughts, ..heard });
        });
        heard
    }

    fn ask_local(
        &self,
        referee: &Referee,
        role: RoleId,
        message: &Message,
        thinker: &mut Thinker,
        is_timed: bool,
    ) -> Option<Asked> {
        let until = is_timed.then(|| self.think_until());
        match message {
            Message::Start { .. } => {
                let assignment = Assignment { rules: self.rules.clone(), role };
                Some(Asked::Ready(thinker.start(assignment, until)))
            }
            Message::Play { .. } => {
                let moves = referee.last_moves().map(<[String]>::to_vec).into_iter().collect();
                let waits = is_timed && only_waits(&referee.position().legal, role);
                let until = if waits { Some(self.begin + self.sent_after) } else { until };
                let ponder_until = (self.ponder && is_timed).then(|| self.clock_end());
                let reserve = Reserve::default();
                let done = thinker.turn(moves, until, Some(reserve.clone()), ponder_until);
                Some(Asked::Move(done, reserve))
            }
            _ => {
                thinker.end();
                None
            }
        }
    }

    /// The choice of a player of this process or, if it is late, the best move found by the deadline.
    fn wait_for_move(&self, done: &Receiver<Done<Choice>>, reserve: &Reserve, is_timed: bool) -> Heard {
        let answer = |choice: Choice| (choice.text, Some(thoughts(&choice.report)));
        let heard = self.wait_for(done, is_timed, answer);
        match (heard.answer, reserve.choice()) {
            (Answer::Late, Some(choice)) => {
                let (text, thoughts) = answer(choice);
                Heard { thoughts, ..self.heard(Answer::Text(text), heard.round_trip) }
            }
            (answer, _) => Heard { answer, ..heard },
        }
    }

    fn wait_for<T>(
        &self,
        done: &Receiver<Done<T>>,
        is_timed: bool,
        text: impl FnOnce(T) -> (String, Option<Thoughts>),
    ) -> Heard {
        match self.receive(done, is_timed.then(|| self.deadline())) {
            Ok(Done { result: Ok(result), took }) => {
                let (text, thoughts) = text(result);
                Heard { thoughts, ..self.heard(Answer::Text(text), took) }
            }
            Ok(Done { result: Err(error), took }) => self.heard(Answer::Broken(error), took),
            Err(RecvTimeoutError::Timeout) => self.heard(Answer::Late, self.clock.saturating_add(self.grace)),
            Err(RecvTimeoutError::Disconnected) => {
                self.heard(Answer::Broken("the player panicked".to_owned()), Duration::ZERO)
            }
        }
    }

    /// Waits until the deadline, if there is one, or until the match is left.
    fn receive<T>(&self, answer: &Receiver<T>, deadline: Option<Instant>) -> Result<T, RecvTimeoutError> {
        loop {
            let time_left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let received = answer.recv_timeout(time_left.unwrap_or(GLANCE).min(GLANCE));
            let is_late = self.left.is_called() || time_left.is_some_and(|time_left| time_left <= GLANCE);
            if !matches!(received, Err(RecvTimeoutError::Timeout)) || is_late {
                return received;
            }
        }
    }

    fn heard(&self, answer: Answer, round_trip: Duration) -> Heard {
        heard_of(None, answer, self.sent_after, round_trip)
    }
}

fn heard_of(sent: Option<String>, answer: Answer, sent_after: Duration, round_trip: Duration) -> Heard {
    Heard { answer, sent, sent_after, round_trip, thoughts: None }
}
