//! Games of one role: several ways to solve them share the time, and the best line found is kept for the whole match.
//!
//! Breadth-first search finds short solutions of small puzzles, best-first search follows goals that are given on the way,
//! depth-first search with few transpositions goes through large ones, and nested rollouts find good lines where nothing else
//! comes to an end. Where others play too, UCT plays instead.

mod best_first;
mod commuting;
mod counters;
mod depth_first;
mod policy;
mod puzzle;
mod reached;

use crate::disposal::drop_elsewhere;
use crate::thinker::{Search, Strategy};
use crate::uct::Uct;
use crate::{Choice, Gates, Limit, Report, SearchError};
use best_first::BestFirst;
use counters::counters;
use depth_first::DepthFirst;
use policy::Policy;
use puzzle::{Care, Key, Puzzle, key_without};
use senet_game::{Engine, GameError, MoveId, PlayError, RoleId, derived_seed};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The best goal there is, unless the rules are known to give less.
const MOST: u8 = 100;

/// The memory is shared by so many ways.
const SHARES: usize = 5;

/// How many moves each way tries before the next has its turn.
const TURN: u64 = 2_000;

/// Solves puzzles.
#[derive(Clone, Debug)]
pub(crate) struct Nested {
    pub(crate) playouts: Option<u64>,
    /// How many bytes the positions of all ways may take together.
    pub(crate) memory: usize,
    pub(crate) seed: u64,
    /// Plays where others play too.
    pub(crate) uct: Uct,
}

impl Strategy for Nested {
    fn search<E: Engine>(&self, engine: Arc<E>, role: RoleId) -> Result<Box<dyn Search>, SearchError> {
        match engine.role_names().len() {
            1 => Ok(Box::new(NestedSearch::new(self.clone(), engine, MOST, None)?)),
            _ => self.uct.search(engine, role),
        }
    }

    fn search_on_gates(&self, gates: &Gates, role: RoleId) -> Result<Box<dyn Search>, SearchError> {
        let [goals] = gates.circuit.goals() else { return self.uct.search_on_gates(gates, role) };
        let most = goals.iter().filter_map(|goal| goal.value).max().unwrap_or(0);
        let counters = counters(&gates.circuit);
        let has_some = counters.iter().any(|&word| word != 0);
        let hasty_key = has_some.then(|| key_without(counters));
        Ok(Box::new(NestedSearch::new(self.clone(), gates.engine.clone(), most, hasty_key)?))
    }

    fn most_playouts(&self) -> Option<u64> {
        self.playouts
    }

    fn thinks_ahead(&self) -> bool {
        true
    }
}

/// A way to solve a puzzle.
enum Way<S> {
    BestFirst(BestFirst<S>),
    DepthFirst(DepthFirst<S>),
    Policy(Policy),
}

/// A way at work.
struct Solver<S> {
    way: Way<S>,
    /// The longest of the last looks. It forgets slowly, a sixteenth with each look.
    longest: Duration,
}

struct NestedSearch<E: Engine> {
    options: Nested,
    puzzle: Puzzle<E>,
    solvers: Vec<Solver<E::State>>,
    /// Whose turn it is.
    turn: usize,
    /// Playouts and positions looked at since the last joint move.
    playouts: u64,
    is_over: bool,
}

impl<E: Engine> NestedSearch<E> {
    fn new(
        options: Nested,
        engine: Arc<E>,
        most: u8,
        hasty_key: Option<Key<E::State>>,
    ) -> Result<Self, GameError> {
        let puzzle = Puzzle::new(engine, most, hasty_key)?;
        let mut search =
            NestedSearch { options, puzzle, solvers: Vec::new(), turn: 0, playouts: 0, is_over: false };
        search.begin()?;
        Ok(search)
    }

    /// Begins all searches from the position.
    fn begin(&mut self) -> Result<(), GameError> {
        if !self.solvers.is_empty() {
            drop_elsewhere(std::mem::take(&mut self.solvers));
        }
        let root = self.puzzle.root.state.clone();
        self.is_over = self.puzzle.is_over(&root)?;
        if self.is_over || self.puzzle.is_solved() {
            return Ok(());
        }
        // A playout gives some line at once.
        let mut ways = vec![Way::Policy(Policy::new(derived_seed(self.options.seed, 2)))];
        for order in [best_first::Order::Shallow, best_first::Order::Promising] {
            ways.push(self.best_first(order, Care::Hasty));
        }
        for order in [depth_first::Order::Fewest, depth_first::Order::Source, depth_first::Order::Random] {
            ways.push(self.depth_first(order, Care::Hasty));
        }
        self.solvers = ways.into_iter().map(|way| Solver { way, longest: Duration::ZERO }).collect();
        Ok(())
    }

