//! Backup: what positions and moves learn from a visit.
//!
//! The value of a position is an average over visits, with two exceptions. A move that is refuted counts no more. And
//! where the game is not known to be constant-sum, a move whose score is sure counts as the choice of its role as long
//! as the others seem no better for that role: it is visited no more, so its share of the visits says nothing, and the mean
//! of the others may be excellent for an opponent precisely because they are bad for the role that chooses. Moves that
//! seem just as good for that role are ties, which are broken as for bounds ([`super::bounds`]): each other role counts on
//! the worst of them. In constant-sum games clamping the mean to the bounds has the same effect.

use super::bounds::ROUNDING;
use super::moves::{Arm, Moves, Turn};
use super::priors::NO_MOVE;
use super::select::Visit;
use super::tree::{MOST, NONE, Tree};
use std::hash::Hash;

/// Joint moves over which an average is computed anew after each visit.
pub(super) const MOST_AVERAGED: u64 = 256;

/// How the mean of a position was computed anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Revalued {
    /// It was not.
    No,
    /// As the average over the visits of moves that are not refuted.
    Average,
    /// As the scores by the best sure move.
    Choice,
    /// As the expectation over chance.
    Expectation,
}

/// Buffers of the backup, by role.
#[derive(Default, Debug)]
pub(crate) struct Values {
    sums: Vec<f32>,
    of_arm: Vec<f32>,
}

impl Values {
    fn clear(&mut self, n_roles: usize) {
        self.sums.clear();
        self.sums.resize(n_roles, 0.0);
        self.of_arm.resize(n_roles, 0.0);
    }
}

impl<S: Clone + Eq + Hash> Tree<S> {
    /// The scores of a position, as far as they are known.
    pub(crate) fn scores(&self, node: u32, scores: &mut Vec<f32>) {
        scores.clear();
        scores.extend((0..self.n_roles()).map(|role| self.score(node, role)));
    }

    #[inline]
    fn score(&self, node: u32, role: usize) -> f32 {
        let (low, high) = self.range(node, role);
        if low >= high { low } else { self.means(node)[role] }
    }

