//! What somebody is told of a match, in lines.

mod common;

use common::{Broken, endpoint, maker, say, start};
use senet_search::SearchError;
use senet_server::{Maker, Notice, Options};
use std::sync::{Arc, Mutex};

#[test]
fn a_move_that_is_not_of_the_search_is_told() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let told = lines.clone();
    let notice: Notice = Arc::new(move |line| told.lock().expect("nobody panics").push(line.to_owned()));
    let player: Maker = Arc::new(|_| Box::new(Broken(|_| Err(SearchError::NoMatch))));
    let address = endpoint(Options { notice: Some(notice), ..Options::new("Tester", player) });
    assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 5.0)), "ready");
    let first = say(address, "( PLAY M.1 NIL )");
    assert_eq!(say(address, &format!("( PLAY M.1 ({first} noop) )")), "noop");
    assert_eq!(say(address, "( ABORT M.1 )"), "aborted");
    let lines = lines.lock().expect("nobody panics");
    assert_eq!(lines.len(), 3, "nothing is replaced where there is one move: {lines:?}");
    assert_eq!(lines[1], format!("M.1 plays a random move: {}", SearchError::NoMatch));
}

#[test]
fn whoever_panics_when_told_disturbs_no_match() {
    let notice: Notice = Arc::new(|_| panic!("this notice fails on purpose"));
    let address = endpoint(Options { notice: Some(notice), ..Options::new("Tester", maker("random")) });
    assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 5.0)), "ready");
    assert!(say(address, "( PLAY M.1 NIL )").starts_with("( mark "));
    assert_eq!(say(address, "( STOP M.1 NIL )"), "done");
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status available ) )");
}
