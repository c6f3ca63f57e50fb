//! How a rule is run: loops, and conditions as soon as their variables are bound.

use crate::flat::{Atom, FlatId, Literal, Operand, Rule};
use crate::layout::{Layout, Range};
use crate::number::Numbering;

/// A value while a rule runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// A variable, by its number in the plan.
    Var(u32),
    /// A term, by its number in the program.
    Term(u32),
}

/// A variable has to be in a range, or else there is no place for the fact.
pub(crate) type Within = (u32, Range);

/// A part of the work of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Goes on with each row that has certain values in some columns.
    Rows { relation: FlatId, key: Vec<(usize, Value)>, bind: Vec<(usize, u32)>, source: Source },
    /// Goes on if there is such a row.
    Exists { relation: FlatId, key: Vec<(usize, Value)> },
    /// Goes on if variables are in their ranges.
    Within(Vec<Within>),
    /// Goes on if a fact holds.
    Holds { relation: FlatId, row: Vec<Value> },
    /// Goes on unless a fact holds.
    HoldsNot { relation: FlatId, row: Vec<Value>, within: Vec<Within> },
    /// Goes on if some pair differs.
    Differ(Vec<(Value, Value)>),
    /// Goes on if two values are the same.
    Same(Value, Value),
    /// Puts together a term.
    Build { var: u32, functor: usize, args: Vec<Value> },
    /// Goes on with the arguments of a term if it is this function of something.
    TakeApart { term: Value, functor: usize, bind: Vec<u32> },
    /// The fact that follows. Loops inside the loop `until` have done their work.
    Conclude { relation: FlatId, row: Vec<Value>, until: usize },
}

/// Where rows come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A relation that does not grow meanwhile.
    Complete,
    /// The relation to which the rule adds.
    Growing,
    /// The new rows of the relation.
    New,
}

/// How a rule is run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// The names of the variables.
    pub(crate) vars: Vec<String>,
}

/// Plans a rule whose positive literals are met in an order; `trigger` is the one whose new rows are gone through.
pub(crate) fn plan(
    rule: &Rule,
    trigger: Option<usize>,
    order: &[usize],
    numbering: &Numbering,
    layouts: &mut [Layout],
) -> Plan {
    let mut planner = Planner {
        rule,
        numbering,
        layouts,
        ranges: vec![None; rule.vars.len()],
        open: (0..rule.body.len()).filter(|&at| trigger != Some(at)).collect(),
        n_loops: 0,
        head: None,
        plan: Plan { steps: Vec::new(), vars: rule.vars.clone() },
    };
    planner.take_what_is_bound();
    for &literal in order {
        let is_trigger = trigger == Some(literal);
        if is_trigger || planner.open.contains(&literal) {
            planner.open.retain(|&open| open != literal);
            planner.rows(literal, is_trigger);
            planner.take_what_is_bound();
        }
    }
    let (row, until) = planner.head.expect("the head is bound when every literal is");
    let mut plan = planner.plan;
    plan.steps.push(Step::Conclude { relation: rule.head.relation, row, until });
    look_only_where_nothing_is_bound(&mut plan);
    for step in &plan.steps {
        if let Step::Rows { relation, key, source, .. } = step
            && *source != Source::New
            && !key.is_empty()
        {
            let columns: Vec<usize> = key.iter().map(|&(column, _)| column).collect();
            layouts[relation.index()].index(&columns);
        }
        if let Step::Exists { relation, key } = step
            && !key.is_empty()
        {
            let columns: Vec<usize> = key.iter().map(|&(column, _)| column).collect();
            layouts[relation.index()].index(&columns);
        }
    }
    plan
}

struct Planner<'a> {
    rule: &'a Rule,
    numbering: &'a Numbering,
    layouts: &'a [Layout],
    /// Of bound variables: where their values are, or anywhere.
    ranges: Vec<Option<Option<Range>>>,
    /// Literals that are not yet met.
    open: Vec<usize>,
    n_loops: usize,
    /// The values of the head, and how many loops there were when it became known.
    head: Option<(Vec<Value>, usize)>,
    plan: Plan,
}

