//! The generated package of a tiny game, to be read.

use senet_codegen::compile;
use senet_engine_forward::Blueprint;

const NIM: &str = "
    (role first) (role second)
    (succ 0 1) (succ 1 2) (succ 2 3)
    (init (heap left 2)) (init (heap right 1)) (init (control first))
    (<= (legal ?player (take ?heap)) (true (control ?player)) (true (heap ?heap ?n)) (succ ?less ?n))
    (<= (legal ?player noop) (role ?player) (not (true (control ?player))))
    (<= (next (heap ?heap ?less)) (does ?player (take ?heap)) (true (heap ?heap ?n)) (succ ?less ?n))
    (<= (next (heap ?heap ?n)) (true (heap ?heap ?n)) (does ?player (take ?other)) (distinct ?heap ?other))
    (<= (next (control second)) (true (control first)))
    (<= (next (control first)) (true (control second)))
    (<= has_more (true (heap ?heap ?n)) (succ ?less ?n))
    (<= terminal (not has_more))
    (<= (goal ?player 0) (true (control ?player)))
    (<= (goal ?player 100) (role ?player) (not (true (control ?player))))";

fn files() -> Vec<(String, String)> {
    let description = senet_gdl::parse(NIM);
    let program = senet_analysis::analyze(&description, false).program.expect("the rules are right");
    let game = Blueprint::new(&program, None).expect("it can be played");
    let package = compile(&game, "tiny nim").expect("it can be compiled");
    assert_eq!(package.name, "tiny_nim");
    // The rest is the same in every package, or depends on how fast the engine answers.
    const WRITTEN: [&str; 6] =
        ["Cargo.toml", "src/lib.rs", "src/terms.rs", "src/tables.rs", "src/facts.rs", "src/rules.rs"];
    let files = package.files.into_iter().map(|(path, text)| (path.display().to_string(), text));
    files.filter(|(path, _)| WRITTEN.contains(&path.as_str())).collect()
}

#[test]
fn a_tiny_game_becomes_a_readable_package() {
    let files = files();
    let mut text = String::new();
    for (path, content) in &files {
        text += &format!("==== {path}\n{content}\n");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_same_game_becomes_the_same_package() {
    assert_eq!(files(), files());
}
