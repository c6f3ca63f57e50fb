//! Clauses to rules without connectives and equality.

mod unify;
mod expand;
mod auxiliary;
mod known;
mod copy;
mod emit;

use crate::bindings::Binder;
use crate::condition::Condition;
use crate::program::Rule;
use crate::relations::{RelationId, RelationTable, reserved};
use crate::report::Report;
use crate::sheet::Sheet;
use expand::Limits;
use known::KnownRules;
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
        // Every term needs two characters of text, so writing each rule once never runs out.
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
    /// Whether some clause added nothing, as one does that was written before. Auxiliary relations are always
    /// new, so clauses that need them do not tell.
    pub(crate) may_repeat: bool,
}

/// Lowers the clauses that no check has refused, and refuses those that are too large.
pub(crate) fn lower(sheet: &mut Sheet, report: &mut Report) -> Lowered {
    lower_within(Limits::default(), sheet, report)
}

fn lower_within(limits: Limits, sheet: &mut Sheet, report: &mut Report) -> Lowered {
    let description = sheet.description;
    let mut lowerer = Lowerer {
        relations: sheet.relations.clone(),
        symbols: description.symbols.clone(),
        limits,
        rules: KnownRules::with_capacity(description.clauses.len()),
        budget: Budget::new(description.text.len()),
        n_auxiliaries: 0,
        clause: ClauseScope::new(0, Span::default(), &[]),
    };
    let first_auxiliary = RelationId::new(sheet.relations.len());
    let mut may_repeat = false;
    for (clause_idx, clause) in description.clauses.iter().enumerate() {
        let n_rules = lowerer.rules.len();
        if sheet.is_sound[clause_idx] {
            if sheet.is_plain[clause_idx] {
                lowerer.copy(clause_idx, clause);
            } else {
                lowerer.clause = ClauseScope::new(clause_idx, clause.span, &clause.variables);
                let body = sheet.body(clause_idx);
                if lowerer.conjunction(Cow::Borrowed(&clause.head), body).is_err() {
                    lowerer.rules.truncate(n_rules);
                    sheet.is_sound[clause_idx] = false;
                    report.add(&TOO_LARGE, || too_large(clause.span));
                }
            }
        }
        may_repeat |= lowerer.rules.len() == n_rules;
    }
    may_repeat |= lowerer.n_auxiliaries > 0;
    let Lowerer { rules, relations, symbols, .. } = lowerer;
    Lowered { rules: rules.into_rules(), relations, symbols, first_auxiliary, may_repeat }
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::new(&TOO_LARGE, span, "this rule is too large to be taken apart")
        .here("its `or`s or equalities make too many or too large rules")
        .help("give its parts relations of their own")
}

/// What belongs to the clause being lowered.
struct ClauseScope {
    idx: usize,
    span: Span,
    variables: Vec<Symbol>,
    binder: Binder,
    /// The number of each variable in the rule being written,
    renamed: Vec<Option<VarId>>,
    /// and the names of those that have a number.
    names: Vec<Symbol>,
}

impl ClauseScope {
    fn new(idx: usize, span: Span, variables: &[Symbol]) -> Self {
        Self {
            idx,
            span,
            variables: variables.to_vec(),
            binder: Binder::new(variables.len()),
            renamed: vec![None; variables.len()],
            names: Vec::new(),
        }
    }

    /// Forgets the numbers in the rule written before.
    fn begin_rule(&mut self) {
        self.renamed.fill(None);
        self.names.clear();
    }

    /// The number of a variable in the rule being written.
    fn rename(&mut self, old: VarId) -> VarId {
        *self.renamed[old.index()].get_or_insert_with(|| {
            self.names.push(self.variables[old.index()]);
            VarId::new(self.names.len() - 1)
        })
    }
}

struct Lowerer {
    relations: RelationTable,
    symbols: Interner,
    limits: Limits,
    rules: KnownRules,
    budget: Budget,
    n_auxiliaries: usize,
    clause: ClauseScope,
}

impl Lowerer {
    /// Whether an atom says something of another position than the current one.
    fn is_false_in_bodies(&self, atom: &Atom) -> bool {
        [Keyword::Init, Keyword::Next].map(reserved).contains(&self.relations.of(atom))
    }

    /// Writes the rules for a head and a safe body: by splitting every `or` if that stays small,
    /// otherwise with a relation for each. A `not` with variables of its own always gets a relation.
    fn conjunction<'a>(&mut self, head: Cow<'a, Atom>, body: Condition<'a>) -> Result<(), TooLarge> {
        let size = expand::size(&body);
        self.budget.work(size.written)?;
        let is_split = !size.has_no_value
            && (size.is_small(self.limits)
                || size.is_moderate(self.limits) && self.budget.may_copy(size.copies()));
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
