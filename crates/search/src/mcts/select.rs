//! The way down the tree.

use super::parameters::{Parameters, Shared};
use super::priors::NO_MOVE;
use super::tree::{MOST, Moves, NONE, Node, Successor, Tree, Turn};
use senet_game::{GameError, MoveGenerator, MoveId};
use std::hash::Hash;

/// Exploration, at least, where others draw their moves.
const C_AGAINST_CHANCE: f32 = 20.0;

/// How moves are chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taste {
    pub(crate) c: f32,
    pub(crate) urgency: f32,
    pub(crate) loss: f32,
    pub(crate) blind: f32,
    pub(crate) length: usize,
    pub(crate) proofs: bool,
}

impl Taste {
    pub(crate) fn new(parameters: &Parameters, c: f32) -> Taste {
        Taste {
            c: parameters.c.unwrap_or(c),
            urgency: parameters.urgency,
            loss: parameters.loss,
            blind: parameters.blind,
            length: usize::try_from(parameters.length).unwrap_or(usize::MAX),
            proofs: parameters.proofs,
        }
    }
}

/// A way down the tree: positions with the numbers of the joint moves that were chosen in them, and where it led.
#[derive(Clone, Default, Debug)]
pub(crate) struct Visit {
    pub(crate) steps: Vec<(u32, u64)>,
    pub(crate) leaf: u32,
}

/// Where a way down ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// A position that is to be expanded and played out.
    Leaf,
    /// A position whose scores are known, or one that would be met again, or one too far away.
    Known,
    /// A position that is being played out already.
    Busy,
}

/// Plays a joint move where the tree does not know what follows.
pub(crate) type Step<'a, S> = &'a mut dyn FnMut(&S, &[MoveId]) -> Result<Successor<S>, GameError>;

impl<S: Clone + Eq + Hash> Tree<S> {
    /// Goes down from the root. All positions and moves on the way wait for the result.
    pub(crate) fn select(
        &mut self,
        taste: &Taste,
        generator: &mut MoveGenerator,
        visit: &mut Visit,
        step: Step<'_, S>,
    ) -> Result<End, GameError> {
        visit.steps.clear();
        self.path = self.path.wrapping_add(1);
        let way = self.priors.best();
        let (mut at, mut before) = (self.root, NO_MOVE);
        loop {
            visit.leaf = at;
            let is_known = self.nodes[at as usize].is_over || taste.proofs && self.is_settled(at);
            let node = &mut self.nodes[at as usize];
            node.waiting += 1;
            // The root is always looked into: somebody wants to know the best move.
            if is_known && (at != self.root || node.is_over) {
                return Ok(End::Known);
            }
            if std::mem::replace(&mut node.path, self.path) == self.path || visit.steps.len() >= taste.length
            {
                return Ok(End::Known);
            }
            if node.moves.is_none() || node.visits == 0 {
                return Ok(if node.waiting > 1 { End::Busy } else { End::Leaf });
            }
            let mut moves = node.moves.take().expect("it was expanded");
            if node.visits.is_power_of_two() {
                self.expect(&mut moves, way, before);
            }
            let joint = self.choose(at, &moves, taste, generator);
            before = moves.chosen(joint).map_or(NO_MOVE, |id| id.index() as u32);
            let mut child = moves.children.get(joint);
            if child == NONE {
                let unborn = moves.unborn.get_mut(joint as usize).and_then(Option::take);
                let state = self.nodes[at as usize].state.as_ref().expect("it is a position");
                let successor = match unborn {
                    Some(state) => Ok(Successor { state, goals: None }),
                    None => step(state, &moves.ids(joint).collect::<Vec<_>>()),
                };
                child = match successor {
                    Ok(successor) => self.enter(successor),
                    Err(error) => {
                        self.nodes[at as usize].moves = Some(moves);
                        return Err(error);
                    }
                };
                moves.children.set(joint, child);
            }
            moves.wait(joint, 1);
            self.nodes[at as usize].moves = Some(moves);
            visit.steps.push((at, joint));
            at = child;
        }
    }

    /// Asks the statistics of moves again: less and less often.
    fn expect(&self, moves: &mut Moves<S>, way: Shared, before: u32) {
        let (Turn::Free(role) | Turn::AgainstChance(Some(role))) = moves.turn else { return };
        for arm in &mut moves.arms[moves.firsts[role] as usize..moves.firsts[role + 1] as usize] {
            arm.prior = self.priors.advantage(way, role, before, arm.id);
        }
    }

