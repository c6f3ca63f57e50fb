//! Proof by cases: a derived atom holds by one of its rules, a static one by one of its rows.

use super::arena::{Node, Top};
use super::candidates::Assumptions;
use super::chase::{Chase, Claim, Class, Fact};
use super::tables::{Agreeing, MAX_CASES};
use super::template::Sign;

/// How many rules deep atoms are replaced by bodies.
const MAX_RULE_DEPTH: u8 = 5;
/// How many cases may be open within each other.
const MAX_OPEN: usize = 24;
/// Atoms with more rules than this are left alone.
const MAX_RULES: usize = 24;
/// Rows are told apart only when few rules are left to look at: they say less.
const COST_OF_ROWS: usize = 3;

/// For which of several reasons a fact holds.
enum Cases {
    Rules(Vec<usize>),
    Rows(Vec<u32>),
    /// Of a variable.
    Values(Node, Vec<u32>),
}

impl Cases {
    fn is_forced(&self) -> bool {
        match self {
            Cases::Rules(rules) => rules.len() <= 1,
            Cases::Values(..) => true,
            Cases::Rows(_) => false,
        }
    }
}

impl Chase<'_, '_> {
    /// Whether fluents of two rules for `next` that agree on the key are always equal.
    pub(super) fn proves(
        &mut self,
        claim: Claim,
        rules: [usize; 2],
        assumptions: &Assumptions,
        fuel: u64,
    ) -> bool {
        self.arena.fuel = fuel;
        let proved = self.begin(claim, rules).is_err() || self.closes(assumptions, 0);
        proved && self.arena.fuel > 0
    }

    /// Whether every case ends in a contradiction or in what is wanted.
    fn closes(&mut self, assumptions: &Assumptions, n_open: usize) -> bool {
        let mut choice;
        loop {
            if self.saturate(assumptions).is_err() || self.is_proved() || self.is_refuted() {
                return true;
            }
            choice = self.choose_value(true).or_else(|| self.choose());
            if choice.as_ref().is_some_and(|(_, cases)| cases.is_forced()) || !self.add_common() {
                break;
            }
        }
        if n_open == MAX_OPEN || self.arena.fuel == 0 {
            return false;
        }
        let Some((at, cases)) = choice.or_else(|| self.choose_value(false)) else {
            return self.is_terminal();
        };
        let fact = self.facts[at];
        self.facts[at].is_spent |= !matches!(cases, Cases::Values(..));
        match cases {
            Cases::Rules(rules) if rules.is_empty() => true,
            Cases::Rules(rules) => self.each_case(&rules, |chase, &rule| {
                chase.take_rule(&fact, rule) || chase.closes(assumptions, n_open + 1)
            }),
            Cases::Rows(rows) => self.each_case(&rows, |chase, &row| {
                chase.take_row(&fact, row) || chase.closes(assumptions, n_open + 1)
            }),
            Cases::Values(variable, values) => self.each_case(&values, |chase, &value| {
                chase.arena.unify(variable, value).is_err() || chase.closes(assumptions, n_open + 1)
            }),
        }
    }

    fn each_case<T>(&mut self, cases: &[T], mut closes: impl FnMut(&mut Self, &T) -> bool) -> bool {
        if let [case] = cases {
            return closes(self, case);
        }
        let facts = self.facts.clone();
        cases.iter().all(|case| {
            let mark = self.arena.mark();
            let closed = closes(self, case);
            if closed {
                self.undo(mark, &facts);
            }
            closed
        })
    }

    /// Supposes that a fact holds by a rule. Says whether it cannot.
    fn take_rule(&mut self, fact: &Fact, rule: usize) -> bool {
        let world = self.world;
        let first_arg = self.arena.instantiate(world.templates, world.templates.rule(rule));
        for at in 0..fact.n_args as usize {
            let head_arg = self.arena.args[first_arg as usize + at];
            if self.arena.unify(head_arg, self.fact_arg(fact, at)).is_err() {
                return true;
            }
        }
        self.add_body(rule, first_arg, fact.depth + 1);
        false
    }

    /// Supposes that a fact is a row of its table. Says whether it cannot.
    fn take_row(&mut self, fact: &Fact, row: u32) -> bool {
        let row = self.tables.row(fact.relation, row);
        let args = self.fact_args(fact);
        args.iter().zip(row).any(|(&arg, &value)| self.arena.unify(arg, value).is_err())
    }

