//! A program at work on some words of lanes.

// The loops of `kernel` trust the offsets they are given: here is where they are made.
#![allow(unsafe_code)]

use crate::kernel::{Draw, Level, Tally, execute, record, restart, sample};
use crate::program::{Cycle, Operation, Phase, Program, Straight};

/// A line of the cache: slots begin where lines do.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u64; 8]);

/// Memory for all slots of a program, each of `W` words: 64 lanes a word.
pub(crate) struct Machine<const W: usize> {
    level: Level,
    lines: Vec<Line>,
    n_slots: usize,
    n_fluents: usize,
    terminal_phase: Phase,
    goal_phase: Phase,
    legal_phase: Phase,
    next_phase: Phase,
    last_ranks: Vec<Vec<u32>>,
    ranks: Vec<Vec<u32>>,
    goals: Vec<Vec<u32>>,
}

impl<const W: usize> Machine<W> {
    /// Every slot of a program is one there is: see [`Program::is_sound`].
    pub(crate) fn new(program: &Program, level: Level) -> Machine<W> {
        assert!(W.is_multiple_of(4) && level.is_there() && program.is_sound());
        let bytes = program.n_slots * W * 8;
        assert!(u32::try_from(bytes).is_ok(), "a program of {} slots is too large", program.n_slots);
        let offset = |slot: &u32| slot * (W * 8) as u32;
        let offsets = |slots: &Vec<u32>| slots.iter().map(offset).collect();
        let phase = |phase: &Phase| scaled::<W>(phase);
        Machine {
            level,
            lines: vec![Line([0; 8]); bytes.div_ceil(64)],
            n_slots: program.n_slots,
            n_fluents: program.n_fluents,
            terminal_phase: phase(&program.terminal_phase),
            goal_phase: phase(&program.goal_phase),
            legal_phase: phase(&program.legal_phase),
            next_phase: phase(&program.next_phase),
            last_ranks: program.last_ranks.iter().map(offsets).collect(),
            ranks: program.ranks.iter().map(offsets).collect(),
            goals: program
                .goals
                .iter()
                .map(|goals| goals.iter().map(|(_, slot)| offset(slot)).collect())
                .collect(),
        }
    }

    /// The lanes of a slot.
    pub(crate) fn slot(&self, slot: u32) -> &[u64; W] {
        assert!((slot as usize) < self.n_slots);
        let words = self.lines.as_ptr().cast::<[u64; W]>();
        // SAFETY: the slot is one of those for which there are lines.
        unsafe { &*words.add(slot as usize) }
    }

    /// The lanes of a slot, to be changed.
    pub(crate) fn slot_mut(&mut self, slot: u32) -> &mut [u64; W] {
        assert!((slot as usize) < self.n_slots);
        let words = self.lines.as_mut_ptr().cast::<[u64; W]>();
        // SAFETY: the slot is one of those for which there are lines.
        unsafe { &mut *words.add(slot as usize) }
    }

    pub(crate) fn compute_terminal(&mut self) {
        run::<W>(self.level, &mut self.lines, &self.terminal_phase);
    }

    pub(crate) fn compute_goals(&mut self) {
        run::<W>(self.level, &mut self.lines, &self.goal_phase);
    }

    pub(crate) fn compute_legal(&mut self) {
        run::<W>(self.level, &mut self.lines, &self.legal_phase);
    }

    pub(crate) fn compute_next(&mut self) {
        run::<W>(self.level, &mut self.lines, &self.next_phase);
    }

    /// Draws a move in each group, for all lanes.
    pub(crate) fn draw(&mut self, keys: &[u64; W], step: u64) {
        let n_groups = self.ranks.len() as u64;
        for (at, (last, rank)) in self.last_ranks.iter().zip(&self.ranks).enumerate() {
            let draw = Draw { number: step * n_groups + at as u64 };
            let memory = self.lines.as_mut_ptr().cast();
            // SAFETY: the level is there, and the offsets are those of slots.
            unsafe { sample::<W>(self.level, memory, last, rank, keys, draw) };
        }
    }

    /// Counts the goals of lanes.
    pub(crate) fn record(&self, over: &[u64; W], tally: &mut Tally) {
        // SAFETY: the level is there, and the offsets are those of slots.
        unsafe { record::<W>(self.level, self.lines.as_ptr().cast(), &self.goals, over, tally) };
    }

    /// Puts some lanes into a state.
    pub(crate) fn restart(&mut self, start: &[u64], lanes: &[u64; W]) {
        assert!(start.len() * 64 >= self.n_fluents);
        // SAFETY: the level is there, and the slots of the state come first.
        unsafe { restart::<W>(self.level, self.lines.as_mut_ptr().cast(), start, self.n_fluents, lanes) };
    }
}

fn run<const W: usize>(level: Level, lines: &mut [Line], phase: &Phase) {
    for (straight, cycle) in &phase.sections {
        // SAFETY: the level is there, and the offsets are those of slots: both are checked when a machine is made.
        unsafe { execute::<W>(level, lines.as_mut_ptr().cast(), &straight.runs, &straight.operations) };
        if let Some(cycle) = cycle {
            run_cycle::<W>(level, lines, cycle);
        }
    }
}

/// Computes a least fixpoint: loops begin with nothing on and only grow.
fn run_cycle<const W: usize>(level: Level, lines: &mut [Line], cycle: &Cycle) {
    let memory: *mut u8 = lines.as_mut_ptr().cast();
    // SAFETY: offsets are those of slots of `W` words.
    let slot = |offset: u32| unsafe { &mut *memory.add(offset as usize).cast::<[u64; W]>() };
    cycle.loops.iter().for_each(|&(value, _)| *slot(value) = [0; W]);
    loop {
        // SAFETY: as in `run`.
        unsafe { execute::<W>(level, memory, &cycle.body.runs, &cycle.body.operations) };
        let mut has_grown = 0;
        for &(value, new) in &cycle.loops {
            let new = *slot(new);
            let value = slot(value);
            for at in 0..W {
                has_grown |= new[at] & !value[at];
                value[at] = new[at];
            }
        }
        if has_grown == 0 {
            return;
        }
    }
}

/// With offsets in memory instead of slots.
fn scaled<const W: usize>(phase: &Phase) -> Phase {
    let offset = |slot: u32| slot * (W * 8) as u32;
    let straight = |it: &Straight| Straight {
        runs: it.runs.clone(),
        operations: it
            .operations
            .iter()
            .map(|it| Operation { operands: it.operands.map(offset), result: offset(it.result) })
            .collect(),
    };
    let cycle = |it: &Cycle| Cycle {
        body: straight(&it.body),
        loops: it.loops.iter().map(|&(value, new)| (offset(value), offset(new))).collect(),
    };
    let sections = phase.sections.iter().map(|(it, rest)| (straight(it), rest.as_ref().map(cycle)));
    Phase { sections: sections.collect() }
}
