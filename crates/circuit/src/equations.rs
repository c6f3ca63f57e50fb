//! The ground rules by what they conclude.

use crate::components::Components;
use senet_ground::{AtomId, GroundProgram, Kind, Lit};

/// Every atom as the disjunction of the bodies of its rules.
pub(crate) struct Equations<'g> {
    program: &'g GroundProgram,
    /// Where the rules of each atom begin, and one end more.
    first: Vec<u32>,
    bodies: Vec<&'g [Lit]>,
    is_fact: Vec<bool>,
}

/// Atoms in an order in which they can be computed.
pub(crate) struct Order {
    /// Each part after those it depends on. The atoms of a part depend on each other.
    pub(crate) parts: Vec<Part>,
    /// By atom: the number of the loop it is, if its value is needed before it is computed.
    pub(crate) loop_of: Vec<Option<u32>>,
    pub(crate) n_loops: usize,
}

/// Atoms that are computed together.
pub(crate) struct Part {
    pub(crate) atoms: Vec<u32>,
    /// The loops among them: consecutive numbers.
    pub(crate) loops: std::ops::Range<usize>,
}

/// Atoms that depend on their own negation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NegativeCycle {
    /// One of them, as text.
    pub(crate) atom: String,
}

impl<'g> Equations<'g> {
    pub(crate) fn new(program: &'g GroundProgram) -> Equations<'g> {
        let mut first = vec![0_u32; program.n_atoms() + 2];
        program.rules().for_each(|rule| first[rule.head.index() + 2] += 1);
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut bodies: Vec<&[Lit]> = vec![&[]; program.n_rules()];
        for rule in program.rules() {
            let place = &mut first[rule.head.index() + 1];
            bodies[*place as usize] = rule.body;
            *place += 1;
        }
        first.pop();
        let mut is_fact = vec![false; program.n_atoms()];
        program.facts().iter().for_each(|atom| is_fact[atom.index()] = true);
        Equations { program, first, bodies, is_fact }
    }

    /// The bodies of the rules for an atom.
    pub(crate) fn bodies(&self, atom: usize) -> &[&'g [Lit]] {
        &self.bodies[self.first[atom] as usize..self.first[atom + 1] as usize]
    }

    fn is_derived(&self, atom: usize) -> bool {
        !self.is_fact[atom] && !self.bodies(atom).is_empty()
    }

    /// Fluents that rules conclude within a state.
    pub(crate) fn derived_fluents(&self) -> impl Iterator<Item = AtomId> + '_ {
        let fluents = self.program.atoms_of(Kind::True);
        fluents.filter(|&atom| self.is_derived(atom)).map(AtomId::new)
    }

    pub(crate) fn order(&self) -> Result<Order, NegativeCycle> {
        let n = self.program.n_atoms();
        let mut first = vec![0_u32; n + 1];
        let mut needed = Vec::new();
        for atom in 0..n {
            if self.is_derived(atom) {
                let atoms = self.bodies(atom).iter().copied().flatten().map(|lit| lit.atom().index());
                needed.extend(
                    atoms.filter(|&other| other != atom && self.is_derived(other)).map(|it| it as u32),
                );
            }
            first[atom + 1] = needed.len() as u32;
        }
        let components = Components::new(n, |atom| &needed[first[atom] as usize..first[atom + 1] as usize]);
        drop((first, needed));
        let mut order = Order { parts: Vec::new(), loop_of: vec![None; n], n_loops: 0 };
        let mut component_of = vec![u32::MAX; n];
        let mut is_computed = vec![false; n];
        for (at, atoms) in components.iter().enumerate() {
            if !atoms.iter().all(|&atom| self.is_derived(atom as usize)) {
                continue;
            }
            atoms.iter().for_each(|&atom| component_of[atom as usize] = at as u32);
            let first_loop = order.n_loops;
            for &atom in atoms {
                for lit in self.bodies(atom as usize).iter().copied().flatten() {
                    let other = lit.atom().index();
                    if component_of[other] != at as u32 || other == atom as usize && !lit.is_negative() {
                        continue;
                    }
                    if lit.is_negative() {
                        let mut text = String::new();
                        self.program.write_atom(&mut text, lit.atom());
                        return Err(NegativeCycle { atom: text });
                    }
                    if !is_computed[other] && order.loop_of[other].is_none() {
                        order.loop_of[other] = Some(order.n_loops as u32);
                        order.n_loops += 1;
                    }
                }
                is_computed[atom as usize] = true;
            }
            order.parts.push(Part { atoms: atoms.to_vec(), loops: first_loop..order.n_loops });
        }
        Ok(order)
    }
}
