//! What is computed in a step: operations on slots, in runs of the same shape.

use crate::shape::Shape;

/// Operations of the same shape, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) shape: Shape,
    /// How many operations.
    pub(crate) len: u32,
    /// How many slots they have together.
    pub(crate) n_slots: u32,
}

/// Operations without a way back.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Straight {
    pub(crate) runs: Vec<Run>,
    /// Of each operation: where its operands are, and where its results go.
    pub(crate) slots: Vec<u32>,
}

impl Straight {
    /// How many tables are looked up.
    pub(crate) fn len(&self) -> usize {
        let n_tables = |run: &Run| run.len as usize * run.shape.n_tables();
        self.runs.iter().map(n_tables).sum()
    }

    fn is_sound(&self) -> bool {
        let is_whole = |run: &Run| run.n_slots as usize == run.len as usize * run.shape.n_slots();
        self.runs.iter().all(|run| run.shape.is_known() && is_whole(run))
            && self.runs.iter().map(|run| run.n_slots as usize).sum::<usize>() == self.slots.len()
    }
}

/// Operations that are repeated until loops stay as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cycle {
    pub(crate) body: Straight,
    /// The slots of the loops, which begin with nothing on, and of what they become.
    pub(crate) loops: Vec<(u32, u32)>,
}

/// A part of a step: operations, and cycles between them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Phase {
    pub(crate) sections: Vec<(Straight, Option<Cycle>)>,
}

impl Phase {
    /// How many tables are looked up.
    pub(crate) fn len(&self) -> usize {
        self.straights().map(Straight::len).sum()
    }

    fn straights(&self) -> impl Iterator<Item = &Straight> {
        self.sections.iter().flat_map(|(straight, cycle)| {
            std::iter::once(straight).chain(cycle.as_ref().map(|cycle| &cycle.body))
        })
    }

    fn slots(&self) -> impl Iterator<Item = u32> {
        let loops = self.sections.iter().filter_map(|(_, cycle)| cycle.as_ref()).flat_map(|it| &it.loops);
        let straights = self.straights().flat_map(|it| it.slots.iter().copied());
        straights.chain(loops.flat_map(|&(value, new)| [value, new]))
    }

    /// With other names of slots.
    pub(crate) fn renamed(&self, name: impl Fn(u32) -> u32) -> Phase {
        let straight = |it: &Straight| Straight {
            runs: it.runs.clone(),
            slots: it.slots.iter().map(|&slot| name(slot)).collect(),
        };
        let cycle = |it: &Cycle| Cycle {
            body: straight(&it.body),
            loops: it.loops.iter().map(|&(value, new)| (name(value), name(new))).collect(),
        };
        let sections = self.sections.iter().map(|(it, rest)| (straight(it), rest.as_ref().map(cycle)));
        Phase { sections: sections.collect() }
    }
}

/// Everything that is computed in a step, and where its inputs and outputs are. The state takes the first slots.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) n_slots: usize,
    pub(crate) n_fluents: usize,
    /// Whether the match is over.
    pub(crate) terminal_phase: Phase,
    /// The goals.
    pub(crate) goal_phase: Phase,
    /// Legal moves, or how many there are to draw from.
    pub(crate) legal_phase: Phase,
    /// The next state, in place of the state, but for those that are exchanged.
    pub(crate) next_phase: Phase,
    /// Slots of the state, and those in which the next state is found instead: in every other step each takes the
    /// place of the other.
    pub(crate) exchanged: Vec<(u32, u32)>,
    /// Whether lanes may begin again between the end of one match and the legal moves of the next: legal moves then
    /// use nothing that was computed before.
    pub(crate) restarts_first: bool,
    pub(crate) terminal: u32,
    pub(crate) stuck: u32,
    pub(crate) goals: Vec<Vec<(Option<u8>, u32)>>,
    pub(crate) legal: Vec<u32>,
    pub(crate) moves: Vec<u32>,
    /// By group: where the bits of the last rank are found.
    pub(crate) last_ranks: Vec<Vec<u32>>,
    /// By group: where the bits of the drawn rank are put.
    pub(crate) ranks: Vec<Vec<u32>>,
}

impl Program {
    /// How many operations a step has, goals not among them.
    pub(crate) fn n_operations(&self) -> usize {
        self.terminal_phase.len() + self.legal_phase.len() + self.next_phase.len()
    }

    fn phases(&self) -> [&Phase; 4] {
        [&self.terminal_phase, &self.goal_phase, &self.legal_phase, &self.next_phase]
    }

    /// Whether every slot is one there is, every shape one that is known, and runs have as many operations as there are.
    pub(crate) fn is_sound(&self) -> bool {
        let is_slot = |slot: u32| (slot as usize) < self.n_slots;
        let phases = self.phases();
        phases.iter().flat_map(|phase| phase.slots()).all(is_slot)
            && phases.iter().flat_map(|phase| phase.straights()).all(Straight::is_sound)
            && self.exchanged.iter().all(|&(state, next)| is_slot(state) && is_slot(next))
            && self.last_ranks.iter().chain(&self.ranks).flatten().all(|&slot| is_slot(slot))
            && self.goals.iter().flatten().all(|&(_, slot)| is_slot(slot))
    }
}
