//! Referees that send anything: the player answers the next one as if nothing had been.

mod common;

use common::{Broken, endpoint, maker, random_player, raw, rulesheet, say, start};
use senet_search::{Choice, Report, SearchError};
use senet_server::Options;
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Thinks for as long as it may.
fn thoughtful() -> senet_server::Maker {
    Arc::new(|_| {
        Box::new(Broken(|limit| {
            while !limit.is_reached(0) {
                thread::sleep(Duration::from_millis(1));
            }
            Err(SearchError::NoMatch)
        }))
    })
}

const SHORT: Duration = Duration::from_secs(5);

/// A player that is asked something in between plays a match to the end.
fn plays_on(address: SocketAddr, between: impl Fn()) {
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status available ) )");
    assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 5.0)), "ready");
    between();
    let first = say(address, "( PLAY M.1 NIL )");
    assert!(first.starts_with("( mark "), "{first}");
    between();
    assert_eq!(say(address, &format!("( PLAY M.1 ({first} noop ) )")), "noop");
    between();
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status busy ) )");
    assert_eq!(say(address, "( STOP M.1 NIL )"), "done");
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status available ) )");
}

#[test]
fn garbage_is_refused() {
    let address = random_player();
    plays_on(address, || {
        for bytes in [
            &b"\x00\xff\x13garbage\r\n\r\n"[..],
            b"\r\n\r\n",
            b"POST\r\n\r\n",
            b"BREW /pot HTTP/1.0\r\n\r\n",
            b"POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n(((((((((",
            b"POST / HTTP/1.0\r\nContent-Length: 7\r\n\r\n(dance)",
            b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n\xff\xfe\xfd\xff\xfe\xfd\xff\xfe\xfd\xff\xfe\xfd",
        ] {
            let answer = raw(address, bytes, SHORT);
            assert!(answer.starts_with("HTTP/1.0 400 Bad Request\r\n"), "{bytes:?}: {answer}");
            assert!(answer.contains("this is no message: "), "{answer}");
        }
        let deep = format!("POST / HTTP/1.0\r\nContent-Length: 3000\r\n\r\n{}", "(".repeat(3000));
        assert!(raw(address, deep.as_bytes(), SHORT).contains("nested more than 1000 deep"));
    });
}

