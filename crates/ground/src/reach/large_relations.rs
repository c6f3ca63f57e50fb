//! How relations with many facts are derived: as a whole, on demand, or not at all.

use super::demand::{Demand, is_asked_with_constants};
use super::fixpoint::{Outlook, Watch};
use super::unfold::{Unfolded, Unfolder};
use crate::facts::FactStore;
use crate::options::Mode;
use senet_rules::{Literal, RelId, Rule};

/// A relation with more facts than this is put on demand if it is asked with constants.
const MANY: u32 = 20_000;
/// If it still has more facts, or is asked more questions, demand does not help: it is derived as a
/// whole.
const STILL_MANY: u32 = 160_000;
const MANY_QUESTIONS: u32 = 10_000;
/// After so many failures nothing else is tried ...
const MOST_FAILURES: usize = 2;
/// ... before a relation has more facts than this: then demand is all there is, or unfolding it.
const TOO_MANY: u32 = 1_500_000;

/// Decides how relations with many facts are derived while others are.
pub(super) struct LargeRelations<'a> {
    pub(super) mode: Mode,
    pub(super) rules: Vec<&'a Rule>,
    pub(super) unfolder: Unfolder<'a>,
    pub(super) demand: &'a mut Demand,
    /// The rules without a relation that was replaced by its definition.
    pub(super) unfolded: Option<Unfolded>,
}

impl LargeRelations<'_> {
    /// Decides for good. `is_part`: not the relation itself has too many facts, but a part of one
    /// of its rules.
    fn look_closely(&mut self, store: &mut FactStore, relation: RelId, is_part: bool) -> Option<u32> {
        if self.write_where_used(store, relation) {
            return None;
        }
        let was_tried = self.demand.n_changes(relation) >= 2;
        if !was_tried && self.demand.add(store, &self.rules, relation, true) {
            return None;
        }
        if self.mode != Mode::Paper && self.unfold(store, relation) {
            return None;
        }
        if was_tried && !is_part && self.demand.add(store, &self.rules, relation, true) {
            return None;
        }
        Some(u32::MAX)
    }

    /// Inlines relations with one rule and one use.
    fn write_where_used(&mut self, store: &mut FactStore, relation: RelId) -> bool {
        is_used_once(&self.rules, relation) && self.unfold(store, relation)
    }

    fn unfold(&mut self, store: &mut FactStore, relation: RelId) -> bool {
        self.unfolded = self.unfolder.unfold(store, relation);
        self.unfolded.is_some()
    }
}

/// Whether a relation has one rule and one place where it is used.
fn is_used_once(rules: &[&Rule], relation: RelId) -> bool {
    let is_use = |literal: &&Literal| matches!(literal, Literal::Positive(it) if it.relation == relation);
    rules.iter().filter(|rule| rule.head.relation == relation).count() == 1
        && rules.iter().flat_map(|rule| &rule.body).filter(is_use).count() == 1
}

impl Watch for LargeRelations<'_> {
    fn most(&self, store: &FactStore, relation: RelId) -> u32 {
        let member = self.demand.behind(store, &self.rules, relation);
        match self.demand.n_changes(member) {
            0 if self.demand.n_failures() < MOST_FAILURES => MANY,
            1 if self.demand.is_asked(relation) => MANY_QUESTIONS,
            1 if self.demand.contains(member) => STILL_MANY,
            _ => TOO_MANY,
        }
    }

    fn look_at(&mut self, store: &mut FactStore, relation: RelId, outlook: Outlook) -> Option<u32> {
        let table = store.relations[relation.index()].table;
        let is_large = outlook == Outlook::Hopeless || store.tables[table.index()].len() > TOO_MANY;
        let behind = self.demand.behind(store, &self.rules, relation);
        let is_part = behind != relation && !self.demand.is_asked(relation);
        let relation = behind;
        if is_large {
            return self.look_closely(store, relation, is_part);
        }
        if outlook == Outlook::Uncertain && self.write_where_used(store, relation) {
            return None;
        }
        if self.demand.contains(relation) {
            self.demand.give_up(store, &self.rules, relation);
            return None;
        }
        let is_asked_for_little = is_asked_with_constants(&self.rules, relation);
        match is_asked_for_little && self.demand.add(store, &self.rules, relation, false) {
            true => None,
            false => Some(TOO_MANY),
        }
    }
}
