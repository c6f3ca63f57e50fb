//! The way down the tree.

use super::back_up::MOST_AVERAGED;
use super::moves::{Arm, Moves, Turn};
use super::parameters::{Parameters, Shared};
use super::priors::NO_MOVE;
use super::tree::{NONE, Node, Successor, Tree};
use senet_game::{GameError, MoveGenerator};
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

/// Tells what follows a joint move where the tree has no node for it.
pub(crate) type Step<'a, S> = &'a mut dyn FnMut(&S, &Moves, u64) -> Result<Successor<S>, GameError>;

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
            if taste.proofs && node.version != self.roles.version {
                self.tighten(at);
            }
            let node = &mut self.nodes[at as usize];
            let mut moves = node.moves.take().expect("it was expanded");
            if node.visits.is_power_of_two() {
                self.expect(&mut moves, way, before);
            }
            let joint = self.choose(at, &moves, taste, generator);
            before = moves.chosen(joint).map_or(NO_MOVE, |id| id.index() as u32);
            let mut child = moves.child(joint);
            if child == NONE {
                let state = self.nodes[at as usize].state.as_ref().expect("it is a position");
                child = match step(state, &moves, joint) {
                    Ok(successor) => self.enter(successor),
                    Err(error) => {
                        self.nodes[at as usize].moves = Some(moves);
                        return Err(error);
                    }
                };
                let bytes = moves.bytes();
                moves.set_child(joint, child);
                self.bytes += moves.bytes() - bytes;
            }
            moves.wait(joint, 1);
            self.nodes[at as usize].moves = Some(moves);
            visit.steps.push((at, joint));
            at = child;
        }
    }

    /// Asks the statistics of moves again: less and less often.
    fn expect(&self, moves: &mut Moves, way: Shared, before: u32) {
        let Some(role) = moves.turn.free() else { return };
        let arms = moves.arms_of(role);
        for arm in &mut moves.arms[arms] {
            arm.prior = self.priors.advantage(way, role, before, arm.id);
        }
    }

    fn choose(&self, at: u32, moves: &Moves, taste: &Taste, generator: &mut MoveGenerator) -> u64 {
        match moves.turn {
            Turn::Nobody => 0,
            Turn::Free(role) => self.most_urgent(at, moves, role as usize, taste, generator) as u64,
            Turn::Chance(_) | Turn::AgainstChance(_) if moves.n_joint() <= MOST_AVERAGED => {
                let own = moves.turn.free();
                let own = own.map(|role| (role, self.most_urgent(at, moves, role, taste, generator)));
                self.draw_unsettled(moves, own, generator)
            }
            _ => {
                let mut joint = 0;
                for role in (0..self.n_roles()).rev() {
                    let n = moves.count(role);
                    let choice = if n == 1 {
                        0
                    } else if self.roles.is_chance(role) {
                        draw(moves.chances(role), generator)
                    } else if moves.turn == Turn::Together {
                        moves.by_regret(role, taste.blind, generator)
                    } else {
                        self.most_urgent(at, moves, role, taste, generator)
                    };
                    joint = u64::saturating_mul(joint, n as u64).saturating_add(choice as u64);
                }
                joint
            }
        }
    }

    /// Draws what chance does, beside the move of a free role if one chooses at the same time. Settled positions are drawn
    /// only if all are: a position is worth the expectation over them, however often each is visited.
    fn draw_unsettled(
        &self,
        moves: &Moves,
        own: Option<(usize, usize)>,
        generator: &mut MoveGenerator,
    ) -> u64 {
        let is_possible = |joint: &u64| own.is_none_or(|(role, choice)| moves.choice(*joint, role) == choice);
        let weigh = |joint: u64| (joint, self.chance_of(moves, joint));
        let all = || (0..moves.n_joint()).filter(is_possible).map(weigh).filter(|(_, chance)| *chance > 0.0);
        let is_open = |(joint, _): &(u64, f32)| !self.is_settled_node(moves.child(*joint));
        let open: f32 = all().filter(is_open).map(|(_, chance)| chance).sum();
        let mut left = share(generator) * if open > 0.0 { open } else { 1.0 };
        let mut drawn = 0;
        for (joint, chance) in all().filter(|it| open <= 0.0 || is_open(it)) {
            drawn = joint;
            left -= chance;
            if left < 0.0 {
                break;
            }
        }
        drawn
    }

    /// Whether nothing is left to find out about a position.
    fn is_settled_node(&self, node: u32) -> bool {
        node != NONE && self.is_settled(node)
    }

    /// Whether nothing is left to find out about what follows a move of the only role that chooses freely. It is asked
    /// rarely, from within the innermost loop.
    #[cold]
    fn is_arm_settled(&self, moves: &Moves, role: usize, choice: usize) -> bool {
        let mut joints = (0..moves.n_joint()).filter(|&joint| moves.choice(joint, role) == choice);
        match moves.turn {
            Turn::Free(_) => self.is_settled_node(moves.child(choice as u64)),
            _ => joints.all(|joint| self.is_settled_node(moves.child(joint))),
        }
    }

    /// The move of the highest upper confidence bound.
    fn most_urgent(
        &self,
        at: u32,
        moves: &Moves,
        role: usize,
        taste: &Taste,
        generator: &mut MoveGenerator,
    ) -> usize {
        let node: &Node<S> = &self.nodes[at as usize];
        let (mean, sure) = (self.means(at)[role], self.range(at, role).0);
        let log = ((node.visits + node.waiting) as f32).ln().max(0.0);
        let arms = &moves.arms[moves.arms_of(role)];
        let has_bounds = taste.proofs && moves.turn.free().is_some();
        // What the other roles score by a move that may be best matters to the positions above.
        let ties_matter = at != self.root && !self.roles.is_constant_sum() && self.roles.has_opponents;
        // What chance does at the same time is noise that playouts do not even out.
        let c = if matches!(moves.turn, Turn::Free(_)) { taste.c } else { taste.c.max(C_AGAINST_CHANCE) };
        // Among equals, none is preferred.
        let shift = generator.below(arms.len());
        let (mut best, mut best_score) = (shift, f32::NEG_INFINITY);
        let mut compare = |at: usize, arm: &Arm| {
            if has_bounds
                && arm.is_closed(sure)
                && !(ties_matter && arm.high >= sure && !self.is_arm_settled(moves, role, at))
            {
                return;
            }
            let score = arm.urgency(mean, log, c, taste);
            if score > best_score {
                (best, best_score) = (at, score);
            }
        };
        let (before, after) = arms.split_at(shift);
        after.iter().enumerate().for_each(|(at, arm)| compare(shift + at, arm));
        before.iter().enumerate().for_each(|(at, arm)| compare(at, arm));
        best
    }
}

impl Arm {
    /// Its upper confidence bound, in a position that is worth so much on average and has so many visits.
    fn urgency(&self, mean: f32, log_of_visits: f32, c: f32, taste: &Taste) -> f32 {
        let (visits, waiting) = (self.visits as f32, self.waiting as f32);
        let share = 1.0 / (visits + waiting + taste.urgency);
        let share_of_known = if self.waiting == 0 { share } else { 1.0 / (visits + taste.urgency) };
        let value = (visits * self.mean + taste.urgency * (mean + self.prior)) * share_of_known;
        value - taste.loss * waiting * share + c * (log_of_visits * share).sqrt()
    }
}

impl Moves {
    /// A move drawn in proportion to how much it is regretted that it was not played; sometimes any.
    fn by_regret(&self, role: usize, blind: f32, generator: &mut MoveGenerator) -> usize {
        let regrets = self.regrets(role);
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
