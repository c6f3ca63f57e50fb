//! Facts that follow from facts, until nothing new follows.

use crate::facts::{Facts, FormId, whole};
use crate::join::{Join, Limits, MOST_DEPTH, Question, Seen, Stop};
use senet_rules::stages::Stage;
use senet_rules::{Atom, Lifetime, Literal, Pattern, RelId, RuleSet};
use senet_terms::Terms;
use std::ops::Range;

/// New facts are many if they are more than one in so many.
const MUCH: u32 = 3;

/// What was given up, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Halt {
    pub(crate) relation: RelId,
    pub(crate) stop: Stop,
}

/// A rule without what does not matter.
pub(crate) struct Clause {
    head: Atom,
    body: Vec<Literal>,
    n_vars: usize,
}

/// A clause, and the literals through which new facts come to it.
struct Active<'c> {
    clause: &'c Clause,
    triggers: Vec<Trigger>,
    /// How it runs on all facts.
    whole: Planned,
}

struct Trigger {
    literal: usize,
    form: FormId,
    n_seen: u32,
    run: Planned,
}

/// A join, with how many facts it was planned.
#[derive(Default)]
struct Planned {
    plan: Option<(u64, Join)>,
    seen: Seen,
}

/// Where facts are derived.
pub(crate) struct Derivation<'a> {
    pub(crate) facts: &'a mut Facts,
    pub(crate) terms: &'a mut Terms,
    pub(crate) limits: Limits,
    /// How many facts may be added.
    pub(crate) n_left: u64,
}

impl Derivation<'_> {
    /// The permanent facts.
    pub(crate) fn permanent(&mut self, rule_set: &RuleSet, stages: &[Stage]) -> Result<(), Halt> {
        for stage in stages.iter().filter(|stage| stage.lifetime == Lifetime::Match) {
            for group in &stage.groups {
                let clause = |&rule: &usize| {
                    let rule = &rule_set.rules[rule];
                    Clause { head: rule.head.clone(), body: rule.body.clone(), n_vars: rule.n_vars }
                };
                let clauses: Vec<Clause> = group.iter().map(clause).collect();
                self.saturate(&clauses, &|relation| stage.relations.contains(&relation))?;
            }
        }
        Ok(())
    }

    /// All facts that may ever hold: what is not permanent is not negated, every legal move is made, and what comes next
    /// is added to what is there.
    pub(crate) fn superset(&mut self, rule_set: &RuleSet) -> Result<(), Halt> {
        let keywords = rule_set.keywords;
        let is_dynamic = |relation: RelId| !rule_set.is_permanent(relation);
        let mut clauses = Vec::new();
        for rule in rule_set.rules.iter().filter(|rule| is_dynamic(rule.head.relation)) {
            let is_kept =
                |literal: &&Literal| !matches!(literal, Literal::Negative(atom) if is_dynamic(atom.relation));
            let body = rule.body.iter().filter(is_kept).cloned().collect();
            clauses.push(Clause { head: rule.head.clone(), body, n_vars: rule.n_vars });
        }
        for (from, to) in [
            (keywords.init, keywords.fluents),
            (keywords.next, keywords.fluents),
            (keywords.legal, keywords.moves),
        ] {
            let n_vars = rule_set.relations[from.index()].arity;
            let args: Vec<Pattern> = (0..n_vars as u32).map(Pattern::Var).collect();
            let body = vec![Literal::Positive(Atom { relation: from, args: args.clone() })];
            clauses.push(Clause { head: Atom { relation: to, args }, body, n_vars });
        }
        self.saturate(&clauses, &is_dynamic)
    }

    fn saturate(&mut self, clauses: &[Clause], is_growing: &dyn Fn(RelId) -> bool) -> Result<(), Halt> {
        let mut actives = Vec::new();
        for clause in clauses {
            let mut triggers = Vec::new();
            for (literal, it) in clause.body.iter().enumerate() {
                if let Literal::Positive(atom) = it
                    && is_growing(atom.relation)
                {
                    let form = self.facts.of_atom(atom);
                    triggers.push(Trigger { literal, form, n_seen: 0, run: Planned::default() });
                }
            }
            let mut active = Active { clause, triggers, whole: Planned::default() };
            if active.triggers.is_empty() {
                self.run(clause, None, 0..0, &mut active.whole)?;
            } else {
                actives.push(active);
            }
        }
        let mut has_new = true;
        while has_new {
            has_new = false;
            for active in &mut actives {
                has_new |= self.catch_up(active)?;
            }
        }
        Ok(())
    }

    /// Runs a clause for what is new; says whether anything was.
    fn catch_up(&mut self, active: &mut Active<'_>) -> Result<bool, Halt> {
        let mut ends = Vec::with_capacity(active.triggers.len());
        let (mut n_new, mut is_much) = (0, false);
        for trigger in &active.triggers {
            self.facts.sync(trigger.form, self.terms);
            let end = self.facts[trigger.form].len();
            ends.push(end);
            n_new += end - trigger.n_seen;
            is_much |= end - trigger.n_seen > end / MUCH;
        }
        if n_new == 0 || ends.contains(&0) {
            return Ok(false);
        }
        // Where much is new it is found sooner by one run on everything: that stops at the first proof of a head.
        let is_whole = is_much && active.triggers.len() > 1;
        if is_whole {
            self.run(active.clause, None, 0..0, &mut active.whole)?;
        }
        for (trigger, end) in active.triggers.iter_mut().zip(ends) {
            if trigger.n_seen < end && !is_whole {
                self.run(active.clause, Some(trigger.literal), trigger.n_seen..end, &mut trigger.run)?;
            }
            trigger.n_seen = end;
        }
        Ok(true)
    }

    fn run(
        &mut self,
        clause: &Clause,
        trigger: Option<usize>,
        window: Range<u32>,
        planned: &mut Planned,
    ) -> Result<(), Halt> {
        let Clause { head, body, n_vars } = clause;
        let mut n_facts = 0;
        for atom in body.iter().filter_map(Literal::atom) {
            let form = self.facts.of_atom(atom);
            n_facts += u64::from(self.facts[form].len());
        }
        if planned.plan.as_ref().is_none_or(|(then, _)| n_facts > 2 * then) {
            let mut is_wanted = vec![false; *n_vars];
            head.args.iter().for_each(|arg| arg.for_each_var(&mut |var| is_wanted[var as usize] = true));
            let question = Question {
                literals: body.iter().collect(),
                is_bound: vec![false; *n_vars],
                is_wanted,
                trigger,
                head: Some(head),
            };
            planned.plan = Some((n_facts, Join::new(&question, self.facts, self.terms)));
        }
        let (_, join) = planned.plan.as_ref().expect("it was planned");
        let mut row = Vec::new();
        let n_left = &mut self.n_left;
        let mut found = |slots: &[u32], facts: &mut Facts, terms: &mut Terms| {
            row.clear();
            for arg in &head.args {
                let term = arg.value(slots, terms);
                if terms.depth(term) > MOST_DEPTH {
                    return Err(Stop::Depth);
                }
                row.push(term);
            }
            if facts[whole(head.relation)].insert(&row) {
                *n_left = n_left.checked_sub(1).ok_or(Stop::Facts)?;
            }
            Ok(())
        };
        let mut slots = vec![0; *n_vars];
        let place = (&mut *self.facts, &mut *self.terms, &mut self.limits);
        let done = join.run(&mut slots, (window, &mut planned.seen), place, &mut found);
        done.map_err(|stop| Halt { relation: head.relation, stop })
    }
}
