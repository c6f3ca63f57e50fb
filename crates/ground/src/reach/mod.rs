//! Computing base and input, and everything else that may hold.

mod fixpoint;
mod wake;
mod iterative;
mod demand;
mod unfold;
mod large_relations;

pub(crate) use fixpoint::{Halt, saturate};

use crate::facts::{FactStore, TableId};
use crate::invariants::use_invariants;
use crate::limits::{Limits, Stopping};
use crate::lower::Lowered;
use crate::options::{Method, Mode};
use crate::program::Kind;
use crate::split::{Splitter, Which};
use demand::Demand;
use fixpoint::add_fact;
use iterative::iterate;
use large_relations::LargeRelations;
use senet_analysis::Program;
use senet_rules::{Literal, RelId, Rule};
use unfold::Unfolder;

/// Which facts are derived; each phase uses those of the phase before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The relations that base and input need.
    BaseAndInput,
    /// The relations that only goals, ends and negations need.
    OtherRelations,
}

/// Derives what may hold: first what base and input need, then the rest.
pub(crate) struct Reach<'a, 'l> {
    program: &'a Program,
    pub(crate) lowered: &'a mut Lowered,
    pub(crate) limits: &'a mut Limits<'l>,
    pub(crate) mode: Mode,
    pub(crate) demand: Demand,
    /// The relations from which moves and next states are derived, dynamic negation dropped.
    is_first: Vec<bool>,
    has_invariants: bool,
    /// Whether the first phase has to be done again.
    is_all_over: bool,
    /// Relations that were replaced by their definitions.
    unfolded: Vec<RelId>,
    /// Whether relations may be put on demand.
    asks: bool,
}

impl<'a, 'l> Reach<'a, 'l> {
    pub(crate) fn new(
        program: &'a Program,
        lowered: &'a mut Lowered,
        limits: &'a mut Limits<'l>,
        mode: Mode,
    ) -> Reach<'a, 'l> {
        let is_first = needed_for_base_and_input(lowered);
        let given = [lowered.role, lowered.init];
        Reach {
            program,
            lowered,
            limits,
            mode,
            demand: Demand::new(mode, given),
            is_first,
            has_invariants: false,
            is_all_over: false,
            unfolded: Vec::new(),
            asks: true,
        }
    }

    /// Everything that may hold or be done, in one step: `true` is what `init` and `next` give,
    /// `does` is what `legal` gives. Only what these need is derived.
    pub(crate) fn base_and_input(&mut self, method: Method) -> Result<(), Halt> {
        match method {
            Method::OneStep => self.derive_phase(Phase::BaseAndInput),
            Method::Iterative => {
                self.asks = false;
                self.static_facts(Phase::BaseAndInput, &vec![false; self.lowered.store.relations.len()])?;
                let rules = self.lowered.dynamic_rules.iter();
                let is_first = |rule: &&Rule| self.is_first[rule.head.relation.index()];
                let rules: Vec<Rule> = rules.filter(is_first).cloned().collect();
                iterate(self.program, self.lowered, self.limits, &rules)
            }
        }
    }

    /// What else may hold when base and input are known.
    pub(crate) fn other_relations(&mut self) -> Result<(), Halt> {
        self.derive_phase(Phase::OtherRelations)
    }

    fn derive_phase(&mut self, phase: Phase) -> Result<(), Halt> {
        self.limits.progress.step = match phase {
            Phase::BaseAndInput => "base and input",
            Phase::OtherRelations => "relations",
        };
        loop {
            match self.try_phase(phase) {
                // Another way to derive a relation was chosen: once more from the start.
                Err(halt) if halt.stopping == Stopping::Soft => {
                    let is_all_over = std::mem::take(&mut self.is_all_over);
                    self.forget(|reach, relation| is_all_over || reach.is_in_phase(relation, phase));
                    if is_all_over {
                        self.derive_phase(Phase::BaseAndInput)?;
                    }
                }
                result => return result,
            }
        }
    }

    /// Whether the facts of a relation are derived in a phase. Relations on demand grow in both.
    fn is_in_phase(&self, relation: RelId, phase: Phase) -> bool {
        let is_own = match self.is_first.get(relation.index()) {
            Some(&is_first) => is_first == (phase == Phase::BaseAndInput),
            None => true,
        };
        is_own || phase == Phase::OtherRelations && self.demand.contains(relation)
    }

