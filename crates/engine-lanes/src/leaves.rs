//! Random playouts from many positions at once, as the leaves of a search tree need them.
//!
//! Each leaf has some lanes to itself, an aligned part of a word, and one playout in each of them. Lanes that are over
//! wait until all of the leaf are; then the leaf is done, and its lanes are free for another while the rest plays on.

use crate::kernel::Level;
use crate::machine::Machine;
use crate::playouts::key;
use crate::program::Program;

/// After so many steps somebody is asked whether to go on.
const STEPS_A_LOOK: u64 = 4;
/// The fewest lanes of a leaf.
const FEWEST: usize = 8;
/// Parts of so many lanes in a word.
const UNITS: usize = 64 / FEWEST;

/// What came out of the playouts of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafOutcome<'a> {
    /// Who the leaf is: as given with it.
    pub leaf: u32,
    /// How many playouts came to an end.
    pub finished: u32,
    /// How many did not within the longest time allowed, or had a role without a legal move.
    pub cut: u32,
    /// By role: the sum of the goals of the finished playouts. Where the rules give not exactly one, it counts nothing.
    pub goal_sums: &'a [u32],
}

/// A leaf at play.
#[derive(Clone, Copy, Debug)]
struct Part {
    leaf: u32,
    n_lanes: u32,
    /// The step in which it began.
    since: u64,
}

/// Random playouts from many leaves at once.
pub struct Leaves(Width);

enum Width {
    Four(Box<Field<4>>),
    Eight(Box<Field<8>>),
    Sixteen(Box<Field<16>>),
}

/// Does the same with any width.
macro_rules! with {
    ($leaves:expr, $field:ident => $what:expr) => {
        match $leaves {
            Width::Four($field) => $what,
            Width::Eight($field) => $what,
            Width::Sixteen($field) => $what,
        }
    };
}

impl Leaves {
    /// On 4, 8 or 16 words of lanes.
    pub(crate) fn new(
        program: &Program,
        patience: u64,
        level: Level,
        width: usize,
        seed: u64,
        max_length: u64,
    ) -> Leaves {
        Leaves(match width {
            16.. => Width::Sixteen(Box::new(Field::new(program, patience, level, seed, max_length))),
            8.. => Width::Eight(Box::new(Field::new(program, patience, level, seed, max_length))),
            _ => Width::Four(Box::new(Field::new(program, patience, level, seed, max_length))),
        })
    }

    /// How many lanes there are.
    pub fn n_lanes(&self) -> usize {
        with!(&self.0, field => field.busy.len() * 64)
    }

    /// How many leaves are at play.
    pub fn n_leaves(&self) -> usize {
        with!(&self.0, field => field.n_leaves)
    }

    /// How many lanes are free.
    pub fn n_free(&self) -> usize {
        with!(&self.0, field => field.n_free())
    }

    /// Lets a leaf begin with a playout in each of 8, 16, 32 or 64 lanes. Says no if there is no room.
    pub fn put(&mut self, leaf: u32, state: &[u64], n_lanes: usize) -> bool {
        with!(&mut self.0, field => field.put(leaf, state, n_lanes))
    }

    /// Plays until so many leaves are done, or all that are at play, or somebody does not want to go on, who is asked now and
    /// then.
    pub fn play(&mut self, n_wanted: usize, may_go_on: impl FnMut() -> bool) {
        with!(&mut self.0, field => field.play(n_wanted, may_go_on));
    }

