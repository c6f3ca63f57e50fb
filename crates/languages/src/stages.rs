//! The relations in the order in which they are derived: each after those it uses.

use crate::mini::{Lifetime, Literal, Mini, RelId};
use senet_analysis::Graph;

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
pub fn stages(mini: &Mini) -> Vec<Stage> {
    let edges = mini.rules.iter().flat_map(|rule| {
        let used = rule.body.iter().filter_map(Literal::atom);
        used.map(|atom| (rule.head.relation.index(), atom.relation.index()))
    });
    let components = Graph::new(mini.relations.len(), edges).components();
    let mut rules_of = vec![Vec::new(); mini.relations.len()];
    for (at, rule) in mini.rules.iter().enumerate() {
        rules_of[rule.head.relation.index()].push(at);
    }
    let stage = |members: &[usize]| {
        let mut rules: Vec<usize> =
            members.iter().flat_map(|&member| rules_of[member].iter().copied()).collect();
        rules.sort_by_key(|&rule| mini.rules[rule].stratum);
        let groups = rules.chunk_by(|&left, &right| mini.rules[left].stratum == mini.rules[right].stratum);
        Stage {
            lifetime: mini.relations[members[0]].lifetime,
            relations: members.iter().map(|&member| RelId::new(member)).collect(),
            groups: groups.map(<[usize]>::to_vec).collect(),
        }
    };
    components.members().map(stage).filter(|stage| !stage.groups.is_empty()).collect()
}

/// The stages that relations need, of those whose facts live this long at most, in order.
pub fn needed_for(mini: &Mini, stages: &[Stage], relations: &[RelId], longest: Lifetime) -> Vec<usize> {
    let mut is_needed = vec![false; mini.relations.len()];
    relations.iter().for_each(|relation| is_needed[relation.index()] = true);
    let mut needed = Vec::new();
    for (at, stage) in stages.iter().enumerate().rev() {
        if !stage.relations.iter().any(|relation| is_needed[relation.index()]) {
            continue;
        }
        for &rule in stage.groups.iter().flatten() {
            for atom in mini.rules[rule].body.iter().filter_map(Literal::atom) {
                is_needed[atom.relation.index()] = true;
            }
        }
        if stage.lifetime >= longest {
            needed.push(at);
        }
    }
    needed.reverse();
    needed
}
