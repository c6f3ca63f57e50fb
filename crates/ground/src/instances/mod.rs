//! The instances of the rules: what is left of a rule, s(R), for every way to satisfy g(R).

mod overlap;
mod symmetry;
mod rule_groups;
mod batches;
mod impossible_atoms;
mod repeated_rules;
mod emit;
mod assemble;

pub(crate) use assemble::assemble;
pub(crate) use batches::{Batch, by_stratum, users_first};
pub(crate) use overlap::Overlap;
pub(crate) use repeated_rules::RepeatedRules;
pub(crate) use rule_groups::group_rules;

use crate::facts::FactStore;
use crate::join::{self, Plan, Purpose, Scratch, plan};
use crate::limits::{Capacity, Limits, Stopping};
use crate::options::Mode;
use crate::program::{RuleStore, Run};
use emit::{Emit, Head, Part};
use impossible_atoms::{FIRST_IMPOSSIBLE, ImpossibleAtoms};
use rule_groups::Member;
use senet_analysis::RuleId;
use senet_rules::{Atom, Literal, RelId, Rule};
use smallvec::SmallVec;
use symmetry::{can_repeat, is_symmetric};

/// As many facts or instances are not many.
const FEW: f64 = 3_000.0;

/// The ground rules as they are found.
pub(crate) struct Instances {
    pub(crate) mode: Mode,
    pub(crate) rules: RuleStore,
    /// Atoms with an instance without conditions.
    pub(crate) facts: Vec<u32>,
    is_fact: Vec<bool>,
    /// Whether bodies that contradict themselves were left out.
    pub(crate) has_contradictions: bool,
    /// The first atom of each relation that has atoms.
    pub(crate) first_atom: Vec<Option<u32>>,
    pub(crate) n_atoms: u32,
    /// Atoms that only occur negated and that no rule concludes.
    pub(crate) impossible: ImpossibleAtoms,
    /// The instances that may be stored more than once.
    repeated: RepeatedRules,
    /// The atoms that occur in bodies so far.
    occurs: Vec<bool>,
    /// How many instances each rule has.
    counts: Vec<(RuleId, usize)>,
    /// Memory for the next rule.
    scratch: Scratch,
    plan: Plan,
}

impl Instances {
    pub(crate) fn new(mode: Mode) -> Instances {
        Instances {
            mode,
            rules: RuleStore { first_literal: vec![0], ..RuleStore::default() },
            facts: Vec::new(),
            is_fact: Vec::new(),
            has_contradictions: false,
            first_atom: Vec::new(),
            n_atoms: 0,
            impossible: ImpossibleAtoms::default(),
            repeated: RepeatedRules::default(),
            occurs: Vec::new(),
            counts: Vec::new(),
            scratch: Scratch::default(),
            plan: Plan::default(),
        }
    }

    /// Numbers the atoms of a relation whose facts are complete.
    pub(crate) fn number_atoms(&mut self, relation: RelId, len: u32) -> Result<(), Stopping> {
        if self.first_atom.len() <= relation.index() {
            self.first_atom.resize(relation.index() + 1, None);
        }
        self.first_atom[relation.index()] = Some(self.n_atoms);
        self.n_atoms += len;
        if self.n_atoms >= FIRST_IMPOSSIBLE { Err(Stopping::Capacity(Capacity::Atoms)) } else { Ok(()) }
    }

    /// Stores the instances of rules that may share some.
    pub(crate) fn add_group(
        &mut self,
        store: &mut FactStore,
        limits: &mut Limits,
        group: Vec<Member>,
        is_asked: bool,
    ) -> Result<(), (Stopping, Rule)> {
        let purpose = Purpose::Instances { keeps_impossible: self.mode == Mode::Paper };
        for Member { rule, is_symmetric, overlaps, has_alike } in group {
            plan(store, &rule, purpose, None, &overlaps, &mut self.plan);
            // To be certain takes longer than to compare a few instances.
            let is_small = self.plan.estimate < FEW && has_few_facts(store, &rule);
            let is_symmetric = is_symmetric && (is_small || can_repeat(store, &rule));
            let may_repeat = is_symmetric || has_alike || self.plan.repeats;
            let head = Head { is_growing: false, is_asked };
            let added = self.add(store, limits, &rule, may_repeat, head);
            added.map_err(|stopping| (stopping, rule))?;
        }
        self.repeated.drop_repetitions(&mut self.rules);
        Ok(())
    }

