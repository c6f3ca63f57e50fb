//! A program at work on some words of lanes.

// The loops of `kernel` trust the offsets they are given: here is where they are made.
#![allow(unsafe_code)]

use crate::kernel::{Ages, Draw, Level, Tally, begin, execute, grow, note, record, restart, sample};
use crate::program::{Cycle, Phase, Program};

/// A line of the cache: slots begin where lines do.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u64; 8]);

/// Memory for all slots of a program, each of `W` words: 64 lanes a word.
pub(crate) struct Machine<const W: usize> {
    level: Level,
    lines: Vec<Line>,
    /// The program as it is in every other step.
    sides: [Side; 2],
    /// Which of them is that of the state there is.
    side: usize,
}

/// A program with offsets in memory instead of slots.
struct Side {
    /// By slot.
    offsets: Vec<u32>,
    n_fluents: usize,
    terminal_phase: Phase,
    goal_phase: Phase,
    legal_phase: Phase,
    next_phase: Phase,
    last_ranks: Vec<Vec<u32>>,
    ranks: Vec<Vec<u32>>,
    goals: Vec<Vec<u32>>,
}

impl Side {
    fn new(program: &Program, offsets: Vec<u32>) -> Side {
        let offset = |slot: u32| offsets[slot as usize];
        let all = |slots: &Vec<u32>| slots.iter().map(|&slot| offset(slot)).collect();
        let of_goals = |goals: &Vec<(Option<u8>, u32)>| goals.iter().map(|&(_, slot)| offset(slot)).collect();
        Side {
            n_fluents: program.n_fluents,
            terminal_phase: program.terminal_phase.renamed(offset),
            goal_phase: program.goal_phase.renamed(offset),
            legal_phase: program.legal_phase.renamed(offset),
            next_phase: program.next_phase.renamed(offset),
            last_ranks: program.last_ranks.iter().map(all).collect(),
            ranks: program.ranks.iter().map(all).collect(),
            goals: program.goals.iter().map(of_goals).collect(),
            offsets,
        }
    }
}

impl<const W: usize> Machine<W> {
    /// Every slot of a program is one there is: see [`Program::is_sound`].
    pub(crate) fn new(program: &Program, level: Level) -> Machine<W> {
        assert!(matches!(W, 4 | 8 | 16) && level.is_there() && program.is_sound());
        let bytes = program.n_slots * W * 8;
        assert!(u32::try_from(bytes).is_ok(), "a program of {} slots is too large", program.n_slots);
        let even: Vec<u32> = (0..program.n_slots as u32).map(|slot| slot * (W * 8) as u32).collect();
        let mut odd = even.clone();
        program.exchanged.iter().for_each(|&(state, next)| odd.swap(state as usize, next as usize));
        Machine {
            level,
            lines: vec![Line([0; 8]); bytes.div_ceil(64)],
            sides: [Side::new(program, even), Side::new(program, odd)],
            side: 0,
        }
    }

    /// The lanes of a slot.
    pub(crate) fn slot(&self, slot: u32) -> &[u64; W] {
        let offset = self.sides[self.side].offsets[slot as usize];
        // SAFETY: the offset is that of a slot for which there are lines.
        unsafe { &*self.lines.as_ptr().cast::<u8>().add(offset as usize).cast() }
    }

    /// The lanes of a slot, to be changed.
    pub(crate) fn slot_mut(&mut self, slot: u32) -> &mut [u64; W] {
        let offset = self.sides[self.side].offsets[slot as usize];
        // SAFETY: the offset is that of a slot for which there are lines.
        unsafe { &mut *self.lines.as_mut_ptr().cast::<u8>().add(offset as usize).cast() }
    }

    pub(crate) fn compute_terminal(&mut self) {
        run::<W>(self.level, &mut self.lines, &self.sides[self.side].terminal_phase);
    }

