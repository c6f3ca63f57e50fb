//! The values of all positions of a game, by exhaustive evaluation on the reference engine.

use super::matrix::equilibrium;
use senet_engine_reference::ReferenceEngine;
use senet_game::{Engine, MoveId, roles};
use std::collections::HashMap;

type Worker = <ReferenceEngine as Engine>::Worker;
type State = <ReferenceEngine as Engine>::State;

/// Values closer than this are equal: averages over chance are rounded.
const EQUAL: f64 = 1e-6;
/// The role whose moves are drawn.
pub(super) const CHANCE: &str = "random";

/// The value of a position to each role, ties broken against the role. `None` where no equilibrium was found in it or
/// below it.
pub(super) type Values = Option<Vec<f64>>;

/// The values of all positions that can be reached.
pub(super) struct Solution {
    engine: ReferenceEngine,
    /// By facts of the position.
    by_facts: HashMap<Vec<String>, Values>,
    by_state: HashMap<State, Values>,
    /// Whether several free roles choose at once anywhere.
    pub(super) is_simultaneous: bool,
}

impl Solution {
    /// Evaluates a game, or returns `None` if it has more positions than `most`.
    pub(super) fn new(text: &str, most: usize) -> Option<Solution> {
        let engine = ReferenceEngine::new(&senet_gdl::parse(text)).expect("it plays");
        let (by_facts, by_state) = Default::default();
        let mut solution = Solution { engine, by_facts, by_state, is_simultaneous: false };
        let mut worker = solution.engine.worker();
        let initial = solution.engine.initial(&mut worker).expect("it plays");
        solution.evaluate(&mut worker, &initial, most)?;
        Some(solution)
    }

    pub(super) fn len(&self) -> usize {
        self.by_state.len()
    }

    /// How many positions have no value.
    pub(super) fn n_unknown(&self) -> usize {
        self.by_state.values().filter(|values| values.is_none()).count()
    }

    /// The values of a position, which has these facts.
    pub(super) fn of(&self, facts: &[String]) -> &Values {
        &self.by_facts[facts]
    }

    /// The values of the first position.
    pub(super) fn of_start(&self) -> &Values {
        let mut worker = self.engine.worker();
        let initial = self.engine.initial(&mut worker).expect("it plays");
        &self.by_state[&initial]
    }

    /// By move of a role in the first position: the values of what follows. No other role has a choice there.
    pub(super) fn of_first_moves(&self, role: usize) -> Vec<(String, Values)> {
        let mut worker = self.engine.worker();
        let initial = self.engine.initial(&mut worker).expect("it plays");
        let moves = self.moves(&mut worker, &initial);
        let follows = |&id: &MoveId| {
            let joint: Vec<MoveId> =
                moves.iter().enumerate().map(|(at, ids)| if at == role { id } else { ids[0] }).collect();
            let mut worker = self.engine.worker();
            let next = self.engine.step(&mut worker, &initial, &joint).expect("it is legal");
            (self.engine.move_text(&mut worker, id), self.by_state[&next].clone())
        };
        moves[role].iter().map(follows).collect()
    }

    /// Which free roles choose in the first position.
    pub(super) fn first_choosers(&self) -> Vec<usize> {
        let mut worker = self.engine.worker();
        let initial = self.engine.initial(&mut worker).expect("it plays");
        let moves = self.moves(&mut worker, &initial);
        (0..moves.len()).filter(|&role| moves[role].len() > 1 && !self.is_chance(role)).collect()
    }

    fn is_chance(&self, role: usize) -> bool {
        self.engine.role_names()[role] == CHANCE
    }

    fn moves(&self, worker: &mut Worker, state: &State) -> Vec<Vec<MoveId>> {
        let of_role = |role| {
            let mut moves = Vec::new();
            self.engine.legals(worker, state, role, &mut moves).expect("it plays");
            moves
        };
        roles(&self.engine).map(of_role).collect()
    }

    fn evaluate(&mut self, worker: &mut Worker, state: &State, most: usize) -> Option<Values> {
        if let Some(known) = self.by_state.get(state) {
            return Some(known.clone());
        }
        let values = if self.engine.is_terminal(worker, state).expect("it plays") {
            let goal = |role| self.engine.goal(worker, state, role).expect("it plays").map(f64::from);
            Some(roles(&self.engine).map(goal).collect::<Option<Vec<f64>>>().expect("goals are defined"))
        } else {
            let moves = self.moves(worker, state);
            let n_joint: usize = moves.iter().map(Vec::len).product();
            let mut follows = Vec::new();
            for joint in 0..n_joint {
                let mut rest = joint;
                let choose = |ids: &Vec<MoveId>| {
                    let id = ids[rest % ids.len()];
                    rest /= ids.len();
                    id
                };
                let joint: Vec<MoveId> = moves.iter().map(choose).collect();
                let next = self.engine.step(worker, state, &joint).expect("it is legal");
                follows.push(self.evaluate(worker, &next, most)?);
            }
            let counts: Vec<usize> = moves.iter().map(Vec::len).collect();
            follows
                .into_iter()
                .collect::<Option<Vec<_>>>()
                .and_then(|follows| self.combine(&counts, &follows))
        };
        if self.by_state.len() >= most {
            return None;
        }
        self.by_facts.insert(self.engine.facts(worker, state), values.clone());
        self.by_state.insert(state.clone(), values.clone());
        Some(values)
    }

    /// The values of a position from those that follow, by joint move, the first role's move changing first.
    fn combine(&mut self, counts: &[usize], follows: &[Vec<f64>]) -> Values {
        let n_roles = counts.len();
        // Chance is the last role: its moves are averaged first.
        let n_chance = if self.is_chance(n_roles - 1) { counts[n_roles - 1] } else { 1 };
        let n = follows.len() / n_chance;
        let average = |outcome: usize| -> Vec<f64> {
            let sum =
                |role: usize| (0..n_chance).map(|chance| follows[chance * n + outcome][role]).sum::<f64>();
            (0..n_roles).map(|role| sum(role) / n_chance as f64).collect()
        };
        let outcomes: Vec<Vec<f64>> = (0..n).map(average).collect();
        let choosers: Vec<usize> =
            (0..n_roles).filter(|&role| counts[role] > 1 && !self.is_chance(role)).collect();
        match choosers[..] {
            [] => Some(outcomes[0].clone()),
            [chooser] => Some(choose(&outcomes, chooser)),
            [one, other] => {
                self.is_simultaneous = true;
                equilibrium(&outcomes, [one, other], [counts[one], counts[other]])
            }
            _ => unreachable!("two roles at most choose at once"),
        }
    }
}

/// The values where one role chooses. It takes the best move; where several are best, each other role gets the least.
fn choose(outcomes: &[Vec<f64>], chooser: usize) -> Vec<f64> {
    let best = outcomes.iter().map(|values| values[chooser]).fold(0.0, f64::max);
    let is_best = |values: &&Vec<f64>| values[chooser] >= best - EQUAL;
    let value = |role: usize| {
        let of_best = outcomes.iter().filter(is_best).map(|values| values[role]);
        if role == chooser { best } else { of_best.fold(f64::INFINITY, f64::min) }
    };
    (0..outcomes[0].len()).map(value).collect()
}
