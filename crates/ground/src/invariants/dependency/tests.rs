use super::naive::Naive;
use super::{Dependency, Effort, prove};
use senet_analysis::Program;
use std::path::Path;

fn program(text: &str) -> Program {
    let description = senet_gdl::parse(text);
    senet_analysis::analyze(&description, false).program.expect("an accepted rulesheet")
}

/// The proved dependencies of a rulesheet, as text, sorted.
fn proved(text: &str) -> Vec<String> {
    let program = program(text);
    let mut shown: Vec<String> =
        prove(&program, &Naive::new(&program), Effort { all: 600_000, pair: 50_000 })
            .dependencies
            .iter()
            .map(|Dependency { functor, arity, key }| {
                format!("{}/{arity} {key:?}", program.symbols().name(*functor))
            })
            .collect();
    shown.sort();
    shown
}

/// Two players, one of which has the turn.
const TURNS: &str = "
    (role x) (role o) (opponent x o) (opponent o x)
    (init (control x))
    (<= (next (control ?other)) (true (control ?me)) (opponent ?me ?other))
    (<= (legal ?other noop) (true (control ?me)) (opponent ?me ?other))
    (<= terminal (not (true (cell 1 b))))
    (goal x 50) (goal o 50)";

const ROW: &str = "
    (index 1) (index 2) (index 3)
    (<= (init (cell ?i b)) (index ?i))
    (<= (marked ?i) (does ?me (mark ?i)))
    (<= (next (cell ?i ?c)) (true (cell ?i ?c)) (not (marked ?i)))
    (<= (next (cell ?i ?me)) (does ?me (mark ?i)))";

#[test]
fn cells_have_one_mark_where_players_take_turns() {
    let legal = "(<= (legal ?me (mark ?i)) (true (control ?me)) (true (cell ?i b)))";
    assert_eq!(proved(&format!("{TURNS} {ROW} {legal}")), ["cell/2 [0]", "control/1 []"]);
}

#[test]
fn cells_can_have_two_marks_where_players_move_at_once() {
    let legal = "(<= (legal ?me (mark ?i)) (role ?me) (true (cell ?i b)))";
    assert_eq!(proved(&format!("{TURNS} {ROW} {legal}")), ["control/1 []"]);
}

#[test]
fn a_frame_that_forgets_the_move_is_no_dependency() {
    let rules = "(<= (next (cell ?i ?c)) (true (cell ?i ?c))) (<= (legal ?me (mark ?i)) (true (control ?me)) (true (cell ?i b)))";
    assert_eq!(proved(&format!("{TURNS} {ROW} {rules}")), ["control/1 []"]);
}

#[test]
fn counters_follow_a_functional_table() {
    let counter = "(init (step 0)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))";
    let game = |table: &str| proved(&format!("{TURNS} (init (cell 1 b)) {counter} {table}"));
    assert!(game("(succ 0 1) (succ 1 2)").contains(&"step/1 []".to_owned()));
    assert!(!game("(succ 0 1) (succ 0 2)").contains(&"step/1 []".to_owned()), "0 has two successors");
}

#[test]
fn a_frame_can_keep_whole_fluents() {
    let frame = "
        (init (cell 1 b)) (init (cell 2 b)) (kept cell)
        (<= (next ?f) (true ?f) (not (changed ?f)))
        (<= (changed (control ?p)) (true (control ?p)))
        (<= (changed (cell ?i ?c)) (true (cell ?i ?c)) (does ?me (mark ?i)))
        (<= (next (cell ?i ?me)) (does ?me (mark ?i)))
        (<= (legal ?me (mark ?i)) (true (control ?me)) (true (cell ?i b)))";
    assert_eq!(proved(&format!("{TURNS} {frame}")), ["cell/2 [0]", "control/1 []"]);
}

#[test]
fn fluents_that_moves_name_as_a_whole_break_every_dependency() {
    let made = "
        (init (cell 1 b)) (thing (cell 1 x)) (thing (cell 1 o)) (thing (control o))
        (<= (next (cell ?i ?c)) (true (cell ?i ?c)))
        (<= (next ?f) (does ?me (make ?f)))
        (<= (legal ?me (make ?f)) (true (control ?me)) (thing ?f))";
    assert!(proved(&format!("{TURNS} {made}")).is_empty());
}

#[test]
fn the_role_of_a_move_decides_where_roles_have_cells_of_their_own() {
    let game = |legal: &str| {
        proved(&format!(
            "(role x) (role o) (number 1) (number 2)
             (<= (next (bid ?r ?n)) (does ?r (bid ?n)))
             {legal}
             (<= terminal (true (bid x 1))) (goal x 50) (goal o 50)"
        ))
    };
    assert_eq!(game("(<= (legal ?r (bid ?n)) (role ?r) (number ?n))"), ["bid/2 [0]"]);
    let one_bidder = "(<= (legal x (bid ?n)) (number ?n)) (legal o noop)";
    assert_eq!(game(one_bidder), ["bid/2 []"]);
}

#[test]
fn absent_fluents_are_told_from_their_values() {
    let rules = "
        (index 1) (index 2)
        (<= (open ?i) (index ?i) (not (true (cell ?i x))) (not (true (cell ?i o))))
        (<= (legal ?me (mark ?i)) (true (control ?me)) (open ?i))
        (<= (next (cell ?i ?c)) (true (cell ?i ?c)))
        (<= (next (cell ?i ?me)) (does ?me (mark ?i)))";
    assert_eq!(proved(&format!("{TURNS} {rules}")), ["cell/2 [0]", "control/1 []"]);
    let third = "(init (cell 1 wall))";
    assert_eq!(proved(&format!("{TURNS} {rules} {third}")), ["control/1 []"], "a wall can be marked");
}

