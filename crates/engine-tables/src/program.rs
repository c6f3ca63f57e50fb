//! The rules made ready: what all threads share.

use crate::arrange::Arrangement;
use crate::draft::Draft;
use crate::facts::Facts;
use crate::order::Order;
use crate::superset::Supersets;
use crate::table::RuleTables;
use senet_rules::{Lifetime, RelId, RuleSet};
use senet_terms::Terms;
use std::time::Duration;

/// How a game is made ready.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// In which order hypotheses are met.
    pub order: Order,
    /// Rules whose tables would take more bytes than are left run without tables.
    pub memory: usize,
    /// What making the engine may take; `None` for what it needs.
    pub time: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        Options { order: Order::Best, memory: 1 << 30, time: None }
    }
}

/// What a game took to be made ready and takes to be played.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Reading the rules: permanent facts and supersets.
    pub gdl: Duration,
    /// Random play for the order of hypotheses.
    pub optimise: Duration,
    /// Making the reference tables.
    pub ground: Duration,
    /// Bytes of the reference tables.
    pub tables: usize,
    /// Bytes of the knowledge base of a thread.
    pub knowledge_base: usize,
    /// How many positions were looked at for the order.
    pub positions: u64,
    /// How many rules there are that are not permanent.
    pub rules: usize,
    /// The heads of rules that run without tables.
    pub without_tables: Vec<String>,
}

/// How a rule is run.
#[derive(Clone, Debug)]
pub(crate) enum Runner {
    Tables(RuleTables),
    Loose,
}

/// Rules of one stratum of relations that use each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// With their numbers.
    pub(crate) once: Vec<(usize, Runner)>,
    /// Rules that read what comes to a list, with their numbers and the place of the cursor of their first list.
    pub(crate) triggered: Vec<(usize, RuleTables, usize)>,
    /// Rules without tables that run as long as something comes.
    pub(crate) repeated: Vec<usize>,
}

/// What all threads share.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) rule_set: RuleSet,
    pub(crate) supersets: Supersets,
    /// Instances by id.
    pub(crate) facts: Facts,
    pub(crate) terms: Terms,
    /// What rules without tables need of the permanent facts.
    pub(crate) permanent: Facts,
    /// By relation: the number of its first id.
    pub(crate) first: Vec<u32>,
    pub(crate) arrangement: Arrangement,
    pub(crate) layout: crate::knowledge::Layout,
    /// By stage.
    pub(crate) groups: Vec<Vec<Group>>,
    pub(crate) lifetimes: Vec<Lifetime>,
    pub(crate) relation_of: Vec<RelId>,
    pub(crate) n_cursors: usize,
    pub(crate) for_terminal: Vec<usize>,
    pub(crate) for_legal: Vec<usize>,
    pub(crate) for_goal: Vec<usize>,
    pub(crate) for_next: Vec<usize>,
    /// The roles in order.
    pub(crate) roles: Vec<u32>,
    /// By role: the lists of its legal moves.
    pub(crate) legal_lists: Vec<Vec<u32>>,
    /// By role: where its legal moves begin, if a look at their places tells them in the order of the source.
    pub(crate) legal_from: Vec<Option<u32>>,
    /// Whether places of moves are in the order of the source.
    pub(crate) is_in_order: bool,
    /// The places of the fluents of the initial position.
    pub(crate) initial: Vec<u32>,
}

impl Program {
    /// The lists of a relation.
    pub(crate) fn lists_of(&self, relation: RelId) -> std::ops::Range<u32> {
        self.arrangement.lists[relation.index()].clone()
    }

    /// The first of the lists that do not live longer.
    pub(crate) fn lists_from(&self, lifetime: Lifetime) -> usize {
        if lifetime == Lifetime::Move { self.arrangement.first_of_moves } else { 0 }
    }

    /// The place of an instance; `None` if it can never hold.
    pub(crate) fn place(&self, relation: RelId, terms: &Terms, args: &[u32]) -> Option<u32> {
        let id = self.supersets.id(relation, &self.facts, terms, args)?;
        Some(self.arrangement.places[(self.first[relation.index()] + id) as usize])
    }

    /// Appends the arguments of the instance at a place.
    pub(crate) fn instance(&self, terms: &mut Terms, relation: RelId, place: u32, args: &mut Vec<u32>) {
        let id = self.arrangement.origins[place as usize] - self.first[relation.index()];
        self.supersets.instance(relation, &self.facts, terms, id, args);
    }

    /// Turns the place of what comes next into the place of what is.
    #[inline(always)]
    pub(crate) fn fluent(&self) -> impl Fn(u32) -> u32 + use<> {
        let keywords = self.rule_set.keywords;
        let (next, now) = (self.first[keywords.next.index()], self.first[keywords.fluents.index()]);
        move |place| place - next + now
    }

    /// The place of a permission as the place of the move, and back.
    pub(crate) fn played(&self, legal: u32) -> u32 {
        let keywords = self.rule_set.keywords;
        legal - self.first[keywords.legal.index()] + self.first[keywords.moves.index()]
    }
}

/// Moves all places of a draft.
pub(crate) fn rearrange(draft: &mut Draft, places: &[u32]) {
    let moved = |place: &mut u32| *place = places[*place as usize];
    draft.preconditions.iter_mut().flatten().for_each(moved);
    draft.result.iter_mut().for_each(moved);
    for level in &mut draft.levels {
        level.records.iter_mut().for_each(moved);
        level.entries.iter_mut().for_each(|entry| moved(&mut entry.1));
    }
}
