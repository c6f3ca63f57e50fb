//! Base, input and rule counts that gringo computed, and recorded matches, where they stand beside the
//! workspace.

use libtest_mimic::{Arguments, Failed, Trial};
use senet_analysis::Stratification;
use senet_conformance::{GroundPlay, Grounded, compare, moves_of, shared, shared_rulesheet, skipped};
use senet_ground::{Method, Mode, set_sha1};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The paper's form of games that took gringo more processor time than this is left to slower checks.
const MOST_SECONDS: f64 = 0.2;

/// The more rules there are, the fewer moves are played.
const RULES_TIMES_MOVES: usize = 10_000_000;

/// Of so many games the paper's number, rules and facts together, is exactly that of gringo.
const SHARE_OF_EQUAL_NUMBERS: f64 = 0.93;

fn main() {
    let arguments = Arguments::from_args();
    let Some(recorded) = shared("grounding/gringo.jsonl") else {
        libtest_mimic::run(&arguments, vec![skipped("grounding/gringo.jsonl")]).exit();
    };
    let games = traced_games(&recorded);
    let mut trials: Vec<Trial> = Vec::new();
    for (row, trace) in &games {
        let (name, trace) = (name_of(row).to_owned(), trace.clone());
        trials.push(Trial::test(format!("trace/{name}"), move || plays(&name, &trace)));
    }
    let quick: Vec<Value> = games.into_iter().map(|(row, _)| row).filter(is_quick).collect();
    for row in &quick {
        let row = row.clone();
        trials.push(Trial::test(format!("sets/{}", name_of(&row)), move || has_the_recorded_sets(&row)));
    }
    trials.push(Trial::test("numbers of rules", move || numbers_of_rules_mostly_agree(&quick)));
    libtest_mimic::run(&arguments, trials).exit();
}

fn name_of(row: &Value) -> &str {
    row["game"].as_str().expect("a row names its game")
}

/// The rows of games that were grounded completely, with the matches recorded of them.
fn traced_games(recorded: &Path) -> Vec<(Value, PathBuf)> {
    let text = std::fs::read_to_string(recorded).expect("gringo.jsonl can be read");
    let rows =
        text.lines().map(|line| serde_json::from_str(line).expect("gringo.jsonl has an object a line"));
    let traced = |row: Value| {
        let trace = shared(&format!("traces/{}.jsonl", name_of(&row)))?;
        Some((row, trace))
    };
    rows.filter(|row: &Value| row["status"] == "ok").filter_map(traced).collect()
}

fn is_quick(row: &Value) -> bool {
    let seconds = row["t1_proj"].as_f64().zip(row["t2"].as_f64());
    seconds.is_some_and(|(first, second)| first + second <= MOST_SECONDS)
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

/// Every recorded fact and move is in the sets of the full mode, exclusive fluents exclude each other, and the ground
/// rules play the recorded matches.
fn plays(name: &str, trace: &Path) -> Result<(), Failed> {
    let grounded = Grounded::new(&shared_rulesheet(name)?, Mode::Full, Method::OneStep)?;
    let records = std::fs::read_to_string(trace)?;
    let records: Vec<Value> = records.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    for record in &records {
        grounded.check_facts(texts(&record["state"]))?;
        if record["state"].is_array() {
            grounded.check_groups(&texts(&record["state"]).collect())?;
        }
        let is_over = record["terminal"] == true;
        for (role, moves) in record["legal"].as_object().into_iter().flatten().filter(|_| !is_over) {
            grounded.check_moves(role, texts(moves))?;
        }
        for (role, played) in moves_of(record).into_iter().flatten() {
            grounded.check_moves(&role, [played.as_str()])?;
        }
    }
    match grounded.program.stratification() {
        Stratification::Unproved => Ok(()),
        _ => replay(&grounded, &records[1..]),
    }
}

fn replay(grounded: &Grounded, records: &[Value]) -> Result<(), Failed> {
    let n_rules = grounded.grounding.program.n_rules();
    let mut game = GroundPlay::new(grounded);
    let roles = game.role_names().to_vec();
    let mut current_match = None;
    let moves = records.iter().filter(|record| record.get("end").is_none());
    for record in moves.take(RULES_TIMES_MOVES / n_rules.max(1)) {
        let number = record["match"].as_u64();
        if number != current_match {
            current_match = number;
            game.restart();
        }
        let place = format!("match {} step {}", record["match"], record["step"]);
        compare(&game.position(), &roles, record).map_err(|error| format!("{place}: {error}"))?;
        if let Some(moves) = moves_of(record) {
            game.play(&moves)?;
        }
    }
    Ok(())
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Not all agree: gringo drops conditions that always hold, and tells bodies apart by the order of conditions.
fn numbers_of_rules_mostly_agree(games: &[Value]) -> Result<(), Failed> {
    let mut others = Vec::new();
    for row in games {
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