    fn best_first(&self, order: best_first::Order, care: Care) -> Way<E::State> {
        Way::BestFirst(BestFirst::new(&self.puzzle, order, care, self.options.memory / SHARES))
    }

    fn depth_first(&self, order: depth_first::Order, care: Care) -> Way<E::State> {
        let seed = derived_seed(self.options.seed, 1);
        Way::DepthFirst(DepthFirst::new(order, care, self.options.memory / SHARES, seed))
    }

    /// The way whose turn it is has come to its end. One that took something for granted begins again without.
    fn end_of_way(&mut self) {
        let again = match &self.solvers[self.turn].way {
            Way::BestFirst(way)
                if way.is_through() && way.care == Care::Hasty && self.puzzle.has_counters() =>
            {
                self.best_first(way.order, Care::Thorough)
            }
            Way::DepthFirst(way) if way.care == Care::Hasty => self.depth_first(way.order, Care::Thorough),
            _ => return drop_elsewhere(self.solvers.remove(self.turn)),
        };
        drop_elsewhere(std::mem::replace(&mut self.solvers[self.turn].way, again));
        self.turn += 1;
    }

    /// One turn of one way. Where the rules cannot answer, it goes on elsewhere.
    fn take_turn(&mut self, limit: &Limit, already: u64) {
        self.turn %= self.solvers.len();
        let before = self.puzzle.n_steps;
        let until = before + TURN;
        let mut look = Look::Some;
        while look == Look::Some && self.puzzle.n_steps < until && !self.puzzle.is_solved() {
            limit.update_reserve(|| self.choice().ok());
            look = match limit.is_reached(self.playouts - already) {
                true => Look::Nothing,
                false => self.look(limit),
            };
            self.playouts += u64::from(look != Look::Nothing);
        }
        match look {
            Look::Done => self.end_of_way(),
            // Whoever could try nothing at all has its turn when there is more time.
            Look::Nothing if self.puzzle.n_steps == before && limit.is_reached(self.playouts - already) => {}
            _ => self.turn += 1,
        }
    }

    /// One position or playout of the way whose turn it is.
    fn look(&mut self, limit: &Limit) -> Look {
        let begin = Instant::now();
        let puzzle = &mut self.puzzle;
        let Solver { way, longest } = &mut self.solvers[self.turn];
        // No look is begun that may end too late.
        if limit.time_left().is_some_and(|left| left < *longest) {
            return Look::Nothing;
        }
        let is_done = match way {
            Way::Policy(way) => {
                return match way.work(puzzle, &mut || !limit.is_reached(0)) {
                    Ok(true) => Look::Some,
                    Ok(false) => Look::Nothing,
                    Err(_) => Look::Failed,
                };
            }
            Way::BestFirst(way) => {
                way.work(puzzle).is_ok() && (way.is_through() || way.is_full() || way.is_blind())
            }
            Way::DepthFirst(way) => way.work(puzzle).is_ok() && way.is_through(),
        };
        *longest = begin.elapsed().max(*longest - *longest / 16);
        if is_done { Look::Done } else { Look::Some }
    }
}

/// What came of a look at a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Some,
    /// There was no time for it.
    Nothing,
    /// The rules could not answer.
    Failed,
    /// The way comes to its end.
    Done,
}

impl<E: Engine> Search for NestedSearch<E> {
    fn think(&mut self, limit: &Limit) -> Result<(), SearchError> {
        let already = self.playouts;
        while !self.is_settled() && !limit.is_reached(self.playouts - already) {
            self.take_turn(limit, already);
        }
        Ok(())
    }

    fn is_settled(&self) -> bool {
        self.is_over || self.solvers.is_empty() || self.puzzle.is_solved()
    }

    fn playouts(&self) -> u64 {
        self.playouts
    }

