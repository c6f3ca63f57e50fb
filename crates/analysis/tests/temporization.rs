//! Labels against the judge: what is said to stay true stays true in random matches.

use senet_analysis::{RelationId, Temporal, Temporization, analyze};
use senet_engine_reference::ReferenceEngine;
use senet_game::{Engine, MoveGenerator, roles};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const MOST_POSITIONS: usize = 8;
/// Games whose positions take the judge long are looked at for so long.
const MOST_TIME: Duration = Duration::from_millis(100);

fn rulesheets(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            rulesheets(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "kif") {
            found.push(path);
        }
    }
}

/// The rules, and rules that note the facts of each labelled relation in the next position.
fn with_probes(text: &str) -> Option<(String, Vec<(String, Temporal)>)> {
    let description = senet_gdl::parse(text);
    let program = analyze(&description, false).program?;
    let labels = Temporization::new(&program);
    let (mut all, mut probes) = (text.to_owned(), Vec::new());
    for (at, relation) in program.relations().iter().enumerate() {
        let label = labels.of(RelationId::new(at));
        if relation.keyword.is_some()
            || relation.is_auxiliary
            || !relation.is_defined
            || label == Temporal::Ephemeral
        {
            continue;
        }
        let (probe, name) = (format!("probe_{at}"), program.symbols().name(relation.name));
        let args: String = (0..relation.arity).fold(String::new(), |mut args, at| {
            let _ = write!(args, " ?a{at}");
            args
        });
        let applied =
            |name: &str| if relation.arity == 0 { name.to_owned() } else { format!("({name}{args})") };
        let _ = write!(all, "\n(<= (next {}) {})", applied(&probe), applied(name));
        probes.push((probe, label));
    }
    Some((all, probes))
}

fn noted(facts: &[String], probe: &str) -> BTreeSet<String> {
    let name = |fact: &str| fact.trim_start_matches('(').split([' ', ')']).next() == Some(probe);
    facts.iter().filter(|fact| name(fact)).cloned().collect()
}

/// How many labels were looked at in two positions at least.
fn check(game: &Path) -> usize {
    let text = String::from_utf8_lossy(&std::fs::read(game).expect("it is there")).into_owned();
    let Some((text, probes)) = with_probes(&text) else { return 0 };
    let Ok(engine) = ReferenceEngine::new(&senet_gdl::parse(&text)) else { return 0 };
    let (mut worker, mut generator) = (engine.worker(), MoveGenerator::new(1));
    let start = Instant::now();
    let Ok(mut state) = engine.initial(&mut worker) else { return 0 };
    let mut before: Option<Vec<String>> = None;
    let mut n_checked = 0;
    for position in 0..MOST_POSITIONS {
        let facts = engine.facts(&mut worker, &state);
        if let Some(before) = &before {
            n_checked = probes.len();
            for (probe, label) in &probes {
                let (was, is) = (noted(before, probe), noted(&facts, probe));
                let holds = if *label == Temporal::Permanent { was == is } else { was.is_subset(&is) };
                assert!(holds, "{}: {probe} is not {label:?} at {position}: {was:?} {is:?}", game.display());
            }
        }
        if position > 0 {
            before = Some(facts);
        }
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        for role in roles(&engine) {
            let asked = engine.legals(&mut worker, &state, role, &mut legal);
            let (Ok(()), Some(choice)) = (asked, generator.choose(&legal)) else { return n_checked };
            moves.push(choice);
        }
        let (Ok(false), true) = (engine.is_terminal(&mut worker, &state), start.elapsed() < MOST_TIME) else {
            break;
        };
        let Ok(next) = engine.step(&mut worker, &state, &moves) else { break };
        state = next;
    }
    n_checked
}

#[test]
fn what_is_said_to_stay_stays_in_the_built_in_games() {
    let mut games = Vec::new();
    rulesheets(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games"), &mut games);
    let n_checked: usize = games.iter().map(|game| check(game)).sum();
    assert!(n_checked > games.len(), "{n_checked} labels of {} games", games.len());
}

#[test]
fn what_is_said_to_stay_stays_in_published_games() {
    let mut games = Vec::new();
    rulesheets(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games"), &mut games);
    if games.is_empty() {
        eprintln!("skipped: there is no ../shared/games");
        return;
    }
    let n_checked: usize = games.iter().map(|game| check(game)).sum();
    eprintln!("{n_checked} labels of {} games", games.len());
    assert!(n_checked > 3 * games.len());
}
