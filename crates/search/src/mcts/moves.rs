//! The legal moves of a position, and what is known of them.
//!
//! Mostly one role chooses at most: then the number of a joint move is that of its move, and what follows is noted
//! beside the move. Where more than that is needed, it stands apart (`Joint`).

use super::expansion::{Choices, Expansion};
use super::tree::{MOST, NONE};
use crate::table::Table;
use senet_game::MoveId;
use std::ops::Range;

/// Positions with more joint moves than this remember only those that were tried.
const MOST_CHILDREN: u64 = 4_096;
/// Children are handed out in parts of at most so many.
pub(crate) const PART: usize = MOST_CHILDREN as usize;
/// What follows is kept in so many words at most.
const MOST_PACKED: usize = 4_096;

/// The legal moves of a position.
pub(crate) struct Moves {
    n_roles: u32,
    pub(crate) turn: Turn,
    /// By role and move.
    pub(crate) arms: Box<[Arm]>,
    /// By joint move, if what follows is known and packed: the positions, most of which have no node, because nobody went
    /// there yet.
    packed: Box<[u64]>,
    joint: Option<Box<Joint>>,
}

/// What there is to know of moves where several roles choose, or chance does.
struct Joint {
    /// By role: the place of its first move, and at the end the number of all.
    firsts: Box<[u32]>,
    children: Children,
    /// By move: how likely it is. 0 for those of free roles.
    chances: Box<[f32]>,
    /// By move, where several free roles choose at once.
    regrets: Box<[Regret]>,
}

/// A move of a role, and what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub(crate) id: MoveId,
    /// Where one role chooses at most: what follows.
    child: u32,
    pub(crate) visits: u32,
    pub(crate) waiting: u32,
    /// What it was worth to its role on average.
    pub(crate) mean: f32,
    /// By how much it is expected to change the score of its role: see [`super::priors::Priors`].
    pub(crate) prior: f32,
    /// Where nobody else chooses: what its role gets at least, and at most.
    pub(crate) low: f32,
    pub(crate) high: f32,
}

impl Arm {
    /// Whether what is known of it is all there is to know, or it cannot be better than what its role gets for sure.
    pub(crate) fn is_closed(&self, sure: f32) -> bool {
        self.high <= sure || self.high <= self.low
    }

    fn wait(&mut self, more: i32) {
        self.waiting = self.waiting.saturating_add_signed(more);
    }
}

/// How much better a move would have been, and how often it was to be played.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Regret {
    pub(crate) sum: f32,
    pub(crate) average: f32,
}

/// Who has a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// Everybody has one move.
    Nobody,
    /// One role, which is free to choose.
    Free(u32),
    /// One role, which is not.
    Chance(u32),
    /// Several roles, of which one at most is free.
    AgainstChance(Option<u32>),
    /// Several free roles, and others perhaps.
    Together,
}

impl Turn {
    /// The only role with a choice; any if nobody has one.
    fn chooser(self) -> Option<usize> {
        match self {
            Turn::Nobody => Some(0),
            Turn::Free(role) | Turn::Chance(role) => Some(role as usize),
            Turn::AgainstChance(_) | Turn::Together => None,
        }
    }

    /// The only role that is free to choose.
    pub(crate) fn free(self) -> Option<usize> {
        match self {
            Turn::Free(role) | Turn::AgainstChance(Some(role)) => Some(role as usize),
            _ => None,
        }
    }
}

/// The positions that follow joint moves, by the number of the joint move.
enum Children {
    /// They are noted beside the moves.
    Arms,
    All(Box<[u32]>),
    Tried(Table<(u64, u32)>),
}

impl Moves {
    pub(crate) fn new(turn: Turn, chances: Box<[f32]>, expansion: &Expansion<'_>) -> Moves {
        let choices = expansion.choices;
        let arm =
            |&id| Arm { id, child: NONE, visits: 0, waiting: 0, mean: 0.0, prior: 0.0, low: 0.0, high: MOST };
        let mut arms = Vec::with_capacity(choices.n_moves());
        choices.by_role().for_each(|ids| arms.extend(ids.iter().map(arm)));
        let joint = match turn {
            Turn::Nobody | Turn::Free(_) => None,
            _ => Some(Box::new(Joint::new(turn, chances, choices))),
        };
        let n_roles = choices.n_roles() as u32;
        let packed =
            if expansion.packed.len() <= MOST_PACKED { expansion.packed.into() } else { Box::default() };
        Moves { n_roles, turn, arms: arms.into(), packed, joint }
    }

