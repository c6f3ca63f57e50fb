//! Counting the joint-move sequences of each length.

use crate::{Engine, GameError, roles};
use rustc_hash::FxHashMap;

/// How far to count.
#[derive(Clone, Copy, Debug)]
pub struct PerftOptions {
    /// The longest sequences to count.
    pub depth: u32,
    /// Stop before a depth with more nodes than this.
    pub node_limit: u64,
}

/// The counts of one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct PerftRow {
    /// The length of the sequences.
    pub depth: u32,
    /// How many sequences of joint moves have this length.
    pub nodes: u64,
    /// How many of them end in a terminal position.
    pub terminals: u64,
    /// How many different positions they reach.
    pub distinct: u64,
}

/// Counts sequences by depth, calling `row` as each depth is done. Positions
/// reached by several sequences are expanded once and counted as often as they
/// are reached. Ends early where no sequence goes on, or before a depth whose nodes
/// pass the limit or the largest number.
pub fn perft<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    options: PerftOptions,
    mut row: impl FnMut(PerftRow),
) -> Result<(), GameError> {
    let mut frontier: FxHashMap<E::State, u64> = FxHashMap::default();
    let initial = engine.initial(worker)?;
    if !engine.is_terminal(worker, &initial)? {
        frontier.insert(initial, 1);
    }
    for depth in 1..=options.depth {
        let mut reached: FxHashMap<E::State, u64> = FxHashMap::default();
        let mut nodes: u64 = 0;
        let mut is_complete = true;
        for (state, paths) in frontier.drain() {
            for_each_joint_move(engine, worker, &state, |worker, joint| {
                let counted = nodes.checked_add(paths).filter(|&nodes| nodes <= options.node_limit);
                let Some(counted) = counted else {
                    is_complete = false;
                    return Ok(false);
                };
                nodes = counted;
                *reached.entry(engine.step(worker, &state, joint)?).or_default() += paths;
                Ok(true)
            })?;
            if !is_complete {
                return Ok(());
            }
        }
        if nodes == 0 {
            return Ok(());
        }
        let distinct = reached.len() as u64;
        let mut terminals = 0;
        for (state, paths) in reached {
            if engine.is_terminal(worker, &state)? {
                terminals += paths;
            } else {
                frontier.insert(state, paths);
            }
        }
        row(PerftRow { depth, nodes, terminals, distinct });
    }
    Ok(())
}

/// Calls `visit` with every combination of legal moves until it says no.
fn for_each_joint_move<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    state: &E::State,
    mut visit: impl FnMut(&mut E::Worker, &[crate::MoveId]) -> Result<bool, GameError>,
) -> Result<(), GameError> {
    let mut legal = vec![Vec::new(); engine.role_names().len()];
    for (role, moves) in roles(engine).zip(&mut legal) {
        engine.legals(worker, state, role, moves)?;
        if moves.is_empty() {
            return Err(GameError::no_legal_move(engine, worker, state, role));
        }
    }
    let mut choice = vec![0; legal.len()];
    loop {
        let joint: Vec<_> = legal.iter().zip(&choice).map(|(moves, &at)| moves[at]).collect();
        if !visit(worker, &joint)? {
            return Ok(());
        }
        let Some(role) = (0..legal.len()).rev().find(|&role| choice[role] + 1 < legal[role].len()) else {
            return Ok(());
        };
        choice[role] += 1;
        choice[role + 1..].fill(0);
    }
}
