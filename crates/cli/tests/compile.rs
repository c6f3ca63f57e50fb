//! `senet compile --target rust` writes a whole package, and never over other files unasked.

use std::path::Path;
use std::process::{Command, Output};

fn compile(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_senet"));
    command.args(["compile", "tic-tac-toe", "--target", "rust", "-o"]).arg(folder).args(more);
    command.output().expect("the program runs")
}

#[test]
fn a_package_is_written_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().join("new").join("package");
    let done = compile(&package, &[]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for file in
        ["Cargo.toml", "src/lib.rs", "src/main.rs", "src/rules.rs", "src/facts.rs", "tests/recorded.rs"]
    {
        assert!(package.join(file).is_file(), "{file}");
    }
    let manifest = package.join("Cargo.toml");
    std::fs::write(&manifest, "mine").expect("a file");
    assert_eq!(compile(&package, &[]).status.code(), Some(2));
    assert_eq!(std::fs::read(&manifest).expect("a file"), b"mine");
    assert!(compile(&package, &["--force"]).status.success());
    assert!(std::fs::read_to_string(&manifest).expect("a file").contains("name = \"tic_tac_toe\""));
}
