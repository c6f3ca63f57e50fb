//! A player with a given mixed strategy: an opponent whose play is known, for tests.

use crate::{Assignment, Choice, Limit, Player, Report, SearchError};
use senet_game::{AnyMatch, GameError, MoveGenerator, PlayError};

/// Draws are made among so many parts.
const PARTS: usize = 1 << 30;

/// Takes each legal move with the weight that was given to it.
pub(crate) struct Fixed {
    /// Moves by their text.
    weights: Vec<(String, f64)>,
    generator: MoveGenerator,
    now: Option<(Box<dyn AnyMatch>, Assignment)>,
}

impl Fixed {
    pub(crate) fn new(weights: Vec<(String, f64)>, seed: u64) -> Fixed {
        Fixed { weights, generator: MoveGenerator::new(seed), now: None }
    }
}

/// One of the legal moves by weight. Those without a weight are not taken, unless none has one: then all are alike.
fn draw<'l>(
    weights: &[(String, f64)],
    legal: &'l [String],
    generator: &mut MoveGenerator,
) -> Option<&'l String> {
    let weight = |text: &String| weights.iter().find(|(of, _)| of == text).map_or(0.0, |&(_, weight)| weight);
    let total: f64 = legal.iter().map(weight).sum();
    if total <= 0.0 {
        return (!legal.is_empty()).then(|| &legal[generator.below(legal.len())]);
    }
    let mut rest = total * generator.below(PARTS) as f64 / PARTS as f64;
    let mut last = None;
    for text in legal.iter().filter(|text| weight(text) > 0.0) {
        rest -= weight(text);
        last = Some(text);
        if rest < 0.0 {
            break;
        }
    }
    last
}

impl Player for Fixed {
    fn start(&mut self, assignment: Assignment, _: &Limit) -> Result<(), SearchError> {
        self.now = Some((assignment.rules.engine().start()?, assignment));
        Ok(())
    }

    fn choose(&mut self, _: &Limit) -> Result<Choice, SearchError> {
        let (game, Assignment { role, rules }) = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        let position = game.position();
        if position.terminal {
            return Err(PlayError::Terminal.into());
        }
        let text = draw(&self.weights, &position.legal[role.index()], &mut self.generator);
        let role = || rules.role_names()[role.index()].clone();
        let text =
            text.ok_or_else(|| GameError::NoLegalMove { role: role(), facts: position.state.clone() })?;
        Ok(Choice { text: text.clone(), report: Report::default() })
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        let (game, assignment) = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        let names = assignment.rules.role_names().iter().cloned();
        game.play(&names.zip(joint.iter().cloned()).collect())?;
        Ok(())
    }

    fn stop(&mut self) {
        self.now = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::started;

    #[test]
    fn moves_are_drawn_by_weight() {
        let mut player = started("rock-paper-scissors", "fixed:rock=0.6,paper=0.2,scissors=0.2", 0, 5);
        let mut counts = [0; 3];
        for _ in 0..2_000 {
            let text = player.choose(&Limit::default()).expect("a move").text;
            let at = ["rock", "paper", "scissors"].iter().position(|name| text.contains(name));
            counts[at.expect("one of the three")] += 1;
        }
        // The deviation of 0.6 is 22, that of 0.2 is 18.
        let is_near = |count: i32, expected: i32| (count - expected).abs() < 80;
        assert!(
            is_near(counts[0], 1_200) && is_near(counts[1], 400) && is_near(counts[2], 400),
            "{counts:?}"
        );
    }

    #[test]
    fn what_is_not_listed_is_not_played_unless_nothing_else_is_legal() {
        let mut player = started("tic-tac-toe", "fixed:( Mark 2 2)=1,(mark  1 1)=0", 0, 5);
        for _ in 0..20 {
            assert_eq!(player.choose(&Limit::default()).expect("a move").text, "(mark 2 2)");
        }
        player.observe(&["(mark 2 2)".to_owned(), "noop".to_owned()]).expect("it is legal");
        assert_eq!(player.choose(&Limit::default()).expect("a move").text, "noop");
        player.observe(&["noop".to_owned(), "(mark 3 3)".to_owned()]).expect("it is legal");
        let mut seen: Vec<String> =
            (0..200).map(|_| player.choose(&Limit::default()).expect("a move").text).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 7);
    }
}
