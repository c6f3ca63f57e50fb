//! From checked rules to a program: permanent facts and supersets, random play, reference tables.

use crate::arrange::{Arrangement, agrees, first_numbers, is_same};
use crate::draft::{Draft, Grounding, draft};
use crate::facts::{Facts, whole};
use crate::join::{Limits, Stop};
use crate::machine::Machine;
use crate::order::{Expectation, Order, order};
use crate::playouts::{is_terminal, legal, sort};
use crate::program::{Figures, Group, Options, Program, Runner, rearrange};
use crate::saturate::{Derivation, Halt};
use crate::superset::Supersets;
use crate::table::{Expected, RuleTables};
use rustc_hash::FxHashMap;
use senet_analysis::Program as Checked;
use senet_game::MoveGenerator;
use senet_ids::thread_cpu_time;
use senet_rules::demand::in_place;
use senet_rules::stages::{Stage, needed_for, stages};
use senet_rules::{Atom, Leaf, Lifetime, Literal, Pattern, RelId, RuleSet, sort_roles};
use senet_terms::Terms;
use std::rc::Rc;
use std::time::Duration;

/// Relations with smaller supersets are derived whole.
const LARGE: u32 = 10_000;
/// So many positions are looked at for the order of hypotheses.
const MOST_POSITIONS: u64 = 1000;
/// Unless that takes longer.
const MOST_TIME_OF_PLAY: Duration = Duration::from_millis(700);
/// For permanent facts.
const MOST_FACTS: u64 = 20_000_000;
const MOST_TIME_OF_FACTS: Duration = Duration::from_secs(4);
/// Legal moves are found by their bits where those are few.
const MOST_PLACES_LOOKED_AT: u32 = 1024;
/// For the tables of one rule, and of all rules before and after random play.
const MOST_TIME_OF_RULE: Duration = Duration::from_secs(3);
const MOST_TIME_BEFORE: Duration = Duration::from_secs(5);
const MOST_TIME_AFTER: Duration = Duration::from_secs(12);
const MOST_TIME_OF_ORIGINAL: Duration = Duration::from_secs(4);
/// So many positions are played to count the work of rules.
const POSITIONS_COUNTED: u32 = 100;
/// Bytes that a combination takes while tables are made.
const BYTES_OF_WORD: usize = 16;

/// A rule with the hypothesis that triggers it, if any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Variant {
    rule: usize,
    trigger: Option<usize>,
}

/// How a rule came out.
#[derive(Clone)]
enum Outcome {
    /// It never gives a result.
    Nothing,
    Grounded(Rc<Draft>),
    Loose,
}

