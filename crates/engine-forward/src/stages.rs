//! The rules in the order in which they run: relations after those they use.

use crate::plan::{Plan, plan};
use crate::sizes::Sizes;
use crate::view::{ViewId, Views, facts};
use senet_analysis::Graph;
use senet_languages::mini::{Lifetime, Literal, Mini, RelId, Rule};
use senet_languages::persistent::Persistent;

/// Rules that run when new facts come to a literal.
#[derive(Clone, Debug)]
pub(crate) struct Triggered {
    pub(crate) plan: Plan,
    /// Where the facts come.
    pub(crate) view: ViewId,
    /// The place of the number of facts that were seen.
    pub(crate) cursor: usize,
}

/// Rules of one stratum of relations that use each other.
#[derive(Clone, Debug)]
struct Group {
    rules: Vec<usize>,
    once: Vec<Plan>,
    triggered: Vec<Triggered>,
}

/// Relations that use each other, or one relation.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) lifetime: Lifetime,
    /// Whether its facts stay when a match goes on.
    pub(crate) is_persistent: bool,
    /// The place of whether it ran in this match.
    pub(crate) cursor: usize,
    relations: Vec<RelId>,
    groups: Vec<Group>,
}

impl Stage {
    /// By stratum: the rules that run once, and those that run while facts come.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (&[Plan], &[Triggered])> {
        self.groups.iter().map(|group| (&group.once[..], &group.triggered[..]))
    }

    /// Whose facts are derived here.
    pub(crate) fn relation(&self) -> RelId {
        self.relations[0]
    }
}

/// All stages, relations after those they use.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    stages: Vec<Stage>,
    pub(crate) n_cursors: usize,
}

impl Stages {
    pub(crate) fn new(mini: &Mini, persistent: &Persistent) -> Stages {
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
            let groups =
                rules.chunk_by(|&left, &right| mini.rules[left].stratum == mini.rules[right].stratum);
            let group =
                |rules: &[usize]| Group { rules: rules.to_vec(), once: Vec::new(), triggered: Vec::new() };
            Stage {
                lifetime: mini.relations[members[0]].lifetime,
                is_persistent: members.iter().all(|&member| persistent.contains(RelId::new(member))),
                cursor: 0,
                relations: members.iter().map(|&member| RelId::new(member)).collect(),
                groups: groups.map(group).collect(),
            }
        };
        let stages = components.members().map(stage).filter(|stage| !stage.groups.is_empty());
        let numbered = stages.enumerate().map(|(cursor, stage)| Stage { cursor, ..stage });
        let stages: Vec<Stage> = numbered.collect();
        Stages { n_cursors: stages.len(), stages }
    }

    pub(crate) fn len(&self) -> usize {
        self.stages.len()
    }

    pub(crate) fn get(&self, at: usize) -> &Stage {
        &self.stages[at]
    }

    /// The numbers of the rules of a stage.
    pub(crate) fn rules(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.stages[at].groups.iter().flat_map(|group| group.rules.iter().copied())
    }

    /// Plans the rules of a stage by the sizes that are known.
    pub(crate) fn plan(&mut self, at: usize, rules: &[Rule], views: &mut Views, sizes: &mut Sizes) {
        let Stages { stages, n_cursors } = self;
        let Stage { relations, groups, is_persistent, .. } = &mut stages[at];
        for group in groups {
            (group.once, group.triggered) = (Vec::new(), Vec::new());
            for rule in group.rules.iter().map(|&rule| &rules[rule]) {
                let mut is_triggered = false;
                for (literal, condition) in rule.body.iter().enumerate() {
                    if let Literal::Positive(atom) = condition
                        && (relations.contains(&atom.relation)
                            || *is_persistent && views[facts(atom.relation)].is_persistent)
                    {
                        is_triggered = true;
                        let plan = plan(rule, Some(literal), views, sizes);
                        group.triggered.push(Triggered {
                            plan,
                            view: views.of_atom(atom),
                            cursor: *n_cursors,
                        });
                        *n_cursors += 1;
                    }
                }
                if !is_triggered {
                    group.once.push(plan(rule, None, views, sizes));
                }
            }
        }
    }

    /// The stages that relations need, of those whose facts live this long at most, in order.
    pub(crate) fn needed_for(&self, mini: &Mini, relations: &[RelId], longest: Lifetime) -> Vec<usize> {
        let mut is_needed = vec![false; mini.relations.len()];
        relations.iter().for_each(|relation| is_needed[relation.index()] = true);
        let mut needed = Vec::new();
        for (at, stage) in self.stages.iter().enumerate().rev() {
            if !stage.relations.iter().any(|relation| is_needed[relation.index()]) {
                continue;
            }
            for rule in stage.groups.iter().flat_map(|group| &group.rules) {
                for atom in mini.rules[*rule].body.iter().filter_map(Literal::atom) {
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
}
