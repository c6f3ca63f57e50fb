//! Ground games so small that their parts can be counted by hand.

mod support;

use senet_ground::{Budget, Mode};
use support::ground_text;

/// How many there are of each.
#[derive(PartialEq, Eq, Debug)]
struct Counts {
    base: usize,
    input: usize,
    rules: usize,
    facts: usize,
}

fn counts(text: &str, mode: Mode) -> Counts {
    let program = ground_text(text, mode, Budget::default()).expect("a small game").program;
    Counts {
        base: program.base().len(),
        input: program.input().len(),
        rules: program.n_rules(),
        facts: program.facts().len(),
    }
}

#[test]
fn a_light_switch() {
    let text = "(role robot) (init off)
        (legal robot press) (legal robot wait)
        (<= (next on) (true off) (does robot press))
        (<= (next off) (true on) (does robot press))
        (<= (next ?f) (true ?f) (does robot wait))
        (<= terminal (true on)) (<= (goal robot 100) (true on)) (<= (goal robot 0) (true off))";
    // Base: on, off. Input: press, wait. Rules: two with press, one of each fluent with wait, terminal, two
    // goals. Facts: both moves are always legal. Nothing can be simplified.
    let expected = Counts { base: 2, input: 2, rules: 7, facts: 2 };
    assert_eq!(counts(text, Mode::Paper), expected);
    assert_eq!(counts(text, Mode::Full), expected);
}

#[test]
fn a_board_of_two_by_two() {
    let text = "(role x) (index 1) (index 2)
        (<= (init (cell ?m ?n b)) (index ?m) (index ?n))
        (<= (legal x (mark ?m ?n)) (true (cell ?m ?n b)))
        (<= (next (cell ?m ?n x)) (does x (mark ?m ?n)))
        (<= (next (cell ?m ?n ?c)) (true (cell ?m ?n ?c)) (does x (mark ?j ?k)) (distinct ?m ?j))
        (<= (next (cell ?m ?n ?c)) (true (cell ?m ?n ?c)) (does x (mark ?j ?k)) (distinct ?n ?k))
        (<= (row ?m) (true (cell ?m 1 x)) (true (cell ?m 2 x)))
        (<= terminal (row ?m)) (<= (goal x 100) (row ?m))";
    // Base: 4 squares, blank or x: 8. Input: 4 marks. Rules: 4 legal, 4 marks, frames: for each of 8 fluents the
    // marks in the other row, 2, and in the other column, 2; the mark in both is one rule though two rules give
    // it, so 3 each: 24. Two rows, each with a rule for itself, for the end and for the goal: 6. Facts: none.
    let expected = Counts { base: 8, input: 4, rules: 4 + 4 + 24 + 6, facts: 0 };
    assert_eq!(counts(text, Mode::Paper), expected);
    assert_eq!(counts(text, Mode::Full), expected);
}

#[test]
fn a_counter() {
    let text = "(role x) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 5 6)
        (legal x noop)
        (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
        (<= terminal (true (at 3))) (<= (goal x 100) (true (at 3)))
        (<= (goal x 0) (true (at 6)))";
    // Base: 0 to 3; 6 follows from nothing, so no goal of 0. Input: noop. Rules: 3 steps, terminal, goal. Fact:
    // noop is legal.
    let expected = Counts { base: 4, input: 1, rules: 5, facts: 1 };
    assert_eq!(counts(text, Mode::Paper), expected);
    assert_eq!(counts(text, Mode::Full), expected);
}

#[test]
fn a_static_variable_that_only_the_body_has() {
    let text = "(role x) (init (at a)) (legal x noop)
        (edge a b) (edge a c) (edge a d) (edge b a)
        (<= (next (at ?x)) (true (at ?x)))
        (<= mobile (true (at ?x)) (edge ?x ?y))
        (<= terminal (not mobile)) (<= (goal x 100) mobile)";
    // Three edges leave a, one rule: mobile if at a. With it the frame of a, terminal and the goal. The full mode
    // sees that a stays where it is: the frame, mobile and the goal become facts, terminal cannot hold; mobile
    // itself is then not needed.
    assert_eq!(counts(text, Mode::Paper), Counts { base: 1, input: 1, rules: 4, facts: 1 });
    assert_eq!(counts(text, Mode::Full), Counts { base: 1, input: 1, rules: 0, facts: 3 });
}

#[test]
fn symmetric_conditions() {
    let text = "(role x) (thing a) (thing b) (thing c)
        (<= (legal x (take ?t)) (thing ?t))
        (<= (next (has ?t)) (does x (take ?t)))
        (<= (next (has ?t)) (true (has ?t)))
        (<= pair (true (has ?s)) (true (has ?t)) (distinct ?s ?t))
        (<= terminal pair) (<= (goal x 100) pair)";
    // Base: 3. Input: 3. Rules: 3 takes, 3 frames, a pair for each of 3 sets of two, not for each of 6 orders,
    // terminal, goal. Facts: 3 moves are always legal.
    let expected = Counts { base: 3, input: 3, rules: 3 + 3 + 3 + 2, facts: 3 };
    assert_eq!(counts(text, Mode::Paper), expected);
    assert_eq!(counts(text, Mode::Full), expected);
}

#[test]
fn a_negated_atom_that_can_never_hold() {
    let text = "(role x) (init off) (legal x press)
        (<= (next on) (true off) (not (true broken)))
        (<= (next off) (true on) (not (blocked x)))
        (<= (blocked ?r) (role ?r) (true broken))
        (<= terminal (true on)) (<= (goal x 100) (true on)) (<= (goal x 50) (true broken))";
    // Base: on, off: nothing breaks. No rule for blocked nor for the goal of 50. Rules: two steps, terminal, a
    // goal, the same in both modes; the full mode drops the negated conditions.
    for (mode, n_literals) in [(Mode::Paper, 6), (Mode::Full, 4)] {
        assert_eq!(counts(text, mode), Counts { base: 2, input: 1, rules: 4, facts: 1 }, "{mode:?}");
        let program = ground_text(text, mode, Budget::default()).expect("a small game").program;
        assert_eq!(program.n_body_literals(), n_literals, "{mode:?}");
    }
}
