//! Lowered rules to a finished program.

use crate::lower::Lowered;
use crate::program::{Program, Relation, RuleId};
use crate::relations::{RelationId, keyword_of, reserved};
use crate::stratify::Strata;
use senet_gdl::Keyword;

/// Puts rules, relations and strata together.
pub(crate) fn build(lowered: Lowered, strata: Strata) -> Program {
    let Lowered { mut rules, relations: table, symbols, first_auxiliary, .. } = lowered;
    for (rule, stratum) in rules.iter_mut().zip(&strata.of_rule) {
        rule.stratum = *stratum;
    }
    rules.sort_by_key(|rule| rule.head.relation);
    let mut first_rule = vec![0; table.len() + 1];
    rules.iter().for_each(|rule| first_rule[rule.head.relation.index() + 1] += 1);
    for relation in 0..table.len() {
        first_rule[relation + 1] += first_rule[relation];
    }
    let n_strata = rules.iter().map(|rule| rule.stratum + 1).max().unwrap_or(0);
    let mut by_stratum = vec![Vec::new(); n_strata];
    for (rule_idx, rule) in rules.iter().enumerate() {
        by_stratum[rule.stratum].push(RuleId::new(rule_idx));
    }
    let relations = (0..table.len()).map(|relation| {
        let id = RelationId::new(relation);
        Relation {
            name: table.name(id),
            arity: table.arity(id),
            keyword: keyword_of(id),
            is_auxiliary: id >= first_auxiliary,
            is_defined: first_rule[relation] < first_rule[relation + 1],
            is_recursive: strata.is_recursive[relation],
            dependence: strata.dependence[relation],
            stratum: strata.of_relation[relation],
        }
    });
    let role = reserved(Keyword::Role).index();
    let roles = &rules[first_rule[role]..first_rule[role + 1]];
    Program {
        symbols,
        relations: relations.collect(),
        role_facts: roles
            .iter()
            .filter(|rule| rule.body.is_empty())
            .map(|rule| rule.head.args[0].clone())
            .collect(),
        has_role_rules: roles.iter().any(|rule| !rule.body.is_empty()),
        first_rule,
        strata: by_stratum,
        stratification: strata.stratification,
        rules,
    }
}