#[test]
fn half_a_message_is_no_message() {
    let address =
        endpoint(Options { request_time: Duration::from_secs(1), ..Options::new("Tester", maker("random")) });
    // The connections stay open, and the rest never comes.
    let waiting = TcpStream::connect(address).expect("a connection");
    let half = raw(address, b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n( PLAY M.1 (no", SHORT);
    assert!(half.contains("400 Bad Request") && half.contains("cut off"), "{half}");
    let head = raw(address, b"POST / HTTP/1.0\r\nContent-", SHORT);
    assert!(head.contains("408 Request Timeout"), "{head}");
    plays_on(address, || {
        // And one that hangs up.
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 10\r\n\r\n( PL").expect("it is read");
    });
    drop(waiting);
}

#[test]
fn a_hundred_megabytes_are_refused() {
    let address = random_player();
    plays_on(address, || {
        let answer = raw(address, b"POST / HTTP/1.0\r\nContent-Length: 100000000\r\n\r\n(((", SHORT);
        assert!(answer.starts_with("HTTP/1.0 413 Payload Too Large\r\n"), "{answer}");
    });
    let mut long = b"POST / HTTP/1.0\r\nContent-Length: 100000000\r\n\r\n".to_vec();
    long.resize(100_000_000, b'(');
    // Whether it reads the refusal depends on how far it got with sending.
    raw(address, &long, SHORT);
    let mut endless = b"POST / HTTP/1.0\r\n\r\n".to_vec();
    endless.resize(100_000_000, b'a');
    raw(address, &endless, SHORT);
    let mut head = b"POST / HTTP/1.0\r\nA: ".to_vec();
    head.resize(30_000_000, b'a');
    raw(address, &head, SHORT);
    plays_on(address, || ());
}

#[test]
fn a_byte_a_second_blocks_nobody() {
    let address =
        endpoint(Options { request_time: Duration::from_secs(2), ..Options::new("Tester", maker("random")) });
    let drip = thread::spawn(move || {
        let mut stream = TcpStream::connect(address).expect("a connection");
        let mut answers = stream.try_clone().expect("a handle");
        let reader = thread::spawn(move || {
            let mut answer = Vec::new();
            // What came before the connection broke counts.
            let _ = std::io::Read::read_to_end(&mut answers, &mut answer);
            String::from_utf8_lossy(&answer).into_owned()
        });
        for byte in b"POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n( INFO".iter().chain(&[b' '; 1000]) {
            if reader.is_finished() || stream.write_all(&[*byte]).is_err() {
                break;
            }
            thread::sleep(Duration::from_millis(100));
        }
        reader.join().expect("it reads")
    });
    plays_on(address, || ());
    let answer = drip.join().expect("it was refused");
    assert!(answer.starts_with("HTTP/1.0 408 Request Timeout\r\n"), "{answer}");
    assert!(answer.ends_with("this is no message: it did not come in time"), "{answer}");
}

#[test]
fn connections_that_say_nothing_make_room() {
    // They could stay for ten minutes.
    let address =
        endpoint(Options { request_time: Duration::from_secs(600), ..Options::new("Tester", thoughtful()) });
    assert_eq!(say(address, &start("M.0", "tic-tac-toe", 5.0, 8.0)), "ready");
    let thinking = thread::spawn(move || say(address, "( PLAY M.0 NIL )"));
    thread::sleep(Duration::from_millis(500));
    let silent: Vec<_> = (0..200).filter_map(|_| TcpStream::connect(address).ok()).collect();
    assert_eq!(silent.len(), 200);
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status busy ) )");
    assert!(thinking.join().expect("an answer").starts_with("( mark "), "whoever has asked is answered");
    assert_eq!(say(address, "( ABORT M.0 )"), "aborted");
    plays_on(address, || ());
    drop(silent);
}

/// Sends a message and does not close the connection for a while, nor when it is answered.
fn say_and_stay(address: SocketAddr, message: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(stream, "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{message}", message.len())
        .expect("it is read");
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n"), "{answer}");
    stream
}

#[test]
fn a_referee_that_is_slow_to_close_is_answered_earlier() {
    let clock = 6.0;
    let time_of_play = |address| {
        let begin = Instant::now();
        say(address, "( PLAY M.0 NIL )");
        begin.elapsed().as_secs_f64()
    };
    let start = start("M.0", "tic-tac-toe", 1.0, clock);
    let slow = endpoint(Options::new("Tester", thoughtful()));
    let stays = [say_and_stay(slow, &start), say_and_stay(slow, "( PLAY M.0 NIL )")];
    thread::sleep(Duration::from_millis(1500));
    let time = time_of_play(slow);
    assert!(time < clock - 1.0, "{time}: its answers take a second or more");
    let quick = endpoint(Options::new("Tester", thoughtful()));
    assert_eq!(say(quick, &start), "ready");
    let stays = [stays, [say_and_stay(quick, "( INFO )"), say_and_stay(quick, "( PLAY M.0 NIL )")]];
    thread::sleep(Duration::from_millis(1500));
    let time = time_of_play(quick);
    assert!(time > clock - 0.5 && time < clock, "{time}: once is not always");
    drop(stays);
}

/// Waits until a player says this of itself.
fn becomes(address: SocketAddr, status: &str) {
    let begin = Instant::now();
    let is_so = || {
        let answer = senet_server::ask(address, "Tester", "( INFO )", Instant::now() + SHORT);
        answer.is_ok_and(|answer| answer == format!("( ( name Tester ) ( status {status} ) )"))
    };
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it does not become {status}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn wrong_ids_and_second_starts_are_answered_busy() {
    let address = random_player();
    assert_eq!(say(address, "( PLAY nosuch NIL )"), "busy");
    plays_on(address, || {
        assert_eq!(say(address, "( PLAY nosuch NIL )"), "busy");
        assert_eq!(say(address, "( PLAY m.1 NIL )"), "busy");
        assert_eq!(say(address, "( STOP nosuch NIL )"), "busy");
        assert_eq!(say(address, "( ABORT nosuch )"), "busy");
        assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 5.0)), "busy");
        assert_eq!(say(address, &start("M.2", "connect-four", 5.0, 5.0)), "busy");
    });
}

