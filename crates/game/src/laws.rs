//! The laws every engine keeps on every well-formed game.

use crate::{Engine, GameError, MoveGenerator, PlayError, playout, roles};
use senet_gdl::{Interner, parse_term, source_order};

/// Plays random matches and checks at every position that
/// - legal moves are in source order, without repetition, and there is one for each role before the end;
/// - the same moves lead to the same position, twice;
/// - goals are given at the end, to every role;
/// - a playout of the engine's own goes as one that is played step by step, from some of the positions;
/// - a position read back from its own facts is the same position.
///
/// `symbols` are the names of the rulesheet in the order of first occurrence.
pub fn check_laws<E: Engine>(engine: &E, symbols: &Interner, playouts: u32, seed: u64) -> Result<(), String> {
    let mut worker = engine.worker();
    let mut symbols = symbols.clone();
    let mut generator = MoveGenerator::new(seed);
    let text = |error: GameError| PlayError::from(error).to_string();
    for _ in 0..playouts {
        let mut state = engine.initial(&mut worker).map_err(text)?;
        for length in 0_u32.. {
            let facts = engine.facts(&mut worker, &state);
            if !facts.is_sorted() {
                return Err(format!("facts are not sorted: {facts:?}"));
            }
            if engine.state_of(&mut worker, &facts).map_err(text)? != state {
                return Err(format!("a position does not survive being written down: {facts:?}"));
            }
            if engine.is_terminal(&mut worker, &state).map_err(text)? {
                break;
            }
            // Some are enough: most engines have no way of their own, and the judge is slow.
            if length == 1 || length == 16 {
                let seed = generator.below(usize::MAX) as u64;
                check_playout(engine, &mut worker, &state, seed).map_err(text)?.map_err(|what| {
                    format!("a playout goes another way than step by step, {what}: {facts:?}")
                })?;
            }
            let mut joint = Vec::new();
            for role in roles(engine) {
                let name = &engine.role_names()[role.index()];
                let mut moves = Vec::new();
                engine.legals(&mut worker, &state, role, &mut moves).map_err(text)?;
                let terms = moves
                    .iter()
                    .map(|&id| parse_term(&engine.move_text(&mut worker, id), &mut symbols))
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(|error| error.to_string())?;
                if !terms.is_sorted_by(|left, right| source_order(left, right).is_lt()) {
                    return Err(format!("legal moves of {name} are not in source order: {facts:?}"));
                }
                let choice = generator.choose(&moves);
                joint.push(choice.ok_or_else(|| format!("{name} has no legal move: {facts:?}"))?);
            }
            let next = engine.step(&mut worker, &state, &joint).map_err(text)?;
            if engine.step(&mut worker, &state, &joint).map_err(text)? != next {
                return Err(format!("the same moves lead to different positions: {facts:?}"));
            }
            state = next;
        }
        for role in roles(engine) {
            let goal = engine.goal(&mut worker, &state, role).map_err(text)?;
            if goal.is_none() {
                let facts = engine.facts(&mut worker, &state);
                return Err(format!(
                    "{} has no goal at the end: {facts:?}",
                    engine.role_names()[role.index()]
                ));
            }
        }
    }
    Ok(())
}

/// The engine's own way to play a random match against the plain one, for so many moves at most as `MOST` says.
fn check_playout<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    state: &E::State,
    seed: u64,
) -> Result<Result<(), String>, GameError> {
    const MOST: u64 = 10;
    let (mut goals, mut right_goals) = (Vec::new(), Vec::new());
    let (mut generator, mut right_generator) = (MoveGenerator::new(seed), MoveGenerator::new(seed));
    let may_go_on = &mut |length| length < MOST;
    let played = engine.playout(worker, state, &mut generator, may_go_on, &mut goals)?;
    let right = playout(engine, worker, state, &mut right_generator, may_go_on, &mut right_goals)?;
    if (played, &goals) != (right, &right_goals) {
        return Ok(Err(format!("{played:?} with {goals:?} instead of {right:?} with {right_goals:?}")));
    }
    match generator.below(usize::MAX) == right_generator.below(usize::MAX) {
        true => Ok(Ok(())),
        false => Ok(Err("with other draws".to_owned())),
    }
}
