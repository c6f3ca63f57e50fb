//! The rules in the order in which they run: relations after those they use.

use crate::plan::{Plan, plan};
use crate::sizes::Sizes;
use crate::view::{ViewId, Views, facts};
use senet_rules::persistent::Persistent;
use senet_rules::stages;
use senet_rules::{Lifetime, Literal, RelId, Rule};

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
    pub(crate) fn new(order: &[stages::Stage], persistent: &Persistent) -> Stages {
        let stage = |(cursor, stage): (usize, &stages::Stage)| Stage {
            lifetime: stage.lifetime,
            is_persistent: stage.relations.iter().all(|&relation| persistent.contains(relation)),
            cursor,
            relations: stage.relations.clone(),
            groups: stage
                .groups
                .iter()
                .map(|rules| Group { rules: rules.clone(), once: Vec::new(), triggered: Vec::new() })
                .collect(),
        };
        Stages { n_cursors: order.len(), stages: order.iter().enumerate().map(stage).collect() }
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
}
