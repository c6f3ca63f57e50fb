//! Explicit strata: what a rule negates is complete before the rule runs.

use crate::normal::Normal;
use senet_rules::Literal;

/// The rules of a NORMAL-GDL program by stratum.
#[derive(Clone, Debug)]
pub struct Strata {
    /// By stratum: the numbers of its rules, ascending.
    pub rules: Vec<Vec<usize>>,
}

impl Strata {
    /// Rules for relations of the source keep their strata. The rule of an intermediate relation is put as low as what it
    /// uses allows.
    pub fn new(normal: &Normal) -> Strata {
        let mut of_relation = vec![0; normal.rule_set.relations.len()];
        for rule in &normal.rule_set.rules {
            let stratum = &mut of_relation[rule.head.relation.index()];
            *stratum = rule.stratum.max(*stratum);
        }
        let mut strata: Vec<Vec<usize>> = Vec::new();
        for (at, rule) in normal.rule_set.rules.iter().enumerate() {
            let mut stratum = rule.stratum;
            if normal.is_intermediate(rule.head.relation) {
                let least = rule.body.iter().map(|literal| match literal {
                    Literal::Positive(atom) => of_relation[atom.relation.index()],
                    Literal::Negative(atom) => of_relation[atom.relation.index()] + 1,
                    Literal::Distinct(..) => 0,
                });
                // Where rules of one relation are of several strata, the rule knows better which of them it meets.
                stratum = least.max().unwrap_or(0).min(stratum);
                of_relation[rule.head.relation.index()] = stratum;
            }
            if strata.len() <= stratum {
                strata.resize(stratum + 1, Vec::new());
            }
            strata[stratum].push(at);
        }
        Strata { rules: strata }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::source_order;
    use senet_rules::RuleSet;

    fn strata(text: &str) -> Vec<Vec<String>> {
        let description = senet_gdl::parse(&format!("(role r) {text}"));
        let program = senet_analysis::analyze(&description, false).program.expect("an accepted rulesheet");
        let normal = Normal::new(RuleSet::new(&program), source_order).expect("a small program");
        let name = |&rule: &usize| {
            normal.rule_set.relations[normal.rule_set.rules[rule].head.relation.index()].name.clone()
        };
        Strata::new(&normal).rules.iter().map(|rules| rules.iter().map(name).collect()).collect()
    }

    #[test]
    fn negation_and_what_is_joined_before_it_are_apart() {
        let strata = strata("(p 1) (<= (q ?x) (p ?x)) (<= (legal r ?x) (p ?x) (p ?x) (not (q ?x)) (q ?x))");
        assert_eq!(strata, [vec!["role", "legal.1", "p", "q"], vec!["legal.2", "legal"]]);
    }

    #[test]
    fn a_split_relation_has_rules_in_several_strata() {
        let strata = strata(
            "(<= (goal ?r 100) (role ?r) (true won))
             (<= (goal ?r 0) (role ?r) (role ?r) (not (goal ?r 100)) (role ?r))",
        );
        assert_eq!(strata, [vec!["role", "goal", "goal.1"], vec!["goal.2", "goal"]]);
    }
}
