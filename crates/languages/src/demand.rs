//! Demand: relations of which little is asked are derived for what is asked only.
//!
//! These are magic sets. For a relation p of which some columns are known where a rule uses it, there is a copy of p, and a
//! relation of the values with which it is asked. The rules of the copy apply where it is asked; every rule that uses the
//! copy asks. No question depends on a negation: more may be asked than is needed, never less. A relation
//! that could then depend on its own negation is not put on demand.

use crate::mini::{Atom, Lifetime, Literal, Mini, Pattern, RelId, Relation, Rule};
use senet_analysis::Graph;

/// Rules of which some derive on demand.
#[derive(Clone, Debug)]
pub struct Demanded {
    /// The rules. Relations have the numbers that they had; copies and questions come behind them.
    pub mini: Mini,
    n_before: usize,
    /// By relation that is new: what it is a copy of, or holds questions for.
    origin: Vec<RelId>,
}

impl Demanded {
    /// Nothing on demand.
    fn whole(mini: Mini) -> Demanded {
        Demanded { n_before: mini.relations.len(), mini, origin: Vec::new() }
    }

    /// The relation of the rules as they were that has much to derive if this one has.
    pub fn origin(&self, relation: RelId) -> RelId {
        relation.index().checked_sub(self.n_before).map_or(relation, |at| self.origin[at])
    }
}

/// The rules with these relations derived on demand, as far as they are asked with known columns and every negation stays
/// stratified. `roots` are the relations that are asked from outside; what they do not need is left out. `None` if
/// nothing is on demand then.
pub fn on_demand(mini: &Mini, roots: &[RelId], wanted: &[RelId]) -> Option<Demanded> {
    if wanted.is_empty() {
        return Some(Demanded::whole(mini.clone()));
    }
    if !Cycles::new(mini).negated.is_empty() {
        // Its strata are finer than its relations.
        return None;
    }
    let mut wanted: Vec<RelId> = wanted.iter().copied().filter(|it| !roots.contains(it)).collect();
    while !wanted.is_empty() {
        let Asking { demanded, whole, .. } = Asking::new(mini, roots, &wanted);
        let cycles = Cycles::new(&demanded.mini);
        let n_wanted = wanted.len();
        // What is derived as a whole in any case answers every question.
        wanted.retain(|it| !whole.contains(it));
        if wanted.len() == n_wanted && cycles.negated.is_empty() {
            return (demanded.mini.relations.len() > mini.relations.len()).then_some(demanded);
        }
        for at_fault in [cycles.negated, cycles.all] {
            if wanted.len() == n_wanted {
                wanted.retain(|&it| !at_fault.iter().any(|&relation| demanded.origin(relation) == it));
            }
        }
        if wanted.len() == n_wanted {
            return None;
        }
    }
    None
}

/// Relations that depend on their own negation.
struct Cycles {
    /// Those that are negated.
    negated: Vec<RelId>,
    /// Those and the ones between.
    all: Vec<RelId>,
}

impl Cycles {
    fn new(mini: &Mini) -> Cycles {
        let edges = mini.rules.iter().flat_map(|rule| {
            let used = rule.body.iter().filter_map(Literal::atom);
            used.map(|atom| (rule.head.relation.index(), atom.relation.index()))
        });
        let components = Graph::new(mini.relations.len(), edges).components();
        let mut component_of = vec![0; mini.relations.len()];
        for (at, members) in components.members().enumerate() {
            members.iter().for_each(|&member| component_of[member] = at);
        }
        let mut negated = Vec::new();
        let mut is_unstratified = vec![false; mini.relations.len()];
        for rule in &mini.rules {
            for literal in &rule.body {
                if let Literal::Negative(atom) = literal
                    && component_of[atom.relation.index()] == component_of[rule.head.relation.index()]
                {
                    negated.push(atom.relation);
                    is_unstratified[component_of[atom.relation.index()]] = true;
                }
            }
        }
        let all = (0..mini.relations.len()).filter(|&relation| is_unstratified[component_of[relation]]);
        Cycles { negated, all: all.map(RelId::new).collect() }
    }
}

/// A copy of a relation that is derived on demand.
struct Copy {
    relation: RelId,
    /// The columns that are known where it is asked.
    known: Vec<usize>,
    /// How long the rules that ask have their facts.
    lifetime: Lifetime,
    answers: RelId,
    asked: RelId,
}

struct Asking<'a> {
    source: &'a Mini,
    wanted: &'a [RelId],
    demanded: Demanded,
    copies: Vec<Copy>,
    /// Relations whose rules are as they were but for what they ask.
    whole: Vec<RelId>,
}

