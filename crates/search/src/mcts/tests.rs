//! What the search finds out, by playouts, not by time.

use super::brain::{Brain, TreeBrain};
use super::player::{MOVES_A_LOOK, Mcts, on_lanes, on_one_state};
use super::tree::NONE;
use crate::rules::First;
use crate::testing::{play, rules, started};
use crate::{Assignment, Choice, Limit, Player, Report, Rules, Spec};
use senet_engine_circuit::CircuitEngine;
use senet_game::{Engine, RoleId, roles};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

type State = Box<[u64]>;

const ROBOT: &str = "(role robot) (init here) ";

fn rules_of(text: &str) -> Arc<Rules> {
    Rules::new(senet_gdl::parse(text)).expect("it plays")
}

fn playouts(n: u64) -> Limit {
    Limit::default().with_playouts(n)
}

fn mcts(rules: &Arc<Rules>, options: &str, role: usize, seed: u64) -> Mcts {
    let mut player =
        Mcts::new(format!("mcts:{options}").parse::<Spec>().expect("options").parameters(), seed);
    let assignment = Assignment { rules: rules.clone(), role: RoleId::new(role) };
    player.start(assignment, &Limit::default()).expect("it plays");
    player
}

fn choice(rules: &Arc<Rules>, options: &str, role: usize, n: u64) -> Choice {
    mcts(rules, options, role, 1).choose(&playouts(n)).expect("a move")
}

/// The tree itself, with the states of the circuit.
fn brain(rules: &Arc<Rules>, options: &str, seed: u64) -> TreeBrain<CircuitEngine> {
    let parameters = format!("mcts:{options}").parse::<Spec>().expect("options").parameters();
    let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("it is small");
    if parameters.batch {
        let lanes = rules.lanes().wait(&Limit::default()).expect("no limit").as_ref().expect("it is small");
        on_lanes(&parameters, gates, lanes, 0, seed).expect("it plays")
    } else {
        on_one_state(&parameters, gates.engine.clone(), Some(&gates.circuit), 0, seed, MOVES_A_LOOK)
            .expect("it plays")
    }
}

#[test]
fn the_tree_game_is_solved_for_every_seed() {
    for options in ["", "batch=off", "batch=off,proofs=off,c=50", "threads=2"] {
        for seed in 0..20 {
            let mut player = started("ary-tree", &format!("mcts:{options}"), 0, seed);
            let text = player.choose(&playouts(2_000)).expect("a move").text;
            assert_eq!(text, "(descend b)", "{options}, seed {seed}");
        }
    }
}

/// The scores of both roles when both play best.
fn minimax(
    engine: &CircuitEngine,
    worker: &mut <CircuitEngine as Engine>::Worker,
    state: &State,
    known: &mut HashMap<State, [u8; 2]>,
) -> [u8; 2] {
    if let Some(&found) = known.get(state) {
        return found;
    }
    let found = if engine.is_terminal(worker, state).expect("it plays") {
        [0, 1].map(|role| engine.goal(worker, state, RoleId::new(role)).expect("it plays").expect("a goal"))
    } else {
        let mut moves = [Vec::new(), Vec::new()];
        for role in roles(engine) {
            engine.legals(worker, state, role, &mut moves[role.index()]).expect("it plays");
        }
        let mover = usize::from(moves[1].len() > 1);
        let all = moves[0].iter().flat_map(|&one| moves[1].iter().map(move |&other| [one, other]));
        let mut scores = Vec::new();
        for joint in all {
            let next = engine.step(worker, state, &joint).expect("it plays");
            scores.push(minimax(engine, worker, &next, known));
        }
        scores.into_iter().max_by_key(|scores| scores[mover]).expect("there is a move")
    };
    known.insert(state.clone(), found);
    found
}

