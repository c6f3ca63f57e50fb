//! Conditions without connectives that GDL leaves to the reader: negation is
//! pushed down to atoms, and tests wait until their variables are bound.

use crate::scopes::Scopes;
use rustc_hash::{FxHashMap, FxHashSet};
use senet_gdl::{Atom, Clause, Formula, Term, TermKind};

/// A condition of a body. An `All` stands only inside an `Any`, and never the other way around twice.
#[derive(Clone, Debug)]
pub(crate) enum Goal<'a> {
    Holds(&'a Atom),
    Fails(&'a Atom),
    Distinct(&'a Term, &'a Term),
    /// Both sides are known when this is asked.
    Equal(&'a Term, &'a Term),
    /// The known side gives the other one: the variables that nothing has bound before.
    Gives {
        known: &'a Term,
        other: &'a Term,
        gives: Variables,
    },
    /// Some values of the variables that nothing binds make the sides of each pair equal.
    AllEqual(Vec<[&'a Term; 2]>),
    /// No values make all goals hold where the shared variables have theirs.
    NoValue {
        goals: Vec<Goal<'a>>,
        shared: Variables,
    },
    All(Vec<Goal<'a>>),
    Any(Vec<Goal<'a>>),
}

pub(crate) type Variables = FxHashSet<usize>;

/// How often equalities are directed by what disjunctions bind whose own
/// equalities were directed in the pass before. Rules people write need two.
const MOST_PASSES: usize = 64;

/// Goals of disjunctions that wait for each other are copied so often, for each combination of branches.
const MOST_COPIES: usize = 10_000;

/// The conditions of a clause in the order in which they are asked: each test
/// behind the goals that bind its variables, at every level, and otherwise as
/// written. What can never be bound comes last, where asking it is an error.
pub(crate) fn conditions(clause: &Clause) -> Vec<Goal<'_>> {
    let mut scopes = Scopes::new(clause);
    let mut goals = directed(clause, &scopes);
    // A `not` that gets variables for itself may leave others without a value.
    for _ in 0..MOST_PASSES {
        let mut without_value = Variables::default();
        note_without_value(&goals, &mut Variables::default(), &mut without_value);
        if !scopes.settle(&without_value) {
            break;
        }
        goals = directed(clause, &scopes);
    }
    ordered(goals, &mut Variables::default())
}

fn directed<'a>(clause: &'a Clause, scopes: &Scopes) -> Vec<Goal<'a>> {
    let mut goals = parts(&clause.body, false, true, scopes);
    direct_all(&mut goals, &Variables::default());
    goals
}

fn direct_all(goals: &mut [Goal<'_>], bound: &Variables) {
    for _ in 0..MOST_PASSES {
        if !direct_equalities(goals, bound) {
            break;
        }
    }
}

/// Pushes negation down to atoms by the laws of De Morgan, as far as no `not` has variables for itself.
fn goal<'a>(formula: &'a Formula, negated: bool, scopes: &Scopes) -> Goal<'a> {
    match (formula, negated) {
        (Formula::Atom(atom), false) => Goal::Holds(atom),
        (Formula::Atom(atom), true) => Goal::Fails(atom),
        (Formula::Distinct(left, right, _), false) => Goal::Distinct(left, right),
        (Formula::Distinct(left, right, _), true) if is_always_equal(left, right, scopes) => {
            Goal::All(Vec::new())
        }
        (Formula::Distinct(left, right, _), true) => Goal::Equal(left, right),
        (Formula::Not(inner, span), false) if scopes.has(*span) => {
            let goals = parts(std::slice::from_ref(&**inner), false, true, scopes);
            // Not the variables of the formula: an equality that always holds is no goal.
            let mut shared = Variables::default();
            goals.iter().for_each(|goal| goal.note_variables(&mut shared));
            shared.retain(|&variable| !scopes.occurrences.is_only_below(variable, *span));
            Goal::NoValue { goals, shared }
        }
        (Formula::Not(inner, _), _) => goal(inner, !negated, scopes),
        (Formula::And(formulas, _), false) | (Formula::Or(formulas, _), true) => {
            Goal::All(parts(formulas, negated, true, scopes))
        }
        (Formula::Or(formulas, _), false) | (Formula::And(formulas, _), true) => {
            Goal::Any(parts(formulas, negated, false, scopes))
        }
    }
}

/// Whether the sides are one variable, or a side is one that occurs nowhere else: it can have the value of the
/// other side.
fn is_always_equal(left: &Term, right: &Term, scopes: &Scopes) -> bool {
    let variable = |term: &Term| match term.kind {
        TermKind::Variable(variable) => Some(variable.index()),
        _ => None,
    };
    let sides = [variable(left), variable(right)];
    sides[0].is_some() && sides[0] == sides[1]
        || sides.into_iter().flatten().any(|variable| scopes.occurrences.is_single(variable))
}

/// Notes the variables of tests for which no goal finds a value. Those in `known` have one.
fn note_without_value(goals: &[Goal<'_>], known: &mut Variables, found: &mut Variables) {
    let binds: Vec<_> =
        goals.iter().flat_map(Goal::binds).filter(|&variable| known.insert(variable)).collect();
    for goal in goals {
        match goal {
            Goal::Fails(_) | Goal::Distinct(..) | Goal::NoValue { .. } => {
                found.extend(goal.needs().difference(known));
            }
            Goal::Holds(_)
            | Goal::Equal(..)
            | Goal::Gives { .. }
            | Goal::AllEqual(_)
            | Goal::All(_)
            | Goal::Any(_) => {}
        }
        match goal {
            Goal::NoValue { goals, .. } | Goal::All(goals) => note_without_value(goals, known, found),
            Goal::Any(branches) => {
                for branch in branches {
                    note_without_value(std::slice::from_ref(branch), known, found);
                }
            }
            _ => {}
        }
    }
    binds.iter().for_each(|variable| {
        known.remove(variable);
    });
}

/// The goals of a conjunction or a disjunction; those of the same kind inside it become its own.
fn parts<'a>(formulas: &'a [Formula], negated: bool, conjunction: bool, scopes: &Scopes) -> Vec<Goal<'a>> {
    let mut goals = Vec::with_capacity(formulas.len());
    for formula in formulas {
        match goal(formula, negated, scopes) {
            Goal::All(inner) if conjunction => goals.extend(inner),
            Goal::Any(inner) if !conjunction => goals.extend(inner),
            other => goals.push(other),
        }
    }
    goals
}

