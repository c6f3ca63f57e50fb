//! Conditions without connectives that GDL leaves to the reader: negation is
//! pushed down to atoms, and tests wait until their variables are bound.

use rustc_hash::{FxHashMap, FxHashSet};
use senet_gdl::{Atom, Formula, Term};

/// A condition of a body.
#[derive(Clone, Debug)]
pub(crate) enum Goal<'a> {
    Holds(&'a Atom),
    Fails(&'a Atom),
    Distinct(&'a Term, &'a Term),
    Equal(&'a Term, &'a Term),
    All(Vec<Goal<'a>>),
    Any(Vec<Goal<'a>>),
}

type Variables = FxHashSet<usize>;

/// Pushes negation down to atoms by the laws of De Morgan.
pub(crate) fn goal(formula: &Formula, negated: bool) -> Goal<'_> {
    match (formula, negated) {
        (Formula::Atom(atom), false) => Goal::Holds(atom),
        (Formula::Atom(atom), true) => Goal::Fails(atom),
        (Formula::Distinct(left, right, _), false) => Goal::Distinct(left, right),
        (Formula::Distinct(left, right, _), true) => Goal::Equal(left, right),
        (Formula::Not(inner, _), _) => goal(inner, !negated),
        (Formula::And(parts, _), false) | (Formula::Or(parts, _), true) => Goal::All(goals(parts, negated)),
        (Formula::Or(parts, _), false) | (Formula::And(parts, _), true) => Goal::Any(goals(parts, negated)),
    }
}

fn goals(parts: &[Formula], negated: bool) -> Vec<Goal<'_>> {
    parts.iter().map(|part| goal(part, negated)).collect()
}

impl Goal<'_> {
    /// The variables that must be bound before this goal is asked.
    fn needs(&self) -> Variables {
        match self {
            Goal::Holds(_) | Goal::Equal(..) => Variables::default(),
            Goal::Fails(_) | Goal::Distinct(..) => self.variables(),
            Goal::All(parts) => {
                let bound = self.binds();
                parts.iter().flat_map(Goal::needs).filter(|variable| !bound.contains(variable)).collect()
            }
            Goal::Any(parts) => parts.iter().flat_map(Goal::needs).collect(),
        }
    }

    /// The variables that are bound after it.
    pub(crate) fn binds(&self) -> Variables {
        match self {
            Goal::Holds(_) | Goal::Equal(..) => self.variables(),
            Goal::Fails(_) | Goal::Distinct(..) => Variables::default(),
            Goal::All(parts) => parts.iter().flat_map(Goal::binds).collect(),
            Goal::Any(parts) => {
                let mut sets = parts.iter().map(Goal::binds);
                let first = sets.next().unwrap_or_default();
                sets.fold(first, |common, set| common.intersection(&set).copied().collect())
            }
        }
    }

    fn variables(&self) -> Variables {
        let mut found = Variables::default();
        let mut note = |variable: senet_gdl::VarId, _| {
            found.insert(variable.index());
        };
        match self {
            Goal::Holds(atom) | Goal::Fails(atom) => atom.for_each_variable(&mut note),
            Goal::Distinct(left, right) | Goal::Equal(left, right) => {
                left.for_each_variable(&mut note);
                right.for_each_variable(&mut note);
            }
            Goal::All(_) | Goal::Any(_) => unreachable!("asked of literals only"),
        }
        found
    }
}

fn all_bound(term: &Term, bound: &Variables) -> bool {
    let mut all = true;
    term.for_each_variable(&mut |variable, _| all &= bound.contains(&variable.index()));
    all
}

/// Whether every equality in a goal has one side that is known when it is asked, which gives the other.
fn sides_known(goal: &Goal<'_>, bound: &Variables) -> bool {
    match goal {
        Goal::Holds(_) | Goal::Fails(_) | Goal::Distinct(..) => true,
        Goal::Equal(left, right) => all_bound(left, bound) || all_bound(right, bound),
        Goal::Any(parts) => parts.iter().all(|part| sides_known(part, bound)),
        Goal::All(parts) => {
            let mut bound = bound.clone();
            let mut waiting: Vec<_> = parts.iter().collect();
            loop {
                let n_waiting = waiting.len();
                waiting.retain(|part| {
                    let known = sides_known(part, &bound);
                    if known {
                        bound.extend(part.binds());
                    }
                    !known
                });
                if waiting.is_empty() || waiting.len() == n_waiting {
                    return waiting.is_empty();
                }
            }
        }
    }
}

