//! A game of one role, as the ways to solve it see it.

use crate::SearchError;
use crate::position::Position;
use senet_game::{Engine, GameError, MoveId, RoleId};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Tells positions apart.
pub(crate) type Key<S> = Box<dyn Fn(&S) -> u64 + Send>;

/// What a way takes for granted, so as to look at less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Care {
    /// Positions that differ in counters only are the same, and moves that commuted some times always do. It may miss a
    /// solution: where something moves by itself, say, for which one has to wait.
    Hasty,
    /// Nothing.
    Thorough,
}

/// The position to solve, and the engine.
pub(crate) struct Puzzle<E: Engine> {
    /// Where the match stands: what is searched begins there.
    pub(crate) root: Position<E>,
    key: Key<E::State>,
    /// Leaves out counters, if there are any.
    hasty_key: Option<Key<E::State>>,
    /// The best goal there may be.
    pub(crate) most: u8,
    /// How many moves were tried since the beginning.
    pub(crate) n_steps: u64,
    pub(crate) best: Option<Line>,
    /// A first move after which a match did not come to its end, and what the position was worth where it was cut: for
    /// games that have no end.
    pub(crate) cut: Option<(u8, MoveId)>,
}

/// Moves that lead to the end of a match, and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) value: u8,
    pub(crate) moves: Vec<MoveId>,
}

impl<E: Engine> Puzzle<E> {
    pub(crate) fn new(
        engine: Arc<E>,
        most: u8,
        hasty_key: Option<Key<E::State>>,
    ) -> Result<Puzzle<E>, GameError> {
        let root = Position::new(engine)?;
        Ok(Puzzle { root, key: plain_key(), hasty_key, most, n_steps: 0, best: None, cut: None })
    }

    pub(crate) fn key(&self, state: &E::State, care: Care) -> u64 {
        match &self.hasty_key {
            Some(hasty_key) if care == Care::Hasty => hasty_key(state),
            _ => (self.key)(state),
        }
    }

    /// Whether positions are the same to a hasty way that are not.
    pub(crate) fn has_counters(&self) -> bool {
        self.hasty_key.is_some()
    }

    pub(crate) fn legal(&mut self, state: &E::State, moves: &mut Vec<MoveId>) -> Result<(), GameError> {
        self.root.engine.legals(&mut self.root.worker, state, RoleId::new(0), moves)
    }

    pub(crate) fn step(&mut self, state: &E::State, id: MoveId) -> Result<E::State, GameError> {
        self.n_steps += 1;
        self.root.engine.step(&mut self.root.worker, state, &[id])
    }

    pub(crate) fn is_over(&mut self, state: &E::State) -> Result<bool, GameError> {
        self.root.engine.is_terminal(&mut self.root.worker, state)
    }

    /// What a position is worth. What the rules do not say counts 0.
    pub(crate) fn value(&mut self, state: &E::State) -> Result<u8, GameError> {
        Ok(self.root.engine.goal(&mut self.root.worker, state, RoleId::new(0))?.unwrap_or(0))
    }

    /// Keeps the moves that led to an end, if none led to a better one.
    pub(crate) fn note(&mut self, value: u8, moves: impl FnOnce() -> Vec<MoveId>) {
        if self.best.as_ref().is_none_or(|best| value > best.value) {
            self.best = Some(Line { value, moves: moves() });
        }
    }

    /// Keeps the first move of a match that was cut, if none was worth more where it was.
    pub(crate) fn note_cut(&mut self, value: u8, first: MoveId) {
        if self.cut.is_none_or(|(best, _)| value > best) {
            self.cut = Some((value, first));
        }
    }

    /// Whether nothing better can be found.
    pub(crate) fn is_solved(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.value >= self.most)
    }

    /// Keeps a line that is given as text, if it leads to an end.
    pub(crate) fn learn(&mut self, line: &[Vec<String>]) -> Result<(), SearchError> {
        let root = self.root.state.clone();
        let learned = self.follow(line);
        let last = std::mem::replace(&mut self.root.state, root);
        let moves = learned?;
        if !moves.is_empty() && self.is_over(&last)? {
            let value = self.value(&last)?;
            self.note(value, || moves);
        }
        Ok(())
    }

    /// Plays a line; the caller takes it back.
    fn follow(&mut self, line: &[Vec<String>]) -> Result<Vec<MoveId>, SearchError> {
        let mut moves = Vec::new();
        for joint in line {
            let joint = self.root.find(joint)?;
            self.root.advance(&joint)?;
            moves.push(joint[0].1);
        }
        Ok(moves)
    }

    /// Goes on by a move. The best line stays if it begins with it.
    pub(crate) fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        let joint = self.root.find(joint)?;
        self.root.advance(&joint)?;
        self.cut = None;
        self.best = self.best.take().filter(|best| best.moves.first() == Some(&joint[0].1));
        if let Some(best) = &mut self.best {
            best.moves.remove(0);
        }
        Ok(())
    }
}

/// A key of states of any kind.
fn plain_key<S: Hash + 'static>() -> Key<S> {
    Box::new(|state| {
        let mut hasher = rustc_hash::FxHasher::default();
        state.hash(&mut hasher);
        hasher.finish()
    })
}

/// A key of packed states that leaves out some bits.
pub(crate) fn key_without(bits: Vec<u64>) -> Key<Box<[u64]>> {
    Box::new(move |state| {
        let mix = |hash: u64, (word, left_out): (&u64, &u64)| {
            let product = u128::from(hash ^ (word & !left_out)) * 0x9e37_79b9_7f4a_7c15_u128;
            ((product >> 64) as u64 ^ product as u64).rotate_left(23).wrapping_add(0x2545_f491_4f6c_dd1d)
        };
        state.iter().zip(&bits).fold(0x243f_6a88_85a3_08d3, mix)
    })
}
