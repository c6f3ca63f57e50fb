//! Random playouts in all lanes.

use crate::kernel::{Ages, Level, Tally, play};
use crate::machine::Machine;
use crate::program::Program;

/// 64-lane groups that are played together: whatever the width of a machine, they draw the same.
const GROUPS_OF_UNIT: usize = 16;
/// How many playouts each lane of a unit has at least, where there are several units.
const FEWEST_A_LANE: u64 = 8;
/// More units would not keep more threads busy.
const MOST_UNITS: u64 = 256;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order<'a> {
    pub(crate) program: &'a Program,
    pub(crate) start: &'a [u64],
    /// How many steps pass until finished lanes are looked at.
    pub(crate) patience: u64,
    pub(crate) seed: u64,
    pub(crate) max_length: u64,
    pub(crate) level: Level,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) playouts: u64,
    pub(crate) cut: u64,
    /// Steps of all playouts.
    pub(crate) states: u64,
    pub(crate) finished_states: u64,
    /// The sum of the squares of the lengths of all finished playouts.
    pub(crate) length_squares: u128,
    /// By role: how often each of its values was the only one.
    pub(crate) goals: Vec<Vec<u64>>,
    /// Whether a role had no legal move, in the state of some lane.
    pub(crate) stuck: Option<Vec<u64>>,
}

impl Outcome {
    pub(crate) fn merge(&mut self, other: Outcome) {
        self.playouts += other.playouts;
        self.cut += other.cut;
        self.states += other.states;
        self.finished_states += other.finished_states;
        self.length_squares += other.length_squares;
        if self.goals.is_empty() {
            self.goals = other.goals;
        } else {
            let sums = self.goals.iter_mut().flatten();
            sums.zip(other.goals.iter().flatten()).for_each(|(sum, more)| *sum += more);
        }
        self.stuck = self.stuck.take().or(other.stuck);
    }
}

/// Playouts of some 64-lane groups that are played together.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// The number of its first group.
    first_group: u64,
    /// By group: how many playouts it begins.
    quotas: Vec<u64>,
}

/// Whether a match is over where it begins; if so, by role, the places of the goals that hold.
pub(crate) fn look_at_start(order: &Order<'_>) -> Option<Vec<Vec<usize>>> {
    let mut machine = Machine::<4>::new(order.program, order.level);
    machine.restart(order.start, &[!0; 4]);
    machine.compute_terminal();
    if machine.slot(order.program.terminal)[0] & 1 == 0 {
        return None;
    }
    machine.compute_goals();
    let holding = |goals: &Vec<(Option<u8>, u32)>| {
        let holds = |&at: &usize| machine.slot(goals[at].1)[0] & 1 == 1;
        (0..goals.len()).filter(holds).collect()
    };
    Some(order.program.goals.iter().map(holding).collect())
}

/// Divides playouts into units: a function of their number alone.
pub(crate) fn units(count: u64) -> Vec<Unit> {
    let lanes_of_unit = GROUPS_OF_UNIT as u64 * 64;
    let most = (count / (lanes_of_unit * FEWEST_A_LANE)).clamp(1, MOST_UNITS);
    let n_units = 1 << most.ilog2();
    let share = |all: u64, n: u64, at: u64| all / n + u64::from(at < all % n);
    (0..n_units)
        .map(|unit| {
            let playouts = share(count, n_units, unit);
            let n_groups = playouts.div_ceil(64).clamp(1, GROUPS_OF_UNIT as u64);
            Unit {
                first_group: unit * GROUPS_OF_UNIT as u64,
                quotas: (0..n_groups).map(|group| share(playouts, n_groups, group)).collect(),
            }
        })
        .collect()
}

/// Plays a unit on machines of some width.
pub(crate) fn play_unit(order: &Order<'_>, width: usize, unit: &Unit) -> Outcome {
    match width.min(unit.quotas.len().next_power_of_two()) {
        16.. => play::<16>(order, unit),
        8.. => play::<8>(order, unit),
        _ => play::<4>(order, unit),
    }
}

/// Plays a unit; compiled for each level.
#[inline(always)]
pub(crate) fn play_on<const W: usize>(order: &Order<'_>, unit: &Unit) -> Outcome {
    let mut machine = Machine::<W>::new(order.program, order.level);
    let mut outcome = Outcome::default();
    for (at, quotas) in unit.quotas.chunks(W).enumerate() {
        let mut lanes = Lanes::<W>::new(order, unit.first_group + (at * W) as u64, quotas);
        outcome.merge(lanes.play(order, &mut machine));
    }
    outcome
}

