//! The order of the roles.

use senet_gdl::Term;
use senet_terms::Terms;

/// Puts roles into their order: facts as written, then others in source order.
pub fn sort_roles(roles: &mut [u32], role_facts: &[Term], terms: &mut Terms) {
    let written: Vec<u32> = role_facts.iter().map(|role| terms.read(role)).collect();
    let place = |role: u32| written.iter().position(|&it| it == role).unwrap_or(usize::MAX);
    roles.sort_by(|&left, &right| {
        place(left).cmp(&place(right)).then_with(|| terms.source_order(left, right))
    });
}
