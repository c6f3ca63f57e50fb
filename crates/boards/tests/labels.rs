//! The classes of the labelled rulesheets of `../shared/boards/labels.jsonl`, with a table of confusions.

use senet_boards::{Class, Survey};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The classes drawn: so many of the sheets labelled with them get their class.
const DRAWN: [&str; 5] = ["grid", "several-boards", "numbers", "walls-edges", "slices"];
const RIGHT: f64 = 0.95;
/// Of the others, hexagonal boards apart, so many get none of them.
const HEXAGONAL: &str = "hex-star";
const NOT_DRAWN: f64 = 0.9;

struct Sheet {
    game: String,
    label: String,
    found: Class,
}

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

/// The class of a rulesheet; none if it cannot be played.
fn class_of(path: &Path) -> Class {
    let Ok(bytes) = fs::read(path) else { return Class::None };
    let description = senet_gdl::parse_bytes(&bytes);
    let Ok(engine) = senet_engines::load("forward", &description)
        .or_else(|_| senet_engines::load("reference", &description))
    else {
        return Class::None;
    };
    let mut survey = Survey::new(&description, engine.role_names());
    survey.explore(&engine);
    survey.layout().class()
}

fn sheets(labels: &str) -> Vec<Sheet> {
    let labelled: Vec<(String, String)> = labels
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            let text = |key: &str| line[key].as_str().expect("a text").to_owned();
            (text("game"), text("class"))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let sheets = Mutex::new(Vec::new());
    let work = || {
        while let Some((game, label)) = labelled.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = class_of(&shared().join("games").join(format!("{game}.kif")));
            let sheet = Sheet { game: game.clone(), label: label.clone(), found };
            sheets.lock().expect("no thread panics").push(sheet);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut sheets = sheets.into_inner().expect("no thread panics");
    sheets.sort_by(|left, right| left.game.cmp(&right.game));
    sheets
}

/// Labels by rows, classes found by columns.
fn table(sheets: &[Sheet]) -> String {
    let mut counts: BTreeMap<&str, BTreeMap<Class, usize>> = BTreeMap::new();
    for sheet in sheets {
        *counts.entry(&sheet.label).or_default().entry(sheet.found).or_default() += 1;
    }
    let mut lines = vec![format!("{:<15}", "label")];
    Class::ALL.iter().for_each(|class| lines[0].push_str(&format!("{:>15}", class.name())));
    for (label, found) in counts {
        let mut line = format!("{label:<15}");
        Class::ALL.iter().for_each(|class| line.push_str(&format!("{:>15}", found.get(class).unwrap_or(&0))));
        lines.push(line);
    }
    lines.join("\n")
}

#[test]
fn labelled_rulesheets_get_their_class() {
    let Ok(labels) = fs::read_to_string(shared().join("boards/labels.jsonl")) else {
        eprintln!("skipped: the labels of ../shared are not there");
        return;
    };
    let sheets = sheets(&labels);
    eprintln!("{}", table(&sheets));
    let (drawn, others): (Vec<&Sheet>, Vec<&Sheet>) =
        sheets.iter().filter(|sheet| sheet.label != HEXAGONAL).partition(|sheet| DRAWN.contains(&sheet.label.as_str()));
    let is_right = |sheet: &&&Sheet| match DRAWN.contains(&sheet.label.as_str()) {
        true => sheet.found.name() == sheet.label,
        false => sheet.found == Class::None,
    };
    for sheet in drawn.iter().chain(&others).filter(|sheet| !is_right(sheet)) {
        eprintln!("{}: {} instead of {}", sheet.game, sheet.found.name(), sheet.label);
    }
    let part = |sheets: &[&Sheet]| sheets.iter().filter(is_right).count() as f64 / sheets.len() as f64;
    let (right, not_drawn) = (part(&drawn), part(&others));
    eprintln!("{:.1} % right, {:.1} % of the others not drawn", 100.0 * right, 100.0 * not_drawn);
    assert!(right >= RIGHT && not_drawn >= NOT_DRAWN);
}
