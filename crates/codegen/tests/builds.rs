//! Generated packages build without warnings, are formatted, pass their own tests and play as the engine does.

use senet_codegen::compile;
use senet_engine_forward::Blueprint;
use senet_game::{Engine, PlayoutOptions, PlayoutStatistics};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BUILT_IN: [&str; 4] =
    ["lines/tic-tac-toe", "breakthrough/breakthrough-6x6", "puzzles/hanoi-6", "matrix/rock-paper-scissors"];

/// Terms that grow while the game is played, terms taken apart, a recursive relation, a variable that stands for a whole
/// fluent, and names that Rust has for itself.
const GROWING: &str = "
    (role left) (role right)
    (init (count zero)) (init (mark (pair a b) x)) (init (fn a))
    (<= (legal left (add ?y)) (edge ?x ?y) (true (fn ?x)))
    (<= (legal left (move (pair ?x ?y))) (reach ?x ?y) (true (mark (pair ?x ?y) ?m)))
    (legal right noop)
    (edge a b) (edge b c) (edge c a)
    (<= (reach ?x ?y) (edge ?x ?y))
    (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
    (<= (linked ?x ?y) (edge ?x ?y) (true (fn ?x)))
    (<= (linked ?x ?z) (linked ?x ?y) (linked ?y ?z) (distinct ?x ?z))
    (<= (linked ?x ?z) (linked ?x ?y) (edge ?y ?z))
    (<= (next (count (succ ?n))) (true (count ?n)))
    (<= (next (fn ?y)) (does left (add ?y)))
    (<= (next (mark ?p o)) (does left (move ?p)))
    (<= (next ?f) (true ?f) (kept ?f))
    (<= (kept (mark ?p ?m)) (true (mark ?p ?m)) (not (played ?p)))
    (<= (kept (fn ?x)) (true (fn ?x)) (linked ?x ?x))
    (<= (played ?p) (does left (move ?p)))
    (<= terminal (true (count (succ (succ (succ (succ (succ ?n))))))))
    (<= (goal left 100) (true (fn c)))
    (<= (goal left 50) (not (true (fn c))))
    (<= (goal right 10) (true (mark ?p o)))
    (<= (goal right 90) (true (mark (pair a b) x)))";

/// Relations with the names of reserved ones, `not` with variables of its own, and a role that is a compound term.
const PECULIAR: &str = "
    (role robot) (role (team 1)) (init (at 0)) (init (count 5))
    (<= (legal (team ?n) (hop ?n)) (role (team ?n))) (<= (legal ?r rest) (role ?r) (distinct ?r robot))
    (<= (goal ?r 060) (role ?r) (distinct ?r robot) (true (hopped ?r)))
    (<= (goal (team 1) 40) (not (true (hopped (team 1)))))
    (<= (next (hopped ?r)) (does ?r (hop ?n))) (<= (next (hopped ?r)) (true (hopped ?r)) (not (does (team 1) rest)))
    (next 0 1) (next 1 2) (next 2 0) (next) (init corner 2) (base cell 0 b)
    (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
    (<= (legal robot (go ?y)) (true (at ?x)) (next ?x ?y))
    (<= (legal robot paint) next (not (and (true (at ?x)) (init corner ?x))))
    (<= (legal robot rest) (not (true (paint ?x))))
    (<= (next (at ?x)) (does robot (go ?x)))
    (<= (next (at ?x)) (true (at ?x)) (not (does robot (go ?y))))
    (<= (next (paint ?x)) (true (at ?x)) (does robot paint))
    (<= (next (paint ?x)) (true (paint ?x)) (not (and (true (paint ?y)) (next ?x ?y))))
    (<= (next (count ?m)) (true (count ?n)) (less ?n ?m))
    (<= terminal (true (count ?n)) (not (less ?n ?m)))
    (<= (goal robot 100) (not (and (true (paint ?x)) (not (base cell ?x ?c)))))
    (<= (goal robot 030) (true (paint ?x)) (not (base cell ?x ?c)))";

/// What a role gets, for each of some roles: the first three have a value.
const GOALS: [&[&str]; 13] = [
    &["50"],
    &["007"],
    &["0100"],
    &[],
    &["+50"],
    &["-1"],
    &["101"],
    &["1e2"],
    &["won"],
    &["(f 50)"],
    &["50", "050"],
    &["50", "(f 50)"],
    &["(f 50)", "(g 50)"],
];

/// A game of two moves with these goals.
fn goal_values() -> String {
    let mut text = String::from(
        "(init on) (<= (legal ?r go) (role ?r)) (<= (next over) (true on)) (<= terminal (true over))",
    );
    for (role, goals) in GOALS.iter().enumerate() {
        text += &format!("(role r{role})");
        goals.iter().for_each(|goal| text += &format!("(<= (goal r{role} {goal}) (true over))"));
    }
    text
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn blueprint(text: &[u8]) -> Blueprint {
    let description = senet_gdl::parse_bytes(text);
    let analysis = senet_analysis::analyze(&description, false);
    Blueprint::new(&analysis.program.expect("the rules are right"), None).expect("it can be played")
}

fn games() -> Vec<(String, Blueprint)> {
    let built_in = BUILT_IN.map(|game| {
        let path = workspace().join("games").join(game).with_extension("kif");
        let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.file_stem().expect("a file").to_string_lossy().into_owned(), blueprint(&text))
    });
    let goal_values = goal_values();
    let own = [("growing", GROWING), ("peculiar", PECULIAR), ("goal_values", &goal_values)];
    let own = own.map(|(name, text)| (name.to_owned(), blueprint(text.as_bytes())));
    built_in.into_iter().chain(own).collect()
}

fn cargo(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(args).env("RUSTFLAGS", "-D warnings");
    command.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    let output = command.output().expect("cargo can be run");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{args:?}: {}\n{}", said(&output.stdout), said(&output.stderr));
    output
}

/// Means of length and goals, as the program prints them.
fn printed(output: &Output) -> Vec<f64> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let means = text.lines().filter_map(|line| line.strip_prefix("mean"));
    means.map(|line| line.split_whitespace().nth(1).and_then(|it| it.parse().ok()).expect("a mean")).collect()
}

/// As the program does, with the variances.
fn expected(statistics: &PlayoutStatistics) -> Vec<(f64, f64)> {
    let goals = statistics.mean_goals().into_iter().zip(statistics.goal_variances());
    let all = std::iter::once((statistics.mean_length(), statistics.length_variance())).chain(goals);
    all.map(|(mean, variance)| (mean.unwrap_or(f64::NAN), variance.unwrap_or(0.0))).collect()
}

#[test]
fn the_engine_reads_goals_as_it_should() {
    let game = blueprint(goal_values().as_bytes());
    let played = game.engine().playouts(&mut game.engine().worker(), PlayoutOptions::new(4, 1));
    let means = played.expect("it can be played").mean_goals();
    let expected = [Some(50.0), Some(7.0), Some(100.0)].into_iter().chain([None; GOALS.len() - 3]);
    assert!(means.iter().copied().eq(expected), "{means:?}");
}

#[test]
fn generated_programs_agree_with_the_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = games();
    let mut members = Vec::new();
    for (name, game) in &games {
        let package = compile(game, name).expect("it can be compiled");
        for (path, text) in &package.files {
            let path = folder.path().join(&package.name).join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            // All are built together here.
            fs::write(path, text.replace("\n[workspace]\n", "\n")).expect("a file");
        }
        members.push(package.name);
    }
    let manifest =
        format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n[profile.dev]\nopt-level = 1\n");
    fs::write(folder.path().join("Cargo.toml"), manifest).expect("a file");
    fs::copy(workspace().join("Cargo.lock"), folder.path().join("Cargo.lock")).expect("a lock file");
    cargo(folder.path(), &["fmt", "--all", "--check"]);
    cargo(folder.path(), &["test", "--workspace", "--offline"]);
    for ((name, game), member) in games.iter().zip(&members) {
        const COUNT: u64 = 2_000;
        let args = ["run", "--offline", "-p", member, "--", "--count", &COUNT.to_string(), "--seed", "3"];
        let seen = printed(&cargo(folder.path(), &args));
        let statistics = game
            .engine()
            .playouts(&mut game.engine().worker(), PlayoutOptions::new(COUNT, 5))
            .expect("it can be played");
        let expected = expected(&statistics);
        assert_eq!(seen.len(), expected.len(), "{name}");
        for (seen, (mean, variance)) in seen.into_iter().zip(expected) {
            let error = (2.0 * variance / COUNT as f64).sqrt();
            let is_same = (seen - mean).abs() <= 5.0 * error + 1e-3 || seen.is_nan() && mean.is_nan();
            assert!(is_same, "{name}: {seen} instead of {mean}");
        }
    }
}
