//! GDL as it is really written: one tiny game for each case whose meaning shows in play.

mod support;

use senet_engine_reference::ReferenceEngine;
use senet_game::GameError;
use support::{Game, error_of, legal_error_of};

/// A game of one role whose legal moves are the answers to `(p ?x)`.
fn answers(rules: &str) -> Vec<String> {
    Game::new(&format!("(role x) (<= (legal x ?x) (p ?x)) {rules}")).legal("x")
}

#[test]
fn case_03_names_ignore_case() {
    let mut game = Game::new("(ROLE X) (Init (Cell A)) (<= (LEGAL x (Mark ?N)) (true (CELL ?n)))");
    assert_eq!(game.facts(), ["(cell a)"]);
    assert_eq!(game.legal("x"), ["(mark a)"]);
}

#[test]
fn case_04_propositions_with_and_without_parentheses() {
    let mut game = Game::new(
        "(role x) (<= (init (on))) (legal x (go)) (<= (next on) (does x go) (true (on)))
         (<= (terminal) (q)) (<= q (true on) (not (r)))",
    );
    assert_eq!(game.facts(), ["on"]);
    assert!(game.terminal());
    game.play(&["go"]);
    assert_eq!(game.facts(), ["on"]);
}

#[test]
fn case_05_rules_that_cannot_be_read_as_a_whole_are_refused_with_the_place() {
    let error = ReferenceEngine::new(&senet_gdl::parse("(role x)\n(legal x a")).err().expect("it is cut off");
    assert_eq!(error.code(), "syntax");
    assert!(error.to_string().contains("2:1: "), "{error}");
}

#[test]
fn case_06_or_and_not_nest() {
    let facts = "(d 1) (d 2) (d 3) (d 4) (a 1) (a 2) (b 2) (b 3)";
    let holds = |condition: &str| answers(&format!("{facts} (<= (p ?x) (d ?x) {condition})"));
    assert_eq!(holds("(or (a ?x) (b ?x))"), ["1", "2", "3"]);
    assert_eq!(holds("(or (and (a ?x) (b ?x)) (not (or (a ?x) (b ?x))))"), ["2", "4"]);
    assert_eq!(holds("(not (and (a ?x) (b ?x)))"), ["1", "3", "4"]);
    assert_eq!(holds("(not (or (a ?x) (not (b ?x))))"), ["3"]);
    assert_eq!(holds("(not (not (a ?x)))"), ["1", "2"]);
    assert_eq!(holds("(or (a ?x))"), ["1", "2"]);
    assert_eq!(holds("(and)"), ["1", "2", "3", "4"]);
    assert!(holds("(or)").is_empty());
    assert_eq!(holds("(not (or))"), ["1", "2", "3", "4"]);
}

#[test]
fn case_06_a_disjunction_binds_in_each_branch() {
    let rule = "(a 1) (b 2) (c 2) (<= (p ?x) (or (a ?x) (b ?x)) (not (c ?x)))";
    assert_eq!(answers(rule), ["1"]);
}

#[test]
fn case_07_not_distinct_is_equality() {
    assert_eq!(answers("(d a) (d (f b)) (<= (p ?y) (d ?x) (not (distinct ?x ?y)))"), ["(f b)", "a"]);
    assert_eq!(answers("(d a) (d (f b)) (<= (p ?y) (not (distinct (f ?y) ?x)) (d ?x))"), ["b"]);
    assert_eq!(answers("(d a) (d b) (<= (p ?x) (d ?x) (not (distinct ?x b)))"), ["b"]);
}

