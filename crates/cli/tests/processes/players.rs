//! `senet player` among people who do not do their part.

use crate::common::{Player, senet};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn a_player_whose_words_nobody_reads_answers_in_time() {
    let mut command = senet();
    command.args(["player", "--port", "0", "--strategy", "legal"]).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    output.read_line(&mut line).expect("it says where it is");
    let address = line.trim().rsplit_once(" at http://").expect("an address").1.parse().expect("an address");
    // From here on nobody reads: what is said of so many matches is more than a pipe takes.
    let rules = "((role x) (legal x a) (init p) (<= terminal (true q)) (goal x 0))";
    for at in 0..400 {
        let id = format!("{}.{at}", "m".repeat(300));
        for (message, expected) in
            [(format!("(START {id} x {rules} 20 20)"), "ready"), (format!("(ABORT {id})"), "aborted")]
        {
            let deadline = Instant::now() + Duration::from_secs(30);
            assert_eq!(senet_server::ask(address, "Tester", &message, deadline), Ok(expected.to_owned()));
        }
    }
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
}

/// Freed memory stays with the program while it plays. Once the match is over, it goes back to the system.
#[cfg(target_os = "linux")]
#[test]
fn a_player_returns_the_memory_of_its_tree_after_the_match() {
    let player = Player::start("mcts", 1);
    let address = player.address.strip_prefix("http://").expect("an address").parse().expect("an address");
    let ask = |message: &str| {
        let deadline = Instant::now() + Duration::from_secs(60);
        senet_server::ask(address, "Tester", message, deadline).expect("an answer")
    };
    let megabytes = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", player.process.child.id()));
        let status = status.expect("the program runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line of memory");
        line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a number") >> 10
    };
    let rules = senet_engines::library::find("connect-four").expect("built in").text;
    assert_eq!(ask(&format!("(START m red ({rules}) 10 1)")), "ready");
    let most = megabytes();
    assert!(most > 100, "the tree is too small to be seen in {most} MB");
    assert_eq!(ask("(ABORT m)"), "aborted");
    let begin = Instant::now();
    while megabytes() > most / 2 {
        assert!(begin.elapsed() < Duration::from_secs(60), "{} MB of {most} MB", megabytes());
        std::thread::sleep(Duration::from_millis(50));
    }
}
