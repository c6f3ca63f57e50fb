//! The rules of refereeing: whose answer counts, what replaces it, when a match is over.

use crate::record::{Exchange, Record, Thoughts};
use crate::text::{beginning, spaced, wire};
use crate::{Message, Renaming, Reply};
use senet_game::{AnyEngine, AnyMatch, GameError, MoveGenerator, Position, RoleId, derived_seed};
use senet_gdl::Description;
use std::sync::Arc;
use std::time::Duration;

/// Of an answer, no more is kept.
const LONGEST_ANSWER: usize = 1_000;

/// How a match is to be played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the match.
    pub match_id: String,
    /// The name of the game.
    pub game: String,
    /// Who plays, in role order.
    pub players: Vec<String>,
    /// Where they are called; `None` for those of this process.
    pub addresses: Vec<Option<String>>,
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

/// What the next messages are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// START.
    Start,
    /// PLAY.
    Play,
    /// STOP.
    Stop,
    /// ABORT.
    Abort,
    /// None: the record is complete.
    Over,
}

/// What came back from a player.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The answer as it was sent.
    Text(String),
    /// Nothing, until it was too late.
    Late,
    /// No connection, or one that broke.
    Broken(String),
}

/// What came back from a player, and how.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The answer.
    pub answer: Answer,
    /// The message, if it went over a wire. Whoever got none is of this process, and speaks in clear names.
    pub sent: Option<String>,
    /// When the message was sent, since the match began.
    pub sent_after: Duration,
    /// How long the answer took.
    pub round_trip: Duration,
    /// What the player's search says of its move.
    pub thoughts: Option<Thoughts>,
}

/// A match under way. Ask each player what [`message`](Referee::message) says, then [`take`](Referee::take) what they
/// answered, until the phase is [`Phase::Over`].
pub struct Referee {
    game: Box<dyn AnyMatch>,
    position: Position,
    description: Description,
    /// The rules that players are sent, and how to speak in their names.
    sent_rules: Description,
    forth: Option<Renaming>,
    generator: MoveGenerator,
    most_steps: usize,
    phase: Phase,
    /// The last joint move, in clear names.
    last: Option<Vec<String>>,
    record: Record,
}

impl Referee {
    /// A match that begins now, in milliseconds since 1970. The engine is one for these rules.
    pub fn new(
        description: &Description,
        engine: Arc<dyn AnyEngine>,
        settings: Settings,
        now: u64,
    ) -> Result<Referee, GameError> {
        let roles = engine.role_names().to_vec();
        let mut game = engine.start()?;
        let position = game.position();
        let scrambled = settings.scramble.then(|| senet_gdl::scramble(description, settings.seed));
        let back = scrambled.as_ref().map(Renaming::back_from);
        let sent_rules = match &scrambled {
            Some(scrambled) => senet_gdl::parse(&scrambled.text),
            None => description.clone(),
        };
        let record = Record {
            match_id: settings.match_id,
            random_token: format!("{:016x}", derived_seed(settings.seed, now)),
            start_time: now,
            states: vec![state_text(description, &position)],
            state_times: vec![now],
            errors: vec![vec![String::new(); roles.len()]],
            start_clock: settings.start_clock,
            play_clock: settings.play_clock,
            start_grace: Some(settings.start_grace),
            grace: Some(settings.grace),
            player_names_from_host: settings.players,
            player_addresses: settings.addresses,
            scrambled: settings.scramble,
            game: settings.game,
            rules: description.text.clone(),
            seed: Some(settings.seed),
            roles,
            renaming: back.clone(),
            ..Record::default()
        };
        Ok(Referee {
            game,
            position,
            description: description.clone(),
            sent_rules,
            forth: back.map(|back| back.inverse()),
            generator: MoveGenerator::new(derived_seed(settings.seed, 0)),
            most_steps: settings.most_steps,
            phase: Phase::Start,
            last: None,
            record,
        })
    }

    /// What the next messages are.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The rules that players are sent.
    pub fn sent_rules(&self) -> &Description {
        &self.sent_rules
    }

    /// The position, in clear names.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The roles in order, in clear names.
    pub fn roles(&self) -> &[String] {
        &self.record.roles
    }

