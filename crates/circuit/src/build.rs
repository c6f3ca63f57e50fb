//! From ground rules to gates.

use crate::circuit::{Circuit, GoalWire, Size};
use crate::equations::{Equations, NegativeCycle};
use crate::exclusive::{Exclusive, Group};
use crate::factor::{Term, factor};
use crate::flatten::flatten;
use crate::net::{Inputs, Net};
use crate::pairs::extract_pairs;
use crate::signature::Signature;
use crate::sweep::sweep;
use crate::wire::Wire;
use senet_ground::{AtomId, GroundProgram, Kind};

/// Why there is no circuit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildError {
    /// Atoms depend on their own negation.
    #[error("`{0}` depends on its own negation")]
    NegativeCycle(String),
    /// Rules conclude `true`: what holds in a state is more than the state.
    #[error("rules conclude `{0}`: the state does not tell what is true")]
    DerivedFluent(String),
}

/// Builds the circuit of a ground game and makes it small.
pub fn build(program: &GroundProgram) -> Result<Circuit, BuildError> {
    let mut circuit = translate(program)?;
    circuit.note_size("rules as gates");
    sweep(&mut circuit);
    circuit.note_size("dead logic removed");
    flatten(&mut circuit);
    circuit.note_size("nested gates joined");
    extract_pairs(&mut circuit);
    circuit.note_size("common pairs shared");
    Ok(circuit)
}

/// The rules as gates, nothing else done.
pub(crate) fn translate(program: &GroundProgram) -> Result<Circuit, BuildError> {
    let (signature, does) = Signature::new(program);
    let equations = Equations::new(program);
    if let Some(fluent) = equations.derived_fluents().next() {
        let mut text = String::new();
        program.write_atom(&mut text, fluent);
        return Err(BuildError::DerivedFluent(text));
    }
    let order = equations.order().map_err(|NegativeCycle { atom }| BuildError::NegativeCycle(atom))?;
    let inputs = Inputs { n_fluents: program.base().len(), n_moves: does.len(), n_loops: order.n_loops };
    let groups = groups(program, &signature, inputs);
    let exclusive = Exclusive::new(inputs.len(), known_groups(&groups, &signature, inputs));
    let mut net = Net::new(inputs, exclusive);

    let mut value = vec![Wire::FALSE; program.n_atoms()];
    for (at, fluent) in program.base().enumerate() {
        value[fluent.index()] = Wire::of(inputs.fluent(at));
    }
    for (at, does) in does.iter().enumerate() {
        value[does.index()] = Wire::of(inputs.a_move(at));
    }
    for fact in program.facts() {
        value[fact.index()] = Wire::TRUE;
    }
    for (atom, at) in order.loop_of.iter().enumerate() {
        if let Some(at) = at {
            value[atom] = Wire::of(inputs.a_loop(*at as usize));
        }
    }
    let mut loops = vec![Wire::FALSE; order.n_loops];
    let mut blocks = Vec::new();
    for part in &order.parts {
        for &atom in &part.atoms {
            let atom = atom as usize;
            let bodies = equations.bodies(atom).iter();
            // A body with its own head proves nothing.
            let bodies = bodies.filter(|body| body.iter().all(|lit| lit.atom().index() != atom));
            let terms: Vec<Term> = bodies
                .map(|body| {
                    let wires = body.iter();
                    wires.map(|lit| value[lit.atom().index()].negated_if(lit.is_negative())).collect()
                })
                .collect();
            let wire = factor(&mut net, terms);
            match order.loop_of[atom] {
                Some(at) => loops[at as usize] = wire,
                None => value[atom] = wire,
            }
        }
        if !part.loops.is_empty() {
            blocks.push(part.loops.clone());
        }
    }
    let of = |atom: AtomId| value[atom.index()];
    let terminal = program.atoms_of(Kind::Terminal).map(|atom| value[atom]).next().unwrap_or(Wire::FALSE);
    Ok(Circuit {
        next: program.base().map(|fluent| of(program.next_of(fluent))).collect(),
        legal: does.iter().map(|&does| of(program.legal_of(does))).collect(),
        terminal,
        goals: goals(program, &value),
        net,
        loops,
        blocks,
        groups,
        signature,
        n_ground_rules: program.n_rules(),
        sizes: Vec::<Size>::new(),
    })
}

/// The exclusive fluents, as places in base.
fn groups(program: &GroundProgram, signature: &Signature, inputs: Inputs) -> Vec<Group> {
    let first = program.base().next().map_or(0, AtomId::index);
    debug_assert_eq!(signature.fluents.len(), inputs.n_fluents);
    let place = |fluent: &AtomId| fluent.index().checked_sub(first).filter(|&at| at < inputs.n_fluents);
    let groups = program.mutex_groups().iter().map(|group| Group {
        members: group.fluents.iter().filter_map(place).map(|at| inputs.fluent(at) as u32).collect(),
        is_exactly_one: group.is_exactly_one,
    });
    groups.collect()
}

/// What gates may rely on: exclusive fluents, and one move of each role that has moves.
fn known_groups(fluents: &[Group], signature: &Signature, inputs: Inputs) -> Vec<Group> {
    let moves = signature.moves_of.iter().filter(|moves| !moves.is_empty()).map(|moves| Group {
        members: moves.clone().map(|at| inputs.a_move(at) as u32).collect(),
        is_exactly_one: true,
    });
    fluents.iter().cloned().chain(moves).collect()
}

fn goals(program: &GroundProgram, value: &[Wire]) -> Vec<Vec<GoalWire>> {
    let mut goals = vec![Vec::new(); program.roles().len()];
    for atom in program.atoms_of(Kind::Goal).map(AtomId::new) {
        let mut args = program.args(atom);
        let (Some(role), Some(term)) = (args.next(), args.next()) else { continue };
        let Some(role) = program.roles().iter().position(|&known| known == role) else { continue };
        let wire = value[atom.index()];
        if wire != Wire::FALSE {
            goals[role].push(GoalWire { value: senet_gdl::goal_value(&program.term_text(term)), wire });
        }
    }
    goals
}
