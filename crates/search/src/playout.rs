//! One playout of a search: where it is cut, and what it is worth.

use crate::Limit;
use crate::position::Position;
use senet_game::{Engine, MoveGenerator, PlayedOut};

/// A playout that is not over after so many moves is cut. What counts are the goals of the position it was cut in: games
/// that go on for ever keep the score in them, others have none there, which counts 0.
pub(crate) const MOST_MOVES: u64 = 10_000;

/// How often a playout on gates looks at the clock, in moves. On engines that may be slow it does after each.
const LOOK_ON_GATES: u64 = 16;

/// Plays from a state on. `goals` are then what it is worth to each role, 0 where the rules do not say. `None` if the
/// limit came first. A playout that the rules cannot finish is worth nothing to anybody.
pub(crate) fn playout<E: Engine>(
    position: &mut Position<E>,
    state: &E::State,
    generator: &mut MoveGenerator,
    limit: &Limit,
    goals: &mut Vec<Option<u8>>,
) -> Option<PlayedOut> {
    let Position { engine, worker, .. } = position;
    let look = if engine.name() == "circuit" { LOOK_ON_GATES } else { 1 };
    let mut is_given_up = false;
    let mut may_go_on = |length: u64| {
        is_given_up = length % look == look - 1 && limit.is_reached(0);
        !is_given_up && length < MOST_MOVES
    };
    let played = engine.playout(worker, state, generator, &mut may_go_on, goals);
    let played = played.unwrap_or_else(|_| {
        goals.clear();
        goals.resize(engine.role_names().len(), None);
        PlayedOut { length: 0, is_over: false }
    });
    (!is_given_up).then_some(played)
}
