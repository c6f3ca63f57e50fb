//! The rules that are run, and what is known of them before a match.

use crate::machine::Machine;
use crate::stages::Stages;
use crate::view::facts;
use senet_gdl::{Interner, Symbol, goal_value};
use senet_rules::persistent::Persistent;
use senet_rules::shapes::Shapes;
use senet_rules::stages::{needed_for, stages};
use senet_rules::{Lifetime, RelId, RuleSet};

/// Which facts are kept from position to position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keep {
    /// None: everything is derived anew.
    Nothing,
    /// Permanent ones.
    Permanent,
    /// Persistent ones too.
    Persistent,
}

/// What all threads share.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) rule_set: RuleSet,
    pub(crate) shapes: Shapes,
    pub(crate) persistent: Persistent,
    /// What a new position ends.
    pub(crate) ends: Lifetime,
    pub(crate) stages: Stages,
    pub(crate) for_terminal: Vec<usize>,
    pub(crate) for_legal: Vec<usize>,
    pub(crate) for_goal: Vec<usize>,
    pub(crate) for_next: Vec<usize>,
    /// The roles in order.
    pub(crate) roles: Vec<u32>,
    /// The fluents of the initial position.
    pub(crate) initial: Vec<u32>,
    /// Terms with lower numbers are constants.
    pub(crate) n_constants: u32,
    /// By constant: the number from 0 to 100 that it is.
    goal_values: Vec<Option<u8>>,
}

impl Program {
    /// The rules in the order in which they run; not planned yet.
    pub(crate) fn new(mut rule_set: RuleSet, shapes: Shapes, names: &Interner, keep: Keep) -> Program {
        let (persistent, ends) = match keep {
            Keep::Nothing => (Persistent::none(&rule_set), Lifetime::Match),
            Keep::Permanent => (Persistent::none(&rule_set), Lifetime::Position),
            Keep::Persistent => (Persistent::take_frames(&mut rule_set, &shapes), Lifetime::Position),
        };
        let order = stages(&rule_set);
        let stages = Stages::new(&order, &persistent);
        let needed = |relations: &[RelId]| needed_for(&rule_set, &order, relations, ends);
        let legal: Vec<RelId> = shapes.moves.iter().map(|shape| shape.legal).collect();
        let next: Vec<RelId> = shapes.fluents.iter().map(|shape| shape.next).collect();
        Program {
            for_terminal: needed(&[rule_set.keywords.terminal]),
            for_legal: needed(&legal),
            for_goal: needed(&[rule_set.keywords.goal]),
            for_next: needed(&next),
            n_constants: names.len() as u32,
            goal_values: goal_values(names),
            shapes,
            persistent,
            ends,
            roles: Vec::new(),
            initial: Vec::new(),
            stages,
            rule_set,
        }
    }

    /// The only value of a role, if it is a number from 0 to 100.
    pub(crate) fn goal(&self, machine: &Machine, role: u32) -> Option<u8> {
        let goals = &machine.views[facts(self.rule_set.keywords.goal)];
        let mut values =
            (0..goals.len()).map(|row| goals.row(row)).filter(|row| row[0] == role).map(|row| row[1]);
        match (values.next(), values.next()) {
            (Some(value), None) => self.goal_values.get(value as usize).copied().flatten(),
            _ => None,
        }
    }
}

fn goal_values(names: &Interner) -> Vec<Option<u8>> {
    (0..names.len()).map(|at| goal_value(names.name(Symbol::new(at)))).collect()
}
