//! The relations in the order in which they are derived: each after those it uses.

use crate::lower::Lifetime;
use crate::rule::RelId;
use crate::rule_set::RuleSet;

/// Relations that use each other, or one relation.
#[derive(Clone, Debug)]
pub struct Stage {
    /// How long its facts stay.
    pub lifetime: Lifetime,
    /// Which relations.
    pub relations: Vec<RelId>,
    /// The numbers of the rules, by stratum.
    pub groups: Vec<Vec<usize>>,
}

/// All stages, relations after those they use. Relations without rules have none.
pub fn stages(rule_set: &RuleSet) -> Vec<Stage> {
    let RuleSet { relations, rules: all, .. } = rule_set;
    let mut rules_of = vec![Vec::new(); relations.len()];
    for (at, rule) in all.iter().enumerate() {
        rules_of[rule.head.relation.index()].push(at);
    }
    let stage = |members: &[usize]| {
        let mut rules: Vec<usize> =
            members.iter().flat_map(|&member| rules_of[member].iter().copied()).collect();
        rules.sort_by_key(|&rule| all[rule].stratum);
        let groups = rules.chunk_by(|&left, &right| all[left].stratum == all[right].stratum);
        Stage {
            lifetime: relations[members[0]].lifetime,
            relations: members.iter().map(|&member| RelId::new(member)).collect(),
            groups: groups.map(<[usize]>::to_vec).collect(),
        }
    };
    rule_set.components().members().map(stage).filter(|stage| !stage.groups.is_empty()).collect()
}

/// The stages that relations need, in order.
///
/// Stages whose facts live longer than `longest` are left out.
pub fn needed_for(
    rule_set: &RuleSet,
    stages: &[Stage],
    relations: &[RelId],
    longest: Lifetime,
) -> Vec<usize> {
    let mut is_needed = vec![false; rule_set.relations.len()];
    relations.iter().for_each(|relation| is_needed[relation.index()] = true);
    let mut needed = Vec::new();
    for (at, stage) in stages.iter().enumerate().rev() {
        if !stage.relations.iter().any(|relation| is_needed[relation.index()]) {
            continue;
        }
        for &rule in stage.groups.iter().flatten() {
            rule_set.rules[rule].atoms().for_each(|atom| is_needed[atom.relation.index()] = true);
        }
        if stage.lifetime >= longest {
            needed.push(at);
        }
    }
    needed.reverse();
    needed
}
