//! Rules for tests.

use crate::rule::RelId;
use crate::rule_set::RuleSet;

/// A game of a robot with these rules.
pub(crate) fn rule_set(rules: &str) -> RuleSet {
    let description = senet_gdl::parse(&format!("(role robot) {rules}"));
    let analysis = senet_analysis::analyze(&description, false);
    let errors: Vec<_> = analysis.errors().map(|error| error.message.clone()).collect();
    RuleSet::new(&analysis.program.unwrap_or_else(|| panic!("{errors:?}")))
}

/// The relation of a name that only one has.
pub(crate) fn relation(rule_set: &RuleSet, name: &str) -> RelId {
    let at = rule_set.relations.iter().position(|relation| relation.name == name);
    RelId::new(at.unwrap_or_else(|| panic!("no rule needs {name}")))
}