    fn first(&self, role: usize) -> usize {
        match self.turn.chooser() {
            // All others have one move.
            Some(chooser) if role <= chooser => role,
            Some(_) => self.arms.len() - (self.n_roles as usize - role),
            None => self.joint().firsts[role] as usize,
        }
    }

    /// The places of the moves of a role.
    #[inline]
    pub(crate) fn arms_of(&self, role: usize) -> Range<usize> {
        self.first(role)..self.first(role + 1)
    }

    /// How many moves a role has.
    pub(crate) fn count(&self, role: usize) -> usize {
        self.arms_of(role).len()
    }

    fn roles(&self) -> Range<usize> {
        0..self.n_roles as usize
    }

    /// How many joint moves there are. Where there are too many to be numbered, numbers still stand for joint moves, but not
    /// for one each.
    pub(crate) fn n_joint(&self) -> u64 {
        match self.turn.chooser() {
            Some(chooser) => self.count(chooser) as u64,
            None => self.roles().fold(1, |n, role| n.saturating_mul(self.count(role) as u64)),
        }
    }

    /// By how much the number of a joint move grows with the next move of a role.
    pub(crate) fn stride(&self, role: usize) -> u64 {
        (0..role).fold(1, |n, role| n.saturating_mul(self.count(role) as u64))
    }

    /// Which of its moves a role plays in a joint move.
    pub(crate) fn choice(&self, joint: u64, role: usize) -> usize {
        (joint / self.stride(role) % self.count(role) as u64) as usize
    }

    /// The moves of a joint move.
    pub(crate) fn ids(&self, joint: u64) -> impl Iterator<Item = MoveId> + '_ {
        let mut rest = joint;
        self.roles().map(move |role| {
            let arms = self.arms_of(role);
            let choice = rest % arms.len() as u64;
            rest /= arms.len() as u64;
            self.arms[arms.start + choice as usize].id
        })
    }

    /// The move of the role that has a choice, if it is one.
    pub(crate) fn chosen(&self, joint: u64) -> Option<MoveId> {
        match self.turn {
            Turn::Free(role) | Turn::Chance(role) => Some(self.arms[role as usize + joint as usize].id),
            _ => None,
        }
    }

    /// The node that follows a joint move.
    #[inline]
    pub(crate) fn child(&self, joint: u64) -> u32 {
        match self.turn.chooser() {
            Some(chooser) => self.arms[chooser + joint as usize].child,
            None => self.joint().children.get(joint),
        }
    }

    pub(crate) fn set_child(&mut self, joint: u64, child: u32) {
        match self.turn.chooser() {
            Some(chooser) => self.arms[chooser + joint as usize].child = child,
            None => self.joint_mut().children.set(joint, child),
        }
    }

    /// The nodes that follow.
    #[cfg(test)]
    pub(crate) fn children(&self) -> impl Iterator<Item = u32> + '_ {
        let beside = self.arms.iter().map(|arm| arm.child);
        let apart = self.joint.iter().flat_map(|joint| joint.children.known());
        beside.chain(apart).filter(|&child| child != NONE)
    }

    /// Takes some nodes that follow away, beginning with a move; false if there were none left. The joint moves cannot be asked
    /// for any more.
    pub(crate) fn take_part(&mut self, next: &mut usize, mut each: impl FnMut(u32)) -> bool {
        let end = self.arms.len().min(*next + PART);
        let arms = *next..end;
        *next = end;
        let is_child = |child: &u32| *child != NONE;
        if !arms.is_empty() {
            let take = |arm: &mut Arm| std::mem::replace(&mut arm.child, NONE);
            self.arms[arms].iter_mut().map(take).filter(is_child).for_each(each);
            return true;
        }
        match self.joint.as_deref_mut().map(|joint| &mut joint.children) {
            None | Some(Children::Arms) => false,
            Some(Children::All(all)) => {
                let all = std::mem::take(all);
                all.iter().copied().filter(is_child).for_each(each);
                !all.is_empty()
            }
            Some(Children::Tried(tried)) => match tried.take_shard() {
                Some(shard) => {
                    shard.iter().for_each(|&(_, child)| each(child));
                    true
                }
                None => false,
            },
        }
    }

    /// In how many shards the nodes are that follow moves, where only those that were tried are remembered.
    pub(crate) fn n_shards(&self) -> usize {
        match self.joint.as_deref() {
            Some(Joint { children: Children::Tried(tried), .. }) => tried.n_shards(),
            _ => 0,
        }
    }

    /// Forgets nodes in a shard of those that follow.
    pub(crate) fn retain_tried(&mut self, shard: usize, mut is_kept: impl FnMut(u32) -> bool) {
        if let Some(Joint { children: Children::Tried(tried), .. }) = self.joint.as_deref_mut() {
            tried.retain(shard, |&mut (_, child)| is_kept(child));
        }
    }

    /// Whether all nodes that follow are remembered.
    pub(crate) fn has_all_children(&self) -> bool {
        !matches!(self.joint.as_deref(), Some(Joint { children: Children::Tried(_), .. }))
    }

    /// The position that follows a joint move, if it is packed; else nothing.
    pub(crate) fn packed(&self, joint: u64) -> &[u64] {
        if self.packed.is_empty() {
            return &[];
        }
        let n_words = self.packed.len() / self.n_joint() as usize;
        &self.packed[joint as usize * n_words..(joint as usize + 1) * n_words]
    }

    /// Lets the moves of a joint move wait for so many results more.
    pub(crate) fn wait(&mut self, joint: u64, more: i32) {
        if let Some(chooser) = self.turn.chooser() {
            return self.arms[chooser + joint as usize].wait(more);
        }
        let mut rest = joint;
        for role in self.roles() {
            let arms = self.arms_of(role);
            self.arms[arms.start + (rest % arms.len() as u64) as usize].wait(more);
            rest /= arms.len() as u64;
        }
    }

    /// By move of a role: how likely it is, where chance has a choice.
    pub(crate) fn chances(&self, role: usize) -> &[f32] {
        &self.joint().chances[self.arms_of(role)]
    }

    /// By move of a role: its regrets, where several free roles choose at once.
    pub(crate) fn regrets(&self, role: usize) -> &[Regret] {
        &self.joint().regrets[self.arms_of(role)]
    }

    pub(crate) fn regrets_mut(&mut self, role: usize) -> &mut [Regret] {
        let arms = self.arms_of(role);
        &mut self.joint_mut().regrets[arms]
    }

    fn joint(&self) -> &Joint {
        self.joint.as_deref().expect("several choose, or chance does")
    }

    fn joint_mut(&mut self) -> &mut Joint {
        self.joint.as_deref_mut().expect("several choose, or chance does")
    }

    /// How much memory it takes beside its own place, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Arm>() * self.arms.len()
            + 8 * self.packed.len()
            + self.joint.as_ref().map_or(0, |joint| joint.bytes())
    }
}