    fn choice(&mut self) -> Result<Choice, SearchError> {
        if self.is_over {
            return Err(PlayError::Terminal.into());
        }
        let best = self.puzzle.best.clone();
        let first = match best.as_ref().and_then(|best| best.moves.first()) {
            Some(&id) => id,
            None => match self.puzzle.cut {
                Some((_, id)) => id,
                None => self.puzzle.root.legal(RoleId::new(0))?[0],
            },
        };
        let n_positions = |solver: &Solver<E::State>| match &solver.way {
            Way::BestFirst(way) => way.len() as u64,
            Way::DepthFirst(way) => way.len() as u64,
            Way::Policy(_) => 0,
        };
        let line = self.line();
        let report = Report {
            engine: Some(self.puzzle.root.engine.name()),
            playouts: self.playouts,
            nodes: self.solvers.iter().map(n_positions).sum(),
            value: best.as_ref().map(|best| f64::from(best.value)),
            longest_pause: None,
            is_proved: self.puzzle.is_solved(),
            depth: line.len() as u32,
            line,
        };
        Ok(Choice { text: self.puzzle.root.text(first), report })
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        self.puzzle.observe(joint)?;
        self.playouts = 0;
        self.begin()?;
        Ok(())
    }

    fn line(&mut self) -> Vec<Vec<String>> {
        let moves: Vec<MoveId> =
            self.puzzle.best.iter().flat_map(|best| best.moves.iter().copied()).collect();
        moves.into_iter().map(|id| vec![self.puzzle.root.text(id)]).collect()
    }

