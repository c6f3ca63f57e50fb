//! Players that answer anything, or nothing: the match goes on and its record is whole.

mod common;

use common::{
    Broken, contest, endpoint, local, maker, odd_player, play, random, random_player, read_message, remote,
    respond, say, start,
};
use senet_protocol::Record;
use senet_search::{Assignment, Choice, Limit, Player, SearchError, Spec, Stop};
use senet_server::{ContestError, Maker, Options, Seat};
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::ops::ControlFlow;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// A match of tic-tac-toe in which somebody plays x; with the error of each of its moves.
fn match_against(address: SocketAddr, play_clock: f64) -> (Record, Vec<String>) {
    let record = play(contest("tic-tac-toe", vec![remote(address), random(1)], play_clock));
    assert!(record.is_completed, "{:?}", record.game_error);
    let errors = record.errors[1..].iter().map(|row| row[0].clone()).collect();
    assert!(record.errors.iter().all(|row| row[1].is_empty()), "the other player is not disturbed");
    (record, errors)
}

#[test]
fn two_good_players() {
    let address = random_player();
    let (record, errors) = match_against(address, 5.0);
    assert!(errors.iter().all(String::is_empty), "{errors:?}");
    assert_eq!(record.player_names_from_host, ["Tester", "local"]);
    assert_eq!(record.player_addresses, [Some(address.to_string()), None]);
    let grace = Some(Duration::from_millis(100));
    assert_eq!((record.start_grace, record.grace), (grace, grace));
    let play = &record.exchanges.iter().find(|exchange| exchange.step == 1).expect("an exchange");
    assert!(play.sent.as_ref().is_some_and(|sent| sent.starts_with("( PLAY Senet.tic-tac-toe.")), "{play:?}");
    let stop = record.exchanges.last().expect("an exchange");
    assert_eq!(stop.received.as_deref(), Some("done"));
}

#[test]
fn a_player_that_is_not_there() {
    let address =
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let (record, errors) = match_against(address, 5.0);
    assert!(errors.iter().all(|error| error == "CE"), "{errors:?}");
    assert_eq!(record.errors[0][0], "CE");
    assert_eq!(record.player_names_from_host[0], address.to_string());
}

#[test]
fn a_player_that_dies_after_its_first_move() {
    // INFO, START and a PLAY are answered.
    let address = odd_player(|at, stream| {
        let message = read_message(stream);
        match at {
            0..=1 => respond(stream, "ready"),
            2 => respond(stream, "( mark 2 2 )"),
            _ => assert!(!message.is_empty()),
        }
    });
    let (record, errors) = match_against(address, 5.0);
    assert_eq!((errors[0].as_str(), record.moves[0][0].as_str()), ("", "( mark 2 2 )"));
    assert!(errors[1..].iter().all(|error| error.starts_with("IL") || error == "CE"), "{errors:?}");
}

#[test]
fn a_player_that_hangs() {
    let address = odd_player(|_, stream| {
        let stream = stream.try_clone().expect("a handle");
        thread::spawn(move || {
            thread::sleep(Duration::from_secs(60));
            drop(stream);
        });
    });
    let mut contest = contest("ary-tree", vec![remote(address)], 0.2);
    contest.start_clock = Duration::from_millis(200);
    let record = play(contest);
    assert!(record.is_completed);
    assert!(record.errors.iter().all(|row| row[0] == "TO"), "{:?}", record.errors);
    assert_eq!(record.exchanges[1].failure.as_deref(), Some("late"));
}

#[test]
fn a_player_that_is_late() {
    let address = odd_player(|at, stream| {
        read_message(stream);
        if at >= 2 {
            thread::sleep(Duration::from_millis(700));
        }
        respond(stream, if at < 2 { "ready" } else { "( goto b )" });
    });
    let record = play(contest("ary-tree", vec![remote(address)], 0.2));
    assert!(record.errors[1..].iter().all(|row| row[0] == "TO"), "{:?}", record.errors);
}