#[test]
fn illegal_moves_are_passed_over() {
    let address = random_player();
    assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 5.0)), "ready");
    for moves in [
        "((mark 9 9) noop)",
        "(noop noop)",
        "(noop)",
        "(a b c)",
        "(((a)) b)",
        "((mark 1 1) (mark 1 2))",
        "3 (mark 1 1) ((sees x))",
        "noop",
    ] {
        let answer = say(address, &format!("( PLAY M.1 {moves} )"));
        assert!(answer.starts_with("( mark "), "{moves}: {answer}");
    }
    // What was chosen is not what counts.
    assert_eq!(say(address, "(play M.1 ((MARK 3 3)(NOOP)) )"), "noop");
    let answer = say(address, "( PLAY M.1 (noop ( mark 1 1 ) ) )");
    assert!(
        answer.starts_with("( mark ") && answer != "( mark 1 1 )" && answer != "( mark 3 3 )",
        "{answer}"
    );
    assert_eq!(say(address, "( STOP M.1 7 )"), "done");
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status available ) )");
}

#[test]
fn rules_that_cannot_be_played_are_answered_busy() {
    let address = random_player();
    assert_eq!(say(address, "(START M.1 x ((role x) (legal x ?y)) 5 5)"), "busy");
    assert_eq!(say(address, "(START M.1 x () 5 5)"), "busy");
    let wrong_role = start("M.1", "tic-tac-toe", 5.0, 5.0).replace("M.1 x", "M.1 nobody");
    assert_eq!(say(address, &wrong_role), "busy");
    plays_on(address, || ());
}

#[test]
fn no_stop_is_no_match_for_ever() {
    let address =
        endpoint(Options { grace: Duration::from_millis(200), ..Options::new("Tester", maker("random")) });
    assert_eq!(say(address, &start("M.0", "tic-tac-toe", 10.0, 1.0)), "ready");
    assert!(say(address, "( PLAY M.0 NIL )").starts_with("( mark "));
    becomes(address, "available");
    plays_on(address, || assert_eq!(say(address, "( PLAY M.0 NIL )"), "busy"));
}

#[test]
fn a_match_goes_on_after_a_long_silence() {
    let address =
        endpoint(Options { grace: Duration::from_millis(200), ..Options::new("Tester", maker("random")) });
    assert_eq!(say(address, &start("M.0", "tic-tac-toe", 5.0, 0.5)), "ready");
    let first = say(address, "( PLAY M.0 NIL )");
    becomes(address, "available");
    thread::sleep(Duration::from_secs(1));
    assert_eq!(say(address, &format!("( PLAY M.0 ({first} noop ) )")), "noop", "somebody took their time");
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status busy ) )");
    becomes(address, "available");
    let next = if first == "( mark 1 1 )" { "( mark 1 2 )" } else { "( mark 1 1 )" };
    assert!(say(address, &format!("( PLAY M.0 (noop {next} ) )")).starts_with("( mark "));
    becomes(address, "available");
    assert_eq!(say(address, "( STOP M.0 NIL )"), "done");
    assert_eq!(say(address, "( PLAY M.0 NIL )"), "busy", "it is over");
}

