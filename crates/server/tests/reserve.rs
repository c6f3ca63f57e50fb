//! Searches that do not return in time: the best move they had found is answered, or a random one if there is none.

mod common;

use common::{endpoint, say, start};
use senet_search::{Assignment, Choice, Limit, Player, Report, SearchError};
use senet_server::{Maker, Options};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Thinks for longer than its clock, and does something with the limit before.
struct Late(fn(&Limit));

impl Player for Late {
    fn start(&mut self, _: Assignment, _: &Limit) -> Result<(), SearchError> {
        Ok(())
    }

    fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
        (self.0)(limit);
        // It is told to stop and does not, until the next turn.
        while !limit.stop.is_called() {
            thread::sleep(Duration::from_millis(1));
        }
        Err(SearchError::NoMatch)
    }

    fn observe(&mut self, _: &[String]) -> Result<(), SearchError> {
        Ok(())
    }
}

fn choice(text: &str) -> Choice {
    Choice { text: text.to_owned(), report: Report { playouts: 7, ..Report::default() } }
}

/// The answers to two PLAYs of tic-tac-toe at 0.4 s, and the choices in the log.
fn answers(act: fn(&Limit)) -> (Vec<String>, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a folder");
    let player: Maker = Arc::new(move |_| Box::new(Late(act)));
    let log = Some(folder.path().to_owned());
    let address = endpoint(Options { log, ..Options::new("Tester", player) });
    assert_eq!(say(address, &start("M", "tic-tac-toe", 5.0, 0.4)), "ready");
    let mut texts = Vec::new();
    for message in ["( PLAY M NIL )", "( PLAY M (( mark 1 1 ) noop) )", "( PLAY M (noop ( mark 1 2 )) )"] {
        let begin = Instant::now();
        texts.push(say(address, message));
        // On a machine that is busy with other tests; without them it takes less than 0.4 s.
        assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    }
    assert_eq!(say(address, "( STOP M NIL )"), "done");
    // The second was a position with nothing to choose.
    texts.remove(1);
    let mut choices = choices(folder.path());
    choices.remove(1);
    (texts, choices)
}

fn choices(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("M-x.jsonl")).expect("a log");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| !line["choice"].is_null()).collect()
}

fn put(limit: &Limit, text: &str) {
    limit.reserve.as_ref().expect("a player over a network has a reserve").put(choice(text));
}

#[test]
fn the_best_move_so_far_is_answered() {
    let (texts, choices) = answers(|limit| {
        put(limit, "(mark 3 3)");
        put(limit, "(mark 2 2)");
    });
    assert_eq!(texts, ["( mark 2 2 )"; 2]);
    for choice in choices {
        let found = (&choice["source"], &choice["why"], &choice["thoughts"]["playouts"]);
        assert_eq!(found, (&"reserve".into(), &"the player is late".into(), &7.into()), "{choice}");
    }
}

#[test]
fn a_search_that_fails_has_a_move_in_reserve() {
    let (texts, choices) = answers(|limit| {
        put(limit, "(mark 2 2)");
        panic!("this search fails on purpose");
    });
    assert_eq!(texts[0], "( mark 2 2 )");
    assert_eq!(
        (&choices[0]["source"], &choices[0]["why"]),
        (&"reserve".into(), &"the player is dead".into())
    );
    // It is not asked again.
    assert_eq!(choices[1]["source"], "random");
}

#[test]
fn a_move_of_the_position_before_or_that_is_not_legal_is_never_answered() {
    let (_, choices) = answers(|limit| {
        let limit = limit.clone();
        // A search that has not noticed that the turn is over.
        thread::spawn(move || {
            while !limit.stop.is_called() {
                thread::sleep(Duration::from_millis(1));
            }
            for _ in 0..300 {
                put(&limit, "(mark 2 2)");
                thread::sleep(Duration::from_millis(1));
            }
        });
    });
    assert!(choices.iter().all(|choice| choice["source"] == "random"), "{choices:?}");
    let (_, choices) = answers(|limit| put(limit, "(mark 1 1)"));
    // The second time it is taken.
    assert_eq!((&choices[0]["source"], &choices[1]["source"]), (&"reserve".into(), &"random".into()));
}
