//! The places in the text of a rulesheet: orders of names, lines, rules about the same place.

mod chains;
mod lines;
mod links;
mod conditions;

pub(crate) use chains::Chain;
pub(crate) use conditions::Conditions;
pub(crate) use lines::LineGrid;
pub(crate) use links::Links;

use senet_gdl::{Description, Symbol, TermKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rulesheets with more facts about constants are looked at only so far.
const MOST_FACTS: usize = 50_000;

/// The orders, lines, links and conditions in the text of a rulesheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Orders of names, as of `(next a b)`.
    pub(crate) chains: Vec<Arc<Chain>>,
    /// Boards of which only the lines are given, as of `(line a b c)`.
    pub(crate) line_grids: Vec<Arc<LineGrid>>,
    /// Which arguments of which relations stand for the same thing.
    pub(crate) links: Links,
    /// How often rules ask for a word.
    pub(crate) conditions: Conditions,
}

impl Rules {
    /// Reads a rulesheet.
    pub(crate) fn of(description: &Description) -> Self {
        let facts = static_facts(description);
        Self {
            chains: chains::chains(description, &facts),
            line_grids: lines::line_grids(description, &facts),
            links: Links::of(description),
            conditions: Conditions::of(description),
        }
    }
}

/// The arguments of the facts of each relation, in the order of the rulesheet.
type StaticFacts = BTreeMap<(Symbol, usize), Vec<Vec<Symbol>>>;

/// The facts about constants alone; a relation may have rules as well.
fn static_facts(description: &Description) -> StaticFacts {
    let mut facts = StaticFacts::new();
    let mut n_facts = 0;
    for clause in &description.clauses {
        let is_static = clause.body.is_empty() && description.keyword(clause.head.relation).is_none();
        let constants = clause.head.args.iter().map(|term| match term.kind {
            TermKind::Constant(symbol) => Some(symbol),
            _ => None,
        });
        if let Some(arguments) = constants.collect::<Option<Vec<_>>>().filter(|_| is_static) {
            facts.entry((clause.head.relation, arguments.len())).or_default().push(arguments);
            n_facts += 1;
        }
        if n_facts == MOST_FACTS {
            break;
        }
    }
    facts
}
