//! What expanding positions gives: their moves, and what follows them.

use senet_game::MoveId;
use std::ops::Range;

/// The moves of a position by role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'a> {
    /// By role: where its moves begin, and at the end where the last one's end.
    firsts: &'a [u32],
    ids: &'a [MoveId],
}

impl<'a> Choices<'a> {
    pub(crate) fn n_roles(&self) -> usize {
        self.firsts.len() - 1
    }

    pub(crate) fn of(&self, role: usize) -> &'a [MoveId] {
        &self.ids[self.firsts[role] as usize..self.firsts[role + 1] as usize]
    }

    pub(crate) fn by_role(&self) -> impl Iterator<Item = &'a [MoveId]> + use<'a> {
        let choices = *self;
        (0..self.n_roles()).map(move |role| choices.of(role))
    }

    /// The moves of all roles together.
    pub(crate) fn n_moves(&self) -> usize {
        (self.firsts[self.n_roles()] - self.firsts[0]) as usize
    }

    /// How many joint moves there are: none if a role has no move.
    pub(crate) fn n_joint(&self) -> u64 {
        self.by_role().fold(1, |n, ids| n.saturating_mul(ids.len() as u64))
    }

    /// The moves of a joint move. The first role's change first.
    pub(crate) fn joint(&self, joint: u64) -> impl Iterator<Item = MoveId> + use<'a> {
        let mut rest = joint;
        self.by_role().map(move |ids| {
            let n = ids.len() as u64;
            let id = ids[(rest % n) as usize];
            rest /= n;
            id
        })
    }
}

/// A position that was expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expansion<'a> {
    pub(crate) choices: Choices<'a>,
    /// By joint move, if they are known and packed: the positions that follow.
    pub(crate) packed: &'a [u64],
    /// By joint move, if what follows is known: whether the match is over.
    is_over: &'a [bool],
    /// By joint move and role: the goals, where it is.
    goals: &'a [u8],
}

impl<'a> Expansion<'a> {
    /// The joint moves that end the match, with the goals.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (u64, &'a [u8])> + use<'a> {
        let goals = self.goals.chunks(self.choices.n_roles());
        let ends = self.is_over.iter().zip(goals).enumerate().filter(|(_, (is_over, _))| **is_over);
        ends.map(|(joint, (_, goals))| (joint as u64, goals))
    }
}

/// Positions that were expanded, one after the other.
#[derive(Default, Debug)]
pub(crate) struct Expansions {
    n_roles: usize,
    ids: Vec<MoveId>,
    /// By position and role.
    firsts: Vec<u32>,
    /// By position: its joint moves whose successors are known.
    joints: Vec<Range<u32>>,
    /// By joint move.
    packed: Vec<u64>,
    n_words: usize,
    is_over: Vec<bool>,
    goals: Vec<u8>,
    /// Moves in the order they are found, with position and role.
    found: Vec<(u32, MoveId)>,
}

impl Expansions {
    /// Forgets all. Positions have so many words, if they are packed, or none.
    pub(crate) fn clear(&mut self, n_roles: usize, n_words: usize) {
        (self.n_roles, self.n_words) = (n_roles, n_words);
        self.ids.clear();
        self.firsts.clear();
        self.joints.clear();
        self.packed.clear();
        self.is_over.clear();
        self.goals.clear();
        self.found.clear();
    }

    /// A move of a role in a position: those of the same role and position in their order.
    pub(crate) fn add_move(&mut self, at: usize, role: usize, id: MoveId) {
        self.found.push(((at * self.n_roles + role) as u32, id));
    }

    /// All moves are there: puts them in order.
    pub(crate) fn sort_moves(&mut self, n_positions: usize) {
        self.firsts.resize(n_positions * self.n_roles + 1, 0);
        for &(place, _) in &self.found {
            self.firsts[place as usize + 1] += 1;
        }
        let mut sum = 0;
        for first in &mut self.firsts {
            sum += *first;
            *first = sum;
        }
        self.ids.resize(self.found.len(), MoveId::new(0));
        // From the last to the first: each moves the end of its role to the beginning.
        for &(place, id) in self.found.iter().rev() {
            let end = &mut self.firsts[place as usize + 1];
            *end -= 1;
            self.ids[*end as usize] = id;
        }
        self.firsts.remove(0);
        self.firsts.push(sum);
    }

    pub(crate) fn choices(&self, at: usize) -> Choices<'_> {
        let first = at * self.n_roles;
        Choices { firsts: &self.firsts[first..=first + self.n_roles], ids: &self.ids }
    }

    /// The next position: so many of what follows it will be added.
    pub(crate) fn add_position(&mut self, n_successors: u64) {
        let first = self.joints.last().map_or(0, |joints| joints.end);
        self.joints.push(first..first + n_successors as u32);
    }

    /// What follows the next joint move.
    pub(crate) fn add_successor(&mut self, packed: &[u64], goals: Option<&[u8]>) {
        self.packed.extend_from_slice(packed);
        self.is_over.push(goals.is_some());
        match goals {
            Some(goals) => self.goals.extend_from_slice(goals),
            None => self.goals.resize(self.goals.len() + self.n_roles, 0),
        }
    }

    pub(crate) fn get(&self, at: usize) -> Expansion<'_> {
        let Range { start, end } = self.joints[at];
        let (start, end) = (start as usize, end as usize);
        Expansion {
            choices: self.choices(at),
            packed: &self.packed[start * self.n_words..end * self.n_words],
            is_over: &self.is_over[start..end],
            goals: &self.goals[start * self.n_roles..end * self.n_roles],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_put_in_order() {
        let mut expansions = Expansions::default();
        expansions.clear(2, 1);
        for (at, role, id) in [(1, 0, 3), (0, 0, 4), (0, 1, 5), (1, 0, 6), (1, 1, 7), (0, 1, 8), (1, 1, 9)] {
            expansions.add_move(at, role, MoveId::new(id));
        }
        expansions.sort_moves(2);
        let moves = |at: usize, role| {
            let ids = expansions.choices(at).of(role).iter();
            ids.map(|id| id.index()).collect::<Vec<_>>()
        };
        assert_eq!([moves(0, 0), moves(0, 1)], [vec![4], vec![5, 8]]);
        assert_eq!([moves(1, 0), moves(1, 1)], [vec![3, 6], vec![7, 9]]);
        let joint = |joint| expansions.choices(1).joint(joint).map(|id| id.index()).collect::<Vec<_>>();
        assert_eq!([joint(0), joint(1), joint(2), joint(3)], [[3, 7], [6, 7], [3, 9], [6, 9]]);
        for at in [0, 1] {
            expansions.add_position(expansions.choices(at).n_joint());
        }
        for goals in [None, Some([0, 100]), None, None, Some([100, 0]), None] {
            expansions.add_successor(&[8], goals.as_ref().map(|goals| &goals[..]));
        }
        assert_eq!(expansions.get(0).ends().collect::<Vec<_>>(), [(1, &[0, 100][..])]);
        assert_eq!(expansions.get(1).ends().collect::<Vec<_>>(), [(2, &[100, 0][..])]);
        assert_eq!(expansions.get(1).packed, [8; 4]);
    }
}