impl<'a> Goal<'a> {
    /// The variables that must be bound before this goal is asked.
    fn needs(&self) -> Variables {
        match self {
            Goal::Holds(_) | Goal::AllEqual(_) => Variables::default(),
            Goal::Fails(atom) => variables_of(&atom.args),
            Goal::Distinct(left, right) | Goal::Equal(left, right) => variables_of([*left, *right]),
            Goal::Gives { known, .. } => variables_of([*known]),
            Goal::NoValue { shared, .. } => shared.clone(),
            Goal::All(parts) => {
                let bound = self.binds();
                parts.iter().flat_map(Goal::needs).filter(|variable| !bound.contains(variable)).collect()
            }
            Goal::Any(parts) => parts.iter().flat_map(Goal::needs).collect(),
        }
    }

    /// Notes the variables in it, but for those that a `not` has for itself.
    fn note_variables(&self, found: &mut Variables) {
        match self {
            Goal::Holds(atom) | Goal::Fails(atom) => found.extend(variables_of(&atom.args)),
            Goal::Distinct(left, right)
            | Goal::Equal(left, right)
            | Goal::Gives { known: left, other: right, .. } => found.extend(variables_of([*left, *right])),
            Goal::AllEqual(pairs) => found.extend(variables_of(pairs.iter().copied().flatten())),
            Goal::NoValue { shared, .. } => found.extend(shared),
            Goal::All(parts) | Goal::Any(parts) => parts.iter().for_each(|part| part.note_variables(found)),
        }
    }

    /// The sides of an equality that is not directed.
    fn sides(&self) -> Option<[&'a Term; 2]> {
        match self {
            Goal::Equal(left, right) => Some([left, right]),
            _ => None,
        }
    }