    fn try_phase(&mut self, phase: Phase) -> Result<(), Halt> {
        let all: Vec<&Rule> = self.lowered.all_rules().collect();
        let is_late = self.demand.late(&self.lowered.store, &all);
        self.static_facts(phase, &is_late)?;
        if phase == Phase::BaseAndInput {
            self.begin_with_init();
        }
        let late =
            self.lowered.static_rules.iter().flatten().filter(|rule| is_late[rule.head.relation.index()]);
        let store = &self.lowered.store;
        let (mut rules, mut questions) = (Vec::new(), Vec::new());
        for rule in late.chain(&self.lowered.dynamic_rules) {
            let is_in_phase = self.is_in_phase(rule.head.relation, phase);
            // A rule of the first phase asks for what it negates, which is derived in the second.
            let is_answered = |relation: RelId| {
                is_in_phase || phase == Phase::OtherRelations && !self.is_first[relation.index()]
            };
            self.demand.questions(rule, is_answered, &mut questions);
            rules.extend(questions.drain(..).map(|question| without_dynamic_negation(store, &question)));
            if is_in_phase && !keeps_facts(store, rule) {
                let mut rule = without_dynamic_negation(store, rule);
                self.demand.restrict(&mut rule);
                rules.push(rule);
            }
        }
        self.derive(phase, &mut Splitter::default(), rules)
    }

    /// Derives the static relations of a phase, except those that have to wait for questions; then
    /// uses what can be proved from them.
    fn static_facts(&mut self, phase: Phase, is_late: &[bool]) -> Result<(), Halt> {
        let mut splitter = Splitter::default();
        for stratum in 0..self.lowered.static_rules.len() {
            let stratum_rules = std::mem::take(&mut self.lowered.static_rules[stratum]);
            let mut rules = Vec::new();
            for rule in &stratum_rules {
                let relation = rule.head.relation;
                if self.is_in_phase(relation, phase)
                    && !is_late[relation.index()]
                    && !add_fact(&mut self.lowered.store, rule)
                    && !keeps_facts(&self.lowered.store, rule)
                {
                    rules.push(rule.clone());
                }
            }
            self.lowered.static_rules[stratum] = stratum_rules;
            self.derive(phase, &mut splitter, rules)?;
            for at in 0..self.lowered.static_rules[stratum].len() {
                let head = self.lowered.static_rules[stratum][at].head.relation;
                self.note_evaluated(head, phase, is_late);
            }
        }
        for at in 0..self.lowered.is_evaluated.len() {
            self.note_evaluated(RelId::new(at), phase, is_late);
        }
        let is_first = phase == Phase::BaseAndInput;
        if is_first && self.mode != Mode::Paper && !std::mem::replace(&mut self.has_invariants, true) {
            use_invariants(self.program, self.lowered);
        }
        Ok(())
    }

    /// All facts of a static relation are there, unless it waits for questions or its definition
    /// stands for it.
    fn note_evaluated(&mut self, relation: RelId, phase: Phase, is_late: &[bool]) {
        let at = relation.index();
        let is_derived = self.lowered.store.relations[at].is_static() && !self.unfolded.contains(&relation);
        let is_evaluated = is_derived && !is_late[at] && self.is_in_phase(relation, phase);
        if let Some(known) = self.lowered.is_evaluated.get_mut(at) {
            *known |= is_evaluated;
        }
    }

    fn begin_with_init(&mut self) {
        let Lowered { store, init, fluents, .. } = &mut *self.lowered;
        let init = store.relations[init.index()].table;
        let fluents = store.relations[fluents.index()].table;
        for at in 0..store.tables[init.index()].len() {
            let row = store.tables[init.index()].row(at).to_vec();
            store.tables[fluents.index()].insert(&row);
        }
    }