#[test]
fn case_07_an_equality_in_a_branch_waits_for_a_known_side() {
    assert_eq!(answers("(d a) (d b) (<= (p ?x) (or (not (distinct ?x ?x))) (d ?x))"), ["a", "b"]);
    assert_eq!(answers("(d a) (e b) (<= (p ?y) (or (not (distinct ?x ?y)) (e ?y)) (d ?x))"), ["a", "b"]);
    assert_eq!(
        answers("(d a) (e b) (<= (p ?y) (not (e ?y)) (or (not (distinct ?y ?x)) (e ?y)) (d ?x))"),
        ["a"]
    );
    assert_eq!(
        answers("(d a) (e (f b)) (<= (p ?y) (or (and (not (distinct ?z (f ?y))) (e ?z)) (d ?y)))"),
        ["a", "b"]
    );
}

#[test]
fn case_08_distinct_on_compound_terms_and_before_its_variables() {
    let facts = "(d a) (d b) (d (f a))";
    assert_eq!(answers(&format!("{facts} (<= (p ?x) (distinct ?x (f a)) (d ?x))")), ["a", "b"]);
    assert_eq!(
        answers(&format!("{facts} (<= (p ?x) (d ?x) (d ?y) (distinct (f ?y) ?x))")),
        ["(f a)", "a", "b"]
    );
    assert_eq!(answers(&format!("{facts} (<= (p ?y) (distinct (f ?y) (f a)) (d ?y))")), ["(f a)", "b"]);
}

#[test]
fn case_09_an_unsafe_variable_is_an_error_that_names_it() {
    let unsafe_variable = |rules: &str| match legal_error_of(&format!("(role x) (q a) {rules}")) {
        GameError::Unsafe { variable, clause } => (variable, clause),
        other => panic!("{other}"),
    };
    let rules = [
        "(<= (legal x ?y) (q ?z))",
        "(<= (legal x a) (not (q ?y)) (not (p ?y)))",
        "(<= (legal x a) (q ?z) (distinct ?z ?y))",
        "(<= (legal x a) (not (and (q ?z) (distinct ?z ?y))))",
        "(<= (legal x ?y) (or (q ?y) (q ?z)))",
    ];
    for rule in rules {
        assert_eq!(unsafe_variable(rule), ("?y".to_owned(), rule.to_owned()));
    }
}

#[test]
fn case_09_a_variable_of_one_not_only_means_for_no_value() {
    let facts = "(d a) (d b) (d c) (e a b) (e b c) (f c)";
    let holds = |condition: &str| answers(&format!("{facts} (<= (p ?x) (d ?x) {condition})"));
    assert_eq!(holds("(not (e ?x ?y))"), ["c"]);
    assert_eq!(holds("(not (e ?y ?z))"), [""; 0]);
    assert_eq!(holds("(not (g ?y))"), ["a", "b", "c"]);
    assert_eq!(holds("(not (and (e ?x ?y) (f ?y)))"), ["a", "c"]);
    assert_eq!(holds("(not (and (e ?x ?y) (not (f ?y))))"), ["b", "c"]);
    assert_eq!(holds("(not (and (e ?y ?x) (distinct ?y a)))"), ["a", "b"]);
    assert_eq!(holds("(not (or (e ?x ?y) (f ?y)))"), [""; 0]);
    assert_eq!(holds("(not (or (e ?x ?y) (f ?x)))"), [""; 0]);
    assert_eq!(holds("(not (and (e ?x ?y) (not (e ?y ?z))))"), ["a", "c"]);
    assert_eq!(holds("(or (not (e ?x ?y)) (not (e ?z ?x)))"), ["a", "c"]);
    assert_eq!(holds("(not (and (e ?x ?y) (not (distinct ?y (g ?z)))))"), ["a", "b", "c"]);
    // Equality has a value for each variable.
    assert_eq!(holds("(not (distinct ?y b)) (not (distinct ?z ?z))"), ["a", "b", "c"]);
    assert_eq!(holds("(not (or (e ?x ?y) (not (and (f ?z) (not (distinct ?y ?y))))))"), ["c"]);
    // By De Morgan's laws these find a value.
    assert_eq!(holds("(not (not (e ?x ?y)))"), ["a", "b"]);
    assert_eq!(holds("(not (or (e ?x ?y) (not (f ?y))))"), ["a", "c"]);
}