    /// How many ways there are to take a branch of each disjunction; a disjunction counts too.
    fn n_combinations(&self) -> usize {
        match self {
            Goal::All(parts) => parts.iter().map(Goal::n_combinations).fold(1, usize::saturating_mul),
            Goal::Any(parts) => parts.iter().map(Goal::n_combinations).fold(1, usize::saturating_add),
            _ => 1,
        }
    }

    /// The variables that are bound after it.
    fn binds(&self) -> Variables {
        match self {
            Goal::Holds(atom) => variables_of(&atom.args),
            Goal::Fails(_)
            | Goal::Distinct(..)
            | Goal::Equal(..)
            | Goal::AllEqual(_)
            | Goal::NoValue { .. } => Variables::default(),
            Goal::Gives { gives, .. } => gives.clone(),
            Goal::All(parts) => parts.iter().flat_map(Goal::binds).collect(),
            Goal::Any(parts) => {
                let mut sets = parts.iter().map(Goal::binds);
                let first = sets.next().unwrap_or_default();
                sets.fold(first, |common, set| common.intersection(&set).copied().collect())
            }
        }
    }
}

fn variables_of<'a>(terms: impl IntoIterator<Item = &'a Term>) -> Variables {
    let mut found = Variables::default();
    for term in terms {
        term.for_each_variable(&mut |variable, _| {
            found.insert(variable.index());
        });
    }
    found
}

/// One way to ask a goal: what must be bound before, what is bound then.
struct Way {
    goal: usize,
    unmet: usize,
    binds: Variables,
    /// The known and the other side, of an equality.
    sides: Option<[usize; 2]>,
}

/// Asks whatever can be asked of a conjunction and lets every equality whose
/// one side is known by then give the other one, inside disjunctions too.
/// Says whether one was directed: what it gives may direct others.
fn direct_equalities(goals: &mut [Goal<'_>], bound_around: &Variables) -> bool {
    let mut bound = bound_around.clone();
    let mut ways = Vec::new();
    let mut waiters: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut ready = Vec::new();
    for (goal, parts) in goals.iter().enumerate() {
        let mut way = |needs: Variables, binds: Variables, sides| {
            let missing: Vec<_> = needs.into_iter().filter(|variable| !bound.contains(variable)).collect();
            if missing.is_empty() {
                ready.push(ways.len());
            }
            let unmet = missing.len();
            missing.into_iter().for_each(|variable| waiters.entry(variable).or_default().push(ways.len()));
            ways.push(Way { goal, unmet, binds, sides });
        };
        match parts {
            Goal::Fails(_) | Goal::Distinct(..) | Goal::NoValue { .. } => {}
            Goal::Equal(left, right) => {
                let sides = [variables_of([*left]), variables_of([*right])];
                way(sides[1].clone(), sides[0].clone(), Some([1, 0]));
                let [left, right] = sides;
                way(left, right, Some([0, 1]));
            }
            binding => way(binding.needs(), binding.binds(), None),
        }
    }
    let mut directed = false;
    // What atoms bind is not left to equalities.
    ready.sort_by_key(|&way| ways[way].sides.is_none());
    while let Some(way) = ready.pop() {
        let Way { goal, ref binds, sides, .. } = ways[way];
        let gives: Variables = binds.iter().copied().filter(|&variable| bound.insert(variable)).collect();
        for waiter in gives.iter().filter_map(|variable| waiters.remove(variable)).flatten() {
            ways[waiter].unmet -= 1;
            if ways[waiter].unmet == 0 {
                ready.push(waiter);
            }
        }
        if let (Goal::Equal(left, right), Some([known, other]), false) =
            (&goals[goal], sides, gives.is_empty())
        {
            let terms = [*left, *right];
            goals[goal] = Goal::Gives { known: terms[known], other: terms[other], gives };
            directed = true;
        }
    }
    for goal in goals {
        match goal {
            Goal::Any(branches) => {
                for branch in branches {
                    directed |= match branch {
                        Goal::All(parts) => direct_equalities(parts, &bound),
                        single => direct_equalities(std::slice::from_mut(single), &bound),
                    };
                }
            }
            Goal::NoValue { goals, .. } => directed |= direct_equalities(goals, &bound),
            _ => {}
        }
    }
    directed
}

/// Orders a conjunction that is asked when `bound` is bound, and adds what it binds.
fn ordered<'a>(goals: Vec<Goal<'a>>, bound: &mut Variables) -> Vec<Goal<'a>> {
    let mut order = Vec::with_capacity(goals.len());
    let mut waiting: FxHashMap<usize, (Goal<'a>, usize)> = FxHashMap::default();
    let mut waiters: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, goal) in goals.into_iter().enumerate() {
        let unmet: Vec<_> = goal.needs().into_iter().filter(|variable| !bound.contains(variable)).collect();
        if unmet.is_empty() {
            take(goal, &mut order, bound, &mut waiting, &mut waiters);
        } else {
            waiting.insert(at, (goal, unmet.len()));
            unmet.into_iter().for_each(|variable| waiters.entry(variable).or_default().push(at));
        }
    }
    let mut never_ready: Vec<_> = waiting.into_iter().collect();
    never_ready.sort_unstable_by_key(|&(at, _)| at);
    let never_ready = never_ready.into_iter().map(|(_, (goal, _))| goal).collect();
    order.extend(solved_together(never_ready, bound));
    order
}

