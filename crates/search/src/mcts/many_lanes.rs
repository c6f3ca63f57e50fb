//! Leaves in lanes: many at once, with many playouts each.

use super::evaluator::{Evaluator, Outcome};
use super::expansion::Expansions;
use super::tree::Successor;
use crate::Limit;
use senet_engine_lanes::{Expander, LanesEngine, Leaves};
use senet_game::{GameError, MoveId};

/// What follows is computed for all joint moves of a position if there are no more, and of all positions of a round as long
/// as there are no more.
const MOST_SUCCESSORS: u64 = 1_024;
const MOST_OF_ROUND: usize = 8_192;

pub(crate) struct ManyLanes {
    leaves: Leaves,
    expander: Expander,
    n_roles: usize,
    joint: Vec<MoveId>,
    /// By joint move: the place of its position.
    owners: Vec<u32>,
}

impl ManyLanes {
    pub(crate) fn new(engine: &LanesEngine, seed: u64, max_length: u64) -> ManyLanes {
        ManyLanes {
            leaves: engine.leaves(seed, max_length),
            expander: engine.expander(),
            n_roles: engine.circuit().signature().role_names.len(),
            joint: Vec::new(),
            owners: Vec::new(),
        }
    }
}

impl Evaluator<Box<[u64]>> for ManyLanes {
    fn n_lanes(&self) -> usize {
        self.leaves.n_lanes()
    }

    fn expand(&mut self, states: &[&Box<[u64]>], expansions: &mut Expansions) -> Result<(), GameError> {
        expansions.clear(self.n_roles, self.expander.n_words());
        let found = |at: usize, role: usize, id| expansions.add_move(at, role, id);
        self.expander.legal_moves(states.len(), |at| states[at], found);
        expansions.sort_moves(states.len());
        self.joint.clear();
        self.owners.clear();
        for at in 0..states.len() {
            let choices = expansions.choices(at);
            let n = choices.n_joint();
            let has_room = n <= MOST_SUCCESSORS && self.owners.len() + n as usize <= MOST_OF_ROUND;
            let n = if has_room { n } else { 0 };
            for joint in 0..n {
                self.joint.extend(choices.joint(joint));
                self.owners.push(at as u32);
            }
            expansions.add_position(n);
        }
        let (joint, owners, n_roles) = (&self.joint, &self.owners, self.n_roles);
        let of = |at: usize| (&**states[owners[at] as usize], &joint[at * n_roles..(at + 1) * n_roles]);
        self.expander.step(owners.len(), of, |found| expansions.add_successor(found.state, found.goals));
        Ok(())
    }

    fn unpack(&self, packed: &[u64]) -> Option<Box<[u64]>> {
        (!packed.is_empty()).then(|| packed.into())
    }

    fn step(&mut self, state: &Box<[u64]>, ids: &[MoveId]) -> Result<Successor<Box<[u64]>>, GameError> {
        let mut successor = None;
        self.expander.step(
            1,
            |_| (&**state, ids),
            |found| {
                successor = Some(Successor { state: found.state.into(), goals: found.goals.map(Into::into) });
            },
        );
        Ok(successor.expect("one follows"))
    }

    fn put(&mut self, ticket: u32, state: &Box<[u64]>, n_playouts: usize) -> bool {
        self.leaves.put(ticket, state, n_playouts)
    }

    fn play(&mut self, n_wanted: usize, limit: &Limit) -> Result<(), GameError> {
        self.leaves.play(n_wanted, || !limit.is_reached(0));
        Ok(())
    }

    fn take(&mut self, each: &mut dyn FnMut(Outcome<'_>)) {
        self.leaves.take(|outcome| {
            each(Outcome {
                ticket: outcome.leaf,
                finished: outcome.finished,
                cut: outcome.cut,
                goal_sums: outcome.goal_sums,
            });
        });
    }

    fn clear(&mut self) {
        self.leaves.clear();
    }
}