#[test]
fn case_09_no_value_of_what_changes() {
    let mut game = Game::new(
        "(role x) (init (at a)) (<= (legal x go) (not (and (true (at ?p)) (far ?p)))) (far c)
         (legal x stay) (<= moved (does x go)) (<= (next (at c)) (not (does ?r stay)))
         (<= terminal (not (true (at ?p)))) (<= (goal x 50) (not (legal x ?m)))",
    );
    assert_eq!(
        (game.legal("x"), game.terminal(), game.goal("x")),
        (vec!["go".into(), "stay".into()], false, None)
    );
    game.play(&["go"]);
    assert_eq!((game.legal("x"), game.facts()), (vec!["stay".to_owned()], vec!["(at c)".to_owned()]));
    game.play(&["stay"]);
    assert!(game.terminal());
}

#[test]
fn case_09_a_cycle_through_no_value_is_an_error() {
    let text = "(role x) (p a) (<= (p ?x) (q ?x) (not (r ?y))) (<= (r ?x) (p ?x) (s ?x)) (q b) (s b) (<= (legal x ?x) (p ?x))";
    let GameError::NegativeCycle { cycle } = legal_error_of(text) else { panic!("not a cycle") };
    assert!(cycle.iter().any(|atom| atom.starts_with("(not (condition below `not`")), "{cycle:?}");
    assert_eq!(answers("(p a) (<= (p ?x) (q ?x) (not (r ?y))) (<= (r ?x) (p ?x) (s ?x)) (q b)"), ["a", "b"]);
}

#[test]
fn case_14_other_relations_have_the_name_of_a_keyword() {
    let mut game = Game::new(
        "(role x) (next 1 2) (next 2 3) (init first) (init) (base a b) (base) (input go) (init (step 1))
         (<= (legal x (to ?y)) (true (step ?x)) (next ?x ?y)) (<= (legal x go) (input go) (init) base)
         (<= (next (step ?y)) (does x (to ?y))) (<= (legal x ?x) (next ?x)) (<= (legal x ?x) (init ?x))
         (<= (next ?x ?y ?y) (next ?x ?y)) (<= terminal (next 1 2 2) (not (next ?x ?y ?x)) (true (step 2)))",
    );
    assert_eq!(game.facts(), ["(step 1)", "first"]);
    assert_eq!((game.legal("x"), game.terminal()), (vec!["(to 2)".to_owned(), "go".to_owned()], false));
    game.play(&["(to 2)"]);
    assert_eq!((game.facts(), game.terminal()), (vec!["(step 2)".to_owned()], true));
}

#[test]
fn case_10_arity_tells_symbols_apart() {
    assert_eq!(answers("(p a) (p b c) (p d e f) (<= (p ?x) (p ?x ?y))"), ["a", "b"]);
    assert_eq!(answers("(d (f a)) (d (f a b)) (d f) (<= (p ?x) (d (f ?x)))"), ["a"]);
    assert_eq!(answers("(p p) (p (p q))"), ["(p q)", "p"]);
    let wide = |last: &str| format!("({}{last})", "w ".repeat(50));
    assert_eq!(answers(&format!("{} (<= (p ?x) {})", wide("a"), wide("?x"))), ["a"]);
    let row: Vec<_> = (0..70).map(|column| column.to_string()).collect();
    let rows = |last: &str| format!("(w {} {last})", row.join(" "));
    assert_eq!(answers(&format!("{} {} (<= (p ?x) {})", rows("a"), rows("b"), rows("?x"))), ["a", "b"]);
}

#[test]
fn case_11_not_is_a_constant_inside_terms() {
    assert_eq!(answers("(gate not a) (gate and b) (<= (p ?x) (gate not ?x))"), ["a"]);
    assert_eq!(answers("(p (not a)) (p not)"), ["(not a)", "not"]);
}