    /// Hands out what came out of the leaves that are done.
    pub fn take(&mut self, each: impl FnMut(LeafOutcome<'_>)) {
        with!(&mut self.0, field => field.take(each));
    }

    /// Gives up all leaves.
    pub fn clear(&mut self) {
        with!(&mut self.0, field => field.clear());
    }
}

/// Leaves at play on some words of lanes.
struct Field<const W: usize> {
    machine: Machine<W>,
    terminal: u32,
    stuck: u32,
    /// By role: the values of goals, and where they are found.
    goals: Vec<Vec<(Option<u8>, u32)>>,
    patience: u64,
    max_length: u64,
    keys: [u64; W],
    step: u64,
    /// Lanes that belong to a leaf.
    busy: [u64; W],
    /// Lanes of them whose playout is over, or cut.
    done: [u64; W],
    /// Lanes of them that were cut.
    cut: [u64; W],
    /// By goal: the lanes that ended with it.
    reached: Vec<[u64; W]>,
    /// By the first eight lanes of each.
    parts: [[Option<Part>; UNITS]; W],
    n_leaves: usize,
    /// No playout has to be cut before this step.
    next_look: u64,
    outcomes: Vec<(u32, u32, u32)>,
    goal_sums: Vec<u32>,
}

impl<const W: usize> Field<W> {
    fn new(program: &Program, patience: u64, level: Level, seed: u64, max_length: u64) -> Field<W> {
        Field {
            machine: Machine::new(program, level),
            terminal: program.terminal,
            stuck: program.stuck,
            reached: vec![[0; W]; program.goals.iter().map(Vec::len).sum()],
            goals: program.goals.clone(),
            patience,
            max_length,
            keys: std::array::from_fn(|at| key(seed, at as u64)),
            step: 0,
            busy: [0; W],
            done: [0; W],
            cut: [0; W],
            parts: [[None; UNITS]; W],
            n_leaves: 0,
            next_look: u64::MAX,
            outcomes: Vec::new(),
            goal_sums: Vec::new(),
        }
    }

    /// How many lanes are free.
    fn n_free(&self) -> usize {
        self.busy.iter().map(|word| word.count_zeros() as usize).sum()
    }

    /// Lets a leaf begin with a playout in each of 8, 16, 32 or 64 lanes. Says no if there is no room.
    fn put(&mut self, leaf: u32, state: &[u64], n_lanes: usize) -> bool {
        assert!(matches!(n_lanes, 8 | 16 | 32 | 64));
        let lanes = u64::MAX >> (64 - n_lanes);
        let places = |busy: u64| (0..64).step_by(n_lanes).find(|&first| busy >> first & lanes == 0);
        let found = (0..W).find_map(|word| Some((word, places(self.busy[word])?)));
        let Some((word, first)) = found else { return false };
        let lanes = lanes << first;
        self.machine.put(state, word, lanes);
        self.busy[word] |= lanes;
        self.parts[word][first / FEWEST] = Some(Part { leaf, n_lanes: n_lanes as u32, since: self.step });
        self.n_leaves += 1;
        self.next_look = self.next_look.min(self.step.saturating_add(self.max_length));
        true
    }

    /// Plays until so many leaves are done, or all that are at play.
    fn play(&mut self, n_wanted: usize, mut may_go_on: impl FnMut() -> bool) {
        while self.n_leaves > 0 && self.outcomes.len() < n_wanted {
            self.pass();
            if self.step.is_multiple_of(STEPS_A_LOOK) && !may_go_on() {
                return;
            }
        }
    }

