//! Rulesheets cut off at every tenth byte: no part of the project plays one as if it were whole.
//!
//! The library sees every cut. `senet match` and `senet player` see a sample, or every cut with `SENET_CUTS=all`:
//!
//!     SENET_CUTS=all cargo test --release -p senet-cli --test processes cuts -- --nocapture

use crate::common::{Process, senet};
use senet_analysis::{Analysis, analyze};
use senet_engines::{LoadError, NAMES};
use senet_gdl::{Description, LineIndex};
use senet_search::Rules;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

const GAMES: [&str; 3] = ["tic-tac-toe", "connect-four", "kalah"];
const STEP: usize = 10;
/// Every so many cuts are in the sample. It has no factor in common with usual lengths of lines.
const SAMPLE: usize = 11;

/// A rulesheet that is cut off, as `senet check` reads it.
struct Cut {
    /// The game and the length, which name the cut.
    name: String,
    description: Description,
    analysis: Analysis,
    /// Where the clause begins that is cut.
    broken_clause: Option<usize>,
}

impl Cut {
    fn new(game: &str, text: &str) -> Cut {
        let description = senet_gdl::parse(text);
        let analysis = analyze(&description, false);
        let name = format!("{game}-{}", text.len());
        Cut { name, description, analysis, broken_clause: open_clause(text) }
    }

    fn is_accepted(&self) -> bool {
        self.analysis.program.is_some()
    }

    /// Line and column as messages have them.
    fn place(&self, byte: usize) -> String {
        let text = &self.description.text;
        let (line, column) = LineIndex::new(text).line_column(text, byte as u32);
        format!("{line}:{column}")
    }

    fn findings(&self) -> Vec<String> {
        self.analysis.lines(&self.description).collect()
    }
}

/// Where the clause begins that is open at the end of the text, found without the parser.
fn open_clause(text: &str) -> Option<usize> {
    let (mut depth, mut start, mut is_comment) = (0, 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' => is_comment = false,
            _ if is_comment => {}
            b';' => is_comment = true,
            b'(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b')' => depth -= 1,
            _ => {}
        }
    }
    (depth > 0).then_some(start)
}

fn cuts() -> Vec<Cut> {
    let cuts = GAMES.iter().flat_map(|game| {
        let text = senet_engines::library::find(game).expect("a built-in game").text;
        let lengths: Vec<usize> = (0..text.len()).step_by(STEP).collect();
        lengths.into_iter().map(move |length| Cut::new(game, &text[..text.floor_char_boundary(length)]))
    });
    cuts.collect()
}

/// The cuts that processes are tried with.
fn sample() -> Vec<Cut> {
    let step = if std::env::var("SENET_CUTS").is_ok_and(|cuts| cuts == "all") { 1 } else { SAMPLE };
    cuts().into_iter().step_by(step).collect()
}

/// Tells how many cuts there were of each kind.
fn count(what: &str, cuts: &[Cut]) {
    let (inside, between): (Vec<&Cut>, Vec<&Cut>) = cuts.iter().partition(|cut| cut.broken_clause.is_some());
    let with_warnings = between.iter().filter(|cut| cut.is_accepted() && cut.analysis.n_warnings > 0).count();
    let refused = between.iter().filter(|cut| !cut.is_accepted()).count();
    eprintln!(
        "{what}: {} cuts, {} inside a clause, {} between clauses, of which {refused} are refused, {with_warnings} \
         accepted with warnings and {} without",
        cuts.len(),
        inside.len(),
        between.len(),
        between.len() - refused - with_warnings,
    );
}

#[test]
fn the_library_refuses_cut_clauses_with_their_place() {
    let cuts = cuts();
    count("library", &cuts);
    let mut engines = NAMES.iter().cycle();
    for cut in &cuts {
        let expected = match cut.broken_clause {
            Some(start) => Some(("G001", cut.place(start))),
            None if cut.is_accepted() => None,
            None => Some(("G401", "1:1".to_owned())),
        };
        let loaded = senet_engines::load(engines.next().expect("they are repeated"), &cut.description);
        let rules = Rules::new(cut.description.clone());
        match expected {
            Some((code, place)) => {
                let errors = [loaded.err(), rules.err()].map(|error| error.expect(&cut.name));
                for error in errors {
                    assert!(matches!(error, LoadError::Rules(_)), "{}: {error:?}", cut.name);
                    let error = error.to_string();
                    assert!(
                        error.contains(&format!(" at {place}: ")) && error.ends_with(&format!("({code})")),
                        "{}: {error}",
                        cut.name
                    );
                }
            }
            None => {
                assert!(loaded.is_ok(), "{}", cut.name);
                assert_eq!(rules.expect(&cut.name).findings(), cut.analysis.diagnostics, "{}", cut.name);
            }
        }
    }
}

