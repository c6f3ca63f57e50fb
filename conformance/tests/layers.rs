//! The order of the crates, as ARCHITECTURE.md tells it.

use senet_conformance::workspace;
use std::collections::BTreeSet;
use std::fs;

/// A crate may use only crates before it.
const ORDER: [&str; 21] = [
    "ids",
    "gdl",
    "analysis",
    "terms",
    "rules",
    "languages",
    "game",
    "boards",
    "engine-reference",
    "ground",
    "engine-forward",
    "codegen",
    "engine-tables",
    "circuit",
    "engine-circuit",
    "engine-lanes",
    "engines",
    "search",
    "protocol",
    "server",
    "cli",
];

fn crates() -> BTreeSet<String> {
    let entries = fs::read_dir(workspace().join("crates")).expect("the crates can be listed");
    let paths = entries.map(|entry| entry.expect("the crates can be listed").path());
    let folders = paths.filter(|path| path.join("Cargo.toml").is_file());
    folders
        .map(|path| path.file_name().expect("a folder has a name").to_string_lossy().into_owned())
        .collect()
}

/// The crates of this workspace that a crate uses; what only its tests and examples use does not count.
fn dependencies(name: &str) -> BTreeSet<String> {
    let path = workspace().join("crates").join(name).join("Cargo.toml");
    let text = fs::read_to_string(path).expect("a crate has a manifest");
    let mut found = BTreeSet::new();
    let mut in_dependencies = false;
    for line in text.lines().map(str::trim) {
        if let Some(table) = line.strip_prefix('[') {
            in_dependencies = table.contains("dependencies") && !table.starts_with("dev-");
        }
        // Both `senet-gdl.workspace = true` and `[dependencies.senet-gdl]`.
        let key = line.trim_start_matches('[').trim_start_matches("build-");
        let key = key.trim_start_matches("dependencies.");
        if let Some(key) = key.strip_prefix("senet-").filter(|_| in_dependencies) {
            let end = key.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(key.len());
            found.insert(key[..end].to_owned());
        }
    }
    found
}

#[test]
fn a_crate_uses_only_crates_before_it() {
    let place = |name: &str| ORDER.iter().position(|&known| known == name);
    for name in crates() {
        let own = place(&name).unwrap_or_else(|| panic!("`{name}` has no place in the order of the crates"));
        for used in dependencies(&name) {
            let before = place(&used).is_some_and(|used| used < own);
            assert!(before, "`{name}` uses `{used}`, which does not come before it in {ORDER:?}");
        }
    }
}

#[test]
fn dependencies_are_seen() {
    assert!(dependencies("engines").contains("engine-reference"));
    assert!(dependencies("ids").is_empty());
}

#[test]
fn the_judge_does_not_use_what_it_judges() {
    let used = dependencies("engine-reference");
    assert!(used.iter().all(|name| ["ids", "gdl", "game"].contains(&name.as_str())), "{used:?}");
}

#[test]
fn what_plays_without_grounding_does_not_use_the_grounder() {
    for name in ["languages", "engine-forward", "engine-tables", "codegen"] {
        assert!(!dependencies(name).contains("ground"), "`{name}` uses the grounder");
    }
}

#[test]
fn architecture_names_every_crate() {
    let Ok(text) = fs::read_to_string(workspace().join("ARCHITECTURE.md")) else {
        eprintln!("skipped: ARCHITECTURE.md is not there");
        return;
    };
    // A row of the table begins with the name of the folder: | `gdl` | …
    let named: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('|')?.trim_start().strip_prefix('`')?.split_once('`'))
        .filter(|(_, rest)| rest.trim_start().starts_with('|'))
        .map(|(name, _)| name.trim_start_matches("crates/").to_owned())
        .collect();
    assert_eq!(named, crates(), "left: the table of ARCHITECTURE.md; right: the folders of crates/");
}