#[test]
fn bounds_hold_and_proofs_are_minimax() {
    let rules = rules("tic-tac-toe");
    for options in ["", "batch=off", "threads=2"] {
        let mut brain = brain(&rules, options, 3);
        let engine = brain.engine.clone();
        let (mut worker, mut known) = (engine.worker(), HashMap::new());
        for n in [100, 1_000, 10_000_000] {
            brain.think(&playouts(n)).expect("it plays");
            let tree = &brain.tree;
            for node in 0..tree.nodes.len() as u32 {
                let Some(state) = &tree.nodes[node as usize].state else { continue };
                let scores = minimax(&engine, &mut worker, state, &mut known);
                for (role, score) in scores.map(f32::from).into_iter().enumerate() {
                    let (low, high) = (tree.lows(node)[role], tree.highs(node)[role]);
                    assert!(low <= score && score <= high, "{options}: {low} {score} {high}");
                }
                assert_eq!(tree.nodes[node as usize].waiting, 0, "{options}: nothing is under way");
            }
        }
        let choice = brain.choose().expect("a move");
        assert_eq!((choice.report.is_proved, choice.report.value), (true, Some(50.0)), "{options}");
        assert!(brain.counts().0 < 1_000_000, "{options}: {:?}", brain.counts());
        // There are 5,478 positions: all that are the same are one.
        assert!(brain.tree.len() <= 5_478, "{options}: {}", brain.tree.len());
    }
}

#[test]
fn the_same_position_is_one_node() {
    let rules = rules("tic-tac-toe");
    let mut brain = brain(&rules, "batch=off,proofs=off,c=50", 1);
    brain.think(&playouts(60_000)).expect("it plays");
    let tree = &brain.tree;
    let mut n_parents = vec![0; tree.nodes.len()];
    for node in tree.nodes.iter() {
        if let Some(moves) = &node.moves {
            moves.children().for_each(|child| n_parents[child as usize] += 1);
        }
    }
    assert!(n_parents.iter().filter(|&&n| n > 1).count() > 1_000);
    assert!((2_500..=5_478).contains(&tree.len()), "{}", tree.len());
}

#[test]
fn the_same_seed_thinks_the_same() {
    let rules = rules("connect-four");
    for options in ["", "batch=off"] {
        let think = |seed| {
            let mut player = mcts(&rules, options, 0, seed);
            let choice = player.choose(&playouts(20_000)).expect("a move");
            let report = Report { longest_pause: None, ..choice.report };
            (choice.text, report, player.counts())
        };
        assert_eq!(think(1), think(1), "{options}");
        assert_ne!(think(1), think(2), "{options}");
    }
}

#[test]
fn roles_that_move_at_once_mix() {
    let rules = rules("rock-paper-scissors");
    for options in ["", "batch=off"] {
        let mut player = mcts(&rules, options, 0, 5);
        let first = player.choose(&playouts(1_000_000)).expect("a move");
        assert!(!first.report.is_proved);
        for (role, chances) in player.strategies().into_iter().enumerate() {
            assert_eq!(chances.len(), 3);
            for (text, chance) in chances {
                assert!((chance - 1.0 / 3.0).abs() < 0.05, "{options}, {role}: {text} {chance}");
            }
        }
        // The average is what is played.
        let mut counts = HashMap::new();
        for _ in 0..3_000 {
            let text = player.choose(&playouts(1)).expect("a move").text;
            *counts.entry(text).or_insert(0) += 1;
        }
        assert!(counts.len() == 3 && counts.values().all(|n| (800..=1_200).contains(n)), "{counts:?}");
    }
}

#[test]
fn a_known_opponent_is_answered() {
    let rules = rules("rock-paper-scissors");
    for options in ["", "batch=off,"] {
        let n = if options.is_empty() { 300_000 } else { 30_000 };
        let model = format!("{options}model=right/rock=0.6/paper=0.2/scissors=0.2");
        assert_eq!(choice(&rules, &model, 0, n).text, "paper", "{options}");
        let model = format!("{options}model=left/rock=0.2/paper=0.2/scissors=0.6");
        assert_eq!(choice(&rules, &model, 1, n).text, "rock", "{options}");
    }
}

#[test]
fn chance_is_averaged() {
    let lottery = "(role robot) (role random) (init begin)
        (<= (legal robot buy) (true begin)) (<= (legal robot keep) (true begin)) (<= (legal random wait) (true begin))
        (<= (legal robot wait) (true bought)) (<= (legal random win) (true bought)) (<= (legal random lose) (true bought))
        (<= (next bought) (does robot buy)) (<= (next kept) (does robot keep))
        (<= (next won) (does random win)) (<= (next lost) (does random lose))
        (<= terminal (true kept)) (<= terminal (true won)) (<= terminal (true lost))
        (<= (goal robot 60) (true kept)) (<= (goal robot 100) (true won)) (<= (goal robot 0) (true lost)) (goal random 0)
        (<= (goal robot 0) (true begin)) (<= (goal robot 0) (true bought))";
    for (options, value, text) in
        [("", 60.0, "keep"), ("batch=off", 60.0, "keep"), ("model=random/win=0.75/lose=0.25", 75.0, "buy")]
    {
        let choice = choice(&rules_of(lottery), options, 0, 1_000);
        assert_eq!((choice.report.is_proved, choice.report.value), (true, Some(value)), "{options}");
        assert_eq!(choice.text, text, "{options}");
    }
}

