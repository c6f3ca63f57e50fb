//! Proved bounds: the least and the most each role scores in a position under rational play.
//!
//! # The value that is bounded
//!
//! Games have any number of roles and need not be constant-sum, so a score is a vector, and the value of a position is
//! that of backward induction: max^n (Luckhardt and Irani 1986) with chance nodes averaged. Where a role is indifferent
//! between moves, max^n has several values (Sturtevant and Bowling 2006). The rule here: **a tie is broken against the
//! role whose score is asked for.** With `V_r(s)` for the value of position `s` to role `r`:
//!
//! - at an end, `V_r(s)` is the goal of `r`;
//! - where `r` chooses, `V_r(s) = max V_r(c)` over the moves, `c` being the position that follows;
//! - where another role `m` chooses, `V_r(s) = min V_r(c)` over the moves that are best for `m`, those with the largest
//!   `V_m(c)`;
//! - where chance chooses, `V_r(s)` is the expectation of `V_r(c)`;
//! - where several roles choose at once, it is the payoff of `r` in a Nash equilibrium of the matrix of the `V(c)`. There
//!   may be several, and the bounds hold for each of them.
//!
//! In constant-sum games of two roles this is the minimax value, and ties do not matter.
//!
//! # Bounds
//!
//! Each position has an interval `[low_r, high_r]` that contains `V_r`. A position that was not searched has `[0, 100]`.
//! Intervals are combined as in score bounded Monte-Carlo tree search (Cazenave and Saffidine 2010), one bound from the
//! worst case and one from the best case of what is open. Chance averages both ends. Where one role `m` chooses:
//!
//! - `low_m = max low_m(c)` and `high_m = max high_m(c)`.
//! - A move is *possible* if `high_m(c) >= low_m`. All others are worse than what `m` has for sure, so `m` never plays
//!   them. For another role `r`, `low_r = min low_r(c)` and `high_r = max high_r(c)` over the possible moves.
//! - A move is *certain* to be best if `low_m(c) >= high_m`. Ties are broken against `r`, so any certain move lowers
//!   the upper bound: `high_r = min high_r(c)` over the certain moves. That a role which found a move that scores 100
//!   searches no further follows from this: the move is certain whatever the others lead to.
//!
//! Where several roles choose at once, the security level of a role is the most it can guarantee by one move:
//! `max over its moves of (min over the moves of the others of low)`. It scores at least that in every equilibrium, which
//! is its lower bound, and never plays a move whose best case is below it. The upper bound is the largest `high` of the
//! joint moves without such moves.
//!
//! Bounds start at 0 and 100 and only close in, so positions that lead back to themselves prove nothing by themselves.
//!
//! # What these bounds are, and are not
//!
//! - A role's own low bound at its own move is a guarantee *if the others are rational*. It is no guarantee against
//!   opponents who hurt themselves to hurt it; in constant-sum games there is no difference.
//! - A bound may **prune**: a move whose `high_m` is below `low_m` needs no visit, and neither does a position in which all
//!   intervals are closed.
//! - A mean of playouts is an estimate of neither. It may only be **preferred**, see [`super::back_up`].
//!
//! # Constant-sum games of two roles
//!
//! If both scores have the same sum `T` at every end, then `V_r = T - V_o` for the other role `o`, so
//! `high_r <= T - low_o` and `low_r >= T - high_o`. That closes intervals earlier wherever neither role wins outright.
//!
//! The sum is **certain** where the goals are mirror images in the rules ([`super::constant_sum`]); then these bounds are
//! bounds like any other. Otherwise it is **assumed** as long as every end seen had the same sum, and nothing that follows
//! from it is stored: [`Tree::range`] derives it from the bounds of both roles. It guides and prunes the search, but a
//! value that rests on it is not reported as proved, and it disappears at the first end with another sum. When nothing
//! is left to search under the assumption, the search goes on without it.