#[test]
fn case_12_reserved_relations_in_bodies() {
    let mut game = Game::new(
        "(role x) (init (n 1)) (<= (legal x go) (true (n 1)))
         (<= stuck (not (legal x go))) (<= terminal stuck) (<= (goal ?r 100) (role ?r) terminal)
         (<= (goal ?r 0) (role ?r) (not (goal ?r 100))) (<= (next (worth ?n)) (goal x ?n))",
    );
    assert_eq!((game.terminal(), game.goal("x")), (false, Some(0)));
    game.play(&["go"]);
    assert_eq!(game.facts(), ["(worth 0)"]);
    assert_eq!((game.terminal(), game.goal("x")), (true, Some(100)));
}

#[test]
fn case_13_nobody_moves_below_legal_goal_and_terminal() {
    let mut game = Game::new(
        "(role x) (legal x a) (<= moved (does x a)) (<= (legal x b) moved) (<= terminal moved)
         (<= (goal x 100) moved) (<= (goal x 0) (not moved)) (<= (next after) moved)",
    );
    assert_eq!((game.legal("x"), game.terminal(), game.goal("x")), (vec!["a".to_owned()], false, Some(0)));
    game.play(&["a"]);
    assert_eq!(game.facts(), ["after"]);
    assert_eq!((game.legal("x"), game.terminal(), game.goal("x")), (vec!["a".to_owned()], false, Some(0)));
}

#[test]
fn case_14_next_and_init_in_bodies_are_false() {
    assert_eq!(answers("(init a) (next b) (p c) (<= (p ?x) (init ?x)) (<= (p ?x) (next ?x))"), ["c"]);
    assert_eq!(answers("(init a) (<= (p c) (not (init a)) (not (next b)))"), ["c"]);
}

#[test]
fn case_14_nothing_is_true_before_the_start() {
    let mut game =
        Game::new("(role x) (init a) (<= (init b) (true a)) (<= (init c) (not (does x go))) (legal x go)");
    assert_eq!(game.facts(), ["a", "c"]);
}

#[test]
fn case_15_init_and_roles_by_rules() {
    let mut game = Game::new(
        "(<= (role ?r) (player ?r)) (role z) (role b) (player c) (player a) (player b)
         (<= (init (at ?r ?n)) (role ?r) (size ?n)) (size 3) (<= (legal ?r stay) (role ?r))",
    );
    assert_eq!(game.roles(), ["z", "b", "c", "a"]);
    assert_eq!(game.facts(), ["(at a 3)", "(at b 3)", "(at c 3)", "(at z 3)"]);
}

#[test]
fn case_16_an_empty_initial_state() {
    let mut game = Game::new("(role x) (legal x go) (<= (next done) (does x go)) (<= terminal (true done))");
    assert!(game.facts().is_empty() && !game.terminal());
    game.play(&["go"]);
    assert!(game.terminal());
}

#[test]
fn case_16_an_initial_state_that_is_terminal() {
    let mut game = Game::new("(role x) (init over) (<= terminal (true over)) (<= (goal x 70) (true over))");
    assert_eq!((game.terminal(), game.goal("x"), game.legal("x")), (true, Some(70), Vec::new()));
}

#[test]
fn case_16_six_roles_one_of_which_never_moves() {
    let roles = "(role a) (role b) (role c) (role d) (role e) (role idle)";
    let mut game = Game::new(&format!(
        "{roles} (<= (legal ?r (say ?r)) (role ?r) (distinct ?r idle)) (legal idle noop)
         (<= (next (said ?r ?m)) (does ?r ?m))"
    ));
    game.play(&["(say a)", "(say b)", "(say c)", "(say d)", "(say e)", "noop"]);
    assert_eq!(game.facts().len(), 6);
    assert_eq!(game.legal("idle"), ["noop"]);
}

