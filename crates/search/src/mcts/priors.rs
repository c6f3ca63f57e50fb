//! What is expected of a move that was not tried: statistics of moves, shared across the tree.
//!
//! A move is known by what it changed elsewhere: how far the score was above what the position was worth before. Two
//! tables are kept, by move, and by move and the move before it. How far each of them was off is measured whenever a move
//! is tried for the first time; the one that was off the least in this game is asked.

use super::parameters::Shared;
use crate::table::Table;
use senet_game::MoveId;

/// No move came before.
pub(crate) const NO_MOVE: u32 = u32::MAX;
/// An average counts like so many values of nothing more.
const DOUBT: f32 = 4.0;
/// So many of the last errors count.
const MEMORY: f32 = 10_000.0;
/// Pairs of moves that are remembered.
const MOST_PAIRS: usize = 1 << 18;

#[derive(Clone, Copy, Default, Debug)]
struct Average {
    sum: f32,
    count: f32,
}

impl Average {
    fn add(&mut self, value: f32) {
        self.sum += value;
        self.count += 1.0;
        // The newest thousand count most: the tree knows more and more.
        if self.count >= 2_000.0 {
            self.sum *= 0.5;
            self.count *= 0.5;
        }
    }

    fn value(self) -> f32 {
        self.sum / (self.count + DOUBT)
    }
}

/// A role, the move before and the move.
type Reply = (u32, u32, u32);

/// Statistics of moves.
pub(crate) struct Priors {
    shared: Shared,
    /// By role and move.
    moves: Vec<Vec<Average>>,
    /// By role, move before and move.
    replies: Table<(Reply, Average)>,
    /// The mean squares of the errors: of nothing, of moves, of replies.
    errors: [f32; 3],
    n_errors: f32,
}

impl Priors {
    pub(crate) fn new(shared: Shared, n_roles: usize) -> Priors {
        Priors {
            shared,
            moves: vec![Vec::new(); n_roles],
            replies: Table::default(),
            errors: [0.0; 3],
            n_errors: 0.0,
        }
    }

    /// The way that is used now.
    pub(crate) fn best(&self) -> Shared {
        if self.shared != Shared::Auto {
            return self.shared;
        }
        let all = [Shared::Off, Shared::Moves, Shared::Replies];
        let least = (0..3).min_by(|&left, &right| self.errors[left].total_cmp(&self.errors[right]));
        all[least.expect("there are three")]
    }

    /// By how much a move is expected to change the score of its role.
    pub(crate) fn advantage(&self, way: Shared, role: usize, before: u32, id: MoveId) -> f32 {
        match way {
            Shared::Auto | Shared::Off => 0.0,
            Shared::Moves => self.of_move(role, id),
            Shared::Replies => self.of_reply(role, before, id),
        }
    }

    fn of_move(&self, role: usize, id: MoveId) -> f32 {
        self.moves[role].get(id.index()).map_or(0.0, |average| average.value())
    }

    fn of_reply(&self, role: usize, before: u32, id: MoveId) -> f32 {
        let general = self.of_move(role, id);
        match self.reply((role as u32, before, id.index() as u32)) {
            // What is known of the reply counts the more, the more often it was seen.
            Some(average) => (average.sum + DOUBT * general) / (average.count + DOUBT),
            None => general,
        }
    }

    fn reply(&self, reply: Reply) -> Option<Average> {
        self.replies.find(hash(reply), |entry| entry.0 == reply).map(|&(_, average)| average)
    }

    /// A move was tried for the first time, and changed the score by so much.
    pub(crate) fn judge(&mut self, role: usize, before: u32, id: MoveId, change: f32) {
        let expected = [0.0, self.of_move(role, id), self.of_reply(role, before, id)];
        self.n_errors = (self.n_errors + 1.0).min(MEMORY);
        for (error, expected) in self.errors.iter_mut().zip(expected) {
            *error += ((change - expected).powi(2) - *error) / self.n_errors;
        }
    }

    /// A move was played, and the score came out so much above the mean.
    pub(crate) fn note(&mut self, role: usize, before: u32, id: MoveId, change: f32) {
        let moves = &mut self.moves[role];
        if moves.len() <= id.index() {
            moves.resize(id.index() + 1, Average::default());
        }
        moves[id.index()].add(change);
        let key = (role as u32, before, id.index() as u32);
        if let Some((_, average)) = self.replies.find_mut(hash(key), |entry| entry.0 == key) {
            average.add(change);
        } else if self.replies.len() < MOST_PAIRS {
            let mut average = Average::default();
            average.add(change);
            self.replies.insert(hash(key), (key, average), |&(key, _)| hash(key));
        }
    }
}

fn hash((role, before, id): Reply) -> u64 {
    let pair = u64::from(before) << 32 | u64::from(id);
    let product = u128::from(pair ^ u64::from(role) << 56) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_predictor_is_asked() {
        let (good, bad) = (MoveId::new(0), MoveId::new(1));
        let mut priors = Priors::new(Shared::Auto, 1);
        assert_eq!(priors.best(), Shared::Off);
        for _ in 0..100 {
            for (id, change) in [(good, 20.0), (bad, -20.0)] {
                priors.judge(0, NO_MOVE, id, change);
                priors.note(0, NO_MOVE, id, change);
            }
        }
        assert_ne!(priors.best(), Shared::Off);
        assert!(priors.advantage(Shared::Moves, 0, NO_MOVE, good) > 15.0);
        // Now it depends on the move before.
        let mut priors = Priors::new(Shared::Auto, 1);
        for _ in 0..100 {
            for (before, id, change) in [(0, good, 20.0), (1, good, -20.0), (0, bad, -20.0), (1, bad, 20.0)] {
                priors.judge(0, before, id, change);
                priors.note(0, before, id, change);
            }
        }
        assert_eq!(priors.best(), Shared::Replies);
        assert!(priors.advantage(Shared::Replies, 0, 1, bad) > 10.0);
    }
}
