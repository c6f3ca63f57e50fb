//! Unions: a relation that only collects others, `(<= (queen ?a ?b) (rook ?a ?b))` and `(<= (queen
//! ?a ?b) (bishop ?a ?b))`, is replaced by them where it is used. Its facts are then not stored
//! once more.

use crate::pattern::Pattern;
use crate::rule::{Atom, Literal, RelId, Rule};
use crate::rule_set::RuleSet;
use senet_terms::Terms;

/// A rule becomes at most so many.
const MOST_RULES: usize = 64;
/// After so many replacements in a rule, unions are taken to go in circles.
const MOST_REPLACEMENTS: usize = 4 * MOST_RULES;

/// Replaces those of these relations that are unions.
///
/// Negated unions stay. `None` if there is nothing to replace.
pub fn without_unions(rule_set: &RuleSet, relations: &[RelId]) -> Option<RuleSet> {
    let unions: Vec<RelId> =
        relations.iter().copied().filter(|&relation| is_union(rule_set, relation)).collect();
    let mut terms = rule_set.terms.clone();
    let mut has_changed = false;
    let mut rules = Vec::with_capacity(rule_set.rules.len());
    for rule in &rule_set.rules {
        let unfolded = unfold(rule_set, &mut terms, rule, &unions);
        has_changed |= unfolded.is_some();
        match unfolded {
            Some(unfolded) => rules.extend(unfolded),
            None => rules.push(rule.clone()),
        }
    }
    has_changed.then(|| RuleSet {
        terms,
        rules,
        relations: rule_set.relations.clone(),
        keywords: rule_set.keywords,
    })
}

/// Whether each rule of a relation has different variables in the head and one atom in the body.
fn is_union(rule_set: &RuleSet, relation: RelId) -> bool {
    let is_of_union = |rule: &Rule| {
        rule.head.has_different_variables()
            && matches!(&rule.body[..], [Literal::Positive(atom)] if atom.relation != relation)
    };
    let mut rules = rule_set.rules_of(relation).peekable();
    rules.peek().is_some() && rules.all(is_of_union)
}

/// The rules that say the same as one without unions; `None` if it has none, or if they would be
/// too many.
fn unfold(rule_set: &RuleSet, terms: &mut Terms, rule: &Rule, unions: &[RelId]) -> Option<Vec<Rule>> {
    let union_in = |rule: &Rule| {
        rule.body
            .iter()
            .position(|literal| matches!(literal, Literal::Positive(atom) if unions.contains(&atom.relation)))
    };
    union_in(rule)?;
    let mut done = Vec::new();
    let mut pending = vec![rule.clone()];
    let mut n_replaced = 0;
    while let Some(rule) = pending.pop() {
        match union_in(&rule) {
            None => done.push(rule),
            Some(at) => {
                let Literal::Positive(use_of) = &rule.body[at] else { return None };
                for part in rule_set.rules_of(use_of.relation) {
                    pending.push(replace(terms, &rule, at, use_of, part));
                }
                n_replaced += 1;
            }
        }
        if n_replaced > MOST_REPLACEMENTS || done.len() + pending.len() > MOST_RULES {
            return None;
        }
    }
    Some(done)
}

/// A rule with one of the parts of a union in place of it.
fn replace(terms: &mut Terms, rule: &Rule, at: usize, use_of: &Atom, part: &Rule) -> Rule {
    // Variables of the part that are not in its head get numbers of their own.
    let mut values: Vec<Pattern> =
        (0..part.n_vars).map(|var| Pattern::Var((rule.n_vars + var) as u32)).collect();
    for (arg, term) in part.head.args.iter().zip(&use_of.args) {
        if let Pattern::Var(var) = arg {
            values[*var as usize] = term.clone();
        }
    }
    let mut body = rule.body.clone();
    if let [Literal::Positive(atom)] = &part.body[..] {
        let mut value = |var: u32| values[var as usize].clone();
        let used = atom.map_args(&mut |arg| arg.map_vars(&mut value).with_ground_parts(terms));
        body[at] = Literal::Positive(used);
    }
    let variables = [&rule.variables[..], &part.variables[..]].concat();
    Rule { body, n_vars: variables.len(), variables, ..rule.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{relation, rule_set};

    #[test]
    fn parts_take_the_place_of_a_union() {
        let rule_set = rule_set(
            "(<= (queen ?a ?b) (rook ?a ?b)) (<= (queen ?x ?y) (bishop ?y ?x)) (rook a b) (bishop c d)
             (<= (legal robot (go ?x)) (queen ?x b) (true (at ?x))) (<= terminal (not (queen a d)))",
        );
        let queen = relation(&rule_set, "queen");
        let unfolded = without_unions(&rule_set, &[queen]).expect("it only collects");
        let uses = |rule_set: &RuleSet, relation: RelId| {
            let atoms = rule_set.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom);
            atoms.filter(|atom| atom.relation == relation).count()
        };
        // What is negated stays.
        assert_eq!((uses(&rule_set, queen), uses(&unfolded, queen)), (2, 1));
        let legal = unfolded.rules_of(unfolded.keywords.legal).collect::<Vec<_>>();
        assert_eq!(legal.len(), 2);
        let bishop = relation(&rule_set, "bishop");
        let atoms = legal.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom);
        let used = atoms.into_iter().find(|atom| atom.relation == bishop).expect("it is a part");
        assert!(matches!(used.args[..], [Pattern::Ground(_), Pattern::Var(0)]), "{used:?}");
    }

    #[test]
    fn unions_in_circles_stay() {
        let rule_set = rule_set("(<= (p ?x) (q ?x)) (<= (q ?x) (p ?x)) (<= terminal (p a))");
        assert!(without_unions(&rule_set, &[relation(&rule_set, "p"), relation(&rule_set, "q")]).is_none());
    }
}