use super::moves::{Moves, Turn};
use super::roles::ConstantSum;
use super::tree::{MOST, NONE, Tree};
use std::hash::Hash;

/// Averages over chance are rounded, so values closer than this may be equal: far less than a point, far more than
/// the error of a sum of `f32`.
const ROUNDING: f32 = 0.01;

impl<S: Clone + Eq + Hash> Tree<S> {
    /// The bounds of a role in a position, those included that follow from an assumed constant sum.
    #[inline(always)]
    pub(crate) fn range(&self, node: u32, role: usize) -> (f32, f32) {
        let (lows, highs) = self.bounds(node).split_at(self.n_roles());
        match &self.roles.assumed_sum {
            Some(sum) if sum.roles.contains(&role) => {
                let rival = sum.rival(role);
                let low = lows[role].max(sum.total - highs[rival]);
                (low, highs[role].min(sum.total - lows[rival]).max(low))
            }
            _ => (lows[role], highs[role]),
        }
    }

    /// Whether the score of a role is settled as far as the search relies on bounds.
    #[inline]
    pub(crate) fn is_closed(&self, node: u32, role: usize) -> bool {
        let (low, high) = self.range(node, role);
        low >= high
    }

    /// Whether the scores of all roles but chance are settled.
    pub(crate) fn is_settled(&self, node: u32) -> bool {
        (0..self.n_roles()).all(|role| self.roles.is_chance(role) || self.is_closed(node, role))
    }

    /// Whether the score of a role is proved: settled, and not by an assumption.
    pub(crate) fn is_proved(&self, node: u32, role: usize) -> bool {
        self.lows(node)[role] >= self.highs(node)[role]
    }

    /// Recomputes the bounds of a position from those of the positions that follow. Returns whether they changed.
    pub(crate) fn tighten(&mut self, node: u32) -> bool {
        let Some(mut moves) = self.nodes[node as usize].moves.take() else { return false };
        let n_roles = self.n_roles();
        let mut has_changed = false;
        if moves.has_all_children() {
            let mut outcomes = std::mem::take(&mut self.outcomes);
            self.gather(&moves, &mut outcomes);
            let (tie, certain) = (self.tie(), self.roles.certain_sum);
            let known = self.bounds_mut(node);
            outcomes.combine(tie, certain, |role, low, high| {
                // Bounds only close in. Rounding must not make them cross.
                let low = low.max(known[role]).min(known[n_roles + role]);
                let high = high.min(known[n_roles + role]).max(low);
                has_changed |= low != known[role] || high != known[n_roles + role];
                (known[role], known[n_roles + role]) = (low, high);
            });
            if let Some(role) = moves.turn.free() {
                self.note_bounds_of_arms(&mut moves, role, &outcomes);
            }
            self.outcomes = outcomes;
        }
        self.nodes[node as usize].version = self.roles.version;
        self.nodes[node as usize].moves = Some(moves);
        has_changed
    }

    /// The bounds of the moves of the only role that chooses freely, on average over what chance does.
    fn note_bounds_of_arms(&self, moves: &mut Moves, role: usize, outcomes: &Outcomes) {
        let n_roles = self.n_roles();
        let rival = self
            .roles
            .assumed_sum
            .and_then(|sum| sum.roles.contains(&role).then(|| (sum.total, sum.rival(role))));
        let arms = moves.arms_of(role);
        for (arm, bounds) in moves.arms[arms].iter_mut().zip(outcomes.bounds.chunks_exact(2 * n_roles)) {
            (arm.low, arm.high) = (bounds[role], bounds[n_roles + role]);
            if let Some((total, rival)) = rival {
                arm.low = arm.low.max(total - bounds[n_roles + rival]);
                arm.high = arm.high.min(total - bounds[rival]);
            }
            // Rounding must not make them cross.
            arm.high = arm.high.max(arm.low);
        }
    }

    /// How far apart values have to be to be surely different.
    fn tie(&self) -> f32 {
        if self.roles.has_chance { ROUNDING } else { 0.0 }
    }

