//! Which roles are free to choose, and whether the game is constant-sum between two of them.

use super::expansion::Choices;
use super::moves::Turn;
use super::parameters::Model;
use rustc_hash::FxHashMap;
use senet_game::MoveId;

/// The role whose moves are drawn.
const RANDOM: &str = "random";

/// What of the roles matters to the search.
pub(crate) struct Roles {
    kinds: Vec<Kind>,
    pub(crate) has_chance: bool,
    /// Whether several roles are free.
    pub(crate) has_opponents: bool,
    /// The free roles, if there are two.
    pair: Option<[usize; 2]>,
    sum: Sum,
    /// The sum that follows from the rules.
    pub(crate) certain_sum: Option<ConstantSum>,
    /// The sum that the search assumes now.
    pub(crate) assumed_sum: Option<ConstantSum>,
    /// Changes whenever a sum does, so that bounds of arms are known to be outdated.
    pub(crate) version: u16,
    /// Whether bounds rest on a certain sum that an end contradicted.
    is_certainty_refuted: bool,
    /// The canonical text of a move.
    text: Box<dyn FnMut(MoveId) -> String + Send>,
    /// How much memory a state takes beside its place in a node.
    pub(crate) state_bytes: usize,
}

/// A game in which the scores of two roles have the same sum at every end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ConstantSum {
    pub(crate) roles: [usize; 2],
    pub(crate) total: f32,
}

impl ConstantSum {
    /// The role that loses what one of the two gains.
    #[inline]
    pub(crate) fn rival(&self, role: usize) -> usize {
        if self.roles[0] == role { self.roles[1] } else { self.roles[0] }
    }

    /// The rival of a role and its bounds, which follow from those of the role. `None` if the role is none of the two.
    pub(crate) fn mirror(&self, role: usize, low: f32, high: f32) -> Option<(usize, f32, f32)> {
        self.roles.contains(&role).then(|| (self.rival(role), self.total - high, self.total - low))
    }
}

/// The sum of the scores of the two free roles at the end of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sum {
    /// There are not two free roles, or two matches ended with different sums.
    Varies,
    /// No match has ended yet.
    Unknown,
    /// Every end so far had this sum. That is an assumption: an end that was not seen may differ.
    Assumed(u32),
    /// As `Assumed`, but the search sets the assumption aside to prove the root without it.
    SetAside(u32),
    /// The goals of the rulesheet have this sum in every state in which they are defined.
    Certain(u32),
}

enum Kind {
    Free,
    /// Its moves are drawn, each as likely.
    Random,
    /// Its moves are drawn as somebody said.
    Modelled {
        chances: FxHashMap<String, f32>,
        by_move: FxHashMap<MoveId, f32>,
    },
}

