//! Unions: a relation that only collects others, `(<= (queen ?a ?b) (rook ?a ?b))` and `(<= (queen ?a ?b) (bishop ?a ?b))`,
//! is replaced by them where it is used. Its facts are then not stored once more.

use crate::mini::{Atom, Literal, Mini, Pattern, RelId, Rule};
use senet_terms::Terms;

/// A rule becomes at most so many.
const MOST_RULES: usize = 64;
/// After so many replacements in a rule, unions are taken to go in circles.
const MOST_REPLACEMENTS: usize = 4 * MOST_RULES;

/// Replaces those of these relations that are unions, wherever they are used but not negated. `None` if there is nothing to
/// replace.
pub fn without_unions(mini: &Mini, relations: &[RelId]) -> Option<Mini> {
    let unions: Vec<RelId> = relations.iter().copied().filter(|&relation| is_union(mini, relation)).collect();
    let mut terms = mini.terms.clone();
    let mut has_changed = false;
    let mut rules = Vec::with_capacity(mini.rules.len());
    for rule in &mini.rules {
        let unfolded = unfold(mini, &mut terms, rule, &unions);
        has_changed |= unfolded.is_some();
        match unfolded {
            Some(unfolded) => rules.extend(unfolded),
            None => rules.push(rule.clone()),
        }
    }
    has_changed.then(|| Mini { terms, rules, relations: mini.relations.clone(), keywords: mini.keywords })
}

/// Whether each rule of a relation has different variables in the head and one atom in the body.
fn is_union(mini: &Mini, relation: RelId) -> bool {
    let is_of_union = |rule: &Rule| {
        rule.head.has_different_variables()
            && matches!(&rule.body[..], [Literal::Positive(atom)] if atom.relation != relation)
    };
    let mut rules = definition(mini, relation).peekable();
    rules.peek().is_some() && rules.all(is_of_union)
}

fn definition(mini: &Mini, relation: RelId) -> impl Iterator<Item = &Rule> {
    mini.rules.iter().filter(move |rule| rule.head.relation == relation)
}

/// The rules that say the same as one without unions; `None` if it has none, or if they would be too many.
fn unfold(mini: &Mini, terms: &mut Terms, rule: &Rule, unions: &[RelId]) -> Option<Vec<Rule>> {
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
                for part in definition(mini, use_of.relation) {
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
fn replace(all_terms: &mut Terms, rule: &Rule, at: usize, use_of: &Atom, part: &Rule) -> Rule {
    // Variables of the part that are not in its head get numbers of their own.
    let mut terms: Vec<Pattern> =
        (0..part.n_vars).map(|var| Pattern::Var((rule.n_vars + var) as u32)).collect();
    for (arg, term) in part.head.args.iter().zip(&use_of.args) {
        if let Pattern::Var(var) = arg {
            terms[*var as usize] = term.clone();
        }
    }
    let mut body = rule.body.clone();
    if let [Literal::Positive(atom)] = &part.body[..] {
        let args = atom.args.iter().map(|arg| substitute(all_terms, arg, &terms)).collect();
        body[at] = Literal::Positive(Atom { relation: atom.relation, args });
    }
    let variables = [&rule.variables[..], &part.variables[..]].concat();
    Rule { body, n_vars: variables.len(), variables, ..rule.clone() }
}

fn substitute(all_terms: &mut Terms, pattern: &Pattern, by_var: &[Pattern]) -> Pattern {
    match pattern {
        Pattern::Var(var) => by_var[*var as usize].clone(),
        Pattern::Ground(term) => Pattern::Ground(*term),
        Pattern::App(functor, args) => {
            let args = args.iter().map(|arg| substitute(all_terms, arg, by_var)).collect();
            Pattern::apply(all_terms, *functor, args)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{mini, relation};

    #[test]
    fn parts_take_the_place_of_a_union() {
        let mini = mini(
            "(<= (queen ?a ?b) (rook ?a ?b)) (<= (queen ?x ?y) (bishop ?y ?x)) (rook a b) (bishop c d)
             (<= (legal robot (go ?x)) (queen ?x b) (true (at ?x))) (<= terminal (not (queen a d)))",
        );
        let queen = relation(&mini, "queen");
        let unfolded = without_unions(&mini, &[queen]).expect("it only collects");
        let uses = |mini: &Mini, relation: RelId| {
            let atoms = mini.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom);
            atoms.filter(|atom| atom.relation == relation).count()
        };
        // What is negated stays.
        assert_eq!((uses(&mini, queen), uses(&unfolded, queen)), (2, 1));
        let legal = definition(&unfolded, unfolded.keywords.legal).collect::<Vec<_>>();
        assert_eq!(legal.len(), 2);
        let bishop = relation(&mini, "bishop");
        let atoms = legal.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom);
        let used = atoms.into_iter().find(|atom| atom.relation == bishop).expect("it is a part");
        assert!(matches!(used.args[..], [Pattern::Ground(_), Pattern::Var(0)]), "{used:?}");
    }

    #[test]
    fn unions_in_circles_stay() {
        let mini = mini("(<= (p ?x) (q ?x)) (<= (q ?x) (p ?x)) (<= terminal (p a))");
        assert!(without_unions(&mini, &[relation(&mini, "p"), relation(&mini, "q")]).is_none());
    }
}