    /// Hands out what came out of the leaves that are done.
    fn take(&mut self, mut each: impl FnMut(LeafOutcome<'_>)) {
        let n_roles = self.goals.len();
        for (at, &(leaf, finished, cut)) in self.outcomes.iter().enumerate() {
            let goal_sums = &self.goal_sums[at * n_roles..(at + 1) * n_roles];
            each(LeafOutcome { leaf, finished, cut, goal_sums });
        }
        self.outcomes.clear();
        self.goal_sums.clear();
    }

    /// Gives up all leaves.
    fn clear(&mut self) {
        self.busy = [0; W];
        self.done = [0; W];
        self.cut = [0; W];
        self.parts = [[None; UNITS]; W];
        self.n_leaves = 0;
        self.next_look = u64::MAX;
        self.outcomes.clear();
        self.goal_sums.clear();
    }

    /// Plays one step in all lanes.
    fn pass(&mut self) {
        self.machine.compute_terminal();
        let terminal = *self.machine.slot(self.terminal);
        let (mut over, mut any_over) = ([0; W], 0);
        for at in 0..W {
            over[at] = terminal[at] & self.busy[at] & !self.done[at];
            any_over |= over[at];
        }
        let mut any_done = false;
        if any_over != 0 && self.step.is_multiple_of(self.patience) {
            self.machine.compute_goals();
            self.note_goals(&over);
            (0..W).for_each(|at| self.done[at] |= over[at]);
            any_done = true;
        }
        if self.step >= self.next_look {
            self.cut_long(&terminal);
            any_done = true;
        }
        self.machine.compute_legal();
        let stuck = *self.machine.slot(self.stuck);
        for at in 0..W {
            let lost = stuck[at] & self.busy[at] & !self.done[at] & !terminal[at];
            any_done |= lost != 0;
            self.done[at] |= lost;
            self.cut[at] |= lost;
        }
        if any_done {
            self.finish();
        }
        self.machine.draw(&self.keys, self.step);
        self.machine.compute_next();
        self.step += 1;
    }

    /// Notes the goals of lanes whose match is over.
    fn note_goals(&mut self, over: &[u64; W]) {
        let mut reached = self.reached.iter_mut();
        for goals in &self.goals {
            let (mut once, mut twice) = ([0; W], [0; W]);
            for &(_, slot) in goals {
                let holds = self.machine.slot(slot);
                for at in 0..W {
                    twice[at] |= once[at] & holds[at];
                    once[at] |= holds[at];
                }
            }
            for (&(_, slot), reached) in goals.iter().zip(&mut reached) {
                let holds = self.machine.slot(slot);
                for at in 0..W {
                    reached[at] = reached[at] & !over[at] | holds[at] & !twice[at] & over[at];
                }
            }
        }
    }

    /// Ends the playouts that took the longest time allowed.
    fn cut_long(&mut self, terminal: &[u64; W]) {
        self.next_look = u64::MAX;
        for (at, parts) in self.parts.iter().enumerate() {
            for (unit, part) in parts.iter().enumerate() {
                let Some(part) = part else { continue };
                let end = part.since.saturating_add(self.max_length);
                if self.step < end {
                    self.next_look = self.next_look.min(end);
                    continue;
                }
                let lost = part.lanes(unit) & !self.done[at] & !terminal[at];
                self.done[at] |= lost;
                self.cut[at] |= lost;
            }
        }
    }

    /// Ends the leaves all of whose lanes are done.
    fn finish(&mut self) {
        for at in 0..W {
            // Eight lanes that are done, at the first of them.
            let mut whole = self.done[at];
            whole &= whole >> 4;
            whole &= whole >> 2;
            whole &= whole >> 1;
            let mut firsts = whole & 0x0101_0101_0101_0101;
            while firsts != 0 {
                let unit = firsts.trailing_zeros() as usize / FEWEST;
                firsts &= firsts - 1;
                if let Some(part) = self.parts[at][unit] {
                    let lanes = part.lanes(unit);
                    if self.done[at] & lanes == lanes {
                        self.end(at, unit, part);
                    }
                }
            }
        }
    }

    fn end(&mut self, at: usize, unit: usize, part: Part) {
        let lanes = part.lanes(unit);
        let cut = (self.cut[at] & lanes).count_ones();
        let counted = lanes & !self.cut[at];
        let mut reached = self.reached.iter();
        for goals in &self.goals {
            let mut sum = 0;
            for ((value, _), lanes) in goals.iter().zip(&mut reached) {
                sum += u32::from(value.unwrap_or(0)) * (lanes[at] & counted).count_ones();
            }
            self.goal_sums.push(sum);
        }
        self.outcomes.push((part.leaf, part.n_lanes - cut, cut));
        self.parts[at][unit] = None;
        self.busy[at] &= !lanes;
        self.done[at] &= !lanes;
        self.cut[at] &= !lanes;
        self.n_leaves -= 1;
    }
}

impl Part {
    /// Its lanes.
    fn lanes(self, unit: usize) -> u64 {
        (u64::MAX >> (64 - self.n_lanes)) << (unit * FEWEST)
    }
}
