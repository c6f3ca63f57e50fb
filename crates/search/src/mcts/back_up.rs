//! The way up: what came of a visit.

use super::moves::{Moves, Turn};
use super::priors::NO_MOVE;
use super::select::Visit;
use super::tree::{MOST, NONE, Node, Tree};
use std::hash::Hash;

/// Joint moves over which an average is computed anew after each visit.
const MOST_AVERAGED: u64 = 256;

impl<S: Clone + Eq + Hash> Tree<S> {
    /// The scores of a position, as far as they are known.
    pub(crate) fn scores(&self, node: u32, scores: &mut Vec<f32>) {
        scores.clear();
        scores.extend((0..self.n_roles()).map(|role| self.score(node, role)));
    }

    fn score(&self, node: u32, role: usize) -> f32 {
        if self.is_proved(node, role) { self.lows(node)[role] } else { self.means(node)[role] }
    }

    /// Tells the positions and moves of a visit its scores, and the positions what was proved.
    pub(crate) fn back_up(&mut self, visit: &Visit, scores: &mut [f32], proofs: bool) {
        self.arrive(visit.leaf, scores);
        let mut may_prove = proofs;
        for (at, &(node, joint)) in visit.steps.iter().enumerate().rev() {
            let closes_in = may_prove && self.closes_in(node, joint);
            may_prove = closes_in && self.tighten(node);
            let before = match at.checked_sub(1).map(|at| visit.steps[at]) {
                Some((node, joint)) => self.chosen(node, joint),
                None => NO_MOVE,
            };
            self.learn(node, joint, before, scores);
            self.arrive(node, scores);
            if self.leave_out_refuted(node, closes_in) && closes_in {
                scores.copy_from_slice(self.means(node));
            }
        }
    }

    /// Where something is proved of moves, a position is worth what they are now, not what they seemed to be worth when they
    /// were visited; and a move that gets less than is sure does not count at all. Says whether it is known.
    fn leave_out_refuted(&mut self, node: u32, closes_in: bool) -> bool {
        self.nodes[node as usize].has_refuted |= closes_in;
        let Node { has_refuted: true, moves: Some(moves), .. } = &self.nodes[node as usize] else {
            return false;
        };
        let Turn::Free(role) = moves.turn else { return false };
        let low = self.lows(node)[role as usize];
        let mut sum_of_visits = 0.0;
        let mut sums = std::mem::take(&mut self.scratch);
        sums.clear();
        sums.resize(self.n_roles(), 0.0);
        for (joint, arm) in moves.arms[moves.arms_of(role as usize)].iter().enumerate() {
            let child = moves.child(joint as u64);
            if child == NONE || arm.high <= low && arm.low < low {
                continue;
            }
            let visits = arm.visits as f32;
            sum_of_visits += visits;
            for (role, sum) in sums.iter_mut().enumerate() {
                *sum += visits * self.score(child, role);
            }
        }
        if sum_of_visits > 0.0 {
            for (role, sum) in sums.iter().enumerate() {
                let mean = (sum / sum_of_visits).clamp(self.lows(node)[role], self.highs(node)[role]);
                self.means_mut(node)[role] = mean;
            }
        }
        self.scratch = sums;
        sum_of_visits > 0.0
    }

    /// Nothing came of a visit.
    pub(crate) fn give_up(&mut self, visit: &Visit) {
        self.nodes[visit.leaf as usize].waiting -= 1;
        for &(node, joint) in &visit.steps {
            let node = &mut self.nodes[node as usize];
            node.waiting -= 1;
            if let Some(moves) = &mut node.moves {
                moves.wait(joint, -1);
            }
        }
    }

    fn chosen(&self, node: u32, joint: u64) -> u32 {
        let moves = self.nodes[node as usize].moves.as_ref();
        moves.and_then(|moves| moves.chosen(joint)).map_or(NO_MOVE, |id| id.index() as u32)
    }

    /// Whether what follows a joint move is known better than it was.
    fn closes_in(&self, node: u32, joint: u64) -> bool {
        let Some(moves) = &self.nodes[node as usize].moves else { return false };
        let child = moves.child(joint);
        match moves.turn {
            _ if child == NONE => false,
            Turn::Free(role) => {
                let role = role as usize;
                let arm = &moves.arms[role + joint as usize];
                let is_it = arm.low < self.lows(child)[role] || arm.high > self.highs(child)[role];
                // What rivals get follows from each other.
                is_it
                    || !self.roles.are_rivals()
                        && (0..self.n_roles()).any(|it| self.may_rise(node, child, it))
            }
            _ => (0..self.n_roles()).any(|role| self.may_rise(node, child, role)),
        }
    }

