//! A player on a thread of its own: whatever it does there, nobody has to wait for it.

use senet_game::RoleId;
use senet_search::{Assignment, Choice, Limit, Player, Reserve, SearchError, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// What a player did, or why it did not.
pub(crate) struct Done<T> {
    pub(crate) result: Result<T, String>,
    /// How long it took.
    pub(crate) took: Duration,
}

enum Job {
    Start {
        assignment: Assignment,
        limit: Limit,
        asked: Instant,
        done: Sender<Done<()>>,
    },
    Turn {
        moves: Vec<Vec<String>>,
        limit: Limit,
        ponder: Option<Limit>,
        asked: Instant,
        done: Sender<Done<Choice>>,
    },
    End,
}

/// Whether a role has nothing to choose while another has. It answers at once, and thinks in the other's time if at all.
pub(crate) fn only_waits(legal: &[Vec<String>], role: RoleId) -> bool {
    legal[role.index()].len() == 1 && legal.iter().any(|moves| moves.len() > 1)
}

/// A player on a thread of its own. A new job ends the thinking about the one before.
pub(crate) struct Thinker {
    jobs: Sender<Job>,
    /// Ends the last job.
    stop: Stop,
}

impl Thinker {
    pub(crate) fn new(player: Box<dyn Player>) -> Thinker {
        let (jobs, received) = mpsc::channel();
        thread::spawn(move || work(player, &received));
        Thinker { jobs, stop: Stop::default() }
    }

    /// Takes a match on and thinks until the deadline, if there is one.
    pub(crate) fn start(&mut self, assignment: Assignment, deadline: Option<Instant>) -> Receiver<Done<()>> {
        let (done, result) = mpsc::channel();
        let limit = self.next_limit(deadline);
        self.send(Job::Start { assignment, limit, asked: Instant::now(), done });
        result
    }

    /// Follows joint moves and chooses one until the deadline, if there is one; then ponders until another moment, if
    /// there is one. The reserve is one of this turn alone.
    pub(crate) fn turn(
        &mut self,
        moves: Vec<Vec<String>>,
        deadline: Option<Instant>,
        reserve: Option<Reserve>,
        ponder_until: Option<Instant>,
    ) -> Receiver<Done<Choice>> {
        let (done, result) = mpsc::channel();
        let limit = Limit { reserve, ..self.next_limit(deadline) };
        let ponder = ponder_until.map(|until| Limit::at(until).with_stop(self.stop.clone()));
        self.send(Job::Turn { moves, limit, ponder, asked: Instant::now(), done });
        result
    }

    /// The match is over. The thread ends as soon as the player lets it.
    pub(crate) fn end(&mut self) {
        self.stop.stop();
        self.send(Job::End);
    }

    fn next_limit(&mut self, deadline: Option<Instant>) -> Limit {
        self.stop.stop();
        self.stop = Stop::default();
        Limit { deadline, ..Limit::default() }.with_stop(self.stop.clone())
    }

    /// A thread that is gone does not answer: whoever waits for it is told by the channel.
    fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn work(mut player: Box<dyn Player>, jobs: &Receiver<Job>) {
    for job in jobs {
        // A player that panicked may be in any state: it is not asked again.
        let is_alive = catch_unwind(AssertUnwindSafe(|| act(&mut *player, job))).unwrap_or(false);
        if !is_alive {
            return;
        }
    }
}

/// Whether there is more to do.
fn act(player: &mut dyn Player, job: Job) -> bool {
    match job {
        Job::Start { assignment, limit, asked, done } => {
            let result = player.start(assignment, &limit).map_err(|error| error.to_string());
            // Nobody may be waiting any more.
            let _ = done.send(Done { result, took: asked.elapsed() });
        }
        Job::Turn { moves, limit, ponder, asked, done } => {
            let chosen = moves.iter().try_for_each(|joint| player.observe(joint));
            let chosen = chosen.and_then(|()| player.choose(&limit));
            let is_chosen = chosen.is_ok();
            let result = chosen.map_err(|error: SearchError| error.to_string());
            let _ = done.send(Done { result, took: asked.elapsed() });
            if let Some(limit) = ponder.filter(|_| is_chosen) {
                let _ = player.ponder(&limit);
            }
        }
        Job::End => {
            player.stop();
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_search::{Rules, Spec};

    fn assignment() -> Assignment {
        let game = senet_engines::library::find("tic-tac-toe").expect("built in");
        let rules = Rules::new(senet_gdl::parse(&game.text)).expect("it plays");
        Assignment { rules, role: RoleId::new(0) }
    }

    #[test]
    fn a_player_answers_from_its_thread() {
        let mut thinker = Thinker::new("legal".parse::<Spec>().expect("a strategy").player(0));
        thinker.start(assignment(), None).recv().expect("an answer").result.expect("it starts");
        let choice = thinker.turn(Vec::new(), None, None, None).recv().expect("an answer").result;
        assert_eq!(choice.expect("a move").text, "(mark 1 1)");
        let moves = vec![vec!["(mark 1 1)".to_owned(), "noop".to_owned()]];
        let choice = thinker.turn(moves, None, None, None).recv().expect("an answer").result;
        assert_eq!(choice.expect("a move").text, "noop");
        thinker.end();
        assert!(thinker.turn(Vec::new(), None, None, None).recv().is_err());
    }

    /// Thinks until it is told to stop, and panics when it ponders.
    struct Endless;

    impl Player for Endless {
        fn start(&mut self, _: Assignment, _: &Limit) -> Result<(), SearchError> {
            Ok(())
        }

        fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
            while !limit.is_reached(0) {
                thread::sleep(Duration::from_millis(1));
            }
            Err(SearchError::NoMatch)
        }

        fn observe(&mut self, _: &[String]) -> Result<(), SearchError> {
            panic!("this player fails on purpose")
        }
    }

    #[test]
    fn a_new_job_ends_the_one_before() {
        let mut thinker = Thinker::new(Box::new(Endless));
        let first = thinker.turn(Vec::new(), None, None, None);
        let second = thinker.turn(vec![Vec::new()], None, None, None);
        assert!(first.recv().expect("an answer").result.is_err());
        assert!(second.recv().is_err(), "a panic closes the channel");
    }
}