    /// Adds the weighted scores of a position.
    #[inline]
    fn add_scores(&self, node: u32, weight: f32, sums: &mut [f32]) {
        if self.roles.assumed_sum.is_some() {
            sums.iter_mut().enumerate().for_each(|(role, sum)| *sum += weight * self.score(node, role));
            return;
        }
        let (means, bounds) = self.numbers(node).split_at(sums.len());
        let (lows, highs) = bounds.split_at(sums.len());
        for (role, sum) in sums.iter_mut().enumerate() {
            *sum += weight * if lows[role] >= highs[role] { lows[role] } else { means[role] };
        }
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
            let is_better_known = match self.revalue(node, closes_in) {
                Revalued::No => false,
                Revalued::Average => closes_in,
                Revalued::Choice | Revalued::Expectation => true,
            };
            if is_better_known {
                scores.copy_from_slice(self.means(node));
            }
        }
    }

    /// Computes the mean of a position from those that follow, where that is better than the average over its visits.
    fn revalue(&mut self, node: u32, closes_in: bool) -> Revalued {
        let it = &mut self.nodes[node as usize];
        it.has_refuted |= closes_in;
        let (has_refuted, Some(moves)) = (it.has_refuted, &it.moves) else { return Revalued::No };
        let may_average = match moves.turn {
            Turn::Free(role) => has_refuted || self.lows(node)[role as usize] > 0.0 && self.is_general(),
            Turn::Together => false,
            _ => moves.n_joint() <= MOST_AVERAGED,
        };
        if !may_average {
            return Revalued::No;
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear(self.n_roles());
        let moves = self.nodes[node as usize].moves.as_ref().expect("it is expanded");
        let revalued = match moves.turn.free() {
            Some(role) => self.value_of_choice(node, moves, role, &mut values),
            None if self.expected(moves, None, &mut values.sums) => Revalued::Expectation,
            None => Revalued::No,
        };
        if revalued != Revalued::No {
            for (role, &value) in values.sums.iter().enumerate() {
                let (low, high) = self.range(node, role);
                self.means_mut(node)[role] = value.clamp(low, high);
            }
        }
        self.values = values;
        revalued
    }

    /// Whether others may gain by what a role loses nothing by. Where the sum is constant, clamping is enough.
    pub(super) fn is_general(&self) -> bool {
        !self.roles.is_constant_sum() && self.roles.has_opponents
    }

    /// The scores of all roles where one of them chooses: on average over its visits, refuted moves left out, or those of
    /// a move whose score is sure.
    fn value_of_choice(&self, node: u32, moves: &Moves, role: usize, values: &mut Values) -> Revalued {
        let Values { sums, of_arm } = values;
        let (sure, _) = self.range(node, role);
        let is_alone = matches!(moves.turn, Turn::Free(_));
        let mut sum_of_visits = 0.0;
        for (choice, arm) in moves.arms[moves.arms_of(role)].iter().enumerate() {
            if arm.high <= sure && arm.low < sure {
                continue;
            }
            let visits = arm.visits as f32;
            if is_alone {
                let child = moves.child(choice as u64);
                if child != NONE {
                    sum_of_visits += visits;
                    self.add_scores(child, visits, sums);
                }
                continue;
            }
            if !self.value_of_arm(moves, role, choice, of_arm) {
                continue;
            }
            sum_of_visits += visits;
            sums.iter_mut().zip(&*of_arm).for_each(|(sum, value)| *sum += visits * value);
        }
        if sum_of_visits > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= sum_of_visits);
        }
        let is_best = |arm: &Arm| arm.is_sure(sure);
        let seems_best = sum_of_visits == 0.0 || sums[role] <= sure + ROUNDING;
        if seems_best && self.is_general() && moves.arms[moves.arms_of(role)].iter().any(is_best) {
            return self.value_of_sure_moves(moves, role, sure, values);
        }
        match moves.turn {
            _ if sum_of_visits == 0.0 => Revalued::No,
            Turn::Free(_) => Revalued::Average,
            _ => Revalued::Expectation,
        }
    }

    /// The scores by the moves that score the most for sure, and by those that seem to score as much. Ties are broken
    /// against the other roles, as for bounds.
    fn value_of_sure_moves(&self, moves: &Moves, role: usize, sure: f32, values: &mut Values) -> Revalued {
        let Values { sums, of_arm } = values;
        sums.fill(MOST);
        let mut revalued = Revalued::No;
        for (choice, arm) in moves.arms[moves.arms_of(role)].iter().enumerate() {
            let may_count = arm.is_sure(sure) || arm.visits > 0;
            if !may_count || !self.value_of_arm(moves, role, choice, of_arm) {
                continue;
            }
            if arm.is_sure(sure) || (of_arm[role] - sure).abs() <= ROUNDING {
                revalued = Revalued::Choice;
                sums.iter_mut().zip(&*of_arm).for_each(|(value, of_arm)| *value = value.min(*of_arm));
            }
        }
        revalued
    }

    /// What a move of the only role that chooses freely is worth to all roles. Returns whether anything is known of it.
    fn value_of_arm(&self, moves: &Moves, role: usize, choice: usize, values: &mut [f32]) -> bool {
        if !matches!(moves.turn, Turn::Free(_)) {
            return self.expected(moves, Some((role, choice)), values);
        }
        let child = moves.child(choice as u64);
        if child != NONE {
            values.iter_mut().enumerate().for_each(|(role, value)| *value = self.score(child, role));
        }
        child != NONE
    }

    /// The expected scores over what chance may do, as far as that was seen, beside the move of a free role if one chooses
    /// at the same time. How often each was drawn does not matter. Returns whether anything was seen.
    fn expected(&self, moves: &Moves, own: Option<(usize, usize)>, values: &mut [f32]) -> bool {
        values.fill(0.0);
        let mut sum_of_chances = 0.0;
        let is_possible = |joint: &u64| own.is_none_or(|(role, choice)| moves.choice(*joint, role) == choice);
        for joint in (0..moves.n_joint()).filter(is_possible) {
            let child = moves.child(joint);
            if child == NONE || !self.was_seen(child) {
                continue;
            }
            let chance = self.chance_of(moves, joint);
            sum_of_chances += chance;
            self.add_scores(child, chance, values);
        }
        if sum_of_chances > 0.0 {
            values.iter_mut().for_each(|sum| *sum /= sum_of_chances);
        }
        sum_of_chances > 0.0
    }

    /// Whether anything is known of what a position is worth.
    fn was_seen(&self, node: u32) -> bool {
        let it = &self.nodes[node as usize];
        it.is_over || it.visits > 0 || self.is_settled(node)
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

    /// Whether bounds of what follows a joint move may improve those of the position.
    fn closes_in(&self, node: u32, joint: u64) -> bool {
        let Some(moves) = &self.nodes[node as usize].moves else { return false };
        let child = moves.child(joint);
        match moves.turn {
            _ if child == NONE => false,
            Turn::Free(role) => {
                let role = role as usize;
                let arm = &moves.arms[role + joint as usize];
                let (low, high) = self.range(child, role);
                // In a constant-sum game the bounds of the other role follow from these.
                arm.low < low
                    || arm.high > high
                    || !self.roles.is_constant_sum()
                        && (0..self.n_roles()).any(|role| self.may_rise(node, child, role))
            }
            _ => (0..self.n_roles()).any(|role| self.may_rise(node, child, role)),
        }
    }

    /// Whether something is known of what a role gets in a position, and not all in the one before it.
    fn may_rise(&self, node: u32, child: u32, role: usize) -> bool {
        let is_known = self.lows(child)[role] > 0.0 || self.highs(child)[role] < MOST;
        is_known && self.lows(node)[role] < self.highs(node)[role]
    }

    /// A position learns its scores, within what is proved.
    fn arrive(&mut self, node: u32, scores: &mut [f32]) {
        for (role, score) in scores.iter_mut().enumerate() {
            let (low, high) = self.range(node, role);
            *score = score.clamp(low, high);
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
                    let may_average = moves.turn.free() == Some(role) && moves.n_joint() <= MOST_AVERAGED;
                    let mut values = std::mem::take(&mut self.values);
                    values.clear(scores.len());
                    let is_known =
                        may_average && self.expected(&moves, Some((role, choice)), &mut values.sums);
                    let expected = is_known.then(|| values.sums[role]);
                    self.values = values;
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
            if self.was_seen(would_follow) {
                regret.sum += self.score(would_follow, role) - score;
            }
        }
    }
}

impl Arm {
    /// Whether its role gets by it what is sure. A score of 0 is sure of every move, so that one has to be settled.
    fn is_sure(&self, sure: f32) -> bool {
        if sure > 0.0 { self.low >= sure } else { self.high <= self.low }
    }
}
