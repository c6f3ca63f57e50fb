//! Which relations use which, directly or through others.

use crate::rule::Rule;

/// Adds the relations that use one of these by the given rules.
pub fn add_users<'r>(rules: impl Iterator<Item = &'r Rule> + Clone, is_meant: &mut [bool]) {
    loop {
        let mut has_grown = false;
        for rule in rules.clone() {
            let head = rule.head.relation.index();
            if !is_meant[head] && rule.atoms().any(|atom| is_meant[atom.relation.index()]) {
                is_meant[head] = true;
                has_grown = true;
            }
        }
        if !has_grown {
            return;
        }
    }
}