/// The program and what it took; a halt comes with the name of its relation.
pub(crate) fn build(checked: &Checked, options: Options) -> Result<(Program, Figures), (String, Stop)> {
    let start = thread_cpu_time();
    let deadline = start + options.time.map_or(MOST_TIME_OF_FACTS, |time| time.min(MOST_TIME_OF_FACTS));
    let name =
        |rule_set: &RuleSet, halt: Halt| (rule_set.relations[halt.relation.index()].name.clone(), halt.stop);
    let permanent_of = |rule_set: &RuleSet| {
        let (mut terms, mut facts) = (rule_set.terms.clone(), Facts::new(&rule_set.relations));
        let stages = stages(rule_set);
        let limits = Limits::until(Some(deadline));
        let mut derivation = Derivation { facts: &mut facts, terms: &mut terms, limits, n_left: MOST_FACTS };
        derivation.permanent(rule_set, &stages).map_err(|halt| name(rule_set, halt))?;
        Ok((stages, facts, terms))
    };
    let mut rule_set = RuleSet::new(checked);
    let (mut stages, mut permanent, mut terms) = permanent_of(&rule_set)?;
    let mut facts = permanent.clone();
    let mut supersets =
        Supersets::new(&rule_set, &mut facts, &mut terms).map_err(|halt| name(&rule_set, halt))?;
    let is_large = |relation| supersets.is_written_out(relation) && supersets.size(relation) >= LARGE;
    if let Some(demanded) = in_place(&rule_set, is_large) {
        (stages, permanent, terms) = permanent_of(&demanded)?;
        facts = permanent.clone();
        supersets =
            Supersets::new(&demanded, &mut facts, &mut terms).map_err(|halt| name(&demanded, halt))?;
        rule_set = demanded;
    }
    let roles = roles(checked, &rule_set, &facts, &mut terms);
    let (first, _) = first_numbers(&rule_set, &supersets);
    let gdl = thread_cpu_time() - start;
    let mut builder = Builder {
        options,
        is_worst: false,
        rule_set,
        stages,
        supersets,
        facts,
        terms,
        permanent,
        roles,
        first,
        expected: Vec::new(),
        drafts: FxHashMap::default(),
    };
    builder.expect();
    let mut figures = Figures { gdl, ..Figures::default() };
    let start = thread_cpu_time();
    if options.order != Order::Original {
        let outcomes = builder.ground(Order::Best, MOST_TIME_BEFORE);
        let every = builder.all_inputs();
        let program = builder.lay_out(&outcomes, every);
        figures.positions = builder.look_at_play(&program);
        builder.take_back(program);
    }
    figures.optimise = thread_cpu_time() - start;
    let start = thread_cpu_time();
    builder.is_worst = options.order == Order::Worst;
    let mut outcomes = builder.ground(options.order, MOST_TIME_AFTER);
    if options.order == Order::Best {
        outcomes = builder.with_less_work(outcomes);
    }
    let inputs = builder.read_inputs(&outcomes);
    let program = builder.lay_out(&outcomes, inputs);
    figures.ground = thread_cpu_time() - start;
    builder.describe(&program, &outcomes, &mut figures);
    Ok((program, figures))
}

/// Facts in the order of the source; roles given by rules follow in source order.
fn roles(checked: &Checked, rule_set: &RuleSet, facts: &Facts, terms: &mut Terms) -> Vec<u32> {
    let form = &facts[whole(rule_set.keywords.role)];
    let mut roles: Vec<u32> = (0..form.len()).map(|row| form.row(row)[0]).collect();
    sort_roles(&mut roles, checked.role_facts(), terms);
    roles
}

struct Builder {
    options: Options,
    /// Whether the slower of two ways is wanted.
    is_worst: bool,
    rule_set: RuleSet,
    stages: Vec<Stage>,
    supersets: Supersets,
    facts: Facts,
    terms: Terms,
    permanent: Facts,
    roles: Vec<u32>,
    first: Vec<u32>,
    /// By rule and literal.
    expected: Vec<Vec<Expectation>>,
    /// Combinations of a variant in an order, kept while the order is looked for.
    drafts: FxHashMap<(Variant, Vec<usize>), Option<Rc<Draft>>>,
}

type Outcomes = FxHashMap<Variant, Outcome>;

impl Builder {
    fn is_dynamic(&self, relation: RelId) -> bool {
        !self.rule_set.is_permanent(relation)
    }

    /// The variants of the rules of a stage: one for each hypothesis with a relation of the stage.
    fn variants(&self, stage: &Stage, rule: usize) -> Vec<Variant> {
        let body = self.rule_set.rules[rule].body.iter().enumerate();
        let triggers = body.filter_map(|(at, literal)| match literal {
            Literal::Positive(atom) if stage.relations.contains(&atom.relation) => Some(at),
            _ => None,
        });
        let variants: Vec<Variant> = triggers.map(|at| Variant { rule, trigger: Some(at) }).collect();
        if variants.is_empty() { vec![Variant { rule, trigger: None }] } else { variants }
    }

    /// What is to be expected of hypotheses before anything was played.
    fn expect(&mut self) {
        let mut all = Vec::new();
        for rule in &self.rule_set.rules {
            let mut expected = Vec::new();
            for literal in &rule.body {
                let Some(atom) = literal.atom() else {
                    expected.push(Expectation::default());
                    continue;
                };
                expected.push(expectation(
                    &self.rule_set,
                    &self.supersets,
                    &mut self.facts,
                    &self.terms,
                    atom,
                ));
            }
            all.push(expected);
        }
        self.expected = all;
    }

