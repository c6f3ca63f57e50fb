//! What a compiler needs to know of a game that is ready to be played: its rules and how they are run.

use crate::engine::{Declined, ForwardEngine};
use crate::plan::best_order;
use crate::program::{Keep, Program};
use crate::sizes::Sizes;
use crate::view::{Views, facts};
use senet_ids::Interner;
use senet_rules::shapes::Shapes;
use senet_rules::{RelId, RuleSet};
use senet_terms::Terms;
use std::time::Duration;

/// A game that is ready to be compiled: fluents and moves are terms as in the rulesheet, frame rules are rules like others.
pub struct Blueprint {
    engine: ForwardEngine,
}

impl Blueprint {
    /// Chooses what is derived on demand, and plans the rules, within a time.
    pub fn new(program: &senet_analysis::Program, time: Option<Duration>) -> Result<Blueprint, Declined> {
        Ok(Blueprint { engine: ForwardEngine::with_rules(program, time, Keep::Permanent, Shapes::whole)? })
    }

    /// The game as it is played without being compiled.
    pub fn engine(&self) -> &ForwardEngine {
        &self.engine
    }

    /// The rules and how they are run.
    pub fn outline(&self) -> Outline<'_> {
        self.engine.outline()
    }
}

/// The rules of a game, in the order in which they run, and the facts that never change.
#[derive(Debug)]
pub struct Outline<'a> {
    /// The names of the rulesheet: constants have the numbers of their names.
    pub names: &'a Interner,
    /// The terms of rules and facts.
    pub terms: &'a Terms,
    /// The roles in order.
    pub roles: &'a [u32],
    /// The fluents of the initial position.
    pub initial: &'a [u32],
    program: &'a Program,
    views: Views,
    sizes: Sizes,
}

impl<'a> Outline<'a> {
    pub(crate) fn new(
        names: &'a Interner,
        program: &'a Program,
        terms: &'a Terms,
        views: Views,
        sizes: Sizes,
    ) -> Outline<'a> {
        Outline { names, terms, roles: &program.roles, initial: &program.initial, program, views, sizes }
    }

    /// The rules.
    pub fn rule_set(&self) -> &'a RuleSet {
        &self.program.rule_set
    }

    /// Stage after stage the numbers of its rules, those of lower strata first.
    pub fn stages(&self) -> impl Iterator<Item = Vec<usize>> {
        (0..self.program.stages.len()).map(|at| self.program.stages.rules(at).collect())
    }

    /// The order in which the positive literals of a rule are met; `trigger` is one that comes first.
    pub fn order(&mut self, rule: usize, trigger: Option<usize>) -> Vec<usize> {
        best_order(&self.program.rule_set.rules[rule], trigger, &mut self.views, &mut self.sizes)
    }

    /// The facts of a permanent relation.
    pub fn permanent(&self, relation: RelId) -> impl ExactSizeIterator<Item = &[u32]> {
        let view = &self.views[facts(relation)];
        (0..view.len()).map(|row| view.row(row))
    }
}