#[test]
fn case_17_true_as_a_fact_holds_in_every_state() {
    let mut game = Game::new("(role x) (true (wall 1)) (init a) (<= (legal x (hit ?n)) (true (wall ?n)))");
    assert_eq!(game.facts(), ["a"]);
    assert_eq!(game.legal("x"), ["(hit 1)"]);
    game.play(&["(hit 1)"]);
    assert!(game.facts().is_empty());
    assert_eq!(game.legal("x"), ["(hit 1)"]);
}

#[test]
fn case_18_left_mutual_and_nested_recursion() {
    let edges = "(e 1 2) (e 2 3) (e 3 1) (e 4 5)";
    assert_eq!(
        answers(&format!(
            "{edges} (<= (r ?x ?y) (r ?x ?z) (e ?z ?y)) (<= (r ?x ?y) (e ?x ?y)) (<= (p ?y) (r 1 ?y))"
        )),
        ["1", "2", "3"]
    );
    assert_eq!(
        answers(&format!(
            "{edges} (<= (r ?x ?y) (r ?x ?z) (r ?z ?y)) (<= (r ?x ?y) (e ?x ?y)) (<= (p ?y) (r 4 ?y))"
        )),
        ["5"]
    );
    let mutual = "(s 0 1) (s 1 2) (s 2 3) (s 3 4) (even 0) (<= (even ?y) (odd ?x) (s ?x ?y)) (<= (odd ?y) (even ?x) (s ?x ?y))";
    assert_eq!(answers(&format!("{mutual} (<= (p ?x) (odd ?x))")), ["1", "3"]);
    let lists = "(list (c a (c b (c d nil)))) (<= (tail ?l) (list ?l)) (<= (tail ?t) (tail (c ?h ?t))) (<= (p ?h) (tail (c ?h ?t)))";
    assert_eq!(answers(lists), ["a", "b", "d"]);
}

#[test]
fn case_18_recursion_through_the_state_is_computed_anew() {
    let mut game = Game::new(
        "(role x) (init (e 1 2)) (init (e 2 3)) (legal x cut) (<= (r 1)) (<= (r ?y) (r ?x) (true (e ?x ?y)))
         (<= (next (e 2 3)) (does x cut)) (<= (goal x 100) (r 3)) (<= (goal x 0) (not (r 3)))",
    );
    assert_eq!(game.goal("x"), Some(100));
    game.play(&["cut"]);
    assert_eq!(game.goal("x"), Some(0));
}

#[test]
fn case_19_negation_ordered_between_ground_atoms() {
    let mut game = Game::new(
        "(role x) (role y) (init (won x)) (<= (legal ?r noop) (role ?r))
         (<= (goal ?r 100) (true (won ?r))) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
    );
    assert_eq!((game.goal("x"), game.goal("y")), (Some(100), Some(0)));
    let nim = "(s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5) (<= (p ?y) (s ?x ?y) (not (p ?x)))";
    assert_eq!(answers(nim), ["1", "3", "5"]);
}

#[test]
fn case_19_a_cycle_is_an_error_that_shows_it() {
    let text = "(role x) (init (m a b)) (init (m b a)) (<= (win ?x) (true (m ?x ?y)) (not (win ?y))) (<= (legal x ?x) (win ?x))";
    let GameError::NegativeCycle { cycle } = legal_error_of(text) else { panic!("not a cycle") };
    assert_eq!(cycle.len(), 3, "{cycle:?}");
    assert_eq!(cycle[2], format!("(not {})", cycle[0]));
    assert!(["(not (win a))", "(not (win b))"].contains(&cycle[1].as_str()), "{cycle:?}");
    let mut acyclic = Game::new(&text.replace("(init (m b a))", ""));
    assert_eq!(acyclic.legal("x"), ["a"]);
}

