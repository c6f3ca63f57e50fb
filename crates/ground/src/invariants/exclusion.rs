//! Bodies that need two fluents, or two moves of a role, that exclude each other.

use crate::lists::Lists;
use crate::program::{GroundProgram, Kind, Lit, MutexGroup};

/// The groups of each fluent and the role of each move.
pub(crate) struct Exclusion {
    /// By atom; atoms after the last that has groups are left out.
    groups: Lists,
    n_listed: usize,
    /// By group: the number of the last body that needs a member.
    needed_by: Vec<u32>,
    n_bodies: u32,
}

impl Exclusion {
    pub(crate) fn new(program: &GroundProgram, groups: &[MutexGroup]) -> Exclusion {
        let [fluents, moves] = [Kind::True, Kind::Does].map(|kind| program.atoms_of(kind));
        // A role does one move: its moves are a group like others. Not so where rules add to the moves.
        let has_one_move = !program.rules.heads.iter().any(|&head| moves.contains(&(head as usize)));
        let n_listed = fluents.end.max(moves.end);
        let lists = Lists::new(n_listed, || {
            let fluents = groups
                .iter()
                .zip(0..)
                .flat_map(|(group, at)| group.fluents.iter().map(move |fluent| (fluent.index(), at)));
            let roles = program.roles_of_moves().filter(move |_| has_one_move);
            let moves = moves.clone().zip(roles);
            let n_groups = groups.len();
            fluents.chain(moves.filter_map(move |(atom, role)| Some((atom, (n_groups + role?) as u32))))
        });
        let needed_by = vec![0; groups.len() + program.roles.len()];
        Exclusion { groups: lists, n_listed, needed_by, n_bodies: 0 }
    }

    /// Whether two positive literals exclude each other.
    pub(crate) fn excludes(&mut self, body: &[Lit]) -> bool {
        self.n_bodies += 1;
        for lit in body {
            let atom = lit.atom().index();
            if lit.is_negative() || atom >= self.n_listed {
                continue;
            }
            for &group in self.groups.of(atom) {
                let needed_by = &mut self.needed_by[group as usize];
                if std::mem::replace(needed_by, self.n_bodies) == self.n_bodies {
                    return true;
                }
            }
        }
        false
    }
}