    /// What may come of a position: by joint move of the free roles, averaged over chance.
    fn gather(&self, moves: &Moves, outcomes: &mut Outcomes) {
        let n_roles = self.n_roles();
        outcomes.clear(n_roles);
        let is_choosing = |role: &usize| moves.count(*role) > 1;
        let is_free = |role: &usize| !self.roles.is_chance(*role);
        for role in (0..n_roles).filter(is_choosing).filter(is_free) {
            outcomes.add_chooser(role, moves.count(role));
        }
        let has_chance =
            self.roles.has_chance && !(0..n_roles).filter(is_choosing).all(|role| is_free(&role));
        let bounds = |joint: u64| match moves.child(joint) {
            NONE => None,
            child => Some(self.bounds(child)),
        };
        if !has_chance {
            (0..moves.n_joint()).for_each(|joint| outcomes.push(bounds(joint)));
            return;
        }
        for joint in 0..moves.n_joint() {
            let free = (0..n_roles).rev().filter(is_choosing).filter(is_free);
            let outcome =
                free.fold(0, |outcome, role| outcome * moves.count(role) + moves.choice(joint, role));
            let chance = self.chance_of(moves, joint);
            // A draw that never happens is never visited: its open bounds would only add rounding errors.
            if chance > 0.0 {
                outcomes.add(outcome, chance, bounds(joint));
            }
        }
    }

    /// How likely chance plays its part of a joint move.
    pub(crate) fn chance_of(&self, moves: &Moves, joint: u64) -> f32 {
        let is_drawn = |role: &usize| self.roles.is_chance(*role) && moves.count(*role) > 1;
        let chance = |role| moves.chances(role)[moves.choice(joint, role)];
        (0..self.n_roles()).filter(is_drawn).map(chance).product()
    }

    /// Where several roles choose and the score of one is settled: a move by which it gets that score, whatever the
    /// others play, as long as it is something they may play in an equilibrium. `None` if no single move is known to.
    pub(crate) fn sure_move(&self, node: u32, role: usize) -> Option<usize> {
        let moves = self.nodes[node as usize].moves.as_ref()?;
        if moves.turn != Turn::Together || !self.is_closed(node, role) || !moves.has_all_children() {
            return None;
        }
        let mut outcomes = Outcomes::default();
        self.gather(moves, &mut outcomes);
        let tie = self.tie();
        let (guarantees, _) = outcomes.guarantees(role, tie);
        let best = (0..guarantees.len()).max_by(|&a, &b| guarantees[a].total_cmp(&guarantees[b]))?;
        let is_enough =
            guarantees.len() == moves.count(role) && guarantees[best] + tie >= self.range(node, role).0;
        is_enough.then_some(best)
    }

    /// Whether a move is known by which the role whose choice it is gets its settled score in a position.
    pub(crate) fn has_move_for_score(&self, node: u32, role: usize) -> bool {
        let Some(moves) = &self.nodes[node as usize].moves else { return false };
        match moves.turn {
            Turn::Together if moves.count(role) > 1 => self.sure_move(node, role).is_some(),
            turn if turn.free() == Some(role) => {
                let (sure, _) = self.range(node, role);
                moves.arms[moves.arms_of(role)].iter().any(|arm| arm.low >= sure)
            }
            _ => true,
        }
    }

    /// Forgets all bounds if they rest on a constant sum that turned out to be none. That takes long, and happens only
    /// in rulesheets that leave goals undefined at an end.
    pub(crate) fn forget_refuted_bounds(&mut self) {
        if !self.roles.take_refutation() {
            return;
        }
        for node in 0..self.nodes.len() as u32 {
            if !self.nodes[node as usize].is_over {
                self.forget_bounds(node);
            }
        }
        // Most positions are younger than those that lead to them.
        for node in (0..self.nodes.len() as u32).rev() {
            self.tighten(node);
        }
    }