/// Of goals that wait for each other: equalities between variables that nothing binds are solved together. Where
/// disjunctions take part, in each combination of their branches. What waits for anything else is left as it is.
fn solved_together<'a>(goals: Vec<Goal<'a>>, bound: &Variables) -> Vec<Goal<'a>> {
    let pairs: Vec<_> = goals.iter().filter_map(Goal::sides).collect();
    if pairs.len() == goals.len() {
        return if pairs.is_empty() { goals } else { vec![Goal::AllEqual(pairs)] };
    }
    let is_solvable = |goal: &Goal<'_>| matches!(goal, Goal::Equal(..) | Goal::Any(_));
    let n_copies = goals.iter().map(Goal::n_combinations).fold(goals.len(), usize::saturating_mul);
    if !goals.iter().all(is_solvable) || n_copies > MOST_COPIES {
        return goals;
    }
    let mut others = goals;
    let disjunction = others.iter().position(|goal| goal.sides().is_none()).expect("not all are equalities");
    let Goal::Any(branches) = others.remove(disjunction) else { unreachable!("it is no equality") };
    let with_others = |branch| {
        let mut goals = match branch {
            Goal::All(parts) => parts,
            single => vec![single],
        };
        goals.extend(others.iter().cloned());
        direct_all(&mut goals, bound);
        Goal::All(ordered(goals, &mut bound.clone()))
    };
    vec![Goal::Any(branches.into_iter().map(with_others).collect())]
}