    /// Stores the instances of the only rule of an auxiliary relation, and its facts with them.
    pub(crate) fn add_auxiliary(
        &mut self,
        store: &mut FactStore,
        limits: &mut Limits,
        rule: &Rule,
    ) -> Result<(), Stopping> {
        self.number_atoms(rule.head.relation, 0)?;
        plan(store, rule, Purpose::Auxiliary, None, &[], &mut self.plan);
        let head = Head { is_growing: true, is_asked: false };
        let may_repeat = self.plan.repeats || is_symmetric(store, rule);
        self.add(store, limits, rule, may_repeat, head)?;
        self.repeated.drop_repetitions(&mut self.rules);
        if self.n_atoms >= FIRST_IMPOSSIBLE { Err(Stopping::Capacity(Capacity::Atoms)) } else { Ok(()) }
    }

    /// Stores the instances of a rule that was planned.
    fn add(
        &mut self,
        store: &mut FactStore,
        limits: &mut Limits,
        rule: &Rule,
        may_repeat: bool,
        head: Head,
    ) -> Result<(), Stopping> {
        let mut parts: SmallVec<[Part; 8]> = SmallVec::new();
        for (literal, condition) in rule.body.iter().enumerate() {
            let (Literal::Positive(atom) | Literal::Negative(atom)) = condition else { continue };
            if store.relations[atom.relation.index()].is_static() {
                continue;
            }
            parts.push(Part {
                literal,
                relation: atom.relation,
                first_atom: self.first_atom[atom.relation.index()].expect("dynamic relations have atoms"),
                is_negative: !condition.is_positive(),
            });
        }
        // In the order of their atoms the literals of an instance are almost sorted.
        parts.sort_by_key(|part| part.first_atom);
        self.rules.reserve(self.plan.estimate, parts.len());
        let first = self.rules.heads.len();
        self.rules.runs.push(Run { first: first as u32, origin: rule.origin, stratum: rule.stratum as u32 });
        let head_first = self.first_atom[rule.head.relation.index()].expect("dynamic relations have atoms");
        let head_table = store.table_of(&rule.head);
        let plan = std::mem::take(&mut self.plan);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.open_windows(rule.body.len());
        let mut emit = Emit { to: self, parts, head_table, head_first, may_repeat, head, row: Vec::new() };
        let result = join::run(store, &plan, head_table.index(), &mut scratch, limits, &mut emit);
        (self.scratch, self.plan) = (scratch, plan);
        self.counts.push((rule.origin, self.rules.heads.len() - first));
        result
    }

    /// The rules with the most instances so far.
    pub(crate) fn busiest(&self) -> Vec<(RuleId, usize)> {
        let mut counts = self.counts.clone();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.truncate(5);
        counts
    }

    /// Stores a rule whose body is there already, as the last literals.
    #[inline]
    fn store(&mut self, head: u32, first: usize, may_repeat: bool) -> Result<(), Stopping> {
        let body = &self.rules.literals[first..];
        let Some(last) = body.last() else {
            self.store_fact(head);
            return Ok(());
        };
        if may_repeat && !self.repeated.add(&self.rules, head, body) {
            self.rules.literals.truncate(first);
            return Ok(());
        }
        if self.rules.literals.len() > u32::MAX as usize {
            return Err(Stopping::Capacity(Capacity::Literals));
        }
        if self.mode != Mode::Paper {
            let last = last.atom().index();
            if self.occurs.len() <= last {
                self.occurs.resize((last + 1).max(self.n_atoms as usize), false);
            }
            body.iter().for_each(|lit| self.occurs[lit.atom().index()] = true);
        }
        self.rules.heads.push(head);
        self.rules.first_literal.push(self.rules.literals.len() as u32);
        Ok(())
    }

    fn store_fact(&mut self, head: u32) {
        if self.is_fact.len() <= head as usize {
            self.is_fact.resize(head as usize + 1, false);
        }
        if !std::mem::replace(&mut self.is_fact[head as usize], true) {
            self.facts.push(head);
        }
    }
}

/// Whether each condition of a rule has few facts.
fn has_few_facts(store: &FactStore, rule: &Rule) -> bool {
    let is_small = |atom: &Atom| f64::from(store.tables[store.table_of(atom).index()].len()) < FEW;
    rule.body.iter().all(|literal| !matches!(literal, Literal::Positive(atom) if !is_small(atom)))
}
