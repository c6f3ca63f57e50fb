//! Matches and counts recorded with an independent interpreter, where they stand beside the workspace.

use libtest_mimic::{Arguments, Failed, Trial};
use senet_conformance::{Expected, Sheet, compare, engines, moves_of, shared, shared_rulesheet, skipped};
use senet_game::{AnyEngine, PerftOptions};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Of the recorded matches, one in so many is replayed.
const STRIDE: usize = 50;

/// Their circuits and tables take minutes to make in a test: the trace check replays them.
const LARGE: [&str; 3] = ["ggp-org/amazons", "ggp-org/chess", "ggp-org/laikLee_hex"];

/// The engine `tables` declines these: what may hold is too much.
const WITHOUT_TABLES: [&str; 2] =
    ["competition-2006/ARGENTINA.3361209022", "competition-2006/LOCUST_S.3359299013"];

/// Replayed in any case: connection, long rules, negation ordered only between ground atoms, wide positions,
/// simultaneous moves, functions.
const NOTABLE: [&str; 14] = [
    "amazons",
    "chess",
    "connectFour",
    "futoshiki6",
    "hex",
    "hexPie",
    "hidato19",
    "laikLee_hex",
    "majorities",
    "nineBoardTicTacToePie",
    "queens",
    "reversi",
    "tron_10x10",
    "urmAdd",
];

/// Counts of more sequences than this are left to slower checks.
const MOST_NODES: u64 = 2_000;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    match shared("traces") {
        Some(traces) => trials.extend(trace_trials(&traces)),
        None => trials.push(skipped("traces")),
    }
    match shared("perft.jsonl") {
        Some(counts) => trials.extend(count_trials(&counts)),
        None => trials.push(skipped("perft.jsonl")),
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Tests that replay recorded matches.
fn trace_trials(traces: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (name, trace) in chosen_traces(traces) {
        let is_replayed = |engine: &&str| match *engine {
            "reference" | "forward" => true,
            "tables" => !LARGE.contains(&name.as_str()) && !WITHOUT_TABLES.contains(&name.as_str()),
            _ => !LARGE.contains(&name.as_str()),
        };
        let sheet = Arc::new(shared_sheet(&name));
        for engine in engines().filter(is_replayed) {
            let (sheet, trace) = (sheet.clone(), trace.clone());
            let test = move || replay(engine_of(&sheet, engine)?, &trace);
            trials.push(Trial::test(format!("trace/{name}/{engine}"), test));
        }
    }
    trials
}

/// Tests that count as was recorded.
fn count_trials(counts: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (name, rows) in recorded_counts(counts) {
        let sheet = Arc::new(shared_sheet(&name));
        for engine in engines() {
            let (sheet, rows) = (sheet.clone(), rows.clone());
            let test = move || count(engine_of(&sheet, engine)?, &rows);
            trials.push(Trial::test(format!("count/{name}/{engine}"), test));
        }
    }
    trials
}

/// The traces to replay, by the name of their game.
fn chosen_traces(folder: &Path) -> BTreeMap<String, PathBuf> {
    let files_of = |folder: &Path| -> BTreeSet<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("the traces can be listed");
        entries.map(|entry| entry.expect("the traces can be listed").path()).collect()
    };
    let folders = files_of(folder).into_iter().filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| files_of(&folder));
    let named = files.enumerate().filter_map(|(at, path)| {
        let stem = path.file_stem()?.to_str()?.to_owned();
        let origin = path.parent()?.file_name()?.to_str()?.to_owned();
        let notable = origin == "ggp-org" && NOTABLE.contains(&stem.as_str());
        (notable || at % STRIDE == 0).then(|| (format!("{origin}/{stem}"), path))
    });
    named.collect()
}

fn shared_sheet(name: &str) -> Result<Sheet, Failed> {
    Sheet::read(&shared_rulesheet(name)?)
}

fn engine_of(sheet: &Result<Sheet, Failed>, engine: &'static str) -> Result<Arc<dyn AnyEngine>, Failed> {
    sheet.as_ref().map_err(Failed::clone)?.engine(engine)
}

fn replay(engine: Arc<dyn AnyEngine>, trace: &Path) -> Result<(), Failed> {
    let roles = engine.role_names().to_vec();
    let mut game = engine.start()?;
    let mut current_match = None;
    let text = std::fs::read_to_string(trace)?;
    for line in text.lines().skip(1) {
        let record: Value = serde_json::from_str(line)?;
        if record.get("end").is_some() {
            continue;
        }
        let number = record["match"].as_u64();
        if number != current_match {
            current_match = number;
            game.restart()?;
        }
        let place = format!("match {} step {}", record["match"], record["step"]);
        compare(&game.position(), &roles, &record).map_err(|error| format!("{place}: {error}"))?;
        if let Some(moves) = moves_of(&record) {
            game.play(&moves).map_err(|error| format!("{place}: {error}"))?;
        }
    }
    Ok(())
}

/// The recorded counts that are small enough, by game.
fn recorded_counts(file: &Path) -> BTreeMap<String, Vec<Expected>> {
    let mut counts: BTreeMap<String, Vec<Expected>> = BTreeMap::new();
    let text = std::fs::read_to_string(file).expect("perft.jsonl can be read");
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("perft.jsonl has an object a line");
        let number = |key: &str| row[key].as_u64();
        let (Some(game), Some(depth), Some(nodes)) = (row["game"].as_str(), number("depth"), number("nodes"))
        else {
            continue;
        };
        if nodes <= MOST_NODES {
            let terminals_and_distinct = number("terminals").zip(number("distinct"));
            let expected = Expected { depth: depth as u32, nodes, terminals_and_distinct };
            counts.entry(game.to_owned()).or_default().push(expected);
        }
    }
    counts
}

fn count(engine: Arc<dyn AnyEngine>, expected: &[Expected]) -> Result<(), Failed> {
    let depth = expected.iter().map(|row| row.depth).max().unwrap_or(0);
    let mut rows = Vec::new();
    engine.perft(PerftOptions { depth, node_limit: u64::MAX }, &mut |row| rows.push(row))?;
    for expected in expected {
        let row = rows.iter().find(|row| row.depth == expected.depth);
        if !row.is_some_and(|row| expected.agrees(row)) {
            return Err(format!("recorded {expected:?}\n counted {row:?}").into());
        }
    }
    Ok(())
}
