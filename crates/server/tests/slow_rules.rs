//! Rules that take long to read: the referee that sent them may think better of it.

mod common;

use common::{maker, random_player, say, start};
use senet_server::Options;
use std::fmt::Write;
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

/// A START whose rules ask for eight friends of each other among seven tables at which nobody likes his own: whoever reads
/// them tries everything and finds nothing.
fn slow_start(id: &str, start_clock: f64) -> String {
    let mut rules = String::from("(role x) (legal x stay) (goal x 0) (<= terminal (true over))");
    for (a, b) in (0..42).flat_map(|a| (0..42).map(move |b| (a, b))).filter(|(a, b)| a % 7 != b % 7) {
        write!(rules, " (likes {a} {b})").expect("there is room");
    }
    let pairs = (0..8).flat_map(|b| (0..b).map(move |a| format!("(likes ?p{a} ?p{b})")));
    write!(rules, " (<= (init over) {})", pairs.collect::<String>()).expect("there is room");
    format!("(START {id} x ({rules}) {start_clock} 0.3)")
}

fn is_busy(address: SocketAddr) -> bool {
    say(address, "( INFO )") == "( ( name Tester ) ( status busy ) )"
}

#[test]
fn a_match_ends_while_its_rules_are_being_read() {
    for (message, answer) in [("( ABORT M.1 )", "aborted"), ("( STOP M.1 NIL )", "done")] {
        let address = random_player();
        let starting = thread::spawn(move || say(address, &slow_start("M.1", 500.0)));
        let begin = Instant::now();
        while !is_busy(address) {
            assert!(begin.elapsed() < Duration::from_secs(20), "it begins");
        }
        assert_eq!(say(address, &start("M.2", "tic-tac-toe", 5.0, 5.0)), "busy");
        thread::sleep(Duration::from_secs(1));
        assert!(!starting.is_finished(), "the rules are being read");
        assert_eq!(say(address, message), answer);
        assert_eq!(starting.join().expect("an answer"), "busy", "the clock had 500 seconds");
        assert!(!is_busy(address));
        assert_eq!(say(address, &start("M.3", "tic-tac-toe", 5.0, 5.0)), "ready");
    }
}

#[test]
fn there_is_no_move_before_the_rules_are_read() {
    let address = random_player();
    assert_eq!(say(address, &slow_start("M.1", 0.5)), "ready");
    assert_eq!(say(address, "( PLAY M.1 NIL )"), "busy");
    assert_eq!(say(address, "( PLAY M.1 (stay) )"), "busy");
    assert_eq!(say(address, "( STOP M.1 (stay) )"), "done");
    assert!(!is_busy(address));
}

#[test]
fn a_player_that_cannot_be_made_is_free() {
    let n_made = std::sync::atomic::AtomicUsize::new(0);
    let player: senet_server::Maker = std::sync::Arc::new(move |seed| {
        let n_before = n_made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        assert!(n_before > 0, "this player fails on purpose");
        maker("random")(seed)
    });
    let address = common::endpoint(Options::new("Tester", player));
    assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 5.0)), "busy");
    assert!(!is_busy(address));
    assert_eq!(say(address, "( PLAY M.1 NIL )"), "busy");
    assert_eq!(say(address, &start("M.1", "tic-tac-toe", 5.0, 5.0)), "ready");
}