    fn derive(&mut self, phase: Phase, splitter: &mut Splitter, rules: Vec<Rule>) -> Result<(), Halt> {
        let Reach { lowered, limits, mode, demand, unfolded, asks, is_all_over, is_first, .. } = self;
        let is_of_other = |it: RelId| is_first[it.index()] != (phase == Phase::BaseAndInput);
        let is_of_both = |demand: &Demand| demand.relations().any(is_of_other);
        let was_of_both = is_of_both(demand);
        if rules.is_empty() {
            *is_all_over = was_of_both;
            return Ok(());
        }
        let store = &mut lowered.store;
        let mut split = Vec::with_capacity(rules.len());
        for rule in rules {
            splitter.split(store, rule, Which::All, &mut split);
        }
        let Lowered { store, static_rules, dynamic_rules, proved, is_evaluated, .. } = &mut **lowered;
        let mut large = LargeRelations {
            mode: *mode,
            rules: static_rules.iter().flatten().chain(&*dynamic_rules).collect(),
            unfolder: Unfolder {
                static_rules,
                dynamic_rules,
                dependencies: &proved.dependencies,
                is_evaluated,
            },
            demand,
            unfolded: None,
        };
        let result = saturate(store, limits, split, asks.then_some(&mut large));
        // The questions of the phase before, and what was derived for them, are forgotten as well.
        *is_all_over = was_of_both || is_of_both(large.demand);
        if let Some(rules) = large.unfolded {
            lowered.static_rules = rules.static_rules;
            lowered.dynamic_rules = rules.dynamic_rules;
            rules.relations.iter().for_each(|it| lowered.is_evaluated[it.index()] = false);
            unfolded.extend(rules.relations);
            *demand = Demand::new(*mode, [lowered.role, lowered.init]);
        }
        result
    }

    /// Empties the tables of relations.
    fn forget(&mut self, is_it: impl Fn(&Self, RelId) -> bool) {
        let n_tables = self.lowered.store.tables.len();
        let mut is_forgotten = vec![false; n_tables];
        for (at, relation) in self.lowered.store.relations.iter().enumerate() {
            is_forgotten[relation.table.index()] |= is_it(self, RelId::new(at));
        }
        for (at, is_evaluated) in self.lowered.is_evaluated.iter_mut().enumerate() {
            *is_evaluated &= !is_forgotten[self.lowered.store.relations[at].table.index()];
        }
        let store = &mut self.lowered.store;
        for (at, table) in store.tables.iter_mut().enumerate() {
            if is_forgotten[at] {
                table.clear();
            }
        }
        store.views.reset(|table: TableId| is_forgotten[table.index()]);
        self.limits.recount(self.lowered.store.bytes(), self.lowered.store.n_facts());
    }
}

/// Whether what a rule concludes is there already, as what a rule concludes that keeps a fluent.
fn keeps_facts(store: &FactStore, rule: &Rule) -> bool {
    rule.body.iter().any(|literal| {
        matches!(literal, Literal::Positive(atom)
            if store.table_of(atom) == store.table_of(&rule.head) && atom.args == rule.head.args)
    })
}

fn without_dynamic_negation(store: &FactStore, rule: &Rule) -> Rule {
    let is_kept = |literal: &&Literal| match literal {
        Literal::Negative(atom) => store.relations[atom.relation.index()].is_static(),
        _ => true,
    };
    let mut body = Vec::with_capacity(rule.body.len() + 1);
    body.extend(rule.body.iter().filter(is_kept).cloned());
    rule.with(rule.head.clone(), body)
}

/// The relations from which moves and next states are derived, dynamic negation dropped.
fn needed_for_base_and_input(lowered: &Lowered) -> Vec<bool> {
    let relations = &lowered.store.relations;
    let is_root =
        |kind: Option<Kind>| matches!(kind, Some(Kind::True | Kind::Does | Kind::Next | Kind::Legal));
    let mut is_needed: Vec<bool> = relations.iter().map(|relation| is_root(relation.kind)).collect();
    is_needed[lowered.role.index()] = true;
    is_needed[lowered.init.index()] = true;
    let mut rules_of: Vec<Vec<&Rule>> = vec![Vec::new(); relations.len()];
    lowered.all_rules().for_each(|rule| rules_of[rule.head.relation.index()].push(rule));
    let mut stack: Vec<usize> = (0..relations.len()).filter(|&at| is_needed[at]).collect();
    while let Some(relation) = stack.pop() {
        for literal in rules_of[relation].iter().flat_map(|rule| &rule.body) {
            let used = match literal {
                Literal::Positive(atom) => atom.relation.index(),
                Literal::Negative(atom) if relations[atom.relation.index()].is_static() => {
                    atom.relation.index()
                }
                _ => continue,
            };
            if !std::mem::replace(&mut is_needed[used], true) {
                stack.push(used);
            }
        }
    }
    is_needed
}
