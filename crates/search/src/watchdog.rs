//! A watchdog: whatever happens to a player, a legal move leaves in time.
//!
//! The player thinks on a thread of its own. The guard follows the match on an engine that is ready, always holds a legal
//! move, and answers with it if the player is late, panics, errs or chooses what is not legal. A player that is late catches up
//! with the match when it can; after a panic the guard plays on alone, at random.

use crate::{Assignment, Choice, Limit, Player, Report, SearchError, Stop};
use senet_game::{AnyMatch, MoveGenerator};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often the guard looks whether thinking was called off.
const LOOK_AROUND: Duration = Duration::from_millis(5);

/// How long a player that was told to stop may take to say what it has found.
const GRACE: Duration = Duration::from_millis(100);

/// A player that is watched.
pub struct Guarded {
    make: Box<dyn FnMut() -> Box<dyn Player> + Send>,
    margin: Duration,
    generator: MoveGenerator,
    thread: Option<Thread>,
    now: Option<Now>,
}

/// The match as the guard follows it.
struct Now {
    game: Box<dyn AnyMatch>,
    assignment: Assignment,
    /// A legal move for the position, if the match is not over.
    held: Option<String>,
    /// What went wrong with the player in this match.
    fault: Option<String>,
    /// Whether the player has lost its way: it is not asked any more.
    is_lost: bool,
}

/// The thread of the player.
struct Thread {
    tasks: Sender<(u64, Task)>,
    done: Receiver<Done>,
    /// The number of the last task.
    last: u64,
    /// Ends the thinking that was asked for last.
    stop: Stop,
}

enum Task {
    Start(Assignment, Limit),
    Choose(Limit),
    Observe(Vec<String>),
    Ponder(Limit),
    Stop,
}

/// What became of a task.
struct Done {
    number: u64,
    what: Outcome,
}

enum Outcome {
    Fine(Option<Choice>),
    /// It could not be done; the player may go on.
    Failed(String),
    /// It could not be followed, or nobody is there any more.
    Lost(String),
}

impl Guarded {
    /// Watches the player that `make` makes; after one that was lost, the next match gets a new one. The player has `margin`
    /// less time than the guard is given, and the guard answers half of it before its time is up.
    pub fn new(
        make: impl FnMut() -> Box<dyn Player> + Send + 'static,
        margin: Duration,
        seed: u64,
    ) -> Guarded {
        let generator = MoveGenerator::new(seed);
        Guarded { make: Box::new(make), margin, generator, thread: None, now: None }
    }

    /// Changes the margin, as the way to the referee is measured.
    pub fn set_margin(&mut self, margin: Duration) {
        self.margin = margin;
    }

    fn hold(&mut self) -> Result<(), SearchError> {
        let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        now.held = match now.game.position().terminal {
            true => None,
            false => Some(now.game.random_move(now.assignment.role, &mut self.generator)?),
        };
        Ok(())
    }

    /// Lets the player do something and waits for it, until half of the margin is left. `None` if nothing came of it.
    fn ask(&mut self, task: impl FnOnce(Limit) -> Task, limit: &Limit) -> Option<Choice> {
        let (thread, now) = (self.thread.as_mut()?, self.now.as_mut()?);
        let earlier = |margin: Duration| limit.deadline.map(|at| at.checked_sub(margin).unwrap_or(at));
        let inner = Limit { deadline: earlier(self.margin), stop: Stop::default(), ..limit.clone() };
        let number = thread.send(inner.stop.clone(), task(inner));
        let mut until = earlier(self.margin / 2);
        let mut is_called_off = false;
        loop {
            if limit.stop.is_called() && !is_called_off {
                is_called_off = true;
                thread.stop.stop();
                let grace = Instant::now() + GRACE;
                until = Some(until.map_or(grace, |until| until.min(grace)));
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            match thread.done.recv_timeout(left.unwrap_or(LOOK_AROUND).min(LOOK_AROUND)) {
                Ok(done) => {
                    let is_it = done.number == number;
                    let choice = now.take_note(done.what);
                    if is_it || now.is_lost {
                        return choice;
                    }
                }
                Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                    thread.stop.stop();
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    now.take_note(Outcome::Lost("the player is gone".to_owned()));
                    return None;
                }
            }
        }
    }

