//! Goals: asked where matches end, and computed for up to 64 ends at once.

use crate::straight::{Straight, set};
use senet_circuit::{Circuit, Wire};

/// So many states are looked at together.
pub(crate) const MOST_ENDS: usize = 64;

/// What goals need.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    /// A section for each role.
    program: Straight,
    /// The fluents that goals depend on, as bits of a state.
    fluents: Vec<u64>,
    /// By fluent: its slot, if goals depend on it.
    slots: Vec<u32>,
    /// By role: the values of its goals.
    values: Vec<Vec<Option<u8>>>,
}

/// States of which the goals are asked.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    values: Vec<u64>,
    n_states: usize,
    /// Roles whose goals were computed.
    n_roles: usize,
}

impl Ends {
    pub(crate) fn len(&self) -> usize {
        self.n_states
    }
}

impl Goals {
    pub(crate) fn new(circuit: &Circuit) -> Goals {
        let inputs = circuit.net().inputs();
        let wires: Vec<Vec<Wire>> =
            circuit.goals().iter().map(|goals| goals.iter().map(|goal| goal.wire).collect()).collect();
        let program = Straight::new(circuit, &wires, |node| inputs.fluent_at(node).is_some());
        let mut goals = Goals {
            fluents: vec![0; inputs.n_fluents.div_ceil(64)],
            slots: vec![0; inputs.n_fluents],
            values: circuit.goals().iter().map(|it| it.iter().map(|goal| goal.value).collect()).collect(),
            program,
        };
        for &(node, slot) in goals.program.given() {
            let fluent = inputs.fluent_at(node).expect("only fluents are given");
            goals.fluents[fluent / 64] |= 1 << (fluent % 64);
            goals.slots[fluent] = slot as u32;
        }
        goals
    }

    pub(crate) fn n_roles(&self) -> usize {
        self.values.len()
    }

    /// No states.
    pub(crate) fn ends(&self) -> Ends {
        Ends { values: self.program.values(), n_states: 0, n_roles: 0 }
    }

    /// Adds a state to at most 63 others.
    pub(crate) fn add(&self, ends: &mut Ends, state: &[u64]) {
        for (word, (state, fluents)) in state.iter().zip(&self.fluents).enumerate() {
            let mut on = state & fluents;
            while on != 0 {
                let slot = self.slots[64 * word + on.trailing_zeros() as usize];
                on &= on - 1;
                ends.values[2 * slot as usize] |= 1 << ends.n_states;
            }
        }
        ends.n_states += 1;
    }

    /// The goals of a role: values, and as bits the states in which this and no other goal holds.
    pub(crate) fn of_role<'e>(
        &'e self,
        ends: &'e mut Ends,
        role: usize,
    ) -> impl Iterator<Item = (Option<u8>, u64)> + use<'e> {
        if ends.n_roles == 0 {
            for &(_, slot) in self.program.given() {
                let states = ends.values[2 * slot];
                set(&mut ends.values, slot, states);
            }
        }
        while ends.n_roles <= role {
            self.program.compute(ends.n_roles, &mut ends.values);
            ends.n_roles += 1;
        }
        let holding = self.program.outputs(role, &ends.values);
        let (_, several) =
            holding.clone().fold((0, 0), |(one, several), goal| (one | goal, several | one & goal));
        let single = !several & u64::MAX >> (MOST_ENDS - ends.n_states);
        holding.zip(&self.values[role]).map(move |(goal, &value)| (value, goal & single))
    }

    /// Forgets the states.
    pub(crate) fn clear(&self, ends: &mut Ends) {
        for &(_, slot) in self.program.given() {
            ends.values[2 * slot] = 0;
        }
        (ends.n_states, ends.n_roles) = (0, 0);
    }
}
