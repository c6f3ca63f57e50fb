//! Ground rules as they are stored.

use super::Lit;
use senet_analysis::RuleId;

/// Rules in flat arrays, those of one origin together.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleStore {
    pub(crate) heads: Vec<u32>,
    /// Where each body begins, and one end more.
    pub(crate) first_literal: Vec<u32>,
    pub(crate) literals: Vec<Lit>,
    /// From which rule on the rules have which origin and stratum.
    pub(crate) runs: Vec<Run>,
}

impl RuleStore {
    /// Forgets runs that have no rules any more: they would hide the origin of those that follow.
    pub(crate) fn drop_empty_runs(&mut self) {
        let firsts: Vec<u32> = self.runs.iter().map(|run| run.first).collect();
        let n_rules = self.heads.len() as u32;
        let mut next = 0;
        self.runs.retain(|run| {
            next += 1;
            run.first < firsts.get(next).copied().unwrap_or(n_rules)
        });
    }

    /// Changes rules in place: `head` gives the head a rule is to have, or drops the rule; `literal` does the same
    /// with the literals of the rules that stay.
    pub(crate) fn rewrite(
        &mut self,
        head: impl Fn(usize, u32) -> Option<u32>,
        literal: impl Fn(Lit) -> Option<Lit>,
    ) {
        let RuleStore { heads, first_literal, literals, runs } = self;
        let (mut to, mut to_literal, mut from_literal) = (0, 0, 0);
        let mut run = 0;
        for rule in 0..heads.len() {
            while runs.get(run).is_some_and(|next| next.first as usize <= rule) {
                runs[run].first = to as u32;
                run += 1;
            }
            let body = from_literal..first_literal[rule + 1] as usize;
            from_literal = body.end;
            let Some(kept) = head(rule, heads[rule]) else { continue };
            heads[to] = kept;
            for at in body {
                if let Some(kept) = literal(literals[at]) {
                    literals[to_literal] = kept;
                    to_literal += 1;
                }
            }
            to += 1;
            first_literal[to] = to_literal as u32;
        }
        heads.truncate(to);
        first_literal.truncate(to + 1);
        literals.truncate(to_literal);
        runs.truncate(run);
        self.drop_empty_runs();
    }

    pub(crate) fn body(&self, rule: usize) -> &[Lit] {
        &self.literals[self.first_literal[rule] as usize..self.first_literal[rule + 1] as usize]
    }

    /// Removes some rules, given in order, none of them before `first`.
    pub(crate) fn remove(&mut self, first: usize, rules: &[u32]) {
        let mut removed = rules.iter().map(|&rule| rule as usize).peekable();
        let (mut to, mut to_literal) = (first, self.first_literal[first] as usize);
        let mut run = self.runs.partition_point(|run| (run.first as usize) < first);
        let mut from_literal = to_literal;
        for rule in first..self.heads.len() {
            while self.runs.get(run).is_some_and(|next| next.first as usize <= rule) {
                self.runs[run].first = to as u32;
                run += 1;
            }
            let body = from_literal..self.first_literal[rule + 1] as usize;
            from_literal = body.end;
            if removed.next_if_eq(&rule).is_some() {
                continue;
            }
            self.heads[to] = self.heads[rule];
            let len = body.len();
            self.literals.copy_within(body, to_literal);
            to_literal += len;
            to += 1;
            self.first_literal[to] = to_literal as u32;
        }
        self.heads.truncate(to);
        self.first_literal.truncate(to + 1);
        self.literals.truncate(to_literal);
        for run in &mut self.runs[run..] {
            run.first = to as u32;
        }
    }

    /// Makes room for about so many rules: growing by doubling copies and clears memory again and again.
    pub(crate) fn reserve(&mut self, n_rules: f64, n_literals: usize) {
        /// An estimate can be far too large.
        const MOST: f64 = 16e6;
        let n_rules = n_rules.min(MOST) as usize;
        self.heads.reserve(n_rules);
        self.first_literal.reserve(n_rules);
        self.literals.reserve(n_rules * n_literals.min(4));
    }

