//! Which variables a condition binds, whatever branch of each `or` is taken.

use crate::condition::Condition;
use senet_gdl::{Atom, Term, VarId};

/// Equalities inside branches may bind each other's variables; a few rounds are enough for any
/// rule a person writes, and what is not found by then counts as unbound.
const MAX_ROUNDS: usize = 16;

/// A condition with the variables that it binds.
pub(crate) struct Bound<'c, 'a> {
    pub(crate) condition: &'c Condition<'a>,
    pub(crate) variables: Vec<VarId>,
    /// The condition is false whatever holds, so nothing about it can be unbound.
    pub(crate) is_never: bool,
    pub(crate) parts: Vec<Bound<'c, 'a>>,
}

/// The variables bound at a place: those of all conditions that stand beside it or around it.
pub(crate) struct Known {
    counts: Vec<u32>,
    nevers: u32,
}

impl Known {
    pub(crate) fn has(&self, variable: VarId) -> bool {
        self.nevers > 0 || self.counts[variable.index()] > 0
    }

    fn add(&mut self, bound: &Bound) {
        self.nevers += u32::from(bound.is_never);
        bound.variables.iter().for_each(|variable| self.counts[variable.index()] += 1);
    }

    fn remove(&mut self, bound: &Bound) {
        self.nevers -= u32::from(bound.is_never);
        bound.variables.iter().for_each(|variable| self.counts[variable.index()] -= 1);
    }
}

/// Computes bindings in one clause. Its tables are as long as the clause has variables and are
/// used again for each condition asked about, so that many small branches stay cheap.
pub(crate) struct Binder {
    known: Known,
    tally: Vec<u32>,
}

impl Binder {
    pub(crate) fn new(n_variables: usize) -> Self {
        Self { known: Known { counts: vec![0; n_variables], nevers: 0 }, tally: vec![0; n_variables] }
    }

    /// The bindings of `condition`, where only the positive atoms that satisfy `binds` bind.
    pub(crate) fn bind<'c, 'a>(
        &mut self,
        condition: &'c Condition<'a>,
        binds: &dyn Fn(&Atom) -> bool,
    ) -> Bound<'c, 'a> {
        let mut has_equality = false;
        let mut bound = self.start(condition, binds, &mut has_equality);
        if has_equality {
            for round in 0..MAX_ROUNDS {
                // Long chains of equalities are written in one direction or the other.
                if !self.extend(&mut bound, round % 2 == 1) {
                    break;
                }
            }
        }
        bound
    }

    /// The variables that a rule uses without binding them, each once.
    pub(crate) fn unbound(&mut self, head: &Atom, body: &Condition) -> Vec<VarId> {
        let bound = self.bind(body, &|_| true);
        let mut unbound = Vec::new();
        self.known.add(&bound);
        let known = &self.known;
        head.for_each_variable(&mut |variable, _| {
            if !known.has(variable) {
                unbound.push(variable);
            }
        });
        self.known.remove(&bound);
        self.for_each_test(&bound, &mut |test, known| {
            test.for_each_needed(&mut |variable, _| {
                if !known.has(variable) {
                    unbound.push(variable);
                }
            });
        });
        self.remove_repeated(&mut unbound);
        unbound
    }

    /// Calls `visit` with every literal outside of [`Condition::NoValue`] and what is bound where it stands.
    pub(crate) fn for_each_literal<'c, 'a>(
        &mut self,
        bound: &Bound<'c, 'a>,
        visit: &mut impl FnMut(&'c Condition<'a>, &Known),
    ) {
        self.known.add(bound);
        self.walk(bound, false, visit);
        self.known.remove(bound);
    }

    /// Calls `visit` with every condition that needs values of its variables, and what is bound where it stands.
    pub(crate) fn for_each_test<'c, 'a>(
        &mut self,
        bound: &Bound<'c, 'a>,
        visit: &mut impl FnMut(&'c Condition<'a>, &Known),
    ) {
        self.known.add(bound);
        self.walk(bound, true, &mut |literal, known| {
            if matches!(literal, Condition::Fails(..) | Condition::Differ(..) | Condition::NoValue(..)) {
                visit(literal, known);
            }
        });
        self.known.remove(bound);
    }