#[test]
fn a_player_that_fails_has_a_legal_move_all_the_same() {
    for (what, choose) in [
        ("panic", (|_| panic!("this player fails on purpose")) as fn(&_) -> _),
        ("error", |_| Err(SearchError::NoMatch)),
        ("illegal", |_| Ok(Choice { text: "(mark 9 9)".to_owned(), report: Report::default() })),
        ("hang", |_| {
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        }),
    ] {
        let player: senet_server::Maker = Arc::new(move |_| Box::new(Broken(choose)));
        let address = endpoint(Options::new("Tester", player));
        assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 0.3)), "ready");
        let first = say(address, "( PLAY M.1 NIL )");
        assert!(first.starts_with("( mark "), "{what}: {first}");
        assert_eq!(say(address, &format!("( PLAY M.1 ({first} noop) )")), "noop", "{what}");
        assert_eq!(say(address, "( ABORT M.1 )"), "aborted");
        assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status available ) )");
    }
}

#[test]
fn information_and_abort_come_while_it_thinks() {
    let address = endpoint(Options::new("Tester", thoughtful()));
    assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 100.0)), "ready");
    let thinking = thread::spawn(move || say(address, "( PLAY M.1 NIL )"));
    thread::sleep(Duration::from_millis(100));
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status busy ) )");
    assert_eq!(say(address, "( ABORT M.1 )"), "aborted");
    assert!(thinking.join().expect("an answer").starts_with("( mark "), "the clock had 100 seconds");
    assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status available ) )");
}

#[test]
fn every_dialect_of_http_is_understood() {
    let address = random_player();
    let info = "( ( name Tester ) ( status available ) )";
    let expected = "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 40\r\n\
                    Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
                    Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n\
                    ( ( name Tester ) ( status available ) )";
    for request in [
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nContent-Length: 8\r\n\r\n( INFO )",
        "POST / HTTP/1.1\r\nHost: x\r\nCONTENT-LENGTH: 6\r\n\r\n(info)",
        "POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 0\r\n\r\n",
        "POST / HTTP/1.0\n\n( INFO )",
        "POST / HTTP/1.1\r\nExpect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n3\r\n( I\r\n5\r\nNFO )\r\n0\r\n\r\n",
        "GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "POST /some/where HTTP/1.0\r\nodd header\r\nContent-Length: 8\r\n\r\n( INFO )",
    ] {
        let answer = raw(address, request.as_bytes(), SHORT);
        let answer = answer.strip_prefix("HTTP/1.1 100 Continue\r\n\r\n").unwrap_or(&answer);
        assert_eq!(answer, expected, "{request}");
    }
    let answer = raw(address, b"OPTIONS / HTTP/1.1\r\n\r\n", SHORT);
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    assert!(raw(address, b"POST / HTTP/1.0\r\n\r\n", SHORT).ends_with(info), "nothing is said for a while");
}

#[test]
fn moves_are_answered_in_the_spelling_of_the_rules() {
    let address = random_player();
    let rules = rulesheet("rock-paper-scissors");
    let description = senet_gdl::parse(&rules);
    let shouted = description.to_text().to_uppercase();
    let role = common::rules("rock-paper-scissors").role_names()[0].to_uppercase();
    assert_eq!(say(address, &format!("(START m {role} ({shouted}) 5 5)")), "ready");
    let answer = say(address, "( PLAY m NIL )");
    assert_eq!(answer, answer.to_uppercase());
    assert_eq!(say(address, "( STOP m NIL )"), "done");
}