#[test]
fn what_is_refuted_does_not_count() {
    // A trap that pays with half of the answers, a safe end that is worth 40, and a long way that is worth 50.
    let mut trap = "(role me) (role you) (init start) (<= (legal you wait) (true start))
        (<= (legal me trap) (true start)) (<= (legal me safe) (true start)) (<= (legal me slow) (true start))
        (<= (next saved) (does me safe)) (<= terminal (true saved)) (<= (goal me 40) (true saved)) (<= (goal you 60) (true saved))
        (<= (legal me wait) (true set)) (<= (legal you spare) (true set)) (<= (legal you catch) (true set))
        (<= (next set) (does me trap)) (<= (next caught) (does you catch)) (<= (next spared) (does you spare))
        (<= (legal me left) (true (step ?n))) (<= (legal me right) (true (step ?n)))
        (<= (legal you wait) (true (step ?n)))
        (<= (next (step 1)) (does me slow)) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= terminal (true caught)) (<= terminal (true spared)) (<= terminal (true (step 60)))
        (<= (goal me 0) (true caught)) (<= (goal you 100) (true caught))
        (<= (goal me 100) (true spared)) (<= (goal you 0) (true spared))
        (<= (goal ?r 50) (role ?r) (not (true caught)) (not (true spared)) (not (true saved))) "
        .to_owned();
    (1..60).for_each(|n| trap += &format!("(succ {n} {})", n + 1));
    for (options, n) in [("", 2_000), ("batch=off", 40)] {
        let mut brain = brain(&rules_of(&trap), options, 1);
        brain.think(&playouts(n)).expect("it plays");
        let (tree, root) = (&brain.tree, brain.tree.root);
        assert!(!tree.is_proved(root, 0), "{options}: the way is too long");
        assert_eq!(tree.means(root), [50.0, 50.0], "{options}");
    }
}

/// Whoever goes left to the end has won; whoever quits has lost at once.
fn corridor(length: u32) -> String {
    let steps: String = (0..length).map(|at| format!("(succ {at} {}) ", at + 1)).collect();
    format!(
        "{ROBOT} {steps} (init (at 0)) (init safe) (legal robot quit) (legal robot left) (legal robot right)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= (next safe) (true safe) (does robot left))
        (<= (next over) (does robot quit)) (<= terminal (true over)) (<= terminal (true (at {length})))
        (<= won (true (at {length})) (true safe) (not (true over)))
        (<= (goal robot 100) won) (<= (goal robot 0) (not won))"
    )
}

#[test]
fn hope_is_better_than_a_loss_that_is_sure() {
    let rules = rules_of(&corridor(40));
    for seed in 0..5 {
        let choice = mcts(&rules, "batch=off", 0, seed).choose(&playouts(60)).expect("a move");
        assert_ne!(choice.text, "quit", "{choice:?}");
        assert_eq!(choice.report.line[0][0], choice.text, "{choice:?}");
    }
}

#[test]
fn what_is_lost_is_put_off() {
    let lost = corridor(3).replace("(init safe)", "");
    let choice = choice(&rules_of(&lost), "batch=off", 0, 1_000);
    assert!(choice.report.is_proved && choice.report.value == Some(0.0), "{choice:?}");
    assert_ne!(choice.text, "quit");
}

#[test]
fn the_policy_of_nobody_is_an_error() {
    let parameters = "mcts:model=nobody/rock=1".parse::<Spec>().expect("options").parameters();
    let assignment = Assignment { rules: rules("rock-paper-scissors"), role: RoleId::new(0) };
    let error = Mcts::new(parameters, 1).start(assignment, &Limit::default()).expect_err("no such role");
    assert!(error.to_string().contains("`nobody`"), "{error}");
}