impl Planner<'_> {
    fn is_bound(&self, operand: &Operand) -> bool {
        let mut is_bound = true;
        operand.for_each_var(&mut |var| is_bound &= self.ranges[var as usize].is_some());
        is_bound
    }

    fn new_var(&mut self, name: &str, range: Option<Range>) -> u32 {
        self.plan.vars.push(name.to_owned());
        self.ranges.push(Some(range));
        self.ranges.len() as u32 - 1
    }

    /// The value of an operand whose variables are bound.
    fn value(&mut self, operand: &Operand) -> Value {
        match operand {
            Operand::Var(var) => Value::Var(*var),
            Operand::Term(term) => Value::Term(self.numbering.of(*term)),
            Operand::Build(functor, args) => {
                let args = args.iter().map(|arg| self.value(arg)).collect();
                let var = self.new_var("term", None);
                let functor = self.numbering.functor(*functor);
                self.plan.steps.push(Step::Build { var, functor, args });
                Value::Var(var)
            }
        }
    }

    /// The variables among values that may be out of the range of their columns.
    fn outside(&self, relation: FlatId, values: impl Iterator<Item = (usize, Value)>) -> Vec<Within> {
        let ranges = &self.layouts[relation.index()].ranges;
        let mut outside: Vec<Within> = Vec::new();
        for (column, value) in values {
            let (Value::Var(var), Some(range)) = (value, ranges[column]) else { continue };
            let own = self.ranges[var as usize].expect("values are bound");
            if !own.is_some_and(|own| range.contains(own)) && !outside.contains(&(var, range)) {
                outside.push((var, range));
            }
        }
        outside
    }

    /// Demands that variables are in the ranges of their columns.
    fn demand(&mut self, relation: FlatId, values: impl Iterator<Item = (usize, Value)> + Clone) {
        let outside = self.outside(relation, values);
        for &(var, range) in &outside {
            let own = self.ranges[var as usize].flatten();
            self.ranges[var as usize] = Some(Some(own.map_or(range, |own| own.intersection(range))));
        }
        if !outside.is_empty() {
            self.plan.steps.push(Step::Within(outside));
        }
    }

    /// Everything that can be decided now is decided before more rows are gone through.
    fn take_what_is_bound(&mut self) {
        let mut at = 0;
        while at < self.open.len() {
            let rule = self.rule;
            let literal = &rule.body[self.open[at]];
            let mut is_known = true;
            literal.for_each_var(&mut |var| is_known &= self.ranges[var as usize].is_some());
            if !is_known {
                at += 1;
                continue;
            }
            self.open.remove(at);
            match literal {
                Literal::Always => {}
                Literal::Positive(atom) => {
                    let row = self.row(atom);
                    self.demand(atom.relation, row.iter().copied().enumerate());
                    self.plan.steps.push(Step::Holds { relation: atom.relation, row });
                }
                Literal::Negative(atom) => {
                    let row = self.row(atom);
                    let within = self.outside(atom.relation, row.iter().copied().enumerate());
                    self.plan.steps.push(Step::HoldsNot { relation: atom.relation, row, within });
                }
                Literal::Differ(pairs) => {
                    let pairs =
                        pairs.iter().map(|(left, right)| (self.value(left), self.value(right))).collect();
                    self.plan.steps.push(Step::Differ(pairs));
                }
            }
        }
        let rule = self.rule;
        if self.head.is_none() && rule.head.columns.iter().all(|column| self.is_bound(column)) {
            let row = self.row(&rule.head);
            if !self.open.is_empty() {
                let within = self.outside(rule.head.relation, row.iter().copied().enumerate());
                let relation = rule.head.relation;
                self.plan.steps.push(Step::HoldsNot { relation, row: row.clone(), within });
            }
            self.head = Some((row, self.n_loops));
        }
    }

    fn row(&mut self, atom: &Atom) -> Vec<Value> {
        atom.columns.iter().map(|column| self.value(column)).collect()
    }

    fn rows(&mut self, literal: usize, is_trigger: bool) {
        let rule = self.rule;
        let Literal::Positive(atom) = &rule.body[literal] else {
            unreachable!("only positive literals are ordered")
        };
        let relation = atom.relation;
        let source = match (is_trigger, relation == rule.head.relation) {
            (true, _) => Source::New,
            (false, true) => Source::Growing,
            (false, false) => Source::Complete,
        };
        let ranges = self.layouts[relation.index()].ranges.clone();
        let (mut key, mut bind, mut apart, mut same) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (column, operand) in atom.columns.iter().enumerate() {
            match operand {
                _ if self.is_bound(operand) => {
                    let value = self.value(operand);
                    key.push((column, value));
                }
                Operand::Var(var) if bind.iter().any(|&(_, bound)| bound == *var) => {
                    let again = self.new_var(&format!("{}_again", rule.vars[*var as usize]), ranges[column]);
                    bind.push((column, again));
                    same.push((Value::Var(*var), Value::Var(again)));
                }
                Operand::Var(var) => bind.push((column, *var)),
                Operand::Build(functor, args) => {
                    let term = self.new_var("term", None);
                    bind.push((column, term));
                    apart.push((term, *functor, args));
                }
                Operand::Term(_) => unreachable!("a term is bound"),
            }
        }
        for &(column, var) in &bind {
            self.ranges[var as usize] = Some(ranges[column]);
        }
        if source == Source::New {
            // New rows are gone through without an index.
            for &(column, value) in &key {
                let own = self.new_var("other", ranges[column]);
                bind.push((column, own));
                same.push((Value::Var(own), value));
            }
            bind.sort_unstable();
            key.clear();
        } else {
            self.demand(relation, key.iter().copied());
        }
        self.plan.steps.push(Step::Rows { relation, key, bind, source });
        self.n_loops += 1;
        for (left, right) in same {
            self.plan.steps.push(Step::Same(left, right));
        }
        for (term, functor, args) in apart {
            self.take_apart(Value::Var(term), functor, args);
        }
    }

    fn take_apart(&mut self, term: Value, functor: u32, args: &[Operand]) {
        let (mut bind, mut then_same, mut then_apart) = (Vec::new(), Vec::new(), Vec::new());
        for arg in args {
            match arg {
                Operand::Var(var) if self.ranges[*var as usize].is_none() => {
                    self.ranges[*var as usize] = Some(None);
                    bind.push(*var);
                }
                Operand::Build(functor, args) if !self.is_bound(arg) => {
                    let part = self.new_var("part", None);
                    bind.push(part);
                    then_apart.push((part, *functor, args));
                }
                _ => {
                    let part = self.new_var("part", None);
                    bind.push(part);
                    then_same.push((part, arg));
                }
            }
        }
        let functor = self.numbering.functor(functor);
        self.plan.steps.push(Step::TakeApart { term, functor, bind });
        for (part, arg) in then_same {
            let value = self.value(arg);
            self.plan.steps.push(Step::Same(Value::Var(part), value));
        }
        for (part, functor, args) in then_apart {
            self.take_apart(Value::Var(part), functor, args);
        }
    }
}

