//! Demand for engines that run rules forward: a copy of a relation for each pattern of known
//! columns.
//!
//! No question depends on a negation: more may be asked than is needed, never less. A relation that
//! could then depend on its own negation is not put on demand.

use super::{Asked, asking_rule};
use crate::lower::Lifetime;
use crate::pattern::Pattern;
use crate::rule::{Atom, Literal, RelId, Rule};
use crate::rule_set::{Relation, RuleSet};
use crate::var_set::VarSet;

/// Rules of which some derive on demand.
#[derive(Clone, Debug)]
pub struct Demanded {
    /// The rules.
    ///
    /// Relations keep their numbers; copies and questions come behind them.
    pub rule_set: RuleSet,
    n_before: usize,
    /// By relation that is new: what it is a copy of, or holds questions for.
    origin: Vec<RelId>,
}

impl Demanded {
    /// Nothing on demand.
    fn whole(rule_set: RuleSet) -> Demanded {
        Demanded { n_before: rule_set.relations.len(), rule_set, origin: Vec::new() }
    }

    /// The relation before the change that this one stands for.
    pub fn origin(&self, relation: RelId) -> RelId {
        relation.index().checked_sub(self.n_before).map_or(relation, |at| self.origin[at])
    }
}

/// The rules with the wanted relations derived on demand.
///
/// Relations that are asked with nothing known stay whole, and so do those that would depend on
/// their own negation. `roots` are the relations that are asked from outside; what they do not need
/// is left out. `None` if nothing is on demand then.
pub fn by_copies(rule_set: &RuleSet, roots: &[RelId], wanted: &[RelId]) -> Option<Demanded> {
    if wanted.is_empty() {
        return Some(Demanded::whole(rule_set.clone()));
    }
    if !Cycles::new(rule_set).negated.is_empty() {
        // Its strata are finer than its relations.
        return None;
    }
    let mut wanted: Vec<RelId> = wanted.iter().copied().filter(|it| !roots.contains(it)).collect();
    while !wanted.is_empty() {
        let Asking { demanded, whole, .. } = Asking::new(rule_set, roots, &wanted);
        let cycles = Cycles::new(&demanded.rule_set);
        let n_wanted = wanted.len();
        // What is derived as a whole in any case answers every question.
        wanted.retain(|it| !whole.contains(it));
        if wanted.len() == n_wanted && cycles.negated.is_empty() {
            return (demanded.rule_set.relations.len() > rule_set.relations.len()).then_some(demanded);
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
    fn new(rule_set: &RuleSet) -> Cycles {
        let components = rule_set.components();
        let of = |relation: RelId| components.of(relation.index());
        let mut negated = Vec::new();
        let mut is_unstratified = vec![false; rule_set.relations.len()];
        for rule in &rule_set.rules {
            for literal in &rule.body {
                if let Literal::Negative(atom) = literal
                    && of(atom.relation) == of(rule.head.relation)
                {
                    negated.push(atom.relation);
                    is_unstratified[of(atom.relation)] = true;
                }
            }
        }
        let all = (0..rule_set.relations.len()).map(RelId::new);
        Cycles { negated, all: all.filter(|&relation| is_unstratified[of(relation)]).collect() }
    }
}

/// A copy of a relation that is derived on demand.
struct Copy {
    asked: Asked,
    /// How long the rules that ask have their facts.
    lifetime: Lifetime,
    answers: RelId,
}

struct Asking<'a> {
    source: &'a RuleSet,
    wanted: &'a [RelId],
    demanded: Demanded,
    copies: Vec<Copy>,
    /// Relations whose rules are as they were but for what they ask.
    whole: Vec<RelId>,
}

impl<'a> Asking<'a> {
    fn new(source: &'a RuleSet, roots: &[RelId], wanted: &'a [RelId]) -> Asking<'a> {
        let rule_set = RuleSet { rules: Vec::new(), ..source.clone() };
        let demanded = Demanded::whole(rule_set);
        let mut asking = Asking { source, wanted, demanded, copies: Vec::new(), whole: roots.to_vec() };
        let (mut n_whole, mut n_copies) = (0, 0);
        loop {
            if let Some(&relation) = asking.whole.get(n_whole) {
                n_whole += 1;
                for rule in source.rules_of(relation) {
                    asking.whole_rule(rule);
                }
            } else if n_copies < asking.copies.len() {
                n_copies += 1;
                for rule in source.rules_of(asking.copies[n_copies - 1].asked.relation) {
                    asking.rule_of_copy(rule, n_copies - 1);
                }
            } else {
                return asking;
            }
        }
    }

    fn whole_rule(&mut self, rule: &Rule) {
        let lifetime = self.source.lifetime(rule.head.relation);
        self.rule(rule, rule.head.clone(), None, lifetime);
    }

    /// A rule of a copy applies where there is a question.
    fn rule_of_copy(&mut self, rule: &Rule, copy: usize) {
        let copy = &self.copies[copy];
        let head = Atom { relation: copy.answers, args: rule.head.args.clone() };
        let question = copy.asked.question(&rule.head);
        let lifetime = copy.lifetime;
        self.rule(rule, head, Some(question), lifetime);
    }

    fn rule(&mut self, rule: &Rule, head: Atom, question: Option<Atom>, lifetime: Lifetime) {
        let mut body: Vec<Literal> = question.map(Literal::Positive).into_iter().collect();
        let mut bound = VarSet::default();
        body.iter().for_each(|literal| bound.extend(&literal.vars()));
        let mut open: Vec<&Literal> = rule.body.iter().collect();
        let source = self.source;
        let is_given = |relation| source.rules_of(relation).all(|rule| rule.body.is_empty());
        while let Some(next) = next_literal(&open, &bound, is_given, self.wanted) {
            let literal = open.remove(next);
            match literal {
                Literal::Positive(atom) => {
                    let atom = self.ask(atom, &bound, &body, rule, lifetime);
                    body.push(Literal::Positive(atom));
                    bound.extend(&literal.vars());
                }
                Literal::Negative(atom) => {
                    let atom = if literal.vars().is_subset(&bound) {
                        self.ask(atom, &bound, &body, rule, lifetime)
                    } else {
                        self.need(atom.relation);
                        atom.clone()
                    };
                    body.push(Literal::Negative(atom));
                }
                Literal::Distinct(..) => body.push(literal.clone()),
            }
        }
        self.demanded.rule_set.rules.push(Rule { stratum: 0, ..rule.with(head, body) });
    }

    /// The atom to use in place of one; says what is asked.
    fn ask(
        &mut self,
        atom: &Atom,
        bound: &VarSet,
        before: &[Literal],
        rule: &Rule,
        lifetime: Lifetime,
    ) -> Atom {
        let known: Vec<usize> =
            (0..atom.args.len()).filter(|&column| is_known(&atom.args[column], bound)).collect();
        if known.is_empty() || !self.wanted.contains(&atom.relation) {
            self.need(atom.relation);
            return atom.clone();
        }
        let copy = self.copy(atom.relation, known, lifetime);
        let Copy { asked, answers, .. } = &self.copies[copy];
        let before = before.iter().filter(|literal| !matches!(literal, Literal::Negative(_)));
        let asking = asking_rule(rule, asked.question(atom), before.cloned().collect());
        self.demanded.rule_set.rules.extend(asking.map(|rule| Rule { stratum: 0, ..rule }));
        Atom { relation: *answers, args: atom.args.clone() }
    }

    fn need(&mut self, relation: RelId) {
        if !self.whole.contains(&relation) {
            self.whole.push(relation);
        }
    }

    fn copy(&mut self, relation: RelId, known: Vec<usize>, lifetime: Lifetime) -> usize {
        let is_it = |copy: &Copy| {
            copy.asked.relation == relation && copy.asked.known == known && copy.lifetime == lifetime
        };
        if let Some(at) = self.copies.iter().position(is_it) {
            return at;
        }
        let Relation { name, arity, .. } = self.source.relations[relation.index()].clone();
        let questions = Relation { name: format!("{name}?"), arity: known.len(), lifetime };
        let answers = self.add(Relation { name, arity, lifetime }, relation);
        let asked = Asked { relation, known, questions: self.add(questions, relation) };
        self.copies.push(Copy { asked, lifetime, answers });
        self.copies.len() - 1
    }

    fn add(&mut self, relation: Relation, origin: RelId) -> RelId {
        self.demanded.rule_set.relations.push(relation);
        self.demanded.origin.push(origin);
        RelId::new(self.demanded.rule_set.relations.len() - 1)
    }
}