#[test]
fn who_is_no_rival_is_not_feared() {
    // The other gets the most where we do; it could hurt us, but only itself with us.
    let friends = "(role me) (role you) (init first)
        (<= (legal me safe) (true first)) (<= (legal me trust) (true first)) (<= (legal you wait) (true first))
        (<= (legal me wait) (true trusted)) (<= (legal you help) (true trusted)) (<= (legal you hurt) (true trusted))
        (<= (next trusted) (does me trust)) (<= (next saved) (does me safe))
        (<= (next helped) (does you help)) (<= (next hurt) (does you hurt))
        (<= terminal (true saved)) (<= terminal (true helped)) (<= terminal (true hurt))
        (<= (goal ?r 30) (role ?r) (true saved)) (<= (goal ?r 90) (role ?r) (true helped))
        (<= (goal ?r 0) (role ?r) (true hurt)) (<= (goal ?r 0) (role ?r) (true first))
        (<= (goal ?r 0) (role ?r) (true trusted))";
    for options in ["", "batch=off"] {
        let choice = choice(&rules_of(friends), options, 0, 5_000);
        assert_eq!(choice.text, "trust", "{options}");
        // It could be hurt, but not by an opponent that wants to win.
        assert_eq!((choice.report.is_proved, choice.report.value), (true, Some(90.0)), "{options}");
    }
}

/// The part of chance in the trap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Toss {
    /// There is no role `random`.
    Absent,
    /// It never has a choice.
    Idle,
    /// It tosses a coin between the two choices.
    Coin,
}

/// `safe` is worth 60 to `me`. After `risk`, `you` take what is on the table and leave nothing, or play on for a long time
/// in which `me` always gets 100: playouts say that `risk` is excellent. `yours` are the scores of `you` for both.
fn trap(is_watched: bool, toss: Toss, yours: [u32; 2]) -> String {
    let mut text = "(role me) (role you) (init start) (bit 0) (bit 1)
        (<= (legal me safe) (true start)) (<= (legal me risk) (true start)) (<= (legal you wait) (true start))
        (<= (legal me wait) (true choice)) (<= (legal you take) (true choice)) (<= (legal you play) (true choice))
        (<= (legal me ?b) (true (step ?n)) (bit ?b)) (<= (legal you ?b) (true (step ?n)) (bit ?b))
        (<= (next safe) (does me safe)) (<= (next taken) (does you take)) (<= (next (step 0)) (does you play))
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
        (<= (next (kept ?n ?r ?b)) (true (step ?n)) (does ?r ?b)) (<= (next (kept ?n ?r ?b)) (true (kept ?n ?r ?b)))
        (<= terminal (true safe)) (<= terminal (true taken)) (<= terminal (true (step 14)))
        (<= (goal me 60) (true safe)) (<= (goal you 0) (true safe))
        (<= (goal me 0) (true taken)) (<= (goal me 100) (true (step 14)))"
        .to_owned();
    let [taken, played] = yours;
    text += &format!("(<= (goal you {taken}) (true taken)) (<= (goal you {played}) (true (step 14)))");
    (0..14).for_each(|n| text += &format!("(after {n} {})", n + 1));
    text += match toss {
        Toss::Absent => "(<= (next choice) (does me risk))",
        Toss::Idle => "(<= (next choice) (does me risk)) (role random) (legal random wait) (goal random 0)",
        Toss::Coin => {
            "(role random) (<= (next toss) (does me risk)) (<= (next choice) (true toss)) (goal random 0)
            (<= (legal random ?side) (true toss) (side ?side)) (side heads) (side tails)
            (<= (legal random wait) (not (true toss)))
            (<= (legal me wait) (true toss)) (<= (legal you wait) (true toss))"
        }
    };
    if is_watched {
        text += "(role watcher) (legal watcher wait) (goal watcher 100)";
    }
    text
}

fn avoids(trap: &str, what: &str) {
    let rules = rules_of(trap);
    for (options, n) in [("", 20_000), ("batch=off", 2_000)] {
        for seed in 0..5 {
            let choice = mcts(&rules, options, 0, seed).choose(&playouts(n)).expect("a move");
            assert_eq!(choice.text, "safe", "{what}, {options}, seed {seed}: {choice:?}");
            let value = choice.report.value.expect("it thought");
            assert!((value - 60.0).abs() < 0.5, "{what}, {options}, seed {seed}: {choice:?}");
        }
    }
}

