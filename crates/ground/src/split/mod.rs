//! Long bodies split where a variable can be eliminated early.
//!
//! A variable that the head does not need is eliminated by giving a name to the conditions it occurs in:
//! `(<= (p ?x) (q ?x ?y) (r ?y ?z) (s ?z))` becomes `(<= (aux ?y) (r ?y ?z) (s ?z))` and
//! `(<= (p ?x) (q ?x ?y) (aux ?y))`. Joins of many variables become joins of few.

mod body_shape;
mod estimate;
mod cheapest_part;
mod single_facts;

pub(crate) use single_facts::SingleFacts;

use crate::facts::{FactStore, Relation, Table, TableId};
use crate::join::{is_function, only_unknown};
use crate::program::Kind;
use body_shape::{BodyShape, Part};
use cheapest_part::cheapest_part;
use estimate::{join_size, projected, sizes_of};
use hashbrown::HashMap;
use senet_analysis::RuleId;
use senet_ids::Symbol;
use senet_rules::{Atom, Literal, Pattern, RelId, Rule};

/// Auxiliary relations, each body once.
#[derive(Default)]
pub(crate) struct Splitter {
    known: HashMap<Definition, RelId>,
}

/// What makes an auxiliary relation: its conditions, the variables it keeps, its stratum, and whether it is the
/// domain of these variables.
type Definition = (Vec<Literal>, Vec<u32>, usize, bool);

/// Longer bodies are left as they are: to look for parts takes time that grows with the cube of the length.
pub(crate) const MOST_CONDITIONS: usize = 128;

/// Which conditions may be put into an auxiliary relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    All,
    /// Only conditions that no ground rule shows.
    Static,
}

impl Splitter {
    /// Splits a rule as long as a variable can be eliminated; the new rules are appended to `out`, each after
    /// those it uses, the rest of the rule is the last.
    pub(crate) fn split(&mut self, store: &mut FactStore, mut rule: Rule, which: Which, out: &mut Vec<Rule>) {
        while let Some(part) = self.best_part(store, &rule, which) {
            self.split_off(store, &mut rule, &part, out);
        }
        out.push(rule);
    }

    /// Splits off one part of a rule if that makes fewer instances. What is new is given back, the part last.
    pub(crate) fn split_once(&mut self, store: &mut FactStore, rule: &mut Rule) -> Option<Vec<Rule>> {
        let part = cheapest_part(store, rule)?;
        let mut new = Vec::new();
        self.split_off(store, rule, &part, &mut new);
        Some(new)
    }

    /// Replaces conditions by one for each of their variables.
    pub(crate) fn project(
        &mut self,
        store: &mut FactStore,
        rule: &mut Rule,
        is_replaced: &[bool],
        out: &mut Vec<Rule>,
    ) {
        let mut body = Vec::new();
        for (literal, is_replaced) in std::mem::take(&mut rule.body).into_iter().zip(is_replaced) {
            if !is_replaced {
                body.push(literal);
                continue;
            }
            for var in literal.vars().iter() {
                let relation = self.name(store, std::slice::from_ref(&literal), &[var], rule, false, out);
                body.push(Literal::Positive(Atom { relation, args: vec![Pattern::Var(var)] }));
            }
        }
        rule.body = body;
    }

    /// The part with the fewest variables, if naming it leaves joins with fewer variables than the rule has.
    fn best_part(&mut self, store: &mut FactStore, rule: &Rule, which: Which) -> Option<Part> {
        if !(2..=MOST_CONDITIONS).contains(&rule.body.len()) {
            return None;
        }
        let shape = BodyShape::new(store, rule, which);
        if !shape.has_inner_vars() {
            return None;
        }
        let n_vars = shape.all_vars().len();
        let key = |part: &Part| (part.vars.len(), part.kept.len());
        let mut best: Option<Part> = None;
        for var in shape.inner_vars() {
            let Some(part) = shape.part_of(var) else { continue };
            if part.vars.len() < n_vars
                && !shape.is_wider(&part)
                && best.as_ref().is_none_or(|best| key(&part) < key(best))
                && !(shape.renames(rule, &part) && is_determined(store, rule, var))
            {
                best = Some(part);
            }
        }
        let best = best?;
        // All facts of a static part are derived: there must not be many more than those of its conditions.
        if which == Which::Static {
            let sizes = sizes_of(store, rule);
            let members = || best.members().filter_map(|at| sizes[at].as_ref());
            let inside = join_size(store, members());
            let name = projected(store, &inside, |var| best.kept.contains(var));
            if name.rows > 1024.0 + 2.0 * members().map(|size| size.rows).sum::<f64>()
                || inside.rows > 256.0 + 4.0 * join_size(store, sizes.iter().flatten()).rows
            {
                return None;
            }
        }
        Some(best)
    }