    /// The last joint move, in clear names, as canonical text.
    pub fn last_moves(&self) -> Option<&[String]> {
        self.last.as_deref()
    }

    /// The record so far. It is whole at any time.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The record.
    pub fn into_record(self) -> Record {
        self.record
    }

    /// The next message for a role. Nothing is to be said to the role `random`, nor when the match is over.
    pub fn message(&self, role: RoleId) -> Option<Message> {
        let name = &self.record.roles[role.index()];
        if self.is_dice(role.index()) {
            return None;
        }
        let names = &self.sent_rules.symbols;
        let id = self.record.match_id.clone();
        let sent = |text: &String| wire(&self.in_sent_names(text), names);
        let moves = || Some(self.last.as_ref()?.iter().map(sent).collect::<Vec<_>>());
        Some(match self.phase {
            Phase::Start => Message::Start {
                id,
                role: wire(&self.in_sent_names(name), names),
                rules: wire(&self.sent_rules.to_text(), names),
                start_clock: self.record.start_clock,
                play_clock: self.record.play_clock,
            },
            Phase::Play => Message::Play { id, moves: moves() },
            Phase::Stop => Message::Stop { id, moves: moves() },
            Phase::Abort => Message::Abort { id },
            Phase::Over => return None,
        })
    }

    /// Takes what came back, in role order; `None` for roles that were not asked. Now is in milliseconds since 1970.
    pub fn take(&mut self, heard: &[Option<Heard>], now: u64) {
        let step = self.record.moves.len();
        for (role, heard) in self.record.roles.iter().zip(heard) {
            if let Some(heard) = heard {
                self.record.exchanges.push(exchange(step, role, heard));
            }
        }
        match self.phase {
            Phase::Start => {
                let error = |heard: &Option<Heard>| heard.as_ref().map_or(String::new(), start_error);
                self.record.errors[0] = heard.iter().map(error).collect();
                self.go_on();
            }
            Phase::Play => self.play(heard, now),
            Phase::Stop | Phase::Abort => self.phase = Phase::Over,
            Phase::Over => {}
        }
    }

    /// Ends the match before its end; the players are still to be told.
    pub fn abort(&mut self) {
        if matches!(self.phase, Phase::Start | Phase::Play) {
            self.record.is_aborted = true;
            self.phase = Phase::Abort;
        }
    }

    fn play(&mut self, heard: &[Option<Heard>], now: u64) {
        let n_roles = self.record.roles.len();
        let mut joint = Vec::with_capacity(n_roles);
        let mut errors = vec![String::new(); n_roles];
        for (role, error) in errors.iter_mut().enumerate() {
            let judged = match heard.get(role).and_then(Option::as_ref) {
                Some(heard) => self.judge(role, heard),
                None if self.is_dice(role) => Err(String::new()),
                None => Err("CE".to_owned()),
            };
            let text = match judged {
                Ok(text) => text,
                Err(reason) => {
                    *error = reason;
                    match self.game.random_move(RoleId::new(role), &mut self.generator) {
                        Ok(text) => text,
                        Err(error) => return self.give_up(error.to_string()),
                    }
                }
            };
            joint.push(text);
        }
        let named = self.record.roles.iter().cloned().zip(joint.iter().cloned()).collect();
        if let Err(error) = self.game.play(&named) {
            return self.give_up(format!("after {}: {error}", joint.join(" ")));
        }
        self.position = self.game.position();
        let names = &self.description.symbols;
        self.record.moves.push(joint.iter().map(|text| wire(text, names)).collect());
        self.record.states.push(state_text(&self.description, &self.position));
        self.record.state_times.push(now);
        self.record.errors.push(errors);
        let thoughts = |heard: &Option<Heard>| heard.as_ref().and_then(|heard| self.clear_thoughts(heard));
        self.record.thoughts.push(heard.iter().map(thoughts).collect());
        self.last = Some(joint);
        self.go_on();
    }