#[test]
fn an_opponent_takes_what_is_best_for_itself() {
    for (is_watched, toss) in
        [(false, Toss::Absent), (true, Toss::Absent), (false, Toss::Idle), (false, Toss::Coin)]
    {
        avoids(&trap(is_watched, toss, [50, 0]), &format!("{is_watched}, {toss:?}"));
    }
}

#[test]
fn an_opponent_to_whom_it_is_the_same_does_what_is_worst() {
    for yours in [[50, 50], [0, 0], [100, 100]] {
        for toss in [Toss::Absent, Toss::Idle, Toss::Coin] {
            avoids(&trap(false, toss, yours), &format!("{yours:?}, {toss:?}"));
        }
    }
}

#[test]
fn ties_are_proved_where_chance_rounds_nothing() {
    // Black gets 50 either way, once for sure and once on average of a coin. Dice are rounded: nothing is proved of red.
    let game = |sides: &[(&str, u32)]| {
        let mut text = "(role red) (role black) (role random) (init start) (goal random 0)
            (<= (legal red safe) (true start)) (<= (legal red risk) (true start)) (<= (legal red wait) (not (true start)))
            (<= (legal black take) (true choice)) (<= (legal black toss) (true choice))
            (<= (legal black wait) (not (true choice)))
            (<= (legal random ?s) (true tossing) (side ?s ?n)) (<= (legal random wait) (not (true tossing)))
            (<= (next safe) (does red safe)) (<= (next choice) (does red risk)) (<= (next taken) (does black take))
            (<= (next tossing) (does black toss)) (<= (next (fell ?s)) (true tossing) (does random ?s))
            (<= terminal (true safe)) (<= terminal (true taken)) (<= terminal (true (fell ?s)))
            (<= (goal red 30) (true safe)) (<= (goal black 0) (true safe))
            (<= (goal red 0) (true taken)) (<= (goal black 50) (true taken))
            (<= (goal red 100) (true (fell ?s))) (<= (goal black ?n) (true (fell ?s)) (side ?s ?n))"
            .to_owned();
        sides.iter().for_each(|(side, score)| text += &format!("(side {side} {score})"));
        text
    };
    for (sides, is_proved) in
        [(&[("heads", 0), ("tails", 100)][..], true), (&[("one", 0), ("two", 50), ("three", 100)], false)]
    {
        for options in ["", "batch=off"] {
            let choice = choice(&rules_of(&game(sides)), options, 0, 20_000);
            assert_eq!(
                (&*choice.text, choice.report.is_proved),
                ("safe", is_proved),
                "{options}: {choice:?}"
            );
        }
    }
}

/// A tree of six moves in turn, each left or right, whose ends have goals.
fn tree_of_moves(goals: impl Fn(usize) -> [u8; 2]) -> String {
    let mut text = "(role me) (role you) (init (at 1)) (side left) (side right)
        (<= (legal ?r ?s) (true (at ?n)) (turn ?n ?r) (side ?s))
        (<= (legal ?r wait) (role ?r) (true (at ?n)) (turn ?n ?other) (distinct ?r ?other))
        (<= (next (at ?m)) (true (at ?n)) (does ?r ?s) (below ?n ?s ?m))
        (<= terminal (true (at ?n)) (end ?n ?a ?b))
        (<= (goal me ?a) (true (at ?n)) (end ?n ?a ?b)) (<= (goal you ?b) (true (at ?n)) (end ?n ?a ?b)) "
        .to_owned();
    for n in 1..64_usize {
        let role = ["me", "you"][n.ilog2() as usize % 2];
        text += &format!("(turn {n} {role}) (below {n} left {}) (below {n} right {})\n", 2 * n, 2 * n + 1);
    }
    (64..128).for_each(|n| text += &format!("(end {n} {} {})\n", goals(n)[0], goals(n)[1]));
    text
}