    /// Puts the runs in the order of their strata.
    pub(crate) fn sort_by_stratum(&mut self) {
        if self.runs.is_sorted_by_key(|run| run.stratum) {
            return;
        }
        let n_rules = self.heads.len() as u32;
        let ends = self.runs.iter().skip(1).map(|run| run.first).chain([n_rules]);
        let mut order: Vec<(Run, u32)> = self.runs.iter().copied().zip(ends).collect();
        order.sort_by_key(|(run, _)| run.stratum);
        let mut sorted = RuleStore {
            heads: Vec::with_capacity(self.heads.len()),
            first_literal: Vec::with_capacity(self.first_literal.len()),
            literals: Vec::with_capacity(self.literals.len()),
            runs: Vec::with_capacity(self.runs.len()),
        };
        sorted.first_literal.push(0);
        for (run, end) in order {
            sorted.runs.push(Run { first: sorted.heads.len() as u32, ..run });
            let (first, end) = (run.first as usize, end as usize);
            let (from, to) = (self.first_literal[first], self.first_literal[end]);
            let offset = sorted.literals.len() as u32;
            sorted.heads.extend_from_slice(&self.heads[first..end]);
            sorted
                .first_literal
                .extend(self.first_literal[first + 1..=end].iter().map(|at| at - from + offset));
            sorted.literals.extend_from_slice(&self.literals[from as usize..to as usize]);
        }
        *self = sorted;
    }

    /// Gives back memory that is not used.
    pub(crate) fn shrink(&mut self) {
        self.heads.shrink_to_fit();
        self.first_literal.shrink_to_fit();
        self.literals.shrink_to_fit();
        self.runs.shrink_to_fit();
    }
}

/// Neighbouring rules of one origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) origin: RuleId,
    pub(crate) stratum: u32,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::AtomId;
    use super::*;

    /// Rules given as origin, stratum, head and body.
    pub(crate) fn store(rules: &[(usize, u32, u32, &[usize])]) -> RuleStore {
        let mut store = RuleStore { first_literal: vec![0], ..RuleStore::default() };
        for &(origin, stratum, head, body) in rules {
            let origin = RuleId::new(origin);
            if store.runs.last().is_none_or(|run| run.origin != origin) {
                store.runs.push(Run { first: store.heads.len() as u32, origin, stratum });
            }
            store.heads.push(head);
            store.literals.extend(body.iter().map(|&atom| Lit::positive(AtomId::new(atom))));
            store.first_literal.push(store.literals.len() as u32);
        }
        store
    }

    /// The same in turn: origin, head and body of each rule.
    fn rules(store: &RuleStore) -> Vec<(usize, u32, Vec<usize>)> {
        (0..store.heads.len())
            .map(|rule| {
                let run =
                    store.runs.iter().rfind(|run| run.first as usize <= rule).expect("a run for each rule");
                let body = store.first_literal[rule] as usize..store.first_literal[rule + 1] as usize;
                let atoms = store.literals[body].iter().map(|lit| lit.atom().index()).collect();
                (run.origin.index(), store.heads[rule], atoms)
            })
            .collect()
    }

    #[test]
    fn rewriting_keeps_bodies_and_origins_together() {
        let mut store =
            store(&[(0, 0, 7, &[1, 2, 3]), (0, 0, 8, &[2]), (1, 0, 9, &[4, 5]), (2, 1, 7, &[3, 2, 6])]);
        store.rewrite(
            |rule, head| (rule != 2).then_some(head + 10),
            |lit| (lit.atom().index() != 2).then_some(lit),
        );
        assert_eq!(rules(&store), [(0, 17, vec![1, 3]), (0, 18, vec![]), (2, 17, vec![3, 6])]);
        assert_eq!(store.runs.len(), 2);
    }

    #[test]
    fn strata_come_in_order_and_equal_ones_stay_as_they_were() {
        let mut store = store(&[(0, 2, 1, &[5]), (1, 0, 2, &[6, 7]), (2, 2, 3, &[]), (3, 1, 4, &[8])]);
        store.sort_by_stratum();
        assert_eq!(rules(&store), [(1, 2, vec![6, 7]), (3, 4, vec![8]), (0, 1, vec![5]), (2, 3, vec![])]);
    }
}