    /// Forgets what was proved of a position.
    pub(crate) fn forget_bounds(&mut self, node: u32) {
        let n_roles = self.n_roles();
        let bounds = self.bounds_mut(node);
        bounds[..n_roles].fill(0.0);
        bounds[n_roles..].fill(MOST);
    }
}

/// The bounds of what follows the joint moves of the free roles. The first chooser's move changes first.
#[derive(Default, Debug)]
pub(crate) struct Outcomes {
    n_roles: usize,
    choosers: Vec<Chooser>,
    n: usize,
    /// By outcome: the lows by role, then the highs by role.
    bounds: Vec<f32>,
    /// The same for the first part of each outcome, where chance chooses.
    first_parts: Vec<f32>,
}

/// A free role that has a choice.
#[derive(Clone, Copy, Debug)]
struct Chooser {
    role: usize,
    n_moves: usize,
    /// By how much the number of an outcome grows with its next move.
    stride: usize,
}

impl Chooser {
    fn choice(&self, outcome: usize) -> usize {
        outcome / self.stride % self.n_moves
    }
}

impl Outcomes {
    fn clear(&mut self, n_roles: usize) {
        (self.n_roles, self.n) = (n_roles, 1);
        self.choosers.clear();
        self.bounds.clear();
        self.first_parts.clear();
    }

    fn add_chooser(&mut self, role: usize, n_moves: usize) {
        self.choosers.push(Chooser { role, n_moves, stride: self.n });
        self.n *= n_moves;
    }

    /// Adds the next outcome: the lows by role, then the highs. `None` is one of which nothing is known.
    fn push(&mut self, bounds: Option<&[f32]>) {
        match bounds {
            Some(bounds) => self.bounds.extend_from_slice(bounds),
            None => {
                self.bounds.extend(std::iter::repeat_n(0.0, self.n_roles));
                self.bounds.extend(std::iter::repeat_n(MOST, self.n_roles));
            }
        }
    }

    /// Adds a part of an outcome, which chance chooses with some probability. Averages are computed as differences from
    /// the first part, so that equal parts have exactly their value.
    fn add(&mut self, outcome: usize, chance: f32, bounds: Option<&[f32]>) {
        let (n_roles, n) = (self.n_roles, 2 * self.n_roles);
        self.bounds.resize(n * self.n, f32::NAN);
        self.first_parts.resize(n * self.n, 0.0);
        let places = n * outcome..n * (outcome + 1);
        let sums = self.bounds[places.clone()].iter_mut().zip(&mut self.first_parts[places]);
        for (at, (sum, first)) in sums.enumerate() {
            let bound = match bounds {
                Some(bounds) => bounds[at],
                None if at < n_roles => 0.0,
                None => MOST,
            };
            if sum.is_nan() {
                (*sum, *first) = (bound, bound);
            } else {
                *sum += chance * (bound - *first);
            }
        }
    }

    fn low(&self, outcome: usize, role: usize) -> f32 {
        self.bounds[2 * self.n_roles * outcome + role]
    }

    fn high(&self, outcome: usize, role: usize) -> f32 {
        self.bounds[2 * self.n_roles * outcome + self.n_roles + role]
    }

    /// The bounds of each role before the choice is made. Values less than `tie` apart count as possibly equal.
    fn combine(&self, tie: f32, certain: Option<ConstantSum>, mut tell: impl FnMut(usize, f32, f32)) {
        match self.choosers[..] {
            [] => (0..self.n_roles).for_each(|role| tell(role, self.low(0, role), self.high(0, role))),
            [only] => self.combine_choice(only.role, tie, certain, tell),
            _ => {
                for role in 0..self.n_roles {
                    let (low, high) = self.bounds_of_simultaneous(role, tie);
                    tell(role, low, high);
                    if let Some((rival, low, high)) = certain.and_then(|sum| sum.mirror(role, low, high)) {
                        tell(rival, low, high);
                    }
                }
            }
        }
    }