#[test]
fn a_refuted_constant_sum_leaves_no_bounds_behind() {
    /// The value of a role, ties broken against it.
    fn value(n: usize, role: usize, goals: &impl Fn(usize) -> [u8; 2]) -> u8 {
        if n >= 64 {
            return goals(n)[role];
        }
        let mover = n.ilog2() as usize % 2;
        let [left, right] = [2 * n, 2 * n + 1].map(|n| value(n, mover, goals));
        let best = [(2 * n, left), (2 * n + 1, right)].into_iter().filter(|(_, it)| *it == left.max(right));
        let values = best.map(|(n, _)| value(n, role, goals));
        values.min().expect("a best move")
    }
    for options in ["", "batch=off"] {
        let mut n_refuted = 0;
        for odd in 64..128 {
            // What one wins the other loses, but for one end.
            let goals = |n: usize| match n.count_ones() % 2 {
                _ if n == odd => [0, 0],
                0 => [100, 0],
                _ => [0, 100],
            };
            let mut brain = brain(&rules_of(&tree_of_moves(goals)), options, 1);
            brain.think(&playouts(100_000)).expect("it plays");
            let (tree, root) = (&brain.tree, brain.tree.root);
            n_refuted += usize::from(!tree.roles.is_constant_sum());
            for role in [0, 1] {
                let value = f32::from(value(1, role, &goals));
                assert!(
                    tree.lows(root)[role] <= value && value <= tree.highs(root)[role],
                    "{options}, {role}"
                );
            }
            let best = f64::from(value(1, 0, &goals));
            let choice = brain.choose().expect("a move");
            assert!(!choice.report.is_proved || choice.report.value == Some(best), "{options}: {choice:?}");
        }
        assert!(n_refuted > 0, "{options}: the odd end was never seen");
    }
}

#[test]
fn a_sure_move_is_sure_against_moves_that_an_opponent_may_play() {
    // `y` scores 10 at best where `x` scores 60 for sure, so `a` is worth 100.
    let payoffs = [("a", "x", 100, 60), ("b", "x", 50, 60), ("a", "y", 0, 10), ("b", "y", 50, 10)];
    for options in ["", "batch=off"] {
        let choice = choice(&rules_of(&matrix(&payoffs)), options, 0, 10_000);
        let report = &choice.report;
        assert_eq!((&*choice.text, report.is_proved, report.value), ("a", true, Some(100.0)), "{options}");
    }
}

/// Two roles choose at once and the match is over. `payoffs` are the scores of `me` and `you`.
fn matrix(payoffs: &[(&str, &str, u32, u32)]) -> String {
    let mut text = "(role me) (role you) (init start) (move me a) (move me b) (move you x) (move you y)
        (<= (legal ?r ?m) (true start) (move ?r ?m)) (<= (next (end ?mine ?yours)) (does me ?mine) (does you ?yours))
        (<= terminal (true (end ?mine ?yours)))
        (<= (goal me ?n) (true (end ?mine ?yours)) (payoff ?mine ?yours ?n ?other))
        (<= (goal you ?n) (true (end ?mine ?yours)) (payoff ?mine ?yours ?other ?n))"
        .to_owned();
    payoffs.iter().for_each(|(mine, yours, me, you)| text += &format!("(payoff {mine} {yours} {me} {you})"));
    text
}

#[test]
fn of_sure_moves_the_one_is_played_that_opponents_cannot_spoil() {
    // `x` dominates. Should `you` play `y` all the same, only one move is any good.
    let equal = [("a", "x", 60, 60), ("b", "x", 60, 60), ("a", "y", 60, 10), ("b", "y", 0, 10)];
    let lost = [("a", "x", 0, 100), ("b", "x", 0, 100), ("a", "y", 100, 0), ("b", "y", 0, 0)];
    for payoffs in [equal, lost] {
        for options in ["", "batch=off"] {
            assert_eq!(choice(&rules_of(&matrix(&payoffs)), options, 0, 1_000).text, "a", "{options}");
        }
    }
}

#[test]
fn a_proved_score_is_proved_again_when_its_moves_were_expanded_anew() {
    let mut brain = brain(&rules("tic-tac-toe"), "", 1);
    brain.think(&playouts(10_000_000)).expect("it plays");
    let root = brain.tree.root;
    assert!(brain.tree.is_proved(root, 0) && brain.tree.has_move_for_score(root, 0));
    // The moves as the next visit would find them: nothing is known of what follows.
    let moves = brain.tree.nodes[root as usize].moves.as_mut().expect("it was expanded");
    moves.arms.iter_mut().for_each(|arm| (arm.low, arm.high) = (0.0, 100.0));
    assert!(!brain.tree.has_move_for_score(root, 0));
}