    /// Grounds every rule.
    fn ground(&mut self, order_of: Order, time: Duration) -> Outcomes {
        let deadline = thread_cpu_time() + time;
        let mut outcomes = Outcomes::default();
        let mut n_words_left = self.options.memory / BYTES_OF_WORD;
        for stage in self.stages.clone().iter().filter(|stage| stage.lifetime != Lifetime::Match) {
            for &rule in stage.groups.iter().flatten() {
                let variants = self.variants(stage, rule);
                let mut own: Vec<Outcome> = Vec::new();
                for &variant in &variants {
                    own.push(self.ground_variant(variant, order_of, deadline, &mut n_words_left));
                }
                let is_loose = own.iter().any(|outcome| matches!(outcome, Outcome::Loose));
                for (variant, outcome) in variants.into_iter().zip(own) {
                    outcomes.insert(variant, if is_loose { Outcome::Loose } else { outcome });
                }
            }
        }
        outcomes
    }

    fn ground_variant(
        &mut self,
        variant: Variant,
        order_of: Order,
        deadline: Duration,
        n_words_left: &mut usize,
    ) -> Outcome {
        let Builder { rule_set, supersets, facts, terms, first, drafts, expected, .. } = self;
        let rule = &rule_set.rules[variant.rule];
        let order = order(rule, &expected[variant.rule], order_of, variant.trigger);
        let done = match drafts.get(&(variant, order.clone())) {
            Some(known) => Ok(known.clone()),
            None => {
                let mut grounding = Grounding { rule_set, supersets, facts, terms, places: first };
                let mut limits = Limits::until(Some(deadline.min(thread_cpu_time() + MOST_TIME_OF_RULE)));
                let done = draft(&mut grounding, rule, &order, variant.trigger, *n_words_left, &mut limits);
                done.map(|draft| draft.map(Rc::new)).inspect(|draft| {
                    drafts.insert((variant, order), draft.clone());
                })
            }
        };
        match done {
            Err(_) => Outcome::Loose,
            Ok(None) => Outcome::Nothing,
            Ok(Some(draft)) => {
                let n_words = draft.n_words();
                if n_words > *n_words_left {
                    return Outcome::Loose;
                }
                *n_words_left -= n_words;
                Outcome::Grounded(draft)
            }
        }
    }