    /// Calls `visit` with every literal and what is bound by the conditions written before it.
    pub(crate) fn for_each_literal_in_order<'c, 'a>(
        &mut self,
        bound: &Bound<'c, 'a>,
        visit: &mut impl FnMut(&'c Condition<'a>, &Known),
    ) {
        match bound.condition {
            Condition::All(..) => {
                for part in &bound.parts {
                    self.for_each_literal_in_order(part, visit);
                    self.known.add(part);
                }
                bound.parts.iter().for_each(|part| self.known.remove(part));
            }
            Condition::Any(..) => {
                bound.parts.iter().for_each(|part| self.for_each_literal_in_order(part, visit));
            }
            literal => {
                visit(literal, &self.known);
                bound.parts.iter().for_each(|part| self.for_each_literal_in_order(part, visit));
            }
        }
    }

    fn walk<'c, 'a>(
        &mut self,
        bound: &Bound<'c, 'a>,
        into_nots: bool,
        visit: &mut impl FnMut(&'c Condition<'a>, &Known),
    ) {
        match bound.condition {
            Condition::All(..) => {
                bound.parts.iter().for_each(|part| self.known.add(part));
                bound.parts.iter().for_each(|part| self.walk(part, into_nots, visit));
                bound.parts.iter().for_each(|part| self.known.remove(part));
            }
            Condition::Any(..) => self.walk_apart(&bound.parts, into_nots, visit),
            literal => {
                visit(literal, &self.known);
                if into_nots {
                    self.walk_apart(&bound.parts, into_nots, visit);
                }
            }
        }
    }

    /// Walks parts of which each knows only itself and what stands around all of them.
    fn walk_apart<'c, 'a>(
        &mut self,
        parts: &[Bound<'c, 'a>],
        into_nots: bool,
        visit: &mut impl FnMut(&'c Condition<'a>, &Known),
    ) {
        for part in parts {
            self.known.add(part);
            self.walk(part, into_nots, visit);
            self.known.remove(part);
        }
    }

    /// What positive atoms bind, before equalities are looked at.
    fn start<'c, 'a>(
        &mut self,
        condition: &'c Condition<'a>,
        binds: &dyn Fn(&Atom) -> bool,
        has_equality: &mut bool,
    ) -> Bound<'c, 'a> {
        let mut bound = Bound { condition, variables: Vec::new(), is_never: false, parts: Vec::new() };
        match condition {
            Condition::Holds(atom) if binds(atom) => {
                atom.for_each_variable(&mut |variable, _| bound.variables.push(variable));
                self.remove_repeated(&mut bound.variables);
            }
            Condition::Holds(_) | Condition::Fails(..) | Condition::Differ(..) => {}
            Condition::Equal(..) => *has_equality = true,
            Condition::NoValue(inner, _, _) => bound.parts.push(self.start(inner, binds, has_equality)),
            Condition::All(parts, _) | Condition::Any(parts, _) => {
                bound.parts = parts.iter().map(|part| self.start(part, binds, has_equality)).collect();
                self.combine(&mut bound);
            }
        }
        bound
    }

    /// One round of looking at equalities; says whether more is bound than before.
    fn extend(&mut self, bound: &mut Bound, is_backward: bool) -> bool {
        match bound.condition {
            Condition::Holds(_) | Condition::Fails(..) | Condition::Differ(..) => false,
            Condition::Equal(left, right, _) => {
                let before = bound.variables.len();
                if before == 0 {
                    for (from, to) in [(left, right), (right, left)] {
                        if self.knows_all(from) {
                            to.for_each_variable(&mut |variable, _| bound.variables.push(variable));
                        }
                    }
                    self.remove_repeated(&mut bound.variables);
                }
                bound.variables.len() > before
            }
            Condition::All(..) => {
                let mut has_grown = false;
                bound.parts.iter().for_each(|part| self.known.add(part));
                for at in 0..bound.parts.len() {
                    let at = if is_backward { bound.parts.len() - 1 - at } else { at };
                    let part = &mut bound.parts[at];
                    self.known.remove(part);
                    has_grown |= self.extend(part, is_backward);
                    self.known.add(part);
                }
                bound.parts.iter().for_each(|part| self.known.remove(part));
                self.combine(bound);
                has_grown
            }
            Condition::Any(..) => {
                let has_grown = self.extend_apart(&mut bound.parts, is_backward);
                self.combine(bound);
                has_grown
            }
            // Nothing below it is bound outside.
            Condition::NoValue(..) => self.extend_apart(&mut bound.parts, is_backward),
        }
    }

