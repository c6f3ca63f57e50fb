//! Static facts for tests, evaluated rule by rule until nothing is new.

use super::{StaticFacts, StaticRows};
use hashbrown::{HashMap, HashSet};
use senet_analysis::{Atom, Dependence, Literal, Program, RelationId, Rule};
use senet_gdl::{Keyword, Term, TermKind};
use senet_terms::Terms;

/// Evaluation stops after so many attempts to use a row: relations that are not finished have no rows then.
const MAX_WORK: usize = 300_000;

#[derive(Default)]
struct Table {
    values: Vec<u32>,
    known: HashSet<Vec<u32>>,
    by_value: HashMap<(usize, u32), Vec<usize>>,
}

impl Table {
    fn insert(&mut self, row: Vec<u32>) -> bool {
        let number = self.known.len();
        if !self.known.insert(row.clone()) {
            return false;
        }
        for (at, &value) in row.iter().enumerate() {
            self.by_value.entry((at, value)).or_default().push(number);
        }
        self.values.extend(row);
        true
    }
}

/// The static facts of a program.
pub(crate) struct Naive {
    terms: Terms,
    tables: Vec<Table>,
    is_finished: Vec<bool>,
    work: usize,
}

impl StaticFacts for Naive {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn rows(&self, relation: RelationId) -> Option<StaticRows<'_>> {
        let table = &self.tables[relation.index()];
        self.is_finished[relation.index()]
            .then_some(StaticRows { n_rows: table.known.len(), values: &table.values })
    }
}

impl Naive {
    pub(crate) fn new(program: &Program) -> Self {
        let n_relations = program.relations().len();
        let mut naive = Self {
            terms: Terms::new(program.symbols().len()),
            tables: (0..n_relations).map(|_| Table::default()).collect(),
            is_finished: vec![false; n_relations],
            work: 0,
        };
        let is_static = |relation: RelationId| program.relation(relation).dependence == Dependence::Static;
        for stratum in program.strata() {
            let rules: Vec<&Rule> = stratum
                .iter()
                .map(|&rule| program.rule(rule))
                .filter(|rule| is_static(rule.head.relation))
                .collect();
            while rules.iter().fold(false, |changed, rule| naive.apply(rule) | changed) {
                if naive.work > MAX_WORK {
                    return naive;
                }
            }
        }
        for relation in (0..n_relations).map(RelationId::new) {
            naive.is_finished[relation.index()] = is_static(relation)
                && !matches!(program.relation(relation).keyword, Some(Keyword::True | Keyword::Does));
        }
        naive
    }

    fn apply(&mut self, rule: &Rule) -> bool {
        let mut found = Vec::new();
        self.join(rule, 0, &mut vec![None; rule.variables.len()], &mut found);
        let table = &mut self.tables[rule.head.relation.index()];
        found.into_iter().fold(false, |changed, row| table.insert(row) | changed)
    }

    fn join(&mut self, rule: &Rule, at: usize, values: &mut Vec<Option<u32>>, found: &mut Vec<Vec<u32>>) {
        self.work += 1;
        let Some(literal) = rule.body.get(at) else {
            found.push(self.build_all(&rule.head.args, values));
            return;
        };
        match literal {
            Literal::Positive(atom) => {
                for row in self.rows_for(atom, values) {
                    if self.work > MAX_WORK {
                        return;
                    }
                    let before = values.clone();
                    if atom.args.iter().zip(&row).all(|(arg, &value)| self.matches(arg, value, values)) {
                        self.join(rule, at + 1, values, found);
                    }
                    *values = before;
                }
            }
            Literal::Negative(atom) => {
                let row = self.build_all(&atom.args, values);
                if !self.tables[atom.relation.index()].known.contains(&row) {
                    self.join(rule, at + 1, values, found);
                }
            }
            Literal::Distinct(left, right, _) => {
                if self.build(left, values) != self.build(right, values) {
                    self.join(rule, at + 1, values, found);
                }
            }
        }
    }

    fn rows_for(&mut self, atom: &Atom, values: &[Option<u32>]) -> Vec<Vec<u32>> {
        let bound = atom.args.iter().enumerate().find_map(|(at, arg)| match arg.kind {
            TermKind::Constant(symbol) => Some((at, symbol.index() as u32)),
            TermKind::Variable(variable) => values[variable.index()].map(|value| (at, value)),
            TermKind::Function(..) => None,
        });
        let table = &self.tables[atom.relation.index()];
        let arity = atom.args.len();
        let row = |number: usize| table.values[number * arity..][..arity].to_vec();
        match bound {
            Some(key) => table.by_value.get(&key).into_iter().flatten().map(|&number| row(number)).collect(),
            None => (0..table.known.len()).map(row).collect(),
        }
    }

    fn matches(&self, term: &Term, value: u32, values: &mut [Option<u32>]) -> bool {
        match &term.kind {
            TermKind::Variable(variable) => *values[variable.index()].get_or_insert(value) == value,
            TermKind::Constant(symbol) => symbol.index() as u32 == value,
            TermKind::Function(name, args) => {
                let Some((other, values_of)) = self.terms.application(value) else { return false };
                other == *name
                    && args.len() == values_of.len()
                    && args.iter().zip(values_of).all(|(arg, &value)| self.matches(arg, value, values))
            }
        }
    }

    fn build_all(&mut self, args: &[Term], values: &[Option<u32>]) -> Vec<u32> {
        args.iter().map(|arg| self.build(arg, values)).collect()
    }

    fn build(&mut self, term: &Term, values: &[Option<u32>]) -> u32 {
        match &term.kind {
            TermKind::Variable(variable) => values[variable.index()].expect("a safe rule"),
            TermKind::Constant(symbol) => symbol.index() as u32,
            TermKind::Function(name, args) => {
                let args = self.build_all(args, values);
                let functor = self.terms.functor(*name, args.len());
                self.terms.intern(functor, &args)
            }
        }
    }
}
