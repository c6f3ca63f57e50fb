//! The shortest match that shows a difference, as far as a small effort finds it.

use super::aspect::difference;
use super::recorded::{Found, Moves, play, random_moves, start};
use senet_game::{AnyEngine, AnyMatch, MoveGenerator, Position};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What looking for a shorter match may take.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) positions: usize,
    pub(super) time: Duration,
}

impl Effort {
    pub(super) const SMALL: Effort = Effort { positions: 5_000, time: Duration::from_secs(5) };
}

/// Looks for a difference after fewer than `below` moves: first in random matches, because a difference late in a match
/// is often found earlier in another, then in all matches by length, which finds the shortest.
pub(super) fn shortest(
    reference: &Arc<dyn AnyEngine>,
    engine: &Arc<dyn AnyEngine>,
    below: usize,
    effort: Effort,
) -> Option<Found> {
    // Without a start of both the difference was there after no moves.
    let mut pair = Pair::new(reference, engine)?;
    let by_chance = pair.by_chance(below, effort);
    let below = by_chance.as_ref().map_or(below, |(moves, _)| moves.len());
    pair.by_length(below, effort).or(by_chance)
}

/// The same match on two engines.
struct Pair<'a> {
    roles: &'a [String],
    reference: Box<dyn AnyMatch>,
    engine: Box<dyn AnyMatch>,
}

impl<'a> Pair<'a> {
    fn new(reference: &'a Arc<dyn AnyEngine>, engine: &Arc<dyn AnyEngine>) -> Option<Self> {
        Some(Pair {
            roles: reference.role_names(),
            reference: start(reference).ok()?,
            engine: start(engine).ok()?,
        })
    }

    /// Plays on both. The position they agree on, or the difference; `None` if neither can go on.
    fn play(&mut self, path: &[Moves], moves: &Moves) -> Option<Result<Position, Found>> {
        let expected = play(&mut *self.reference, moves);
        let found = play(&mut *self.engine, moves);
        match difference(self.roles, &expected, &found) {
            Some(aspect) => {
                let path = path.iter().chain([moves]).cloned().collect();
                Some(Err((path, aspect)))
            }
            None => expected.ok().map(Ok),
        }
    }

    fn restart(&mut self) -> Option<()> {
        self.reference.restart().ok()?;
        self.engine.restart().ok()
    }

    fn by_chance(&mut self, mut below: usize, effort: Effort) -> Option<Found> {
        let end = Instant::now() + effort.time;
        let mut best = None;
        let mut generator = MoveGenerator::new(0);
        let mut left = effort.positions;
        while left > 0 && below > 1 && Instant::now() < end {
            self.restart()?;
            let mut path = Vec::new();
            while path.len() + 1 < below && left > 0 {
                let Ok(moves) = random_moves(&mut *self.reference, self.roles, &mut generator) else { break };
                left -= 1;
                match self.play(&path, &moves) {
                    Some(Ok(_)) => path.push(moves),
                    Some(Err(found)) => {
                        below = found.0.len();
                        best = Some(found);
                        break;
                    }
                    None => break,
                }
            }
            // A match that is over at once leaves nothing to try.
            if path.is_empty() && best.is_none() {
                break;
            }
        }
        best
    }

    fn by_length(&mut self, below: usize, effort: Effort) -> Option<Found> {
        let end = Instant::now() + effort.time;
        let mut left = effort.positions;
        let mut seen: HashSet<Vec<String>> = HashSet::new();
        let mut waiting: VecDeque<Vec<Moves>> = VecDeque::from([Vec::new()]);
        while let Some(path) = waiting.pop_front() {
            if path.len() + 1 >= below {
                return None;
            }
            self.restart()?;
            path.iter().for_each(|moves| {
                self.play(&[], moves);
            });
            for moves in JointMoves::new(self.roles, self.reference.position()) {
                if left == 0 || Instant::now() >= end {
                    return None;
                }
                left -= 1;
                match self.play(&path, &moves) {
                    Some(Err(found)) => return Some(found),
                    Some(Ok(position)) => {
                        self.reference.undo().ok()?;
                        self.engine.undo().ok()?;
                        if !position.terminal && seen.insert(position.state) {
                            waiting.push_back(path.iter().chain([&moves]).cloned().collect());
                        }
                    }
                    // A failed move leaves both where they were.
                    None => {}
                }
            }
        }
        None
    }
}

/// Every combination of legal moves.
struct JointMoves<'a> {
    roles: &'a [String],
    legal: Vec<Vec<String>>,
    /// By role: which move comes next; `None` after the last.
    next: Option<Vec<usize>>,
}

impl<'a> JointMoves<'a> {
    fn new(roles: &'a [String], position: Position) -> Self {
        let is_stuck = position.legal.iter().any(Vec::is_empty);
        JointMoves { roles, next: (!is_stuck).then(|| vec![0; roles.len()]), legal: position.legal }
    }
}

impl Iterator for JointMoves<'_> {
    type Item = Moves;

    fn next(&mut self) -> Option<Moves> {
        let choice = self.next.as_mut()?;
        let chosen = self.legal.iter().zip(&*choice).map(|(moves, &at)| moves[at].clone());
        let moves = self.roles.iter().cloned().zip(chosen).collect();
        match (0..choice.len()).rev().find(|&role| choice[role] + 1 < self.legal[role].len()) {
            Some(role) => {
                choice[role] += 1;
                choice[role + 1..].fill(0);
            }
            None => self.next = None,
        }
        Some(moves)
    }
}