    fn learn(&mut self, line: &[Vec<String>]) -> Result<(), SearchError> {
        self.puzzle.learn(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{play, rules, started};
    use crate::{Assignment, Spec};

    fn looks(count: u64) -> Limit {
        Limit::default().with_playouts(count)
    }

    #[test]
    fn puzzles_are_solved() {
        let puzzles = [
            ("ary-tree", 100, 2),
            ("hanoi-6", 10_000, 63),
            ("eight-puzzle", 200_000, 60),
            ("peg-solitaire-33", 1_000_000, 31),
            ("lights-out-5x5", 8_000_000, 30),
            ("knights-tour-8x8", 100_000, 63),
            ("eight-queens", 50_000, 8),
        ];
        for (game, most, longest) in puzzles {
            let rules = rules(game);
            let mut players = ["nested".parse::<Spec>().expect("a strategy").player(3)];
            players[0]
                .start(Assignment { rules: rules.clone(), role: RoleId::new(0) }, &Limit::default())
                .expect("it plays");
            let choice = players[0].choose(&looks(most)).expect("a move");
            assert!(choice.report.is_proved && choice.report.value == Some(100.0), "{game}: {choice:?}");
            assert!(choice.report.line.len() <= longest, "{game}: {choice:?}");
        }
    }

    #[test]
    fn the_best_line_is_kept_and_played_to_its_end() {
        let rules = rules("knights-tour-8x8");
        let mut player = "nested".parse::<Spec>().expect("a strategy").player(3);
        player
            .start(Assignment { rules: rules.clone(), role: RoleId::new(0) }, &Limit::default())
            .expect("it plays");
        let mut line = player.choose(&looks(100_000)).expect("a move").report.line;
        while !line.is_empty() {
            let choice = player.choose(&looks(1)).expect("a move");
            assert_eq!((&choice.report.line, vec![choice.text]), (&line, line[0].clone()));
            assert_eq!(choice.report.value, Some(100.0));
            player.observe(&line.remove(0)).expect("it is legal");
        }
        assert!(matches!(player.choose(&looks(1)), Err(SearchError::Play(PlayError::Terminal))));
    }

    #[test]
    fn a_line_that_is_not_the_best_there_is_stays_until_a_better_one_is_found() {
        let mut player = started("peg-solitaire-33", "nested", 0, 4);
        let mut value = 0.0;
        for _ in 0..20 {
            // Hardly anything is looked at.
            let choice = player.choose(&looks(60)).expect("a move");
            let now = choice.report.value.expect("playouts come to an end");
            assert!(now >= value, "{now} after {value}");
            value = now;
            player.observe(&[choice.text]).expect("it is legal");
        }
    }

    #[test]
    fn a_line_found_on_the_first_engine_is_not_lost_on_gates() {
        let rules = rules("peg-solitaire-33");
        let nested = "nested".parse::<Spec>().expect("a strategy").nested(2);
        let crate::First::Forward(engine) = rules.first() else { panic!("it is played forward") };
        let mut first = nested.search(engine.clone(), RoleId::new(0)).expect("it plays");
        first.think(&looks(40)).expect("it plays");
        let found = first.choice().expect("a move").report;
        let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("it is small");
        let mut second = nested.search_on_gates(gates, RoleId::new(0)).expect("it plays");
        second.learn(&first.line()).expect("the line is legal");
        let learned = second.choice().expect("a move").report;
        assert_eq!((learned.engine, learned.playouts), (Some("circuit"), 0));
        assert!(!found.line.is_empty());
        assert_eq!((learned.value, learned.line), (found.value, found.line));
        second.learn(&[vec!["(jump 9 9 9 9)".to_owned()]]).expect_err("it is not legal");
        let still = second.choice().expect("a move").report;
        assert_eq!(still.value, learned.value);
    }

    #[test]
    fn another_move_than_the_best_is_followed() {
        let mut player = started("ary-tree", "nested", 0, 1);
        assert_eq!(player.choose(&looks(100)).expect("a move").text, "(descend b)");
        player.observe(&["(descend b)".to_owned()]).expect("it is legal");
        player.observe(&["(descend e)".to_owned()]).expect("it is legal");
        assert!(matches!(player.choose(&looks(1)), Err(SearchError::Play(PlayError::Terminal))));
    }

    #[test]
    fn the_best_goal_of_the_rules_is_enough() {
        let modest = "(role robot) (legal robot left) (legal robot right) (init here)
            (<= (next over) (true here)) (<= (next (went ?way)) (does robot ?way)) (<= terminal (true over))
            (<= (goal robot 40) (true (went left))) (<= (goal robot 70) (true (went right)))";
        let rules = crate::Rules::new(senet_gdl::parse(modest)).expect("it plays");
        let mut player = "nested".parse::<Spec>().expect("a strategy").player(3);
        player.start(Assignment { rules, role: RoleId::new(0) }, &Limit::default()).expect("it plays");
        let choice = player.choose(&Limit::default()).expect("a move");
        assert_eq!((&*choice.text, choice.report.value), ("right", Some(70.0)));
        assert!(choice.report.is_proved);
    }

    fn choice(rulesheet: &str, most: u64) -> Choice {
        let rules = crate::Rules::new(senet_gdl::parse(rulesheet)).expect("it plays");
        let mut player = "nested".parse::<Spec>().expect("a strategy").player(3);
        player.start(Assignment { rules, role: RoleId::new(0) }, &Limit::default()).expect("it plays");
        player.choose(&looks(most)).expect("a move")
    }

    /// A guard walks by itself: whoever goes when it is there, or stays when it comes, is caught.
    #[test]
    fn one_waits_for_what_moves_by_itself() {
        const LENGTH: usize = 30;
        let cells: String = (0..LENGTH).map(|cell| format!("(succ {cell} {}) ", cell + 1)).collect();
        let guarded: String =
            (1..LENGTH).map(|cell| format!("(guarded {cell} {}) ", (2 * cell) % 3)).collect();
        let puzzle = format!(
            "(role robot) (init (at 0)) (init (phase 0)) {cells} {guarded} (turn 0 1) (turn 1 2) (turn 2 0)
            (legal robot go) (legal robot stay)
            (<= (next (at ?y)) (does robot go) (true (at ?x)) (succ ?x ?y))
            (<= (next (at ?x)) (does robot stay) (true (at ?x)))
            (<= (next (phase ?y)) (true (phase ?x)) (turn ?x ?y))
            (<= terminal (true (at ?x)) (true (phase ?p)) (guarded ?x ?p)) (<= terminal (true (at {LENGTH})))
            (<= (goal robot 100) (true (at {LENGTH}))) (<= (goal robot 0) (not (true (at {LENGTH}))))"
        );
        let choice = choice(&puzzle, 20_000);
        assert!(choice.report.is_proved && choice.report.value == Some(100.0), "{choice:?}");
    }

    #[test]
    fn where_a_match_does_not_end_the_better_way_is_gone() {
        let endless = "(role robot) (init here) (legal robot left) (legal robot right)
            (<= (next (went ?way)) (true here) (does robot ?way)) (<= (next (went ?way)) (true (went ?way)))
            (<= terminal (true never)) (<= (next never) (true never))
            (<= (goal robot 20) (true (went left))) (<= (goal robot 70) (true (went right)))
            (<= (goal robot 0) (true here))";
        assert_eq!(choice(endless, 200).text, "right");
    }

    #[test]
    fn where_others_play_uct_plays() {
        let rules = rules("tic-tac-toe");
        let player = |spec: &str| spec.parse::<Spec>().expect("a strategy").player(1);
        let mut points = 0;
        for _ in 0..5 {
            let mut players = [player("nested:playouts=300"), player("random")];
            points += u32::from(play(&rules, &mut players, &Limit::default())[0]);
        }
        assert!(points >= 400, "{points}");
    }
}
