//! Rules without tables: first-order joins of the instances that ids stand for.

use crate::facts::{Facts, whole};
use crate::join::{Join, Limits, Question, Seen, Stop};
use crate::knowledge::KnowledgeBase;
use crate::program::Program;
use senet_rules::{Lifetime, Literal, RelId};
use senet_terms::Terms;

/// Rows that one run of a rule may look at.
const MOST_ROWS: u64 = 1 << 31;

/// What one thread needs for rules without tables.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    facts: Facts,
    pub(crate) terms: Terms,
    /// By list: how many of its ids have become facts.
    n_read: Vec<u32>,
    /// By rule: with how many facts it was planned.
    plans: Vec<Option<(u64, Join)>>,
}

impl Scratch {
    pub(crate) fn new(permanent: Facts, terms: Terms, n_lists: usize, n_rules: usize) -> Scratch {
        Scratch { facts: permanent, terms, n_read: vec![0; n_lists], plans: vec![None; n_rules] }
    }

    /// Forgets what does not live longer.
    pub(crate) fn forget(&mut self, program: &Program, lifetime: Lifetime) {
        self.facts.clear(|relation| program.rule_set.lifetime(relation) >= lifetime);
        self.n_read[program.lists_from(lifetime)..].fill(0);
    }

    /// Runs a rule on all that is known.
    pub(crate) fn run(
        &mut self,
        program: &Program,
        base: &mut KnowledgeBase,
        number: usize,
    ) -> Result<(), Stop> {
        let rule = &program.rule_set.rules[number];
        let mut n_facts = 0;
        for atom in rule.body.iter().filter_map(Literal::atom) {
            self.read(program, base, atom.relation);
            n_facts += u64::from(self.facts[whole(atom.relation)].len());
        }
        let Scratch { facts, terms, plans, .. } = self;
        let plan = &mut plans[number];
        if plan.as_ref().is_none_or(|(then, _)| n_facts > 2 * then + 8) {
            let mut is_wanted = vec![false; rule.n_vars];
            rule.head.args.iter().for_each(|arg| arg.for_each_var(&mut |var| is_wanted[var as usize] = true));
            let (literals, is_bound) = (rule.body.iter().collect(), vec![false; rule.n_vars]);
            let question = Question { literals, is_bound, is_wanted, trigger: None, head: None };
            *plan = Some((n_facts, Join::new(&question, facts, terms)));
        }
        let (_, join) = plan.as_ref().expect("it was planned");
        let mut limits = Limits { most_rows: MOST_ROWS, ..Limits::default() };
        let mut args = Vec::new();
        let mut found = |slots: &[u32], _: &mut Facts, terms: &mut Terms| {
            args.clear();
            args.extend(rule.head.args.iter().map(|arg| arg.value(slots, terms)));
            // Every result is in the superset of its relation.
            if let Some(place) = program.place(rule.head.relation, terms, &args) {
                base.write(&program.layout, place);
            }
            Ok(())
        };
        join.run(
            &mut vec![0; rule.n_vars],
            (0..0, &mut Seen::default()),
            (facts, terms, &mut limits),
            &mut found,
        )
    }

    /// Ids that came to the lists of a relation become facts.
    fn read(&mut self, program: &Program, base: &KnowledgeBase, relation: RelId) {
        let mut args = Vec::new();
        for list in program.lists_of(relation) {
            let read = &mut self.n_read[list as usize];
            for &place in &base.items(list)[*read as usize..] {
                args.clear();
                program.instance(&mut self.terms, relation, place, &mut args);
                self.facts[whole(relation)].insert(&args);
            }
            *read = base.len(list);
        }
    }
}
