//! The instances of the rules: what is left of a rule, s(R), for every way to satisfy g(R).

use crate::groups::Member;
use crate::join::{self, Found, Scratch, Sink};
use crate::keys::Keys;
use crate::limits::{Capacity, Limits, Stopping};
use crate::options::Mode;
use crate::plan::{HEAD, Plan, Purpose, Store, plan};
use crate::program::{AtomId, Lit};
use crate::rule::{Atom, Literal, RelId, Rule};
use crate::rule_store::{RuleStore, Run};
use crate::symmetry::{can_repeat, is_symmetric};
use crate::table::{Table, TableId};
use crate::underived::{UNDERIVED, Underived};
use senet_analysis::RuleId;
use smallvec::SmallVec;

/// An atom that can never hold, in a negative literal that is left out.
const NEVER: u32 = u32::MAX;
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
    pub(crate) underived: Underived,
    /// The instances that may be stored more than once.
    keys: Keys,
    /// The atoms that occur in bodies so far.
    occurs: Vec<bool>,
    /// How many instances each rule has.
    counts: Vec<(RuleId, usize)>,
    /// Memory for the next rule.
    scratch: Scratch,
    plan: Plan,
}

/// What is known of the head relation of the rule at hand.
#[derive(Clone, Copy)]
struct Head {
    /// Whether it gets its facts only now.
    is_growing: bool,
    /// Whether only atoms that occur in rules so far are wanted.
    is_asked: bool,
}

/// A dynamic literal of the rule at hand.
struct Part {
    literal: usize,
    relation: RelId,
    first_atom: u32,
    is_negative: bool,
}

struct Emit<'a> {
    to: &'a mut Instances,
    parts: SmallVec<[Part; 8]>,
    head_table: TableId,
    head_first: u32,
    may_repeat: bool,
    head: Head,
    row: Vec<u32>,
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
            underived: Underived::default(),
            keys: Keys::default(),
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
        if self.n_atoms >= UNDERIVED { Err(Stopping::Capacity(Capacity::Atoms)) } else { Ok(()) }
    }

    /// Stores the instances of rules that may share some.
    pub(crate) fn add_group(
        &mut self,
        store: &mut Store,
        limits: &mut Limits,
        group: Vec<Member>,
        is_asked: bool,
    ) -> Result<(), (Stopping, Rule)> {
        let purpose = Purpose::Instances { keeps_underived: self.mode == Mode::Paper };
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
        self.keys.drop_repetitions(&mut self.rules);
        Ok(())
    }

    /// Stores the instances of the only rule of an auxiliary relation, and its facts with them.
    pub(crate) fn add_auxiliary(
        &mut self,
        store: &mut Store,
        limits: &mut Limits,
        rule: &Rule,
    ) -> Result<(), Stopping> {
        self.number_atoms(rule.head.relation, 0)?;
        plan(store, rule, Purpose::Auxiliary, None, &[], &mut self.plan);
        let head = Head { is_growing: true, is_asked: false };
        let may_repeat = self.plan.repeats || is_symmetric(store, rule);
        self.add(store, limits, rule, may_repeat, head)?;
        self.keys.drop_repetitions(&mut self.rules);
        if self.n_atoms >= UNDERIVED { Err(Stopping::Capacity(Capacity::Atoms)) } else { Ok(()) }
    }

    /// Stores the instances of a rule that was planned.
    fn add(
        &mut self,
        store: &mut Store,
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
        self.rules.runs.push(Run { first: first as u32, origin: rule.origin, stratum: rule.stratum });
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
        if may_repeat && !self.keys.add(&self.rules, head, body) {
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
fn has_few_facts(store: &Store, rule: &Rule) -> bool {
    let is_small = |atom: &Atom| f64::from(store.tables[store.table_of(atom).index()].len()) < FEW;
    rule.body.iter().all(|literal| !matches!(literal, Literal::Positive(atom) if !is_small(atom)))
}

/// Sorts the few literals of a body and drops repetitions; gives the number that is left.
fn settle(body: &mut [Lit]) -> usize {
    sort_few(body);
    let mut len = 1;
    for at in 1..body.len() {
        if body[at] != body[len - 1] {
            body[len] = body[at];
            len += 1;
        }
    }
    len
}

/// Sorts the few literals of a body.
#[inline]
fn sort_few(body: &mut [Lit]) {
    if body.len() > 16 {
        body.sort_unstable();
        return;
    }
    for at in 1..body.len() {
        let mut place = at;
        while place > 0 && body[place - 1] > body[place] {
            body.swap(place - 1, place);
            place -= 1;
        }
    }
}

fn has_atom_twice(body: &[Lit]) -> bool {
    body.windows(2).any(|pair| pair[0].atom() == pair[1].atom())
}

impl Sink for Emit<'_> {
    fn found(
        &mut self,
        tables: &mut [Table],
        limits: &mut Limits,
        found: &Found<'_>,
    ) -> Result<(), Stopping> {
        let literals = &mut self.to.rules.literals;
        let first = literals.len();
        let (mut least, mut is_sorted) = (0, true);
        for part in self.parts.as_slice() {
            let number = found.numbers[part.literal];
            let (atom, lit) = if !part.is_negative {
                let atom = part.first_atom + number;
                (atom, Lit::positive(AtomId::new(atom as usize)))
            } else if number != NEVER {
                (number, Lit::negative(AtomId::new(number as usize)))
            } else {
                continue;
            };
            is_sorted &= atom >= least;
            least = atom + 1;
            literals.push(lit);
        }
        if !is_sorted {
            let len = settle(&mut literals[first..]);
            literals.truncate(first + len);
            if self.to.mode != Mode::Paper && has_atom_twice(&literals[first..]) {
                literals.truncate(first);
                self.to.has_contradictions = true;
                return Ok(());
            }
        }
        limits.add_memory(8 + 4 * (literals.len() - first))?;
        limits.progress.rules = self.to.rules.heads.len();
        let mut head = found.head_number;
        if self.head.is_growing {
            self.row.clear();
            self.row.extend(found.head());
            let (row, is_new) = tables[self.head_table.index()].insert(&self.row);
            // It is numbered last.
            self.to.n_atoms += u32::from(is_new);
            head = self.head_first + row;
        }
        self.to.store(head, first, self.may_repeat)
    }

    fn number(&mut self, literal: usize, args: &[u32], row: Option<u32>) -> Option<u32> {
        if literal == HEAD {
            // An auxiliary relation is still growing, of others everything that can follow is known.
            if self.head.is_growing {
                return Some(0);
            }
            let number = self.head_first + row?;
            let is_wanted = !self.head.is_asked || self.to.occurs.get(number as usize) == Some(&true);
            return is_wanted.then_some(number);
        }
        let part = self.parts.iter().find(|part| part.literal == literal).expect("a dynamic literal");
        if let Some(row) = row {
            return Some(part.first_atom + row);
        }
        if self.to.mode != Mode::Paper {
            return Some(NEVER);
        }
        Some(self.to.underived.number(part.relation, args))
    }
}
