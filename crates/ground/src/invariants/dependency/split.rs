//! Proof by cases: a derived atom holds by one of its rules, a static one by one of its rows.

use super::arena::{Args, Node, Top};
use super::candidates::Assumptions;
use super::chase::{Chase, Claim, Class, Fact};
use super::domain::MAX_VALUES;
use super::tables::{Agreeing, MAX_CASES};
use super::template::Sign;
use senet_ids::Symbol;
use smallvec::SmallVec;

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
    Rules(SmallVec<[usize; 16]>),
    Rows(SmallVec<[u32; MAX_CASES]>),
    /// Of a variable.
    Values(Node, Values),
}

type Values = SmallVec<[u32; MAX_VALUES]>;

impl Cases {
    fn is_forced(&self) -> bool {
        match self {
            Cases::Rules(rules) => rules.len() <= 1,
            Cases::Values(..) => true,
            Cases::Rows(_) => false,
        }
    }
}

impl<'f> Chase<'_, 'f> {
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
        let first_saved = self.saved.len();
        self.saved.extend_from_slice(&self.facts);
        let all_close = cases.iter().all(|case| {
            let mark = self.arena.mark();
            let closed = closes(self, case);
            if closed {
                self.undo(mark, first_saved);
            }
            closed
        });
        self.saved.truncate(first_saved);
        all_close
    }

    /// Supposes that a fact holds by a rule. Says whether it cannot.
    fn take_rule(&mut self, fact: &Fact, rule: usize) -> bool {
        let world = self.world;
        let first_arg = self.arena.instantiate(world.templates, world.templates.rule(rule));
        if self.arena.unify_all(first_arg, fact.args).is_err() {
            return true;
        }
        self.add_body(rule, first_arg, fact.depth + 1);
        false
    }

    /// Supposes that a fact is a row of its table. Says whether it cannot.
    fn take_row(&mut self, fact: &Fact, row: u32) -> bool {
        let row = self.tables.row(fact.relation, row);
        let mut pairs = fact.args.places().zip(row);
        pairs.any(|(at, &value)| self.arena.unify(self.arena.args[at], value).is_err())
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
            let cost = match fact.class {
                Class::Rules if fact.depth < MAX_RULE_DEPTH => {
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
                Class::Table if fact.n_cases > 0 => (fact.n_cases as usize + COST_OF_ROWS) * breadth,
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
        let cases = match fact.class {
            Class::Rules => Cases::Rules(self.rules_for(&fact).collect()),
            _ => match self.tables.agreeing(&mut self.arena, fact.relation, fact.args) {
                Agreeing::Few(rows) => Cases::Rows(rows),
                Agreeing::Many => return None,
            },
        };
        Some((at, cases))
    }

    /// A free argument of a fluent, the one with the fewest values. `only_denied`: only if some are denied.
    fn choose_value(&mut self, only_denied: bool) -> Option<(usize, Cases)> {
        if only_denied && !self.facts.iter().any(Fact::denies_fluent) {
            return None;
        }
        let mut best: Option<(usize, Node, Values)> = None;
        for at in 0..self.facts.len() {
            let fact = self.facts[at];
            if fact.sign != Sign::Positive || fact.class != Class::True {
                continue;
            }
            let fluent = self.arena.find(self.fact_arg(&fact, 0));
            let Top::Application(name, args) = self.arena.top(fluent) else { continue };
            let domains = self.world.domains.of_fluent(name, args.len());
            for place in 0..args.len() {
                let arg = self.arena.find(self.arena.arg(args, place));
                if !self.arena.is_variable(arg) {
                    continue;
                }
                let Some(values) = domains.at(place).values() else { continue };
                let denied = self.denied(name, args, place);
                if only_denied && denied.is_empty() {
                    continue;
                }
                let values: Values = values.iter().copied().filter(|value| !denied.contains(value)).collect();
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
    fn denied(&mut self, name: Symbol, args: Args<'f>, place: usize) -> Values {
        let mut denied = Values::new();
        let Self { facts, arena, .. } = self;
        for fact in facts.iter().filter(|fact| fact.denies_fluent()) {
            let other = arena.find(arena.args[fact.args.first as usize]);
            let others = match arena.top(other) {
                Top::Application(same, others) if same == name && others.len() == args.len() => others,
                _ => continue,
            };
            let value = arena.find(arena.arg(others, place));
            let agree = (0..args.len())
                .filter(|&at| at != place)
                .all(|at| arena.equal(arena.arg(args, at), arena.arg(others, at)));
            if agree && arena.is_known(value) {
                denied.push(value);
            }
        }
        denied
    }

    /// The rules by which a fact can hold.
    pub(super) fn rules_for(&self, fact: &Fact) -> impl Iterator<Item = usize> {
        let (templates, arena) = (self.world.templates, &self.arena);
        let args = fact.args;
        templates.rules_of(fact.relation).filter(move |&rule| !templates.head_clashes(arena, rule, args))
    }

    /// Whether the same atom was looked at before: it may hold by the same rule.
    fn is_repeated(&mut self, at: usize) -> bool {
        let Self { facts, arena, .. } = self;
        let Fact { relation, args, .. } = facts[at];
        facts.iter().enumerate().any(|(other_at, other)| {
            other_at != at
                && other.is_spent
                && other.is_given(relation)
                && arena.all_equal(args.first, other.args)
        })
    }
}
