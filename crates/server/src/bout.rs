//! One match of the player that a referee calls.
//!
//! The match is followed here as well as by the player: so there is a legal move to answer with even if the player is
//! late, fails or has not begun.

use crate::endpoint::{Notice, Options};
use crate::log::Log;
use crate::thinker::{Thinker, only_waits};
use senet_game::{AnyMatch, MoveGenerator, Position, RoleId};
use senet_protocol::{Thoughts, wire};
use senet_search::{Assignment, Player, Report, Rules};
use serde_json::{Value, json};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// One match.
pub(crate) struct Bout {
    stage: Mutex<Stage>,
    changed: Condvar,
    thinker: Mutex<Thinker>,
    log: Mutex<Log>,
    id: String,
    notice: Option<Notice>,
}

/// How far the match has come.
enum Stage {
    /// The rules are being read.
    Preparing,
    /// They cannot be played.
    Failed,
    /// It can be played.
    Ready(Box<Following>),
}

/// The match as the referee tells it.
struct Following {
    rules: Arc<Rules>,
    role: RoleId,
    game: Box<dyn AnyMatch>,
    generator: MoveGenerator,
    /// The joint moves that the player has not been told.
    news: Vec<Vec<String>>,
    /// Whether the player has been given the match.
    is_started: bool,
}

/// When an answer is due.
#[derive(Clone, Copy)]
pub(crate) struct Due {
    /// The player is told to stop thinking.
    pub(crate) think_until: Instant,
    /// Whatever there is is answered.
    pub(crate) answer_at: Instant,
    /// Thinking in the opponents' time ends.
    pub(crate) ponder_until: Option<Instant>,
}

/// A lock that a panic elsewhere does not take away.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A text that nobody's terminal or parser stumbles over, and of some length at most.
pub(crate) fn plain(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii() && !c.is_ascii_control();
    text.chars().take(500).map(|c| if is_plain(c) { c } else { '?' }).collect()
}

impl Bout {
    pub(crate) fn new(player: Box<dyn Player>, options: &Options, id: &str, role: &str) -> Arc<Bout> {
        Arc::new(Bout {
            stage: Mutex::new(Stage::Preparing),
            changed: Condvar::new(),
            thinker: Mutex::new(Thinker::new(player)),
            log: Mutex::new(Log::open(options.log.as_deref(), id, role)),
            id: id.to_owned(),
            notice: options.notice.clone(),
        })
    }

    /// Reads the rules and gives the match to the player. Returns when the player is ready or the answer is due; no if the
    /// rules cannot be played.
    pub(crate) fn begin(self: &Arc<Bout>, rules: String, role: String, seed: u64, due: Due) -> bool {
        let bout = self.clone();
        thread::spawn(move || {
            // Whatever happens in there, somebody is waiting.
            let prepared = std::panic::catch_unwind(|| prepare(&rules, &role, seed));
            let prepared = prepared.unwrap_or_else(|_| Err("reading the rules panicked".to_owned()));
            let stage = match prepared {
                Ok(following) => Stage::Ready(Box::new(following)),
                Err(error) => {
                    bout.note(&error);
                    bout.tell(&format!("cannot be played: {error}"));
                    Stage::Failed
                }
            };
            *lock(&bout.stage) = stage;
            bout.changed.notify_all();
        });
        let mut stage = self.wait_until_prepared(due.answer_at);
        match &mut *stage {
            Stage::Preparing => true,
            Stage::Failed => false,
            Stage::Ready(following) => {
                let started = self.start(following, due.think_until);
                drop(stage);
                let time_left = due.answer_at.saturating_duration_since(Instant::now());
                if let Ok(done) = started.recv_timeout(time_left)
                    && let Err(error) = done.result
                {
                    self.note(&format!("the player does not start: {error}"));
                }
                true
            }
        }
    }

    fn start(
        &self,
        following: &mut Following,
        until: Instant,
    ) -> std::sync::mpsc::Receiver<crate::thinker::Done<()>> {
        following.is_started = true;
        let assignment = Assignment { rules: following.rules.clone(), role: following.role };
        lock(&self.thinker).start(assignment, Some(until))
    }