#[test]
fn a_player_that_answers_for_another_role() {
    let address = odd_player(|at, stream| {
        read_message(stream);
        respond(stream, if at < 2 { "ready" } else { "noop" });
    });
    let (record, errors) = match_against(address, 5.0);
    for (at, error) in errors.iter().enumerate() {
        // Every other move is indeed its only one.
        assert_eq!(error, if at % 2 == 0 { "IL noop" } else { "" });
    }
    assert_eq!(record.errors[0][0], "");
}

#[test]
fn a_player_that_drips() {
    let address = odd_player(|_, stream| {
        let mut stream = stream.try_clone().expect("a handle");
        thread::spawn(move || {
            let begin = Instant::now();
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-length: 1000000\r\n\r\n(");
            while stream.write_all(b"a").is_ok() && begin.elapsed() < Duration::from_secs(60) {
                thread::sleep(Duration::from_millis(20));
            }
        });
    });
    let mut contest = contest("ary-tree", vec![remote(address)], 0.2);
    contest.start_clock = Duration::from_millis(200);
    let record = play(contest);
    assert!(record.errors.iter().all(|row| row[0] == "TO"), "{:?}", record.errors);
}

#[test]
fn a_player_that_answers_with_fifty_megabytes() {
    let address = odd_player(|_, stream| {
        read_message(stream);
        let piece = vec![b'a'; 1 << 20];
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n");
        for _ in 0..50 {
            if stream.write_all(&piece).is_err() {
                return;
            }
        }
    });
    let record = play(contest("ary-tree", vec![remote(address)], 5.0));
    assert!(record.errors.iter().all(|row| row[0] == "CE"), "{:?}", record.errors);
    assert!(record.to_json().len() < 100_000);
}

#[test]
fn a_player_that_speaks_no_http_or_nonsense() {
    for (answer, error) in [
        (&b"( mark 9 9 ) (taunt ha)"[..], "IL ( mark 9 9 ) ( taunt ha )"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n(((", "IL ( ( ("),
        (b"HTTP/1.0 200 OK\r\n\r\n", "IL"),
        (b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "CE"),
        (b"HTTP/9000\r\n\r\nnoop", "CE"),
        (b"\xff\xfe\x00", "IL \u{fffd}\u{fffd}\u{0}"),
        (b"", "IL"),
    ] {
        let address = odd_player(move |_, stream| {
            read_message(stream);
            let _ = stream.write_all(answer);
        });
        let record = play(contest("ary-tree", vec![remote(address)], 5.0));
        assert!(record.errors.iter().all(|row| row[0] == error), "{error}: {:?}", record.errors);
    }
}

#[test]
fn players_of_this_process_fail_as_well() {
    for (choose, play_clock, expected) in [
        ((|_| panic!("this player fails on purpose")) as fn(&_) -> _, 20.0, "CE"),
        (|_| Err(SearchError::NoMatch), 20.0, "CE"),
        (
            |_| loop {
                thread::sleep(Duration::from_secs(1));
            },
            0.2,
            "TO",
        ),
    ] {
        let record = play(contest("ary-tree", vec![local(Box::new(Broken(choose)))], play_clock));
        assert!(record.is_completed);
        assert!(record.errors[1..].iter().all(|row| row[0] == expected), "{:?}", record.errors);
    }
}

#[test]
fn a_bad_player_does_not_block_another_match() {
    // It is asked for its name and for START, and never answers while the other match is played.
    let (asked, was_asked) = mpsc::channel();
    let (release, is_released) = mpsc::channel::<()>();
    let hanging = odd_player(move |at, stream| {
        let message = read_message(stream);
        if at == 0 {
            respond(stream, "( ( name Hanging ) ( status available ) )");
        } else if message.starts_with("( START") {
            asked.send(()).expect("the test waits for it");
            // The test ends it by dropping the other side.
            let _ = is_released.recv();
        }
    });
    let slow = thread::spawn(move || {
        let mut contest = contest("ary-tree", vec![remote(hanging)], 0.2);
        contest.start_clock = Duration::from_secs(60);
        play(contest)
    });
    was_asked.recv_timeout(Duration::from_secs(20)).expect("the bad player is asked");
    let begin = Instant::now();
    let record = play(contest("tic-tac-toe", vec![remote(random_player()), random(5)], 5.0));
    let took = begin.elapsed();
    assert!(!slow.is_finished(), "the bad player still hangs");
    assert!(took < Duration::from_secs(20), "the match of two quick players took {took:?}");
    let has_errors = record.errors.iter().flatten().any(|error| !error.is_empty());
    assert!(record.is_completed && !has_errors, "{:?}", record.errors);
    drop(release);
    assert!(slow.join().expect("it ends").is_completed);
}

#[test]
fn the_referee_plays_the_role_random() {
    let game = "(role random) (role x) (legal random (roll 1)) (legal random (roll 2)) (legal x noop)
        (<= (next (rolled ?n)) (does random (roll ?n))) (<= terminal (true (rolled ?n)))
        (goal random 0) (goal x 100)";
    let rules = senet_search::Rules::new(senet_gdl::parse(game)).expect("it plays");
    let seats = vec![senet_server::Seat::Dice, remote(random_player())];
    let contest = senet_server::Contest { rules, ..contest("ary-tree", seats, 5.0) };
    let record = contest.play(&mut |_| ControlFlow::Continue(())).expect("it begins");
    assert!(record.is_completed && record.moves[0][0].starts_with("( roll "));
    assert_eq!(record.errors, [["", ""], ["", ""]]);
}

#[test]
fn scrambled_or_not_the_same_positions_are_played() {
    let run = |scramble| {
        let seats = vec![remote(random_player()), random(9)];
        let mut contest = contest("connect-four", seats, 5.0);
        contest.scramble = scramble;
        play(contest)
    };
    let (clear, scrambled) = (run(false), run(true));
    assert_eq!(clear.states, scrambled.states);
    assert_eq!(clear.moves, scrambled.moves);
    assert!(scrambled.errors.iter().flatten().all(String::is_empty));
    let start = scrambled.exchanges[0].sent.as_deref().expect("it was sent");
    assert!(!start.contains("drop") && scrambled.renaming.is_some());
}

#[test]
fn players_of_this_process_are_told_clear_names() {
    let fixed = "fixed:rock=1".parse::<Spec>().expect("a strategy").player(0);
    let mut contest = contest("rock-paper-scissors", vec![remote(random_player()), local(fixed)], 5.0);
    contest.scramble = true;
    let record = play(contest);
    assert!(record.errors.iter().flatten().all(String::is_empty), "{:?}", record.errors);
    assert!(record.moves.iter().all(|joint| joint[1] == "rock"), "{:?}", record.moves);
    let start = record.exchanges[0].sent.as_deref().expect("it was sent");
    assert!(!start.contains(" rock "), "{start}");
}

#[test]
fn a_player_whose_last_referee_died_is_waited_for() {
    let address =
        endpoint(Options { grace: Duration::from_secs(1), ..Options::new("Tester", maker("random")) });
    assert_eq!(say(address, &start("M.0", "tic-tac-toe", 1.0, 1.0)), "ready");
    let (record, errors) = match_against(address, 5.0);
    assert!(errors.iter().all(String::is_empty), "{errors:?}");
    assert_eq!(record.errors[0][0], "");
}

#[test]
fn a_player_that_answers_busy_is_no_match() {
    let address = odd_player(|at, stream| {
        read_message(stream);
        respond(stream, if at == 0 { "((name Elsewhere) (status available))" } else { "BUSY" });
    });
    let other = random_player();
    let contest = contest("tic-tac-toe", vec![remote(other), remote(address)], 5.0);
    let mut last = None;
    let error = contest.play(&mut |referee| {
        last = Some(referee.record().clone());
        ControlFlow::Continue(())
    });
    let error = error.expect_err("it is busy");
    assert!(matches!(error, ContestError::Busy { .. }));
    let expected = format!("the player Elsewhere at http://{address} is busy: ");
    assert!(error.to_string().starts_with(&expected), "{error}");
    let last = last.expect("it was watched");
    assert!(last.is_aborted && last.moves.is_empty(), "no move was made for it");
    assert_eq!(say(other, "( INFO )"), "( ( name Tester ) ( status available ) )", "it was told");
}

/// A person who has enough of it.
struct Leaver(Stop);

impl Player for Leaver {
    fn start(&mut self, _: Assignment, _: &Limit) -> Result<(), SearchError> {
        Ok(())
    }

    fn choose(&mut self, _: &Limit) -> Result<Choice, SearchError> {
        self.0.stop();
        Err(SearchError::NoMatch)
    }

    fn observe(&mut self, _: &[String]) -> Result<(), SearchError> {
        Ok(())
    }
}

#[test]
fn whoever_leaves_ends_the_match_at_once() {
    let endless: Maker = Arc::new(|_| {
        Box::new(Broken(|limit| {
            while !limit.is_reached(0) {
                thread::sleep(Duration::from_millis(1));
            }
            Err(SearchError::NoMatch)
        }))
    });
    let address = endpoint(Options::new("Tester", endless));
    for leaver in [0, 1] {
        let left = Stop::default();
        let person =
            Seat::Local { name: "human".to_owned(), player: Box::new(Leaver(left.clone())), is_timed: false };
        let mut seats = vec![remote(address)];
        seats.insert(leaver, person);
        let begin = Instant::now();
        let mut contest = contest("rock-paper-scissors", seats, 100.0);
        contest.left = left;
        let record = play(contest);
        assert!(begin.elapsed() < Duration::from_secs(50), "the other player thinks for 100 s");
        assert!(record.is_aborted && !record.is_completed);
        assert_eq!((record.moves.len(), record.errors.len()), (0, 1), "nobody moved");
        assert_eq!(say(address, "( INFO )"), "( ( name Tester ) ( status available ) )", "it was told");
    }
}

#[test]
fn players_of_this_process_answer_in_time_without_a_grace() {
    let uct = |seed| local("uct".parse::<Spec>().expect("a strategy").player(seed));
    let mut contest = contest("tic-tac-toe", vec![uct(1), uct(2)], 0.4);
    contest.grace = Duration::ZERO;
    let record = play(contest);
    assert!(record.errors.iter().flatten().all(String::is_empty), "{:?}", record.errors);
}

#[test]
fn reports_that_make_no_sense_are_passed_over() {
    let long = format!(r#"{{"playouts":3,"engine":"{}"}}"#, "x".repeat(20_000));
    for (report, n_playouts) in [
        (r#"{"playouts":3}"#, Some(3)),
        (r#"{"playouts":3,"line":[["(descend \u00fc)"]],"more":[[[]]]}"#, Some(3)),
        ("nonsense", None),
        (r#"{"playouts":"#, None),
        (r#"{"line":[["((("]]}"#, None),
        ("\u{fc}", None),
        (&long, None),
    ] {
        let report = report.to_owned();
        let address = odd_player(move |_, stream| {
            let message = read_message(stream);
            let body = if message.starts_with("( PLAY") { "( descend b )" } else { "ready" };
            let length = body.len();
            let head =
                format!("HTTP/1.0 200 OK\r\nsenet-report: {report}\r\nContent-length: {length}\r\n\r\n");
            let _ = stream.write_all((head + body).as_bytes());
        });
        let record = play(contest("ary-tree", vec![remote(address)], 5.0));
        let error = &record.errors[1][0];
        assert_eq!(error, "", "the answer counts");
        let thoughts = record.thoughts[0][0].as_ref();
        assert_eq!(thoughts.map(|thoughts| thoughts.playouts), n_playouts);
        assert!(thoughts.is_none_or(|thoughts| thoughts.others.is_empty()));
    }
}
