//! Every engine against the judge: positions of random matches are the same, and a seed gives the same playouts. The
//! built-in games, and small rulesheets in which one thing is difficult.

use libtest_mimic::{Failed, Trial};
use senet_conformance::{Game, Sheet, engines};
use senet_game::{AnyEngine, MoveGenerator, PerftOptions, PlayoutOptions, RoleId};
use std::sync::Arc;

const JUDGE: &str = "reference";

/// How many facts and moves a test may look at.
const SIZE_OF_ALL_POSITIONS: usize = 6_000;

/// Moves are seen by `next`, and by nothing else: `seen` is asked by `legal` too, where no move holds.
const SEEN: &str = "(role robot) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (seen ?m) (does robot ?m)) (<= (legal robot go) (not (seen go))) (<= (legal robot stay) (true (step 1)))
    (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y) (seen go))
    (<= (next ?f) (true ?f) (seen stay))
    (<= terminal (true (step 3))) (<= (goal robot 100) (true (step 3))) (<= (goal robot 0) (not (true (step 3))))";

/// Facts of `wet` make others, through loops and compound terms.
const WET: &str =
    "(role robot) (init (at (pair a b))) (legal robot go) (link a b) (link b c) (link c a) (link c d)
    (<= (wet (pair ?x ?y)) (true (at (pair ?x ?y))))
    (<= (wet (pair ?y ?z)) (wet (pair ?x ?y)) (link ?y ?z))
    (<= (reach ?x ?y) (link ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
    (<= (next (at (pair ?y ?z))) (true (at (pair ?x ?y))) (link ?y ?z))
    (<= terminal (true (at (pair c d)))) (<= (goal robot 100) (wet (pair c d)) (reach a d)) (goal robot 100)";

/// Marks stay, and with them the pairs of marks; `fresh` does not.
const KEPT: &str = "(role robot) (init (step 0)) (init (mark m0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (name 0 m1) (name 1 m2) (name 2 m1) (name 3 m3)
    (<= (legal robot (paint ?m)) (true (step ?n)) (name ?n ?m)) (legal robot rest)
    (<= (next (mark ?m)) (true (mark ?m))) (<= (next (mark ?m)) (does robot (paint ?m)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (pair ?a ?b) (true (mark ?a)) (true (mark ?b)) (distinct ?a ?b))
    (<= (linked ?a ?b) (pair ?a ?b)) (<= (linked ?a ?c) (linked ?a ?b) (pair ?b ?c))
    (<= (fresh ?m) (name ?n ?m) (not (true (mark ?m))))
    (<= terminal (true (step 4))) (<= terminal (linked m1 m3))
    (<= (goal robot 100) (linked m1 m3)) (<= (goal robot 50) (not (linked m1 m3)) (fresh m2))
    (<= (goal robot 0) (not (linked m1 m3)) (not (fresh m2)))";

/// Paths are asked only from where the pieces are; with so many squares they are better derived for those alone.
const PATHS: &str = "(role robot) (init (at 3 4)) (init (wall 9 4)) (init (step 0))
    (<= (number ?x) (succ ?x ?y)) (<= (free ?x ?y) (number ?x) (number ?y) (not (true (wall ?x ?y))))
    (<= (path ?x ?y ?z ?y) (succ ?x ?z) (free ?z ?y)) (<= (path ?x ?y ?x ?z) (succ ?z ?y) (free ?x ?z))
    (<= (path ?x ?y ?v ?w) (path ?x ?y ?t ?u) (path ?t ?u ?v ?w))
    (<= (legal robot (go ?v ?w)) (true (at ?x ?y)) (path ?x ?y ?v ?w)) (legal robot stay)
    (<= (next (at ?x ?y)) (does robot (go ?x ?y))) (<= (next (at ?x ?y)) (true (at ?x ?y)) (does robot stay))
    (<= (next (wall ?x ?y)) (true (wall ?x ?y))) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
    (<= terminal (true (step 9))) (<= (goal robot 100) (true (at 9 ?y))) (<= (goal robot 0) (not (true (at 9 4))))";

/// Whether `dead` holds of a number depends on smaller numbers only.
const DEAD: &str = "(role robot) (succ 0 1) (succ 1 2) (succ 2 3) (init (heap 3)) (step 1) (step 2)
    (<= (less ?x ?y 1) (succ ?x ?y)) (<= (less ?x ?z 2) (succ ?x ?y) (succ ?y ?z))
    (<= (dead ?n) (succ ?m ?n) (not (and (less ?k ?n ?d) (dead ?k))))
    (<= (legal robot (take ?d)) (true (heap ?n)) (less ?m ?n ?d)) (<= (legal robot done) (true (heap ?n)) (not (succ ?m ?n)))
    (<= (next (heap ?m)) (true (heap ?n)) (does robot (take ?d)) (less ?m ?n ?d))
    (<= terminal (true (heap ?n)) (not (less ?m ?n ?d)))
    (<= (goal robot 100) (true (heap ?n)) (dead ?n)) (<= (goal robot 0) (true (heap ?n)) (not (dead ?n)))";

/// There are a billion lists, but only those are asked for that were visited.
const LISTS: &str = "(role robot) (init (path (cons c0 nil))) (init (step s))
    (<= (head (cons ?x ?rest) ?x) (is_list (cons ?x ?rest)))
    (<= (has (cons ?x ?rest) ?x) (is_list (cons ?x ?rest)))
    (<= (has (cons ?x ?rest) ?y) (is_list (cons ?x ?rest)) (has ?rest ?y))
    (<= (legal robot (go ?y)) (true (path ?list)) (head ?list ?x) (next_to ?x ?y) (not (has ?list ?y)))
    (<= (next (path (cons ?y ?list))) (true (path ?list)) (does robot (go ?y)))
    (<= (next (step (s ?n))) (true (step ?n))) (<= terminal (true (step (s (s (s (s s)))))))
    (<= (goal robot 100) (true (path ?list)) (has ?list c12))
    (<= (goal robot 0) (true (path ?list)) (not (has ?list c12)))";

pub(crate) fn trials(games: &[Arc<Game>]) -> Vec<Trial> {
    let mut all = senet_conformance::trials("agrees", games, |game, engine| agrees(&game.sheet, engine));
    let every: Vec<&'static str> = engines().collect();
    // Relations as large as these are derived as a whole by the others.
    let first_order = vec!["forward", "tables"];
    let sheets = [
        ("seen", SEEN.to_owned(), &every),
        ("wet", WET.to_owned(), &every),
        ("kept", KEPT.to_owned(), &every),
        ("paths", with_numbers(PATHS), &first_order),
        ("lists", with_lists(LISTS), &vec!["forward"]),
        // The others need an order between relations.
        ("dead", DEAD.to_owned(), &vec!["circuit", "lanes"]),
    ];
    for (name, text, engines) in sheets {
        for &engine in engines {
            let text = text.clone();
            let test = move || agrees(&Sheet::read(&text)?, engine);
            all.push(Trial::test(format!("sheet/{name}/{engine}"), test));
        }
    }
    for (name, text) in senet_conformance::peculiar_sheets() {
        let rules = text.clone();
        all.push(Trial::test(format!("peculiar/{name}/scrambled"), move || is_the_same_scrambled(&rules)));
        for &engine in &every {
            let text = text.clone();
            let test = move || agrees(&Sheet::read(&text)?, engine);
            all.push(Trial::test(format!("peculiar/{name}/{engine}"), test));
        }
    }
    all.retain(|trial| !trial.name().ends_with(JUDGE));
    all
}

/// Other words are another spelling of the same game.
fn is_the_same_scrambled(text: &str) -> Result<(), Failed> {
    let sheet = Sheet::read(text)?;
    let scrambled = senet_gdl::scramble(sheet.description, 5).text;
    let [expected, found] = [text, &scrambled].map(|text| {
        let mut rows = Vec::new();
        let options = PerftOptions { depth: 4, node_limit: 2_000 };
        let counted = Sheet::read(text)?.engine(JUDGE)?.perft(options, &mut |row| rows.push(row));
        counted.map(|()| rows).map_err(Failed::from)
    });
    match expected? == found? {
        true => Ok(()),
        false => Err(format!("not the same game:\n{scrambled}").into()),
    }
}

fn with_numbers(text: &str) -> String {
    let numbers: String = (0..22).map(|n| format!("(succ {n} {}) ", n + 1)).collect();
    numbers + text
}

fn with_lists(text: &str) -> String {
    let cells: String = (0..20).map(|n| format!("(cell c{n}) (next_to c{n} c{}) ", (n + 3) % 20)).collect();
    let list = |n: usize| {
        let list = (0..n).fold("nil".to_owned(), |list, at| format!("(cons ?x{at} {list})"));
        let conditions: String = (0..n).map(|at| format!("(cell ?x{at})")).collect();
        format!("(<= (is_list {list}) {conditions}) ")
    };
    format!("(is_list nil) {cells} {} {text}", (1..9).map(list).collect::<String>())
}

fn agrees(sheet: &Sheet, engine: &'static str) -> Result<(), Failed> {
    let (judge, engine) = (sheet.engine(JUDGE)?, sheet.engine(engine)?);
    if engine.role_names() != judge.role_names() {
        return Err(format!("roles are {:?}, not {:?}", engine.role_names(), judge.role_names()).into());
    }
    let n_positions = same_positions(&judge, &engine)?;
    // Lanes have draws of their own.
    if engine.n_side_by_side() > 1 {
        return Ok(());
    }
    let options = PlayoutOptions { max_length: n_positions, ..PlayoutOptions::new(2, 11) };
    let (expected, found) = (judge.playouts_one_by_one(options)?, engine.playouts_one_by_one(options)?);
    match found == expected {
        true => Ok(()),
        false => Err(format!("a seed gives\n{found:?}, not\n{expected:?}").into()),
    }
}

/// Compares positions of random matches: many of a small game, few of a large one. Says how many.
fn same_positions(judge: &Arc<dyn AnyEngine>, engine: &Arc<dyn AnyEngine>) -> Result<u64, Failed> {
    let (mut expected, mut found) = (judge.clone().start()?, engine.clone().start()?);
    let mut generator = MoveGenerator::new(3);
    let (mut size, mut n_positions) = (0, 0);
    while size < SIZE_OF_ALL_POSITIONS {
        let position = expected.position();
        let other = found.position();
        if other != position {
            let at = expected.moves_played();
            return Err(format!("after {at} moves:\n{other:?}, not\n{position:?}").into());
        }
        size += 10 + position.state.len() + position.legal.iter().map(Vec::len).sum::<usize>();
        n_positions += 1;
        if position.terminal {
            expected.restart()?;
            found.restart()?;
            continue;
        }
        let mut joint = std::collections::BTreeMap::new();
        for (role, name) in judge.role_names().iter().enumerate() {
            joint.insert(name.clone(), expected.random_move(RoleId::new(role), &mut generator)?);
        }
        expected.play(&joint)?;
        found.play(&joint)?;
    }
    Ok(n_positions)
}