#[test]
fn draws_that_never_happen_change_no_bounds() {
    // Chance is told to play one of its three moves in one of fifty cases, and the first one never.
    let lottery = "(role me) (role random) (init start) (move a) (move b) (draw never) (draw rare) (draw usual)
        (<= (legal me ?m) (true start) (move ?m)) (<= (legal random ?d) (true start) (draw ?d))
        (<= (next (end ?m ?d)) (does me ?m) (does random ?d)) (<= terminal (true (end ?m ?d)))
        (<= (goal me 10) (true (end a ?d))) (<= (goal me 20) (true (end b ?d))) (<= (goal random 0) (role random))";
    let options = "model=random/never=0/rare=0.02/usual=0.98,batch=off";
    let choice = choice(&rules_of(lottery), options, 0, 1_000);
    assert_eq!((&*choice.text, choice.report.is_proved), ("b", true), "{choice:?}");
}

#[test]
fn a_role_without_a_move_is_no_panic() {
    let stuck =
        "(role me) (role you) (init start) (<= (legal me ?x) (true start) (way ?x)) (way left) (way right)
        (<= (legal you wait) (true start)) (<= (legal me ?x) (true on) (way ?x)) (<= (next on) (does me ?x))
        (<= terminal (true off)) (<= (goal ?r 50) (role ?r))";
    let rules = rules_of(stuck);
    let parameters = "mcts".parse::<Spec>().expect("a strategy").parameters();
    let mut brain: Box<dyn Brain> = match rules.first() {
        First::Forward(engine) => {
            Box::new(on_one_state(&parameters, engine.clone(), None, 0, 1, 1).expect("it plays"))
        }
        First::Reference(engine) => {
            Box::new(on_one_state(&parameters, engine.clone(), None, 0, 1, 1).expect("it plays"))
        }
    };
    brain.think(&playouts(100)).expect("it plays");
    assert!(["left", "right"].contains(&&*brain.choose().expect("a move").text));
}

#[test]
fn what_was_proved_is_proved_again_when_the_moves_are_forgotten() {
    let rules = rules("tic-tac-toe");
    let mut brain = brain(&rules, "", 1);
    brain.think(&playouts(10_000_000)).expect("it plays");
    let root = brain.tree.root;
    assert!(brain.tree.is_proved(root, 0));
    let moves = brain.tree.nodes[root as usize].moves.as_ref().expect("it was expanded");
    let is_proved = |joint: &u64| moves.child(*joint) != NONE && brain.tree.is_proved(moves.child(*joint), 0);
    let joint = (0..9).find(is_proved).expect("a move proves it");
    let child = moves.child(joint);
    brain.tree.forget_moves(child);
    let text = format!("(mark {} {})", joint / 3 + 1, joint % 3 + 1);
    brain.follow(&[text, "noop".to_owned()]).expect("it is legal");
    assert_eq!(brain.tree.root, child);
    brain.think(&playouts(10_000_000)).expect("it plays");
    let root = brain.tree.root;
    assert!(brain.tree.is_proved(root, 0) && brain.tree.nodes[root as usize].moves.is_some());
}

#[test]
fn a_game_larger_than_the_memory_is_proved() {
    let rules = rules("tic-tac-toe");
    let mut brain = brain(&rules, "batch=off", 1);
    brain.plan.most_bytes = 300_000;
    let mut most = 0;
    for _ in 0..1_000 {
        brain.think(&playouts(500)).expect("it plays");
        most = most.max(brain.tree.bytes);
        if brain.tree.is_proved(brain.tree.root, 0) {
            break;
        }
    }
    assert!((270_000..310_000).contains(&most), "{most}");
    let report = brain.choose().expect("a move").report;
    assert_eq!((report.is_proved, report.value), (true, Some(50.0)), "{report:?}");
    assert!(report.longest_pause.is_some_and(|pause| pause > Duration::ZERO));
}

