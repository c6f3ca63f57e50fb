//! Playouts on several threads.

use senet_engine_reference::ReferenceEngine;
use senet_game::{Engine, GameError, PlayoutOptions, PlayoutStatistics, playouts, playouts_in_chunks};

/// As documented.
const CHUNK: u64 = 1_024;

/// A walk that ends by chance.
fn walk() -> ReferenceEngine {
    let description = senet_gdl::parse(
        "(role walker) (init (at 0)) (legal walker stay)
         (<= (legal walker go) (true (at ?n)) (succ ?n ?m))
         (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
         (<= (next (at ?m)) (does walker go) (true (at ?n)) (succ ?n ?m))
         (<= (next (at home)) (does walker stay))
         (<= terminal (true (at home)))
         (<= (goal walker 100) (true (at home)))",
    );
    ReferenceEngine::new(&description).expect("the rules are good")
}

#[test]
fn threads_do_not_change_what_comes_out() {
    let engine = walk();
    let options = PlayoutOptions::new(5_000, 3);
    let one = playouts_in_chunks(&engine, options).expect("the game ends");
    assert_eq!(one.playouts, 5_000);
    assert!(one.length_variance().expect("there were playouts") > 0.5);
    for threads in [2, 3, 16] {
        let several = playouts_in_chunks(&engine, PlayoutOptions { threads, ..options });
        assert_eq!(several.as_ref(), Ok(&one), "{threads} threads");
    }
}

#[test]
fn the_first_chunk_has_the_seed_itself_and_the_others_do_not_repeat_it() {
    let engine = walk();
    let chunk = playouts(&engine, &mut engine.worker(), PlayoutOptions::new(CHUNK, 7));
    let mut chunk = chunk.expect("the game ends");
    assert_eq!(playouts_in_chunks(&engine, PlayoutOptions::new(CHUNK, 7)).as_ref(), Ok(&chunk));
    chunk.merge(&chunk.clone());
    assert_ne!(playouts_in_chunks(&engine, PlayoutOptions::new(2 * CHUNK, 7)).as_ref(), Ok(&chunk));
}

#[test]
fn the_first_error_is_the_same_on_any_number_of_threads() {
    let description = senet_gdl::parse(
        "(role walker) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
         (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11)
         (way ready) (way steady) (<= (legal walker ?w) (way ?w) (true (at ?n)) (succ ?n ?m))
         (<= (next (at ?m)) (does walker ready) (true (at ?n)) (succ ?n ?m))
         (<= (next (at home)) (does walker steady)) (<= (next (was ?n)) (true (at ?n)))
         (<= terminal (true (at home))) (goal walker 100)",
    );
    let engine = ReferenceEngine::new(&description).expect("the rules are good");
    let options = PlayoutOptions::new(100_000, 1);
    let one = playouts_in_chunks(&engine, options);
    assert!(matches!(one, Err(GameError::NoLegalMove { .. })), "{one:?}");
    assert_eq!(playouts_in_chunks(&engine, PlayoutOptions { threads: 2, ..options }), one);
}

#[test]
fn no_playouts_are_no_work() {
    let none = playouts_in_chunks(&walk(), PlayoutOptions { threads: 4, ..PlayoutOptions::new(0, 1) });
    assert_eq!(none, Ok(PlayoutStatistics::new(1)));
}