    /// Whether something is known of what a role gets in a position, and not all in the one before it.
    fn may_rise(&self, node: u32, child: u32, role: usize) -> bool {
        let is_known = self.lows(child)[role] > 0.0 || self.highs(child)[role] < MOST;
        is_known && !self.is_proved(node, role)
    }

    /// A position learns its scores, within what is proved.
    fn arrive(&mut self, node: u32, scores: &mut [f32]) {
        for (role, score) in scores.iter_mut().enumerate() {
            *score = score.clamp(self.lows(node)[role], self.highs(node)[role]);
        }
        let counts = &mut self.nodes[node as usize];
        counts.waiting -= 1;
        counts.visits = counts.visits.saturating_add(1);
        let n = counts.visits as f32;
        for (mean, score) in self.means_mut(node).iter_mut().zip(&*scores) {
            *mean += (score - *mean) / n;
        }
    }

    /// The moves of a joint move learn what came of it.
    fn learn(&mut self, node: u32, joint: u64, before: u32, scores: &[f32]) {
        let Some(mut moves) = self.nodes[node as usize].moves.take() else { return };
        moves.wait(joint, -1);
        match moves.turn {
            Turn::Nobody | Turn::Chance(_) => {}
            Turn::Free(role) => {
                let role = role as usize;
                let child = moves.child(joint);
                // Whatever way led to the position that follows: it is worth the same.
                let mean = if child == NONE { scores[role] } else { self.means(child)[role] };
                let change = scores[role] - self.means(node)[role];
                let arm = &mut moves.arms[role + joint as usize];
                if arm.visits == 0 {
                    self.priors.judge(role, before, arm.id, change);
                }
                self.priors.note(role, before, arm.id, change);
                arm.visits += 1;
                arm.mean = mean;
            }
            Turn::AgainstChance(_) | Turn::Together => {
                for (role, &score) in scores.iter().enumerate() {
                    if moves.count(role) == 1 {
                        continue;
                    }
                    let choice = moves.choice(joint, role);
                    let is_only = moves.turn.free() == Some(role);
                    let expected = if is_only { self.expected(&moves, role, choice) } else { None };
                    let arms = moves.arms_of(role);
                    let arm = &mut moves.arms[arms][choice];
                    arm.visits += 1;
                    arm.mean = expected.unwrap_or(arm.mean + (score - arm.mean) / arm.visits as f32);
                    if moves.turn == Turn::Together && !self.roles.is_chance(role) {
                        self.regret(&mut moves, joint, role, score);
                    }
                }
            }
        }
        self.nodes[node as usize].moves = Some(moves);
    }

    /// What a move is worth on average over what chance may do, as far as that was seen: which of it was drawn how often
    /// does not matter. `None` where there is too much of it.
    fn expected(&self, moves: &Moves, role: usize, choice: usize) -> Option<f32> {
        if moves.n_joint() > MOST_AVERAGED {
            return None;
        }
        let (mut sum, mut sum_of_chances) = (0.0, 0.0);
        for joint in (0..moves.n_joint()).filter(|&joint| moves.choice(joint, role) == choice) {
            let child = moves.child(joint);
            if child == NONE || !self.nodes[child as usize].is_over && self.nodes[child as usize].visits == 0
            {
                continue;
            }
            let of_role = |it: usize| moves.chances(it)[moves.choice(joint, it)];
            let drawn = (0..self.n_roles()).filter(|&it| self.roles.is_chance(it));
            let chance: f32 = drawn.map(of_role).product();
            sum += chance * self.score(child, role);
            sum_of_chances += chance;
        }
        (sum_of_chances > 0.0).then(|| sum / sum_of_chances)
    }

    /// Regret matching: each move of a role is regretted by what it would have got more, the others playing the same.
    /// The average of what was played by this is what should be played.
    fn regret(&self, moves: &mut Moves, joint: u64, role: usize, score: f32) {
        let (choice, stride) = (moves.choice(joint, role), moves.stride(role));
        let n = moves.count(role);
        let sum: f32 = moves.regrets(role).iter().map(|regret| regret.sum.max(0.0)).sum();
        for other in 0..n {
            let would_follow = moves.child(joint - choice as u64 * stride + other as u64 * stride);
            let regret = &mut moves.regrets_mut(role)[other];
            regret.average += if sum > 0.0 { regret.sum.max(0.0) / sum } else { 1.0 / n as f32 };
            if other == choice || would_follow == NONE {
                continue;
            }
            let follows = &self.nodes[would_follow as usize];
            if follows.is_over || follows.visits > 0 {
                regret.sum += self.score(would_follow, role) - score;
            }
        }
    }
}
