//! How a rule is run: its literals in an order, each met by looking at known columns.

use crate::sizes::Sizes;
use crate::view::{ViewId, Views};
use senet_rules::{Atom, Leaf, Literal, Pattern, RelId, Rule};
use senet_terms::Functor;

/// Place of a value while a rule runs: variables first, then constants and terms that are built.
pub(crate) type Slot = u32;

/// Some of the slots or columns of a plan, one behind the other.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Span {
    first: u32,
    end: u32,
}

impl Span {
    #[inline(always)]
    pub(crate) fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.first as usize..self.end as usize]
    }

    fn since<T>(first: usize, all: &[T]) -> Span {
        Span { first: first as u32, end: all.len() as u32 }
    }
}

/// A column of a view and the slot of its value.
pub(crate) type ColumnSlot = (u32, Slot);

/// A part of the work of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Goes on with each row that agrees with what is known.
    Rows(Rows),
    /// Goes on if a row is there, or if it is not.
    Holds { view: ViewId, key: Span, is_wanted: bool },
    /// Goes on if two values differ.
    Differ(Slot, Slot),
    /// Puts together a term.
    Build { functor: Functor, args: Span, slot: Slot },
    /// Goes on unless the head is known already.
    NewHead,
}

/// A step that goes through rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) view: ViewId,
    /// The index to use and the values to look up.
    pub(crate) index: Option<(u32, Span)>,
    /// Whether only new rows are gone through: those of a literal whose relation the rule derives.
    pub(crate) is_trigger: bool,
    /// Columns that must have a value known before.
    pub(crate) known: Span,
    /// Columns that give a value.
    pub(crate) bind: Span,
    /// Columns that must agree with one bound just now.
    pub(crate) same: Span,
}

/// How a rule is run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// Values of the slots before the first step.
    pub(crate) slots: Vec<u32>,
    pub(crate) args: Vec<Slot>,
    pub(crate) columns: Vec<ColumnSlot>,
    /// From this step on one success is enough.
    pub(crate) once_from: usize,
    pub(crate) head: RelId,
    pub(crate) head_args: Span,
}

/// Plans a rule; with `trigger` the positive literal whose new rows are gone through.
pub(crate) fn plan(rule: &Rule, trigger: Option<usize>, views: &mut Views, sizes: &mut Sizes) -> Plan {
    let order = best_order(rule, trigger, views, sizes);
    let slots = vec![0; rule.n_vars];
    let mut planner = Planner {
        rule,
        views,
        is_bound: vec![false; rule.n_vars],
        open: (0..rule.body.len()).filter(|&at| trigger != Some(at)).collect(),
        is_head_known: false,
        plan: Plan {
            steps: Vec::new(),
            slots,
            args: Vec::new(),
            columns: Vec::new(),
            once_from: usize::MAX,
            head: rule.head.relation,
            head_args: Span::default(),
        },
    };
    planner.take_what_is_bound();
    for literal in order {
        let is_trigger = trigger == Some(literal);
        if is_trigger || planner.open.contains(&literal) {
            planner.open.retain(|&open| open != literal);
            planner.rows(literal, is_trigger);
            planner.take_what_is_bound();
        }
    }
    planner.plan
}

/// The order of the positive literals that is expected to visit the fewest rows.
pub(crate) fn best_order(
    rule: &Rule,
    trigger: Option<usize>,
    views: &mut Views,
    sizes: &mut Sizes,
) -> Vec<usize> {
    let literals: Vec<(usize, ViewId, Vec<Leaf>)> = rule
        .body
        .iter()
        .enumerate()
        .filter_map(|(at, literal)| match literal {
            Literal::Positive(atom) => Some((at, views.of_atom(atom), atom.leaves())),
            Literal::Negative(_) | Literal::Distinct(..) => None,
        })
        .collect();
    let mut greedy = |first: usize| {
        let mut is_bound = vec![false; rule.n_vars];
        let mut order = Vec::new();
        let (mut n_rows, mut cost) = (1.0, 0.0);
        let mut rest: Vec<usize> = (0..literals.len()).filter(|&at| at != first).collect();
        let mut next = first;
        loop {
            let (at, view, leaves) = &literals[next];
            n_rows *= sizes.fan_out(*view, leaves, &is_bound);
            cost += n_rows;
            order.push(*at);
            for leaf in leaves {
                if let Leaf::Var(var) = leaf {
                    is_bound[*var as usize] = true;
                }
            }
            let fan_outs = rest.iter().map(|&at| sizes.fan_out(literals[at].1, &literals[at].2, &is_bound));
            match fan_outs.enumerate().min_by(|left, right| left.1.total_cmp(&right.1)) {
                Some((best, _)) => next = rest.remove(best),
                None => return (cost, order),
            }
        }
    };
    let starts = (0..literals.len()).filter(|&at| trigger.is_none_or(|trigger| literals[at].0 == trigger));
    let best = starts.map(&mut greedy).min_by(|left, right| left.0.total_cmp(&right.0));
    best.map(|(_, order)| order).unwrap_or_default()
}

