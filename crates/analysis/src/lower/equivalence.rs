//! Lowered rules mean what the clause means: both are evaluated on random clauses and compared.

use super::expand::Limits;
use super::lower_within;
use crate::report::Report;
use crate::scopes::Scopes;
use crate::sheet::Sheet;
use crate::{Literal, Program, build, checks, stratify};
use senet_gdl::{Description, Formula, Term, TermKind};
use std::collections::BTreeSet;

const CONSTANTS: [&str; 3] = ["a", "b", "c"];

#[test]
fn random_clauses_keep_their_meaning() {
    let mut n_compared = 0;
    let mut n_auxiliary = 0;
    let mut n_without_value = 0;
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let text = random_sheet(&mut random);
        let description = senet_gdl::parse(&text);
        assert_eq!(description.findings(), [], "{text}");
        let expected = expected(&description);
        for limits in [Limits::default(), Limits { n_rules: 3, growth: 1 }, Limits { n_rules: 1, growth: 0 }]
        {
            let Some(program) = program(&description, limits) else { continue };
            assert_eq!(derived(&program), expected, "{limits:?}\n{text}\n{}", program.to_text());
            n_compared += 1;
            n_auxiliary += usize::from(program.relations().iter().any(|relation| relation.is_auxiliary));
            let rule = description.clauses.last().expect("the rule comes last");
            n_without_value += usize::from(!Scopes::of(rule).own().is_empty());
        }
    }
    assert!(n_compared > 2_000, "only {n_compared} clauses were safe");
    assert!(n_auxiliary > 500, "only {n_auxiliary} had auxiliary relations");
    assert!(n_without_value > 500, "only {n_without_value} had a `not` with variables of its own");
}

fn program(description: &Description, limits: Limits) -> Option<Program> {
    let mut report = Report::new(description);
    let mut sheet = Sheet::new(description);
    checks::check_clauses(&mut sheet, &mut report);
    if report.has_errors(false) {
        return None;
    }
    let lowered = lower_within(limits, &mut sheet, &mut report);
    assert!(!report.has_errors(false), "a small clause can always be lowered");
    let strata = stratify::stratify(lowered.relations.len(), &lowered.rules);
    Some(build::build(lowered, strata))
}

/// A small generator, so that a failure can be repeated by its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 33) % n
    }
}

fn random_sheet(random: &mut Random) -> String {
    let mut text = String::new();
    for relation in ["p", "q"] {
        for left in CONSTANTS {
            if random.below(2) == 0 {
                text.push_str(&format!("({relation} {left})\n"));
            }
            for right in CONSTANTS {
                if random.below(3) == 0 {
                    text.push_str(&format!("({relation}2 {left} {right})\n"));
                }
            }
        }
    }
    text.push_str("(<= (h ?x ?y) (p ?x)");
    for _ in 0..2 + random.below(4) {
        text.push(' ');
        text.push_str(&random_formula(random, 3));
    }
    text.push_str(")\n");
    text
}

fn random_formula(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 6 } else { 11 }) {
        0 | 1 => format!("({} {})", ["p", "q"][random.below(2) as usize], random_term(random)),
        6 if random.below(2) == 0 => format!("(not {})", with_own_variable(random, depth - 1)),
        2 | 3 => {
            let (left, right) = (random_term(random), random_term(random));
            format!("({}2 {left} {right})", ["p", "q"][random.below(2) as usize])
        }
        4 => format!("(distinct {} {})", random_term(random), random_term(random)),
        5 => format!("(not (distinct {} {}))", random_term(random), random_term(random)),
        6 => format!("(not {})", random_formula(random, depth - 1)),
        7 => format!("(and {} {})", random_formula(random, depth - 1), random_formula(random, depth - 1)),
        _ => format!("(or {} {})", random_formula(random, depth - 1), random_formula(random, depth - 1)),
    }
}

/// A formula with one more variable, which hardly occurs elsewhere.
fn with_own_variable(random: &mut Random, depth: usize) -> String {
    let own = ["?v", "?w"][random.below(2) as usize];
    let atom = format!("({}2 {own} {})", ["p", "q"][random.below(2) as usize], random_term(random));
    match random.below(6) {
        0 | 1 => atom,
        2 => format!("(and {atom} (distinct {own} {}))", random_term(random)),
        3 => format!("(and {atom} (not (q {own})))"),
        4 => format!("(or {atom} (p {own}))"),
        _ => format!("(and {} {atom})", random_formula(random, depth)),
    }
}

fn random_term(random: &mut Random) -> &'static str {
    ["?x", "?y", "?z", "?x", "?y", "a"][random.below(6) as usize]
}

type Facts = BTreeSet<(String, Vec<String>)>;

/// What the clause concludes, by trying every value of every variable.
fn expected(description: &Description) -> BTreeSet<Vec<String>> {
    let (rule, facts) = description.clauses.split_last().expect("the rule comes last");
    let facts: Facts =
        facts.iter().map(|fact| ground(description, &fact.head.relation, &fact.head.args, &[])).collect();
    let mut heads = BTreeSet::new();
    let scopes = Scopes::of(rule);
    let all: Vec<_> = (0..rule.variables.len()).collect();
    for values in assignments(&vec![CONSTANTS[0]; all.len()], &all) {
        if rule.body.iter().all(|formula| holds(description, &scopes, formula, &values, &facts)) {
            heads.insert(ground(description, &rule.head.relation, &rule.head.args, &values).1);
        }
    }
    heads
}

