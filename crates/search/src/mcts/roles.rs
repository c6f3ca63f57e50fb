//! Who is free to choose, and whether one's gain is the other's loss.

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
    /// The sum of the scores of the free roles at the end of every match so far. `None` before the first.
    total: Option<u32>,
    /// Whether two roles are free, and their scores had the same sum whenever a match ended.
    are_rivals: bool,
    /// Whether rivals were supposed who are none, and nobody has drawn the consequences.
    is_in_doubt: bool,
    /// The canonical text of a move.
    text: Box<dyn FnMut(MoveId) -> String + Send>,
    /// How much memory a state takes beside its place in a node.
    pub(crate) state_bytes: usize,
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
    /// Who thinks is free, whatever its name and the models say.
    pub(crate) fn new(
        names: &[String],
        thinker: usize,
        models: &[Model],
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
        let n_free = kinds.iter().filter(|kind| matches!(kind, Kind::Free)).count();
        Roles { are_rivals: n_free == 2, is_in_doubt: false, kinds, total: None, text, state_bytes }
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether the moves of a role are drawn.
    pub(crate) fn is_chance(&self, role: usize) -> bool {
        !matches!(self.kinds[role], Kind::Free)
    }

    /// Whether what one role gains another loses, as far as can be seen.
    pub(crate) fn are_rivals(&self) -> bool {
        self.are_rivals
    }

    /// Whoever is not a rival is not one later.
    pub(crate) fn note_end(&mut self, goals: &[u8]) {
        let free = goals.iter().enumerate().filter(|(role, _)| !self.is_chance(*role));
        let sum = free.map(|(_, &goal)| u32::from(goal)).sum();
        self.note_sum(sum, 1);
    }

    /// The scores of the free roles at the ends of some matches.
    pub(crate) fn note_sum(&mut self, sum: u32, n_matches: u32) {
        if n_matches == 0 {
            return;
        }
        let total = *self.total.get_or_insert(sum / n_matches);
        if self.are_rivals && sum != total * n_matches {
            (self.are_rivals, self.is_in_doubt) = (false, true);
        }
    }

    /// Whether rivals turned out to be none since this was asked.
    pub(crate) fn take_doubt(&mut self) -> bool {
        std::mem::take(&mut self.is_in_doubt)
    }

    /// Who has a choice.
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