    /// By relation: every positive hypothesis with it, each once.
    fn all_inputs(&self) -> Vec<Vec<Atom>> {
        let mut inputs = self.inputs_of_roles();
        for rule in &self.rule_set.rules {
            for literal in &rule.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                    add_input(&mut inputs, atom);
                }
            }
        }
        inputs
    }

    /// By relation: the inputs whose lists are read.
    fn read_inputs(&self, outcomes: &Outcomes) -> Vec<Vec<Atom>> {
        let mut inputs = self.inputs_of_roles();
        for (variant, outcome) in outcomes {
            let Outcome::Grounded(draft) = outcome else { continue };
            let lengths = self.lengths(variant.rule);
            for literal in RuleTables::read_inputs(draft, &lengths, variant.trigger.is_some(), self.is_worst)
            {
                let atom = self.rule_set.rules[variant.rule].body[literal].atom().expect("inputs are atoms");
                add_input(&mut inputs, atom);
            }
        }
        // The order in which outcomes come is not the same in every run.
        for inputs in &mut inputs {
            inputs.sort_by_cached_key(|atom| format!("{atom:?}"));
        }
        inputs
    }

    fn inputs_of_roles(&self) -> Vec<Vec<Atom>> {
        let mut inputs = vec![Vec::new(); self.rule_set.relations.len()];
        let legal = self.rule_set.keywords.legal;
        for &role in &self.roles {
            let args = vec![Pattern::Ground(role), Pattern::Var(0)];
            inputs[legal.index()].push(Atom { relation: legal, args });
        }
        inputs
    }

    fn lengths(&self, rule: usize) -> Vec<f64> {
        self.expected[rule].iter().map(|it| it.length).collect()
    }

    /// Makes a program; what the builder has of the game goes into it.
    fn lay_out(&mut self, outcomes: &Outcomes, inputs: Vec<Vec<Atom>>) -> Program {
        let arrangement =
            Arrangement::new(&self.rule_set, &self.supersets, &mut self.facts, &self.terms, inputs);
        let (mut groups, mut n_cursors) = (Vec::new(), 0);
        for stage in &self.stages {
            let mut own = Vec::new();
            for rules in stage.groups.iter().filter(|_| stage.lifetime != Lifetime::Match) {
                own.push(self.group(stage, rules, outcomes, &arrangement, &mut n_cursors));
            }
            groups.push(own);
        }
        let is_loose = outcomes.values().any(|outcome| matches!(outcome, Outcome::Loose));
        let none = Facts::new(&self.rule_set.relations);
        let permanent = if is_loose { self.permanent.clone() } else { none };
        let keywords = self.rule_set.keywords;
        let needed = |relation| needed_for(&self.rule_set, &self.stages, &[relation], Lifetime::Position);
        let legal_of = |&role: &u32| {
            let args = vec![Pattern::Ground(role), Pattern::Var(0)];
            arrangement.lists_of(&Atom { relation: keywords.legal, args })
        };
        let legal_lists: Vec<Vec<u32>> = self.roles.iter().map(legal_of).collect();
        let is_in_order = self.supersets.is_written_out(keywords.legal);
        let legal_from = legal_lists.iter().map(|lists| {
            arrangement
                .first_of(lists)
                .filter(|(_, n_places)| is_in_order && *n_places <= MOST_PLACES_LOOKED_AT)
        });
        let mut program = Program {
            legal_from: legal_from.map(|found| found.map(|(first, _)| first)).collect(),
            for_terminal: needed(keywords.terminal),
            for_legal: needed(keywords.legal),
            for_goal: needed(keywords.goal),
            for_next: needed(keywords.next),
            legal_lists,
            is_in_order,
            initial: Vec::new(),
            roles: self.roles.clone(),
            lifetimes: self.stages.iter().map(|stage| stage.lifetime).collect(),
            relation_of: self.stages.iter().map(|stage| stage.relations[0]).collect(),
            groups,
            n_cursors,
            layout: arrangement.layout.clone(),
            arrangement,
            first: self.first.clone(),
            permanent,
            rule_set: self.rule_set.clone(),
            supersets: std::mem::take(&mut self.supersets),
            facts: std::mem::replace(&mut self.facts, Facts::new(&[])),
            terms: std::mem::take(&mut self.terms),
        };
        let init = &program.facts[whole(keywords.init)];
        let place = |row: u32| program.place(keywords.fluents, &program.terms, init.row(row));
        program.initial = (0..init.len()).filter_map(place).collect();
        program
    }

    /// Takes back what went into a program.
    fn take_back(&mut self, program: Program) {
        (self.supersets, self.facts, self.terms) = (program.supersets, program.facts, program.terms);
    }

    fn group(
        &self,
        stage: &Stage,
        rules: &[usize],
        outcomes: &Outcomes,
        arrangement: &Arrangement,
        n_cursors: &mut usize,
    ) -> Group {
        let mut group = Group::default();
        for &rule in rules {
            let lists =
                |literal: &Literal| literal.atom().map_or_else(Vec::new, |atom| arrangement.lists_of(atom));
            let lists: Vec<Vec<u32>> = self.rule_set.rules[rule].body.iter().map(lists).collect();
            for variant in self.variants(stage, rule) {
                match &outcomes[&variant] {
                    Outcome::Nothing => {}
                    Outcome::Loose if variant.trigger.is_none() => group.once.push((rule, Runner::Loose)),
                    Outcome::Loose => {
                        if !group.repeated.contains(&rule) {
                            group.repeated.push(rule);
                        }
                    }
                    Outcome::Grounded(draft) => {
                        let mut draft = Draft::clone(draft);
                        rearrange(&mut draft, &arrangement.places);
                        let lengths = self.lengths(rule);
                        let is_triggered = variant.trigger.is_some();
                        let tables = RuleTables::new(
                            draft,
                            &Expected {
                                lengths: &lengths,
                                lists: &lists,
                                is_triggered,
                                is_worst: self.is_worst,
                            },
                        );
                        if is_triggered {
                            let cursor = *n_cursors;
                            *n_cursors += tables.first_lists().len();
                            group.triggered.push((rule, tables, cursor));
                        } else {
                            group.once.push((rule, Runner::Tables(tables)));
                        }
                    }
                }
            }
        }
        group
    }

    /// Plays at random and takes down how many ids each hypothesis finds.
    fn look_at_play(&mut self, program: &Program) -> u64 {
        let start = thread_cpu_time();
        let mut machine = Machine::new(program);
        let mut generator = MoveGenerator::new(0);
        let mut totals = vec![0_u64; program.layout.sizes.len()];
        let mut n_positions = 0;
        machine.enter(program, &program.initial);
        while n_positions < MOST_POSITIONS
            && (n_positions == 0 || (thread_cpu_time() - start) < MOST_TIME_OF_PLAY)
        {
            let stages = [&program.for_terminal, &program.for_goal, &program.for_legal];
            if stages.into_iter().any(|needed| machine.derive(program, needed).is_err()) {
                break;
            }
            let mut is_over =
                program.lists_of(program.rule_set.keywords.terminal).any(|list| machine.base.len(list) > 0);
            for role in 0..program.roles.len() {
                let mut moves = Vec::new();
                legal(program, &mut machine, role, &mut moves);
                is_over |= moves.is_empty();
                if !moves.is_empty() {
                    let played = program.played(moves[generator.below(moves.len())]);
                    machine.base.write(&program.layout, played);
                }
            }
            if machine.derive(program, &program.for_next).is_err() {
                break;
            }
            (0..).zip(&mut totals).for_each(|(list, total)| *total += u64::from(machine.base.len(list)));
            n_positions += 1;
            if is_over {
                machine.enter(program, &program.initial);
            } else {
                machine.advance(program);
            }
        }
        if n_positions > 0 {
            for (rule, expected) in self.rule_set.rules.iter().zip(&mut self.expected) {
                for (literal, expected) in rule.body.iter().zip(expected) {
                    if let Some(atom) = literal.atom()
                        && !expected.is_permanent
                    {
                        let lists = program.arrangement.lists_of(atom);
                        let total: u64 = lists.iter().map(|&list| totals[list as usize]).sum();
                        expected.length = total as f64 / n_positions as f64;
                    }
                }
            }
        }
        n_positions
    }

    /// The rules as they are, or with their hypotheses as they are written where that was less work in random play.
    fn with_less_work(&mut self, mut outcomes: Outcomes) -> Outcomes {
        let original = self.ground(Order::Original, MOST_TIME_OF_ORIGINAL);
        let (work, of_original) = (self.work(&outcomes), self.work(&original));
        for (variant, outcome) in original {
            let Outcome::Grounded(draft) = &outcome else { continue };
            let (own, other) = (work[variant.rule], of_original[variant.rule]);
            let is_less = match &outcomes[&variant] {
                Outcome::Loose => true,
                // As much work in less memory is less.
                Outcome::Grounded(best) if own == other => draft.n_words() <= best.n_words(),
                _ => other < own,
            };
            if is_less {
                outcomes.insert(variant, outcome);
            }
        }
        outcomes
    }

    /// By rule: the work it was in random play, the same play for all outcomes.
    fn work(&mut self, outcomes: &Outcomes) -> Vec<u64> {
        let inputs = self.read_inputs(outcomes);
        let program = self.lay_out(outcomes, inputs);
        let mut machine = Machine::new(&program);
        let mut generator = MoveGenerator::new(1);
        let mut moves = Vec::new();
        machine.enter(&program, &program.initial);
        for _ in 0..POSITIONS_COUNTED {
            let all = [&program.for_terminal, &program.for_legal, &program.for_next];
            let mut is_derived = machine.derive_counting::<true>(&program, all[0]).is_ok();
            let is_over = is_terminal(&program, &machine);
            if is_over {
                is_derived &= machine.derive_counting::<true>(&program, &program.for_goal).is_ok();
                machine.enter(&program, &program.initial);
            } else {
                is_derived &= machine.derive_counting::<true>(&program, all[1]).is_ok();
                for role in 0..program.roles.len() {
                    legal(&program, &mut machine, role, &mut moves);
                    sort(&program, &mut machine, &mut moves);
                    is_derived &= !moves.is_empty();
                    if let Some(choice) = (!moves.is_empty()).then(|| moves[generator.below(moves.len())]) {
                        machine.base.write(&program.layout, program.played(choice));
                    }
                }
                is_derived &= machine.derive_counting::<true>(&program, all[2]).is_ok();
                machine.advance(&program);
            }
            if !is_derived {
                break;
            }
        }
        let work = std::mem::take(&mut machine.work);
        self.take_back(program);
        work
    }

    fn describe(&self, program: &Program, outcomes: &Outcomes, figures: &mut Figures) {
        let machine = Machine::new(program);
        figures.knowledge_base = machine.base.bytes(&program.layout);
        for group in program.groups.iter().flatten() {
            figures.tables += group.triggered.iter().map(|(_, tables, _)| tables.bytes()).sum::<usize>();
            for (_, runner) in &group.once {
                if let Runner::Tables(tables) = runner {
                    figures.tables += tables.bytes();
                }
            }
        }
        let mut rules: Vec<usize> = outcomes
            .iter()
            .filter(|(_, outcome)| matches!(outcome, Outcome::Loose))
            .map(|(variant, _)| variant.rule)
            .collect();
        rules.sort_unstable();
        rules.dedup();
        figures.rules = self.rule_set.rules.iter().filter(|rule| self.is_dynamic(rule.head.relation)).count();
        let name = |rule: usize| {
            self.rule_set.relations[self.rule_set.rules[rule].head.relation.index()].name.clone()
        };
        figures.without_tables = rules.into_iter().map(name).collect();
    }
}