    fn choose(&self, at: u32, moves: &Moves<S>, taste: &Taste, generator: &mut MoveGenerator) -> u64 {
        match moves.turn {
            Turn::Nobody => 0,
            Turn::Free(role) => self.most_urgent(at, moves, role, taste, generator) as u64,
            Turn::Chance(role) => draw(&moves.chances[moves.arms_of(role)], generator) as u64,
            Turn::AgainstChance(_) | Turn::Together => {
                let mut joint = 0;
                for role in (0..self.n_roles()).rev() {
                    let n = moves.count(role);
                    let choice = if n == 1 {
                        0
                    } else if self.roles.is_chance(role) {
                        draw(&moves.chances[moves.arms_of(role)], generator)
                    } else if moves.turn == Turn::Together {
                        moves.by_regret(role, taste.blind, generator)
                    } else {
                        self.most_urgent(at, moves, role, taste, generator)
                    };
                    joint = joint * n as u64 + choice as u64;
                }
                joint
            }
        }
    }

    /// The move of the highest upper confidence bound.
    fn most_urgent(
        &self,
        at: u32,
        moves: &Moves<S>,
        role: usize,
        taste: &Taste,
        generator: &mut MoveGenerator,
    ) -> usize {
        let node: &Node<S> = &self.nodes[at as usize];
        let (mean, low) = (self.means(at)[role], self.lows(at)[role]);
        let log = ((node.visits + node.waiting) as f32).ln().max(0.0);
        let arms = &moves.arms[moves.arms_of(role)];
        let has_bounds = taste.proofs && matches!(moves.turn, Turn::Free(_));
        // What chance does at the same time is noise that playouts do not even out.
        let c = if matches!(moves.turn, Turn::Free(_)) { taste.c } else { taste.c.max(C_AGAINST_CHANCE) };
        // Among equals, none is preferred.
        let shift = generator.below(arms.len());
        let (mut best, mut best_score) = (shift, f32::NEG_INFINITY);
        for at in (shift..arms.len()).chain(0..shift) {
            let arm = &arms[at];
            // It cannot be better than what another move gets for sure.
            if has_bounds && arm.high <= low && best_score > f32::NEG_INFINITY {
                continue;
            }
            let (visits, waiting) = (arm.visits as f32, arm.waiting as f32);
            let expected = mean + arm.prior;
            let n = visits + waiting + taste.urgency;
            let value = (visits * arm.mean + taste.urgency * expected) / (visits + taste.urgency);
            let mut score = value - taste.loss * waiting / n + c * (log / n).sqrt();
            if has_bounds && arm.high <= low {
                score = -MOST * MOST;
            }
            if score > best_score {
                (best, best_score) = (at, score);
            }
        }
        best
    }
}

impl<S> Moves<S> {
    /// The move of the role that has a choice, if it is one.
    pub(crate) fn chosen(&self, joint: u64) -> Option<MoveId> {
        match self.turn {
            Turn::Free(role) | Turn::Chance(role) => {
                Some(self.arms[self.firsts[role] as usize + joint as usize].id)
            }
            _ => None,
        }
    }

    /// Lets the moves of a joint move wait for so many results more.
    pub(crate) fn wait(&mut self, joint: u64, more: i32) {
        let mut rest = joint;
        for role in 0..self.firsts.len() - 1 {
            let n = self.count(role) as u64;
            let arm = &mut self.arms[self.firsts[role] as usize + (rest % n) as usize];
            arm.waiting = arm.waiting.saturating_add_signed(more);
            rest /= n;
        }
    }

    /// A move drawn in proportion to how much it is regretted that it was not played; sometimes any.
    fn by_regret(&self, role: usize, blind: f32, generator: &mut MoveGenerator) -> usize {
        let regrets = &self.regrets[self.arms_of(role)];
        if share(generator) < blind {
            return generator.below(regrets.len());
        }
        let mut left = share(generator) * regrets.iter().map(|regret| regret.sum.max(0.0)).sum::<f32>();
        if left <= 0.0 {
            return generator.below(regrets.len());
        }
        for (at, regret) in regrets.iter().enumerate() {
            left -= regret.sum.max(0.0);
            if left < 0.0 {
                return at;
            }
        }
        regrets.iter().rposition(|regret| regret.sum > 0.0).unwrap_or(0)
    }
}

/// A number from 0 up to but not 1.
fn share(generator: &mut MoveGenerator) -> f32 {
    generator.below(1 << 24) as f32 / (1 << 24) as f32
}

/// Draws by chances, whose sum is 1.
pub(crate) fn draw(chances: &[f32], generator: &mut MoveGenerator) -> usize {
    let mut left = share(generator);
    for (at, chance) in chances.iter().enumerate() {
        left -= chance;
        if left < 0.0 {
            return at;
        }
    }
    chances.iter().rposition(|&chance| chance > 0.0).unwrap_or(0)
}