#[test]
fn a_path_through_blank_cells_ends_on_one() {
    let rules = |end: &str, longer: &str| {
        format!(
            "{TURNS} (init (cell 1 x)) (init (cell 2 b)) (init (cell 3 b)) (succ 1 2) (succ 2 3)
             (<= (path ?i ?j) (succ ?i ?j) {end})
             (<= (path ?i ?k) (true (cell ?i ?any)) {longer})
             (<= (legal ?me (go ?i ?j)) (true (control ?me)) (true (cell ?i ?me)) (path ?i ?j))
             (<= (left ?i) (does ?me (go ?i ?j)))
             (<= (next (cell ?j ?me)) (does ?me (go ?i ?j)))
             (<= (next (cell ?i b)) (does ?me (go ?i ?j)))
             (<= (next (cell ?i ?c)) (true (cell ?i ?c)) (not (left ?i)) (distinct ?c b))"
        )
    };
    let (is_blank, from_next) = ("(true (cell ?j b))", "(succ ?i ?j) (true (cell ?j b)) (path ?j ?k)");
    assert_eq!(proved(&rules(is_blank, from_next)), ["cell/2 [0]", "control/1 []"]);
    assert_eq!(proved(&rules("(succ ?i ?j)", from_next)), ["control/1 []"], "the end can be occupied");
    let beyond = "(path ?i ?j) (succ ?j ?k)";
    assert_eq!(proved(&rules(is_blank, beyond)), ["control/1 []"], "a longer path can end anywhere");
}

#[test]
fn a_state_that_is_followed_by_another_is_not_terminal() {
    let game = |terminal: &str| {
        proved(&format!(
            "(role x) (legal x wait)
             (init (light off)) (init calm)
             (<= (next (light off)) (true calm))
             (<= (next calm) (true calm))
             (<= (next storm) (true storm))
             (<= (next (light on)) (true storm))
             {terminal} (goal x 50)"
        ))
    };
    assert_eq!(game("(<= terminal (true storm))"), ["light/1 []"]);
    assert!(game("(<= terminal (true (light on)))").is_empty());
}

#[test]
fn rules_for_the_position_or_the_moves_forbid_every_conclusion() {
    let rules = "(init (cell 1 b))";
    assert_eq!(proved(&format!("{TURNS} {rules}")), ["cell/2 []", "control/1 []"]);
    assert!(proved(&format!("{TURNS} {rules} (<= (true (control o)) (true (cell 1 b)))")).is_empty());
    assert!(proved(&format!("{TURNS} {rules} (<= (does o noop) (true (cell 1 b)))")).is_empty());
}

#[test]
fn static_rules_for_next_and_legal_are_rules() {
    let game = "(role x) (legal x a) (legal x b) (init (p 1)) (next (p 1)) (next (p 2)) (next (q 1))
        (<= (next (r ?m)) (does x ?m)) (<= terminal (true (q 2))) (goal x 50)";
    assert_eq!(proved(game), ["q/1 []", "r/1 []"]);
    let without_moves =
        "(role x) (legal x (a 1)) (init (p 1)) (next (p 1)) (next (p 2)) terminal (goal x 50)";
    assert!(proved(without_moves).is_empty());
}

#[test]
fn conditions_that_only_some_rules_for_a_move_share_prove_nothing() {
    let legal = "(<= (legal ?me (mark ?i)) (true (control ?me)) (true (cell ?i b)))
        (<= (legal ?me (mark ?i)) (role ?me) (true (cell ?i b)) (true (cell 1 b)))";
    assert_eq!(proved(&format!("{TURNS} {ROW} {legal}")), ["control/1 []"]);
}

#[test]
fn what_was_proved_with_a_fallen_dependency_is_proved_anew() {
    let game = |legal: &str| {
        proved(&format!(
            "(role x) (init (holds 9 c)) (init (at a 1)) (init (at b 2)) (cell 1) (cell 2) (cell 3)
             (<= (next (at ?piece ?i)) (does x (go ?piece ?i)))
             (<= (next (at ?piece ?i)) (true (at ?piece ?i)) (not (moves ?piece)))
             (<= (moves ?piece) (does x (go ?piece ?i)))
             (<= (next (holds ?i ?piece)) (true (at ?piece ?i)))
             (<= (taken ?i) (true (at ?piece ?i)))
             {legal}
             (<= terminal (true (at a 3))) (goal x 50)"
        ))
    };
    let to_empty = "(<= (legal x (go ?piece ?i)) (true (at ?piece ?j)) (cell ?i) (not (taken ?i)))";
    assert_eq!(game(to_empty), ["at/2 [0]", "at/2 [1]", "holds/2 [0]", "holds/2 [1]"]);
    let anywhere = "(<= (legal x (go ?piece ?i)) (true (at ?piece ?j)) (cell ?i))";
    assert_eq!(game(anywhere), ["at/2 [0]", "holds/2 [1]"]);
}

#[test]
fn built_in_games() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let read = |name: &str| std::fs::read_to_string(games.join(name)).expect("a built-in game");
    assert_eq!(proved(&read("lines/tic-tac-toe.kif")), ["cell/3 [0, 1]", "control/1 []"]);
    assert_eq!(
        proved(&read("chess/chess.kif")),
        ["cell/3 [0, 1]", "control/1 []", "double_step/1 []", "quiet/1 []"]
    );
    assert_eq!(proved(&read("puzzles/eight-puzzle.kif")), ["cell/3 [0, 1]", "cell/3 [2]", "step/1 []"]);
    assert_eq!(
        proved(&read("tron/tron-10x10.kif")),
        ["cell/3 [0, 1]", "heading/2 [0]", "rider/3 [0]", "rider/3 [1, 2]"]
    );
}
