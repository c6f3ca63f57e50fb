//! The checks on rulesheets that others wrote, where a copy of them lies beside the workspace.

use senet_analysis::{Analysis, Stratification, analyze};
use std::path::{Path, PathBuf};

/// The directory beside the workspace, if there is one.
fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if !path.is_dir() {
        eprintln!("skipped: no {name} beside the workspace");
        return None;
    }
    Some(path)
}

fn analyze_file(path: &Path, strict: bool) -> Analysis {
    let bytes = std::fs::read(path).expect("the file was listed");
    let description = senet_gdl::parse_bytes(&bytes);
    analyze(&description, strict)
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a readable directory") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "kif") {
            files.push(path);
        }
    }
}

/// When a rulesheet is refused.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Refused {
    Always,
    IfStrict,
}

#[test]
fn libgdl_parser_tests() {
    use Refused::{Always, IfStrict};
    let Some(directory) = shared("games/libgdl-parser-tests") else { return };
    // Each file breaks one rule of the specification; some are only fragments of a game as well.
    let table = [
        ("base_depen", "G407", IfStrict),
        ("ds_test", "G401", Always),
        ("headsafe", "G201", Always),
        ("init_depen", "G407", IfStrict),
        ("input_depen", "G407", IfStrict),
        ("legal_depen", "G406", IfStrict),
        ("mgu_check", "G402", IfStrict),
        ("mularity", "G102", IfStrict),
        ("ndef_goal", "G403", IfStrict),
        ("ndef_legal", "G402", IfStrict),
        ("ndef_role", "G401", Always),
        ("ndef_terminal", "G404", IfStrict),
        ("notsafe", "G205", IfStrict),
        ("notunstrat", "G301", IfStrict),
        ("opt1", "G401", Always),
        ("orsafe", "G201", Always),
        ("recurseunstrat", "G302", IfStrict),
        ("unstratrec", "G301", IfStrict),
        ("variable_parsing", "G401", Always),
    ];
    for (name, code, refused) in table {
        let path = directory.join(name).with_extension("kif");
        let [lenient, strict] = [false, true].map(|strict| analyze_file(&path, strict));
        let errors = |analysis: &Analysis| analysis.errors().map(|found| found.code.id).collect::<Vec<_>>();
        assert!(errors(&strict).contains(&code), "{name}: {code} not in {:?}", errors(&strict));
        assert_eq!(errors(&lenient).contains(&code), refused == Always, "{name}: {:?}", errors(&lenient));
        assert_eq!(lenient.program.is_none(), refused == Always, "{name}");
        assert!(strict.program.is_none(), "{name}");
    }
    let mut files = Vec::new();
    collect(&directory, &mut files);
    assert_eq!(files.len(), table.len());
}

#[test]
fn rulesheets_with_recorded_matches_are_accepted() {
    let (Some(games), Some(traces)) = (shared("games"), shared("traces")) else { return };
    let mut files = Vec::new();
    collect(&games, &mut files);
    let mut n_accepted = 0;
    for file in &files {
        let analysis = analyze_file(file, false);
        let name = file.strip_prefix(&games).expect("a file below the directory");
        if traces.join(name).with_extension("jsonl").exists() {
            let errors: Vec<_> = analysis.errors().map(|found| (found.code.id, &found.message)).collect();
            assert!(analysis.program.is_some(), "{}: {errors:?}", name.display());
            n_accepted += 1;
        }
    }
    assert!(n_accepted > 500, "only {n_accepted} rulesheets have matches");
}

#[test]
fn rulesheets_that_were_cut_off_have_one_error() {
    let Some(games) = shared("games/dresden-server") else { return };
    for name in ["duplicatestatelarge", "ruledepthquadratic", "statespacelarge"] {
        let analysis = analyze_file(&games.join(name).with_extension("kif"), false);
        assert_eq!(analysis.errors().map(|found| found.code.id).collect::<Vec<_>>(), ["G001"], "{name}");
    }
}

#[test]
fn published_games_that_negate_goals_are_put_in_order() {
    let Some(games) = shared("games/ggp-org") else { return };
    for name in ["queens08ug", "futoshiki6", "hidato19", "hexPie", "majorities", "nineBoardTicTacToePie"] {
        let analysis = analyze_file(&games.join(name).with_extension("kif"), false);
        let program = analysis.program.expect("accepted");
        assert_eq!(program.stratification(), Stratification::BySplitting, "{name}");
    }
}
