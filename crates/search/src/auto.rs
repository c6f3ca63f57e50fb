//! The strategy `auto`: a game of one role is a puzzle for `nested`, all others are played by `mcts`.

use crate::mcts::Mcts;
use crate::thinker::Thinker;
use crate::{Assignment, Choice, Limit, Player, SearchError, Spec};

/// Chooses how to play when it knows what.
pub(crate) struct Auto {
    spec: Spec,
    seed: u64,
    player: Option<Box<dyn Player>>,
}

impl Auto {
    pub(crate) fn new(spec: Spec, seed: u64) -> Auto {
        Auto { spec, seed, player: None }
    }

    fn player(&mut self) -> Result<&mut dyn Player, SearchError> {
        Ok(&mut **self.player.as_mut().ok_or(SearchError::NoMatch)?)
    }
}

impl Player for Auto {
    fn start(&mut self, assignment: Assignment, limit: &Limit) -> Result<(), SearchError> {
        let player: Box<dyn Player> = match assignment.rules.role_names().len() {
            1 => Box::new(Thinker::new(self.spec.nested(self.seed))),
            _ => Box::new(Mcts::new(self.spec.parameters(), self.seed)),
        };
        self.player.insert(player).start(assignment, limit)
    }

    fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
        self.player()?.choose(limit)
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        self.player()?.observe(joint)
    }

    fn ponder(&mut self, limit: &Limit) -> Result<(), SearchError> {
        self.player()?.ponder(limit)
    }

    fn stop(&mut self) {
        self.player = None;
    }
}

#[cfg(test)]
mod tests {
    use crate::Limit;
    use crate::testing::{play, rules, started};

    #[test]
    fn puzzles_are_solved_and_matches_are_searched() {
        let mut players = [started("eight-puzzle", "auto", 0, 1)];
        assert_eq!(play(&rules("eight-puzzle"), &mut players, &Limit::default()), [100]);
        let mut player = started("tic-tac-toe", "auto:playouts=1000", 0, 1);
        let report = player.choose(&Limit::default()).expect("a move").report;
        assert_eq!(report.engine, Some("lanes"));
    }
}