#[test]
fn a_match_treats_cut_rulesheets_as_check_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let cuts = sample();
    count("match", &cuts);
    for cut in &cuts {
        let path = folder.path().join(format!("{}.kif", cut.name));
        std::fs::write(&path, &cut.description.text).expect("a file");
        let check = senet().arg("check").arg(&path).output().expect("the program starts");
        assert_eq!(check.status.success(), cut.is_accepted(), "{}", cut.name);
        let mut command = senet();
        command.arg("match").arg(&path).args(["--most-moves", "1", "--seed", "1"]);
        if let Ok(rules) = Rules::new(cut.description.clone()) {
            rules.role_names().iter().for_each(|role| {
                command.args(["--role", &format!("{role}=legal")]);
            });
        }
        let played = command.output().expect("the program starts");
        let (said, told) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
        assert_eq!(said.contains("Seed 1."), cut.is_accepted(), "{}: {said}{told}", cut.name);
        match cut.is_accepted() {
            true => {
                let n_warnings = match cut.analysis.n_warnings {
                    0 => None,
                    1 => Some("has a warning: ".to_owned()),
                    n => Some(format!("has {n} warnings: ")),
                };
                let found = told.lines().find(|line| line.starts_with("note: ") && line.contains("warning"));
                assert_eq!(found.is_some(), n_warnings.is_some(), "{}: {told}", cut.name);
                assert!(n_warnings.is_none_or(|text| told.contains(&text)), "{}: {told}", cut.name);
            }
            false => {
                assert_eq!(played.status.code(), Some(1), "{}: {told}", cut.name);
                for error in cut.analysis.errors() {
                    let message = format!("error[{}]: {}", error.code.id, error.message);
                    assert!(told.contains(&message), "{}: no {message} in {told}", cut.name);
                }
                if let Some(start) = cut.broken_clause {
                    let place = format!("{}.kif:{}", cut.name, cut.place(start));
                    assert!(told.contains(&place), "{}: no {place} in {told}", cut.name);
                }
            }
        }
    }
}

#[test]
fn a_player_names_every_finding_and_plays_the_rest() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = senet();
    command.args(["player", "--port", "0", "--strategy", "legal", "--log"]).arg(folder.path());
    let mut player = Process::start(command.stderr(Stdio::piped()));
    let warnings = BufReader::new(player.child.stderr.take().expect("a pipe"));
    let (lines, warned) = mpsc::channel();
    thread::spawn(move || warnings.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)));
    let address = player.line().rsplit_once(" at http://").expect("it says where it is").1.to_owned();
    let address = address.parse().expect("an address");
    let ask = |message: &str| {
        let deadline = Instant::now() + Duration::from_secs(60);
        senet_server::ask(address, "Tester", message, deadline).expect("an answer")
    };
    let cuts = sample();
    count("player", &cuts);
    let mut n_played = 0;
    for cut in &cuts {
        let Cut { name, description, .. } = cut;
        let text = &description.text;
        let rest = Rules::lenient(description.clone(), analyze(description, false)).ok();
        let role = rest.as_ref().map_or("x", |rules| &rules.role_names()[0]);
        let answer = ask(&format!("(START {name} {role} ({text}) 30 30)"));
        assert_eq!(answer, if rest.is_some() { "ready" } else { "busy" }, "{name}");
        if let Some(rules) = &rest {
            let mut game = rules.engine().start().expect("it begins");
            let n_legal = game.position().legal[0].len();
            let answer = ask(&format!("(PLAY {name} NIL)"));
            assert_eq!(answer == "busy", n_legal == 0, "{name}: {answer}");
            n_played += usize::from(n_legal > 0);
            assert_eq!(ask(&format!("(ABORT {name})")), "aborted", "{name}");
        }
        let expected = cut.findings();
        for line in &expected {
            let warning = warned.recv_timeout(Duration::from_secs(60)).expect("it names all findings");
            assert_eq!(warning, format!("{name} rules:{line}"));
        }
        if let Some(start) = cut.broken_clause {
            let place = format!("{}: error G001: ", cut.place(start));
            assert!(expected.iter().any(|line| line.starts_with(&place)), "{name}: {expected:?}");
        }
        // The log is written on a thread of its own.
        let path = folder.path().join(format!("{name}-{role}.jsonl"));
        let until = Instant::now() + Duration::from_secs(60);
        while logged(&path) != expected && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(logged(&path), expected, "{name}");
    }
    assert!(warned.recv_timeout(Duration::from_millis(200)).is_err(), "it names nothing else");
    assert!(n_played > cuts.len() / 4, "only {n_played} of {} were played", cuts.len());
}

/// The findings in a log, which may be incomplete.
fn logged(path: &Path) -> Vec<String> {
    let log = std::fs::read_to_string(path).unwrap_or_default();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    lines.filter_map(|line| Some(line.get("finding")?.as_str()?.to_owned())).collect()
}

#[test]
fn cuts_are_told_apart() {
    assert_eq!(open_clause("(role x) ; (a\n"), None);
    assert_eq!(open_clause("(role x) ; (a"), None);
    assert_eq!(open_clause("(role x) (<= p ; )"), Some(9));
    let kinds = |cut: &Cut| (cut.broken_clause.is_some(), cut.is_accepted(), cut.analysis.n_warnings > 0);
    let all: std::collections::BTreeSet<_> = cuts().iter().map(kinds).collect();
    assert!(all.contains(&(true, false, false)) && all.contains(&(false, false, true)));
    assert!(all.contains(&(false, true, true)));
}
