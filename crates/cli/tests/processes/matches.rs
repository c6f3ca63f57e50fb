//! `senet player`, `senet match` and `senet replay` as processes that meet over real sockets.

use crate::common::{Player, Process, senet};
use senet_protocol::Record;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    output
}

/// Players and a referee, each a process of its own.
fn played(strategy: &str, game: &str, roles: &[&str], record: &Path, options: &[&str]) -> Record {
    let players: Vec<Player> = (1..=roles.len()).map(|seed| Player::start(strategy, seed)).collect();
    let mut command = senet();
    command.args(["match", game, "--seed", "5", "--record"]).arg(record).args(options);
    for (role, player) in roles.iter().zip(&players) {
        command.args(["--role", &format!("{role}={}", player.address)]);
    }
    let output = run(&mut command);
    assert!(String::from_utf8_lossy(&output.stdout).contains("The match is over after "));
    replayed(record)
}

/// A record that is true.
fn replayed(record: &Path) -> Record {
    let output = run(senet().arg("replay").arg(record));
    assert!(String::from_utf8_lossy(&output.stdout).contains("The record is true: "));
    Record::from_json(&std::fs::read(record).expect("a record")).expect("it is whole")
}

#[test]
fn four_players_at_chinese_checkers() {
    let folder = tempfile::tempdir().expect("a folder");
    let roles: Vec<String> = {
        let game = senet_engines::library::find("chinese-checkers-4").expect("built in");
        let engine = senet_engines::load("forward", &senet_gdl::parse(&game.text)).expect("it plays");
        engine.role_names().to_vec()
    };
    let roles: Vec<&str> = roles.iter().map(String::as_str).collect();
    let play = |file: &str, options: &[&str]| {
        played("random", "chinese-checkers-4", &roles, &folder.path().join(file), options)
    };
    let clear = play("clear.json", &[]);
    assert!(clear.is_completed);
    assert_eq!(clear.player_names_from_host, ["P1", "P2", "P3", "P4"]);
    assert!(clear.errors.iter().flatten().all(String::is_empty), "{:?}", clear.errors);
    let scrambled = play("scrambled.json", &["--scramble"]);
    assert_eq!(clear.states, scrambled.states);
    assert_eq!(clear.moves, scrambled.moves);
    assert!(scrambled.renaming.is_some() && scrambled.scrambled);
}

#[test]
fn a_record_that_lies_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.json");
    let roles = ["--role", "x=random", "--role", "o=legal", "--seed", "3"];
    let output = run(senet().args(["match", "tic-tac-toe", "--json"]).args(roles));
    let mut record = Record::from_json(&output.stdout).expect("a record");
    record.moves[2][0] = "( mark 1 1 )".to_owned();
    std::fs::write(&path, record.to_json()).expect("a file");
    let output = senet().arg("replay").arg(&path).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("is not true: move 3: (mark 1 1) is not a legal move of x here"), "{error}");
    std::fs::write(&path, "{").expect("a file");
    let output = senet().arg("replay").arg(&path).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_person_who_quits_ends_the_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.json");
    let mut command = senet();
    command.args(["match", "tic-tac-toe", "--role", "x=human", "--role", "o=legal", "--record"]).arg(&path);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(b"mark 2 2\nquit\n").expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.ends_with("The match is left after 2 moves.\n"), "{said}");
    let record = Record::from_json(&std::fs::read(&path).expect("a record")).expect("it is whole");
    assert!(record.is_aborted && !record.is_completed);
    assert_eq!(record.moves, [["( mark 2 2 )", "noop"], ["noop", "( mark 1 1 )"]]);
    assert!(record.errors.iter().flatten().all(String::is_empty), "{:?}", record.errors);
}

/// The marks `x` and `o` on the squares of an SVG drawing, as its texts.
fn marks(svg: &str) -> (usize, usize) {
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    (svg.matches(">x</text>").count(), svg.matches(">o</text>").count())
}

#[test]
fn play_and_replay_draw_the_position_as_svg() {
    let folder = tempfile::tempdir().expect("a folder");
    let [drawing, record] = ["board.svg", "match.json"].map(|name| folder.path().join(name));
    let mut command = senet();
    command.args(["play", "tic-tac-toe", "--role", "x", "--seed", "1", "--svg"]).arg(&drawing);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(b"mark 2 2\nquit\n").expect("it is read");
    assert!(child.wait().expect("it ends").success());
    let drawn = std::fs::read_to_string(&drawing).expect("a drawing");
    assert_eq!(marks(&drawn), (1, 1), "{drawn}");
    let mut command = senet();
    command.args(["match", "tic-tac-toe", "--role", "x=legal", "--role", "o=legal", "--record"]).arg(&record);
    assert!(command.output().expect("the program starts").status.success());
    let mut command = senet();
    command.arg("replay").arg(&record).arg("--svg").arg(&drawing);
    assert!(command.output().expect("the program starts").status.success());
    let last = Record::from_json(&std::fs::read(&record).expect("a record")).expect("it is whole");
    let end = last.states.last().expect("the end");
    let count = |mark: &str| (1..=3).map(|row| end.matches(&format!(" {row} {mark} )")).count()).sum();
    let drawn = std::fs::read_to_string(&drawing).expect("a drawing");
    assert_eq!(marks(&drawn), (count("x"), count("o")), "{drawn}");
}

