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
//! `max over its moves of (min over the moves of the others of low)`. It scores at least that in every equilibrium, so it
//! plays no move there whose best case is below it; such moves are *unreasonable*. No equilibrium gives them weight, so each
//! equilibrium is one of the matrix of the reasonable moves too, and in that matrix the same argument holds again:
//!
//! - `low_r` is the security level of `r` against the reasonable moves of the others, for a role without a choice the
//!   least `low` of the joint moves that are reasonable for all;
//! - `high_r` is the largest `high` of the joint moves that are reasonable for all.
//!
//!
//! Bounds start at 0 and 100 and only close in, so positions that lead back to themselves prove nothing by themselves.
//!
//! # Rounding
//!
//! Bounds are `f32`. Scores and everything that is chosen from them are exact, and so are averages over chance of equal
//! parts or of parts that fit, such as the toss of a coin. Other averages are rounded, and a position whose bounds may rest
//! on one is marked ([`Node::is_rounded`](super::tree::Node)). Among rounded bounds values less than [`ROUNDING`] apart may
//! be equal or not: such a move is possible, and none is certain. A tie between them is left open, and [`super::back_up`]
//! prefers its worse side.
//!
//! # What these bounds are, and are not
//!
//! - Against **any** play of the others only the security level holds: the `low` of a role that is derived without asking
//!   what the others prefer. In constant-sum games of two roles that is all there is: the intervals above are minimax
//!   bounds, and hold against any play.
//! - In other games `low_r` and `high_r` rest on the rationality of the others: opponents who hurt themselves to hurt `r`
//!   may leave `r` with less than `low_r`.
//! - `V` is one value of backward induction, not all of them. Each component breaks ties against its own role, so the
//!   components of one position may belong to different equilibria: a role that counts on the worst of somebody else's tie
//!   may choose otherwise than one that knows how the tie is broken. Bounds of `V` are exact under the rule above; they do
//!   not contain the value of every subgame-perfect equilibrium. If no role is ever indifferent, there is only one.
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
pub(super) const ROUNDING: f32 = 0.01;

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
            let certain = self.roles.certain_sum;
            self.nodes[node as usize].is_rounded |= outcomes.is_rounded;
            let known = self.bounds_mut(node);
            outcomes.combine(certain, |role, low, high| {
                // Bounds only close in. Rounding must not make them cross.
                let low = low.max(known[role]).min(known[n_roles + role]);
                let high = high.min(known[n_roles + role]).max(low);
                has_changed |= low != known[role] || high != known[n_roles + role];
                (known[role], known[n_roles + role]) = (low, high);
            });
            if let Some(role) = moves.turn.free() {
                self.note_bounds_of_arms(&mut moves, role, &outcomes);
                let has_settled = || moves.arms[moves.arms_of(role)].iter().any(|arm| arm.high <= arm.low);
                self.nodes[node as usize].has_refuted |= self.is_general() && has_settled();
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
        // Without chance in the game all bounds are exact.
        let is_rounded = |joint: u64| match moves.child(joint) {
            NONE => false,
            child => self.nodes[child as usize].is_rounded,
        };
        outcomes.is_rounded = self.roles.has_chance && (0..moves.n_joint()).any(is_rounded);
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
    ///
    /// Where several do, the best is the one that scores most against any move at all, then the one that scores most on
    /// average if the others play just anything, then the one after which fewer matches are over: what is lost is put off.
    pub(crate) fn sure_move(&self, node: u32, role: usize) -> Option<usize> {
        let moves = self.nodes[node as usize].moves.as_ref()?;
        if moves.turn != Turn::Together || !self.is_closed(node, role) || !moves.has_all_children() {
            return None;
        }
        let mut outcomes = Outcomes::default();
        self.gather(moves, &mut outcomes);
        let (guarantees, _) = outcomes.guarantees(role);
        if guarantees.len() != moves.count(role) {
            return None;
        }
        let enough = self.range(node, role).0 - outcomes.tie();
        let worst = outcomes.worst_cases(role);
        let averages = outcomes.averages(role);
        let mut n_ends = vec![0; guarantees.len()];
        for joint in 0..moves.n_joint() {
            let child = moves.child(joint);
            n_ends[moves.choice(joint, role)] +=
                usize::from(child != NONE && self.nodes[child as usize].is_over);
        }
        (0..guarantees.len()).filter(|&at| guarantees[at] >= enough).max_by(|&left, &right| {
            let by_worst = worst[left].total_cmp(&worst[right]);
            let by_average = || averages[left].total_cmp(&averages[right]);
            by_worst.then_with(by_average).then_with(|| n_ends[right].cmp(&n_ends[left]))
        })
    }

    /// Where several roles choose: by move of one of them, whether it plays the move in an equilibrium, as far as is known.
    pub(crate) fn reasonable_moves(&self, node: u32, role: usize) -> Option<Vec<bool>> {
        let moves = self.nodes[node as usize].moves.as_ref()?;
        if moves.turn != Turn::Together || !moves.has_all_children() || moves.count(role) == 1 {
            return None;
        }
        let mut outcomes = Outcomes::default();
        self.gather(moves, &mut outcomes);
        Some(outcomes.guarantees(role).0.into_iter().map(|guarantee| guarantee >= 0.0).collect())
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
    /// Whether a bound may be the rounded average of different ones.
    is_rounded: bool,
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
        self.is_rounded = false;
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
                let part = chance * (bound - *first);
                let exact = f64::from(*sum) + f64::from(chance) * (f64::from(bound) - f64::from(*first));
                *sum += part;
                // A chance that is no power of two is rounded itself.
                let is_exact = part == 0.0 || chance.to_bits().trailing_zeros() >= 23;
                self.is_rounded |= !is_exact || f64::from(*sum) != exact;
            }
        }
    }

    /// How far apart values have to be to be surely different.
    fn tie(&self) -> f32 {
        if self.is_rounded { ROUNDING } else { 0.0 }
    }

    fn low(&self, outcome: usize, role: usize) -> f32 {
        self.bounds[2 * self.n_roles * outcome + role]
    }

    fn high(&self, outcome: usize, role: usize) -> f32 {
        self.bounds[2 * self.n_roles * outcome + self.n_roles + role]
    }

    /// The bounds of each role before the choice is made.
    fn combine(&self, certain: Option<ConstantSum>, mut tell: impl FnMut(usize, f32, f32)) {
        match self.choosers[..] {
            [] => (0..self.n_roles).for_each(|role| tell(role, self.low(0, role), self.high(0, role))),
            [only] => self.combine_choice(only.role, certain, tell),
            _ => {
                for role in 0..self.n_roles {
                    let (low, high) = self.bounds_of_simultaneous(role);
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
        certain: Option<ConstantSum>,
        mut tell: impl FnMut(usize, f32, f32),
    ) {
        let (n_roles, tie) = (self.n_roles, self.tie());
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
    fn bounds_of_simultaneous(&self, role: usize) -> (f32, f32) {
        let (guarantees, high) = self.guarantees(role);
        (guarantees.into_iter().fold(0.0, f32::max), high)
    }

    /// By move of a role, the least it scores as long as all play what they may play in an equilibrium, less than
    /// nothing for a move that it never plays; and the most it scores then. One entry stands for a role without a choice.
    fn guarantees(&self, role: usize) -> (Vec<f32>, f32) {
        let is_played: Vec<Vec<bool>> =
            (0..self.choosers.len()).map(|chooser| self.reasonable_moves(chooser)).collect();
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

    /// By move of a role: the least it scores, whatever the others choose. One entry stands for a role without a choice.
    fn worst_cases(&self, role: usize) -> Vec<f32> {
        let own = self.choosers.iter().find(|chooser| chooser.role == role);
        let mut worst = vec![MOST; own.map_or(1, |own| own.n_moves)];
        for outcome in 0..self.n {
            let worst = &mut worst[own.map_or(0, |own| own.choice(outcome))];
            *worst = worst.min(self.low(outcome, role));
        }
        worst
    }

    /// By move of a role: the sum of what it may score over all moves of the others, in the middle between worst and best.
    fn averages(&self, role: usize) -> Vec<f32> {
        let own = self.choosers.iter().find(|chooser| chooser.role == role);
        let mut sums = vec![0.0; own.map_or(1, |own| own.n_moves)];
        for outcome in 0..self.n {
            let middle = (self.low(outcome, role) + self.high(outcome, role)) / 2.0;
            sums[own.map_or(0, |own| own.choice(outcome))] += middle;
        }
        sums
    }

    /// By move of a chooser: whether its best case reaches what the chooser can guarantee.
    fn reasonable_moves(&self, chooser: usize) -> Vec<bool> {
        let chooser = self.choosers[chooser];
        let security = self.worst_cases(chooser.role).into_iter().fold(0.0, f32::max);
        let mut is_played = vec![false; chooser.n_moves];
        for outcome in 0..self.n {
            is_played[chooser.choice(outcome)] |= self.high(outcome, chooser.role) + self.tie() >= security;
        }
        is_played
    }
}
