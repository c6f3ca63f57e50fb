//! Rules that may have the same instances.

use super::overlap::{NoTest, Overlap, clash, dynamic, overlap};
use super::symmetry::is_symmetric;
use crate::facts::FactStore;
use senet_rules::{Atom, RelId, Rule};
use smallvec::SmallVec;

/// In larger groups the rules are not compared with each other, but all their instances are.
const MOST_COMPARED: usize = 256;
/// With more tests for each instance it takes less time to compare the instances.
const MOST_OVERLAPS: usize = 8;

/// A rule and how its instances relate to those of the rules around it.
pub(crate) struct Member {
    pub(crate) rule: Rule,
    /// Whether two ways to satisfy its body can be the same instance.
    pub(crate) is_symmetric: bool,
    /// Which of its instances earlier members have as well.
    pub(crate) overlaps: Vec<Overlap>,
    /// Whether another member of the group may have the same instances besides.
    pub(crate) has_alike: bool,
}

/// The rules by stratum, then those with the same relations together. `drops_negation`: negated
/// atoms that cannot hold are left out of instances.
pub(crate) fn group_rules(store: &FactStore, rules: Vec<Rule>, drops_negation: bool) -> Vec<Vec<Member>> {
    let mut keyed: Vec<(Signature, Rule)> =
        rules.into_iter().map(|rule| (signature(store, &rule), rule)).collect();
    keyed.sort_by(|left, right| (left.1.stratum, &left.0).cmp(&(right.1.stratum, &right.0)));
    let mut groups = Vec::new();
    let mut keyed = keyed.into_iter().peekable();
    while let Some((signature, rule)) = keyed.next() {
        let mut group = vec![rule];
        while let Some((_, rule)) =
            keyed.next_if(|(next, rule)| *next == signature && rule.stratum == group[0].stratum)
        {
            group.push(rule);
        }
        groups.push(members(store, group, drops_negation));
    }
    groups
}

fn members(store: &FactStore, group: Vec<Rule>, drops_negation: bool) -> Vec<Member> {
    let is_large = group.len() > MOST_COMPARED;
    let mut members: Vec<Member> = Vec::with_capacity(group.len());
    for rule in group {
        let is_symmetric = is_symmetric(store, &rule);
        let (mut overlaps, mut alike) = (Vec::new(), Vec::new());
        let earlier = if is_large { &[][..] } else { &members[..] };
        for (at, earlier) in earlier.iter().enumerate() {
            if !may_coincide(store, &rule, &earlier.rule, drops_negation) {
                continue;
            }
            match overlap(store, &rule, &earlier.rule, drops_negation) {
                Err(NoTest::Disjoint) => {}
                Ok(overlap) if overlaps.len() < MOST_OVERLAPS => overlaps.push(overlap),
                Ok(_) | Err(NoTest::Unclear) => alike.push(at),
            }
        }
        alike.iter().for_each(|&at| members[at].has_alike = true);
        let has_alike = is_large || !alike.is_empty();
        members.push(Member { rule, is_symmetric, overlaps, has_alike });
    }
    members
}

type Signature = (RelId, SmallVec<[(RelId, bool); 6]>);

/// The relations of the ground form of a rule.
fn signature(store: &FactStore, rule: &Rule) -> Signature {
    let mut relations: SmallVec<_> =
        dynamic(store, rule).map(|(atom, is_positive)| (atom.relation, is_positive)).collect();
    relations.sort();
    relations.dedup();
    (rule.head.relation, relations)
}

/// Whether no difference between constants keeps the instances of two rules apart.
fn may_coincide(store: &FactStore, left: &Rule, right: &Rule, drops_negation: bool) -> bool {
    let has_partner = |(atom, is_positive): (&Atom, bool), other: &Rule| {
        drops_negation && !is_positive
            || dynamic(store, other).any(|(partner, sign)| sign == is_positive && !clash(atom, partner))
    };
    !clash(&left.head, &right.head)
        && dynamic(store, left).all(|it| has_partner(it, right))
        && dynamic(store, right).all(|it| has_partner(it, left))
}
