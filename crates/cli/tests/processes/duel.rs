//! `senet duel`, killed half-way.

use crate::common::{Player, senet};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn duel(record: &Path) -> Command {
    let mut command = senet();
    command.args(["duel", "random", "legal", "--game", "tic-tac-toe", "--game", "rock-paper-scissors"]);
    command.args(["--matches", "150", "--seconds", "20", "--seed", "4", "--jobs", "2", "--json", "--record"]);
    command.arg(record).stderr(Stdio::null());
    command
}

/// The matches of a record, in order and without the times they took.
fn matches(record: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(record).expect("a record");
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        line["seconds"] = Value::Null;
        line.to_string()
    };
    let mut matches: Vec<String> = text.lines().map(line).collect();
    matches.sort();
    matches
}

#[test]
fn a_killed_duel_goes_on_with_nothing_lost_or_doubled() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole.jsonl"), folder.path().join("killed.jsonl"));
    let expected = duel(&whole).output().expect("the program starts").stdout;

    let mut child = duel(&killed).stdout(Stdio::null()).spawn().expect("the program starts");
    let begin = Instant::now();
    while std::fs::read(&killed).map_or(0, |bytes| bytes.len()) < 20_000 {
        assert!(begin.elapsed() < Duration::from_secs(100), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    let before = std::fs::read(&killed).expect("a record");
    // As if it had been killed while it wrote.
    let mut file = std::fs::OpenOptions::new().append(true).open(&killed).expect("a record");
    file.write_all(br#"{"game":"tic-tac-toe","at":14"#).expect("it is written");
    drop(file);

    let output = duel(&killed).output().expect("the program starts");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&expected));
    assert!(std::fs::read(&killed).expect("a record").starts_with(&before), "what was played stays");
    assert_eq!(matches(&killed), matches(&whole));
    assert_eq!(matches(&whole).len(), 301);

    let again = duel(&killed).output().expect("the program starts").stdout;
    assert_eq!(again, expected, "there is nothing more to play");
    let other = duel(&killed).args(["--start-clock", "2"]).output().expect("the program starts");
    assert_eq!(other.status.code(), Some(2));
}

#[test]
fn a_busy_player_adds_nothing_to_the_record() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for (at, stream) in listener.incoming().enumerate() {
            let mut stream = stream.expect("a connection");
            let mut piece = [0; 16 << 10];
            let _ = std::io::Read::read(&mut stream, &mut piece);
            let answer = if at == 0 { "available" } else { "busy" };
            let _ = write!(stream, "HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{answer}", answer.len());
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("duel.jsonl");
    let mut command = senet();
    command.args(["duel", &format!("http://{address}"), "random", "--game", "tic-tac-toe", "--record"]);
    let output = command.arg(&path).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(&format!("the player at http://{address} is busy: ")), "{error}");
    assert!(error.contains("Wait until it is free, or start it anew"), "{error}");
    assert_eq!(matches(&path).len(), 1, "the duel and no match");
}

#[test]
fn matches_of_nobody_are_not_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("duel.jsonl");
    // A port that is free again.
    let address = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let address = address.expect("a port");
    let mut command = senet();
    command.args(["duel", &format!("http://{address}"), "random", "--game", "tic-tac-toe", "--record"]);
    let output = command.arg(&path).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(&format!("the player at http://{address} never answered")), "{error}");
    assert!(error.contains("start it and repeat this command"), "{error}");
    assert_eq!(matches(&path).len(), 1, "the duel and no match");
}

/// A host that says nothing: connections with questions for a move stay open, the others are closed.
fn silent_host() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut piece = [0; 16 << 10];
            let n_read = std::io::Read::read(&mut stream, &mut piece).unwrap_or(0);
            if String::from_utf8_lossy(&piece[..n_read]).contains("PLAY") {
                kept.push(stream);
            }
        }
    });
    format!("http://{address}")
}

#[test]
fn matches_of_a_host_that_says_nothing_are_not_counted() {
    let mut command = senet();
    command.args(["duel", "random", &silent_host(), "--game", "tic-tac-toe", "--matches", "2"]);
    let output = command.args(["--seconds", "0.1", "--grace", "0.1"]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("never answered in a match of tic-tac-toe, which is not counted"), "{error}");
    assert!(output.stdout.is_empty(), "nothing was played");
}

#[test]
fn a_duel_that_ends_with_an_error_tells_what_was_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("duel.jsonl");
    let mut player = Player::start("legal", 1);
    let mut command = senet();
    command.args(["duel", &player.address, "random", "--game", "tic-tac-toe", "--matches", "1000000"]);
    command.args(["--seconds", "1", "--json", "--record"]).arg(&path);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let begin = Instant::now();
    while std::fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 4 {
        assert!(begin.elapsed() < Duration::from_secs(100), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    player.process.kill();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("never answered in a match of tic-tac-toe, which is not counted"), "{error}");
    let n_played = matches(&path).len() - 1;
    let said = String::from_utf8_lossy(&output.stdout);
    let reports: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(reports.len(), 2, "{said}");
    reports.iter().for_each(|report| assert_eq!(report["matches"], n_played));
}

#[test]
fn a_killed_duel_over_http_goes_on_with_nothing_lost_or_doubled() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole.jsonl"), folder.path().join("killed.jsonl"));
    let player = Player::start("legal", 1);
    let duel = |record: &Path| {
        let mut command = senet();
        command.args(["duel", &player.address, "random", "--game", "connect-four", "--matches", "30"]);
        command.args(["--seconds", "1", "--json", "--record"]).arg(record).stderr(Stdio::null());
        command
    };
    let expected = duel(&whole).output().expect("the program starts");
    assert!(expected.status.success());

    let mut child = duel(&killed).stdout(Stdio::null()).spawn().expect("the program starts");
    let begin = Instant::now();
    while std::fs::read_to_string(&killed).map_or(0, |text| text.lines().count()) < 10 {
        assert!(begin.elapsed() < Duration::from_secs(100), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    let before = std::fs::read(&killed).expect("a record");
    // It may have been killed between two matches. A referee that is gone in the middle of one leaves the player busy.
    let rules = senet_engines::library::find("tic-tac-toe").expect("built in").text;
    let start = format!("(START Gone.1 x ({}) 1 1)", senet_gdl::parse(&rules).to_text());
    let address = player.address.trim_start_matches("http://").parse().expect("an address");
    let answer = senet_server::ask(address, "P1", &start, Instant::now() + Duration::from_secs(20));
    assert!(answer == Ok("ready".to_owned()) || answer == Ok("busy".to_owned()), "{answer:?}");
    assert!(before.iter().filter(|&&byte| byte == b'\n').count() < 31, "it was killed half-way");

    let output = duel(&killed).output().expect("the program starts");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&expected.stdout));
    assert!(std::fs::read(&killed).expect("a record").starts_with(&before), "what was played stays");
    assert_eq!(matches(&killed), matches(&whole), "and no move was replaced");
    assert_eq!(matches(&whole).len(), 31);
}