#[test]
fn each_match_has_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = Options { log: Some(folder.path().to_owned()), ..Options::new("Tester", maker("legal")) };
    let address = endpoint(options);
    for id in ["One", "Two"] {
        assert_eq!(say(address, &start(id, "ary-tree", 5.0, 5.0)), "ready");
        let chosen = say(address, &format!("( PLAY {id} NIL )"));
        assert_eq!(say(address, &format!("( STOP {id} ({chosen} ) )")), "done");
    }
    for id in ["One", "Two"] {
        let role = common::rules("ary-tree").role_names()[0].clone();
        let text = std::fs::read_to_string(folder.path().join(format!("{id}-{role}.jsonl"))).expect("a log");
        let keys = ["received", "sent", "received", "choice", "sent", "received", "scores", "sent"];
        assert_eq!(text.lines().count(), keys.len(), "{text}");
        for (line, key) in text.lines().zip(keys) {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert!(!line[key].is_null(), "{key}: {line}");
        }
        assert!(text.ends_with("\"sent\":\"done\"}\n"), "{text}");
    }
    assert_eq!(say(address, &start("Three", "ary-tree", 5.0, 5.0)), "ready");
    assert_eq!(say(address, "( ABORT Three )"), "aborted");
    let text = std::fs::read_to_string(folder.path().join("Three-player.jsonl")).expect("a log");
    assert!(text.ends_with("\"sent\":\"aborted\"}\n"), "{text}");
}

#[test]
fn somebody_is_told_of_each_match() {
    let lines = Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = lines.clone();
    let notice: senet_server::Notice =
        Arc::new(move |line| told.lock().expect("nobody panics").push(line.to_owned()));
    let address = endpoint(Options {
        notice: Some(notice),
        grace: Duration::from_millis(200),
        ..Options::new("Tester", maker("legal"))
    });
    say(address, &start("M.1", "ary-tree", 5.0, 5.0));
    say(address, "( PLAY M.1 NIL )");
    say(address, "( PLAY M.1 (( descend b )) )");
    say(address, "( STOP M.1 (( descend e )) )");
    say(address, &start("M.2", "ary-tree", 5.0, 5.0));
    say(address, "( STOP M.2 NIL )");
    say(address, &start("M.3", "ary-tree", 5.0, 5.0));
    say(address, "( ABORT M.3 )");
    say(address, "(START M.4\u{1b} player ((role x)) 5 5)");
    say(address, &start("M.5", "ary-tree", 0.5, 0.5));
    becomes(address, "available");
    say(address, &start("M.6", "ary-tree", 5.0, 5.0));
    let lines = lines.lock().expect("nobody panics");
    let begins = |id: &str| format!("{id} begins: player, 5 s before the first move, 5 s for each");
    assert_eq!(lines.len(), 11, "{lines:?}");
    assert_eq!(lines[0], begins("M.1"));
    assert!(lines[1].starts_with("M.1 is over: player "), "{lines:?}");
    assert_eq!(lines[2..4], [begins("M.2"), "M.2 is stopped before its end".to_owned()]);
    assert_eq!(lines[4..6], [begins("M.3"), "M.3 is aborted by the referee".to_owned()]);
    assert_eq!(lines[6], begins("M.4?"));
    assert!(lines[7].starts_with("M.4? cannot be played: "), "{lines:?}");
    assert_eq!(lines[9], "M.5 is given up: no message came, and another match begins");
}

#[test]
fn a_report_is_sent_to_those_who_ask_for_it() {
    let address = endpoint(Options::new("Tester", maker("uct:playouts=50")));
    assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 5.0)), "ready");
    let asked = |header: &str, message: &str| {
        let length = message.len();
        let request = format!("POST / HTTP/1.0\r\n{header}Content-Length: {length}\r\n\r\n{message}");
        raw(address, request.as_bytes(), SHORT)
    };
    let plain = asked("", "( PLAY M.1 NIL )");
    assert!(!plain.to_ascii_lowercase().contains("report") && plain.ends_with(" )"), "{plain}");
    assert!(!asked("Senet-Report: 1\r\n", "( INFO )").contains("Senet-Report"));
    let answer = asked("SENET-report: 1\r\n", "( PLAY M.1 NIL )");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(body.starts_with("( mark "), "{body}");
    let report = head.lines().find_map(|line| line.strip_prefix("Senet-Report: ")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
    assert_eq!(report["line"][0][0], body.replace("( ", "(").replace(" )", ")"), "{report}");
}