    pub(crate) fn compute_goals(&mut self) {
        run::<W>(self.level, &mut self.lines, &self.sides[self.side].goal_phase);
    }

    pub(crate) fn compute_legal(&mut self) {
        run::<W>(self.level, &mut self.lines, &self.sides[self.side].legal_phase);
    }

    /// Computes the next state, and goes on to it.
    pub(crate) fn compute_next(&mut self) {
        run::<W>(self.level, &mut self.lines, &self.sides[self.side].next_phase);
        self.side = 1 - self.side;
    }

    /// Draws a move in each group, for all lanes.
    pub(crate) fn draw(&mut self, keys: &[u64; W], step: u64) {
        let side = &self.sides[self.side];
        let n_groups = side.ranks.len() as u64;
        for (at, (last, rank)) in side.last_ranks.iter().zip(&side.ranks).enumerate() {
            let draw = Draw { number: step * n_groups + at as u64 };
            let memory = self.lines.as_mut_ptr().cast();
            // SAFETY: the level is there, and the offsets are those of slots.
            unsafe { sample::<W>(self.level, memory, last, rank, keys, draw) };
        }
    }

    /// Counts the goals of lanes.
    pub(crate) fn record(&self, over: &[u64; W], tally: &mut Tally) {
        let goals = &self.sides[self.side].goals;
        // SAFETY: the level is there, and the offsets are those of slots.
        unsafe { record::<W>(self.level, self.lines.as_ptr().cast(), goals, over, tally) };
    }

    /// Lets a step pass.
    pub(crate) fn grow(&self, ages: &mut Ages<W>) {
        // SAFETY: the level is there.
        unsafe { grow(self.level, ages) };
    }

    /// Lets playouts begin in some lanes.
    pub(crate) fn begin(&self, ages: &mut Ages<W>, lanes: &[u64; W]) {
        // SAFETY: the level is there.
        unsafe { begin(self.level, ages, lanes) };
    }

    /// Counts the lengths of playouts that are over.
    pub(crate) fn note(&self, ages: &mut Ages<W>, lanes: &[u64; W]) {
        // SAFETY: the level is there.
        unsafe { note(self.level, ages, lanes) };
    }

    /// Puts some lanes into a state.
    pub(crate) fn restart(&mut self, start: &[u64], lanes: &[u64; W]) {
        let side = &self.sides[self.side];
        let fluents = &side.offsets[..side.n_fluents];
        assert!(start.len() * 64 >= fluents.len());
        // SAFETY: the level is there, and the offsets are those of slots.
        unsafe { restart::<W>(self.level, self.lines.as_mut_ptr().cast(), fluents, start, lanes) };
    }

    /// Puts some lanes of one word into a state.
    pub(crate) fn put(&mut self, state: &[u64], word: usize, lanes: u64) {
        let side = &self.sides[self.side];
        let fluents = &side.offsets[..side.n_fluents];
        assert!(state.len() * 64 >= fluents.len() && word < W);
        let memory: *mut u8 = self.lines.as_mut_ptr().cast();
        for (bits, fluents) in state.iter().zip(fluents.chunks(64)) {
            for (bit, &fluent) in fluents.iter().enumerate() {
                // SAFETY: the offset is that of a slot of `W` words.
                let slot = unsafe { &mut *memory.add(fluent as usize + word * 8).cast::<u64>() };
                *slot = *slot & !lanes | (bits >> bit & 1).wrapping_neg() & lanes;
            }
        }
    }
}

fn run<const W: usize>(level: Level, lines: &mut [Line], phase: &Phase) {
    for (straight, cycle) in &phase.sections {
        // SAFETY: the level is there, and the offsets are those of slots: both are checked when a machine is made.
        unsafe { execute::<W>(level, lines.as_mut_ptr().cast(), &straight.runs, &straight.slots) };
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
        unsafe { execute::<W>(level, memory, &cycle.body.runs, &cycle.body.slots) };
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
