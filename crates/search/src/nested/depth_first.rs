//! Depth-first search with transpositions. Moves that commute are tried in one order only.
//!
//! Sleep sets: what was tried before a move need not be tried after it if the two commute, because the same position was
//! reached the other way round. Whether two moves commute is looked up in the positions where both are legal, and believed
//! after some of them.

use super::commuting::{Bits, Commuting};
use super::puzzle::{Care, Puzzle};
use super::reached::Reached;
use senet_game::{Engine, GameError, MoveGenerator, MoveId};

/// Which move is tried first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// In source order.
    Source,
    /// The one after which there are the fewest moves.
    Fewest,
    /// Any. It begins again and again, each time with more patience.
    Random,
}

/// How many positions the first search in random order looks at.
const FIRST_PATIENCE: u64 = 10_000;

/// The bytes of an entry of the positions that were reached, with room to grow.
const REACHED_BYTES: usize = 32;

/// A match without an end is not followed any deeper.
const DEEPEST: usize = 2_000;

struct Frame<S> {
    state: S,
    /// The move that led here.
    id: MoveId,
    /// Where the moves to try begin, and which is next. The frame above has its own behind them.
    first: usize,
    next: usize,
    /// Moves that need not be tried here: those that were, and those that commute with what led here.
    asleep: Bits,
}

/// The path, and what was reached.
pub(crate) struct DepthFirst<S> {
    pub(crate) order: Order,
    pub(crate) care: Care,
    memory: usize,
    generator: MoveGenerator,
    patience: u64,
    looked_at: u64,
    path: Vec<Frame<S>>,
    /// The moves of all frames.
    moves: Vec<MoveId>,
    reached: Reached,
    commuting: Commuting,
    legal: Vec<MoveId>,
    is_begun: bool,
    is_through: bool,
}

impl<S: Clone + PartialEq> DepthFirst<S> {
    pub(crate) fn new(order: Order, care: Care, memory: usize, seed: u64) -> DepthFirst<S> {
        DepthFirst {
            order,
            care,
            memory,
            generator: MoveGenerator::new(seed),
            patience: FIRST_PATIENCE,
            looked_at: 0,
            path: Vec::new(),
            moves: Vec::new(),
            reached: Reached::default(),
            commuting: Commuting::default(),
            legal: Vec::new(),
            is_begun: false,
            is_through: false,
        }
    }

    /// Whether everything was looked at.
    pub(crate) fn is_through(&self) -> bool {
        self.is_through
    }

    /// How many positions are kept.
    pub(crate) fn len(&self) -> usize {
        self.reached.len()
    }

    fn begin<E: Engine<State = S>>(&mut self, puzzle: &mut Puzzle<E>) -> Result<(), GameError> {
        self.path.clear();
        self.moves.clear();
        self.reached = Reached::default();
        self.looked_at = 0;
        let root = puzzle.root.state.clone();
        self.enter(puzzle, root, MoveId::new(0), Bits::default())
    }

    /// Tries one move.
    pub(crate) fn work<E: Engine<State = S>>(&mut self, puzzle: &mut Puzzle<E>) -> Result<(), GameError> {
        if !self.is_begun {
            self.is_begun = true;
            return self.begin(puzzle);
        }
        let Some(frame) = self.path.last_mut() else {
            self.is_through = true;
            return Ok(());
        };
        let Some(&id) = self.moves.get(frame.next) else {
            self.moves.truncate(frame.first);
            self.path.pop();
            return Ok(());
        };
        frame.next += 1;
        frame.asleep.insert(id);
        let state = frame.state.clone();
        let next = puzzle.step(&state, id)?;
        let depth = self.path.len() as u32;
        let key = puzzle.key(&next, self.care);
        if self.reached.depth(key).is_some_and(|least| least <= depth) {
            return Ok(());
        }
        if puzzle.is_over(&next)? {
            let value = puzzle.value(&next)?;
            puzzle.note(value, || self.path[1..].iter().map(|frame| frame.id).chain([id]).collect());
            return Ok(());
        }
        if self.reached.len() * REACHED_BYTES < self.memory {
            self.reached.insert(key, depth);
        }
        if self.path.len() >= DEEPEST {
            return Ok(());
        }
        self.looked_at += 1;
        if self.order == Order::Random && self.looked_at > self.patience {
            self.patience *= 2;
            return self.begin(puzzle);
        }
        let tried = &self.path.last().expect("a move is tried somewhere").asleep;
        let asleep = match self.care {
            Care::Hasty => self.commuting.with(puzzle, &state, id, &next, tried).unwrap_or_default(),
            Care::Thorough => Bits::default(),
        };
        self.enter(puzzle, next, id, asleep)
    }

    /// Goes to a position: its moves are put in order.
    fn enter<E: Engine<State = S>>(
        &mut self,
        puzzle: &mut Puzzle<E>,
        state: S,
        id: MoveId,
        asleep: Bits,
    ) -> Result<(), GameError> {
        puzzle.legal(&state, &mut self.legal)?;
        self.legal.retain(|&id| !asleep.contains(id));
        match self.order {
            Order::Source => {}
            Order::Random => {
                for at in (1..self.legal.len()).rev() {
                    self.legal.swap(at, self.generator.below(at + 1));
                }
            }
            Order::Fewest => {
                let mut keyed = Vec::new();
                let mut replies = Vec::new();
                for &id in &self.legal {
                    keyed.push((n_replies(puzzle, &state, id, &mut replies).unwrap_or(usize::MAX), id));
                }
                keyed.sort_by_key(|&(n_replies, _)| n_replies);
                self.legal.clear();
                self.legal.extend(keyed.into_iter().map(|(_, id)| id));
            }
        }
        let first = self.moves.len();
        self.moves.extend_from_slice(&self.legal);
        self.path.push(Frame { state, id, first, next: first, asleep });
        Ok(())
    }
}

/// How many moves there are after one. The end of a match is looked at first.
fn n_replies<E: Engine>(
    puzzle: &mut Puzzle<E>,
    state: &E::State,
    id: MoveId,
    replies: &mut Vec<MoveId>,
) -> Result<usize, GameError> {
    let next = puzzle.step(state, id)?;
    if puzzle.is_over(&next)? {
        return Ok(0);
    }
    puzzle.legal(&next, replies)?;
    Ok(replies.len())
}