    fn split_off(&mut self, store: &mut FactStore, rule: &mut Rule, part: &Part, out: &mut Vec<Rule>) {
        let kept: Vec<u32> = part.kept.iter().collect();
        let mut body: Vec<Literal> = part.replaced.iter().map(|at| rule.body[at].clone()).collect();
        for &at in &part.binding {
            body.push(self.domain(store, rule, at, part, out));
        }
        let relation = self.name(store, &body, &kept, rule, false, out);
        let mut at = 0;
        rule.body.retain(|_| {
            at += 1;
            !part.replaced.contains(at - 1)
        });
        let args = kept.into_iter().map(Pattern::Var).collect();
        rule.body.push(Literal::Positive(Atom { relation, args }));
    }

    /// The values that a condition allows for the variables of a part. The condition itself stays in the rule.
    fn domain(
        &mut self,
        store: &mut FactStore,
        rule: &Rule,
        at: usize,
        part: &Part,
        out: &mut Vec<Rule>,
    ) -> Literal {
        let literal = &rule.body[at];
        let vars = literal.vars();
        if vars.is_subset(&part.vars) && is_static(store, literal) {
            return literal.clone();
        }
        let kept: Vec<u32> = vars.iter().filter(|&var| part.vars.contains(var)).collect();
        let relation = self.name(store, std::slice::from_ref(literal), &kept, rule, true, out);
        Literal::Positive(Atom { relation, args: kept.into_iter().map(Pattern::Var).collect() })
    }

    fn name(
        &mut self,
        store: &mut FactStore,
        body: &[Literal],
        kept: &[u32],
        rule: &Rule,
        is_domain: bool,
        out: &mut Vec<Rule>,
    ) -> RelId {
        let mut renamed: Vec<Option<u32>> = vec![None; rule.n_vars];
        let mut n_vars = 0;
        let mut rename = |var: u32| {
            let new = *renamed[var as usize].get_or_insert_with(|| {
                n_vars += 1;
                n_vars - 1
            });
            Pattern::Var(new)
        };
        let mut rename_term = |term: &Pattern| term.map_vars(&mut rename);
        let literals: Vec<Literal> = body.iter().map(|literal| literal.map_terms(&mut rename_term)).collect();
        let kept: Vec<u32> =
            kept.iter().map(|&var| renamed[var as usize].expect("a variable of the part")).collect();
        // A part is derived in the stratum of its rule: other strata have their own.
        let key = (literals, kept, rule.stratum, is_domain);
        if let Some(&relation) = self.known.get(&key) {
            return relation;
        }
        // What may hold is the same in every state.
        let is_static = is_domain || key.0.iter().all(|literal| is_static(store, literal));
        let kind = if is_static { None } else { Some(Kind::Auxiliary) };
        let relation = add_auxiliary(store, key.1.len(), kind, rule.origin);
        let args = key.1.iter().map(|&var| Pattern::Var(var)).collect();
        let head = Atom { relation, args };
        out.push(Rule { n_vars: n_vars as usize, ..rule.with(head, key.0.clone()) });
        self.known.insert(key, relation);
        relation
    }
}

/// Whether a static condition has one value at most for a variable when the head is known.
fn is_determined(store: &FactStore, rule: &Rule, var: u32) -> bool {
    let head = rule.head_vars();
    rule.body.iter().any(|literal| {
        let Literal::Positive(atom) = literal else { return false };
        let unknown = only_unknown(atom, |other| other != var && head.contains(other));
        unknown.is_some_and(|(column, found)| found == var && is_function(store, atom, column))
    })
}

/// A new relation with a table of its own. It gets a name when it is printed.
pub(crate) fn add_auxiliary(
    store: &mut FactStore,
    arity: usize,
    kind: Option<Kind>,
    origin: RuleId,
) -> RelId {
    store.tables.push(Table::new(arity));
    let table = TableId::new(store.tables.len() - 1);
    store.relations.push(Relation { name: Symbol::new(0), arity, table, kind, part_of: Some(origin) });
    RelId::new(store.relations.len() - 1)
}

pub(crate) fn is_static(store: &FactStore, literal: &Literal) -> bool {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            store.relations[atom.relation.index()].is_static()
        }
        Literal::Distinct(..) => true,
    }
}
