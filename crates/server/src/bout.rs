//! One match of the player that a referee calls.
//!
//! The match is followed here as well as by the player: so there is a legal move to answer with even if the player is
//! late, fails or has not begun.

use crate::due::Due;
use crate::endpoint::{Notice, Options};
use crate::log::Log;
use crate::thinker::{Done, Thinker, only_waits};
use senet_analysis::analyze;
use senet_game::{AnyMatch, MoveGenerator, Position, RoleId};
use senet_protocol::{Thoughts, wire};
use senet_search::{Assignment, Choice, Player, Report, Reserve, Rules};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// One match.
pub(crate) struct Bout {
    /// Never held for long: a referee that ends the match waits for nobody.
    stage: Mutex<Stage>,
    changed: Condvar,
    /// The joint moves that were told and not followed yet: they come while the rules are being read, too.
    told: Mutex<Vec<Vec<String>>>,
    thinker: Mutex<Thinker>,
    log: Log,
    id: String,
    notice: Option<Notice>,
    warning: Option<Notice>,
}

/// How far the match has come.
#[derive(Clone)]
enum Stage {
    /// The rules are being read.
    Preparing,
    /// They cannot be played.
    Failed,
    /// It can be played.
    Ready(Arc<Mutex<Following>>),
    /// It is over.
    Over,
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

/// Where the move of an answer comes from.
#[derive(Clone, Copy)]
enum Source {
    /// The search returned it.
    Search,
    /// The search did not return in time, or failed: it is the best it had found.
    Reserve,
    /// The search had not begun, or what it found is not legal.
    Random,
}

impl Source {
    /// In the log.
    fn name(self) -> &'static str {
        match self {
            Source::Search => "search",
            Source::Reserve => "reserve",
            Source::Random => "random",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Source::Search => "a move that was searched",
            Source::Reserve => "the best move so far",
            Source::Random => "a random move",
        }
    }
}

/// The move of an answer.
pub(crate) struct Answer {
    /// In the spelling of the rules.
    pub(crate) text: String,
    /// What the search says of it.
    pub(crate) thoughts: Option<Thoughts>,
    /// When there was nothing more to wait for.
    pub(crate) ready_at: Instant,
}