#[test]
fn players_over_http_say_what_they_think() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.json");
    let record = played("uct:playouts=500", "tic-tac-toe", &["x", "o"], &path, &["--scramble"]);
    assert!(record.scrambled && record.errors.iter().flatten().all(String::is_empty), "{:?}", record.errors);
    assert_eq!(record.thoughts.len(), record.moves.len());
    for (step, thoughts) in record.thoughts.iter().enumerate() {
        for (role, thoughts) in thoughts.iter().enumerate() {
            let thoughts = thoughts.as_ref().unwrap_or_else(|| panic!("none at {step} of {role}"));
            // A role without a choice answers at once, from its last search. A better engine that is ready by then begins
            // an empty tree.
            let waits = record.moves[step][role] == "noop";
            if waits && thoughts.nodes == 1 {
                continue;
            }
            assert!(
                (waits || thoughts.playouts > 0) && thoughts.value.is_some(),
                "{step} {role} {thoughts:?}"
            );
            // What it expects of itself is what it did, in the names of the rulesheet.
            let expected = thoughts.line.first().map(|joint| joint[role].replace(['(', ')'], ""));
            let done = record.moves[step][role].replace(['(', ')'], "");
            assert_eq!(expected.as_deref(), Some(done.trim()), "{thoughts:?}");
        }
    }
}

/// A referee of a match of connect four between two players, as a process.
fn referee(red: &Player, yellow: &Player, record: &Path) -> Command {
    let mut command = senet();
    command.args(["match", "connect-four", "--play-clock", "0.5", "--seed", "5", "--record"]).arg(record);
    command.args(["--role", &format!("red={}", red.address)]);
    command.args(["--role", &format!("yellow={}", yellow.address)]);
    command
}

#[test]
fn a_player_that_is_killed_in_the_middle_of_a_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.json");
    let (mut red, mut yellow) = (Player::start("uct", 1), Player::start("legal", 2));
    let mut referee = Process::start(&mut referee(&red, &yellow, &path));
    referee.wait_for("  3. ");
    red.process.kill();
    referee.wait_for("The match is over after ");
    assert_eq!(
        referee.line(),
        format!("The referee chose {} moves of red.", replayed(&path).moves.len() - 3)
    );
    let record = replayed(&path);
    assert!(record.is_completed && record.goal_values.len() == 2);
    for (step, errors) in record.errors.iter().enumerate() {
        match step {
            0..=3 => assert_eq!(errors[0], "", "{step}"),
            // It was thinking: nothing comes any more.
            4 => assert!(errors[0] == "CE" || errors[0] == "IL", "{errors:?}"),
            _ => assert_eq!(errors[0], "CE", "{step}"),
        }
        assert_eq!(errors[1], "", "the other player is not disturbed");
    }
    let id = &record.match_id;
    let begins = format!("{id} begins: yellow, 10 s before the first move, 0.5 s for each");
    assert_eq!(yellow.process.line(), begins);
    let end = format!("{id} is over: red {}, yellow {}", record.goal_values[0], record.goal_values[1]);
    assert_eq!(yellow.process.line(), end);
}

#[test]
fn a_referee_that_is_killed_leaves_a_whole_record_and_players_that_play_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (killed, again) = (folder.path().join("killed.json"), folder.path().join("again.json"));
    let (mut red, yellow) = (Player::start("uct", 1), Player::start("legal", 2));
    let mut first = Process::start(&mut referee(&red, &yellow, &killed));
    first.wait_for("  4. ");
    first.kill();
    let record = replayed(&killed);
    assert!(!record.is_completed && !record.moves.is_empty(), "{} moves", record.moves.len());

    let output = run(&mut referee(&red, &yellow, &again));
    let notes = String::from_utf8_lossy(&output.stderr);
    assert!(
        notes.contains("the player P1 at http://") && notes.contains("is busy: waiting up to 60 s"),
        "{notes}"
    );
    let other = replayed(&again);
    assert!(other.is_completed && other.errors.iter().flatten().all(String::is_empty), "{:?}", other.errors);
    let (before, after) = (&record.match_id, &other.match_id);
    red.process.wait_for(&format!("{before} begins: red"));
    red.process.wait_for(&format!("{before} is given up: no message came"));
    red.process.wait_for(&format!("{after} begins: red"));
    red.process.wait_for(&format!("{after} is over: red "));
}
