//! Computing base and input, and everything else that may hold.

use crate::demand::{Demand, is_asked_with_constants};
use crate::fixpoint::{Halt, Outlook, Watch, add_fact, saturate};
use crate::invariant::use_invariants;
use crate::iterative::iterate;
use crate::limits::{Limits, Stopping};
use crate::lower::Lowered;
use crate::options::{Method, Mode};
use crate::plan::Store;
use crate::program::Kind;
use crate::rule::{Literal, RelId, Rule};
use crate::split::{Splitter, Which};
use crate::table::TableId;
use crate::unfold::{Unfolded, Unfolder};
use senet_analysis::Program;

/// A relation with more facts than this is put on demand if it is asked with constants.
const MANY: u32 = 20_000;
/// If it still has more facts, or is asked more questions, demand does not help: it is derived as a whole.
const STILL_MANY: u32 = 160_000;
const MANY_QUESTIONS: u32 = 10_000;
/// After so many failures nothing else is tried ...
const MOST_FAILURES: usize = 2;
/// ... before a relation has more facts than this: then demand is all there is, or unfolding it.
const TOO_MANY: u32 = 1_500_000;

/// Facts by stage: first what base and input need, then the rest.
pub(crate) struct Reach<'a, 'l> {
    program: &'a Program,
    pub(crate) lowered: &'a mut Lowered,
    pub(crate) limits: &'a mut Limits<'l>,
    pub(crate) mode: Mode,
    pub(crate) demand: Demand,
    /// The relations from which moves and next states are derived, dynamic negation dropped.
    is_first: Vec<bool>,
    has_invariants: bool,
    /// Whether the first stage has to be done again.
    is_all_over: bool,
    /// Relations that their definitions stand for.
    is_unfolded: Vec<RelId>,
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
            is_unfolded: Vec::new(),
            asks: true,
        }
    }

    /// Everything that may hold or be done, in one step: `true` is what `init` and `next` give, `does` is what
    /// `legal` gives. Only what these need is derived.
    pub(crate) fn base_and_input(&mut self, method: Method) -> Result<(), Halt> {
        match method {
            Method::OneStep => self.stage(true),
            Method::Iterative => {
                self.asks = false;
                self.static_facts(true, &vec![false; self.lowered.store.relations.len()])?;
                let rules = self.lowered.dynamic_rules.iter();
                let is_first = |rule: &&Rule| self.is_first[rule.head.relation.index()];
                let rules: Vec<Rule> = rules.filter(is_first).cloned().collect();
                iterate(self.program, self.lowered, self.limits, &rules)
            }
        }
    }

    /// What else may hold when base and input are known.
    pub(crate) fn other_relations(&mut self) -> Result<(), Halt> {
        self.stage(false)
    }

    fn stage(&mut self, is_first_stage: bool) -> Result<(), Halt> {
        self.limits.progress.step = if is_first_stage { "base and input" } else { "relations" };
        loop {
            match self.try_stage(is_first_stage) {
                // Another way to derive a relation was chosen: once more from the start.
                Err(halt) if halt.stopping == Stopping::Soft => {
                    let is_all_over = std::mem::take(&mut self.is_all_over);
                    self.forget(|reach, relation| is_all_over || reach.is_in_stage(relation, is_first_stage));
                    if is_all_over {
                        self.stage(true)?;
                    }
                }
                result => return result,
            }
        }
    }

    /// Whether the facts of a relation are derived in a stage. What is on demand grows in both.
    fn is_in_stage(&self, relation: RelId, is_first_stage: bool) -> bool {
        let is_first = self.is_first.get(relation.index()).copied().unwrap_or(is_first_stage);
        is_first == is_first_stage || !is_first_stage && self.demand.contains(relation)
    }

    fn try_stage(&mut self, is_first_stage: bool) -> Result<(), Halt> {
        let all: Vec<&Rule> = self.lowered.all_rules().collect();
        let is_late = self.demand.late(&self.lowered.store, &all);
        self.static_facts(is_first_stage, &is_late)?;
        if is_first_stage {
            self.begin_with_init();
        }
        let late =
            self.lowered.static_rules.iter().flatten().filter(|rule| is_late[rule.head.relation.index()]);
        let store = &self.lowered.store;
        let (mut rules, mut questions) = (Vec::new(), Vec::new());
        for rule in late.chain(&self.lowered.dynamic_rules) {
            let is_in_stage = self.is_in_stage(rule.head.relation, is_first_stage);
            // A rule of the first stage asks for what it negates, which is derived in the second.
            let is_answered =
                |relation: RelId| is_in_stage || !is_first_stage && !self.is_first[relation.index()];
            self.demand.questions(rule, is_answered, &mut questions);
            let questions = questions.drain(..).filter(|question| !keeps_facts(store, question));
            rules.extend(questions.map(|question| without_dynamic_negation(store, &question)));
            if is_in_stage && !keeps_facts(store, rule) {
                let mut rule = without_dynamic_negation(store, rule);
                self.demand.restrict(&mut rule);
                rules.push(rule);
            }
        }
        self.derive(is_first_stage, &mut Splitter::default(), rules)
    }

    /// Derives the static relations of a stage, except those that have to wait for questions; then uses what
    /// can be proved from them.
    fn static_facts(&mut self, is_first_stage: bool, is_late: &[bool]) -> Result<(), Halt> {
        let mut splitter = Splitter::default();
        for stratum in 0..self.lowered.static_rules.len() {
            let stratum_rules = std::mem::take(&mut self.lowered.static_rules[stratum]);
            let mut rules = Vec::new();
            for rule in &stratum_rules {
                let relation = rule.head.relation;
                if self.is_in_stage(relation, is_first_stage)
                    && !is_late[relation.index()]
                    && !add_fact(&mut self.lowered.store, rule)
                    && !keeps_facts(&self.lowered.store, rule)
                {
                    rules.push(rule.clone());
                }
            }
            self.lowered.static_rules[stratum] = stratum_rules;
            self.derive(is_first_stage, &mut splitter, rules)?;
            for at in 0..self.lowered.static_rules[stratum].len() {
                let head = self.lowered.static_rules[stratum][at].head.relation;
                self.note_evaluated(head, is_first_stage, is_late);
            }
        }
        for at in 0..self.lowered.is_evaluated.len() {
            self.note_evaluated(RelId::new(at), is_first_stage, is_late);
        }
        if is_first_stage && self.mode != Mode::Paper && !std::mem::replace(&mut self.has_invariants, true) {
            use_invariants(self.program, self.lowered);
        }
        Ok(())
    }

    /// All facts of a static relation are there, unless it waits for questions or its definition stands for it.
    fn note_evaluated(&mut self, relation: RelId, is_first_stage: bool, is_late: &[bool]) {
        let at = relation.index();
        let is_derived =
            self.lowered.store.relations[at].is_static() && !self.is_unfolded.contains(&relation);
        let is_evaluated = is_derived && !is_late[at] && self.is_in_stage(relation, is_first_stage);
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

    fn derive(
        &mut self,
        is_first_stage: bool,
        splitter: &mut Splitter,
        rules: Vec<Rule>,
    ) -> Result<(), Halt> {
        let Reach { lowered, limits, mode, demand, is_unfolded, asks, is_all_over, is_first, .. } = self;
        let is_of_both =
            |demand: &Demand| demand.relations().any(|it| is_first[it.index()] != is_first_stage);
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
        let mut guard = Guard {
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
        let result = saturate(store, limits, split, asks.then_some(&mut guard));
        // The questions of the stage before, and what was derived for them, are forgotten as well.
        *is_all_over = was_of_both || is_of_both(guard.demand);
        if let Some(rules) = guard.unfolded {
            lowered.static_rules = rules.static_rules;
            lowered.dynamic_rules = rules.dynamic_rules;
            rules.relations.iter().for_each(|it| lowered.is_evaluated[it.index()] = false);
            is_unfolded.extend(rules.relations);
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
fn keeps_facts(store: &Store, rule: &Rule) -> bool {
    rule.body.iter().any(|literal| {
        matches!(literal, Literal::Positive(atom)
            if store.table_of(atom) == store.table_of(&rule.head) && atom.args == rule.head.args)
    })
}

fn without_dynamic_negation(store: &Store, rule: &Rule) -> Rule {
    let is_kept = |literal: &&Literal| match literal {
        Literal::Negative(atom) => store.relations[atom.relation.index()].is_static(),
        _ => true,
    };
    let mut body = Vec::with_capacity(rule.body.len() + 1);
    body.extend(rule.body.iter().filter(is_kept).cloned());
    Rule { head: rule.head.clone(), body, ..*rule }
}

/// Decides how relations with many facts are derived.
struct Guard<'a> {
    mode: Mode,
    rules: Vec<&'a Rule>,
    unfolder: Unfolder<'a>,
    demand: &'a mut Demand,
    unfolded: Option<Unfolded>,
}

impl Guard<'_> {
    /// Decides for good. `is_part`: not the relation itself has too many facts, but a part of one of its rules.
    fn look_closely(&mut self, store: &mut Store, relation: RelId, is_part: bool) -> Option<u32> {
        if self.write_where_used(store, relation) {
            return None;
        }
        let was_tried = self.demand.n_changes(relation) >= 2;
        if !was_tried && self.demand.add(store, &self.rules, relation, true) {
            return None;
        }
        if self.mode != Mode::Paper && self.unfold(store, relation) {
            return None;
        }
        if was_tried && !is_part && self.demand.add(store, &self.rules, relation, true) {
            return None;
        }
        Some(u32::MAX)
    }

    /// What is defined by one rule and used in one place is best written there.
    fn write_where_used(&mut self, store: &mut Store, relation: RelId) -> bool {
        is_used_once(&self.rules, relation) && self.unfold(store, relation)
    }

    fn unfold(&mut self, store: &mut Store, relation: RelId) -> bool {
        self.unfolded = self.unfolder.unfold(store, relation);
        self.unfolded.is_some()
    }
}

/// Whether a relation has one rule and one place where it is used.
fn is_used_once(rules: &[&Rule], relation: RelId) -> bool {
    let is_use = |literal: &&Literal| matches!(literal, Literal::Positive(it) if it.relation == relation);
    rules.iter().filter(|rule| rule.head.relation == relation).count() == 1
        && rules.iter().flat_map(|rule| &rule.body).filter(is_use).count() == 1
}

impl Watch for Guard<'_> {
    fn most(&self, store: &Store, relation: RelId) -> u32 {
        let member = self.demand.behind(store, &self.rules, relation);
        match self.demand.n_changes(member) {
            0 if self.demand.n_failures() < MOST_FAILURES => MANY,
            1 if self.demand.is_asked(relation) => MANY_QUESTIONS,
            1 if self.demand.contains(member) => STILL_MANY,
            _ => TOO_MANY,
        }
    }

    fn look_at(&mut self, store: &mut Store, relation: RelId, outlook: Outlook) -> Option<u32> {
        let table = store.relations[relation.index()].table;
        let is_large = outlook == Outlook::Hopeless || store.tables[table.index()].len() > TOO_MANY;
        let behind = self.demand.behind(store, &self.rules, relation);
        let is_part = behind != relation && !self.demand.is_asked(relation);
        let relation = behind;
        if is_large {
            return self.look_closely(store, relation, is_part);
        }
        if outlook == Outlook::Uncertain && self.write_where_used(store, relation) {
            return None;
        }
        if self.demand.contains(relation) {
            self.demand.give_up(store, &self.rules, relation);
            return None;
        }
        let is_asked_for_little = is_asked_with_constants(&self.rules, relation);
        match is_asked_for_little && self.demand.add(store, &self.rules, relation, false) {
            true => None,
            false => Some(TOO_MANY),
        }
    }
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
