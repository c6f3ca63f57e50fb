//! Games that cannot be grounded, and what is said about them.

mod support;

use senet_ground::{Budget, Mode, Stop, Stopped};
use senet_ids::thread_cpu_time;
use std::time::Duration;
use support::ground_text;

fn stopped(text: &str, mode: Mode, budget: Budget) -> Stopped {
    *ground_text(text, mode, budget).expect_err("it cannot be grounded")
}

/// Twelve variables of ten values each below a relation that a rule of the given text uses.
fn cross_product(head: &str, rest: &str) -> String {
    let values: String = (0..10).map(|value| format!("(value {value}) ")).collect();
    let variables: Vec<String> = (0..12).map(|at| format!("?v{at}")).collect();
    let bound: String = variables.iter().map(|variable| format!("(true (f {variable})) ")).collect();
    format!(
        "(role x) (init p) {values} (<= (init (f ?v)) (value ?v))
         (<= (next (f ?v)) (true (f ?v))) (<= (next p) (true p))
         (<= ({head} {}) {bound}) (legal x go) {rest}",
        variables.join(" ")
    )
}

#[test]
fn terms_without_end_name_their_relation() {
    let counter = "(role x) (legal x go) (init (count z))
        (<= (next (count (s ?x))) (true (count ?x))) (<= terminal (true (count (s z)))) (goal x 100)";
    let list = "(role x) (legal x go) (init p) (<= (next p) (true p)) (list nil)
        (<= (list (cons a ?l)) (list ?l)) (<= terminal (true p) (list ?l)) (goal x 100)";
    for mode in [Mode::Full, Mode::Paper] {
        for (text, relation) in [(counter, "next/1"), (list, "list/1")] {
            let stopped = stopped(text, mode, Budget::default());
            assert_eq!(stopped.stop, Stop::InfiniteTerms(relation.to_owned()), "{mode:?}");
        }
    }
}

#[test]
fn static_facts_need_an_order_of_negations() {
    let with = |rule: &str| {
        format!(
            "(role x) (pos 1) (pos 2) (pos 3) (after 1 2) (after 2 3) (legal x go) (init a) (goal x 100) {rule}
             (<= (l ?p) (pos ?p) (after ?p ?q) (not (l ?q))) (<= terminal (true (b 3)))"
        )
    };
    for (rule, relation) in [
        ("(<= (init (b ?x)) (l ?x))", "init/1"),
        ("(<= (role ?x) (l ?x))", "role/1"),
        ("(<= (init (b ?x)) (m ?x)) (<= (m ?x) (pos ?x) (not (l ?x)))", "init/1"),
        ("(<= (init (b ?x)) (l ?x)) (<= (l ?x) (true (b ?x)))", "init/1"),
        ("(<= (input x ?p) (l ?p)) (<= (legal x ?p) (input x ?p))", "input/2"),
    ] {
        for mode in [Mode::Full, Mode::Paper] {
            let stopped = stopped(&with(rule), mode, Budget::default());
            assert_eq!(stopped.stop, Stop::Negation(relation.to_owned()), "{mode:?} {rule}");
        }
    }
    // In positions ground atoms have the order.
    assert!(ground_text(&with("(<= (next (b ?x)) (l ?x))"), Mode::Full, Budget::default()).is_ok());
}

#[test]
fn time_stops_promptly_and_names_what_was_largest() {
    let text = cross_product("wide", "(<= terminal (wide ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?k)) (goal x 100)");
    let budget = Budget { time: Some(Duration::from_millis(200)), memory: None };
    let start = thread_cpu_time();
    let stopped = stopped(&text, Mode::Paper, budget);
    assert!(thread_cpu_time() - start < Duration::from_millis(1_000));
    assert_eq!(stopped.stop, Stop::Time(Duration::from_millis(200)));
    assert!(stopped.relations[0].0.starts_with("wide/12"), "{:?}", stopped.relations);
    assert!(stopped.rules[0].0.starts_with("(<= (wide "), "{:?}", stopped.rules);
}

#[test]
fn memory_stops_and_names_what_was_largest() {
    let text = cross_product("wide", "(<= terminal (wide ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?k)) (goal x 100)");
    let memory = 32 << 20;
    let stopped = stopped(&text, Mode::Paper, Budget { time: None, memory: Some(memory) });
    assert_eq!(stopped.stop, Stop::Memory(memory));
    assert!(stopped.relations[0].0.starts_with("wide/12"), "{:?}", stopped.relations);
    assert!(stopped.rules[0].0.starts_with("(<= (wide "), "{:?}", stopped.rules);
}

#[test]
fn base_and_input_are_known_if_what_follows_is_too_large() {
    let text = cross_product("wide", "(<= terminal (wide ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?k)) (goal x 100)");
    let budget = Budget { time: None, memory: Some(32 << 20) };
    let stopped = stopped(&text, Mode::Paper, budget);
    assert_eq!(stopped.base_input, Some((11, 1)));
    assert_eq!((stopped.sets.0.len(), stopped.sets.1), (11, vec!["(input x go)".to_owned()]));
}

#[test]
fn base_and_input_are_not_claimed_if_they_are_too_large_themselves() {
    let text =
        cross_product("next", "").replace("(next ?v0", "(next (g ?v0").replacen("?v11) ", "?v11)) ", 1);
    let stopped = stopped(&text, Mode::Paper, Budget { time: None, memory: Some(32 << 20) });
    assert_eq!((stopped.base_input, stopped.step), (None, "base and input"));
    assert!(stopped.rules[0].0.starts_with("(<= (next (g "), "{:?}", stopped.rules);
}