/// All values of some variables, beside the known ones of the others.
fn assignments<'v>(known: &[&'v str], open: &[usize]) -> Vec<Vec<&'v str>> {
    open.iter().fold(vec![known.to_vec()], |all, &variable| {
        let with = |values: &Vec<&'v str>, constant: &'static str| {
            let mut values = values.clone();
            values[variable] = constant;
            values
        };
        all.iter().flat_map(|values| CONSTANTS.map(|constant| with(values, constant))).collect()
    })
}

fn holds(
    description: &Description,
    scopes: &Scopes,
    formula: &Formula,
    values: &[&str],
    facts: &Facts,
) -> bool {
    let holds_with = |part: &Formula, values: &[&str]| holds(description, scopes, part, values, facts);
    let holds = |part: &Formula| holds_with(part, values);
    match formula {
        Formula::Atom(atom) => facts.contains(&ground(description, &atom.relation, &atom.args, values)),
        Formula::Distinct(left, right, _) => {
            value(description, left, values) != value(description, right, values)
        }
        Formula::Not(inner, span) if scopes.has(*span) => {
            let shared = scopes.shared(inner, *span);
            let mut own = BTreeSet::new();
            inner.for_each_variable(&mut |variable, _| {
                if !shared.contains(&variable) {
                    own.insert(variable.index());
                }
            });
            let own: Vec<_> = own.into_iter().collect();
            !assignments(values, &own).iter().any(|values| holds_with(inner, values))
        }
        Formula::Not(inner, _) => !holds(inner),
        Formula::Or(parts, _) => parts.iter().any(holds),
        Formula::And(parts, _) => parts.iter().all(holds),
    }
}

fn ground(
    description: &Description,
    relation: &senet_gdl::Symbol,
    args: &[Term],
    values: &[&str],
) -> (String, Vec<String>) {
    let args = args.iter().map(|arg| value(description, arg, values)).collect();
    (description.name(*relation).to_owned(), args)
}

fn value(description: &Description, term: &Term, values: &[&str]) -> String {
    match term.kind {
        TermKind::Variable(variable) => values[variable.index()].to_owned(),
        TermKind::Constant(symbol) => description.name(symbol).to_owned(),
        TermKind::Function(..) => unreachable!("the random clauses have no functions"),
    }
}

/// What the program concludes for `h`, stratum by stratum.
fn derived(program: &Program) -> BTreeSet<Vec<String>> {
    let mut facts = Facts::new();
    for stratum in program.strata() {
        loop {
            let n_before = facts.len();
            for &rule in stratum {
                let rule = program.rule(rule);
                let mut values = vec![None; rule.variables.len()];
                let mut new = Vec::new();
                join(program, rule, 0, &mut values, &facts, &mut new);
                facts.extend(new);
            }
            if facts.len() == n_before {
                break;
            }
        }
    }
    facts.into_iter().filter(|(name, _)| name == "h").map(|(_, args)| args).collect()
}

fn join(
    program: &Program,
    rule: &crate::Rule,
    at: usize,
    values: &mut Vec<Option<String>>,
    facts: &Facts,
    new: &mut Vec<(String, Vec<String>)>,
) {
    let text = |term: &Term, values: &[Option<String>]| match term.kind {
        TermKind::Variable(variable) => values[variable.index()].clone(),
        TermKind::Constant(symbol) => Some(program.symbols().name(symbol).to_owned()),
        TermKind::Function(..) => unreachable!("the random clauses have no functions"),
    };
    let instance = |atom: &crate::Atom, values: &[Option<String>]| {
        let args = atom.args.iter().map(|arg| text(arg, values).expect("bound by an earlier literal"));
        (program.symbols().name(program.relation(atom.relation).name).to_owned(), args.collect())
    };
    match rule.body.get(at) {
        None => new.push(instance(&rule.head, values)),
        Some(Literal::Negative(atom)) => {
            if !facts.contains(&instance(atom, values)) {
                join(program, rule, at + 1, values, facts, new);
            }
        }
        Some(Literal::Distinct(left, right, _)) => {
            if text(left, values).expect("bound") != text(right, values).expect("bound") {
                join(program, rule, at + 1, values, facts, new);
            }
        }
        Some(Literal::Positive(atom)) => {
            let name = program.symbols().name(program.relation(atom.relation).name);
            for (_, args) in
                facts.iter().filter(|(other, args)| other == name && args.len() == atom.args.len())
            {
                let before = values.clone();
                let matches = atom.args.iter().zip(args).all(|(pattern, arg)| match text(pattern, values) {
                    Some(known) => known == *arg,
                    None => {
                        if let TermKind::Variable(variable) = pattern.kind {
                            values[variable.index()] = Some(arg.clone());
                        }
                        true
                    }
                });
                if matches {
                    join(program, rule, at + 1, values, facts, new);
                }
                *values = before;
            }
        }
    }
}