    /// What follows from the position: another move, or the end, or a fault of the rules.
    fn go_on(&mut self) {
        let Position { terminal, goals, legal, .. } = &self.position;
        if *terminal {
            let values: Option<Vec<i64>> = goals.iter().map(|goal| goal.map(i64::from)).collect();
            match values {
                Some(values) => {
                    self.record.goal_values = values;
                    self.record.is_completed = true;
                    self.phase = Phase::Stop;
                }
                None => {
                    let without = self.roles_where(|role| goals[role].is_none());
                    self.give_up(format!("the match is over, and {without} has no goal or more than one"));
                    // It did come to its end: players are told which move was the last.
                    self.phase = Phase::Stop;
                }
            }
            return;
        }
        self.phase = Phase::Play;
        if legal.iter().any(Vec::is_empty) {
            let without = self.roles_where(|role| legal[role].is_empty());
            self.give_up(format!("{without} has no legal move and the match is not over"));
        } else if self.record.moves.len() >= self.most_steps {
            self.give_up(format!("the match did not end in {} moves", self.most_steps));
        }
    }

    fn roles_where(&self, is_meant: impl Fn(usize) -> bool) -> String {
        let roles = self.record.roles.iter().enumerate().filter(|&(role, _)| is_meant(role));
        roles.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The rules are at fault.
    fn give_up(&mut self, error: String) {
        self.record.game_error = Some(error);
        self.record.is_aborted = true;
        self.phase = Phase::Abort;
    }

    /// The legal move that an answer is, in clear names, or what is wrong with it.
    fn judge(&self, role: usize, heard: &Heard) -> Result<String, String> {
        let text = match &heard.answer {
            Answer::Text(text) => text,
            Answer::Late => return Err("TO".to_owned()),
            Answer::Broken(_) => return Err("CE".to_owned()),
        };
        let illegal = || format!("IL {}", beginning(&spaced(text), 100)).trim_end().to_owned();
        let said = Reply::parse_move(text.as_bytes()).map_err(|_| illegal())?;
        let legal = &self.position.legal[role];
        let is_it = |legal: &&String| match &self.forth {
            Some(forth) if heard.sent.is_some() => forth.apply(legal) == said,
            _ => **legal == said,
        };
        legal.iter().find(is_it).cloned().ok_or_else(illegal)
    }

    fn clear_thoughts(&self, heard: &Heard) -> Option<Thoughts> {
        let mut thoughts = heard.thoughts.clone()?;
        if let Some(back) = self.record.renaming.as_ref().filter(|_| heard.sent.is_some()) {
            thoughts.line.iter_mut().flatten().for_each(|text| *text = back.apply(text));
        }
        Some(thoughts)
    }

    fn in_sent_names(&self, text: &str) -> String {
        self.forth.as_ref().map_or_else(|| text.to_owned(), |forth| forth.apply(text))
    }

    /// Whether a role is the referee's to play.
    pub fn is_dice(&self, role: usize) -> bool {
        self.record.roles[role] == "random"
    }
}

fn state_text(description: &Description, position: &Position) -> String {
    wire(&format!("({})", position.state.join(" ")), &description.symbols)
}

fn start_error(heard: &Heard) -> String {
    match &heard.answer {
        Answer::Text(text) if Reply::is_word(text.as_bytes(), "ready") => String::new(),
        Answer::Text(text) => format!("IL {}", beginning(&spaced(text), 100)).trim_end().to_owned(),
        Answer::Late => "TO".to_owned(),
        Answer::Broken(_) => "CE".to_owned(),
    }
}

fn exchange(step: usize, role: &str, heard: &Heard) -> Exchange {
    let (received, failure) = match &heard.answer {
        Answer::Text(text) => (Some(beginning(text, LONGEST_ANSWER)), None),
        Answer::Late => (None, Some("late".to_owned())),
        Answer::Broken(why) => (None, Some(beginning(why, LONGEST_ANSWER))),
    };
    Exchange {
        step,
        role: role.to_owned(),
        sent_after: heard.sent_after.as_millis() as u64,
        round_trip: (heard.round_trip.as_secs_f64() * 1e6).round() / 1e3,
        sent: heard.sent.clone(),
        received,
        failure,
    }
}

#[cfg(test)]
#[path = "referee_tests.rs"]
mod tests;
