//! Which moves commute: lead to the same position in either order.

use super::puzzle::Puzzle;
use rustc_hash::FxHashMap;
use senet_game::{Engine, GameError, MoveId};

/// Two moves that led to the same position in either order so often are believed to commute.
const BELIEVED: u8 = 3;

/// Moves with higher numbers are not compared: what is known of all pairs grows with the square.
const MOST_COMPARED: usize = 4_096;

/// A set of moves.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn contains(&self, id: MoveId) -> bool {
        self.0.get(id.index() / 64).is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
    }

    pub(crate) fn insert(&mut self, id: MoveId) {
        let word = id.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (id.index() % 64);
    }

    fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }
}

/// What is known of a move and all others.
#[derive(Default)]
struct Row {
    /// Others of which it is known whether they commute.
    known: Bits,
    commutes: Bits,
}

/// What is known of all moves.
#[derive(Default)]
pub(crate) struct Commuting {
    rows: Vec<Row>,
    /// How often two moves of which it is not yet known did commute.
    times: FxHashMap<(MoveId, MoveId), u8>,
}

impl Commuting {
    /// Those of `others` that commute with a move. All of them are legal in `state` or were tried before it was reached; the
    /// move leads from there to `next`.
    pub(crate) fn with<E: Engine>(
        &mut self,
        puzzle: &mut Puzzle<E>,
        state: &E::State,
        id: MoveId,
        next: &E::State,
        others: &Bits,
    ) -> Result<Bits, GameError> {
        if id.index() >= MOST_COMPARED {
            return Ok(Bits::default());
        }
        if self.rows.len() <= id.index() {
            self.rows.resize_with(id.index() + 1, Row::default);
        }
        let n_words = others.0.len().min(MOST_COMPARED / 64);
        let mut found = Bits(Vec::with_capacity(n_words));
        for at in 0..n_words {
            let row = &self.rows[id.index()];
            let mut unknown = others.word(at) & !row.known.word(at);
            found.0.push(others.word(at) & row.commutes.word(at));
            while unknown != 0 {
                let other = MoveId::new(64 * at + unknown.trailing_zeros() as usize);
                unknown &= unknown - 1;
                if other != id && self.try_out(puzzle, state, id, other, next)? {
                    found.insert(other);
                }
            }
        }
        Ok(found)
    }

    /// Whether two moves commute here.
    fn try_out<E: Engine>(
        &mut self,
        puzzle: &mut Puzzle<E>,
        state: &E::State,
        id: MoveId,
        other: MoveId,
        next: &E::State,
    ) -> Result<bool, GameError> {
        let do_commute = commute(puzzle, state, id, other, next)?;
        let pair = (id.min(other), id.max(other));
        let times = self.times.entry(pair).or_insert(0);
        *times += 1;
        if !do_commute || *times >= BELIEVED {
            self.times.remove(&pair);
            for (id, other) in [(id, other), (other, id)] {
                if self.rows.len() <= id.index() {
                    self.rows.resize_with(id.index() + 1, Row::default);
                }
                let row = &mut self.rows[id.index()];
                row.known.insert(other);
                if do_commute {
                    row.commutes.insert(other);
                }
            }
        }
        Ok(do_commute)
    }
}

/// Whether two moves, of which one led to `next`, lead to the same position in either order.
fn commute<E: Engine>(
    puzzle: &mut Puzzle<E>,
    state: &E::State,
    id: MoveId,
    other: MoveId,
    next: &E::State,
) -> Result<bool, GameError> {
    let mut legal = Vec::new();
    puzzle.legal(state, &mut legal)?;
    if !legal.contains(&other) {
        return Ok(false);
    }
    puzzle.legal(next, &mut legal)?;
    if !legal.contains(&other) {
        return Ok(false);
    }
    let one = puzzle.step(next, other)?;
    let between = puzzle.step(state, other)?;
    if puzzle.is_over(&between)? {
        return Ok(false);
    }
    puzzle.legal(&between, &mut legal)?;
    Ok(legal.contains(&id) && puzzle.step(&between, id)? == one)
}