    fn extend_apart(&mut self, parts: &mut [Bound], is_backward: bool) -> bool {
        let mut has_grown = false;
        for part in parts {
            has_grown |= self.extend(part, is_backward);
        }
        has_grown
    }

    fn knows_all(&self, term: &Term) -> bool {
        let mut all = true;
        term.for_each_variable(&mut |variable, _| all &= self.known.has(variable));
        all
    }

    /// The variables of a conjunction are those of any part, of a disjunction those of every part.
    fn combine(&mut self, bound: &mut Bound) {
        let mut variables = Vec::new();
        match bound.condition {
            Condition::All(..) => {
                bound.parts.iter().for_each(|part| variables.extend_from_slice(&part.variables));
                self.remove_repeated(&mut variables);
                bound.is_never = bound.parts.iter().any(|part| part.is_never);
            }
            _ => {
                let possible = || bound.parts.iter().filter(|part| !part.is_never);
                let n_possible = possible().count() as u32;
                possible().flat_map(|part| &part.variables).for_each(|at| self.tally[at.index()] += 1);
                if let Some(first) = possible().next() {
                    let in_all = |variable: &&VarId| self.tally[variable.index()] == n_possible;
                    variables.extend(first.variables.iter().filter(in_all));
                }
                possible().flat_map(|part| &part.variables).for_each(|at| self.tally[at.index()] = 0);
                bound.is_never = n_possible == 0;
            }
        }
        bound.variables = variables;
    }

    fn remove_repeated(&mut self, variables: &mut Vec<VarId>) {
        let tally = &mut self.tally;
        variables.retain(|variable| std::mem::replace(&mut tally[variable.index()], 1) == 0);
        variables.iter().for_each(|variable| tally[variable.index()] = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scopes::Scopes;

    fn bound_by(body: &str) -> String {
        let description = senet_gdl::parse(&format!("(<= h {body})"));
        let clause = &description.clauses[0];
        let condition = Condition::of_body(&clause.body, clause.span, &Scopes::of(clause));
        let bound = Binder::new(clause.variables.len()).bind(&condition, &|_| true);
        if bound.is_never {
            return "everything".to_owned();
        }
        let mut names: Vec<_> =
            bound.variables.iter().map(|at| description.name(clause.variables[at.index()])).collect();
        names.sort_unstable();
        names.join(" ")
    }

    #[test]
    fn an_or_binds_what_every_branch_binds() {
        for (body, expected) in [
            ("(p ?x ?x) (not (q ?y)) (distinct ?z a)", "?x"),
            ("(or (p ?x ?y) (q ?y))", "?y"),
            ("(or (and (p ?x) (q ?y)) (and (p ?y) (or (q ?x) (r ?x ?z))))", "?x ?y"),
            ("(or (p ?x) (not (q ?x)))", ""),
            ("(or (p ?x) (and (q a) (or)))", "?x"),
            ("(p ?x) (or)", "everything"),
            ("(not (not (p ?x)))", "?x"),
            ("(p ?x) (not (and (q ?y) (r ?x ?y)))", "?x"),
        ] {
            assert_eq!(bound_by(body), expected, "{body}");
        }
    }

    #[test]
    fn equalities_bind_one_side_by_the_other() {
        for (body, expected) in [
            ("(not (distinct ?x a))", "?x"),
            ("(not (distinct ?x ?y))", ""),
            ("(not (distinct ?x ?y)) (not (distinct ?y ?z)) (p ?z)", "?x ?y ?z"),
            ("(not (distinct (f ?x ?y) ?z)) (p ?z)", "?x ?y ?z"),
            ("(not (distinct (f ?x ?y) ?z)) (p ?x)", "?x"),
            ("(p ?y) (or (q ?x) (not (distinct ?x ?y)))", "?x ?y"),
            ("(or (q ?x) (not (distinct ?x ?y))) (or (q ?y) (and (q a) (q ?y)))", "?x ?y"),
        ] {
            assert_eq!(bound_by(body), expected, "{body}");
        }
    }
}
