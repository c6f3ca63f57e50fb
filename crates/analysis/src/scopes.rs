//! Variables that occur below one `not` only.
//!
//! By De Morgan's laws a `not` moves down to the atoms, where it tests the values that other conditions
//! find. A variable for which nothing finds a value there, and all of whose occurrences stand below one
//! `not`, belongs to that `not`, which then says that no value makes the condition below it true:
//!
//! ```text
//! (<= (lonely ?x) (person ?x) (not (friend ?x ?y)))                  nobody is a friend of ?x
//! (<= done (not (and (task ?t) (not (finished ?t)))))                every task is finished
//! ```

use crate::HashSet;
use crate::bindings::Binder;
use crate::condition::Condition;
use senet_gdl::{Clause, Formula, Span, VarId};

/// A `not` that leaves its place is looked at again. A few rounds are enough for any rule a person
/// writes, and a variable that is not found by then counts as unbound.
const MAX_ROUNDS: usize = 16;

/// A variable and the `not` it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Scope {
    pub(crate) not: Span,
    pub(crate) variable: VarId,
}

/// The variables of a clause that belong to a `not`.
#[derive(Clone, Default, Debug)]
pub(crate) struct Scopes {
    /// In the order of the `not`s.
    own: Vec<Scope>,
    /// By variable: the innermost `not` above all of its occurrences.
    innermost: Vec<Option<Span>>,
}

impl Scopes {
    /// The scopes of the variables of a clause.
    pub(crate) fn of(clause: &Clause) -> Scopes {
        let mut scopes = Scopes { own: Vec::new(), innermost: Innermost::of(clause) };
        if scopes.innermost.iter().all(Option::is_none) {
            return Scopes::default();
        }
        let mut is_found = vec![false; clause.variables.len()];
        let mut binder = Binder::new(clause.variables.len());
        for _ in 0..MAX_ROUNDS {
            let body = Condition::of_body(&clause.body, clause.span, &scopes);
            let bound = binder.bind(&body, &|_| true);
            let mut new = Vec::new();
            binder.for_each_test(&bound, &mut |test, known| {
                test.for_each_needed(&mut |variable, _| {
                    if !known.has(variable)
                        && let Some(not) = scopes.innermost[variable.index()]
                        && !is_found[variable.index()]
                    {
                        new.push(Scope { not, variable });
                    }
                });
            });
            if new.is_empty() {
                break;
            }
            for scope in outermost(new) {
                is_found[scope.variable.index()] = true;
                scopes.own.push(scope);
            }
            scopes.own.sort_unstable();
            scopes.own.dedup();
        }
        scopes
    }

    /// The variables with the `not`s they belong to.
    pub(crate) fn own(&self) -> &[Scope] {
        &self.own
    }

    /// Whether variables belong to the `not` at a place.
    pub(crate) fn has(&self, not: Span) -> bool {
        self.own.binary_search_by_key(&not, |scope| scope.not).is_ok()
    }

    /// The variables that occur below the `not` at a place and elsewhere too, in the order of their numbers.
    pub(crate) fn shared(&self, below: &Formula, not: Span) -> Vec<VarId> {
        let mut shared = Vec::new();
        below.for_each_variable(&mut |variable, _| {
            let innermost = self.innermost[variable.index()];
            if innermost.is_none_or(|inner| inner.start < not.start || inner.end > not.end) {
                shared.push(variable);
            }
        });
        shared.sort_unstable();
        shared.dedup();
        shared
    }
}

/// The scopes that are not inside others: below those nothing is negated any more, which may give the inner
/// variables values.
fn outermost(mut scopes: Vec<Scope>) -> Vec<Scope> {
    scopes.sort_unstable_by_key(|scope| (scope.not.start, std::cmp::Reverse(scope.not.end)));
    let mut end = 0;
    scopes.retain(|scope| {
        let is_inside = scope.not.end < end;
        end = end.max(scope.not.end);
        !is_inside
    });
    scopes
}

/// The places of the atoms below a `not` that variables belong to.
pub(crate) fn atoms_without_value(clause: &Clause, scopes: &Scopes) -> HashSet<Span> {
    fn note(condition: &Condition, is_inside: bool, found: &mut HashSet<Span>) {
        match condition {
            Condition::Holds(atom) | Condition::Fails(atom, _) => {
                if is_inside {
                    found.insert(atom.span);
                }
            }
            Condition::Differ(..) | Condition::Equal(..) => {}
            Condition::NoValue(inner, _, _) => note(inner, true, found),
            Condition::All(parts, _) | Condition::Any(parts, _) => {
                parts.iter().for_each(|part| note(part, is_inside, found));
            }
        }
    }
    let mut found = HashSet::default();
    if !scopes.own.is_empty() {
        note(&Condition::of_body(&clause.body, clause.span, scopes), false, &mut found);
    }
    found
}

/// Finds the innermost `not` above all occurrences of each variable.
#[derive(Default)]
struct Innermost {
    /// Every `not` so far, with the one around it.
    nots: Vec<(Span, Option<usize>)>,
    is_open: Vec<bool>,
    current: Option<usize>,
    /// By variable: the innermost `not` above the occurrences so far.
    found: Vec<Option<Option<usize>>>,
}

impl Innermost {
    fn of(clause: &Clause) -> Vec<Option<Span>> {
        let mut search = Innermost { found: vec![None; clause.variables.len()], ..Innermost::default() };
        clause.head.for_each_variable(&mut |variable, _| search.note(variable));
        clause.body.iter().for_each(|formula| search.visit(formula));
        let Innermost { nots, found, .. } = search;
        found.into_iter().map(|not| Some(nots[not??].0)).collect()
    }

    fn visit(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(_) | Formula::Distinct(..) => {
                formula.for_each_variable(&mut |variable, _| self.note(variable));
            }
            Formula::Or(parts, _) | Formula::And(parts, _) => parts.iter().for_each(|part| self.visit(part)),
            Formula::Not(inner, span) => {
                let around = self.current.replace(self.nots.len());
                self.nots.push((*span, around));
                self.is_open.push(true);
                self.visit(inner);
                self.is_open[self.current.expect("it is open")] = false;
                self.current = around;
            }
        }
    }

    fn note(&mut self, variable: VarId) {
        let Some(mut not) = self.found[variable.index()] else {
            self.found[variable.index()] = Some(self.current);
            return;
        };
        // What is open stands above this occurrence too.
        while let Some(at) = not.filter(|&at| !self.is_open[at]) {
            not = self.nots[at].1;
        }
        self.found[variable.index()] = Some(not);
    }
}