    /// The bounds of each role where one chooses.
    fn combine_choice(
        &self,
        chooser: usize,
        tie: f32,
        certain: Option<ConstantSum>,
        mut tell: impl FnMut(usize, f32, f32),
    ) {
        let n_roles = self.n_roles;
        let (mut sure, mut most) = (0.0_f32, 0.0_f32);
        for bounds in self.bounds.chunks_exact(2 * n_roles) {
            sure = sure.max(bounds[chooser]);
            most = most.max(bounds[n_roles + chooser]);
        }
        tell(chooser, sure, most);
        if let Some((rival, low, high)) = certain.and_then(|sum| sum.mirror(chooser, sure, most)) {
            // All other roles are chance, whose scores do not matter.
            return tell(rival, low, high);
        }
        // A score of 100 needs no comparison.
        let certain = (most + tie).min(MOST);
        for role in (0..n_roles).filter(|&role| role != chooser) {
            let (mut low, mut high, mut high_of_certain) = (MOST, 0.0_f32, MOST);
            for bounds in self.bounds.chunks_exact(2 * n_roles) {
                if bounds[n_roles + chooser] + tie < sure {
                    continue;
                }
                low = low.min(bounds[role]);
                high = high.max(bounds[n_roles + role]);
                if bounds[chooser] >= certain {
                    high_of_certain = high_of_certain.min(bounds[n_roles + role]);
                }
            }
            tell(role, low, high.min(high_of_certain));
        }
    }

    /// The bounds of a role where several choose at once, it among them or not.
    fn bounds_of_simultaneous(&self, role: usize, tie: f32) -> (f32, f32) {
        let (guarantees, high) = self.guarantees(role, tie);
        (guarantees.into_iter().fold(0.0, f32::max), high)
    }

    /// By move of a role, the least it scores as long as all play what they may play in an equilibrium, less than
    /// nothing for a move that it never plays; and the most it scores then. One entry stands for a role without a choice.
    fn guarantees(&self, role: usize, tie: f32) -> (Vec<f32>, f32) {
        let is_played: Vec<Vec<bool>> =
            (0..self.choosers.len()).map(|chooser| self.reasonable_moves(chooser, tie)).collect();
        let may_follow = |&outcome: &usize| {
            let choices = self.choosers.iter().zip(&is_played);
            choices.into_iter().all(|(chooser, is_played)| is_played[chooser.choice(outcome)])
        };
        let own = self.choosers.iter().position(|chooser| chooser.role == role);
        let mut worst = match own {
            Some(own) => {
                is_played[own].iter().map(|&is_played| if is_played { MOST } else { -1.0 }).collect()
            }
            None => vec![MOST],
        };
        let mut high = 0.0_f32;
        for outcome in (0..self.n).filter(may_follow) {
            let worst = &mut worst[own.map_or(0, |own| self.choosers[own].choice(outcome))];
            *worst = worst.min(self.low(outcome, role));
            high = high.max(self.high(outcome, role));
        }
        (worst, high)
    }

    /// By move of a chooser: the least it scores, whatever the others choose.
    fn worst_cases(&self, chooser: usize) -> Vec<f32> {
        let chooser = self.choosers[chooser];
        let mut worst = vec![MOST; chooser.n_moves];
        for outcome in 0..self.n {
            let worst = &mut worst[chooser.choice(outcome)];
            *worst = worst.min(self.low(outcome, chooser.role));
        }
        worst
    }

    /// By move of a chooser: whether its best case reaches what the chooser can guarantee.
    fn reasonable_moves(&self, chooser: usize, tie: f32) -> Vec<bool> {
        let security = self.worst_cases(chooser).into_iter().fold(0.0, f32::max);
        let chooser = self.choosers[chooser];
        let mut is_played = vec![false; chooser.n_moves];
        for outcome in 0..self.n {
            is_played[chooser.choice(outcome)] |= self.high(outcome, chooser.role) + tie >= security;
        }
        is_played
    }
}
