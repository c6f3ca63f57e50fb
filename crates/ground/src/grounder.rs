//! The steps of grounding, one after the other.

use crate::diagnosis::diagnose;
use crate::facts::FactStore;
use crate::instances::{Batch, Instances, assemble, by_stratum, group_rules, users_first};
use crate::invariants::{Exclusion, exclusive_groups, label_exactly_one, prove_more};
use crate::limits::{Capacity, Limits, Stopping};
use crate::lower::{Lowered, lower, make_constants_static};
use crate::options::{Grounding, Mode, Options, Progress, Seconds, Stopped};
use crate::program::Kind;
use crate::reach::{Halt, Reach, saturate};
use crate::simplify::simplify;
use crate::split::{SingleFacts, Splitter, Which};
use senet_analysis::Program;
use senet_gdl::Keyword;
use senet_ids::thread_cpu_time;
use senet_rules::{RelId, Rule};
use std::time::Duration;

/// Grounds a game.
pub fn ground(
    program: &Program,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Grounding, Box<Stopped>> {
    let start = thread_cpu_time();
    let mut limits = Limits::new(options.budget, progress);
    let mut lowered = lower(program, options.mode == Mode::Paper);
    if options.mode != Mode::Paper {
        make_constants_static(program, &mut lowered);
    }
    let mut grounder = Grounder { program, options, lowered, limits: &mut limits, has_base_and_input: false };
    grounder.refuse_long_rules()?;
    grounder.refuse_unordered()?;
    let based = grounder.facts()?;
    let instances = grounder.instances()?;
    let ruled = thread_cpu_time();
    if options.mode != Mode::Paper {
        prove_more(grounder.program, &mut grounder.lowered, instances.rules.heads.len());
    }
    let Lowered { store, symbols, role, init, fluents, proved, .. } = grounder.lowered;
    let is_derived = !instances.has_contradictions;
    let mut program = assemble(store, symbols, role, init, fluents, instances);
    if options.mode != Mode::Paper {
        program.mutex_groups = exclusive_groups(&program, &proved.dependencies);
        let mut exclusion = Exclusion::new(&program, &program.mutex_groups);
        program = simplify(program, is_derived, |body| exclusion.excludes(body));
        program.mutex_groups.retain(|group| group.fluents.len() > 1);
        let mut groups = std::mem::take(&mut program.mutex_groups);
        label_exactly_one(&program, &mut groups);
        program.mutex_groups = groups;
    }
    let end = thread_cpu_time();
    let seconds = Seconds {
        base_input: (based - start).as_secs_f64(),
        rules: (ruled - based).as_secs_f64(),
        simplify: (end - ruled).as_secs_f64(),
    };
    Ok(Grounding { program, seconds })
}

struct Grounder<'a, 'l> {
    program: &'a Program,
    options: &'a Options,
    lowered: Lowered,
    limits: &'a mut Limits<'l>,
    has_base_and_input: bool,
}

impl Grounder<'_, '_> {
    /// A join goes as deep as a body is long.
    fn refuse_long_rules(&self) -> Result<(), Box<Stopped>> {
        const MOST: usize = 1000;
        let Some(rule) = self.lowered.all_rules().find(|rule| rule.body.len() > MOST) else { return Ok(()) };
        let stopping = Stopping::Capacity(Capacity::Conditions);
        let busiest = vec![(rule.origin, 0)];
        Err(self.stopped("static facts", Halt { stopping, relation: rule.head.relation, busiest }))
    }

    /// Static facts are derived before there are ground atoms that could have the order that relations have not.
    fn refuse_unordered(&self) -> Result<(), Box<Stopped>> {
        let Some(relation) = self.lowered.unordered else { return Ok(()) };
        let halt = Halt { stopping: Stopping::Negation, relation, busiest: Vec::new() };
        Err(self.stopped("static facts", halt))
    }

    /// Derives everything that may hold; says when base and input were known.
    fn facts(&mut self) -> Result<Duration, Box<Stopped>> {
        let mut reach = Reach::new(self.program, &mut self.lowered, self.limits, self.options.mode);
        if let Err(halt) = reach.base_and_input(self.options.method) {
            return Err(self.stopped("base and input", halt));
        }
        let based = thread_cpu_time();
        self.has_base_and_input = true;
        let derived = reach.other_relations();
        let demand = std::mem::take(&mut reach.demand);
        if let Err(halt) = derived {
            return Err(self.stopped("relations", halt));
        }
        self.lowered.dynamic_rules.iter_mut().for_each(|rule| demand.restrict(rule));
        Ok(based)
    }

    fn instances(&mut self) -> Result<Instances, Box<Stopped>> {
        let mut instances = Instances::new(self.options.mode);
        self.find_instances(&mut instances).map_err(|mut halt| {
            halt.busiest.extend(instances.busiest());
            self.stopped("rules", halt)
        })?;
        Ok(instances)
    }

    fn find_instances(&mut self, instances: &mut Instances) -> Result<(), Halt> {
        let store = &mut self.lowered.store;
        self.limits.progress.step = "rules";
        self.limits.recount(store.bytes(), store.n_facts());
        store.views.forget_counts();
        let mut splitter = Splitter::default();
        let mut rules = Vec::new();
        for rule in self.lowered.dynamic_rules.drain(..) {
            let mut split = Vec::new();
            splitter.split(store, rule, Which::Static, &mut split);
            rules.push(split.pop().expect("the rule itself is the last"));
            saturate(store, self.limits, split, None)?;
        }
        number_relations(store, instances, &rules)?;
        let does = self.program.reserved(Keyword::Does).expect("not a connective");
        let has_one_move = !self.program.relation(does).is_defined;
        let single_facts = SingleFacts::new(store, &self.lowered.proved.dependencies, has_one_move, &rules);
        let is_simplified = instances.mode != Mode::Paper;
        let batches = if is_simplified { users_first(store, rules) } else { by_stratum(rules) };
        for Batch { rules, is_asked } in batches {
            let mut split = Vec::with_capacity(rules.len());
            for mut rule in rules {
                if instances.mode == Mode::Full {
                    for new in single_facts.take_apart(store, &mut splitter, &mut rule) {
                        let stored = instances.add_auxiliary(store, self.limits, &new);
                        stored.map_err(|stopping| Halt::at(stopping, &new))?;
                    }
                    split_off_parts(store, self.limits, &mut splitter, instances, &mut rule)?;
                }
                split.push(rule);
            }
            for group in group_rules(store, split, is_simplified) {
                let stored = instances.add_group(store, self.limits, group, is_asked);
                stored.map_err(|(stopping, rule)| Halt::at(stopping, &rule))?;
            }
        }
        instances.rules.sort_by_stratum();
        Ok(())
    }

    fn stopped(&self, step: &'static str, halt: Halt) -> Box<Stopped> {
        let Grounder { program, options, lowered, has_base_and_input, .. } = self;
        diagnose(program, lowered, options.budget, step, halt, *has_base_and_input)
    }
}

/// Splits a rule as long as that makes fewer instances, and stores those of its parts.
fn split_off_parts(
    store: &mut FactStore,
    limits: &mut Limits,
    splitter: &mut Splitter,
    instances: &mut Instances,
    rule: &mut Rule,
) -> Result<(), Halt> {
    while let Some(new) = splitter.split_once(store, rule) {
        for mut new in new {
            if store.relations[new.head.relation.index()].is_static() {
                saturate(store, limits, vec![new], None)?;
                continue;
            }
            split_off_parts(store, limits, splitter, instances, &mut new)?;
            let stored = instances.add_auxiliary(store, limits, &new);
            stored.map_err(|stopping| Halt::at(stopping, &new))?;
        }
    }
    Ok(())
}

/// Numbers the atoms of the relations that ground rules show: fluents and moves first.
fn number_relations(store: &FactStore, instances: &mut Instances, rules: &[Rule]) -> Result<(), Halt> {
    let order = |kind: Kind| match kind {
        Kind::True => 0,
        Kind::Does => 1,
        Kind::Next => 2,
        Kind::Legal => 3,
        _ => 4,
    };
    let mut is_used = vec![false; store.relations.len()];
    for rule in rules {
        is_used[rule.head.relation.index()] = true;
        rule.atoms().for_each(|atom| is_used[atom.relation.index()] = true);
    }
    let mut relations: Vec<(u32, RelId)> = Vec::new();
    for (at, relation) in store.relations.iter().enumerate() {
        if let Some(kind) = relation.kind
            && (is_used[at] || order(kind) < 4)
        {
            relations.push((order(kind), RelId::new(at)));
        }
    }
    relations.sort();
    for (_, relation) in relations {
        let len = store.tables[store.relations[relation.index()].table.index()].len();
        let numbered = instances.number_atoms(relation, len);
        numbered.map_err(|stopping| Halt { stopping, relation, busiest: Vec::new() })?;
    }
    Ok(())
}
