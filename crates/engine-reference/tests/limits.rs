//! Long chains are followed to their end; what has no end is stopped, soon and with little memory.

mod support;

use senet_game::GameError;
use support::{Game, legal_error_of};

const LENGTH: usize = 100_000;

fn chain() -> String {
    (0..LENGTH).map(|n| format!("(succ {n} {}) ", n + 1)).collect()
}

fn last_is_reached(rules: &str) {
    let mut game = Game::new(&format!("(role x) (legal x go) {} {rules}", chain()));
    assert_eq!(game.goal("x"), Some(100));
}

#[test]
fn a_long_chain_reached_by_right_recursion() {
    last_is_reached(&format!(
        "(<= (reach ?x ?y) (succ ?x ?y)) (<= (reach ?x ?y) (succ ?x ?z) (reach ?z ?y))
         (<= (goal x 100) (reach 0 {LENGTH}))"
    ));
}

#[test]
fn a_long_chain_reached_by_left_recursion() {
    last_is_reached(&format!(
        "(<= (from0 ?y) (succ 0 ?y)) (<= (from0 ?y) (from0 ?x) (succ ?x ?y)) (<= (goal x 100) (from0 {LENGTH}))"
    ));
}

#[test]
fn a_long_chain_reached_by_mutual_recursion() {
    last_is_reached(&format!(
        "(even 0) (<= (even ?y) (succ ?x ?y) (odd ?x)) (<= (odd ?y) (succ ?x ?y) (even ?x))
         (<= (goal x 100) (even {LENGTH}) (not (odd {LENGTH})))"
    ));
}

#[test]
fn a_long_chain_of_negations() {
    last_is_reached(&format!(
        "(<= (win ?y) (succ ?x ?y) (not (win ?x))) (<= (goal x 100) (win {}) (not (win {LENGTH})))",
        LENGTH - 1
    ));
}

#[test]
fn a_long_chain_of_relations() {
    let rules: String = (0..20_000).map(|n| format!("(<= (p{} ?x) (p{n} ?x)) ", n + 1)).collect();
    let mut game = Game::new(&format!("(role x) (p0 a) {rules} (<= (legal x ?m) (p20000 ?m))"));
    assert_eq!(game.legal("x"), ["a"]);
}

/// The relation that does not come to an end.
fn unbounded(rules: &str) -> String {
    match legal_error_of(&format!("(role x) {rules}")) {
        GameError::Unbounded { relation, .. } => relation,
        other => panic!("{other}"),
    }
}

#[test]
fn terms_that_grow_deep() {
    assert_eq!(unbounded("(n 0) (<= (n (s ?x)) (n ?x)) (<= (legal x ?n) (n ?n))"), "n");
}

#[test]
fn questions_that_grow_deep() {
    assert_eq!(unbounded("(<= (n ?x) (n (s ?x))) (<= (legal x a) (n 0))"), "n");
}

#[test]
fn terms_that_grow_wide() {
    assert_eq!(unbounded("(n 0) (<= (n (f ?x ?y)) (n ?x) (n ?y)) (<= (legal x ?n) (n ?n))"), "n");
}

#[test]
fn terms_that_double() {
    let rules: String = (0..60).map(|n| format!("(<= (t{} (f ?x ?x)) (t{n} ?x)) ", n + 1)).collect();
    assert!(unbounded(&format!("(t0 a) {rules} (<= (legal x ?m) (t60 ?m))")).starts_with('t'));
}

#[test]
fn terms_that_are_only_compared() {
    let facts: String = (0..400).map(|n| format!("(d {n}) ")).collect();
    let rule = "(<= (legal x a) (d ?a) (d ?b) (d ?c) (not (distinct (f ?a ?b ?c) (g ?a))))";
    assert_eq!(unbounded(&format!("{facts} {rule}")), "legal");
}

#[test]
fn a_worker_goes_on_after_a_limit() {
    let mut game = Game::new(
        "(role x) (init grow) (n 0) (<= (n (s ?x)) (n ?x)) (<= (legal x ?n) (true grow) (n ?n))
         (<= (legal x rest) (true still))",
    );
    assert_eq!(game.try_legal("x").unwrap_err().code(), "unbounded");
    game.set(&["still"]);
    assert_eq!(game.legal("x"), ["rest"]);
}

#[test]
fn a_negative_cycle_is_shown() {
    let cycle_of = |rules: &str| match legal_error_of(&format!("(role x) {rules}")) {
        GameError::NegativeCycle { cycle } => cycle,
        other => panic!("{other}"),
    };
    assert_eq!(cycle_of("(<= (legal x a) (not (legal x a)))"), ["(legal x a)", "(not (legal x a))"]);
    assert_eq!(cycle_of("(<= (legal x a) p) (<= p (not q)) (<= q (not p))").len(), 3);
    let through_positive = cycle_of("(<= (legal x a) p) (<= p (not q)) (<= q r) (<= r p)");
    assert_eq!(through_positive, ["p", "(not q)", "r", "p"]);
}