/// Rows that bind nothing that is used only have to exist.
fn look_only_where_nothing_is_bound(plan: &mut Plan) {
    let used = used_vars(&plan.steps, plan.vars.len());
    let mut n_loops = 0;
    let mut dropped = Vec::new();
    for step in &mut plan.steps {
        match step {
            Step::Rows { relation, key, bind, source } => {
                if *source != Source::New && bind.iter().all(|&(_, var)| !used[var as usize]) {
                    dropped.push(n_loops);
                    *step = Step::Exists { relation: *relation, key: std::mem::take(key) };
                }
                n_loops += 1;
            }
            Step::Conclude { until, .. } => *until -= dropped.iter().filter(|&&at| at < *until).count(),
            _ => {}
        }
    }
}

/// Which variables are looked at after they are bound.
pub(crate) fn used_vars(steps: &[Step], n_vars: usize) -> Vec<bool> {
    let mut used = vec![false; n_vars];
    let mut note = |value: &Value| {
        if let Value::Var(var) = value {
            used[*var as usize] = true;
        }
    };
    for step in steps {
        match step {
            Step::Rows { key, .. } | Step::Exists { key, .. } => {
                key.iter().for_each(|(_, value)| note(value))
            }
            Step::Within(within) => within.iter().for_each(|&(var, _)| note(&Value::Var(var))),
            Step::Holds { row, .. } | Step::Conclude { row, .. } => row.iter().for_each(&mut note),
            Step::HoldsNot { row, within, .. } => {
                row.iter().for_each(&mut note);
                within.iter().for_each(|&(var, _)| note(&Value::Var(var)));
            }
            Step::Differ(pairs) => pairs.iter().for_each(|(left, right)| {
                note(left);
                note(right);
            }),
            Step::Same(left, right) => {
                note(left);
                note(right);
            }
            Step::Build { args, .. } => args.iter().for_each(&mut note),
            Step::TakeApart { term, .. } => note(term),
        }
    }
    used
}