#[test]
fn little_memory_is_enough() {
    let rules = rules("connect-four");
    for options in ["memory=1", "memory=1,batch=off,playouts=20000", "memory=1,threads=2"] {
        let mut brain = brain(&rules, options, 1);
        brain.think(&playouts(if options.contains("off") { 20_000 } else { 3_000_000 })).expect("it plays");
        let tree = &brain.tree;
        assert!(tree.bytes <= 1_150_000, "{options}: {}", tree.bytes);
        for node in tree.nodes.iter().filter(|node| node.state.is_some()) {
            assert_eq!(node.waiting, 0);
            for child in node.moves.iter().flat_map(|moves| moves.children()) {
                let child = &tree.nodes[child as usize];
                assert!(child.state.is_some() || child.is_over, "{options}");
            }
        }
        brain.follow(&["(drop 4)".to_owned(), "noop".to_owned()]).expect("it is legal");
        brain.think(&playouts(20_000)).expect("it plays");
        assert_eq!(brain.choose().expect("a move").text, "noop");
    }
}

#[test]
fn positions_that_come_back_do_not_hang() {
    // Walking in circles for ever, or leaving.
    let circle = format!(
        "{ROBOT} (<= (legal robot walk) (true here)) (<= (legal robot back) (true there)) (<= (legal robot leave) (true there))
         (<= (next there) (does robot walk)) (<= (next here) (does robot back)) (<= (next away) (does robot leave))
         (<= terminal (true away)) (<= (goal robot 70) (true away)) (<= (goal robot 0) (not (true away)))"
    );
    let endless = format!(
        "{ROBOT} (legal robot left) (legal robot right) (<= (next here) (true there)) (<= (next there) (true here))
         (<= terminal (true away)) (<= (next away) (true away)) (goal robot 50)"
    );
    for options in ["length=30", "length=30,batch=off"] {
        let mut player = mcts(&rules_of(&circle), options, 0, 1);
        assert_eq!(player.choose(&playouts(2_000)).expect("a move").text, "walk");
        player.observe(&["walk".to_owned()]).expect("it is legal");
        let choice = player.choose(&playouts(2_000)).expect("a move");
        assert_eq!(choice.text, "leave", "{options}");
        choice_of_any(&endless, options);
    }
}

fn choice_of_any(text: &str, options: &str) {
    let choice = choice(&rules_of(text), options, 0, 2_000);
    assert!(["left", "right"].contains(&choice.text.as_str()));
}

#[test]
fn games_without_gates_are_searched_too() {
    // Numbers nest without end; two steps lead to the goal, stopping earlier does not.
    let endless = "(role robot) (init (n 0)) (<= (legal robot grow) (true (n ?n))) (<= (legal robot stop) (true (n ?n)))
        (<= (next (n (s ?n))) (does robot grow) (true (n ?n))) (<= (next (end ?n)) (does robot stop) (true (n ?n)))
        (<= terminal (true (end ?n))) (<= (goal robot 100) (true (end (s (s 0)))))
        (<= (goal robot 0) (not (true (end (s (s 0))))))";
    let mut player = mcts(&rules_of(endless), "length=50", 0, 1);
    for text in ["grow", "grow", "stop"] {
        let choice = player.choose(&playouts(2_000)).expect("a move");
        assert_eq!(choice.text, text);
        assert_ne!(choice.report.engine, Some("lanes"));
        player.observe(&[choice.text]).expect("it is legal");
    }
}

#[test]
fn tic_tac_toe_is_not_lost() {
    let rules = rules("tic-tac-toe");
    for seed in 0..10 {
        for (own, specs) in [(0, ["mcts", "random"]), (1, ["random", "mcts:batch=off"])] {
            let player = |spec: &str| spec.parse::<Spec>().expect("a strategy").player(seed);
            let goals = play(&rules, &mut specs.map(player), &playouts(5_000));
            assert!(goals[own] >= 50, "{specs:?}, seed {seed}: {goals:?}");
        }
    }
}

#[test]
fn games_of_every_kind_are_played() {
    // Simultaneous moves, and sowing, to the end.
    for game in ["tron-10x10", "kalah"] {
        let rules = rules(game);
        let specs = ["mcts:length=200", "random"];
        let mut players = specs.map(|spec| spec.parse::<Spec>().expect("a strategy").player(1));
        assert_eq!(play(&rules, &mut players, &playouts(64)).len(), 2, "{game}");
    }
    // One role, four roles.
    for game in ["eight-puzzle", "chinese-checkers-4"] {
        let report = choice(&rules(game), "", 0, 500).report;
        assert!(report.playouts >= 500 && report.value.is_some(), "{game}");
    }
}