    fn is_lost(&self) -> bool {
        self.now.as_ref().is_none_or(|now| now.is_lost)
    }
}

impl Now {
    fn take_note(&mut self, what: Outcome) -> Option<Choice> {
        match what {
            Outcome::Fine(choice) => choice,
            Outcome::Failed(why) => {
                self.fault = Some(why);
                None
            }
            Outcome::Lost(why) => {
                self.fault = Some(why);
                self.is_lost = true;
                None
            }
        }
    }
}

impl Thread {
    fn new(player: Box<dyn Player>) -> Thread {
        let (tasks, to_do) = channel();
        let (report, done) = channel();
        std::thread::spawn(move || work(player, &to_do, &report));
        Thread { tasks, done, last: 0, stop: Stop::default() }
    }

    /// Gives it a task after all others, the thinking of which ends.
    fn send(&mut self, stop: Stop, task: Task) -> u64 {
        self.stop.stop();
        self.stop = stop;
        self.last += 1;
        // If it is gone the answer says so.
        let _ = self.tasks.send((self.last, task));
        self.last
    }
}

/// What the thread of the player does: one task after the other, up to a panic.
fn work(mut player: Box<dyn Player>, tasks: &Receiver<(u64, Task)>, report: &Sender<Done>) {
    for (number, task) in tasks {
        let is_essential = matches!(task, Task::Start(..) | Task::Observe(_));
        let result = catch_unwind(AssertUnwindSafe(|| match task {
            Task::Start(assignment, limit) => player.start(assignment, &limit).map(|()| None),
            Task::Choose(limit) => player.choose(&limit).map(Some),
            Task::Observe(joint) => player.observe(&joint).map(|()| None),
            Task::Ponder(limit) => player.ponder(&limit).map(|()| None),
            Task::Stop => {
                player.stop();
                Ok(None)
            }
        }));
        let is_over = result.is_err();
        let what = match result {
            Ok(Ok(choice)) => Outcome::Fine(choice),
            Ok(Err(error)) if is_essential => Outcome::Lost(error.to_string()),
            Ok(Err(error)) => Outcome::Failed(error.to_string()),
            Err(panic) => Outcome::Lost(format!("the player panicked: {}", text_of(&*panic))),
        };
        // Nobody may listen any more.
        let _ = report.send(Done { number, what });
        if is_over {
            // What a panic left behind may panic again.
            let _ = catch_unwind(AssertUnwindSafe(move || drop(player)));
            return;
        }
    }
}

fn text_of(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("for no reason it gave")
}

impl Player for Guarded {
    fn start(&mut self, assignment: Assignment, limit: &Limit) -> Result<(), SearchError> {
        if self.now.is_some() {
            self.stop();
        }
        let game = assignment.rules.engine().start()?;
        let task = assignment.clone();
        self.now = Some(Now { game, assignment, held: None, fault: None, is_lost: false });
        self.hold()?;
        if self.thread.is_none() {
            self.thread = Some(Thread::new((self.make)()));
        }
        self.ask(|limit| Task::Start(task, limit), limit);
        Ok(())
    }

    fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
        if let Some(now) = self.now.as_mut().filter(|now| !now.is_lost) {
            now.fault = None;
        }
        let choice = if self.is_lost() { None } else { self.ask(Task::Choose, limit) };
        let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        let legal = &now.game.position().legal[now.assignment.role.index()];
        let what = match choice {
            Some(choice) if legal.contains(&choice.text) => return Ok(choice),
            Some(choice) => format!("the player chose {}, which is not legal", choice.text),
            None => now.fault.clone().unwrap_or_else(|| "the player was late".to_owned()),
        };
        // A move for a match that is over there is none, and the match says so.
        let text = match now.held.clone() {
            Some(text) => text,
            None => now.game.random_move(now.assignment.role, &mut self.generator)?,
        };
        Ok(Choice { text, report: Report { fault: Some(what), ..Report::default() } })
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        let names = now.assignment.rules.role_names().iter().cloned();
        now.game.play(&names.zip(joint.iter().cloned()).collect())?;
        if !now.is_lost
            && let Some(thread) = &mut self.thread
        {
            thread.send(Stop::default(), Task::Observe(joint.to_vec()));
        }
        self.hold()
    }

    fn ponder(&mut self, limit: &Limit) -> Result<(), SearchError> {
        if !self.is_lost() {
            self.ask(Task::Ponder, limit);
        }
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(thread) = &mut self.thread {
            thread.send(Stop::default(), Task::Stop);
        }
        // One that was lost, or does not come back in time, is left to itself.
        let is_lost = self.is_lost();
        let is_back = |thread: &Thread| {
            let until = Instant::now() + GRACE;
            let left = || until.saturating_duration_since(Instant::now());
            std::iter::from_fn(|| thread.done.recv_timeout(left()).ok())
                .any(|done| done.number == thread.last)
        };
        self.thread = self.thread.take().filter(|thread| !is_lost && is_back(thread));
        self.now = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;
    use crate::testing::{play, rules};
    use senet_game::RoleId;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Does something bad in its second choice, and is a random player otherwise.
    struct Bad {
        random: Box<dyn Player>,
        choices: u32,
        deed: fn() -> Choice,
    }

    impl Player for Bad {
        fn start(&mut self, assignment: Assignment, limit: &Limit) -> Result<(), SearchError> {
            self.choices = 0;
            self.random.start(assignment, limit)
        }

        fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
            self.choices += 1;
            if self.choices == 2 { Ok((self.deed)()) } else { self.random.choose(limit) }
        }

        fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
            self.random.observe(joint)
        }
    }

    fn random() -> Box<dyn Player> {
        "random".parse::<Spec>().expect("a strategy").player(1)
    }

    fn bad(deed: fn() -> Choice) -> Guarded {
        let make = move || Box::new(Bad { random: random(), choices: 0, deed }) as Box<dyn Player>;
        Guarded::new(make, Duration::from_millis(400), 3)
    }

    fn assignment() -> Assignment {
        Assignment { rules: rules("tic-tac-toe"), role: RoleId::new(0) }
    }

    /// The faults of the choices of x in a match, the other one taking what is left in order.
    fn faults(player: &mut Guarded, time: Duration) -> Vec<Option<String>> {
        let assignment = assignment();
        player.start(assignment.clone(), &Limit::after(Duration::from_secs(20))).expect("it plays");
        let mut game = assignment.rules.engine().start().expect("it plays");
        let mut faults = Vec::new();
        while !game.position().terminal {
            let begun = Instant::now();
            let choice = player.choose(&Limit::after(time)).expect("a legal move");
            assert!(begun.elapsed() < time, "{:?}", begun.elapsed());
            faults.push(choice.report.fault);
            for is_own in [true, false] {
                if game.position().terminal {
                    return faults;
                }
                let noop = "noop".to_owned();
                let joint = match is_own {
                    true => [choice.text.clone(), noop],
                    false => [noop, game.position().legal[1][0].clone()],
                };
                let names = assignment.rules.role_names().iter().cloned();
                game.play(&names.zip(joint.iter().cloned()).collect()).expect("it is legal");
                player.observe(&joint).expect("it is legal");
                if is_own && !game.position().terminal {
                    player.choose(&Limit::after(time)).expect("noop");
                }
            }
        }
        faults
    }

    #[test]
    fn after_a_panic_the_match_goes_on_and_the_next_has_a_new_player() {
        let mut player = bad(|| panic!("on purpose"));
        for _ in 0..2 {
            let faults = faults(&mut player, Duration::from_secs(20));
            assert_eq!(faults[0], None);
            assert!(faults.len() > 2, "{faults:?}");
            for fault in &faults[1..] {
                assert_eq!(fault.as_deref(), Some("the player panicked: on purpose"));
            }
            player.stop();
        }
    }

    #[test]
    fn a_player_that_sleeps_is_not_waited_for() {
        let mut player = bad(|| {
            std::thread::sleep(Duration::from_millis(1_900));
            Choice { text: "noop".to_owned(), report: Report::default() }
        });
        player.start(assignment(), &Limit::after(Duration::from_secs(5))).expect("it plays");
        let time = Duration::from_millis(900);
        let fault = |player: &mut Guarded, time| {
            let begun = Instant::now();
            let choice = player.choose(&Limit::after(time)).expect("a legal move");
            assert!(begun.elapsed() < time, "{:?}", begun.elapsed());
            choice.report.fault
        };
        assert_eq!(fault(&mut player, time), None);
        assert_eq!(fault(&mut player, time).as_deref(), Some("the player was late"));
        player.observe(&["(mark 2 2)".to_owned(), "noop".to_owned()]).expect("it is legal");
        assert_eq!(fault(&mut player, time).as_deref(), Some("the player was late"));
        // It wakes up, and knows what was played meanwhile.
        assert_eq!(fault(&mut player, Duration::from_secs(20)), None);
    }

    #[test]
    fn an_illegal_move_does_not_leave() {
        let mut player = bad(|| Choice { text: "(mark 9 9)".to_owned(), report: Report::default() });
        player.start(assignment(), &Limit::after(Duration::from_secs(5))).expect("it plays");
        player.choose(&Limit::after(Duration::from_secs(1))).expect("a move");
        let choice = player.choose(&Limit::after(Duration::from_secs(1))).expect("a move");
        assert!(choice.text.starts_with("(mark ") && choice.text != "(mark 9 9)");
        assert_eq!(choice.report.fault.as_deref(), Some("the player chose (mark 9 9), which is not legal"));
    }

    #[test]
    fn a_panic_while_an_engine_is_made_is_survived() {
        struct Fails;
        impl Player for Fails {
            fn start(&mut self, _: Assignment, _: &Limit) -> Result<(), SearchError> {
                panic!("no engine")
            }
            fn choose(&mut self, _: &Limit) -> Result<Choice, SearchError> {
                Err(SearchError::NoMatch)
            }
            fn observe(&mut self, _: &[String]) -> Result<(), SearchError> {
                Ok(())
            }
        }
        let mut player = Guarded::new(|| Box::new(Fails), Duration::from_millis(20), 1);
        let faults = faults(&mut player, Duration::from_secs(20));
        let right = Some("the player panicked: no engine".to_owned());
        assert!(faults.iter().all(|fault| *fault == right), "{faults:?}");
    }

    #[test]
    fn a_good_player_is_left_alone_and_used_again() {
        let made = Arc::new(AtomicU32::new(0));
        let count = made.clone();
        let make = move || {
            count.fetch_add(1, Ordering::Relaxed);
            "uct:playouts=200".parse::<Spec>().expect("a strategy").player(1)
        };
        let rules = rules("tic-tac-toe");
        let mut players: [Box<dyn Player>; 2] =
            [Box::new(Guarded::new(make, Duration::from_millis(20), 1)), random()];
        for _ in 0..3 {
            assert_eq!(play(&rules, &mut players, &Limit::default()).len(), 2);
        }
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn pondering_ends_when_it_is_called_off() {
        let make = || "uct".parse::<Spec>().expect("a strategy").player(1);
        let mut player = Guarded::new(make, Duration::from_millis(20), 1);
        player.start(assignment(), &Limit::after(Duration::from_millis(50))).expect("it plays");
        let stop = Stop::default();
        std::thread::scope(|scope| {
            let limit = Limit::default().with_stop(stop.clone());
            let pondering = scope.spawn(move || {
                player.ponder(&limit).expect("it plays");
                player
            });
            std::thread::sleep(Duration::from_millis(100));
            stop.stop();
            let mut player = pondering.join().expect("it ends");
            let choice =
                player.choose(&Limit::after(Duration::from_secs(20)).with_playouts(1)).expect("a move");
            assert!(choice.report.fault.is_none() && choice.report.playouts > 100, "{choice:?}");
        });
    }
}
