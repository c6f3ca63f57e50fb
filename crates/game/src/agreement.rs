//! Whether two engines say the same of a game.

use crate::{Engine, GameError, MoveGenerator, roles};
use std::fmt::Debug;

/// Plays random matches on both engines and compares what they say of each position: facts, goals, whether the match is
/// over, and legal moves in their order. The first difference is the error.
pub fn check_agreement<J: Engine, E: Engine>(
    judge: &J,
    engine: &E,
    n_positions: u32,
    seed: u64,
) -> Result<(), String> {
    let failed = |error: GameError| error.to_string();
    let (mut judge_worker, mut worker) = (judge.worker(), engine.worker());
    let mut generator = MoveGenerator::new(seed);
    same("roles", engine.role_names(), judge.role_names(), &[])?;
    let start =
        (judge.initial(&mut judge_worker).map_err(failed)?, engine.initial(&mut worker).map_err(failed)?);
    let (mut expected, mut state) = start.clone();
    for _ in 0..n_positions {
        let facts = judge.facts(&mut judge_worker, &expected);
        same("facts", &engine.facts(&mut worker, &state)[..], &facts[..], &facts)?;
        for role in roles(engine) {
            let goal = judge.goal(&mut judge_worker, &expected, role).map_err(failed)?;
            same("goal", &engine.goal(&mut worker, &state, role).map_err(failed)?, &goal, &facts)?;
        }
        let is_terminal = judge.is_terminal(&mut judge_worker, &expected).map_err(failed)?;
        same("end", &engine.is_terminal(&mut worker, &state).map_err(failed)?, &is_terminal, &facts)?;
        if is_terminal {
            (expected, state) = start.clone();
            continue;
        }
        let (mut judge_moves, mut moves) = (Vec::new(), Vec::new());
        for role in roles(engine) {
            let (mut right, mut found) = (Vec::new(), Vec::new());
            judge.legals(&mut judge_worker, &expected, role, &mut right).map_err(failed)?;
            engine.legals(&mut worker, &state, role, &mut found).map_err(failed)?;
            let right_texts: Vec<_> =
                right.iter().map(|&id| judge.move_text(&mut judge_worker, id)).collect();
            let texts: Vec<_> = found.iter().map(|&id| engine.move_text(&mut worker, id)).collect();
            same("legal moves", &texts, &right_texts, &facts)?;
            if right.is_empty() {
                return Err(format!("nobody can go on from {facts:?}"));
            }
            let choice = generator.below(right.len());
            judge_moves.push(right[choice]);
            moves.push(found[choice]);
        }
        expected = judge.step(&mut judge_worker, &expected, &judge_moves).map_err(failed)?;
        state = engine.step(&mut worker, &state, &moves).map_err(failed)?;
    }
    Ok(())
}

fn same<T: PartialEq + Debug + ?Sized>(
    what: &str,
    found: &T,
    right: &T,
    facts: &[String],
) -> Result<(), String> {
    match found == right {
        true => Ok(()),
        false => Err(format!("{what}: {found:?} instead of {right:?} where {facts:?} hold")),
    }
}
