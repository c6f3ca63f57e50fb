//! Base, input and rule counts that gringo computed, and recorded matches, where they stand beside the
//! workspace.

use libtest_mimic::{Arguments, Failed, Trial};
use senet_conformance::{Grounded, shared, shared_rulesheet};
use senet_ground::{Method, Mode, set_sha1};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Games that took gringo more processor time than this are left to slower checks.
const MOST_SECONDS: f64 = 0.2;

/// Of so many games the paper's number, rules and facts together, is exactly that of gringo.
const SHARE_OF_EQUAL_NUMBERS: f64 = 0.93;

fn main() {
    let arguments = Arguments::from_args();
    let Some(recorded) = shared("grounding/gringo.jsonl") else {
        eprintln!("skipped: ../shared is not there");
        libtest_mimic::run(&arguments, Vec::new()).exit();
    };
    let games = quick_games(&recorded);
    let mut trials: Vec<Trial> = Vec::new();
    for (row, trace) in &games {
        let (row, trace, name) = (row.clone(), trace.clone(), name_of(row).to_owned());
        trials.push(Trial::test(format!("sets/{name}"), {
            let row = row.clone();
            move || has_the_recorded_sets(&row)
        }));
        trials.push(Trial::test(format!("trace/{name}"), move || covers(name_of(&row), &trace)));
    }
    trials.push(Trial::test("numbers of rules", move || numbers_of_rules_mostly_agree(&games)));
    libtest_mimic::run(&arguments, trials).exit();
}

fn name_of(row: &Value) -> &str {
    row["game"].as_str().expect("a row names its game")
}

/// The rows of games that were grounded quickly and completely, with the matches recorded of them.
fn quick_games(recorded: &Path) -> Vec<(Value, PathBuf)> {
    let text = std::fs::read_to_string(recorded).expect("gringo.jsonl can be read");
    let rows =
        text.lines().map(|line| serde_json::from_str(line).expect("gringo.jsonl has an object a line"));
    let seconds = |row: &Value| Some(row["t1_proj"].as_f64()? + row["t2"].as_f64()?);
    let is_quick =
        |row: &Value| row["status"] == "ok" && seconds(row).is_some_and(|seconds| seconds <= MOST_SECONDS);
    let traced = |row: Value| {
        let trace = shared(&format!("traces/{}.jsonl", name_of(&row)))?;
        Some((row, trace))
    };
    rows.filter(is_quick).filter_map(traced).collect()
}

fn paper(name: &str) -> Result<Grounded, Failed> {
    Grounded::new(&shared_rulesheet(name)?, Mode::Paper, Method::OneStep)
}

fn has_the_recorded_sets(row: &Value) -> Result<(), Failed> {
    let grounded = paper(name_of(row))?;
    for (name, set) in [("base", &grounded.base), ("input", &grounded.input)] {
        if row[name].as_u64() != Some(set.len() as u64) {
            return Err(format!("{name} has {} facts, recorded {}", set.len(), row[name]).into());
        }
        if row[format!("{name}_sha1")].as_str() != Some(&set_sha1(set)) {
            return Err(format!("{name} has other facts than recorded").into());
        }
    }
    Ok(())
}

/// Every recorded fact and move is in the sets of the full mode, and exclusive fluents exclude each other.
fn covers(name: &str, trace: &Path) -> Result<(), Failed> {
    let grounded = Grounded::new(&shared_rulesheet(name)?, Mode::Full, Method::OneStep)?;
    for line in std::fs::read_to_string(trace)?.lines() {
        let record: Value = serde_json::from_str(line)?;
        grounded.check_facts(texts(&record["state"]))?;
        if record["state"].is_array() {
            grounded.check_groups(&texts(&record["state"]).collect())?;
        }
        let is_over = record["terminal"] == true;
        for (role, moves) in record["legal"].as_object().into_iter().flatten().filter(|_| !is_over) {
            grounded.check_moves(role, texts(moves))?;
        }
        for (role, played) in record["does"].as_object().into_iter().flatten().filter(|_| !is_over) {
            grounded.check_moves(role, played.as_str())?;
        }
    }
    Ok(())
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Not all agree: gringo drops conditions that always hold, and tells bodies apart by the order of conditions.
fn numbers_of_rules_mostly_agree(games: &[(Value, PathBuf)]) -> Result<(), Failed> {
    let mut others = Vec::new();
    for (row, _) in games {
        let program = paper(name_of(row))?.grounding.program;
        let found = (program.n_rules() + program.facts().len()) as u64;
        let recorded: u64 =
            ["ground_rules_distinct", "dyn_facts"].iter().filter_map(|&key| row[key].as_u64()).sum();
        if found != recorded {
            others.push(format!("{}: {found}, recorded {recorded}", name_of(row)));
        }
    }
    let share = 1.0 - others.len() as f64 / games.len() as f64;
    match share >= SHARE_OF_EQUAL_NUMBERS {
        true => Ok(()),
        false => Err(format!("only {:.1} % agree:\n{}", share * 100.0, others.join("\n")).into()),
    }
}
