//! INVERTED-GDL: for each relation the rules that its facts trigger, as a head and what remains of the body.
//!
//! A program is run stratum by stratum: the rules that begin a stratum are run, every fact that is known triggers the rules
//! of the stratum, and so does every fact that comes, until none does. A fact is known before it triggers anything, so
//! that of two facts that lead to a third the later one finds the other.

use crate::normal::Normal;
use crate::strata::Strata;
use senet_rules::{Atom, Literal, RelId, Rule};

/// A literal whose facts trigger a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trigger {
    /// The rule, by its number in NORMAL-GDL.
    pub rule: usize,
    /// Which literal of its body.
    pub literal: usize,
}

/// What the facts of a relation trigger in a stratum.
#[derive(Clone, Debug)]
pub struct Triggered {
    /// The relation.
    pub by: RelId,
    /// In the order of the rules.
    pub triggers: Vec<Trigger>,
}

/// The rules that run together.
#[derive(Clone, Debug)]
pub struct Stratum {
    /// The numbers of the rules that no fact triggers: they have no positive literal.
    pub begin: Vec<usize>,
    /// By relation, in the order of relations.
    pub triggered: Vec<Triggered>,
}

/// A program of triggers.
#[derive(Clone, Debug)]
pub struct Inverted {
    /// What was inverted.
    pub normal: Normal,
    /// In the order in which they run.
    pub strata: Vec<Stratum>,
}

impl Inverted {
    /// Inverts a program.
    pub fn new(normal: Normal) -> Inverted {
        let strata = Strata::new(&normal).rules;
        let strata = strata.iter().map(|rules| invert(&normal, rules)).collect();
        Inverted { normal, strata }
    }

    /// A rule of NORMAL-GDL.
    pub fn rule(&self, rule: usize) -> &Rule {
        &self.normal.rule_set.rules[rule]
    }

    /// What a fact has to look like to trigger the rule.
    pub fn fact(&self, trigger: Trigger) -> &Atom {
        let literal = &self.rule(trigger.rule).body[trigger.literal];
        literal.atom().expect("a trigger is a positive literal")
    }

    /// What follows.
    pub fn head(&self, trigger: Trigger) -> &Atom {
        &self.rule(trigger.rule).head
    }

    /// What remains of the body.
    pub fn rest(&self, trigger: Trigger) -> Option<&Literal> {
        let mut body = self.rule(trigger.rule).body.iter().enumerate();
        body.find(|&(at, _)| at != trigger.literal).map(|(_, literal)| literal)
    }
}

fn invert(normal: &Normal, rules: &[usize]) -> Stratum {
    let mut begin = Vec::new();
    let mut triggers: Vec<(RelId, Trigger)> = Vec::new();
    for &rule in rules {
        let n_before = triggers.len();
        for (at, literal) in normal.rule_set.rules[rule].body.iter().enumerate() {
            if let Literal::Positive(atom) = literal {
                triggers.push((atom.relation, Trigger { rule, literal: at }));
            }
        }
        if triggers.len() == n_before {
            begin.push(rule);
        }
    }
    triggers.sort_by_key(|&(by, _)| by);
    let triggered = triggers.chunk_by(|left, right| left.0 == right.0).map(|of_relation| Triggered {
        by: of_relation[0].0,
        triggers: of_relation.iter().map(|&(_, trigger)| trigger).collect(),
    });
    Stratum { begin, triggered: triggered.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::source_order;
    use senet_rules::RuleSet;

    #[test]
    fn every_positive_literal_is_a_trigger_and_every_rule_is_reached() {
        let description = senet_gdl::parse(
            "(role r) (p 1 2) (p 2 3)
             (<= (legal r ?z) (p ?x ?y) (p ?y ?z) (distinct ?x ?z) (not (taken ?z)))
             (<= (taken ?x) (true (at ?x)))
             (<= terminal (not some))
             (<= some (true ?x))",
        );
        let program = senet_analysis::analyze(&description, false).program.expect("an accepted rulesheet");
        let normal = Normal::new(RuleSet::new(&program), source_order).expect("a small program");
        let positive = |rule: &Rule| rule.body.iter().filter(|literal| !literal.is_test()).count();
        let n_positive: usize = normal.rule_set.rules.iter().map(positive).sum();
        let inverted = Inverted::new(normal);
        let triggered = inverted.strata.iter().flat_map(|stratum| &stratum.triggered);
        let triggers: Vec<(RelId, Trigger)> =
            triggered.flat_map(|it| it.triggers.iter().map(|&trigger| (it.by, trigger))).collect();
        assert_eq!(triggers.len(), n_positive);
        assert!(triggers.iter().all(|&(by, trigger)| inverted.fact(trigger).relation == by));
        let begin = inverted.strata.iter().flat_map(|stratum| &stratum.begin);
        let mut reached: Vec<usize> = begin.copied().chain(triggers.iter().map(|it| it.1.rule)).collect();
        reached.sort_unstable();
        reached.dedup();
        assert_eq!(reached, (0..inverted.normal.rule_set.rules.len()).collect::<Vec<_>>());
        let text = inverted.to_text(program.symbols());
        let twice = "\
(on (p ?x ?y)
    (<= (legal.1 ?x ?z)
        (p ?y ?z)))

(on (p ?y ?z)
    (<= (legal.1 ?x ?z)
        (p ?x ?y)))
";
        assert!(text.contains(twice), "{text}");
        assert!(text.contains("; --- stratum 1 ---\n\n(<= terminal\n    (not some))\n"), "{text}");
    }
}