    fn wait_until_prepared(&self, until: Instant) -> MutexGuard<'_, Stage> {
        let stage = lock(&self.stage);
        let time_left = until.saturating_duration_since(Instant::now());
        let is_preparing = |stage: &mut Stage| matches!(stage, Stage::Preparing);
        let waited = self.changed.wait_timeout_while(stage, time_left, is_preparing);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Follows the moves and answers with one, in the spelling of the rules, and what the search says of it. None if no
    /// legal move is known.
    pub(crate) fn choose(&self, moves: Option<Vec<String>>, due: Due) -> Option<(String, Option<Thoughts>)> {
        let mut stage = self.wait_until_prepared(due.answer_at);
        let Stage::Ready(following) = &mut *stage else {
            self.note("there is no legal move yet: the rules are still being read");
            return None;
        };
        if let Some(moves) = moves
            && let Err(error) = following.follow(&moves)
        {
            // The referee is wrong or speaks of another game. What was legal before is the best there is.
            self.note(&format!("the moves cannot be followed: {error}"));
        }
        let Position { mut legal, .. } = following.game.position();
        let waits = only_waits(&legal, following.role);
        let think_until = if waits { Instant::now() } else { due.think_until };
        let legal = std::mem::take(&mut legal[following.role.index()]);
        // Nothing is drawn where there is a choice of one.
        let instead = following.game.random_move(following.role, &mut following.generator).ok()?;
        if !following.is_started {
            drop(self.start(following, due.think_until));
        }
        let news = std::mem::take(&mut following.news);
        let answer = lock(&self.thinker).turn(news, Some(think_until), due.ponder_until);
        let rules = following.rules.clone();
        drop(stage);
        let done = answer.recv_timeout(due.answer_at.saturating_duration_since(Instant::now()));
        let (text, thoughts) = match done.map(|done| done.result) {
            Ok(Ok(choice)) if legal.binary_search(&choice.text).is_ok() => {
                (choice.text, Ok(thoughts(&choice.report)))
            }
            Ok(Ok(choice)) => (instead, Err(format!("{} is not legal: a random move instead", choice.text))),
            Ok(Err(error)) => (instead, Err(format!("{error}: a random move instead"))),
            Err(_) => (instead, Err("the player is late or dead: a random move instead".to_owned())),
        };
        let logged = match &thoughts {
            Ok(thoughts) => serde_json::to_value(thoughts).unwrap_or_default(),
            Err(why) => json!(why),
        };
        lock(&self.log).write_all([("choice", json!(text)), ("thoughts", logged)]);
        Some((wire(&text, &rules.description().symbols), thoughts.ok()))
    }

    /// The match is over: follows the last moves and writes down the scores.
    pub(crate) fn finish(&self, moves: Option<Vec<String>>) {
        // Whoever holds the stage is thinking about a position that is gone.
        let end = match self.stage.try_lock().as_deref_mut() {
            Ok(Stage::Ready(following)) => self.end_of(following, moves),
            _ => "is over".to_owned(),
        };
        self.tell(&end);
        self.abandon();
    }

    fn end_of(&self, following: &mut Following, moves: Option<Vec<String>>) -> String {
        if let Some(moves) = moves
            && let Err(error) = following.follow(&moves)
        {
            self.note(&format!("the moves cannot be followed: {error}"));
            return format!("is over, and its last moves cannot be followed: {error}");
        }
        let Position { goals, terminal, .. } = following.game.position();
        let names = following.rules.role_names();
        let scores: serde_json::Map<_, _> =
            names.iter().cloned().zip(goals.iter().copied().map(Value::from)).collect();
        lock(&self.log).write_all([("scores", scores.into()), ("terminal", terminal.into())]);
        if !terminal {
            return "is stopped before its end".to_owned();
        }
        let score = |(name, goal): (&String, &Option<_>)| match goal {
            Some(goal) => format!("{name} {goal}"),
            None => format!("{name} none"),
        };
        let scores: Vec<String> = names.iter().zip(&goals).map(score).collect();
        format!("is over: {}", scores.join(", "))
    }

    /// The match is over, without anything more to say.
    pub(crate) fn abandon(&self) {
        lock(&self.thinker).end();
    }

    /// Tells whoever wants to know, in one line.
    pub(crate) fn tell(&self, what: &str) {
        if let Some(notice) = &self.notice {
            notice(&plain(&format!("{} {what}", self.id)));
        }
    }

    pub(crate) fn note(&self, text: &str) {
        lock(&self.log).write("note", text);
    }

    pub(crate) fn log(&self, key: &str, text: &str) {
        lock(&self.log).write(key, text);
    }
}

fn prepare(rules: &str, role: &str, seed: u64) -> Result<Following, String> {
    let description = senet_gdl::parse(rules).0;
    let rules = Rules::new(description).map_err(|error| error.to_string())?;
    let names = rules.role_names();
    let place = names.iter().position(|name| name.eq_ignore_ascii_case(role));
    let place =
        place.ok_or_else(|| format!("{role} is not a role of this game: there is {}", names.join(", ")))?;
    let game = rules.engine().clone().start().map_err(|error| error.to_string())?;
    let generator = MoveGenerator::new(seed);
    Ok(Following { role: RoleId::new(place), rules, game, generator, news: Vec::new(), is_started: false })
}

impl Following {
    /// Plays a joint move. It is the truth: the player will be told of it, whatever it chose itself.
    fn follow(&mut self, moves: &[String]) -> Result<(), String> {
        let names = self.rules.role_names();
        if moves.len() != names.len() {
            return Err(format!("{} moves for {} roles", moves.len(), names.len()));
        }
        let canonical = moves.iter().map(|text| senet_gdl::canonical(text));
        let joint = canonical.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        let named = names.iter().cloned().zip(joint.iter().cloned()).collect();
        self.game.play(&named).map_err(|error| error.to_string())?;
        self.news.push(joint);
        Ok(())
    }
}

/// The report of a search, as records have it.
pub(crate) fn thoughts(report: &Report) -> Thoughts {
    Thoughts {
        engine: report.engine.map(str::to_owned),
        playouts: report.playouts,
        nodes: report.nodes,
        depth: report.depth,
        value: report.value,
        is_proved: report.is_proved,
        line: report.line.clone(),
        ..Thoughts::default()
    }
}
