//! What is proved: for each role the score it gets at least against all others, and the score it gets at most.
//!
//! Bounds come from the positions that follow. They begin with 0 and 100 and only close in, so that positions which lead
//! back to themselves prove nothing by themselves. Where one's gain is the other's loss, the others of a role let it have
//! as little as they can; otherwise it gets at most what they might let it have. Moves that are drawn are averaged.

use super::moves::{Arm, Moves, Turn};
use super::tree::{MOST, NONE, Tree};
use std::hash::Hash;

impl<S: Clone + Eq + Hash> Tree<S> {
    /// Computes the bounds of a position anew; says whether they changed.
    pub(crate) fn tighten(&mut self, node: u32) -> bool {
        let Some(mut moves) = self.nodes[node as usize].moves.take() else { return false };
        let n_roles = self.n_roles();
        let mut bounds = std::mem::take(&mut self.scratch);
        bounds.clear();
        bounds.resize(2 * n_roles, 0.0);
        match moves.turn {
            Turn::Nobody => self.bounds_of_choice(&moves, None, &mut bounds),
            Turn::Free(role) => {
                self.bounds_of_choice(&moves, Some(role as usize), &mut bounds);
                self.note_bounds_of_arms(&mut moves, role as usize);
            }
            Turn::Chance(role) => self.bounds_of_chance(&moves, role as usize, &mut bounds),
            Turn::AgainstChance(_) | Turn::Together => self.bounds_of_joint(&moves, &mut bounds),
        }
        self.nodes[node as usize].moves = Some(moves);
        let known = self.bounds_mut(node);
        let (mut has_changed, n) = (false, n_roles);
        for role in 0..n {
            // Rounding must not open what was closed.
            let low = bounds[role].max(known[role]);
            let high = bounds[n + role].min(known[n + role]).max(low);
            has_changed |= low != known[role] || high != known[n + role];
            (known[role], known[n + role]) = (low, high);
        }
        self.scratch = bounds;
        has_changed
    }

    /// The bounds of a role in the position that follows a joint move.
    fn bounds_of(&self, moves: &Moves, joint: u64, role: usize) -> (f32, f32) {
        match moves.child(joint) {
            NONE => (0.0, MOST),
            child => (self.lows(child)[role], self.highs(child)[role]),
        }
    }

    /// One role chooses at most.
    fn bounds_of_choice(&self, moves: &Moves, chooser: Option<usize>, bounds: &mut [f32]) {
        let n_roles = self.n_roles();
        let are_rivals = self.roles.are_rivals();
        for role in 0..n_roles {
            let is_own = chooser == Some(role);
            let is_best = is_own || !are_rivals;
            let mut low = if is_own { 0.0 } else { MOST };
            let mut high = if is_best { 0.0 } else { MOST };
            for joint in 0..moves.n_joint() {
                let (child_low, child_high) = self.bounds_of(moves, joint, role);
                low = if is_own { child_low.max(low) } else { child_low.min(low) };
                high = if is_best { child_high.max(high) } else { child_high.min(high) };
            }
            (bounds[role], bounds[n_roles + role]) = (low, high);
        }
    }

    fn note_bounds_of_arms(&self, moves: &mut Moves, role: usize) {
        for joint in 0..moves.count(role) {
            let (low, high) = self.bounds_of(moves, joint as u64, role);
            let arm: &mut Arm = &mut moves.arms[role + joint];
            (arm.low, arm.high) = (low, high);
        }
    }

    fn bounds_of_chance(&self, moves: &Moves, chooser: usize, bounds: &mut [f32]) {
        let n_roles = self.n_roles();
        for joint in 0..moves.n_joint() {
            let chance = moves.chances(chooser)[joint as usize];
            for role in 0..n_roles {
                let (low, high) = self.bounds_of(moves, joint, role);
                bounds[role] += chance * low;
                bounds[n_roles + role] += chance * high;
            }
        }
    }

    /// Several roles choose. A role gets at least what its best move gets whatever the others play, and at most what it
    /// gets when it answers the best the others can do together: the two meet where nobody has to mix.
    fn bounds_of_joint(&self, moves: &Moves, bounds: &mut [f32]) {
        let n_roles = self.n_roles();
        bounds[n_roles..].fill(MOST);
        if !moves.has_all_children() {
            return;
        }
        for role in (0..n_roles).filter(|&role| !self.roles.is_chance(role)) {
            bounds[role] = self.guarantees(moves, role).into_iter().fold(0.0, f32::max);
            let n_own = moves.count(role);
            let mut most = vec![0.0; n_own * self.n_choices(moves, role, false)];
            for joint in 0..moves.n_joint() {
                let (_, weight) = self.others(moves, joint, role, true);
                let (others, _) = self.others(moves, joint, role, false);
                most[others * n_own + moves.choice(joint, role)] +=
                    weight * self.bounds_of(moves, joint, role).1;
            }
            let best = most.chunks(n_own).map(|highs| highs.iter().copied().fold(0.0, f32::max));
            bounds[n_roles + role] =
                if self.roles.are_rivals() { best.fold(MOST, f32::min) } else { best.fold(0.0, f32::max) };
        }
    }

    /// By move of a role, where several roles choose: what it gets at least, whatever free roles play, on average over what
    /// chance does.
    pub(crate) fn guarantees(&self, moves: &Moves, role: usize) -> Vec<f32> {
        let n_chance = self.n_choices(moves, role, true);
        let mut least = vec![MOST; moves.count(role) * n_chance];
        let mut weights = vec![1.0; n_chance];
        for joint in 0..moves.n_joint() {
            let (chance, weight) = self.others(moves, joint, role, true);
            let least = &mut least[moves.choice(joint, role) * n_chance + chance];
            *least = self.bounds_of(moves, joint, role).0.min(*least);
            weights[chance] = weight;
        }
        let average = |lows: &[f32]| lows.iter().zip(&weights).map(|(low, weight)| low * weight).sum();
        least.chunks(n_chance).map(average).collect()
    }

    /// How many choices the other roles have together: those of chance, or those that are free.
    fn n_choices(&self, moves: &Moves, role: usize, of_chance: bool) -> usize {
        let others = (0..self.n_roles()).filter(|&it| it != role && self.roles.is_chance(it) == of_chance);
        others.map(|it| moves.count(it)).product()
    }

    /// Which of these choices is made in a joint move, and how likely it is.
    fn others(&self, moves: &Moves, joint: u64, role: usize, of_chance: bool) -> (usize, f32) {
        let (mut number, mut weight) = (0, 1.0);
        for it in (0..self.n_roles()).filter(|&it| it != role && self.roles.is_chance(it) == of_chance) {
            let choice = moves.choice(joint, it);
            number = number * moves.count(it) + choice;
            if of_chance {
                weight *= moves.chances(it)[choice];
            }
        }
        (number, weight)
    }

    /// Forgets what was proved of a position.
    pub(crate) fn forget_bounds(&mut self, node: u32) {
        let n_roles = self.n_roles();
        let bounds = self.bounds_mut(node);
        bounds[..n_roles].fill(0.0);
        bounds[n_roles..].fill(MOST);
    }

    /// Forgets what was proved because rivals were supposed who are none, if they turned out to be none.
    pub(crate) fn heed_doubts(&mut self) {
        if !self.roles.take_doubt() {
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
}
