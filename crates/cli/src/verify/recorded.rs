//! What the reference engine says, once for all engines.

use super::aspect::{Aspect, View, difference};
use senet_game::{AnyEngine, AnyMatch, GameError, MoveGenerator, PerftOptions, PerftRow, PlayError, RoleId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A longer match is left there.
const LONGEST: usize = 1_000;

/// A move of each role.
pub(super) type Moves = BTreeMap<String, String>;

/// A match of the reference engine.
pub(super) struct Recorded {
    pub(super) start: View,
    pub(super) steps: Vec<(Moves, View)>,
}

/// The moves up to a difference, and the difference.
pub(super) type Found = (Vec<Moves>, Aspect);

impl Recorded {
    /// A random match, of at most so many moves.
    pub(super) fn random(engine: &Arc<dyn AnyEngine>, generator: &mut MoveGenerator) -> Recorded {
        let mut game = match engine.clone().start() {
            Ok(game) => game,
            Err(error) => return Recorded { start: Err(error.to_string()), steps: Vec::new() },
        };
        let mut recorded = Recorded { start: Ok(game.position()), steps: Vec::new() };
        while recorded.steps.len() < LONGEST {
            let Ok(moves) = random_moves(&mut *game, engine.role_names(), generator) else { break };
            let view = play(&mut *game, &moves);
            let is_stuck = view.is_err();
            recorded.steps.push((moves, view));
            if is_stuck {
                break;
            }
        }
        recorded
    }

    /// How many positions it has.
    pub(super) fn n_positions(&self) -> u64 {
        self.steps.len() as u64 + 1
    }

    /// The first difference when an engine plays the same moves.
    pub(super) fn replay(&self, engine: &Arc<dyn AnyEngine>) -> Option<Found> {
        let roles = engine.role_names();
        let mut game = start(engine);
        let view = game.as_mut().map(|game| game.position()).map_err(|error| error.clone());
        if let Some(aspect) = difference(roles, &self.start, &view) {
            return Some((Vec::new(), aspect));
        }
        let Ok(mut game) = game else { return None };
        for (at, (moves, expected)) in self.steps.iter().enumerate() {
            let view = play(&mut *game, moves);
            if let Some(aspect) = difference(roles, expected, &view) {
                return Some((self.steps[..=at].iter().map(|(moves, _)| moves.clone()).collect(), aspect));
            }
        }
        None
    }
}

/// A match at its start, or why there is none.
pub(super) fn start(engine: &Arc<dyn AnyEngine>) -> Result<Box<dyn AnyMatch>, String> {
    engine.clone().start().map_err(|error| error.to_string())
}

/// What there is after a move of each role.
pub(super) fn play(game: &mut dyn AnyMatch, moves: &Moves) -> View {
    game.play(moves).map_err(|error| error.to_string())?;
    Ok(game.position())
}

/// A random move for each role; an error at the end of the match and where a role cannot move.
pub(super) fn random_moves(
    game: &mut dyn AnyMatch,
    roles: &[String],
    generator: &mut MoveGenerator,
) -> Result<Moves, PlayError> {
    let draw =
        |(at, role): (usize, &String)| Ok((role.clone(), game.random_move(RoleId::new(at), generator)?));
    roles.iter().enumerate().map(draw).collect()
}

/// The counts of an engine.
pub(super) fn perft(engine: &dyn AnyEngine, options: PerftOptions) -> Result<Vec<PerftRow>, GameError> {
    let mut rows = Vec::new();
    engine.perft(options, &mut |row| rows.push(row))?;
    Ok(rows)
}
