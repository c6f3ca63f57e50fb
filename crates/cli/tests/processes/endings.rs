//! `senet match` where its output cannot be written, and what is left of it when it is killed.

use crate::common::{Process, senet};
use senet_protocol::Record;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// A match of tic-tac-toe.
fn tic_tac_toe(x: &str, record: &Path) -> Command {
    let mut command = senet();
    command.args(["match", "tic-tac-toe", "--role", x, "--role", "o=legal", "--seed", "3", "--record"]);
    command.arg(record);
    command
}

fn recorded(path: &Path) -> Record {
    Record::from_json(&std::fs::read(path).expect("a record")).expect("it is whole")
}

#[test]
fn a_match_goes_on_when_nobody_reads_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.json");
    for (options, status) in [(&[][..], 0), (&["--json"], 0), (&["--most-moves", "3"], 1)] {
        let mut command = tic_tac_toe("x=random", &path);
        command.args(options).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("it ends").code(), Some(status), "{options:?}");
        let record = recorded(&path);
        assert_eq!(record.is_completed, status == 0, "{options:?}");
        assert_eq!(record.moves.len(), if status == 0 { 9 } else { 3 });
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_told_of_after_the_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.json");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    let output = tic_tac_toe("x=random", &path).stdout(full).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(recorded(&path).is_completed);
}

#[test]
fn a_record_that_cannot_be_saved_ends_no_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("later").join("match.json");
    let output = tic_tac_toe("x=random", &path).output().expect("the program starts");
    let (said, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.ends_with("The match is over after 9 moves: x 100, o 0.\n"), "{said}");
    assert_eq!(error.matches("note: cannot write ").count(), 1, "{error}");
    assert!(error.lines().last().is_some_and(|last| last.starts_with("error: cannot write ")), "{error}");
    assert_eq!(output.status.code(), Some(2));

    let mut command = tic_tac_toe("x=human", &path);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut notes = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut note = String::new();
    notes.read_line(&mut note).expect("it says what is wrong");
    assert!(note.starts_with("note: cannot write "), "{note}");
    std::fs::create_dir(folder.path().join("later")).expect("a folder");
    child.stdin.take().expect("a pipe").write_all(b"mark 2 2\nquit\n").expect("it is read");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "it was left");
    assert_eq!(recorded(&path).moves.len(), 2);
}

#[test]
fn a_match_that_is_killed_while_somebody_thinks_loses_no_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.json");
    let mut command = tic_tac_toe("x=human", &path);
    let mut process = Process::start(command.stdin(Stdio::piped()));
    let mut input = process.child.stdin.take().expect("a pipe");
    input.write_all(b"mark 2 2\n").expect("it is read");
    process.wait_for("  2. ");
    process.kill();
    assert_eq!(recorded(&path).moves, [["( mark 2 2 )", "noop"], ["noop", "( mark 1 1 )"]]);
}