struct Planner<'a> {
    rule: &'a Rule,
    views: &'a mut Views,
    is_bound: Vec<bool>,
    /// Literals that are not yet met.
    open: Vec<usize>,
    is_head_known: bool,
    plan: Plan,
}

impl Planner<'_> {
    fn new_slot(&mut self, value: u32) -> Slot {
        self.plan.slots.push(value);
        self.plan.slots.len() as Slot - 1
    }

    fn slot(&mut self, pattern: &Pattern) -> Slot {
        match pattern {
            Pattern::Var(var) => *var,
            Pattern::Ground(term) => self.new_slot(*term),
            Pattern::App(functor, args) => {
                let args = self.slots_of(args);
                let slot = self.new_slot(0);
                self.plan.steps.push(Step::Build { functor: *functor, args, slot });
                slot
            }
        }
    }

    fn slots_of(&mut self, patterns: &[Pattern]) -> Span {
        let slots: Vec<Slot> = patterns.iter().map(|pattern| self.slot(pattern)).collect();
        let first = self.plan.args.len();
        self.plan.args.extend(slots);
        Span::since(first, &self.plan.args)
    }

    fn slot_of_leaf(&mut self, leaf: Leaf) -> Slot {
        match leaf {
            Leaf::Var(var) => var,
            Leaf::Ground(term) => self.new_slot(term),
        }
    }

    fn is_bound(&self, var: u32) -> bool {
        self.is_bound[var as usize]
    }

    /// Everything that can be decided now is decided before more rows are gone through.
    fn take_what_is_bound(&mut self) {
        let mut at = 0;
        while at < self.open.len() {
            let rule = self.rule;
            let literal = &rule.body[self.open[at]];
            if !literal.all_vars(&|var| self.is_bound(var)) {
                at += 1;
                continue;
            }
            self.open.remove(at);
            match literal {
                Literal::Positive(atom) => self.holds(atom, true),
                Literal::Negative(atom) => self.holds(atom, false),
                Literal::Distinct(left, right) => {
                    let (left, right) = (self.slot(left), self.slot(right));
                    self.plan.steps.push(Step::Differ(left, right));
                }
            }
        }
        let rule = self.rule;
        let is_head_bound = rule.head.args.iter().all(|arg| arg.all_vars(&|var| self.is_bound(var)));
        if is_head_bound && !self.is_head_known {
            self.is_head_known = true;
            self.plan.head_args = self.slots_of(&rule.head.args);
            if !self.open.is_empty() {
                self.plan.steps.push(Step::NewHead);
            }
            self.plan.once_from = self.plan.steps.len();
        }
    }

    fn holds(&mut self, atom: &Atom, is_wanted: bool) {
        let view = self.views.of_atom(atom);
        let first = self.plan.args.len();
        for leaf in atom.leaves() {
            let slot = self.slot_of_leaf(leaf);
            self.plan.args.push(slot);
        }
        let key = Span::since(first, &self.plan.args);
        self.plan.steps.push(Step::Holds { view, key, is_wanted });
    }

    fn rows(&mut self, literal: usize, is_trigger: bool) {
        let rule = self.rule;
        let Literal::Positive(atom) = &rule.body[literal] else {
            unreachable!("only positive literals are ordered")
        };
        let view = self.views.of_atom(atom);
        let (mut known, mut bind, mut same) = (Vec::new(), Vec::new(), Vec::new());
        for (column, leaf) in (0..).zip(atom.leaves()) {
            match leaf {
                Leaf::Var(var) if self.is_bound(var) => known.push((column, var)),
                Leaf::Var(var) if bind.iter().any(|&(_, bound)| bound == var) => same.push((column, var)),
                Leaf::Var(var) => bind.push((column, var)),
                Leaf::Ground(term) => known.push((column, self.new_slot(term))),
            }
        }
        for &(_, var) in &bind {
            self.is_bound[var as usize] = true;
        }
        let index = (!known.is_empty() && !is_trigger).then(|| {
            let columns: Vec<u32> = known.iter().map(|&(column, _)| column).collect();
            let first = self.plan.args.len();
            self.plan.args.extend(known.iter().map(|&(_, slot)| slot));
            (self.views[view].index(&columns) as u32, Span::since(first, &self.plan.args))
        });
        let mut span = |columns: Vec<ColumnSlot>| {
            let first = self.plan.columns.len();
            self.plan.columns.extend(columns);
            Span::since(first, &self.plan.columns)
        };
        let (known, bind, same) = (span(known), span(bind), span(same));
        self.plan.steps.push(Step::Rows(Rows { view, index, is_trigger, known, bind, same }));
    }
}
