//! The meaning of a rulesheet, computed in the plainest way: from facts to consequences, every rule with
//! every combination of facts, again and again until nothing is new.

use senet_gdl::{Atom, Description, Formula, Keyword, Symbol, Term, TermKind, VarId, write_term};
use std::collections::{BTreeMap, BTreeSet};

/// A term without variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ground(Symbol, Vec<Ground>);

/// What holds, by name and number of arguments.
pub(crate) type Facts = BTreeMap<(Symbol, usize), BTreeSet<Vec<Ground>>>;

#[derive(Clone)]
enum Literal<'a> {
    Holds(&'a Atom),
    Fails(&'a Atom),
    Distinct(&'a Term, &'a Term),
    Equal(&'a Term, &'a Term),
    /// None of the conjunctions holds, whatever the values of their own variables.
    NoValue(Vec<Vec<Literal<'a>>>),
}

struct Rule<'a> {
    head: &'a Atom,
    body: Vec<Literal<'a>>,
    n_variables: usize,
}

/// A rulesheet as rules without `or`.
pub(crate) struct Evaluator<'a> {
    description: &'a Description,
    rules: Vec<Rule<'a>>,
}

type Environment = Vec<Option<Ground>>;

impl<'a> Evaluator<'a> {
    pub(crate) fn new(description: &'a Description) -> Self {
        let mut rules = Vec::new();
        for clause in &description.clauses {
            let mut count = vec![0; clause.variables.len()];
            let mut note = |variable: VarId, _| count[variable.index()] += 1;
            clause.head.for_each_variable(&mut note);
            clause.body.iter().for_each(|formula| formula.for_each_variable(&mut note));
            for body in product(clause.body.iter().map(|formula| alternatives(formula, false, &count))) {
                rules.push(Rule { head: &clause.head, body, n_variables: clause.variables.len() });
            }
        }
        Self { description, rules }
    }

    /// Everything that holds where these fluents are true and these moves are made; `None` if something
    /// depends on its own negation.
    ///
    /// What is certain and what is possible are computed in turn, each from the other's negations, until
    /// neither changes. Where negation can be ordered, between relations or between ground atoms, they meet.
    pub(crate) fn model(&self, fluents: &[Ground], moves: &[[Ground; 2]]) -> Option<Facts> {
        let mut given = Facts::new();
        let key = |keyword, arity| (self.description.symbol_of(keyword), arity);
        given
            .entry(key(Keyword::True, 1))
            .or_default()
            .extend(fluents.iter().map(|fluent| vec![fluent.clone()]));
        given.entry(key(Keyword::Does, 2)).or_default().extend(moves.iter().map(|row| row.to_vec()));
        let mut certain = Facts::new();
        loop {
            let possible = self.consequences(given.clone(), &certain);
            let more_certain = self.consequences(given.clone(), &possible);
            if more_certain == certain {
                return (certain == possible).then_some(certain);
            }
            certain = more_certain;
        }
    }

    /// The least set closed under the rules, with `not` read as absence from `negated`.
    fn consequences(&self, mut facts: Facts, negated: &Facts) -> Facts {
        loop {
            let mut new = Vec::new();
            for rule in &self.rules {
                for environment in matches(&rule.body, vec![None; rule.n_variables], &facts, negated) {
                    let row: Vec<_> = rule.head.args.iter().map(|term| ground(term, &environment)).collect();
                    new.push(((rule.head.relation, row.len()), row));
                }
            }
            let mut changed = false;
            for (relation, row) in new {
                changed |= facts.entry(relation).or_default().insert(row);
            }
            if !changed {
                return facts;
            }
        }
    }

    /// The rows of a reserved relation.
    pub(crate) fn rows(&self, facts: &Facts, keyword: Keyword) -> Vec<Vec<Ground>> {
        let arity = keyword.arity().expect("a reserved relation");
        let rows = facts.get(&(self.description.symbol_of(keyword), arity));
        rows.into_iter().flatten().cloned().collect()
    }

    pub(crate) fn text(&self, term: &Ground) -> String {
        fn syntax(Ground(symbol, args): &Ground) -> Term {
            let kind = if args.is_empty() {
                TermKind::Constant(*symbol)
            } else {
                TermKind::Function(*symbol, args.iter().map(syntax).collect())
            };
            Term { kind, span: senet_gdl::Span::default() }
        }
        let mut out = String::new();
        write_term(&mut out, &syntax(term), &self.description.symbols, &[]);
        out
    }
}