impl Joint {
    fn new(turn: Turn, chances: Box<[f32]>, choices: Choices<'_>) -> Joint {
        let mut firsts = vec![0];
        for ids in choices.by_role() {
            firsts.push(firsts[firsts.len() - 1] + ids.len() as u32);
        }
        let n_joint = choices.n_joint();
        let children = match turn.chooser() {
            Some(_) => Children::Arms,
            None if n_joint <= MOST_CHILDREN => Children::All(vec![NONE; n_joint as usize].into()),
            None => Children::Tried(Table::default()),
        };
        let n_regrets = if turn == Turn::Together { choices.n_moves() } else { 0 };
        Joint { firsts: firsts.into(), children, chances, regrets: vec![Regret::default(); n_regrets].into() }
    }

    fn bytes(&self) -> usize {
        let children = match &self.children {
            Children::Arms => 0,
            Children::All(all) => 4 * all.len(),
            // Shards are half full.
            Children::Tried(tried) => 2 * size_of::<(u64, u32)>() * tried.len(),
        };
        let lists = 4 * self.firsts.len() + 4 * self.chances.len() + size_of::<Regret>() * self.regrets.len();
        size_of::<Joint>() + children + lists
    }
}

impl Children {
    fn get(&self, joint: u64) -> u32 {
        match self {
            Children::Arms => NONE,
            Children::All(all) => all[joint as usize],
            Children::Tried(tried) => {
                tried.find(spread(joint), |&(other, _)| other == joint).map_or(NONE, |&(_, child)| child)
            }
        }
    }

    fn set(&mut self, joint: u64, child: u32) {
        match self {
            Children::Arms => {}
            Children::All(all) => all[joint as usize] = child,
            Children::Tried(tried) => {
                tried.insert(spread(joint), (joint, child), |&(joint, _)| spread(joint));
            }
        }
    }

    #[cfg(test)]
    fn known(&self) -> impl Iterator<Item = u32> + '_ {
        let (all, tried) = match self {
            Children::Arms => (&[][..], None),
            Children::All(all) => (&all[..], None),
            Children::Tried(tried) => (&[][..], Some(tried.iter())),
        };
        all.iter().copied().chain(tried.into_iter().flatten().map(|&(_, child)| child))
    }
}

/// A hash of a joint move.
fn spread(joint: u64) -> u64 {
    let product = u128::from(joint ^ 0x243f_6a88_85a3_08d3) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}
