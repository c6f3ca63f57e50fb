//! Play by an INVERTED-GDL program, in the simplest way there is.

use senet_gdl::{Interner, parse_term};
use senet_languages::inverted::{Inverted, Trigger};
use senet_rules::{Atom, Literal, Pattern, RelId};
use senet_terms::Terms;
use std::collections::{HashMap, HashSet};

/// By variable of a rule: its value, if it is bound.
type Values = Vec<Option<u32>>;

/// The facts that what remains of a rule may find, by the values of the variables it shares with the trigger.
#[derive(Default)]
struct Partners {
    n_seen: usize,
    by_shared: HashMap<Vec<u32>, Vec<Values>>,
}

/// The facts of a position and all that follows from them.
pub struct Chaining<'i> {
    inverted: &'i Inverted,
    names: Interner,
    terms: Terms,
    /// By relation: its facts, and again in the order in which they came.
    known: Vec<HashSet<Vec<u32>>>,
    rows: Vec<Vec<Vec<u32>>>,
    partners: HashMap<(usize, usize), Partners>,
}

impl<'i> Chaining<'i> {
    /// Nothing is known yet.
    pub fn new(inverted: &'i Inverted, names: &Interner) -> Chaining<'i> {
        let n_relations = inverted.normal.rule_set.relations.len();
        Chaining {
            inverted,
            names: names.clone(),
            terms: inverted.normal.rule_set.terms.clone(),
            known: vec![HashSet::new(); n_relations],
            rows: vec![Vec::new(); n_relations],
            partners: HashMap::new(),
        }
    }

    /// Derives all that follows from a position and the moves played in it, as role and move.
    pub fn run(&mut self, fluents: &[String], moves: &[(&str, &str)]) {
        self.known.iter_mut().for_each(HashSet::clear);
        self.rows.iter_mut().for_each(Vec::clear);
        self.partners.clear();
        let keywords = self.inverted.normal.rule_set.keywords;
        for fluent in fluents {
            let row = vec![self.read(fluent)];
            self.add(keywords.fluents, row);
        }
        for (role, choice) in moves {
            let row = vec![self.read(role), self.read(choice)];
            self.add(keywords.moves, row);
        }
        let inverted = self.inverted;
        for stratum in &inverted.strata {
            for &rule in &stratum.begin {
                let rule = inverted.rule(rule);
                let values = vec![None; rule.n_vars];
                if rule.body.iter().all(|test| self.passes(test, &values)) {
                    self.conclude(&rule.head, &values);
                }
            }
            let mut n_seen = vec![0; self.rows.len()];
            let mut has_new = true;
            while std::mem::take(&mut has_new) {
                for triggered in &stratum.triggered {
                    let by = triggered.by.index();
                    while n_seen[by] < self.rows[by].len() {
                        has_new = true;
                        let row = self.rows[by][n_seen[by]].clone();
                        n_seen[by] += 1;
                        triggered.triggers.iter().for_each(|&trigger| self.fire(trigger, &row));
                    }
                }
            }
        }
    }

    /// The arguments of the facts of a relation, sorted.
    pub fn facts(&self, relation: RelId) -> Vec<Vec<String>> {
        let text = |&term: &u32| self.terms.text(&self.names, term);
        let rows = self.rows[relation.index()].iter();
        let mut facts: Vec<Vec<String>> = rows.map(|row| row.iter().map(text).collect()).collect();
        facts.sort_unstable();
        facts
    }

    fn read(&mut self, text: &str) -> u32 {
        let term = parse_term(text, &mut self.names).expect("engines write terms");
        self.terms.read(&term)
    }

    fn add(&mut self, relation: RelId, row: Vec<u32>) {
        if self.known[relation.index()].insert(row.clone()) {
            self.rows[relation.index()].push(row);
        }
    }

    fn conclude(&mut self, head: &Atom, values: &Values) {
        let row = self.row(head, values);
        self.add(head.relation, row);
    }

    /// A fact has come that may trigger a rule.
    fn fire(&mut self, trigger: Trigger, row: &[u32]) {
        let inverted = self.inverted;
        let (fact, head) = (inverted.fact(trigger), inverted.head(trigger));
        let mut values = vec![None; inverted.rule(trigger.rule).n_vars];
        if !self.unify(fact, row, &mut values) {
            return;
        }
        match inverted.rest(trigger) {
            None => self.conclude(head, &values),
            Some(Literal::Positive(other)) => {
                for partner in self.partners(trigger, other, &values) {
                    let both = values.iter().zip(&partner).map(|(own, other)| own.or(*other)).collect();
                    self.conclude(head, &both);
                }
            }
            Some(test) => {
                if self.passes(test, &values) {
                    self.conclude(head, &values);
                }
            }
        }
    }

    /// What the other atom of a rule can be, given what the trigger has bound.
    fn partners(&mut self, trigger: Trigger, other: &Atom, values: &Values) -> Vec<Values> {
        let mut shared = Vec::new();
        other.for_each_var(&mut |var| {
            if values[var as usize].is_some() && !shared.contains(&(var as usize)) {
                shared.push(var as usize);
            }
        });
        let key_of = |values: &Values| shared.iter().filter_map(|&var| values[var]).collect::<Vec<u32>>();
        let mut partners = self.partners.remove(&(trigger.rule, trigger.literal)).unwrap_or_default();
        let rows = &self.rows[other.relation.index()];
        for row in &rows[partners.n_seen..] {
            let mut found = vec![None; values.len()];
            if self.unify(other, row, &mut found) {
                partners.by_shared.entry(key_of(&found)).or_default().push(found);
            }
        }
        partners.n_seen = rows.len();
        let found = partners.by_shared.get(&key_of(values)).cloned().unwrap_or_default();
        self.partners.insert((trigger.rule, trigger.literal), partners);
        found
    }

    fn passes(&mut self, test: &Literal, values: &Values) -> bool {
        match test {
            Literal::Positive(_) => unreachable!("a positive literal is not a test"),
            Literal::Negative(atom) => {
                let row = self.row(atom, values);
                !self.known[atom.relation.index()].contains(&row)
            }
            Literal::Distinct(left, right) => self.value(left, values) != self.value(right, values),
        }
    }

    fn row(&mut self, atom: &Atom, values: &Values) -> Vec<u32> {
        atom.args.iter().map(|arg| self.value(arg, values)).collect()
    }

    fn value(&mut self, pattern: &Pattern, values: &Values) -> u32 {
        match pattern {
            Pattern::Var(var) => values[*var as usize].expect("a variable is bound before it is used"),
            Pattern::Ground(term) => *term,
            Pattern::App(functor, args) => {
                let args: Vec<u32> = args.iter().map(|arg| self.value(arg, values)).collect();
                self.terms.intern(*functor, &args)
            }
        }
    }

    fn unify(&self, atom: &Atom, row: &[u32], values: &mut Values) -> bool {
        atom.args.iter().zip(row).all(|(arg, &term)| self.unify_term(arg, term, values))
    }

    fn unify_term(&self, pattern: &Pattern, term: u32, values: &mut Values) -> bool {
        match pattern {
            Pattern::Var(var) => *values[*var as usize].get_or_insert(term) == term,
            Pattern::Ground(own) => *own == term,
            Pattern::App(functor, args) => match self.terms.compound(term) {
                Some((its, parts)) if its == *functor => {
                    args.iter().zip(parts).all(|(arg, &part)| self.unify_term(arg, part, values))
                }
                _ => false,
            },
        }
    }
}
