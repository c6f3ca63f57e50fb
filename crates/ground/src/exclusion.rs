//! Bodies that need two fluents, or two moves of a role, that exclude each other.

use crate::program::{AtomId, GroundProgram, Kind, Lit, MutexGroup};

/// The groups of each fluent and the role of each move.
pub(crate) struct Exclusion {
    /// Where the groups of each atom begin, and one end more.
    first: Vec<u32>,
    groups: Vec<u32>,
}

impl Exclusion {
    pub(crate) fn new(program: &GroundProgram, groups: &[MutexGroup]) -> Exclusion {
        let mut members: Vec<(u32, u32)> = Vec::new();
        for (group, MutexGroup { fluents, .. }) in groups.iter().enumerate() {
            members.extend(fluents.iter().map(|fluent| (fluent.index() as u32, group as u32)));
        }
        // A role does one move: its moves are a group like others. Not so where rules add to the moves.
        let moves = program.atoms_of(Kind::Does);
        if !program.rules.heads.iter().any(|&head| moves.contains(&(head as usize))) {
            for does in moves {
                let role = program.args(AtomId::new(does)).next();
                let place = program.roles.iter().position(|&known| Some(known) == role);
                members.extend(place.map(|place| (does as u32, (groups.len() + place) as u32)));
            }
        }
        members.sort_unstable();
        let mut first = vec![0; program.n_atoms() + 1];
        members.iter().for_each(|&(atom, _)| first[atom as usize + 1] += 1);
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        Exclusion { first, groups: members.into_iter().map(|(_, group)| group).collect() }
    }

    fn groups_of(&self, lit: Lit) -> &[u32] {
        let atom = lit.atom().index();
        &self.groups[self.first[atom] as usize..self.first[atom + 1] as usize]
    }

    /// Whether two positive literals exclude each other.
    pub(crate) fn excludes(&self, body: &[Lit]) -> bool {
        body.iter().enumerate().any(|(at, &left)| {
            let own = if left.is_negative() { &[][..] } else { self.groups_of(left) };
            !own.is_empty()
                && body[at + 1..].iter().any(|&right| {
                    !right.is_negative() && self.groups_of(right).iter().any(|group| own.contains(group))
                })
        })
    }
}