#[test]
fn case_19_calls_may_wait_for_themselves_where_atoms_do_not() {
    let open_call_first = "(below 0 1) (below 1 2) (below 0 2) (val a) (val b) (n 0 a)
        (<= (n ?k ?v) (n ?l ?w) (below ?l ?k) (val ?v) (not (n ?l ?v)))
        (<= (p (m ?k ?v)) (n ?k ?v))";
    assert_eq!(answers(open_call_first), ["(m 0 a)", "(m 1 b)", "(m 2 a)", "(m 2 b)"]);
    assert!(answers("(<= (p a) (not (p a)) q)").is_empty());
    let below_another_call = "(d 1) (d 2) (<= (p ?x) (d ?x) (r ?x) (not (q ?x)))
        (<= (r ?x) (d ?x) (not (s ?x))) (<= (q ?x) (d ?x) (not (r ?x)) (s 1)) (<= (s ?x) (q ?x) (r ?x))";
    assert_eq!(answers(below_another_call), ["1", "2"]);
    let already_answered = "(<= a b) (<= a p2) (<= p2 a never) (<= b (not p2)) (<= a (role x)) (<= (p a) a)";
    assert_eq!(answers(already_answered), ["a"]);
    let possible_needs_a_caller = "(<= (p ?x) (q ?x)) (<= (p l) l) (<= l (role x)) (<= l (q ?x) (never ?x))
        (<= (q 1) (not (r 8))) (<= (q 5) (not (r 9))) (<= (r ?x) (q ?z) (bad ?x ?z) l) (bad 9 1) (never 77)";
    assert_eq!(answers(possible_needs_a_caller), ["1", "l"]);
}

#[test]
fn case_21_what_is_derived_twice_counts_once() {
    assert_eq!(answers("(p a) (p a) (q a) (<= (p ?x) (q ?x)) (<= (p ?x) (q ?x))"), ["a"]);
    let mut game = Game::new(
        "(role x) (role x) (legal x a) (init f) (init f) (goal x 5) (<= (goal x ?n) (five ?n)) (five 5)",
    );
    assert_eq!(
        (game.roles(), game.facts(), game.goal("x")),
        (vec!["x".to_owned()], vec!["f".to_owned()], Some(5))
    );
}

#[test]
fn case_22_a_goal_is_one_integer_from_0_to_100() {
    let goal = |rules: &str| Game::new(&format!("(role x) (legal x a) {rules}")).goal("x");
    assert_eq!(goal("(init (score 40)) (<= (goal x ?n) (true (score ?n)))"), Some(40));
    assert_eq!(goal("(goal x 0)"), Some(0));
    assert_eq!(goal("(goal x 100)"), Some(100));
    assert_eq!(goal("(goal x 0050)"), Some(50));
    for none in [
        "",
        "(goal x 0) (goal x 100)",
        "(goal x 101)",
        "(goal x -1)",
        "(goal x win)",
        "(goal x (f 1))",
        "(goal x 300)",
        "(goal x 50) (goal x 050)",
    ] {
        assert_eq!(goal(none), None, "{none}");
    }
}

#[test]
fn case_23_a_role_without_moves_is_a_game_error() {
    let mut game = Game::new("(role x) (role y) (init stuck) (legal x go)");
    assert!(game.legal("y").is_empty());
    let error = game.playout().unwrap_err();
    assert_eq!(error, GameError::NoLegalMove { role: "y".into(), facts: vec!["stuck".into()] });
}

#[test]
fn case_24_base_and_input_do_not_restrict_play() {
    let mut game = Game::new("(role x) (base a) (input x a) (init b) (legal x c) (<= (next d) (does x c))");
    assert_eq!((game.facts(), game.legal("x")), (vec!["b".to_owned()], vec!["c".to_owned()]));
    game.play(&["c"]);
    assert_eq!(game.facts(), ["d"]);
}

#[test]
fn case_25_a_variable_role() {
    let mut game = Game::new("(role x) (role y) (<= (legal ?r (pass ?r)) (role ?r))");
    assert_eq!(
        (game.legal("x"), game.legal("y")),
        (vec!["(pass x)".to_owned()], vec!["(pass y)".to_owned()])
    );
}

