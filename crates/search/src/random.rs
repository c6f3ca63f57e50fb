//! Players that do not think.

use crate::{Assignment, Choice, Limit, Player, Report, SearchError};
use senet_game::{AnyMatch, MoveGenerator};

/// What is done with the legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taste {
    /// Any of them, each as likely.
    Random,
    /// Always the first, in the order of their texts.
    First,
}

/// A player that takes a legal move without a thought.
pub(crate) struct Thoughtless {
    taste: Taste,
    generator: MoveGenerator,
    now: Option<(Box<dyn AnyMatch>, Assignment)>,
}

impl Thoughtless {
    pub(crate) fn new(taste: Taste, seed: u64) -> Thoughtless {
        Thoughtless { taste, generator: MoveGenerator::new(seed), now: None }
    }
}

impl Player for Thoughtless {
    fn start(&mut self, assignment: Assignment, _: &Limit) -> Result<(), SearchError> {
        self.now = Some((assignment.rules.engine().start()?, assignment));
        Ok(())
    }

    fn choose(&mut self, _: &Limit) -> Result<Choice, SearchError> {
        let (game, Assignment { role, .. }) = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        let text = match self.taste {
            Taste::Random => game.random_move(*role, &mut self.generator)?,
            Taste::First => match game.position().legal[role.index()].first() {
                Some(text) => text.clone(),
                // The error says whose move is missing where.
                None => game.random_move(*role, &mut self.generator)?,
            },
        };
        Ok(Choice { text, report: Report::default() })
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
    use crate::{Assignment, Limit, Player, Rules, SearchError, Spec};
    use senet_game::RoleId;

    fn started(spec: &str, seed: u64) -> Box<dyn Player> {
        let game = senet_engines::library::find("tic-tac-toe").expect("built in");
        let rules = Rules::new(senet_gdl::parse(&game.text)).expect("it plays");
        let mut player = spec.parse::<Spec>().expect("a strategy").player(seed);
        player.start(Assignment { rules, role: RoleId::new(0) }, &Limit::default()).expect("it plays");
        player
    }

    #[test]
    fn the_same_seed_gives_the_same_moves() {
        let moves = |seed| {
            let mut player = started("random", seed);
            let texts = (0..12).map(|_| player.choose(&Limit::default()).expect("a move").text);
            texts.collect::<Vec<_>>()
        };
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
    }

    #[test]
    fn the_first_legal_move_follows_the_match() {
        let mut player = started("legal", 1);
        assert_eq!(player.choose(&Limit::default()).expect("a move").text, "(mark 1 1)");
        player.observe(&["(mark 1 1)".to_owned(), "noop".to_owned()]).expect("it is legal");
        assert_eq!(player.choose(&Limit::default()).expect("a move").text, "noop");
        let error =
            player.observe(&["(mark 1 1)".to_owned(), "noop".to_owned()]).expect_err("it is not legal");
        assert!(matches!(error, SearchError::Play(_)), "{error}");
        player.stop();
        assert!(matches!(player.choose(&Limit::default()), Err(SearchError::NoMatch)));
    }
}
