//! The order of literals that the engine would choose, for those who write rules in another form.

use crate::engine::{Declined, planned};
use crate::plan::best_order;
use crate::sizes::Sizes;
use crate::view::Views;
use senet_languages::mini::Rule;
use std::time::Duration;

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
        let (_, permanent, sizes) = planned(program, Some(time), Duration::MAX)?;
        Ok(SizeOrder { views: permanent.views, sizes })
    }

    /// The order for a rule of MINI-GDL. Tests come first: they are to be taken as soon as their variables are bound.
    pub fn of(&mut self, rule: &Rule) -> Vec<usize> {
        let tests = (0..rule.body.len()).filter(|&at| rule.body[at].is_test());
        let mut order: Vec<usize> = tests.collect();
        order.extend(best_order(rule, None, &mut self.views, &self.sizes));
        order
    }
}