fn add_input(inputs: &mut [Vec<Atom>], atom: &Atom) {
    let inputs = &mut inputs[atom.relation.index()];
    if !inputs.iter().any(|input| is_same(input, atom)) {
        inputs.push(atom.clone());
    }
}

/// Sizes in the superset, and a guess of how many ids hold at a time.
fn expectation(
    rule_set: &RuleSet,
    supersets: &Supersets,
    facts: &mut Facts,
    terms: &Terms,
    atom: &Atom,
) -> Expectation {
    let is_permanent = rule_set.is_permanent(atom.relation);
    let leaves = atom.leaves();
    let vars = |column: usize| match leaves[column] {
        Leaf::Var(var) => Some(var),
        Leaf::Ground(_) => None,
    };
    if !is_permanent && !supersets.is_written_out(atom.relation) {
        let size = f64::from(supersets.size(atom.relation));
        let n_columns = leaves.len().max(1) as f64;
        let columns =
            (0..leaves.len()).filter_map(|column| Some((vars(column)?, size.powf(1.0 / n_columns))));
        return Expectation { is_permanent, length: size.sqrt(), size, columns: columns.collect() };
    }
    let form = facts.of_atom(atom);
    facts.sync(form, terms);
    let form = &facts[form];
    let rows: Vec<&[u32]> =
        (0..form.len()).map(|row| form.row(row)).filter(|row| agrees(&leaves, row)).collect();
    let size = rows.len() as f64;
    let mut columns = Vec::new();
    for column in 0..leaves.len() {
        if let Some(var) = vars(column)
            && !columns.iter().any(|&(known, _)| known == var)
        {
            let mut values: Vec<u32> = rows.iter().map(|row| row[column]).collect();
            values.sort_unstable();
            values.dedup();
            columns.push((var, (values.len() as f64).max(1.0)));
        }
    }
    let length = match atom.relation {
        _ if is_permanent => size,
        relation if relation == rule_set.keywords.moves => size.min(1.0),
        relation if relation == rule_set.keywords.fluents => {
            let init = facts.of_atom(&Atom { relation: rule_set.keywords.init, args: atom.args.clone() });
            facts.sync(init, terms);
            let rows = (0..facts[init].len()).filter(|&row| agrees(&leaves, facts[init].row(row)));
            size.min(rows.count() as f64 + 1.0)
        }
        _ => size.sqrt(),
    };
    Expectation { is_permanent, length, size, columns }
}
