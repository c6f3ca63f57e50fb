//! Operations in the order in which they are computed, and their values in slots.

use crate::flow::{Flow, GOAL, LEGAL, TERMINAL, ValueOperation, ValueResult};
use crate::fuse::count_reads;
use crate::order::{Section, sections};
use crate::program::{Cycle, Phase, Program, Run, Straight};

/// Nobody reads it any more.
const NEVER: u32 = 0;

/// Gives every value a slot that no living value has.
pub(crate) fn arrange(flow: &Flow) -> Program {
    let n_reads = count_reads(flow);
    let parts: Vec<Vec<Section>> = flow.parts.iter().map(|part| sections(flow, part, &n_reads)).collect();
    let last_read = last_reads(flow, &parts);
    let mut slots = Slots::new(flow, last_read);
    let mut time = 0;
    let mut phases: Vec<Phase> = Vec::new();
    for part in &parts {
        let mut phase = Phase::default();
        for section in part {
            let straight = slots.place(&section.straight, &mut time);
            let cycle = section.cycle.as_ref().map(|(operations, loops)| {
                // Everything inside is computed again and again: nothing ends before the cycle does.
                let begin = time;
                time += operations.len() as u32;
                slots.place_cycle(operations, loops, begin, time)
            });
            phase.sections.push((straight, cycle));
        }
        phases.push(phase);
        time += 1;
        flow.outputs().for_each(|value| slots.end_if_last(value, time));
    }
    let [terminal_phase, goal_phase, legal_phase, next_phase]: [Phase; 4] =
        phases.try_into().expect("there are four parts");
    let slot = |value: &u32| slots.slot[*value as usize];
    Program {
        n_slots: slots.n_slots as usize,
        n_fluents: flow.fluents.len(),
        terminal_phase,
        goal_phase,
        legal_phase,
        next_phase,
        exchanged: slots.exchanged.clone(),
        restarts_first: flow.restarts_first,
        terminal: slot(&flow.terminal),
        stuck: slot(&flow.stuck),
        goals: flow
            .goals
            .iter()
            .map(|goals| goals.iter().map(|(value, wire)| (*value, slot(wire))).collect())
            .collect(),
        legal: flow.legal.iter().map(slot).collect(),
        moves: flow.moves.iter().map(slot).collect(),
        last_ranks: flow.last_ranks.iter().map(|rank| rank.iter().map(slot).collect()).collect(),
        ranks: flow.ranks.iter().map(|rank| rank.iter().map(slot).collect()).collect(),
    }
}

/// By value: the time after which nobody reads it. Operations take one unit of time each, the end of a part another.
fn last_reads(flow: &Flow, parts: &[Vec<Section>]) -> Vec<u32> {
    let mut last = vec![NEVER; flow.n_values];
    let mut time = 0;
    let mut ends = [0; 4];
    for (part, end) in parts.iter().zip(&mut ends) {
        for section in part {
            for operation in &section.straight {
                time += 1;
                operation.operands.iter().for_each(|&value| last[value as usize] = time);
            }
            if let Some((operations, loops)) = &section.cycle {
                time += operations.len() as u32;
                operations.iter().flat_map(|it| &it.operands).for_each(|&value| last[value as usize] = time);
                loops.iter().for_each(|&(value, new)| {
                    last[value as usize] = last[value as usize].max(time);
                    last[new as usize] = time;
                });
            }
        }
        time += 1;
        *end = time;
    }
    let mut keep = |value: u32, part: usize| last[value as usize] = last[value as usize].max(ends[part]);
    keep(flow.terminal, TERMINAL);
    flow.goals.iter().flatten().for_each(|&(_, value)| keep(value, GOAL));
    flow.legal.iter().chain(flow.last_ranks.iter().flatten()).for_each(|&value| keep(value, LEGAL));
    keep(flow.stuck, LEGAL);
    last
}

