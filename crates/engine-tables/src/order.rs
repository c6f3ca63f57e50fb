//! The order of hypotheses: the cost of Theorem 1, with what was seen in random play.

use crate::table::cache_factor;
use senet_rules::{Literal, Rule};

/// In which order the hypotheses of rules are met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The one that is expected to take the least time.
    #[default]
    Best,
    /// As they are written.
    Original,
    /// The one that is expected to take the most time.
    Worst,
}

/// What is known of a hypothesis with a relation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expectation {
    pub(crate) is_permanent: bool,
    /// How many ids that agree with it the knowledge base has, on average.
    pub(crate) length: f64,
    /// How many there are in the superset.
    pub(crate) size: f64,
    /// The variable of each column that has one, and how many values it has.
    pub(crate) columns: Vec<(u32, f64)>,
}

/// Times in relation to each other: to read an id and look it up, to test whether one exists, to write one.
const TIME_TO_READ: f64 = 1.5;
const TIME_TO_TEST: f64 = 1.0;
const TIME_TO_WRITE: f64 = 2.0;
/// Where a rule begins and the caller waits.
const MOST_TRIED: usize = 20_000;
/// Tables with more combinations are out of the question.
const MOST_COMBINATIONS: f64 = 2e7;

/// The positive hypotheses of a rule in order; a trigger comes first.
pub(crate) fn order(
    rule: &Rule,
    expected: &[Expectation],
    order: Order,
    trigger: Option<usize>,
) -> Vec<usize> {
    let positive = |at: &usize| matches!(rule.body[*at], Literal::Positive(_));
    let mut original: Vec<usize> = (0..rule.body.len()).filter(positive).collect();
    original.sort_by_key(|&at| trigger != Some(at));
    if order == Order::Original || original.len() < 2 {
        return original;
    }
    let mut search = Search {
        rule,
        expected,
        is_worst: order == Order::Worst,
        n_tried: 0,
        best: (original_cost(rule, expected, &original), original),
    };
    let mut prefix = Prefix::new(rule);
    prefix.absorb(rule, expected);
    if let Some(trigger) = trigger {
        prefix.take(rule, expected, trigger);
    }
    search.extend(&prefix);
    search.best.1
}

fn original_cost(rule: &Rule, expected: &[Expectation], order: &[usize]) -> f64 {
    let mut prefix = Prefix::new(rule);
    prefix.absorb(rule, expected);
    for &at in order {
        prefix.take(rule, expected, at);
    }
    prefix.whole_cost()
}

struct Search<'a> {
    rule: &'a Rule,
    expected: &'a [Expectation],
    is_worst: bool,
    n_tried: usize,
    best: (f64, Vec<usize>),
}

impl Search<'_> {
    /// All orders that begin so, the most promising first; branch and bound for the best.
    fn extend(&mut self, prefix: &Prefix) {
        self.n_tried += 1;
        if !self.is_worst && prefix.cost >= self.best.0 {
            return;
        }
        let mut next: Vec<Prefix> = Vec::new();
        for at in (0..self.rule.body.len()).filter(|&at| !prefix.is_met[at]) {
            if matches!(self.rule.body[at], Literal::Positive(_)) {
                let mut longer = prefix.clone();
                longer.take(self.rule, self.expected, at);
                next.push(longer);
            }
        }
        if next.is_empty() {
            let cost = prefix.whole_cost();
            if (cost > self.best.0) == self.is_worst && cost != self.best.0 {
                self.best = (cost, prefix.order.clone());
            }
            return;
        }
        next.sort_by(|left, right| {
            let by_cost = left.promise().total_cmp(&right.promise());
            if self.is_worst { by_cost.reverse() } else { by_cost }
        });
        if self.n_tried > MOST_TRIED {
            next.truncate(1);
        }
        next.iter().for_each(|prefix| self.extend(prefix));
    }
}

/// The first hypotheses of an order.
#[derive(Clone)]
struct Prefix {
    order: Vec<usize>,
    is_met: Vec<bool>,
    is_bound: Vec<bool>,
    /// How many combinations are expected to be alive.
    n_alive: f64,
    /// How many combinations tables have.
    n_combinations: f64,
    cost: f64,
}

impl Prefix {
    fn new(rule: &Rule) -> Prefix {
        Prefix {
            order: Vec::new(),
            is_met: vec![false; rule.body.len()],
            is_bound: vec![false; rule.n_vars],
            n_alive: 1.0,
            n_combinations: 1.0,
            cost: 0.0,
        }
    }

    fn whole_cost(&self) -> f64 {
        let cost = self.cost + self.n_alive * TIME_TO_WRITE;
        if self.n_combinations > MOST_COMBINATIONS { cost * 1e6 } else { cost }
    }

    fn promise(&self) -> f64 {
        self.cost + self.n_alive
    }

    fn take(&mut self, rule: &Rule, expected: &[Expectation], at: usize) {
        if self.is_met[at] {
            return;
        }
        self.is_met[at] = true;
        self.order.push(at);
        let it = &expected[at];
        let mut n_values = 1.0;
        let mut has_new = false;
        for &(var, different) in &it.columns {
            if self.is_bound[var as usize] {
                n_values *= different;
            } else {
                has_new = true;
            }
        }
        // How many ids of the superset agree with what is bound (Definition 5).
        let agreeing = it.size / n_values;
        if it.is_permanent {
            self.n_alive *= agreeing;
            self.n_combinations *= agreeing;
            self.cost += self.n_alive * TIME_TO_TEST;
        } else if has_new || self.order.len() == 1 {
            let n_bytes = 2.0 * self.n_combinations * it.size;
            let list = it.length * TIME_TO_READ * cache_factor(n_bytes);
            let row = agreeing.max(1.0) * TIME_TO_TEST;
            self.cost += self.n_alive * list.min(row);
            self.n_alive *= it.length / n_values;
            self.n_combinations *= agreeing;
        } else {
            self.cost += self.n_alive * TIME_TO_TEST;
            self.n_alive *= (it.length / it.size.max(1.0)).min(1.0);
        }
        for &(var, _) in &it.columns {
            self.is_bound[var as usize] = true;
        }
        self.absorb(rule, expected);
    }

    /// What is bound is decided at once.
    fn absorb(&mut self, rule: &Rule, expected: &[Expectation]) {
        for (at, literal) in rule.body.iter().enumerate() {
            let mut is_known = !self.is_met[at];
            literal.for_each_var(&mut |var| is_known &= self.is_bound[var as usize]);
            if !is_known {
                continue;
            }
            self.is_met[at] = true;
            let it = &expected[at];
            let share = (it.length / it.size.max(1.0)).min(1.0);
            match literal {
                Literal::Positive(_) if it.is_permanent => {
                    let domain: f64 = it.columns.iter().map(|&(_, different)| different).product();
                    self.n_alive *= (it.size / domain).min(1.0);
                    self.order.push(at);
                }
                Literal::Positive(_) => {
                    self.cost += self.n_alive * TIME_TO_TEST;
                    self.n_alive *= share;
                    self.order.push(at);
                }
                Literal::Negative(_) if it.is_permanent => {}
                Literal::Negative(_) => {
                    self.cost += self.n_alive * TIME_TO_TEST;
                    self.n_alive *= 1.0 - share;
                }
                Literal::Distinct(..) => {}
            }
        }
    }
}
