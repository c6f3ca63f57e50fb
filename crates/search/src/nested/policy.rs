//! Nested rollout policy adaptation (Rosin 2011): playouts by weights of moves, which learn from the best playout of each
//! level.
//!
//! A level makes [`ITERATIONS`] times what the level below it does, each time with a copy of its own weights, keeps the best
//! line, and makes the moves of it more likely. Levels are counters here, so that thinking can stop after any playout.

use super::puzzle::Puzzle;
use crate::playout::MOST_MOVES;
use senet_game::{Engine, GameError, MoveGenerator, MoveId};

const LEVELS: usize = 3;
const ITERATIONS: u32 = 50;
/// How much a move of the best line gains.
const ALPHA: f64 = 1.0;

/// A playout with all the choices there were.
#[derive(Clone, Default, Debug)]
struct Played {
    value: u8,
    moves: Vec<MoveId>,
    /// The legal moves of all positions, and where those of each begin.
    legal: Vec<MoveId>,
    first: Vec<u32>,
}

struct Level {
    weights: Vec<f64>,
    best: Played,
    iterations: u32,
}

/// The levels, the lowest first.
pub(crate) struct Policy {
    levels: Vec<Level>,
    generator: MoveGenerator,
    now: Played,
    legal: Vec<MoveId>,
    chances: Vec<f64>,
}

impl Policy {
    pub(crate) fn new(seed: u64) -> Policy {
        let level = || Level { weights: Vec::new(), best: Played::default(), iterations: 0 };
        Policy {
            levels: std::iter::repeat_with(level).take(LEVELS).collect(),
            generator: MoveGenerator::new(seed),
            now: Played::default(),
            legal: Vec::new(),
            chances: Vec::new(),
        }
    }

    /// One playout, and what the levels learn from it.
    pub(crate) fn work<E: Engine>(
        &mut self,
        puzzle: &mut Puzzle<E>,
        may_go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), GameError> {
        if !self.play(puzzle, may_go_on)? {
            return Ok(());
        }
        puzzle.note(self.now.value, || self.now.moves.clone());
        let mut result = std::mem::take(&mut self.now);
        for at in 0..LEVELS {
            let level = &mut self.levels[at];
            if level.best.moves.is_empty() || result.value >= level.best.value {
                std::mem::swap(&mut level.best, &mut result);
            }
            level.adapt();
            level.iterations += 1;
            if level.iterations < ITERATIONS {
                break;
            }
            // The level is through: the one above goes on with its best line, and it begins again with those weights.
            result = std::mem::take(&mut level.best);
            level.iterations = 0;
            for below in (0..=at).rev() {
                let weights = self.levels.get(below + 1).map_or_else(Vec::new, |above| above.weights.clone());
                self.levels[below].weights = weights;
            }
        }
        self.now = result;
        Ok(())
    }

    /// Plays from the root to the end. False if it had to stop before.
    fn play<E: Engine>(
        &mut self,
        puzzle: &mut Puzzle<E>,
        may_go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<bool, GameError> {
        let Policy { levels, generator, now, legal, chances } = self;
        let weights = &levels[0].weights;
        now.moves.clear();
        now.legal.clear();
        now.first.clear();
        let mut state = puzzle.root.state.clone();
        let mut length = 0;
        while !puzzle.is_over(&state)? {
            if !may_go_on(length) {
                return Ok(false);
            }
            if length >= MOST_MOVES {
                break;
            }
            puzzle.legal(&state, legal)?;
            chances.clear();
            chances.extend(legal.iter().map(|id| weights.get(id.index()).map_or(1.0, |weight| weight.exp())));
            let choice = draw(chances, generator);
            let Some(&id) = legal.get(choice) else { return Ok(false) };
            now.first.push(now.legal.len() as u32);
            now.legal.extend_from_slice(legal);
            now.moves.push(id);
            state = puzzle.step(&state, id)?;
            length += 1;
        }
        now.value = puzzle.value(&state)?;
        Ok(true)
    }
}

/// A place by chances that need not add up to one.
fn draw(chances: &[f64], generator: &mut MoveGenerator) -> usize {
    const PARTS: usize = 1 << 53;
    let total: f64 = chances.iter().sum();
    let mut rest = total * generator.below(PARTS) as f64 / PARTS as f64;
    let place = chances.iter().position(|chance| {
        rest -= chance;
        rest < 0.0
    });
    place.unwrap_or(chances.len().saturating_sub(1))
}

impl Level {
    /// Makes the best line more likely.
    fn adapt(&mut self) {
        let Level { weights, best, .. } = self;
        let highest = best.legal.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        weights.resize(weights.len().max(highest), 0.0);
        let old = weights.clone();
        for (at, &id) in best.moves.iter().enumerate() {
            let end = best.first.get(at + 1).map_or(best.legal.len(), |&end| end as usize);
            let legal = &best.legal[best.first[at] as usize..end];
            let total: f64 = legal.iter().map(|id| old[id.index()].exp()).sum();
            weights[id.index()] += ALPHA;
            for other in legal {
                weights[other.index()] -= ALPHA * old[other.index()].exp() / total;
            }
        }
    }
}