/// What a thread that may be late or dead sends.
fn wait_for<T>(receiver: &Receiver<T>, due: &Due) -> Result<T, &'static str> {
    let came = due.wait(|step| match receiver.recv_timeout(step) {
        Ok(sent) => Some(Ok(sent)),
        Err(RecvTimeoutError::Disconnected) => Some(Err("the player is dead")),
        Err(RecvTimeoutError::Timeout) => None,
    });
    came.unwrap_or(Err("the player is late"))
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
            told: Mutex::default(),
            thinker: Mutex::new(Thinker::new(player)),
            log: Log::open(options.log.as_deref(), id, role),
            id: id.to_owned(),
            notice: options.notice.clone(),
            warning: options.warning.clone(),
        })
    }

    /// Reads the rules and gives the match to the player. Returns when the player is ready, the answer is due or the match is
    /// over; no if it is over or the rules cannot be played.
    pub(crate) fn begin(self: &Arc<Bout>, rules: String, role: String, seed: u64, due: &Due) -> bool {
        let bout = self.clone();
        thread::spawn(move || {
            // Whatever happens in there, somebody is waiting.
            let prepared = catch_unwind(AssertUnwindSafe(|| bout.prepare(&rules, &role, seed)));
            bout.arrive(prepared.unwrap_or_else(|_| Err("reading the rules panicked".to_owned())));
        });
        let following = match self.wait_until_prepared(due) {
            Stage::Preparing => return true,
            Stage::Failed | Stage::Over => return false,
            Stage::Ready(following) => following,
        };
        let started = self.start(&mut lock(&following), due.think_until);
        if let Some(started) = started
            && let Ok(done) = wait_for(&started, due)
            && let Err(error) = done.result
        {
            self.note(&format!("the player does not start: {error}"));
        }
        true
    }

    /// Reads the rules. Clauses with errors are left out: to play the rest is better than to forfeit.
    fn prepare(&self, rules: &str, role: &str, seed: u64) -> Result<Following, String> {
        let description = senet_gdl::parse(rules);
        let analysis = analyze(&description, false);
        self.warn(analysis.lines(&description));
        let rules = Rules::lenient(description, analysis).map_err(|error| error.to_string())?;
        Following::begin(rules, role, seed)
    }

    /// The rules are read, or cannot be played.
    fn arrive(&self, prepared: Result<Following, String>) {
        let next = match prepared {
            Ok(following) => Stage::Ready(Arc::new(Mutex::new(following))),
            Err(error) => {
                self.note(&error);
                self.tell(&format!("cannot be played: {error}"));
                Stage::Failed
            }
        };
        let mut stage = lock(&self.stage);
        if matches!(*stage, Stage::Preparing) {
            *stage = next;
            self.changed.notify_all();
            return;
        }
        drop(stage);
        // The match is over already; the log has its scores all the same.
        if let Stage::Ready(following) = next
            && !lock(&self.told).is_empty()
        {
            self.end_of(&mut lock(&following));
        }
    }

    /// Gives the player the match, if it does not have it.
    fn start(&self, following: &mut Following, until: Instant) -> Option<Receiver<Done<()>>> {
        if std::mem::replace(&mut following.is_started, true) {
            return None;
        }
        let assignment = Assignment { rules: following.rules.clone(), role: following.role };
        Some(lock(&self.thinker).start(assignment, Some(until)))
    }

    fn wait_until_prepared(&self, due: &Due) -> Stage {
        let is_preparing = |stage: &mut Stage| matches!(stage, Stage::Preparing);
        let came = due.wait(|step| {
            let waited = self.changed.wait_timeout_while(lock(&self.stage), step, is_preparing);
            let (mut stage, _) = waited.unwrap_or_else(PoisonError::into_inner);
            (!is_preparing(&mut stage)).then(|| stage.clone())
        });
        came.unwrap_or(Stage::Preparing)
    }

    /// Follows the moves and answers with one. None if no legal move is known.
    pub(crate) fn choose(&self, moves: Option<Vec<String>>, due: &Due) -> Option<Answer> {
        lock(&self.told).extend(moves);
        let Stage::Ready(following) = self.wait_until_prepared(due) else {
            self.note("there is no legal move: the rules are still being read, or the match is over");
            return None;
        };
        let mut following = lock(&following);
        // The referee is wrong or speaks of another game. What was legal before is the best there is.
        let _ = self.follow_told(&mut following);
        let Position { mut legal, .. } = following.game.position();
        let waits = only_waits(&legal, following.role);
        let think_until = if waits { Instant::now() } else { due.think_until };
        let role = following.role;
        let legal = std::mem::take(&mut legal[role.index()]);
        let Following { game, generator, .. } = &mut *following;
        // Nothing is drawn where there is a choice of one.
        let random = game.random_move(role, generator).ok()?;
        drop(self.start(&mut following, due.think_until));
        let news = std::mem::take(&mut following.news);
        let reserve = Reserve::default();
        let asked = Instant::now();
        let answer = {
            let mut thinker = lock(&self.thinker);
            thinker.turn(news, Some(think_until), Some(reserve.clone()), due.ponder_until)
        };
        let rules = following.rules.clone();
        drop(following);
        let (searched, ready_at) = match wait_for(&answer, due) {
            Ok(done) => (done.result, asked + done.took),
            Err(why) => (Err(why.to_owned()), due.answer_at().min(Instant::now())),
        };
        let is_legal = |choice: &Choice| legal.binary_search(&choice.text).is_ok();
        let searched = searched.and_then(|choice| match is_legal(&choice) {
            true => Ok(choice),
            false => Err(format!("{} is not legal", choice.text)),
        });
        let (choice, source, why) = match searched {
            Ok(choice) => (Some(choice), Source::Search, None),
            Err(why) => match reserve.choice().filter(is_legal) {
                Some(choice) => (Some(choice), Source::Reserve, Some(why)),
                None => (None, Source::Random, Some(why)),
            },
        };
        let thoughts = choice.as_ref().map(|choice| thoughts(&choice.report));
        let text = choice.map_or(random, |choice| choice.text);
        self.log.write_all([
            ("choice", json!(text)),
            ("source", json!(source.name())),
            ("legal", json!(legal.len())),
            ("margin", json!(due.margin().as_millis() as u64)),
            ("why", json!(why)),
            ("thoughts", serde_json::to_value(&thoughts).unwrap_or_default()),
        ]);
        if let Some(why) = why
            && legal.len() > 1
            && !self.is_over()
        {
            self.tell(&format!("plays {}: {why}", source.description()));
        }
        Some(Answer { text: wire(&text, &rules.description().symbols), thoughts, ready_at })
    }

    /// Follows what the referee told. What is wrong with the last joint move, if it cannot be followed.
    fn follow_told(&self, following: &mut Following) -> Result<(), String> {
        let told = std::mem::take(&mut *lock(&self.told));
        let mut result = Ok(());
        for moves in told {
            result = following.follow(&moves);
            if let Err(error) = &result {
                self.note(&format!("the moves cannot be followed: {error}"));
            }
        }
        result
    }

    fn is_over(&self) -> bool {
        matches!(*lock(&self.stage), Stage::Over)
    }

    /// The match is over: follows the last moves and writes down the scores.
    pub(crate) fn finish(&self, moves: Option<Vec<String>>) {
        lock(&self.told).extend(moves);
        let end = match self.end() {
            // Whoever holds it is thinking about a position that is gone.
            Stage::Ready(following) => {
                following.try_lock().ok().map(|mut following| self.end_of(&mut following))
            }
            Stage::Preparing | Stage::Failed | Stage::Over => None,
        };
        self.tell(end.as_deref().unwrap_or("is over"));
    }

    /// The match is over, without anything more to say.
    pub(crate) fn abandon(&self) {
        drop(self.end());
    }

    /// Nobody waits any more, neither for the rules nor for the player. How far it had come.
    fn end(&self) -> Stage {
        let stage = std::mem::replace(&mut *lock(&self.stage), Stage::Over);
        self.changed.notify_all();
        lock(&self.thinker).end();
        stage
    }

    fn end_of(&self, following: &mut Following) -> String {
        if let Err(error) = self.follow_told(following) {
            return format!("is over, and its last moves cannot be followed: {error}");
        }
        let Position { goals, terminal, .. } = following.game.position();
        let names = following.rules.role_names();
        let scores: serde_json::Map<_, _> =
            names.iter().cloned().zip(goals.iter().copied().map(Value::from)).collect();
        self.log.write_all([("scores", scores.into()), ("terminal", terminal.into())]);
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

    /// Tells whoever wants to know, in one line. That they fail is not the match's affair.
    pub(crate) fn tell(&self, what: &str) {
        if let Some(notice) = &self.notice {
            let line = plain(&format!("{} {what}", self.id));
            let _ = catch_unwind(AssertUnwindSafe(|| notice(&line)));
        }
    }

    /// Writes findings about the rules into the log and tells of them, each on a line.
    fn warn(&self, findings: impl Iterator<Item = String>) {
        let findings: Vec<String> = findings.map(|finding| plain(&finding)).collect();
        findings.iter().for_each(|finding| self.log("finding", finding));
        if let Some(warning) = self.warning.as_ref().filter(|_| !findings.is_empty()) {
            let id = plain(&self.id);
            let lines: Vec<String> = findings.iter().map(|finding| format!("{id} rules:{finding}")).collect();
            let _ = catch_unwind(AssertUnwindSafe(|| warning(&lines.join("\n"))));
        }
    }

    pub(crate) fn note(&self, text: &str) {
        self.log.write("note", text);
    }

    /// Waits until the log is written.
    pub(crate) fn finish_log(&self) {
        self.log.finish();
    }

    pub(crate) fn log(&self, key: &str, text: &str) {
        self.log.write(key, text);
    }
}