/// Appends a goal, and every goal that waited only for what it binds.
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
        Goal::NoValue { goals, shared } => {
            Goal::NoValue { goals: ordered(goals, &mut shared.clone()), shared }
        }
        literal => literal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_of(rule: &str) -> String {
        let description = senet_gdl::parse(rule);
        assert_eq!(description.findings(), []);
        let clause = &description.clauses[0];
        let text = |goal: &Goal<'_>| match goal {
            Goal::Holds(atom) => description.show_atom(clause, atom),
            Goal::Fails(atom) => format!("~{}", description.show_atom(clause, atom)),
            Goal::Distinct(left, right) => {
                format!("{}!={}", description.show_term(clause, left), description.show_term(clause, right))
            }
            Goal::Equal(known, other) | Goal::Gives { known, other, .. } => {
                format!("{}={}", description.show_term(clause, known), description.show_term(clause, other))
            }
            Goal::AllEqual(pairs) => format!("equal{}", pairs.len()),
            Goal::NoValue { goals, shared } => format!("no{}of{}", goals.len(), shared.len()),
            Goal::All(parts) => format!("all{}", parts.len()),
            Goal::Any(parts) => format!("any{}", parts.len()),
        };
        let order = conditions(clause);
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
        assert_eq!(order_of("(<= h (p ?x) (not (or (q ?x) (not (r ?x)))))"), "(p ?x) ~(q ?x) (r ?x)");
        assert_eq!(order_of("(<= h (not (not (p a))) (not (and a b)))"), "(p a) any2");
    }

    #[test]
    fn an_equality_waits_until_one_side_is_known() {
        assert_eq!(order_of("(<= h (not (distinct ?x ?y)) (not (r ?y)) (p ?x))"), "(p ?x) ?x=?y ~(r ?y)");
    }

    #[test]
    fn what_is_never_bound_comes_last() {
        assert_eq!(order_of("(<= h (not (r ?x)) (p ?y) (not (q ?x)))"), "(p ?y) ~(r ?x) ~(q ?x)");
    }

    #[test]
    fn a_variable_below_one_not_only_belongs_to_it() {
        for (rule, expected) in [
            ("(<= h (not (r ?x)) (p ?y))", "no1of0 (p ?y)"),
            ("(<= h (not (r ?x ?y)) (p ?y))", "(p ?y) no1of1"),
            ("(<= (h ?y) (not (and (r ?x ?y) (not (q ?x ?z)))) (p ?y))", "(p ?y) no2of1"),
            ("(<= h (not (or (r ?x) (q ?x))))", "no1of0"),
            ("(<= h (not (not (r ?x))))", "(r ?x)"),
            ("(<= h (not (or (r ?x) (not (q ?x)))))", "(q ?x) ~(r ?x)"),
            ("(<= h (not (distinct ?x (f ?y))) (not (distinct ?z ?z)))", ""),
        ] {
            assert_eq!(order_of(rule), expected, "{rule}");
        }
    }

    #[test]
    fn equalities_give_each_other_their_values() {
        assert_eq!(
            order_of("(<= h (not (distinct ?y ?z)) (not (distinct ?x ?y)) (p ?x) (not (r ?z)))"),
            "(p ?x) ?x=?y ?y=?z ~(r ?z)"
        );
    }

    #[test]
    fn an_equality_in_a_disjunction_gives_what_others_need() {
        assert_eq!(
            order_of("(<= (h ?z) (not (distinct ?z ?y)) (or (not (distinct ?y ?x)) (q ?y)) (p ?x))"),
            "(p ?x) any2 ?y=?z"
        );
        assert_eq!(
            order_of("(<= h (or (not (distinct ?x ?y)) (q ?x)) (not (distinct ?y ?z)) (p ?z))"),
            "(p ?z) ?z=?y any2"
        );
    }

    #[test]
    fn an_equality_does_not_give_its_own_variables() {
        assert_eq!(order_of("(<= h (or (and (not (distinct ?x (f ?x))))) (or (p ?x) (q ?x)))"), "any2 any1");
        assert_eq!(
            order_of("(<= h (or (and (not (distinct ?x ?y)) (not (distinct ?y ?x)))) (p ?x) (q ?y))"),
            "(p ?x) (q ?y) any1"
        );
    }

    #[test]
    fn equalities_that_nothing_binds_are_solved_together() {
        for (rule, expected) in [
            ("(<= h (p ?x) (not (distinct ?v (f ?v))))", "(p ?x) equal1"),
            ("(<= h (not (or (distinct ?v ?y) (distinct ?y ?v))))", "equal2"),
            ("(<= h (or (not (distinct ?v 3)) (p ?y ?x)) (not (distinct ?x ?y)))", "any2 equal1"),
            ("(<= h (not (distinct ?x ?y)) (or (p ?x ?y) (not (distinct ?y (f ?x)))))", "any2"),
            // Something else waits with them.
            ("(<= h (not (distinct ?x ?y)) (not (p ?x)) (not (q ?y)))", "?x=?y ~(p ?x) ~(q ?y)"),
        ] {
            assert_eq!(order_of(rule), expected, "{rule}");
        }
    }

    #[test]
    fn deep_nesting_is_no_burden() {
        let deep = |open: &str, close: &str, depth: usize| {
            format!("(<= (h ?y) {}(not (distinct ?x ?y)){} (p ?x))", open.repeat(depth), close.repeat(depth))
        };
        assert_eq!(order_of(&deep("(and (or ", "))", 450)), "(p ?x) any1");
        assert_eq!(order_of(&deep("(and ", " (q ?z))", 900)).split(' ').count(), 1803);
    }
}
