//! The order of literals that the engine would choose, for those who write rules in another form.

use crate::engine::{Declined, check, unbounded};
use crate::plan::best_order;
use crate::planner::{Planned, Times, plan};
use crate::program::{Keep, Program};
use crate::sizes::Sizes;
use crate::view::Views;
use senet_rules::shapes::Shapes;
use senet_rules::{Rule, RuleSet};
use std::time::{Duration, Instant};

/// Orders of literals by the sizes that relations have in the first positions of random matches.
#[derive(Debug)]
pub struct SizeOrder {
    views: Views,
    sizes: Sizes,
}

impl SizeOrder {
    /// Measures sizes. How many positions are looked at does not depend on the time they take, so that the orders are the
    /// same whenever they are asked for; if all of it takes longer than `time`, the game is declined.
    pub fn new(program: &senet_analysis::Program, time: Duration) -> Result<SizeOrder, Declined> {
        check(program)?;
        let mut rule_set = RuleSet::new(program);
        let shapes = Shapes::whole(&mut rule_set);
        let (role_facts, deadline) = (program.role_facts(), Instant::now() + time);
        let program = Program::new(rule_set, shapes, program.symbols(), Keep::Permanent);
        let times = Times { measuring: Duration::MAX, relation: None, deadline: Some(deadline) };
        let Planned { permanent, sizes, .. } = plan(program, role_facts, times)
            .map_err(|(rule_set, halt)| Declined::Game(unbounded(&rule_set, halt)))?;
        Ok(SizeOrder { views: permanent.views, sizes })
    }

    /// The order for a rule of MINI-GDL. Tests come first: they are to be taken as soon as their variables are bound.
    pub fn of(&mut self, rule: &Rule) -> Vec<usize> {
        let tests = (0..rule.body.len()).filter(|&at| rule.body[at].is_test());
        let mut order: Vec<usize> = tests.collect();
        order.extend(best_order(rule, None, &mut self.views, &mut self.sizes));
        order
    }
}
