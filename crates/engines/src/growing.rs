//! An engine that is ready at once, and becomes a faster one while it is used.
//!
//! Matches begin on the first engine. When a better one was made, each of them moves to it before its next move, by playing
//! what was played so far once more: nothing is lost, moves can be taken back as before.

use senet_game::{
    AnyEngine, AnyMatch, GameError, MoveGenerator, Observations, PerftOptions, PerftRow, PlayError,
    PlayoutOptions, PlayoutStatistics, Position, RoleId,
};
use senet_gdl::Interner;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The engine there is, and the one that is being made.
pub(crate) struct Growing {
    first: Arc<dyn AnyEngine>,
    better: Arc<OnceLock<Arc<dyn AnyEngine>>>,
}

impl Growing {
    /// Moves to `better` as soon as it is there.
    pub(crate) fn new(first: Arc<dyn AnyEngine>, better: Arc<OnceLock<Arc<dyn AnyEngine>>>) -> Growing {
        Growing { first, better }
    }

    fn best(&self) -> &Arc<dyn AnyEngine> {
        self.better.get().unwrap_or(&self.first)
    }

    fn begin(self: Arc<Self>, facts: Option<&[String]>) -> Result<Box<dyn AnyMatch>, GameError> {
        let is_on_best = self.better.get().is_some();
        let game = begin(self.best(), facts)?;
        let beginning = facts.map(<[String]>::to_vec);
        Ok(Box::new(GrowingMatch { engine: self, game, is_on_best, beginning, moves: Vec::new() }))
    }
}

fn begin(engine: &Arc<dyn AnyEngine>, facts: Option<&[String]>) -> Result<Box<dyn AnyMatch>, GameError> {
    match facts {
        Some(facts) => engine.clone().start_from(facts),
        None => engine.clone().start(),
    }
}

impl AnyEngine for Growing {
    fn name(&self) -> &'static str {
        self.best().name()
    }

    fn role_names(&self) -> &[String] {
        self.first.role_names()
    }

    fn start(self: Arc<Self>) -> Result<Box<dyn AnyMatch>, GameError> {
        self.begin(None)
    }

    fn start_from(self: Arc<Self>, facts: &[String]) -> Result<Box<dyn AnyMatch>, GameError> {
        self.begin(Some(facts))
    }

    fn n_side_by_side(&self) -> u64 {
        self.best().n_side_by_side()
    }

    fn n_gates(&self) -> Option<usize> {
        self.best().n_gates()
    }

    fn level_name(&self) -> Option<&'static str> {
        self.best().level_name()
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        self.best().figures()
    }

    fn remarks(&self) -> Vec<String> {
        self.best().remarks()
    }

    fn playouts(&self, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        self.best().playouts(options)
    }

    fn playouts_one_by_one(&self, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        self.best().playouts_one_by_one(options)
    }

    fn perft(&self, options: PerftOptions, row: &mut dyn FnMut(PerftRow)) -> Result<(), GameError> {
        self.best().perft(options, row)
    }

    fn observe(&self, positions: u64, seed: u64) -> Result<Observations, GameError> {
        self.best().observe(positions, seed)
    }

    fn check_laws(&self, symbols: &Interner, playouts: u32, seed: u64) -> Result<(), String> {
        self.best().check_laws(symbols, playouts, seed)
    }
}

struct GrowingMatch {
    engine: Arc<Growing>,
    game: Box<dyn AnyMatch>,
    /// Whether there is nothing better to move to.
    is_on_best: bool,
    /// The facts where it began, if they came from outside.
    beginning: Option<Vec<String>>,
    /// The joint moves since then.
    moves: Vec<BTreeMap<String, String>>,
}

impl GrowingMatch {
    /// Moves to the better engine if it is there and takes the match.
    fn grow(&mut self) {
        if self.is_on_best {
            return;
        }
        if let Some(better) = self.engine.better.get() {
            self.is_on_best = true;
            if let Ok(game) = self.once_more(better) {
                self.game = game;
            }
        }
    }

    fn once_more(&self, engine: &Arc<dyn AnyEngine>) -> Result<Box<dyn AnyMatch>, PlayError> {
        let mut game = begin(engine, self.beginning.as_deref())?;
        self.moves.iter().try_for_each(|moves| game.play(moves))?;
        Ok(game)
    }
}

impl AnyMatch for GrowingMatch {
    fn restart(&mut self) -> Result<(), GameError> {
        self.grow();
        self.game.restart()?;
        self.beginning = None;
        self.moves.clear();
        Ok(())
    }

    fn set(&mut self, facts: &[String]) -> Result<(), GameError> {
        self.grow();
        self.game.set(facts)?;
        self.beginning = Some(facts.to_vec());
        self.moves.clear();
        Ok(())
    }

    fn play(&mut self, moves: &BTreeMap<String, String>) -> Result<(), PlayError> {
        self.grow();
        self.game.play(moves)?;
        self.moves.push(moves.clone());
        Ok(())
    }

    fn undo(&mut self) -> Result<(), PlayError> {
        self.grow();
        self.game.undo()?;
        self.moves.pop();
        Ok(())
    }

    fn random_move(&mut self, role: RoleId, generator: &mut MoveGenerator) -> Result<String, PlayError> {
        self.game.random_move(role, generator)
    }

    fn position(&mut self) -> Position {
        self.game.position()
    }

    fn moves_played(&self) -> usize {
        self.game.moves_played()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Purpose, Setup};

    #[test]
    fn a_match_moves_to_the_better_engine_and_loses_nothing() {
        let description = senet_gdl::parse(&crate::library::find("tic-tac-toe").expect("built in").text);
        let setup = Setup::new(&description);
        let engine = |name| setup.load(name, Purpose::OneState).expect("it is small").engine;
        let better = Arc::new(OnceLock::new());
        let growing = Arc::new(Growing::new(engine("forward"), better.clone()));
        let mut game = growing.clone().start().expect("it begins");
        let mut plain = engine("reference").start().expect("it begins");
        let mut generator = MoveGenerator::new(5);
        for n_played in 0..5 {
            assert_eq!(growing.name(), if n_played < 3 { "forward" } else { "circuit" });
            let moves: BTreeMap<String, String> = (0..2)
                .map(|role| {
                    let text = plain.random_move(RoleId::new(role), &mut generator).expect("there is one");
                    (growing.role_names()[role].clone(), text)
                })
                .collect();
            game.play(&moves).expect("it is legal");
            plain.play(&moves).expect("it is legal");
            assert_eq!(game.position(), plain.position());
            if n_played == 2 {
                assert!(better.set(engine("circuit")).is_ok());
            }
        }
        for _ in 0..5 {
            game.undo().expect("there is a move");
            plain.undo().expect("there is a move");
            assert_eq!(game.position(), plain.position());
        }
        assert_eq!(game.undo(), Err(PlayError::NothingToUndo));
        let facts = plain.position().state;
        game.set(&facts).expect("it is a position");
        assert_eq!((game.position(), game.moves_played()), (plain.position(), 0));
    }
}
