//! What is computed in a step: operations on slots, in runs of the same operation.

/// An operation of at most three operands on slots of memory: where its operands are and where its result goes.
/// Operands that do not matter repeat another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub(crate) struct Operation {
    pub(crate) operands: [u32; 3],
    pub(crate) result: u32,
}

/// Operations with the same table, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// Bit `i` is the result where operand `j` is bit `j` of `i`. One of [`TABLES`].
    pub(crate) table: u8,
    pub(crate) len: u32,
}

/// The tables that operations have: the smallest of those that differ in the order of operands only.
pub(crate) const TABLES: [u8; 80] = [
    0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 14, 15, 22, 23, 24, 25, 26, 27, 30, 31, 40, 41, 42, 43, 44, 45, 46, 47,
    60, 61, 62, 63, 104, 105, 106, 107, 110, 111, 126, 127, 128, 129, 130, 131, 134, 135, 136, 137, 138, 139,
    142, 143, 150, 151, 152, 153, 154, 155, 158, 159, 168, 169, 170, 171, 172, 173, 174, 175, 188, 189, 190,
    191, 232, 233, 234, 235, 238, 239, 254, 255,
];

/// Operations without a way back.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Straight {
    pub(crate) runs: Vec<Run>,
    pub(crate) operations: Vec<Operation>,
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
    /// How many operations there are.
    pub(crate) fn len(&self) -> usize {
        let cycle_len = |cycle: &Option<Cycle>| cycle.as_ref().map_or(0, |cycle| cycle.body.operations.len());
        self.sections.iter().map(|(straight, cycle)| straight.operations.len() + cycle_len(cycle)).sum()
    }

    fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.sections.iter().flat_map(|(straight, cycle)| {
            straight.operations.iter().chain(cycle.iter().flat_map(|cycle| &cycle.body.operations))
        })
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
    /// The next state, in place of the state.
    pub(crate) next_phase: Phase,
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

    /// Whether every slot is one there is, every table one that is known, and runs have as many operations as there are.
    pub(crate) fn is_sound(&self) -> bool {
        let is_slot = |slot: u32| (slot as usize) < self.n_slots;
        let mut straights =
            self.phases().into_iter().flat_map(|phase| &phase.sections).flat_map(|(straight, cycle)| {
                [Some(straight), cycle.as_ref().map(|cycle| &cycle.body)].into_iter().flatten()
            });
        let mut operations = self.phases().into_iter().flat_map(Phase::operations);
        let mut loops = self
            .phases()
            .into_iter()
            .flat_map(|phase| &phase.sections)
            .filter_map(|(_, cycle)| cycle.as_ref());
        operations.all(|it| it.operands.iter().chain([&it.result]).all(|&slot| is_slot(slot)))
            && straights.all(|it| {
                it.runs.iter().all(|run| TABLES.binary_search(&run.table).is_ok())
                    && it.runs.iter().map(|run| run.len as usize).sum::<usize>() == it.operations.len()
            })
            && loops.all(|cycle| cycle.loops.iter().all(|&(value, new)| is_slot(value) && is_slot(new)))
    }
}