#[test]
fn case_26_what_no_rule_keeps_is_gone() {
    let mut game = Game::new("(role x) (init a) (init b) (legal x go) (<= (next a) (true a))");
    game.play(&["go"]);
    assert_eq!(game.facts(), ["a"]);
}

#[test]
fn case_27_thousands_of_moves() {
    let numbers: String = (0..60).map(|n| format!("(n {n}) ")).collect();
    let mut game = Game::new(&format!("(role x) {numbers} (<= (legal x (m ?a ?b)) (n ?a) (n ?b))"));
    assert_eq!(game.legal("x").len(), 3600);
}

#[test]
fn case_28_what_nothing_defines_is_false() {
    assert_eq!(answers("(p a) (<= (p b) (nothing c)) (<= (p c) (not (nothing c)))"), ["a", "c"]);
}

#[test]
fn case_29_static_rules_count() {
    let mut game = Game::new(
        "(role x) (legal x go) (next always) (<= (next never) (not (true seen))) (<= (next seen) (not (does x stay)))
         (goal x 30) (<= terminal yes) yes",
    );
    assert_eq!((game.terminal(), game.goal("x")), (true, Some(30)));
    game.play(&["go"]);
    assert_eq!(game.facts(), ["always", "never", "seen"]);
    game.play(&["go"]);
    assert_eq!(game.facts(), ["always", "seen"]);
}

#[test]
fn case_30_negated_static_relations() {
    assert_eq!(answers("(d 1) (d 2) (wall 1) (<= (p ?x) (d ?x) (not (wall ?x)))"), ["2"]);
    assert_eq!(
        answers(
            "(d 1) (d 2) (<= (wall ?x) (d ?x) (not (door ?x))) (door 2) (<= (p ?x) (d ?x) (not (wall ?x)))"
        ),
        ["2"]
    );
}

#[test]
fn case_31_a_variable_over_all_fluents() {
    let mut game = Game::new(
        "(role x) (init a) (init (f b c)) (init (g 1)) (legal x go) (<= (next ?x) (true ?x) (distinct ?x a))",
    );
    game.play(&["go"]);
    assert_eq!(game.facts(), ["(f b c)", "(g 1)"]);
}

#[test]
fn case_32_deep_terms() {
    let nest = |inner: &str| format!("{}{inner}{}", "(s ".repeat(300), ")".repeat(300));
    assert_eq!(answers(&format!("(d {}) (<= (p ?x) (d {}))", nest("a"), nest("?x"))), ["a"]);
    assert_eq!(answers(&format!("(p {})", nest("a"))), [nest("a")]);
}

#[test]
fn case_33_random_is_a_role_and_sees_is_accepted() {
    let mut game = Game::new(
        "(role random) (role x) (legal random a) (legal random b) (legal x c) (<= (sees x ?m) (does random ?m)) (<= (next (m ?m)) (does random ?m))",
    );
    assert_eq!(game.legal("random"), ["a", "b"]);
    game.play(&["b", "c"]);
    assert_eq!(game.facts(), ["(m b)"]);
}

#[test]
fn a_worker_goes_on_after_an_error() {
    let text = "(role x) (init ok) (<= (legal x a) (true ok)) (<= (goal x ?n) (true bad) (not (q ?n))) (<= (goal x 1) (true ok))";
    let mut game = Game::new(text);
    game.set(&["bad", "ok"]);
    assert_eq!(game.try_goal("x").unwrap_err().code(), "unsafe-variable");
    assert_eq!(game.legal("x"), ["a"]);
    game.set(&["ok"]);
    assert_eq!(game.goal("x"), Some(1));
    assert_eq!(error_of("(<= (role ?x) (not (q ?x)))").code(), "unsafe-variable");
}