    /// The fact with the fewest cases.
    fn choose(&mut self) -> Option<(usize, Cases)> {
        let mut best: Option<(usize, usize)> = None;
        self.arena.burn(2 * self.facts.len());
        for at in 0..self.facts.len() {
            let fact = self.facts[at];
            if fact.is_spent || fact.sign != Sign::Positive {
                continue;
            }
            // What is near the rules that are compared says more about them.
            let breadth = 1 + 2 * fact.depth as usize;
            let cost = match self.class(&fact) {
                Some(Class::Rules) if fact.depth < MAX_RULE_DEPTH => {
                    if self.is_repeated(at) {
                        self.facts[at].is_spent = true;
                        continue;
                    }
                    match self.rules_for(&fact).count() {
                        n_rules if n_rules > MAX_RULES => continue,
                        n_rules if n_rules <= 1 => n_rules,
                        n_rules => n_rules * breadth,
                    }
                }
                Some(Class::Table) if fact.n_cases > 0 => (fact.n_cases as usize + COST_OF_ROWS) * breadth,
                _ => continue,
            };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
                if cost <= 1 {
                    break;
                }
            }
        }
        let (_, at) = best?;
        let fact = self.facts[at];
        let cases = match self.class(&fact) {
            Some(Class::Rules) => Cases::Rules(self.rules_for(&fact).collect()),
            _ => {
                let args = self.fact_args(&fact);
                match self.tables.agreeing(&mut self.arena, fact.relation, &args) {
                    Agreeing::Few(rows) => Cases::Rows(rows),
                    Agreeing::Many => return None,
                }
            }
        };
        Some((at, cases))
    }

    /// A free argument of a fluent, the one with the fewest values. `only_denied`: only if some are denied.
    fn choose_value(&mut self, only_denied: bool) -> Option<(usize, Cases)> {
        let mut best: Option<(usize, Node, Vec<u32>)> = None;
        for at in 0..self.facts.len() {
            let fact = self.facts[at];
            if fact.sign != Sign::Positive || self.class(&fact) != Some(Class::True) {
                continue;
            }
            let fluent = self.arena.find(self.fact_arg(&fact, 0));
            let Top::Application(name, args) = self.arena.top(fluent) else { continue };
            let arity = args.len();
            for place in 0..arity {
                let arg = self.arena.find(self.arena.arg(fluent, place));
                if !matches!(self.arena.top(arg), Top::Variable) {
                    continue;
                }
                let domain = self.world.domains.of_fluent(name, arity, place);
                let Some(values) = domain.values() else { continue };
                let denied = self.denied(fluent, place);
                if only_denied && denied.is_empty() {
                    continue;
                }
                let values: Vec<u32> =
                    values.iter().copied().filter(|value| !denied.contains(value)).collect();
                if values.len() > MAX_CASES {
                    continue;
                }
                if best.as_ref().is_none_or(|(_, _, fewest)| values.len() < fewest.len()) {
                    best = Some((at, arg, values));
                }
            }
        }
        best.map(|(at, arg, values)| (at, Cases::Values(arg, values)))
    }

    /// The values that a fluent is known not to have at a place.
    fn denied(&mut self, fluent: Node, place: usize) -> Vec<u32> {
        let mut denied = Vec::new();
        for at in 0..self.facts.len() {
            let fact = self.facts[at];
            if fact.sign != Sign::Negative || self.class(&fact) != Some(Class::True) {
                continue;
            }
            let other = self.arena.find(self.fact_arg(&fact, 0));
            let arity = self.arena.n_args(fluent);
            let is_same_functor = match (self.arena.top(fluent), self.arena.top(other)) {
                (Top::Application(name, args), Top::Application(other, others)) => {
                    name == other && args.len() == others.len()
                }
                _ => false,
            };
            if !is_same_functor {
                continue;
            }
            let value = self.arena.find(self.arena.arg(other, place));
            let agree = (0..arity)
                .filter(|&at| at != place)
                .all(|at| self.arena.equal(self.arena.arg(fluent, at), self.arena.arg(other, at)));
            if agree && self.arena.is_known(value) {
                denied.push(value);
            }
        }
        denied
    }

    /// The rules by which a fact can hold.
    pub(super) fn rules_for(&self, fact: &Fact) -> impl Iterator<Item = usize> {
        let (templates, arena) = (self.world.templates, &self.arena);
        let (first_arg, n_args) = (fact.first_arg, fact.n_args);
        templates
            .rules_of(fact.relation)
            .filter(move |&rule| !templates.head_clashes(arena, rule, first_arg, n_args))
    }

    /// Whether the same atom was looked at before: it may hold by the same rule.
    fn is_repeated(&mut self, at: usize) -> bool {
        let fact = self.facts[at];
        (0..self.facts.len()).any(|other| {
            let other_fact = self.facts[other];
            other != at
                && other_fact.is_spent
                && other_fact.sign == Sign::Positive
                && other_fact.relation == fact.relation
                && (0..fact.n_args as usize).all(|place| {
                    self.arena.equal(self.fact_arg(&fact, place), self.fact_arg(&other_fact, place))
                })
        })
    }
}
