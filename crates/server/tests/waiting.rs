//! Who has nothing to choose while another has answers at once, and thinks in the other's time if at all.

mod common;

use common::{contest, endpoint, local, maker, play, say, start};
use senet_search::{Assignment, Choice, Limit, Player, SearchError, Spec};
use senet_server::{Contest, Options};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A clock that no answer of these tests comes near.
const CLOCK: f64 = 20.0;

/// A player that notes how long it was given.
struct Watched {
    player: Box<dyn Player>,
    given: Arc<Mutex<Given>>,
}

#[derive(Default)]
struct Given {
    /// By move.
    to_choose: Vec<(String, Duration)>,
    to_ponder: Vec<Duration>,
}

impl Player for Watched {
    fn start(&mut self, assignment: Assignment, limit: &Limit) -> Result<(), SearchError> {
        self.player.start(assignment, limit)
    }

    fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
        let choice = self.player.choose(limit)?;
        let time = limit.time_left().expect("there is a clock");
        self.given.lock().expect("nobody panicked").to_choose.push((choice.text.clone(), time));
        Ok(choice)
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        self.player.observe(joint)
    }

    fn ponder(&mut self, limit: &Limit) -> Result<(), SearchError> {
        let time = limit.time_left().expect("there is a clock");
        self.given.lock().expect("nobody panicked").to_ponder.push(time);
        Ok(())
    }
}

/// What a player was given in a match of tic-tac-toe.
fn given(ponder: bool) -> Given {
    let given = Arc::new(Mutex::new(Given::default()));
    let player = |seed| "random".parse::<Spec>().expect("a strategy").player(seed);
    let watched = Watched { player: player(1), given: given.clone() };
    let seats = vec![local(Box::new(watched)), local(player(2))];
    let record = play(Contest { ponder, ..contest("tic-tac-toe", seats, CLOCK) });
    assert!(record.is_completed);
    std::mem::take(&mut given.lock().expect("nobody panicked"))
}

#[test]
fn who_waits_is_given_no_time_to_choose() {
    let given = given(false);
    assert!(given.to_choose.iter().any(|(text, _)| text == "noop"));
    for (text, time) in &given.to_choose {
        match text == "noop" {
            true => assert_eq!(*time, Duration::ZERO),
            false => assert!(*time > Duration::from_secs(10), "{text} within {time:?}"),
        }
    }
    assert!(given.to_ponder.is_empty());
}

#[test]
fn the_time_of_the_others_is_there_to_ponder() {
    let given = given(true);
    assert!(given.to_ponder.len() + 1 >= given.to_choose.len());
    assert!(given.to_ponder.iter().all(|time| *time > Duration::from_secs(10)), "{:?}", given.to_ponder);
}

#[test]
fn a_referee_is_answered_at_once_where_there_is_nothing_to_choose() {
    let thinker = endpoint(Options::new("Tester", maker("uct")));
    assert_eq!(say(thinker, &start("m", "tic-tac-toe", 0.5, CLOCK)), "ready");
    let begin = Instant::now();
    let answer = say(thinker, "(PLAY m ((mark 2 2) noop))");
    assert!(answer.eq_ignore_ascii_case("noop") && begin.elapsed() < Duration::from_secs(10), "{answer}");
}
