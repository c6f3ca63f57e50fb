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

    /// One playout, and what the levels learn from it. False if there was no time for it.
    pub(crate) fn work<E: Engine>(
        &mut self,
        puzzle: &mut Puzzle<E>,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, GameError> {
        match self.play(puzzle, may_go_on)? {
            Ending::Over => {}
            Ending::None => return Ok(true),
            Ending::NoTime => return Ok(false),
        }
        puzzle.note(self.now.value, || self.now.moves.clone());
        let mut result = std::mem::take(&mut self.now);
        let mut n_through = 0;
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
            // The level is through: the one above goes on with its best line.
            result = std::mem::take(&mut level.best);
            level.iterations = 0;
            n_through += 1;
        }
        // Levels that are through begin again with what the one above has learned by now.
        for below in (0..n_through).rev() {
            let weights = self.levels.get(below + 1).map_or_else(Vec::new, |above| above.weights.clone());
            self.levels[below].weights = weights;
        }
        self.now = result;
        Ok(true)
    }

    /// Plays from the root to the end.
    fn play<E: Engine>(
        &mut self,
        puzzle: &mut Puzzle<E>,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Ending, GameError> {
        let Policy { levels, generator, now, legal, chances } = self;
        let weights = &levels[0].weights;
        now.moves.clear();
        now.legal.clear();
        now.first.clear();
        let mut state = puzzle.root.state.clone();
        let mut length = 0;
        while !puzzle.is_over(&state)? {
            if !may_go_on() {
                return Ok(Ending::NoTime);
            }
            puzzle.legal(&state, legal)?;
            chances_of(legal, weights, chances);
            let choice = draw(chances, generator);
            let Some(&id) = legal.get(choice).filter(|_| length < MOST_MOVES) else {
                if let Some(&first) = now.moves.first() {
                    let value = puzzle.value(&state)?;
                    puzzle.note_cut(value, first);
                }
                return Ok(Ending::None);
            };
            now.first.push(now.legal.len() as u32);
            now.legal.extend_from_slice(legal);
            now.moves.push(id);
            state = puzzle.step(&state, id)?;
            length += 1;
        }
        now.value = puzzle.value(&state)?;
        Ok(Ending::Over)
    }
}

/// How a playout ended.
enum Ending {
    Over,
    /// It was too long, or had no moves: nothing is to be learned from it.
    None,
    NoTime,
}

/// The chances of moves by weights. They need not add up to one; the greatest is one, so that none is beyond all numbers.
fn chances_of(legal: &[MoveId], weights: &[f64], chances: &mut Vec<f64>) {
    chances.clear();
    chances.extend(legal.iter().map(|id| weights.get(id.index()).copied().unwrap_or(0.0)));
    let most = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    chances.iter_mut().for_each(|chance| *chance = (*chance - most).exp());
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
        let (old, mut chances) = (weights.clone(), Vec::new());
        for (at, &id) in best.moves.iter().enumerate() {
            let end = best.first.get(at + 1).map_or(best.legal.len(), |&end| end as usize);
            let legal = &best.legal[best.first[at] as usize..end];
            chances_of(legal, &old, &mut chances);
            let total: f64 = chances.iter().sum();
            weights[id.index()] += ALPHA;
            for (other, chance) in legal.iter().zip(&chances) {
                weights[other.index()] -= ALPHA * chance / total;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::rules;

    #[test]
    fn weights_may_be_as_large_as_they_like() {
        let moves = [0, 1, 2].map(MoveId::new);
        let mut chances = Vec::new();
        chances_of(&moves, &[5_000.0, 5_000.0 - 2.0_f64.ln()], &mut chances);
        assert!((chances[1] - 0.5).abs() < 1e-9 && chances[0] == 1.0 && chances[2] == 0.0, "{chances:?}");
        chances_of(&moves, &[-5_000.0; 3], &mut chances);
        assert_eq!(chances, [1.0; 3]);
    }

    #[test]
    fn a_level_that_begins_again_knows_what_the_one_above_has_learned() {
        let rules = rules("peg-solitaire-33");
        let crate::First::Forward(engine) = rules.first() else { panic!("it is played forward") };
        let mut puzzle = Puzzle::new(engine.clone(), 101, None).expect("it plays");
        let mut policy = Policy::new(1);
        for _ in 0..ITERATIONS {
            assert!(policy.levels[1].weights.is_empty());
            policy.work(&mut puzzle, &mut || true).expect("it plays");
        }
        assert!(policy.levels[1].weights.iter().any(|&weight| weight > 0.0));
        assert_eq!(policy.levels[0].weights, policy.levels[1].weights);
    }
}
