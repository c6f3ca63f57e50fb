//! One playout of a search: where it is cut, and what it is worth.

use crate::Limit;
use crate::position::Position;
use senet_game::{Engine, MoveGenerator, PlayedOut};

/// A playout that is not over after so many moves is cut. What counts are the goals of the position it was cut in: games
/// that go on for ever keep the score in them, others have none there, which counts 0.
pub(crate) const MOST_MOVES: u64 = 10_000;

/// How often a playout looks at the clock, in moves.
const LOOK: u64 = 16;

/// Plays from a state on. `goals` are then what it is worth to each role, 0 where the rules do not say. `None` if the
/// limit came first. A playout that the rules cannot finish is worth nothing to anybody.
pub(crate) fn playout<E: Engine>(
    position: &mut Position<E>,
    state: &E::State,
    generator: &mut MoveGenerator,
    limit: &Limit,
    goals: &mut Vec<Option<u8>>,
) -> Option<PlayedOut> {
    let mut is_given_up = false;
    let mut may_go_on = |length: u64| {
        is_given_up = length % LOOK == LOOK - 1 && limit.is_reached(0);
        !is_given_up && length < MOST_MOVES
    };
    let Position { engine, worker, .. } = position;
    let played = engine.playout(worker, state, generator, &mut may_go_on, goals);
    let played = played.unwrap_or_else(|_| {
        goals.clear();
        goals.resize(engine.role_names().len(), None);
        PlayedOut { length: 0, is_over: false }
    });
    (!is_given_up).then_some(played)
}
