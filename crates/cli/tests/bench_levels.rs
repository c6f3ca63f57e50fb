//! `senet bench --level`: the real binary plays the same with every instruction set.

use serde_json::Value;
use std::process::{Command, Output};

/// In less time than any run takes, `lanes` plays the fewest playouts that it is ever measured with: always as many.
const NO_TIME: &str = "0.000001";

fn bench(level: &str, seed: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_senet"))
        .args(["bench", "tic-tac-toe", "--engine", "lanes", "--level", level, "--seed", seed])
        .args(["--seconds", NO_TIME, "--judge", "none", "--json"])
        .output()
        .expect("the program runs")
}

/// Everything that the seed decides.
fn outcome(level: &str, seed: &str) -> Option<Vec<Value>> {
    let output = bench(level, seed);
    let complaint = String::from_utf8_lossy(&output.stderr);
    if complaint.contains("this processor has no") {
        eprintln!("skipped: {complaint}");
        assert_eq!(output.status.code(), Some(2));
        return None;
    }
    let row: Value = serde_json::from_slice(&output.stdout).expect("a row is one line of JSON");
    assert_eq!(row["level"], level);
    assert!(row["playouts"].as_u64() > Some(10_000), "{row}");
    let decided = ["playouts", "mean_length", "length_variance", "mean_goals", "goal_variances"];
    Some(decided.map(|key| row[key].clone()).into())
}

#[test]
fn levels_change_nothing_but_the_speed() {
    let expected = outcome("baseline", "7").expect("every processor has the baseline");
    assert_ne!(outcome("baseline", "8"), Some(expected.clone()), "another seed");
    for level in ["avx2", "avx512"] {
        assert!(outcome(level, "7").is_none_or(|found| found == expected), "{level}");
    }
}
