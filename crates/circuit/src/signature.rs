//! What the bits of a circuit mean.

use senet_ground::{AtomId, GroundProgram};
use senet_terms::TermId;
use std::ops::Range;

/// A move of a role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The place of its role among the roles.
    pub role: usize,
    /// Its canonical text.
    pub text: String,
    /// The term, by which moves of different roles are compared.
    pub term: TermId,
}

/// The names of roles, fluents and moves, and the initial state.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The roles, in order.
    pub role_names: Vec<String>,
    /// The canonical texts of the fluents.
    pub fluents: Vec<String>,
    /// The moves, role by role, those of a role in source order.
    pub moves: Vec<Move>,
    /// By role: which of the moves are its own.
    pub moves_of: Vec<Range<usize>>,
    /// The fluents of the initial state, in order.
    pub init: Vec<u32>,
    /// Fluents that hold in every state because the rulesheet says so, in order.
    pub always: Vec<u32>,
}

impl Signature {
    pub(crate) fn new(program: &GroundProgram) -> (Signature, Vec<AtomId>) {
        let text = |term: TermId| program.term_text(term);
        let role_names: Vec<String> = program.roles().iter().map(|&role| text(role)).collect();
        let fluents = program.base().map(|atom| program.args(atom).map(text).collect()).collect();
        let first_fluent = program.base().next().map_or(0, AtomId::index);
        let n_fluents = program.base().len();
        let place = |atom: &AtomId| {
            let at = atom.index().checked_sub(first_fluent)?;
            (at < n_fluents).then_some(at as u32)
        };
        let mut does: Vec<(usize, TermId, AtomId)> = Vec::new();
        for atom in program.input() {
            let mut args = program.args(atom);
            let (Some(role), Some(term)) = (args.next(), args.next()) else { continue };
            if let Some(role) = program.roles().iter().position(|&known| known == role) {
                does.push((role, term, atom));
            }
        }
        let source_order = |left: TermId, right: TermId| {
            program.terms().source_order(left.index() as u32, right.index() as u32)
        };
        does.sort_by(|left, right| left.0.cmp(&right.0).then_with(|| source_order(left.1, right.1)));
        let moves_of = (0..role_names.len()).map(|role| {
            let first = does.partition_point(|&(other, ..)| other < role);
            first..does.partition_point(|&(other, ..)| other <= role)
        });
        let signature = Signature {
            fluents,
            moves_of: moves_of.collect(),
            moves: does.iter().map(|&(role, term, _)| Move { role, text: text(term), term }).collect(),
            init: program.init().iter().filter_map(place).collect(),
            always: program.facts().iter().filter_map(place).collect(),
            role_names,
        };
        (signature, does.into_iter().map(|(.., atom)| atom).collect())
    }
}
