use super::{exclusive_groups, label_exactly_one};
use crate::invariants::dependency::naive::Naive;
use crate::invariants::dependency::{Dependency, Effort, prove};
use crate::{AtomId, GroundProgram, MutexGroup, Options, ground};
use senet_analysis::Program;
use std::path::Path;

/// `None` if the game is too large for the budget.
pub(super) fn groups_of(program: &Program, options: &Options) -> Option<(GroundProgram, Vec<MutexGroup>)> {
    let ground = ground(program, options, &mut |_| ()).ok()?.program;
    let effort = Effort::beside(program, 100_000).expect("more than a little");
    let proved = prove(program, &Naive::new(program), effort);
    let mut groups = exclusive_groups(&ground, &proved.dependencies);
    label_exactly_one(&ground, &mut groups);
    Some((ground, groups))
}

pub(super) fn fluent_text(ground: &GroundProgram, fluent: AtomId) -> String {
    let mut text = String::new();
    ground.args(fluent).for_each(|arg| ground.terms().write(&mut text, ground.symbols(), arg));
    text
}

fn program(text: &str) -> Program {
    let description = senet_gdl::parse(text);
    senet_analysis::analyze(&description, false).program.expect("an accepted rulesheet")
}

fn shown(ground: &GroundProgram, group: &MutexGroup) -> String {
    group.fluents.iter().map(|&fluent| fluent_text(ground, fluent)).collect::<Vec<_>>().join(" ")
}

/// The groups of a rulesheet as text, those that have always a member marked with `1:`.
fn found(text: &str) -> Vec<String> {
    let (ground, groups) = groups_of(&program(text), &Options::default()).expect("a small game");
    let mark = |group: &MutexGroup| if group.is_exactly_one { "1: " } else { "" };
    groups.iter().map(|group| format!("{}{}", mark(group), shown(&ground, group))).collect()
}

/// Two players, one of which has the turn.
const TURNS: &str = "
    (role x) (role o) (opponent x o) (opponent o x)
    (init (control x))
    (<= (next (control ?other)) (true (control ?me)) (opponent ?me ?other))
    (<= (legal ?other noop) (true (control ?me)) (opponent ?me ?other))
    (goal x 50) (goal o 50)";

const CONTROL: &str = "1: (control x) (control o)";

#[test]
fn turns_alternate_without_end() {
    assert_eq!(
        found(&format!("{TURNS} (<= (legal ?me go) (true (control ?me))) (<= terminal (true end)) (init p)")),
        [CONTROL]
    );
}