/// The ways to give values to the variables of a conjunction that have none yet.
fn matches(
    body: &[Literal<'_>],
    environment: Environment,
    facts: &Facts,
    negated: &Facts,
) -> Vec<Environment> {
    let mut environments = vec![environment];
    for literal in body {
        let Literal::Holds(atom) = literal else { continue };
        let rows = facts.get(&(atom.relation, atom.args.len()));
        let extended = environments.iter().flat_map(|environment| {
            rows.into_iter().flatten().filter_map(|row| {
                let mut environment = environment.clone();
                let mut pairs = atom.args.iter().zip(row);
                pairs.all(|(pattern, term)| fits(pattern, term, &mut environment)).then_some(environment)
            })
        });
        environments = extended.collect();
    }
    environments.retain_mut(|environment| equalities_hold(body, environment));
    environments.retain(|environment| {
        body.iter().all(|literal| match literal {
            Literal::Holds(_) | Literal::Equal(..) => true,
            Literal::Distinct(left, right) => ground(left, environment) != ground(right, environment),
            Literal::Fails(atom) => {
                let row: Vec<_> = atom.args.iter().map(|term| ground(term, environment)).collect();
                !negated.get(&(atom.relation, row.len())).is_some_and(|rows| rows.contains(&row))
            }
            // Below `not`, what is negated and what is not change places.
            Literal::NoValue(conjunctions) => {
                conjunctions.iter().all(|body| matches(body, environment.clone(), negated, facts).is_empty())
            }
        })
    });
    environments
}

/// Takes equalities as they become decidable: one side known gives the other.
fn equalities_hold(body: &[Literal<'_>], environment: &mut Environment) -> bool {
    let equality = |literal: &Literal<'_>| matches!(literal, Literal::Equal(..));
    let n_equalities = body.iter().filter(|literal| equality(literal)).count();
    // Each pass decides at least one more.
    for _ in 0..n_equalities {
        for literal in body {
            let Literal::Equal(left, right) = literal else { continue };
            let (known, other) = match (try_ground(left, environment), try_ground(right, environment)) {
                (Some(term), _) => (term, right),
                (None, Some(term)) => (term, left),
                (None, None) => continue,
            };
            if !fits(other, &known, environment) {
                return false;
            }
        }
    }
    true
}

/// The conjunctions that a formula is a disjunction of, in a clause in which each variable occurs so often.
fn alternatives<'a>(formula: &'a Formula, negated: bool, count: &[usize]) -> Vec<Vec<Literal<'a>>> {
    match (formula, negated) {
        (Formula::Atom(atom), false) => vec![vec![Literal::Holds(atom)]],
        (Formula::Atom(atom), true) => vec![vec![Literal::Fails(atom)]],
        (Formula::Distinct(left, right, _), false) => vec![vec![Literal::Distinct(left, right)]],
        (Formula::Distinct(left, right, _), true) => vec![vec![Literal::Equal(left, right)]],
        (Formula::Not(inner, _), false) if has_own_variable(inner, count) => {
            vec![vec![Literal::NoValue(alternatives(inner, false, count))]]
        }
        (Formula::Not(inner, _), _) => alternatives(inner, !negated, count),
        (Formula::Or(parts, _), false) | (Formula::And(parts, _), true) => {
            parts.iter().flat_map(|part| alternatives(part, negated, count)).collect()
        }
        (Formula::And(parts, _), false) | (Formula::Or(parts, _), true) => {
            product(parts.iter().map(|part| alternatives(part, negated, count)))
        }
    }
}

/// Whether a variable occurs in this formula only.
fn has_own_variable(formula: &Formula, count: &[usize]) -> bool {
    let mut inside = vec![0; count.len()];
    formula.for_each_variable(&mut |variable, _| inside[variable.index()] += 1);
    inside.iter().zip(count).any(|(&inside, &all)| inside > 0 && inside == all)
}

fn product<'a>(factors: impl Iterator<Item = Vec<Vec<Literal<'a>>>>) -> Vec<Vec<Literal<'a>>> {
    factors.fold(vec![Vec::new()], |done, factor| {
        let pairs = done.iter().flat_map(|left| factor.iter().map(move |right| (left, right)));
        pairs.map(|(left, right)| left.iter().chain(right).cloned().collect()).collect()
    })
}

fn fits(pattern: &Term, term: &Ground, environment: &mut Environment) -> bool {
    match &pattern.kind {
        TermKind::Variable(variable) => {
            environment[variable.index()].get_or_insert_with(|| term.clone()) == term
        }
        TermKind::Constant(symbol) => *symbol == term.0 && term.1.is_empty(),
        TermKind::Function(symbol, args) => {
            *symbol == term.0
                && args.len() == term.1.len()
                && args.iter().zip(&term.1).all(|(arg, term)| fits(arg, term, environment))
        }
    }
}

fn try_ground(term: &Term, environment: &Environment) -> Option<Ground> {
    Some(match &term.kind {
        TermKind::Variable(variable) => environment[variable.index()].clone()?,
        TermKind::Constant(symbol) => Ground(*symbol, Vec::new()),
        TermKind::Function(symbol, args) => {
            Ground(*symbol, args.iter().map(|arg| try_ground(arg, environment)).collect::<Option<_>>()?)
        }
    })
}

fn ground(term: &Term, environment: &Environment) -> Ground {
    try_ground(term, environment).expect("generated rules are safe")
}