fn is_known(pattern: &Pattern, bound: &VarSet) -> bool {
    pattern.all_vars(&|var| bound.contains(var))
}

/// The literal to go on with: one that is decided, or else one that leaves few variables open and
/// has much that is known from before. Derived facts of which nothing is known come after the facts
/// that are given.
fn next_literal(
    open: &[&Literal],
    bound: &VarSet,
    is_given: impl Fn(RelId) -> bool,
    wanted: &[RelId],
) -> Option<usize> {
    let weight = |at: &usize| {
        let literal = open[*at];
        let n_new_vars = literal.vars().count_without(bound);
        let (mut n_known, mut is_derived, mut is_on_demand) = (0, false, false);
        if let Literal::Positive(atom) = literal {
            let has_vars = |arg: &Pattern| !arg.all_vars(&|_| false);
            let is_from_before = |arg: &&Pattern| has_vars(arg) && is_known(arg, bound);
            n_known = atom.args.iter().filter(is_from_before).count();
            is_derived = !is_given(atom.relation);
            is_on_demand = wanted.contains(&atom.relation);
        }
        // What only tests has to wait until nothing is open in it, or nothing else is left.
        let waits = n_new_vars > 0 && literal.is_test();
        let is_apart = n_new_vars > 0 && n_known == 0;
        let order = (n_new_vars, std::cmp::Reverse(n_known), is_on_demand);
        (waits, is_apart && is_derived, order)
    };
    (0..open.len()).min_by_key(weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{relation, rule_set};

    fn demanded(rules: &str, wanted: &[&str]) -> Option<Demanded> {
        let rule_set = rule_set(rules);
        let keywords = rule_set.keywords;
        let roots =
            [keywords.role, keywords.init, keywords.legal, keywords.next, keywords.goal, keywords.terminal];
        let wanted: Vec<RelId> = wanted.iter().map(|name| relation(&rule_set, name)).collect();
        by_copies(&rule_set, &roots, &wanted)
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
        let named = |name: &str| demanded.rule_set.relations.iter().filter(|it| it.name == name).count();
        // As it was, by the first column for `legal`, by both for `goal`.
        assert_eq!((named("reach"), named("reach?")), (3, 2));
        let question = demanded.rule_set.relations.iter().position(|it| it.name == "reach?");
        let question = RelId::new(question.expect("it is asked"));
        assert_eq!(demanded.rule_set.relations[demanded.origin(question).index()].name, "reach");
        let asking = demanded.rule_set.rules.iter().filter(|rule| rule.head.relation == question);
        // The rule that uses it, and the recursion.
        assert_eq!(asking.count(), 2);
    }

    #[test]
    fn what_is_asked_with_nothing_known_stays_whole() {
        assert!(demanded(&format!("{REACH} (<= terminal (reach ?x ?y))"), &["reach"]).is_none());
    }

    /// Whether `lost` holds decides what is asked of `reach`, and `lost` is what `reach` does not
    /// say.
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
            |rule: &&Rule| demanded.rule_set.relations[rule.head.relation.index()].name.ends_with('?');
        let mut questions = demanded.rule_set.rules.iter().filter(is_question).flat_map(|rule| &rule.body);
        assert!(questions.all(|literal| matches!(literal, Literal::Positive(_))));
    }
}