impl<'a> Asking<'a> {
    fn new(source: &'a Mini, roots: &[RelId], wanted: &'a [RelId]) -> Asking<'a> {
        let mini = Mini { rules: Vec::new(), ..source.clone() };
        let demanded = Demanded::whole(mini);
        let mut asking = Asking { source, wanted, demanded, copies: Vec::new(), whole: roots.to_vec() };
        let (mut n_whole, mut n_copies) = (0, 0);
        loop {
            if let Some(&relation) = asking.whole.get(n_whole) {
                n_whole += 1;
                for rule in rules_of(source, relation) {
                    asking.whole_rule(rule);
                }
            } else if n_copies < asking.copies.len() {
                n_copies += 1;
                for rule in rules_of(source, asking.copies[n_copies - 1].relation) {
                    asking.rule_of_copy(rule, n_copies - 1);
                }
            } else {
                return asking;
            }
        }
    }

    fn whole_rule(&mut self, rule: &Rule) {
        let lifetime = self.source.relations[rule.head.relation.index()].lifetime;
        self.rule(rule, rule.head.clone(), None, lifetime);
    }

    /// A rule of a copy applies where there is a question.
    fn rule_of_copy(&mut self, rule: &Rule, copy: usize) {
        let copy = &self.copies[copy];
        let head = Atom { relation: copy.answers, args: rule.head.args.clone() };
        let question = copy.question(&rule.head);
        let lifetime = copy.lifetime;
        self.rule(rule, head, Some(question), lifetime);
    }

    fn rule(&mut self, rule: &Rule, head: Atom, question: Option<Atom>, lifetime: Lifetime) {
        let mut is_bound = vec![false; rule.n_vars];
        let mut body: Vec<Literal> = question.map(Literal::Positive).into_iter().collect();
        body.iter().for_each(|literal| bind(literal, &mut is_bound));
        let mut open: Vec<&Literal> = rule.body.iter().collect();
        let source = self.source;
        let is_given = |relation| rules_of(source, relation).all(|rule| rule.body.is_empty());
        while let Some(next) = next_literal(&open, &is_bound, is_given, self.wanted) {
            let literal = open.remove(next);
            match literal {
                Literal::Positive(atom) => {
                    let atom = self.ask(atom, &is_bound, &body, rule, lifetime);
                    body.push(Literal::Positive(atom));
                    bind(literal, &mut is_bound);
                }
                Literal::Negative(atom) => {
                    let is_decided = atom.args.iter().all(|arg| is_known(arg, &is_bound));
                    let atom = if is_decided {
                        self.ask(atom, &is_bound, &body, rule, lifetime)
                    } else {
                        self.need(atom.relation);
                        atom.clone()
                    };
                    body.push(Literal::Negative(atom));
                }
                Literal::Distinct(..) => body.push(literal.clone()),
            }
        }
        self.demanded.mini.rules.push(Rule { head, body, stratum: 0, ..rule.clone() });
    }

    /// The atom to use in place of one; says what is asked.
    fn ask(
        &mut self,
        atom: &Atom,
        is_bound: &[bool],
        before: &[Literal],
        rule: &Rule,
        lifetime: Lifetime,
    ) -> Atom {
        let known: Vec<usize> =
            (0..atom.args.len()).filter(|&column| is_known(&atom.args[column], is_bound)).collect();
        if known.is_empty() || !self.wanted.contains(&atom.relation) {
            self.need(atom.relation);
            return atom.clone();
        }
        let copy = self.copy(atom.relation, known, lifetime);
        let head = self.copies[copy].question(atom);
        let answers = Atom { relation: self.copies[copy].answers, args: atom.args.clone() };
        let body: Vec<Literal> =
            before.iter().filter(|literal| !matches!(literal, Literal::Negative(_))).cloned().collect();
        let asks_itself = matches!(&body[..], [Literal::Positive(only)] if *only == head);
        if !asks_itself {
            self.demanded.mini.rules.push(Rule { head, body, stratum: 0, ..rule.clone() });
        }
        answers
    }

    fn need(&mut self, relation: RelId) {
        if !self.whole.contains(&relation) {
            self.whole.push(relation);
        }
    }

    fn copy(&mut self, relation: RelId, known: Vec<usize>, lifetime: Lifetime) -> usize {
        let is_it =
            |copy: &Copy| copy.relation == relation && copy.known == known && copy.lifetime == lifetime;
        if let Some(at) = self.copies.iter().position(is_it) {
            return at;
        }
        let Relation { name, arity, .. } = self.source.relations[relation.index()].clone();
        let questions = Relation { name: format!("{name}?"), arity: known.len(), lifetime };
        let answers = self.add(Relation { name, arity, lifetime }, relation);
        let asked = self.add(questions, relation);
        self.copies.push(Copy { relation, known, lifetime, answers, asked });
        self.copies.len() - 1
    }

    fn add(&mut self, relation: Relation, origin: RelId) -> RelId {
        self.demanded.mini.relations.push(relation);
        self.demanded.origin.push(origin);
        RelId::new(self.demanded.mini.relations.len() - 1)
    }
}

impl Copy {
    /// The atom that says an atom is asked.
    fn question(&self, atom: &Atom) -> Atom {
        let args = self.known.iter().map(|&column| atom.args[column].clone()).collect();
        Atom { relation: self.asked, args }
    }
}

fn rules_of(mini: &Mini, relation: RelId) -> impl Iterator<Item = &Rule> {
    mini.rules.iter().filter(move |rule| rule.head.relation == relation)
}