/// Puts each test behind the goals that bind its variables, at every level,
/// and otherwise keeps the order. What can never be bound comes last, where
/// asking it is an error. Adds what the goals bind to `bound`.
pub(crate) fn ordered<'a>(goals: Vec<Goal<'a>>, bound: &mut Variables) -> Vec<Goal<'a>> {
    let mut order = Vec::with_capacity(goals.len());
    let mut waiting: FxHashMap<usize, (Goal<'a>, usize)> = FxHashMap::default();
    let mut waiters: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut equalities: Vec<Goal<'a>> = Vec::new();
    for (at, goal) in goals.into_iter().enumerate() {
        if !sides_known(&goal, bound) {
            equalities.push(goal);
        } else {
            let unmet: Vec<_> =
                goal.needs().into_iter().filter(|variable| !bound.contains(variable)).collect();
            if !unmet.is_empty() {
                waiting.insert(at, (goal, unmet.len()));
                unmet.into_iter().for_each(|variable| waiters.entry(variable).or_default().push(at));
                continue;
            }
            take(goal, &mut order, bound, &mut waiting, &mut waiters);
        }
        while let Some(ready) =
            equalities.iter().position(|goal| sides_known(goal, bound) && goal.needs().is_subset(bound))
        {
            take(equalities.remove(ready), &mut order, bound, &mut waiting, &mut waiters);
        }
    }
    order.append(&mut equalities);
    let mut never_ready: Vec<_> = waiting.into_iter().collect();
    never_ready.sort_unstable_by_key(|&(at, _)| at);
    order.extend(never_ready.into_iter().map(|(_, (goal, _))| goal));
    order
}

/// Appends a goal, and every test that waited only for what it binds.
fn take<'a>(
    goal: Goal<'a>,
    order: &mut Vec<Goal<'a>>,
    bound: &mut Variables,
    waiting: &mut FxHashMap<usize, (Goal<'a>, usize)>,
    waiters: &mut FxHashMap<usize, Vec<usize>>,
) {
    let mut ready = vec![goal];
    while let Some(goal) = ready.pop() {
        let binds = goal.binds();
        order.push(inside_ordered(goal, bound));
        let newly = binds.into_iter().filter(|&variable| bound.insert(variable)).collect::<Vec<_>>();
        let mut woken = Vec::new();
        for at in newly.iter().filter_map(|variable| waiters.remove(variable)).flatten() {
            let (_, unmet) = waiting.get_mut(&at).expect("a waiting goal");
            *unmet -= 1;
            if *unmet == 0 {
                woken.push(at);
            }
        }
        woken.sort_unstable();
        let woken = woken.into_iter().rev();
        ready.extend(woken.map(|at| waiting.remove(&at).expect("a waiting goal").0));
    }
}

/// Orders the parts of a goal that is asked when `bound` is bound.
fn inside_ordered<'a>(goal: Goal<'a>, bound: &mut Variables) -> Goal<'a> {
    match goal {
        Goal::All(parts) => {
            let added: Vec<_> =
                parts.iter().flat_map(Goal::binds).filter(|variable| !bound.contains(variable)).collect();
            let parts = ordered(parts, bound);
            added.iter().for_each(|variable| {
                bound.remove(variable);
            });
            Goal::All(parts)
        }
        Goal::Any(parts) => Goal::Any(parts.into_iter().map(|part| inside_ordered(part, bound)).collect()),
        literal => literal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_of(rule: &str) -> String {
        let (description, diagnostics) = senet_gdl::parse(rule);
        assert!(diagnostics.is_empty());
        let clause = &description.clauses[0];
        let goals = clause.body.iter().map(|formula| goal(formula, false)).collect();
        let text = |goal: &Goal<'_>| match goal {
            Goal::Holds(atom) => description.show_atom(clause, atom),
            Goal::Fails(atom) => format!("~{}", description.show_atom(clause, atom)),
            Goal::Distinct(left, right) => {
                format!("{}!={}", description.show_term(clause, left), description.show_term(clause, right))
            }
            Goal::Equal(left, right) => {
                format!("{}={}", description.show_term(clause, left), description.show_term(clause, right))
            }
            Goal::All(parts) => format!("all{}", parts.len()),
            Goal::Any(parts) => format!("any{}", parts.len()),
        };
        let order = ordered(goals, &mut Variables::default());
        order.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tests_wait_for_their_variables() {
        assert_eq!(
            order_of("(<= h (distinct ?x ?y) (not (r ?x)) (p ?x) (q ?y))"),
            "(p ?x) ~(r ?x) (q ?y) ?x!=?y"
        );
    }

    #[test]
    fn a_disjunction_waits_for_what_a_branch_tests() {
        assert_eq!(order_of("(<= h (or (not (r ?x)) (s ?x)) (p ?x))"), "(p ?x) any2");
        assert_eq!(order_of("(<= h (or (r ?x) (s ?x)) (not (p ?x)))"), "any2 ~(p ?x)");
    }

    #[test]
    fn negation_is_pushed_down() {
        assert_eq!(order_of("(<= h (p ?x) (not (or (q ?x) (not (r ?x)))))"), "(p ?x) all2");
        assert_eq!(order_of("(<= h (not (not (p a))) (not (and a b)))"), "(p a) any2");
    }

    #[test]
    fn an_equality_waits_until_one_side_is_known() {
        assert_eq!(order_of("(<= h (not (distinct ?x ?y)) (not (r ?y)) (p ?x))"), "(p ?x) ?x=?y ~(r ?y)");
    }

    #[test]
    fn what_is_never_bound_comes_last() {
        assert_eq!(order_of("(<= h (not (r ?x)) (p ?y))"), "(p ?y) ~(r ?x)");
    }
}