impl Roles {
    /// The searching role is free, whatever its name and the models say. `sum` gives the constant sum of the goals
    /// of two roles, if the rules imply one.
    pub(crate) fn new(
        names: &[String],
        thinker: usize,
        models: &[Model],
        sum: impl Fn([usize; 2]) -> Option<u32>,
        text: Box<dyn FnMut(MoveId) -> String + Send>,
        state_bytes: usize,
    ) -> Roles {
        let kind = |(role, name): (usize, &String)| match models.iter().find(|model| model.role == *name) {
            _ if role == thinker => Kind::Free,
            Some(model) => Kind::Modelled {
                chances: model.chances.iter().cloned().collect(),
                by_move: FxHashMap::default(),
            },
            None if name == RANDOM && names.len() > 1 => Kind::Random,
            None => Kind::Free,
        };
        let kinds: Vec<Kind> = names.iter().enumerate().map(kind).collect();
        let free: Vec<usize> = (0..kinds.len()).filter(|&role| matches!(kinds[role], Kind::Free)).collect();
        let n_free = free.len();
        let pair = <[usize; 2]>::try_from(free).ok();
        let sum = pair.map_or(Sum::Varies, |pair| sum(pair).map_or(Sum::Unknown, Sum::Certain));
        let mut roles = Roles {
            has_chance: n_free < kinds.len(),
            has_opponents: n_free > 1,
            kinds,
            pair,
            sum,
            certain_sum: None,
            assumed_sum: None,
            version: 0,
            is_certainty_refuted: false,
            text,
            state_bytes,
        };
        roles.set_sum(sum);
        roles
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether the moves of a role are drawn.
    pub(crate) fn is_chance(&self, role: usize) -> bool {
        !matches!(self.kinds[role], Kind::Free)
    }

    /// Whether the search relies on a constant sum.
    #[inline]
    pub(crate) fn is_constant_sum(&self) -> bool {
        self.assumed_sum.is_some() || self.certain_sum.is_some()
    }

    /// Whether a certain sum was contradicted since this was last asked. The goals were undefined, then.
    pub(crate) fn take_refutation(&mut self) -> bool {
        std::mem::take(&mut self.is_certainty_refuted)
    }

    /// Searches on without a sum that is only assumed.
    pub(crate) fn set_aside_assumption(&mut self) {
        if let Sum::Assumed(total) = self.sum {
            self.set_sum(Sum::SetAside(total));
        }
    }

    /// Relies again on an assumption that was set aside.
    pub(crate) fn resume_assumption(&mut self) {
        if let Sum::SetAside(total) = self.sum {
            self.set_sum(Sum::Assumed(total));
        }
    }

    fn set_sum(&mut self, sum: Sum) {
        self.is_certainty_refuted |= matches!(self.sum, Sum::Certain(_)) && sum == Sum::Varies;
        self.sum = sum;
        let of_pair = |total: u32| self.pair.map(|roles| ConstantSum { roles, total: total as f32 });
        (self.certain_sum, self.assumed_sum) = match sum {
            Sum::Certain(total) => (of_pair(total), None),
            Sum::Assumed(total) => (None, of_pair(total)),
            Sum::Varies | Sum::Unknown | Sum::SetAside(_) => (None, None),
        };
        self.version = self.version.wrapping_add(1);
    }

    /// Learns from an end of the match in the tree.
    pub(crate) fn note_end(&mut self, goals: &[u8]) {
        let free = goals.iter().enumerate().filter(|(role, _)| !self.is_chance(*role));
        let sum = free.map(|(_, &goal)| u32::from(goal)).sum();
        self.note_sum(sum, 1);
    }

    /// Learns from playouts: the scores of the free roles at their ends, added up.
    pub(crate) fn note_sum(&mut self, sum: u32, n_matches: u32) {
        if n_matches == 0 {
            return;
        }
        if self.sum == Sum::Unknown {
            self.set_sum(Sum::Assumed(sum / n_matches));
        }
        if let Sum::Assumed(total) | Sum::SetAside(total) | Sum::Certain(total) = self.sum
            && sum != total * n_matches
        {
            self.set_sum(Sum::Varies);
        }
    }

    /// Which roles have a choice.
    pub(crate) fn turn(&self, choices: Choices<'_>) -> Turn {
        let choosing = || (0..self.len()).filter(|&role| choices.of(role).len() > 1);
        let free = || choosing().filter(|&role| !self.is_chance(role));
        let mut choosing = choosing();
        match (choosing.next(), choosing.next()) {
            (None, _) => Turn::Nobody,
            (Some(role), None) if self.is_chance(role) => Turn::Chance(role as u32),
            (Some(role), None) => Turn::Free(role as u32),
            _ if free().count() <= 1 => Turn::AgainstChance(free().next().map(|role| role as u32)),
            _ => Turn::Together,
        }
    }

    /// By move: how likely a role that is not free plays it.
    pub(crate) fn chances(&mut self, choices: Choices<'_>) -> Box<[f32]> {
        let mut all = Vec::with_capacity(choices.n_moves());
        for (kind, moves) in self.kinds.iter_mut().zip(choices.by_role()) {
            let first = all.len();
            match kind {
                Kind::Free => all.resize(first + moves.len(), 0.0),
                Kind::Random => all.resize(first + moves.len(), 1.0 / moves.len() as f32),
                Kind::Modelled { chances, by_move } => {
                    for &id in moves {
                        let chance = by_move
                            .entry(id)
                            .or_insert_with(|| chances.get(&(self.text)(id)).copied().unwrap_or(0.0));
                        all.push(*chance);
                    }
                    let sum: f32 = all[first..].iter().sum();
                    for chance in &mut all[first..] {
                        *chance = if sum > 0.0 { *chance / sum } else { 1.0 / moves.len() as f32 };
                    }
                }
            }
        }
        all.into()
    }
}
