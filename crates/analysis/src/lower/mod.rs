//! Clauses to rules without connectives and equality.

mod unify;
mod expand;
mod auxiliary;
mod emit;

use crate::bindings::Binder;
use crate::condition::Condition;
use crate::program::Rule;
use crate::relations::{RelationId, RelationTable};
use crate::report::Report;
use crate::sheet::Sheet;
use crate::{HashMap, HashSet};
use expand::Limits;
use senet_gdl::{Atom, Code, Diagnostic, Interner, Keyword, Level, Span, Symbol, VarId};
use std::borrow::Cow;

pub(crate) static TOO_LARGE: Code = Code {
    id: "G204",
    level: Level::Error,
    title: "a rule is too large to be taken apart",
    explanation: "\
Before rules are run, `or` is split into several rules and equalities, `(not (distinct a b))`, are
replaced by what they say. Both can make a short rule enormous:

    (<= (p ?d) (not (distinct ?b (f ?a ?a))) (not (distinct ?c (f ?b ?b))) (not (distinct ?d (f ?c ?c)))
        (q ?a))

Each line doubles the term; thirty would fill any memory. Rules that people write stay far below
the bound. Write the rule with relations of its own for its parts.",
};

/// A rule would become larger than the input justifies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

/// Bounds time and memory by the length of the rulesheet, whatever it says.
pub(crate) struct Budget {
    steps_left: usize,
    nodes_left: usize,
    copies_left: usize,
}

impl Budget {
    pub(crate) fn new(text_length: usize) -> Self {
        // Every term needs two characters of text, so a plain copy never runs out.
        Self {
            steps_left: 10_000_000 + 32 * text_length,
            nodes_left: 1_000_000 + text_length,
            copies_left: 1_000_000,
        }
    }

    fn work(&mut self, n_steps: usize) -> Result<(), TooLarge> {
        self.steps_left = self.steps_left.checked_sub(n_steps).ok_or(TooLarge)?;
        Ok(())
    }

    fn nodes(&mut self, n_nodes: usize) -> Result<(), TooLarge> {
        self.nodes_left = self.nodes_left.checked_sub(n_nodes).ok_or(TooLarge)?;
        Ok(())
    }

    /// Whether this much may be written more than once for the sake of fewer relations.
    fn may_copy(&mut self, n_nodes: u64) -> bool {
        match self.copies_left.checked_sub(usize::try_from(n_nodes).unwrap_or(usize::MAX)) {
            Some(left) => {
                self.copies_left = left;
                true
            }
            None => false,
        }
    }
}

/// The rules of a rulesheet, with the names and relations they use.
pub(crate) struct Lowered {
    pub(crate) rules: Vec<Rule>,
    pub(crate) relations: RelationTable,
    pub(crate) symbols: Interner,
    pub(crate) first_auxiliary: RelationId,
}

/// Lowers the clauses that no check has refused.
pub(crate) fn lower(sheet: &Sheet, report: &mut Report) -> Lowered {
    lower_within(Limits::default(), sheet, report)
}

fn lower_within(limits: Limits, sheet: &Sheet, report: &mut Report) -> Lowered {
    let description = sheet.description;
    let mut lowerer = Lowerer {
        relations: sheet.relations.clone(),
        symbols: description.symbols.clone(),
        false_in_bodies: [Keyword::Init, Keyword::Next].map(|keyword| description.symbol_of(keyword)),
        limits,
        rules: Vec::new(),
        known_rules: HashSet::default(),
        budget: Budget::new(description.text.len()),
        n_auxiliaries: 0,
        clause: ClauseScope::new(0, Span::default(), &[]),
    };
    let first_auxiliary = RelationId::new(sheet.relations.len());
    for (clause_idx, clause) in description.clauses.iter().enumerate() {
        if !sheet.is_sound[clause_idx] {
            continue;
        }
        lowerer.clause = ClauseScope::new(clause_idx, clause.span, &clause.variables);
        let n_rules = lowerer.rules.len();
        let body = sheet.bodies[clause_idx].clone();
        if lowerer.conjunction(Cow::Borrowed(&clause.head), body).is_err() {
            lowerer.rules.truncate(n_rules);
            report.add(&TOO_LARGE, || {
                Diagnostic::new(&TOO_LARGE, clause.span, "this rule is too large to be taken apart")
                    .here("its `or`s or equalities make too many or too large rules")
                    .help("give its parts relations of their own")
            });
        }
    }
    let Lowerer { rules, relations, symbols, .. } = lowerer;
    Lowered { rules, relations, symbols, first_auxiliary }
}

/// What belongs to the clause being lowered.
struct ClauseScope {
    idx: usize,
    span: Span,
    variables: Vec<Symbol>,
    binder: Binder,
    /// The number of each variable in the rule being written.
    renamed: HashMap<VarId, VarId>,
}

impl ClauseScope {
    fn new(idx: usize, span: Span, variables: &[Symbol]) -> Self {
        Self {
            idx,
            span,
            variables: variables.to_vec(),
            binder: Binder::new(variables.len()),
            renamed: HashMap::default(),
        }
    }
}

struct Lowerer {
    relations: RelationTable,
    symbols: Interner,
    false_in_bodies: [Symbol; 2],
    limits: Limits,
    rules: Vec<Rule>,
    known_rules: HashSet<Box<[u32]>>,
    budget: Budget,
    n_auxiliaries: usize,
    clause: ClauseScope,
}

impl Lowerer {
    /// Writes the rules for a head and a safe body: by splitting every `or` if that stays small,
    /// otherwise with a relation for each.
    fn conjunction<'a>(&mut self, head: Cow<'a, Atom>, body: Condition<'a>) -> Result<(), TooLarge> {
        let size = expand::size(&body);
        self.budget.work(size.written)?;
        let is_split = size.is_small(self.limits)
            || size.is_moderate(self.limits) && self.budget.may_copy(size.copies());
        if is_split {
            for choice in expand::choices(body) {
                self.emit(&head, choice)?;
            }
            return Ok(());
        }
        match body {
            Condition::Any(branches, _) => {
                for branch in branches {
                    self.conjunction(head.clone(), branch)?;
                }
                Ok(())
            }
            body => self.with_auxiliaries(head, body.into_conjuncts()),
        }
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod equivalence;
