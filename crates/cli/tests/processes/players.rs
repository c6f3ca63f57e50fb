//! `senet player` among people who do not do their part.

use crate::common::senet;
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