#[test]
fn a_counter_has_a_value_if_it_ends_with_the_game() {
    let game = |terminal: &str| {
        found(&format!(
            "(role x) (legal x wait) (init (step 1)) (succ 1 2) (succ 2 3) (init start)
             (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (goal x 50) {terminal}"
        ))
    };
    assert_eq!(game("(<= terminal (true (step 3)))"), ["1: (step 1) (step 2) (step 3)"]);
    assert_eq!(game("(<= over (true (step 3))) (<= terminal over)"), ["1: (step 1) (step 2) (step 3)"]);
    assert_eq!(game("(<= terminal (true (step 3)) (not (true start)))"), ["(step 1) (step 2) (step 3)"]);
}

#[test]
fn cells_keep_what_they_hold_unless_a_move_writes_them() {
    let row = |marks: &str| {
        found(&format!(
            "{TURNS} (init (cell 1 b)) (init (cell 2 b))
             (<= (legal ?me (mark ?i)) (true (control ?me)) (true (cell ?i b)))
             (<= (marked ?i) (does ?me (mark ?i)))
             (<= (next (cell ?i ?c)) (true (cell ?i ?c)) (not (marked ?i)))
             {marks} (<= open (true (cell ?i b))) (<= terminal (not open))"
        ))
    };
    let cells = |mark: &str| {
        let cell = |i| format!("{mark}(cell {i} b) (cell {i} x) (cell {i} o)");
        vec![CONTROL.to_owned(), cell(1), cell(2)]
    };
    let mut all = row("(<= (next (cell ?i ?me)) (does ?me (mark ?i)))");
    all.sort_by_key(|group| !group.contains("control"));
    assert_eq!(all, cells("1: "));
    // With a condition that what is legal implies.
    let mut all = row("(<= (next (cell ?i ?me)) (does ?me (mark ?i)) (true (control ?me)))");
    all.sort_by_key(|group| !group.contains("control"));
    assert_eq!(all, cells("1: "));
    // With one that it does not.
    let mut all = row("(<= (next (cell ?i ?me)) (does ?me (mark ?i)) (true (cell 1 b)))");
    all.sort_by_key(|group| !group.contains("control"));
    assert_eq!(all, [CONTROL, "1: (cell 1 b) (cell 1 x) (cell 1 o)", "(cell 2 b) (cell 2 x) (cell 2 o)"]);
}

#[test]
fn cells_that_a_move_empties_have_no_value_then() {
    let game = |frame: &str| {
        found(&format!(
            "(role x) (init (cell 1 a)) (init (cell 2 a)) (index 1) (index 2) (value a) (value b)
             (<= (legal x (clear ?i)) (index ?i)) (<= (legal x (set ?i ?v)) (index ?i) (value ?v))
             (<= (touched ?i) (does x (clear ?i))) (<= (touched ?i) (does x (set ?i ?v)))
             (<= (next (cell ?i ?v)) (does x (set ?i ?v)))
             (<= (next (cell ?i ?v)) (true (cell ?i ?v)) (not (touched ?i)))
             {frame} (<= terminal (true (cell 2 b))) (goal x 50)"
        ))
    };
    assert_eq!(game(""), ["(cell 1 a) (cell 1 b)", "(cell 2 a) (cell 2 b)"]);
    let reset = "(<= (next (cell ?i a)) (does x (clear ?i)))";
    assert_eq!(game(reset), ["1: (cell 1 a) (cell 1 b)", "1: (cell 2 a) (cell 2 b)"]);
}

#[test]
fn what_players_do_at_once_is_followed_by_one_value_each() {
    let game = |legal: &str| {
        found(&format!(
            "(role x) (role o) (init (heading x up)) (init (heading o up))
             (<= (legal ?me up) (role ?me)) (<= (legal ?me down) (role ?me)) {legal}
             (<= (next (heading ?me up)) (does ?me up)) (<= (next (heading ?me down)) (does ?me down))
             (<= terminal (true (heading x down)) (true (heading o down))) (goal x 50) (goal o 50)"
        ))
    };
    let up_and_down = |role| format!("(heading {role} up) (heading {role} down)");
    assert_eq!(game(""), [format!("1: {}", up_and_down("x")), format!("1: {}", up_and_down("o"))]);
    assert_eq!(game("(legal o rest)"), [format!("1: {}", up_and_down("x")), up_and_down("o")]);
}

#[test]
fn what_was_proved_with_a_group_that_falls_is_proved_anew() {
    let game = |stays: &str| {
        found(&format!(
            "(role x) (legal x wait) (legal x go) (init (lamp on)) (init (shade dark)) (init p)
             (<= (next (lamp off)) (true (lamp on)) (does x go)) (<= (next (lamp on)) (true (lamp on)) (does x wait))
             {stays}
             (<= (next (shade dark)) (true (lamp off))) (<= (next (shade light)) (true (lamp on)))
             (<= terminal (true (shade light)) (not (true p))) (goal x 50)"
        ))
    };
    let stays = "(<= (next (lamp off)) (true (lamp off)))";
    let groups = ["(lamp on) (lamp off)", "(shade dark) (shade light)"];
    assert_eq!(game(stays), groups.map(|group| format!("1: {group}")));
    assert_eq!(game(""), groups);
}

#[test]
fn groups_are_listed_once_and_not_within_others() {
    let program = program(
        "(role x) (legal x wait) (init (at a 1)) (init (at b 2)) (init (on 1)) (init (on 2))
         (<= (next (at a ?i)) (true (at b ?i))) (<= (next (at b ?i)) (true (at a ?i)))
         (<= (next (on ?i)) (true (on ?i)) (true (at b ?i))) (<= terminal (true (at a 3))) (goal x 50)",
    );
    let ground = ground(&program, &Options::default(), &mut |_| ()).expect("a small game").program;
    let functor = |name: &str| ground.symbols().get(name).expect("a name of the game");
    let at = |key: &[usize]| Dependency { functor: functor("at"), arity: 2, key: key.to_vec() };
    let listed = |dependencies: &[Dependency]| -> Vec<String> {
        exclusive_groups(&ground, dependencies).iter().map(|group| shown(&ground, group)).collect()
    };
    let [a, b] = ["(at a 1) (at a 2)", "(at b 2) (at b 1)"];
    assert_eq!(listed(&[at(&[0])]), [a, b]);
    assert_eq!(listed(&[at(&[0]), at(&[0])]), [a, b]);
    assert_eq!(listed(&[at(&[0]), at(&[1])]).len(), 4);
    assert_eq!(listed(&[at(&[0]), at(&[]), at(&[1])]).len(), 1);
    assert!(listed(&[at(&[0, 1]), Dependency { arity: 3, ..at(&[0]) }]).is_empty());
}

#[test]
fn built_in_games() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let count = |name: &str| {
        let text = std::fs::read_to_string(games.join(name)).expect("a built-in game");
        let groups = found(&text);
        (groups.iter().filter(|group| group.starts_with("1: ")).count(), groups.len())
    };
    assert_eq!(count("lines/tic-tac-toe.kif"), (10, 10));
    assert_eq!(count("breakthrough/breakthrough-6x6.kif"), (37, 37));
}
