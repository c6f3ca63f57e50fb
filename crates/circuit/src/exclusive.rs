//! Inputs of which no two are on together: contents of a cell, moves of a role.

use crate::wire::Wire;
use smallvec::SmallVec;

/// The operands of a gate while it is made.
pub(crate) type Operands = SmallVec<[Wire; 8]>;

/// Inputs that exclude each other.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Their nodes, in order.
    pub(crate) members: Vec<u32>,
    /// Whether always one of them is on.
    pub(crate) is_exactly_one: bool,
}

/// What is known about inputs that exclude each other, and what follows for conjunctions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusive {
    groups: Vec<Group>,
    /// By node: the groups it is in.
    groups_of: Vec<SmallVec<[u32; 2]>>,
    /// By group: which member a conjunction holds, if the stamp is the current one.
    holders: Vec<(u32, u32)>,
    /// By group: how many members a conjunction negates.
    n_negated: Vec<(u32, u32)>,
    stamp: u32,
}

/// What becomes of a conjunction.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Reduced {
    /// No input is in a group, or nothing follows.
    Same,
    /// Operands were left out.
    Fewer,
    /// It never holds.
    Never,
    /// Most of the members of a group are negated: they can be replaced by one of the others.
    OneOf(Vec<u32>),
}

impl Exclusive {
    pub(crate) fn new(n_inputs: usize, groups: Vec<Group>) -> Exclusive {
        let mut groups_of = vec![SmallVec::new(); n_inputs];
        for (at, group) in groups.iter().enumerate() {
            for &member in &group.members {
                groups_of[member as usize].push(at as u32);
            }
        }
        let n_groups = groups.len();
        Exclusive {
            groups,
            groups_of,
            holders: vec![(0, 0); n_groups],
            n_negated: vec![(0, 0); n_groups],
            stamp: 0,
        }
    }

    fn groups_of(&self, wire: Wire) -> &[u32] {
        self.groups_of.get(wire.node()).map_or(&[], |groups| groups)
    }

    /// Leaves out operands that follow from others, or says what else is known.
    pub(crate) fn reduce(&mut self, operands: &mut Operands) -> Reduced {
        if operands.iter().all(|&wire| self.groups_of(wire).is_empty()) {
            return Reduced::Same;
        }
        self.stamp += 1;
        let stamp = self.stamp;
        for &wire in operands.iter().filter(|wire| !wire.is_negated()) {
            let Exclusive { groups_of, holders, .. } = self;
            for &group in groups_of.get(wire.node()).into_iter().flatten() {
                let holder = &mut holders[group as usize];
                if holder.0 == stamp && holder.1 != wire.node() as u32 {
                    return Reduced::Never;
                }
                *holder = (stamp, wire.node() as u32);
            }
        }
        let before = operands.len();
        operands.retain(|wire| {
            let is_held = |&group: &u32| self.holders[group as usize].0 == stamp;
            !(wire.is_negated() && self.groups_of(*wire).iter().any(is_held))
        });
        for &wire in operands.iter().filter(|wire| wire.is_negated()) {
            let Exclusive { groups, groups_of, n_negated, .. } = self;
            for &group in groups_of.get(wire.node()).into_iter().flatten() {
                let known = &groups[group as usize];
                let count = &mut n_negated[group as usize];
                *count = (stamp, if count.0 == stamp { count.1 + 1 } else { 1 });
                if known.is_exactly_one && 2 * count.1 as usize > known.members.len() {
                    return Reduced::OneOf(self.take_negated(group as usize, operands));
                }
            }
        }
        if operands.len() < before { Reduced::Fewer } else { Reduced::Same }
    }

    /// Removes the negated members of a group and returns the other members.
    fn take_negated(&self, group: usize, operands: &mut Operands) -> Vec<u32> {
        let is_negated = |member: u32| operands.binary_search(&!Wire::of(member as usize)).is_ok();
        let others: Vec<u32> =
            self.groups[group].members.iter().copied().filter(|&member| !is_negated(member)).collect();
        operands.retain(|wire| !(wire.is_negated() && self.groups_of(*wire).contains(&(group as u32))));
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(is_exactly_one: bool, wires: &[Wire]) -> (Reduced, Vec<Wire>) {
        let groups = vec![Group { members: vec![1, 2, 3, 4, 5], is_exactly_one }];
        let mut operands: Operands = wires.iter().copied().collect();
        operands.sort_unstable();
        let how = Exclusive::new(8, groups).reduce(&mut operands);
        (how, operands.to_vec())
    }

    #[test]
    fn one_member_excludes_the_others() {
        let (one, other, free) = (Wire::of(1), Wire::of(2), Wire::of(7));
        assert_eq!(reduced(false, &[one, other]).0, Reduced::Never);
        assert_eq!(reduced(false, &[one, !other, free]), (Reduced::Fewer, vec![one, free]));
        assert_eq!(reduced(false, &[!one, !other]).0, Reduced::Same);
    }

    #[test]
    fn most_members_negated_is_one_of_the_rest() {
        let negated = [1, 2, 3].map(|at| !Wire::of(at));
        assert_eq!(reduced(true, &negated), (Reduced::OneOf(vec![4, 5]), vec![]));
        assert_eq!(reduced(false, &negated).0, Reduced::Same);
        assert_eq!(reduced(true, &negated[..2]).0, Reduced::Same);
    }
}
