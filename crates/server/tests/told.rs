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

#[test]
fn errors_and_warnings_in_the_rules_are_told_and_logged() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = Arc::new(Mutex::new(Vec::new()));
    let lines = told.clone();
    let warning: Notice = Arc::new(move |text| lines.lock().expect("nobody panics").push(text.to_owned()));
    let address = endpoint(Options {
        warning: Some(warning),
        log: Some(folder.path().to_owned()),
        ..Options::new("Tester", maker("random"))
    });
    let whole =
        "(role x) (init p) (legal x a) (legal x b) (<= (next q) (true p)) (<= terminal (true q)) (goal x 50)";
    let goalless = "(role x) (init p) (legal x a) (legal x b)\n(<= (next q) (true p)) (<= terminal (true q))";
    let error = |place: &str, text: &str| format!("{place}: error {text}");
    for (id, rules, expected) in [
        ("empty", format!("{whole} (<= )"), vec![error("1:101", "G006: this rule has no head")]),
        (
            "cut",
            format!("{whole}\n (<= (next "),
            vec![error("2:2", "G001: this parenthesis is never closed")],
        ),
        ("closed", format!("{whole})"), vec![error("1:100", "G002: this parenthesis closes nothing")]),
        (
            "two",
            format!("{whole} (q ?z)\n()"),
            vec![
                error("1:104", "G201: the variable `?z` stands in a fact"),
                error("2:1", "G005: empty parentheses"),
            ],
        ),
        (
            "warned",
            goalless.to_owned(),
            vec!["1:1: warning G403: no rule says what a position is worth".to_owned()],
        ),
        ("whole", whole.to_owned(), vec![]),
    ] {
        assert_eq!(say(address, &format!("(START {id} x ({rules}) 10 10)")), "ready", "{id}");
        assert!(["a", "b"].contains(&&*say(address, &format!("(PLAY {id} NIL)"))), "{id}");
        assert_eq!(say(address, &format!("(ABORT {id})")), "aborted", "{id}");
        let told = std::mem::take(&mut *told.lock().expect("nobody panics"));
        let lines: Vec<String> = expected.iter().map(|line| format!("{id} rules:{line}")).collect();
        assert_eq!(told, if lines.is_empty() { vec![] } else { vec![lines.join("\n")] });
        let log = std::fs::read_to_string(folder.path().join(format!("{id}-x.jsonl"))).expect("a log");
        for line in &expected {
            assert!(log.contains(&format!("\"finding\":\"{line}\"")), "no {line} in {log}");
        }
        assert_eq!(log.matches("\"finding\":").count(), expected.len(), "{log}");
    }
}

#[test]
fn rules_without_a_role_are_refused_and_their_findings_told() {
    let told = Arc::new(Mutex::new(String::new()));
    let text = told.clone();
    let warning: Notice = Arc::new(move |lines| text.lock().expect("nobody panics").push_str(lines));
    let address = endpoint(Options { warning: Some(warning), ..Options::new("Tester", maker("random")) });
    assert_eq!(say(address, "(START M.1 x ((role) 10 10)"), "busy");
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status available ) )");
    assert!(told.lock().expect("nobody panics").starts_with("M.1 rules:1:1: error G001: "), "{told:?}");
}