struct Slots {
    /// By value.
    slot: Vec<u32>,
    last_read: Vec<u32>,
    free: Vec<u32>,
    n_slots: u32,
    n_given: usize,
    fluents: Vec<u32>,
    /// Slots of the state whose next values could not take their place, and where those are.
    exchanged: Vec<(u32, u32)>,
}

impl Slots {
    fn new(flow: &Flow, last_read: Vec<u32>) -> Slots {
        let mut slots = Slots {
            slot: vec![u32::MAX; flow.n_values],
            last_read,
            free: Vec::new(),
            n_slots: 0,
            n_given: flow.n_given,
            fluents: flow.fluents.clone(),
            exchanged: Vec::new(),
        };
        for value in 0..flow.n_given {
            slots.slot[value] = slots.n_slots;
            slots.n_slots += 1;
        }
        slots
    }

    fn new_slot(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.n_slots += 1;
            self.n_slots - 1
        })
    }

    fn place(&mut self, operations: &[ValueOperation], time: &mut u32) -> Straight {
        let mut placed = Straight::default();
        for operation in operations {
            *time += 1;
            // A result may take the slot of an operand that is read for the last time.
            for &value in &operation.operands {
                self.end_if_last(value, *time);
            }
            for result in &operation.results {
                self.slot[result.value as usize] = self.slot_of_result(result, *time);
            }
            self.push(&mut placed, operation);
            for result in &operation.results {
                if self.last_read[result.value as usize] <= *time && result.next_fluent.is_none() {
                    self.free.push(self.slot[result.value as usize]);
                }
            }
        }
        placed
    }

    fn end_if_last(&mut self, value: u32, time: u32) {
        let is_own = value as usize >= self.n_given;
        if is_own && self.last_read[value as usize] == time {
            // Once only, though the value may be read twice.
            self.last_read[value as usize] = NEVER;
            self.free.push(self.slot[value as usize]);
        }
    }

    fn slot_of_result(&mut self, result: &ValueResult, time: u32) -> u32 {
        let Some(fluent) = result.next_fluent else { return self.new_slot() };
        let state = self.fluents[fluent as usize];
        // It lives to the end.
        self.last_read[result.value as usize] = NEVER;
        let own = self.slot[state as usize];
        if self.last_read[state as usize] <= time {
            return own;
        }
        let slot = self.new_slot();
        self.exchanged.push((own, slot));
        slot
    }

    fn place_cycle(
        &mut self,
        operations: &[ValueOperation],
        loops: &[(u32, u32)],
        begin: u32,
        end: u32,
    ) -> Cycle {
        let mut body = Straight::default();
        for result in operations.iter().flat_map(|it| &it.results) {
            self.slot[result.value as usize] = self.slot_of_result(result, begin);
        }
        operations.iter().for_each(|operation| self.push(&mut body, operation));
        let loops =
            loops.iter().map(|&(value, new)| (self.slot[value as usize], self.slot[new as usize])).collect();
        let results = operations.iter().flat_map(|it| &it.results).map(|it| it.value);
        for value in operations.iter().flat_map(|it| it.operands.iter().copied()).chain(results) {
            let is_own = value as usize >= self.n_given;
            if is_own && self.last_read[value as usize] != NEVER && self.last_read[value as usize] <= end {
                self.last_read[value as usize] = NEVER;
                self.free.push(self.slot[value as usize]);
            }
        }
        Cycle { body, loops }
    }

    fn push(&self, placed: &mut Straight, operation: &ValueOperation) {
        let results = operation.results.iter().map(|it| it.value);
        let values = operation.operands.iter().copied().chain(results);
        placed.slots.extend(values.map(|value| self.slot[value as usize]));
        let n_slots = operation.shape.n_slots() as u32;
        match placed.runs.last_mut() {
            Some(run) if run.shape == operation.shape => {
                run.len += 1;
                run.n_slots += n_slots;
            }
            _ => placed.runs.push(Run { shape: operation.shape, len: 1, n_slots }),
        }
    }
}