impl Following {
    fn begin(rules: Arc<Rules>, role: &str, seed: u64) -> Result<Following, String> {
        let names = rules.role_names();
        let place = names.iter().position(|name| name.eq_ignore_ascii_case(role));
        let place = place
            .ok_or_else(|| format!("{role} is not a role of this game: there is {}", names.join(", ")))?;
        let game = rules.engine().clone().start().map_err(|error| error.to_string())?;
        let generator = MoveGenerator::new(seed);
        Ok(Following {
            role: RoleId::new(place),
            rules,
            game,
            generator,
            news: Vec::new(),
            is_started: false,
        })
    }

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
        longest_pause: report.longest_pause.map(|pause| pause.as_secs_f64() * 1e3),
        line: report.line.clone(),
        ..Thoughts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::due::Clock;
    use senet_search::Spec;
    use std::time::Duration;

    /// The only legal move tells how many were played.
    const COUNTING: &str = "(role x) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal x (go ?n)) (true (at ?n))) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
        (<= terminal (true (at 3))) (goal x 100)";

    fn bout(folder: &std::path::Path) -> Arc<Bout> {
        let player = |seed| "random".parse::<Spec>().expect("a strategy").player(seed);
        let options = Options { log: Some(folder.to_owned()), ..Options::new("Tester", Arc::new(player)) };
        Bout::new(player(0), &options, "m", "x")
    }

    fn within(milliseconds: u64) -> Due {
        Due::with_margin(Instant::now(), Clock::Play(Duration::from_millis(milliseconds)), Duration::ZERO)
    }

    fn moved(text: &str) -> Option<Vec<String>> {
        Some(vec![text.to_owned()])
    }

    #[test]
    fn moves_that_come_before_the_rules_are_read_are_followed_then() {
        let folder = tempfile::tempdir().expect("a folder");
        let bout = bout(folder.path());
        assert!(bout.choose(None, &within(10)).is_none());
        assert!(bout.choose(moved("(go 0)"), &within(10)).is_none());
        assert!(bout.begin(COUNTING.to_owned(), "x".to_owned(), 0, &within(20_000)));
        let answer = bout.choose(moved("( GO 1 )"), &within(20_000)).expect("a legal move");
        assert_eq!(answer.text, "( go 2 )");
        assert!(answer.thoughts.is_some(), "the player was told as well");
    }

    #[test]
    fn a_match_that_ends_before_its_rules_are_read_has_scores() {
        let folder = tempfile::tempdir().expect("a folder");
        let bout = bout(folder.path());
        for text in ["(go 0)", "(go 1)"] {
            assert!(bout.choose(moved(text), &within(10)).is_none());
        }
        bout.finish(moved("(go 2)"));
        assert!(!bout.begin(COUNTING.to_owned(), "x".to_owned(), 0, &within(20_000)));
        let log = || std::fs::read_to_string(folder.path().join("m-x.jsonl")).expect("a log");
        let begin = Instant::now();
        while !log().contains("\"scores\":{\"x\":100},\"terminal\":true") {
            assert!(begin.elapsed() < Duration::from_secs(20), "{}", log());
            thread::sleep(Duration::from_millis(10));
        }
    }
}