fn is_known(pattern: &Pattern, is_bound: &[bool]) -> bool {
    let mut is_known = true;
    pattern.for_each_var(&mut |var| is_known &= is_bound[var as usize]);
    is_known
}

fn bind(literal: &Literal, is_bound: &mut [bool]) {
    literal.for_each_var(&mut |var| is_bound[var as usize] = true);
}

/// The literal to go on with: one that is decided, or else one that leaves few variables open and has much that is known
/// from before. Derived facts of which nothing is known come after the facts that are given.
fn next_literal(
    open: &[&Literal],
    is_bound: &[bool],
    is_given: impl Fn(RelId) -> bool,
    wanted: &[RelId],
) -> Option<usize> {
    let weight = |at: &usize| {
        let literal = open[*at];
        let mut new_vars = Vec::new();
        literal.for_each_var(&mut |var| {
            if !is_bound[var as usize] && !new_vars.contains(&var) {
                new_vars.push(var);
            }
        });
        let (mut n_known, mut is_derived, mut is_on_demand) = (0, false, false);
        if let Literal::Positive(atom) = literal {
            let is_from_before = |arg: &&Pattern| {
                let mut has_vars = false;
                arg.for_each_var(&mut |_| has_vars = true);
                has_vars && is_known(arg, is_bound)
            };
            n_known = atom.args.iter().filter(is_from_before).count();
            is_derived = !is_given(atom.relation);
            is_on_demand = wanted.contains(&atom.relation);
        }
        // What only tests has to wait until nothing is open in it, or nothing else is left.
        let waits = !new_vars.is_empty() && literal.is_test();
        let is_apart = !new_vars.is_empty() && n_known == 0;
        let order = (new_vars.len(), std::cmp::Reverse(n_known), is_on_demand);
        (waits, is_apart && is_derived, order)
    };
    (0..open.len()).min_by_key(weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{mini, relation};

    fn demanded(rules: &str, wanted: &[&str]) -> Option<Demanded> {
        let mini = mini(rules);
        let keywords = mini.keywords;
        let roots =
            [keywords.role, keywords.init, keywords.legal, keywords.next, keywords.goal, keywords.terminal];
        let wanted: Vec<RelId> = wanted.iter().map(|name| relation(&mini, name)).collect();
        on_demand(&mini, &roots, &wanted)
    }

    const REACH: &str = "(edge a b) (edge b c) (<= (reach ?x ?y) (edge ?x ?y))
        (<= (reach ?x ?z) (edge ?x ?y) (reach ?y ?z))";

    #[test]
    fn each_pattern_of_known_columns_has_a_copy() {
        let rules = format!(
            "{REACH} (<= (legal robot (go ?y)) (true (at ?x)) (reach ?x ?y))
            (<= (goal robot 100) (true (at ?y)) (reach a ?y))"
        );
        let demanded = demanded(&rules, &["reach"]).expect("it is asked with known columns");
        let named = |name: &str| demanded.mini.relations.iter().filter(|it| it.name == name).count();
        // As it was, by the first column for `legal`, by both for `goal`.
        assert_eq!((named("reach"), named("reach?")), (3, 2));
        let question = demanded.mini.relations.iter().position(|it| it.name == "reach?");
        let question = RelId::new(question.expect("it is asked"));
        assert_eq!(demanded.mini.relations[demanded.origin(question).index()].name, "reach");
        let asking = demanded.mini.rules.iter().filter(|rule| rule.head.relation == question);
        // The rule that uses it, and the recursion.
        assert_eq!(asking.count(), 2);
    }

    #[test]
    fn what_is_asked_with_nothing_known_stays_whole() {
        assert!(demanded(&format!("{REACH} (<= terminal (reach ?x ?y))"), &["reach"]).is_none());
    }

    /// Whether `lost` holds decides what is asked of `reach`, and `lost` is what `reach` does not say.
    #[test]
    fn no_negation_is_unstratified() {
        let rules = |not: &str| {
            format!(
                "{REACH} (<= (found ?x) (true (at ?x)) (reach ?x ?y))
                 (<= (lost ?x) (true (at ?x)) ({not} (found ?x)))
                 (<= (legal robot (go ?y)) (lost ?x) (reach ?x ?y))"
            )
        };
        assert!(demanded(&rules("not"), &["reach"]).is_none());
        assert!(demanded(&rules("and"), &["reach"]).is_some());
    }

    #[test]
    fn questions_do_not_depend_on_negations() {
        let rules =
            format!("{REACH} (<= (legal robot (go ?y)) (true (at ?x)) (not (true (off ?x))) (reach ?x ?y))");
        let demanded = demanded(&rules, &["reach"]).expect("it is asked with known columns");
        let is_question =
            |rule: &&Rule| demanded.mini.relations[rule.head.relation.index()].name.ends_with('?');
        let mut questions = demanded.mini.rules.iter().filter(is_question).flat_map(|rule| &rule.body);
        assert!(questions.all(|literal| matches!(literal, Literal::Positive(_))));
    }
}
