//! Rules for tests.

use crate::mini::{Mini, RelId};

/// A game of a robot with these rules.
pub(crate) fn mini(rules: &str) -> Mini {
    let description = senet_gdl::parse(&format!("(role robot) {rules}"));
    let analysis = senet_analysis::analyze(&description, false);
    let errors: Vec<_> = analysis.errors().map(|error| error.message.clone()).collect();
    Mini::new(&analysis.program.unwrap_or_else(|| panic!("{errors:?}")))
}

/// The relation of a name that only one has.
pub(crate) fn relation(mini: &Mini, name: &str) -> RelId {
    let at = mini.relations.iter().position(|relation| relation.name == name);
    RelId::new(at.unwrap_or_else(|| panic!("no rule needs {name}")))
}