/// The key of a 64-lane group: what its random bits depend on besides step, round and bit.
pub(crate) fn key(seed: u64, group: u64) -> u64 {
    let mut mixed = seed ^ group.wrapping_mul(0xd605_bbb5_8c8a_bbfd);
    for _ in 0..2 {
        mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    mixed ^ mixed >> 32
}

/// Which lanes play, and since when.
struct Lanes<const W: usize> {
    keys: [u64; W],
    /// Playouts that were not begun yet.
    remaining: [u64; W],
    /// Lanes whose playout counts.
    active: [u64; W],
    ages: Ages<W>,
    /// Lanes whose length was noted, until they begin again.
    noted: [u64; W],
    /// No playout can be cut before this step.
    next_look: u64,
    tally: Tally,
    outcome: Outcome,
}

impl<const W: usize> Lanes<W> {
    fn new(order: &Order<'_>, first_group: u64, quotas: &[u64]) -> Lanes<W> {
        let mut lanes = Lanes {
            keys: std::array::from_fn(|at| key(order.seed, first_group + at as u64)),
            remaining: [0; W],
            active: [0; W],
            ages: Ages::default(),
            noted: [0; W],
            next_look: order.max_length,
            tally: Tally { goals: order.program.goals.iter().map(|goals| vec![0; goals.len()]).collect() },
            outcome: Outcome::default(),
        };
        for (at, &quota) in quotas.iter().enumerate() {
            let n_lanes = quota.min(64);
            lanes.active[at] = if n_lanes == 64 { !0 } else { (1 << n_lanes) - 1 };
            lanes.remaining[at] = quota - n_lanes;
        }
        lanes
    }

    #[inline(always)]
    fn play(&mut self, order: &Order<'_>, machine: &mut Machine<W>) -> Outcome {
        let program = order.program;
        machine.restart(order.start, &[!0; W]);
        let mut step = 0_u64;
        loop {
            machine.compute_terminal();
            let terminal = *machine.slot(program.terminal);
            let (mut over, mut newly_over) = ([0; W], [0; W]);
            let (mut any_over, mut any_new) = (0, 0);
            for at in 0..W {
                over[at] = terminal[at] & self.active[at];
                newly_over[at] = over[at] & !self.noted[at];
                self.noted[at] |= over[at];
                any_over |= over[at];
                any_new |= newly_over[at];
            }
            if any_new != 0 {
                machine.note(&mut self.ages, &newly_over);
            }
            let mut begins = [0; W];
            if any_over != 0 && step.is_multiple_of(order.patience) {
                machine.compute_goals();
                machine.record(&over, &mut self.tally);
                self.outcome.playouts += count_ones(&over);
                begins = over;
            }
            if step >= self.next_look {
                let cut = self.too_long(&terminal, step, order.max_length);
                self.outcome.cut += count_ones(&cut);
                (0..W).for_each(|at| begins[at] |= cut[at]);
            }
            if begins != [0; W] {
                begins = self.begin(begins);
                if self.active == [0; W] {
                    break;
                }
            }
            if program.restarts_first && begins != [0; W] {
                machine.restart(order.start, &begins);
                machine.begin(&mut self.ages, &begins);
            }
            machine.compute_legal();
            let stuck = machine.slot(program.stuck);
            let (mut moving, mut any_stuck) = ([0; W], 0);
            for at in 0..W {
                let rests = if program.restarts_first {
                    terminal[at] & !begins[at]
                } else {
                    terminal[at] | begins[at]
                };
                moving[at] = self.active[at] & !rests;
                any_stuck |= stuck[at] & moving[at];
            }
            if any_stuck != 0 {
                self.outcome.stuck = Some(stuck_state(machine, program, &moving));
                break;
            }
            self.outcome.states += count_ones(&moving);
            machine.draw(&self.keys, step);
            machine.compute_next();
            machine.grow(&mut self.ages);
            if !program.restarts_first && begins != [0; W] {
                machine.restart(order.start, &begins);
                machine.begin(&mut self.ages, &begins);
            }
            step += 1;
        }
        self.outcome.finished_states = self.outcome.states - self.outcome.cut * order.max_length;
        self.outcome.length_squares = self.ages.squares();
        self.outcome.goals = std::mem::take(&mut self.tally.goals);
        std::mem::take(&mut self.outcome)
    }

    /// Lets lanes begin the next playout of their group, the first lanes if there are not enough.
    #[inline(always)]
    fn begin(&mut self, lanes: [u64; W]) -> [u64; W] {
        let (mut begins, mut n_begin, mut are_enough) = (lanes, [0; W], true);
        for at in 0..W {
            n_begin[at] = u64::from(begins[at].count_ones());
            are_enough &= n_begin[at] <= self.remaining[at];
        }
        if !are_enough {
            self.rest(&mut begins);
            (0..W).for_each(|at| n_begin[at] = u64::from(begins[at].count_ones()));
        }
        for at in 0..W {
            self.remaining[at] -= n_begin[at];
            self.noted[at] &= !begins[at];
        }
        begins
    }

    /// Keeps only as many lanes as there are playouts; for the others all is over.
    #[cold]
    fn rest(&mut self, begins: &mut [u64; W]) {
        for at in 0..W {
            while u64::from(begins[at].count_ones()) > self.remaining[at] {
                let last = 1 << (63 - begins[at].leading_zeros());
                begins[at] &= !last;
                self.active[at] &= !last;
            }
        }
    }

    /// The lanes whose playouts are not over after the longest time allowed.
    fn too_long(&mut self, terminal: &[u64; W], step: u64, max_length: u64) -> [u64; W] {
        let mut cut = [0; W];
        let mut oldest = 0;
        for at in 0..W {
            for lane in (0..64).filter(|lane| self.active[at] & !terminal[at] & 1 << lane != 0) {
                let age = self.ages.of(at, lane);
                if age >= max_length {
                    cut[at] |= 1 << lane;
                } else {
                    oldest = oldest.max(age);
                }
            }
        }
        self.next_look = step + (max_length - oldest);
        cut
    }
}

#[inline(always)]
fn count_ones<const W: usize>(lanes: &[u64; W]) -> u64 {
    lanes.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// The state of a lane in which a role has no legal move.
fn stuck_state<const W: usize>(machine: &Machine<W>, program: &Program, moving: &[u64; W]) -> Vec<u64> {
    let stuck = machine.slot(program.stuck);
    let word = (0..W).find(|&at| stuck[at] & moving[at] != 0).expect("a lane is stuck");
    let lane = (stuck[word] & moving[word]).trailing_zeros();
    let mut state = vec![0; program.n_fluents.div_ceil(64)];
    for fluent in 0..program.n_fluents {
        state[fluent / 64] |= (machine.slot(fluent as u32)[word] >> lane & 1) << (fluent % 64);
    }
    state
}
